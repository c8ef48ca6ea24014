"""What kinds of things do in a picture: lie behind everything, hang, fly, lie scattered, stand. Words are data."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, cast

from redraft.spatial.labels import heads_in
from redraft.spatial.layout import Bounds, Item, Layout
from redraft.spatial.yamldata import read_yaml

NEAR = 0.02
"""Share of the frame within which an edge is reached."""
MOST = 0.6
"""Share of the frame's area that only a backdrop covers."""
LOW = 0.25
"""Share of the frame's height."""

__all__ = ["is_backdrop", "is_ground", "is_kind", "kinds", "usual_number", "vertical_order"]


@cache
def _table() -> dict[str, Any]:
    text = files("redraft.spatial").joinpath("kinds.yaml").read_text(encoding="utf-8")
    return read_yaml(text)


@cache
def kinds(name: str) -> frozenset[str]:
    """One list of `kinds.yaml`."""
    return frozenset(cast("list[str]", _table()[name]))


@cache
def vertical_order() -> tuple[tuple[str, str], ...]:
    """Pairs of nouns, the upper one first."""
    return tuple((upper, lower) for upper, lower in cast("list[list[str]]", _table()["above"]))


def usual_number() -> dict[str, int]:
    """How many of a part one head has at most."""
    return cast("dict[str, int]", _table()["most"])


def is_kind(label: str, name: str) -> bool:
    """Whether a label ends with a word of one of the lists ("night sky" is of the sky)."""
    return heads_in(label, kinds(name))


def is_backdrop(layout: Layout, item: Item, bounds: Bounds | None = None) -> bool:
    """Whether a top-level item lies behind the rest: it reaches opposite edges of the frame, or covers most of it.

    `bounds` are those of the item with its parts, if they are known.
    """
    x0, y0, x1, y1 = layout.frame.bounds
    a, b, c, d = bounds or layout.bounds(item.name)
    if item.parent is not None or not a <= c:  # an empty shape has no bounds
        return False
    near = NEAR * max(x1 - x0, y1 - y0)
    across = a <= x0 + near and c >= x1 - near
    down = b <= y0 + near and d >= y1 - near
    large = (c - a) * (d - b) > MOST * layout.frame.area
    return across or down or (large and layout.whole(item.name).area > MOST * layout.frame.area)


def is_ground(layout: Layout, bounds: Bounds) -> bool:
    """Whether a backdrop reaches the foot of the frame, or nearly, and begins well below its head."""
    _, y0, _, y1 = layout.frame.bounds
    _, b, _, d = bounds
    return d >= y1 - LOW * (y1 - y0) and b > y0 + LOW * (y1 - y0)
