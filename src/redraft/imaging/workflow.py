"""A ComfyUI workflow as a file: read, checked before anything is sent, and filled in for one picture.

Where a value goes is written in the file, as `{{prompt}}`, `{{seed}}`, `{{width}}` or `{{height}}` in any text of it;
or else it is found by following the links from the samplers (`workflow_search`). A text that is a placeholder and
nothing else becomes the value itself: a number where a number is wanted.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from redraft.errors import ConfigError
from redraft.imaging.base import ImageRequest
from redraft.imaging.workflow_search import Graph, Place, described_places, seed_places, size_nodes, text_places

__all__ = ["PLACEHOLDERS", "Filled", "Workflow", "read_workflow"]

PLACEHOLDERS = ("prompt", "seed", "width", "height")
SEEDS = 2**64
"""ComfyUI's seeds are below it."""
_MOST_BYTES = 16 << 20
_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_EXPORT = 'In ComfyUI choose "Workflow > Export (API)", in older versions "Save (API Format)".'


@dataclass(frozen=True)
class Filled:
    """A graph ready to be sent."""

    graph: dict[str, JsonValue]
    seed: int | None
    """As it stands in the graph; None where it has no place."""
    sized: bool
    """Whether the graph takes the width and the height that were asked for."""


@dataclass(frozen=True)
class Workflow:
    """A workflow, and where in it everything goes."""

    graph: Graph
    prompt: tuple[Place, ...]
    seed: tuple[Place, ...]
    size: tuple[str, ...]
    """Nodes that begin with an empty picture of a width and a height."""
    written: frozenset[str]
    """Placeholders that the file itself has."""

    def filled(self, request: ImageRequest) -> Filled:
        """The graph for one picture; the workflow itself stays as it is."""
        values: dict[str, str | int] = {
            "prompt": request.prompt,
            "seed": request.seed % SEEDS,
            "width": request.width,
            "height": request.height,
        }
        graph = cast("dict[str, JsonValue]", _replaced(cast("JsonValue", self.graph), values))
        found = [(place, values["prompt"]) for place in self.prompt] + [(place, values["seed"]) for place in self.seed]
        found += [(Place(node, side), values[side]) for node in self.size for side in ("width", "height")]
        for place, value in found:
            _put(graph, place, value)
        seeded = bool(self.seed) or "seed" in self.written
        sized = bool(self.size) or {"width", "height"} <= self.written
        return Filled(graph, request.seed % SEEDS if seeded else None, sized)


def read_workflow(path: Path) -> Workflow:
    """The workflow in a file.

    Raises:
        ConfigError: it cannot be read, is no workflow in API format, has an unknown placeholder, or it is not clear
            where the prompt, the seed or the size goes.
    """
    graph = _graph(path)
    written = frozenset(_written(cast("JsonValue", graph), path))
    prompt = () if "prompt" in written else _prompt_places(graph, path)
    seed = () if "seed" in written else seed_places(graph)
    size = () if written & {"width", "height"} else _size_places(graph, path)
    return Workflow(graph, prompt, seed, size, written)


def _graph(path: Path) -> Graph:
    data = _read_json(path)
    if not isinstance(data, dict):
        raise ConfigError(f"The workflow {path} is no JSON object. {_EXPORT}")
    if isinstance(data.get("nodes"), list) and "links" in data:
        raise ConfigError(
            f"The workflow {path} is saved as the editor keeps it, which the server does not run. {_EXPORT}"
        )
    if isinstance(data.get("prompt"), dict) and "class_type" not in data:
        raise ConfigError(f'The workflow {path} is a whole request. Keep only what it has under "prompt".')
    if not data:
        raise ConfigError(f"The workflow {path} has no nodes. {_EXPORT}")
    for name, node in data.items():
        fields = cast("dict[str, JsonValue]", node) if isinstance(node, dict) else {}
        if not isinstance(fields.get("class_type"), str) or not isinstance(fields.get("inputs"), dict):
            raise ConfigError(f"The workflow {path} has {name!r}, which is no node (class_type and inputs). {_EXPORT}")
    return cast("Graph", data)


def _read_json(path: Path) -> JsonValue:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ConfigError(f"The workflow {path} is larger than {_MOST_BYTES >> 20} MB.")
        return json.loads(path.read_text(encoding="utf-8-sig"), parse_constant=_no_number)
    except OSError as error:
        raise ConfigError(f"The workflow {path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"The workflow {path} is no JSON ({error}). {_EXPORT}") from error


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _written(node: JsonValue, path: Path) -> Iterator[str]:
    """The placeholders in all texts, names of nodes and fields left out."""
    if isinstance(node, dict):
        for inner in node.values():
            yield from _written(inner, path)
    elif isinstance(node, list):
        for inner in node:
            yield from _written(inner, path)
    elif isinstance(node, str):
        for name in _PLACEHOLDER.findall(node):
            if name not in PLACEHOLDERS:
                raise ConfigError(f"The workflow {path} has the placeholder {{{{{name}}}}}. {_known(name)}")
            yield name


def _known(name: str) -> str:
    close = difflib.get_close_matches(name, PLACEHOLDERS, n=1)
    hint = f"Did you mean {{{{{close[0]}}}}}? " if close else ""
    return f"{hint}Known are {', '.join(f'{{{{{each}}}}}' for each in PLACEHOLDERS)}."


def _replaced(node: JsonValue, values: Mapping[str, str | int]) -> JsonValue:
    """A copy with all placeholders filled in, in one pass: what a prompt says is never taken for a placeholder."""
    if isinstance(node, dict):
        return {name: _replaced(inner, values) for name, inner in node.items()}
    if isinstance(node, list):
        return [_replaced(inner, values) for inner in node]
    if not isinstance(node, str):
        return node
    if whole := _PLACEHOLDER.fullmatch(node.strip()):
        return values[whole[1]]
    return _PLACEHOLDER.sub(lambda found: str(values[found[1]]), node)


def _put(graph: dict[str, JsonValue], place: Place, value: str | int) -> None:
    inputs = cast("dict[str, dict[str, JsonValue]]", graph[place.node])["inputs"]
    inputs[place.field] = value


def _prompt_places(graph: Graph, path: Path) -> tuple[Place, ...]:
    places = text_places(graph)
    nodes = sorted({place.node for place in places})
    if len(nodes) == 1:
        return places
    if not nodes:
        raise ConfigError(
            f"The workflow {path} shows no place for the prompt: no sampler's positive input leads to a text. Write "
            "{{prompt}} where it goes."
        )
    raise ConfigError(
        f"The workflow {path} has several texts that could be the prompt: {described_places(graph, nodes)}. Write "
        "{{prompt}} into the one (or those) that it is."
    )


def _size_places(graph: Graph, path: Path) -> tuple[str, ...]:
    nodes = size_nodes(graph)
    sizes = {(str(graph[n]["inputs"]["width"]), str(graph[n]["inputs"]["height"])) for n in nodes}
    if len(sizes) > 1:
        raise ConfigError(
            f"The workflow {path} begins with empty pictures of several sizes: {described_places(graph, nodes)}. Write "
            "{{width}} and {{height}} where they go."
        )
    return tuple(nodes)
