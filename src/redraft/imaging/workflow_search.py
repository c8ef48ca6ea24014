"""Where a workflow's prompt, seed and size go when the file does not say: by the links that lead to its samplers.

A node is known by its inputs and not by its name, so that samplers of extensions are found as well. A sampler has a
`latent_image` and either a `positive` or a `guider`. What it is told to paint is up those links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypedDict

from pydantic import JsonValue

__all__ = ["Graph", "Node", "Place", "described_places", "seed_places", "size_nodes", "text_places"]

_TEXTS = ("text", "text_g", "text_l", "clip_g", "clip_l", "t5xxl", "prompt", "user_prompt", "bert", "mt5xl", "llama")
"""What encoders call the text that they take."""
_VALUES = ("value", "string", "text", "seed", "noise_seed", "int")
"""What nodes that hold one value call it."""
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


def text_places(graph: Graph) -> tuple[Place, ...]:
    """The texts that the samplers are to paint."""
    starts = [link for node in _samplers(graph) for link in _links(graph, node, _toward_text(graph, node))]
    found = [place for node in _reached(graph, starts, _toward_text) for place in _texts_of(graph, node)]
    return tuple(dict.fromkeys(found))


def seed_places(graph: Graph) -> tuple[Place, ...]:
    """The seeds of all samplers, and of the noise that they are given."""
    found: list[Place] = []
    for sampler in _samplers(graph):
        for node in (sampler, *_links(graph, sampler, ("noise",))):
            for field in ("seed", "noise_seed"):
                found += _value_at(graph, node, field, int)
    return tuple(dict.fromkeys(found))


def size_nodes(graph: Graph) -> list[str]:
    """The nodes that the samplers' pictures begin with, if they hold a width and a height."""
    starts = [link for node in _samplers(graph) for link in _links(graph, node, ("latent_image",))]
    reached = _reached(graph, starts, lambda graph, node: _BEFORE)
    return [node for node in reached if not _links(graph, node, _BEFORE) and _has_size(graph[node])]


def described_places(graph: Graph, nodes: Iterable[str]) -> str:
    """Nodes in words: number, kind and what they hold."""
    return "; ".join(f"{node} ({graph[node]['class_type']}{_held(graph[node])})" for node in nodes)


def _samplers(graph: Graph) -> list[str]:
    return [
        name for name in graph if _links(graph, name, ("latent_image",)) and _links(graph, name, ("positive", "guider"))
    ]


def _toward_text(graph: Graph, node: str) -> tuple[str, ...]:
    """The inputs by which a node is told what to paint; where positive and negative pass through, the positive one."""
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
