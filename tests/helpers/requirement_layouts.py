"""Small layouts, and statements about them that are read and measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from pydantic import JsonValue
from shapely import Point, box
from shapely.affinity import rotate
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Frame, Item, Layout, Style
from redraft.layout.requirements import Requirement, kinds, reading
from redraft.result import Measured

Raw = dict[str, Any]


def part(name: str, shape: BaseGeometry, parent: str | None = None, **more: Any) -> Item:
    return Item(name, name.split("_", maxsplit=1)[0], shape, parent, **more)


def at(name: str, x: float, y: float, w: float = 0.1, h: float = 0.1, parent: str | None = None, **more: Any) -> Item:
    """A box with its center there."""
    return part(name, box(x - w / 2, y - h / 2, x + w / 2, y + h / 2), parent, **more)


def on_paper(*items: Item) -> Layout:
    """Items in painting order."""
    return Layout(tuple(replace(item, layer=rank) for rank, item in enumerate(items)))


def in_scene(*items: Item) -> Layout:
    return Layout(items, Frame("m", bounds=(0, 0, 10, 10), plan=True))


def solid(name: str, x: float, y: float, low: float, high: float, side: float = 1.0, parent: str | None = None) -> Item:
    return at(name, x, y, side, side, parent, height=(low, high))


def said(kind: str, parts: Sequence[str] | str, **more: Any) -> Raw:
    return {"kind": kind, "parts": [parts] if isinstance(parts, str) else list(parts), **more}


def measured(layout: Layout, *raw: Raw, brief: str = "") -> tuple[Measured, ...]:
    found = reading.statements(raw, brief, layout)
    assert not found.set_aside, found.set_aside
    return kinds.measure(found.requirements, layout)


def outcome(layout: Layout, raw: Raw) -> str:
    return measured(layout, raw)[0].outcome


def aside(layout: Layout, *raw: JsonValue, brief: str = "three red kites over a house") -> str:
    found = reading.statements(raw, brief, layout)
    return "\n".join(found.set_aside)


def row(*xs: float, w: float = 0.1, y: float = 0.5) -> Layout:
    return on_paper(*(at(f"tree_{n}", x, y, w) for n, x in enumerate(xs)))


def hand(degrees: float) -> Layout:
    needle = rotate(box(0.49, 0.2, 0.51, 0.5), degrees, origin=(0.5, 0.5))  # y down: positive is clockwise
    return on_paper(part("dial", Point(0.5, 0.5).buffer(0.4)), part("hand", needle, "dial"))


def painted(*fills: str) -> Layout:
    return on_paper(at("bus", 0.5, 0.5, 0.4, 0.2, style=Style(fills=fills)))


def stack(gap: float) -> Layout:
    return on_paper(at("table", 0.5, 0.7, 0.6, 0.1), at("bowl", 0.5, 0.6 - gap, 0.2, 0.1))


def pair(x: float) -> Layout:
    return on_paper(at("head", 0.5, 0.5, 0.4, 0.4), at("ear_l", 0.35, 0.25, parent="head"), at("ear_r", x, 0.25))


def bars(*heights: float) -> Layout:
    return on_paper(*(at(f"bar_{n}", 0.1 + 0.2 * n, 0.5, 0.1, h) for n, h in enumerate(heights)))


FIELDS = [*Requirement.model_fields, "agreed", "left_out"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=5), inner, max_size=6)
    ),
    max_leaves=12,
)


def told(layout: Layout, raw: Raw) -> tuple[str, float]:
    """The message about one statement, and its deviation: above 1 it is broken."""
    found = measured(layout, raw)[0]
    return f"{found.words}, {found.found}", found.deviation


ROOM = in_scene(
    solid("table", 5, 5, 0, 0.8, 2.0),
    solid("cup", 5, 5, 0.8, 0.9, 0.1),
    solid("lamp", 5, 5, 1.5, 2, 0.5),
    solid("chair", 5, 8, 0, 1.0),
    solid("pole", 9, 5, 0, 3, 0.2),
)
"""A scene of ten meters, of which y grows towards its camera."""
