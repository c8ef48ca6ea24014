"""The copper of a pad: a core and the radius by which it grows, so that what is round stays exactly round.

All in the pad's own frame: millimetres, unturned, the pad's position at the origin.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

import numpy as np
import shapely
from shapely.geometry import GeometryCollection, LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.studios.board.arcs import CHORD, MOST, arc_from_centre, circle
from redraft.studios.board.chains import polygon
from redraft.studios.board.drawn import Graphic, path

__all__ = ["Outline", "chamfered", "custom", "grown", "oval", "rounded", "trapezoid", "turned"]

_NOTHING = 1e-9
"""Millimetres below which a side of a core is none: a thousandth of a nanometre."""


class Outline(NamedTuple):
    """A shape: `core` grown by `radius` on all sides."""

    core: BaseGeometry
    radius: float = 0.0


def oval(width: float, height: float) -> Outline:
    """A circle where both are the same."""
    return rounded(width, height, min(width, height) / 2)


def rounded(width: float, height: float, radius: float) -> Outline:
    """A rectangle with round corners; with radius 0, a plain one."""
    radius = max(0.0, min(radius, width / 2, height / 2))
    x, y = width / 2 - radius, height / 2 - radius
    if x > _NOTHING and y > _NOTHING:
        return Outline(box(-x, -y, x, y), radius)
    if x <= _NOTHING and y <= _NOTHING:
        return Outline(Point(0.0, 0.0), radius)
    return Outline(LineString([(-x, 0.0), (x, 0.0)] if x > y else [(0.0, -y), (0.0, y)]), radius)


def trapezoid(width: float, height: float, delta: tuple[float, float]) -> Outline:
    """A rectangle with unlike sides: by `2 delta[0]` the left is longer than the right, by `2 delta[1]` the lower."""
    x, y, dx, dy = width / 2, height / 2, delta[0] / 2, delta[1] / 2
    return Outline(Polygon([(-x - dy, y + dx), (x + dy, y - dx), (x - dy, -y + dx), (-x + dy, -y - dx)]))


def chamfered(width: float, height: float, radius: float, cut: float, corners: Iterable[str]) -> Outline:
    """A rectangle with some corners cut off by so much along both sides, the others round.

    Corners are named as in the file: `top_left`, `bottom_right`; top is −y.
    """
    cuts = set(corners)
    points: list[np.ndarray] = []
    for name, sx, sy in (("top_left", -1, -1), ("top_right", 1, -1), ("bottom_right", 1, 1), ("bottom_left", -1, 1)):
        points.append(_corner(sx * width / 2, sy * height / 2, cut if name in cuts else 0.0, radius))
    return Outline(Polygon(np.concatenate(points)))


def _corner(x: float, y: float, cut: float, radius: float) -> np.ndarray:
    """The points of one corner, clockwise as seen."""
    sx, sy = math.copysign(1, x), math.copysign(1, y)
    inset = cut or radius
    if inset <= 0:
        return np.array([(x, y)])
    ends = [(x, y - sy * inset), (x - sx * inset, y)]
    start, end = ends if sx == sy else ends[::-1]
    if cut:
        return np.array([start, end])
    return arc_from_centre((x - sx * inset, y - sy * inset), start, 90.0)


def custom(anchor: Outline, primitives: Iterable[Graphic]) -> Outline:
    """A pad drawn by hand: all its primitives and the anchor together."""
    drawn: dict[float, list[BaseGeometry]] = {anchor.radius: [anchor.core]}
    for item in primitives:
        if item.kind == "circle":
            drawn.setdefault(0.0, []).append(_disc(item))
        else:
            drawn.setdefault(item.width / 2, []).append(_drawn(item))
    areas = [area for radius, some in drawn.items() for area in _painted(some, radius)]
    return Outline(shapely.union_all([area if area.is_valid else shapely.make_valid(area) for area in areas]))


def _disc(item: Graphic) -> BaseGeometry:
    """A circle with its pen: no need to go along its many points."""
    centre, pen = item.points[0], item.width / 2
    radius = math.dist(centre, item.points[1])
    if radius + pen <= 0:
        return Point(centre)
    hollow = not item.filled and radius > pen
    return polygon(circle(centre, radius + pen), [circle(centre, radius - pen)] if hollow else None)


def _drawn(item: Graphic) -> BaseGeometry:
    """What one primitive is where its pen has no width."""
    points = path(item)
    if not item.filled or len(points) < 4:
        return cast("LineString", shapely.linestrings(points)) if len(points) > 1 else Point(points[0])
    area = polygon(points)
    return area if area.is_valid else shapely.make_valid(area)


def _painted(some: Sequence[BaseGeometry], radius: float) -> Sequence[BaseGeometry]:
    """What a round pen covers that goes along all these: in one go, which is far sooner than one by one."""
    return [grown(GeometryCollection(some), radius)] if radius > 0 else some


def grown(core: BaseGeometry, radius: float) -> BaseGeometry:
    """The polygon of a core and its radius, its round ends within `CHORD` of the true ones."""
    return core.buffer(radius, quad_segs=_segments(radius)) if radius > 0 else core


def _segments(radius: float) -> int:
    """To a quarter circle, so that its lines stray from it by no more than `CHORD`."""
    return min(MOST, math.ceil(math.pi / 4 * math.sqrt(radius / (2 * CHORD))))


def turned(degrees: float) -> np.ndarray:
    """The matrix that turns row vectors: `points @ turned(90)`. Counter-clockwise as seen; quarter turns are exact."""
    quarters, rest = divmod(degrees % 360.0, 90.0)
    cos, sin = math.cos(math.radians(rest)), math.sin(math.radians(rest))
    for _ in range(int(quarters)):
        cos, sin = -sin, cos
    return np.array([[cos, -sin], [sin, cos]])
