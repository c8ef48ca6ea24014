"""What kinds of things do in a picture: lie behind everything, hang, fly, lie scattered, stand. Words are data."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, cast

from redraft.spatial.labels import heads_in
from redraft.spatial.layout import Bounds, Item, Layout
from redraft.spatial.yamldata import read_yaml

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
    """Whether a top-level item lies behind the rest: by its label and an edge it reaches, or by geometry alone.

    By geometry: it covers nine tenths of the canvas, or fills a band along the whole bottom or top edge. `bounds` are
    those of the item with its parts, if they are known.
    """
    x0, y0, x1, y1 = layout.frame.bounds
    a, b, c, d = bounds or layout.bounds(item.name)
    if item.parent is not None or not a <= c:  # an empty shape has no bounds
        return False
    near = 0.02 * max(x1 - x0, y1 - y0)
    sides = (a <= x0 + near, b <= y0 + near, c >= x1 - near, d >= y1 - near)
    framed = sides[0] and sides[2] and (sides[1] or sides[3])
    if _named(item, "sky") or is_ground(item):
        return any(sides) or c - a > 0.6 * (x1 - x0)
    filled = framed and layout.whole(item.name).area > 0.9 * (c - a) * (d - b)
    return filled and (_named(item, "interior") or all(sides) or d - b < 0.5 * (y1 - y0))


def _named(item: Item, kind: str) -> bool:
    return is_kind(item.label, kind) or is_kind(item.name.rstrip("_0123456789"), kind)


def is_ground(item: Item) -> bool:
    """Whether something stands on this: said by its label or its name."""
    return _named(item, "ground")
