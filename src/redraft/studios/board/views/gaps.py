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
"""The edge of the layout's area, as the second of the things that a gap is between."""


@dataclass(frozen=True)
class Measure:
    """A gap, in units."""

    distance: float
    """Between the boxes; 0 where they meet."""
    vector: Point
    true_distance: float
    """Between the shapes."""
    true_vector: Point
    ends: tuple[Point, Point]
    """A point on each, between which the gap may be drawn."""
    overlap: float = 0.0
    """The distance by which the shapes' boxes would have to be pushed apart; 0 where the shapes do not overlap."""
    other_side: bool = False
    """They lie on different layers and share none: nothing keeps them apart."""


def exact(value: float, quantum: float) -> float:
    """Return a length rounded to the quantum, without the noise of binary fractions, and never −0."""
    return round(value, _digits(quantum)) + 0.0


@cache
def _digits(quantum: float) -> int:
    return max(0, round(-math.log10(quantum)))


def box_gap(a: Bounds, b: Bounds) -> tuple[float, Point]:
    """Return distance and unit vector from one box to another."""
    dx = max(b[0] - a[2], 0.0) - max(a[0] - b[2], 0.0)
    dy = max(b[1] - a[3], 0.0) - max(a[1] - b[3], 0.0)
    return _unit(dx, dy)


def _unit(dx: float, dy: float) -> tuple[float, Point]:
    length = math.hypot(dx, dy)
    return (length, (dx / length, dy / length)) if length else (0.0, (0.0, 0.0))


def between(layout: Layout, a: Item, b: Item) -> Measure:
    """Return the gap from an item with its parts to another. With layers, courtyards on the same layer count."""
    mine, theirs = layout.whole(a.name), layout.whole(b.name)
    if not layout.frame.solid:
        return _measured(mine, theirs)
    if a.layer == b.layer:
        both = [(mine, theirs), (a.opposite, b.opposite)]
    else:
        both = [(a.opposite, theirs), (mine, b.opposite)]
    pairs = [(one, other) for one, other in both if one is not None and other is not None] or [(mine, theirs)]
    measures = [_measured(one, other) for one, other in pairs]
    nearest = min(measures, key=lambda m: (m.true_distance, -m.overlap, m.distance))

    # On different layers, neither reaching through the board, nothing keeps them apart.
    if a.layer != b.layer and a.opposite is None and b.opposite is None:
        return replace(nearest, overlap=0.0, other_side=True)
    return nearest


def _measured(one: BaseGeometry, other: BaseGeometry) -> Measure:
    a, b = bounds_of(one), bounds_of(other)
    distance, vector = box_gap(a, b)
    (x0, y0), (x1, y1) = _nearest(one, other)
    true, true_vector = _unit(x1 - x0, y1 - y0)
    same = abs(true - distance) < 1e-9
    ends = facing_ends(a, b) if same and distance else ((x0, y0), (x1, y1))
    depth = 0.0
    if true == 0.0 and one.intersection(other).area > 1e-9:
        depth = max(0.0, min(a[2] - b[0], b[2] - a[0], a[3] - b[1], b[3] - a[1]))
    return Measure(distance, vector, distance if same else true, vector if same else true_vector, ends, depth)


def facing_ends(a: Bounds, b: Bounds) -> tuple[Point, Point]:
    """Return the ends of the shortest line between two boxes, in the middle of where they face each other."""
    ends: list[Point] = []
    for axis in (0, 1):
        a0, a1, b0, b1 = a[axis], a[axis + 2], b[axis], b[axis + 2]
        middle = (max(a0, b0) + min(a1, b1)) / 2
        ends.append((a1, b0) if b0 >= a1 else (a0, b1) if a0 >= b1 else (middle, middle))
    (ax, bx), (ay, by) = ends
    return (ax, ay), (bx, by)


def to_edge(layout: Layout, item: Item) -> Measure | None:
    """Return the gap from an item to the edge of the layout's area, cut-outs included; `overlap` is beyond it."""
    if layout.area is None or layout.area.is_empty:
        return None
    whole = layout.whole(item.name)
    edge = layout.area.boundary
    x0, y0, x1, y1 = whole.bounds
    if layout.area.covers(whole):
        gap = _measured(whole, edge)
        by_box = _measured(shapely.box(x0, y0, x1, y1), edge)
        return Measure(by_box.true_distance, by_box.true_vector, gap.true_distance, gap.true_vector, gap.ends)

    # It sticks out as far as its farthest point is away from the area; the vector leads back.
    corners: NDArray[np.float64] = shapely.get_coordinates(whole.difference(layout.area))
    beyond = [Spot(float(x), float(y)) for x, y in corners]
    if not beyond:
        return Measure(0.0, (0.0, 0.0), 0.0, (0.0, 0.0), _nearest(whole, layout.area))
    area = layout.area
    ends = _nearest(max(beyond, key=lambda spot: spot.distance(area)), area)
    depth, vector = _unit(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])
    return Measure(0.0, vector, 0.0, vector, ends, overlap=depth)


def _nearest(one: BaseGeometry, other: BaseGeometry) -> tuple[Point, Point]:
    a, b = nearest_points(one, other)
    return (a.x, a.y), (b.x, b.y)
