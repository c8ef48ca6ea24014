"""Shapely's vectorised functions with the types that the rules use them at (its stubs leave some open)."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Point

__all__ = [
    "Floats",
    "Indices",
    "Shapes",
    "areas",
    "bounds",
    "boxes",
    "covers_inside",
    "differences",
    "distances",
    "holes",
    "lengths",
    "touching",
    "tree_pairs",
]

Shapes = NDArray[np.object_]
Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


def areas(shapes: Shapes) -> Floats:
    return shapely.area(shapes)


def lengths(shapes: Shapes) -> Floats:
    return shapely.length(shapes)


def holes(shapes: Shapes) -> Indices:
    """How many holes each polygon has."""
    return np.asarray(shapely.get_num_interior_rings(shapes), dtype=np.intp)


def bounds(shapes: Shapes) -> Floats:
    """One row of x0, y0, x1, y1 for each shape."""
    return shapely.bounds(shapes).reshape(-1, 4)


def boxes(rows: Floats, margin: float) -> Shapes:
    """Rectangles of these bounds, grown on all sides."""
    x0, y0, x1, y1 = rows.T
    return cast("Shapes", shapely.box(x0 - margin, y0 - margin, x1 + margin, y1 + margin))


def differences(first: Shapes, second: Shapes) -> Shapes:
    """What of the first is outside of the second, pair by pair."""
    return np.asarray(shapely.difference(first, second), dtype=object)


def distances(first: Shapes, second: Shapes) -> Floats:
    return shapely.distance(first, second)


def touching(first: Shapes, second: Shapes, gap: float) -> NDArray[np.bool_]:
    """Whether shapes are at most a gap apart, pair by pair."""
    shapely.prepare(first)
    return shapely.dwithin(first, second, gap)


def covers_inside(first: Shapes, second: Shapes) -> NDArray[np.bool_]:
    """Whether the first covers a point within the second, pair by pair."""
    points = shapely.point_on_surface(second)
    shapely.prepare(first)
    return shapely.intersects(first, points)


def tree_pairs(shapes: Shapes, margin: float) -> tuple[Indices, Indices]:
    """Index pairs, first < second, of shapes whose boxes are within a margin of each other."""
    rows = bounds(shapes)
    first, second = cast("tuple[Indices, Indices]", STRtree(list(shapes)).query(boxes(rows, margin)))
    keep = first < second
    return first[keep], second[keep]


def pieces(shape: BaseGeometry) -> int:
    """Of how many separate geometries a shape consists."""
    return int(cast("int", shapely.get_num_geometries(shape)))


def closest(one: BaseGeometry, other: BaseGeometry) -> tuple[Point, Point]:
    """The ends of the shortest line between two shapes."""
    (x0, y0), (x1, y1) = shapely.shortest_line(one, other).coords
    return (float(x0), float(y0)), (float(x1), float(y1))


def distance(one: BaseGeometry, other: BaseGeometry) -> float:
    """Between two shapes."""
    return float(cast("float", shapely.distance(one, other)))
