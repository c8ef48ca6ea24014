"""How far a shape can travel along an axis until it meets another one: exact, on vertices and edges of both."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from redraft.spatial.layout import Move
from redraft.spatial.solver.problem import Axis

__all__ = ["closing", "travel"]

Numbers = NDArray[np.float64]


def travel(shape: BaseGeometry, other: BaseGeometry, axis: Axis, sign: int) -> float | None:
    """The signed shift along an axis that brings a shape, coming from afar, into contact with another one.

    Both are taken as their outlines. The first contact is of a vertex of one with an edge of the other, so that the
    least distance over all of these is exact. None when the two pass each other.
    """
    mine, theirs = _edges(shape, axis, sign), _edges(other, axis, sign)
    gaps = [_least(mine[:, 0], theirs, forward=True), _least(mine[:, 1], theirs, forward=True)]
    gaps += [_least(theirs[:, 0], mine, forward=False), _least(theirs[:, 1], mine, forward=False)]
    least = min(gaps)
    return sign * least if np.isfinite(least) else None


def _edges(shape: BaseGeometry, axis: Axis, sign: int) -> Numbers:
    """All edges as (n, 2, 2): both ends, each as (place across, place along the direction of travel)."""
    points, index = shapely.get_coordinates(shapely.get_parts(shapely.get_rings(_areas(shape))), return_index=True)
    turned = np.column_stack([points[:, 1 - axis], sign * points[:, axis]])
    joined = index[1:] == index[:-1]
    return np.stack([turned[:-1][joined], turned[1:][joined]], axis=1)


def _areas(shape: BaseGeometry) -> NDArray[np.object_]:
    parts = shapely.get_parts(shape)
    return parts[[part.area > 0 for part in parts]]


def _least(points: Numbers, edges: Numbers, *, forward: bool) -> float:
    """The least distance along the way from points to edges, or from edges to points; infinite when none face."""
    if not len(points) or not len(edges):
        return float("inf")
    (x0, y0), (x1, y1) = edges[:, 0].T, edges[:, 1].T
    x, y = points[:, :1], points[:, 1:]
    faces = (np.minimum(x0, x1) <= x) & (x <= np.maximum(x0, x1))
    width = np.where(x1 == x0, 1.0, x1 - x0)
    at: Numbers = y0 + (y1 - y0) * np.clip((x - x0) / width, 0.0, 1.0)
    at = np.where(x1 == x0, np.minimum(y0, y1) if forward else np.maximum(y0, y1), at)
    gap: Numbers = at - y if forward else y - at
    return float(np.where(faces, gap, np.inf).min())


def closing(name: str, shape: BaseGeometry, other: BaseGeometry, bite: float, reason: str) -> Move | None:
    """The shortest shift that brings a shape to another one, and `bite` further; None where they already meet."""
    (x0, y0), (x1, y1) = ((p.x, p.y) for p in nearest_points(shape, other))
    length = float(np.hypot(x1 - x0, y1 - y0))
    if length == 0.0:
        return None
    grow = (length + bite) / length
    return Move.shift(name, float(x1 - x0) * grow, float(y1 - y0) * grow, reason)
