"""Distances between two items: of their boxes, and of their true shapes.

Vectors are unit directions from the first to the second, in the frame's axes; (0, 0) without a gap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Point as Spot
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from redraft.layout.items import Bounds, Item, Layout, Point, bounds_of

EDGE = "board edge"
"""The name of the edge of the layout's area among the things that gaps are between."""


@dataclass(frozen=True)
class Measure:
    """A gap, in units."""

    distance: float
    """Of the boxes; 0 where they meet."""
    vector: Point
    true_distance: float
    """Of the shapes."""
    true_vector: Point
    ends: tuple[Point, Point]
    """Where the gap may be drawn: a point on each."""
    overlap: float = 0.0
    """How far the shapes' boxes would have to be pushed apart; 0 where the shapes only touch, or do not meet."""
    other_side: bool = False
    """They lie on different layers and share none: nothing keeps them apart."""


def exact(value: float, quantum: float) -> float:
    """A length to the whole quantum, without the noise of binary fractions, and never −0."""
    return round(value, _digits(quantum)) + 0.0


@cache
def _digits(quantum: float) -> int:
    return max(0, round(-math.log10(quantum)))


def box_gap(a: Bounds, b: Bounds) -> tuple[float, Point]:
    """Distance and unit vector from one box to another."""
    dx = max(b[0] - a[2], 0.0) - max(a[0] - b[2], 0.0)
    dy = max(b[1] - a[3], 0.0) - max(a[1] - b[3], 0.0)
    return _unit(dx, dy)


def _unit(dx: float, dy: float) -> tuple[float, Point]:
    length = math.hypot(dx, dy)
    return (length, (dx / length, dy / length)) if length else (0.0, (0.0, 0.0))


def between(layout: Layout, a: Item, b: Item) -> Measure:
    """Return the gap from an item with its parts to another. With layers, courtyards on the same layer count."""
    pairs = _rooms(layout, a, b)
    measures = [_measured(one, other) for one, other in pairs]
    nearest = min(measures, key=lambda m: (m.true_distance, -m.overlap, m.distance))
    if _apart(layout, a, b):
        return replace(nearest, overlap=0.0, other_side=True)
    return nearest


def _apart(layout: Layout, a: Item, b: Item) -> bool:
    """Return whether two items of a solid frame lie on different layers, neither reaching through."""
    return layout.frame.solid and a.layer != b.layer and a.opposite is None and b.opposite is None


def _rooms(layout: Layout, a: Item, b: Item) -> list[tuple[BaseGeometry, BaseGeometry]]:
    mine, theirs = layout.whole(a.name), layout.whole(b.name)
    if not layout.frame.solid:
        return [(mine, theirs)]
    if a.layer == b.layer:
        both = [(mine, theirs), (a.opposite, b.opposite)]
    else:
        both = [(a.opposite, theirs), (mine, b.opposite)]
    found = [(x, y) for x, y in both if x is not None and y is not None]
    return found or [(mine, theirs)]


def _measured(one: BaseGeometry, other: BaseGeometry) -> Measure:
    a, b = bounds_of(one), bounds_of(other)
    distance, vector = box_gap(a, b)
    (x0, y0), (x1, y1) = _nearest(one, other)
    true, true_vector = _unit(x1 - x0, y1 - y0)
    same = abs(true - distance) < 1e-9
    ends = facing_ends(a, b) if same and distance else ((x0, y0), (x1, y1))
    depth = _depth(a, b) if true == 0.0 and one.intersection(other).area > 1e-9 else 0.0
    return Measure(distance, vector, distance if same else true, vector if same else true_vector, ends, depth)


def _depth(a: Bounds, b: Bounds) -> float:
    return max(0.0, min(a[2] - b[0], b[2] - a[0], a[3] - b[1], b[3] - a[1]))


def facing_ends(a: Bounds, b: Bounds) -> tuple[Point, Point]:
    """The ends of the shortest line between two boxes, in the middle of the stretch where they face each other."""
    (ax, bx), (ay, by) = (_ends(a[i], a[i + 2], b[i], b[i + 2]) for i in (0, 1))
    return (ax, ay), (bx, by)


def _ends(a0: float, a1: float, b0: float, b1: float) -> Point:
    if b0 >= a1:
        return a1, b0
    if a0 >= b1:
        return a0, b1
    middle = (max(a0, b0) + min(a1, b1)) / 2
    return middle, middle


def to_edge(layout: Layout, item: Item) -> Measure | None:
    """Return the gap from an item to the edge of the layout's area, cut-outs included; `overlap` is beyond it."""
    if layout.area is None or layout.area.is_empty:
        return None
    whole = layout.whole(item.name)
    edge = layout.area.boundary
    x0, y0, x1, y1 = whole.bounds
    if not layout.area.covers(whole):
        return _sticking(whole, layout.area)
    found = _measured(whole, edge)
    by_box = _measured(shapely.box(x0, y0, x1, y1), edge)
    return Measure(by_box.true_distance, by_box.true_vector, found.true_distance, found.true_vector, found.ends)


def _sticking(whole: BaseGeometry, area: BaseGeometry) -> Measure:
    """Sticking out by as much as its farthest point is away from the area, towards which the vector leads."""
    beyond = [Spot(x, y) for x, y in _corners(whole.difference(area))]
    if not beyond:
        return Measure(0.0, (0.0, 0.0), 0.0, (0.0, 0.0), _nearest(whole, area))
    ends = _nearest(max(beyond, key=lambda spot: spot.distance(area)), area)
    depth, vector = _unit(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])
    return Measure(0.0, vector, 0.0, vector, ends, overlap=depth)


def _corners(shape: BaseGeometry) -> list[Point]:
    found: NDArray[np.float64] = shapely.get_coordinates(shape)
    return [(float(x), float(y)) for x, y in found]


def _nearest(one: BaseGeometry, other: BaseGeometry) -> tuple[Point, Point]:
    a, b = nearest_points(one, other)
    return (a.x, a.y), (b.x, b.y)
