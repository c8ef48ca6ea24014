"""A ComfyUI workflow as a file: read, checked before anything is sent, and filled in for one picture.

Where a value goes is written in the file, as `{{prompt}}`, `{{seed}}`, `{{width}}` or `{{height}}` in any text of it.
Otherwise it is found by following the links that lead to the samplers. A node is recognized by its inputs and not by
its name, so that samplers of extensions are found as well: a sampler has a `latent_image` and either a `positive` or a
`guider`. A text that is a placeholder and nothing else becomes the value itself: a number where a number is wanted.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

from pydantic import JsonValue

from redraft.errors import ConfigError
from redraft.limits import WORKFLOW, read_file, read_json
from redraft.painting.base import ImageRequest

PLACEHOLDERS = ("prompt", "seed", "width", "height")
SEEDS = 2**64
"""ComfyUI's seeds are below it."""
_PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_EXPORT = 'In ComfyUI choose "Workflow > Export (API)", in older versions "Save (API Format)".'
_TEXTS = ("text", "text_g", "text_l", "clip_g", "clip_l", "t5xxl", "prompt", "user_prompt", "bert", "mt5xl", "llama")
"""Names of an encoder's text input."""
_VALUES = ("value", "string", "text", "seed", "noise_seed", "int")
"""Names of the input of a node that holds one value."""
_BEFORE = ("latent_image", "samples", "latent", "latents", "pixels", "image")
"""Links by which a picture comes from an earlier one."""
_SHOWN = 40
"""Characters of a text in a message."""


class Node(TypedDict):
    """One node in API format; there may be more fields, such as `_meta`."""

    class_type: str
    inputs: dict[str, JsonValue]


Graph = Mapping[str, Node]


class Place(NamedTuple):
    """An input that holds a value, not a link."""

    node: str
    field: str


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
        ConfigError: it cannot be read, is not a workflow in API format, has an unknown placeholder, or it is not clear
            where the prompt, the seed or the size goes.
    """
    graph = _graph(path)
    written = frozenset(_written(cast("JsonValue", graph), path))
    prompt = () if "prompt" in written else _prompt_places(graph, path)
    seed = () if "seed" in written else _seed_places(graph)
    size = () if written & {"width", "height"} else _size_places(graph, path)
    return Workflow(graph, prompt, seed, size, written)


def _graph(path: Path) -> Graph:
    data = _read_json(path)
    if not isinstance(data, dict):
        raise ConfigError(f"The workflow {path} is not a JSON object. {_EXPORT}")
    if isinstance(data.get("nodes"), list) and "links" in data:
        raise ConfigError(f"The workflow {path} is in the editor's format, which the server does not run. {_EXPORT}")
    if isinstance(data.get("prompt"), dict) and "class_type" not in data:
        raise ConfigError(f'The workflow {path} is a whole request. Keep only what it has under "prompt".')
    if not data:
        raise ConfigError(f"The workflow {path} has no nodes. {_EXPORT}")
    for name, node in data.items():
        fields = cast("dict[str, JsonValue]", node) if isinstance(node, dict) else {}
        if not isinstance(fields.get("class_type"), str) or not isinstance(fields.get("inputs"), dict):
            raise ConfigError(
                f"The workflow {path} has {name!r}, which is not a node (class_type and inputs). {_EXPORT}"
            )
    return cast("Graph", data)


def _read_json(path: Path) -> JsonValue:
    try:
        return read_json(read_file(path, WORKFLOW).decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"The workflow {path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ConfigError(f"The workflow {path} is not JSON ({error}). {_EXPORT}") from error


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
    places = _text_places(graph)
    nodes = sorted({place.node for place in places})
    if len(nodes) == 1:
        return places
    if not nodes:
        raise ConfigError(
            f"The workflow {path} shows no place for the prompt: no sampler's positive input leads to a text. Write "
            "{{prompt}} where it goes."
        )
    raise ConfigError(
        f"The workflow {path} has several texts that could be the prompt: {_described_places(graph, nodes)}. Write "
        "{{prompt}} into the one (or those) that it is."
    )


def _size_places(graph: Graph, path: Path) -> tuple[str, ...]:
    nodes = _size_nodes(graph)
    sizes = {(str(graph[n]["inputs"]["width"]), str(graph[n]["inputs"]["height"])) for n in nodes}
    if len(sizes) > 1:
        raise ConfigError(
            f"The workflow {path} begins with empty pictures of several sizes: {_described_places(graph, nodes)}. "
            "Write {{width}} and {{height}} where they go."
        )
    return tuple(nodes)


def _text_places(graph: Graph) -> tuple[Place, ...]:
    """The texts that the samplers are to paint."""
    starts = [link for node in _samplers(graph) for link in _links(graph, node, _toward_text(graph, node))]
    found = [place for node in _reached(graph, starts, _toward_text) for place in _texts_of(graph, node)]
    return tuple(dict.fromkeys(found))


def _seed_places(graph: Graph) -> tuple[Place, ...]:
    """The seeds of all samplers, and of the noise that they are given."""
    found: list[Place] = []
    for sampler in _samplers(graph):
        for node in (sampler, *_links(graph, sampler, ("noise",))):
            for field in ("seed", "noise_seed"):
                found += _value_at(graph, node, field, int)
    return tuple(dict.fromkeys(found))


def _size_nodes(graph: Graph) -> list[str]:
    """The nodes that the samplers' pictures begin with, if they hold a width and a height."""
    starts = [link for node in _samplers(graph) for link in _links(graph, node, ("latent_image",))]
    reached = _reached(graph, starts, lambda graph, node: _BEFORE)
    return [node for node in reached if not _links(graph, node, _BEFORE) and _has_size(graph[node])]


def _described_places(graph: Graph, nodes: Iterable[str]) -> str:
    """Nodes in words: number, kind and what they hold."""
    return "; ".join(f"{node} ({graph[node]['class_type']}{_held(graph[node])})" for node in nodes)


def _samplers(graph: Graph) -> list[str]:
    return [
        name for name in graph if _links(graph, name, ("latent_image",)) and _links(graph, name, ("positive", "guider"))
    ]


def _toward_text(graph: Graph, node: str) -> tuple[str, ...]:
    """The inputs that say what a node paints; where positive and negative pass through, the positive one."""
    inputs = graph[node]["inputs"]
    if "positive" in inputs:
        return ("positive",)
    return tuple(name for name in inputs if name.startswith(("conditioning", "guider", "cond")))


def _reached(graph: Graph, starts: Iterable[str], follow: Callable[[Graph, str], tuple[str, ...]]) -> Iterator[str]:
    """All nodes up the links, each once; a circle ends where it closes."""
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        node = waiting.pop(0)
        if node in seen:
            continue
        seen.add(node)
        yield node
        waiting += _links(graph, node, follow(graph, node))


def _links(graph: Graph, node: str, names: Iterable[str]) -> list[str]:
    """The nodes that these inputs come from."""
    values = (graph[node]["inputs"].get(name) for name in names)
    return [source for value in values if (source := _source(graph, value)) is not None]


def _source(graph: Graph, value: JsonValue) -> str | None:
    """The node that a link names: `["4", 1]` is the second output of node 4."""
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str | int):
        return None
    return str(value[0]) if str(value[0]) in graph else None


def _texts_of(graph: Graph, node: str) -> list[Place]:
    return [place for field in _TEXTS for place in _value_at(graph, node, field, str)]


def _value_at(graph: Graph, node: str, field: str, kind: type[str | int]) -> list[Place]:
    """The place of an input's value: its own, or that of the node which only holds one value and is linked there."""
    value = graph[node]["inputs"].get(field)
    if _is(value, kind):
        return [Place(node, field)]
    source = _source(graph, value)
    if source is None:
        return []
    held = [name for name in _VALUES if _is(graph[source]["inputs"].get(name), kind)]
    return [Place(source, held[0])] if len(held) == 1 else []


def _is(value: JsonValue, kind: type[str | int]) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _has_size(node: Node) -> bool:
    return all(_is(node["inputs"].get(side), int) for side in ("width", "height"))


def _held(node: Node) -> str:
    inputs = node["inputs"]
    text = next((value for name in (*_TEXTS, *_VALUES) if isinstance(value := inputs.get(name), str)), None)
    if text is not None:
        return f": {text[:_SHOWN]!r}"
    return f": {inputs['width']} × {inputs['height']}" if _has_size(node) else ""
