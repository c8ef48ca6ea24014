"""The distance that a shape can travel along an axis until it touches another one, or comes within a clearance of it.

Exact, in closed form, over vertices and edges of both: the two first come within a distance d where a vertex of one
reaches an edge of the other, shifted outwards by d, or a vertex's circle of radius d. Round ends (ports) add their
radius to d, so that circles are as exact as boxes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds, Port
from redraft.studios.board.solve.constraints import Axis

Numbers = NDArray[np.float64]

MAX_ROWS = 512
"""Vertices taken at once against all edges of the other: bounds the memory that two large parts need."""


@dataclass(frozen=True)
class Outline:
    """The outline of a shape: vertices (n, 2), edges (m, 2, 2), and the radius by which each is grown."""

    points: Numbers
    edges: Numbers
    point_radii: Numbers
    edge_radii: Numbers
    upright: bool = False
    """True if it is the outline of its box."""

    @classmethod
    def of(cls, shape: BaseGeometry) -> Outline:
        """Return the outer outlines of a shape's areas; of one without area, its lines and points."""
        if isinstance(shape, Polygon) and len(shape.exterior.coords) == 5 and shape.area:
            x, y = shapely.get_coordinates(shape.exterior).T.tolist()
            if len(set(x)) == 2 and len(set(y)) == 2:  # its box, to the last bit
                x0, y0, x1, y1 = shape.bounds
                return cls.of_box((x0, y0, x1, y1))
        parts = shapely.get_parts(shape)
        areas = parts[[part.area > 0 for part in parts]]
        return cls._grown(areas if len(areas) else parts, np.zeros(len(areas) or len(parts)))

    @classmethod
    def of_box(cls, box: Bounds) -> Outline:
        """Return a box's four edges."""
        x0, y0, x1, y1 = box
        points = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
        edges = np.stack([points, np.roll(points, -1, axis=0)], axis=1)
        return cls(points, edges, np.zeros(4), np.zeros(4), upright=True)

    @classmethod
    def of_ports(cls, ports: Iterable[Port]) -> Outline:
        """Return the outline of ports together."""
        every = tuple(ports)
        return cls._grown(np.array([p.core for p in every], dtype=object), np.array([p.radius for p in every]))

    @classmethod
    def _grown(cls, shapes: NDArray[np.object_], radii: Numbers) -> Outline:
        lines = [shape.exterior if isinstance(shape, Polygon) else shape for shape in shapes]
        points, index = shapely.get_coordinates(lines, return_index=True)
        joined = index[1:] == index[:-1]
        edges = np.stack([points[:-1][joined], points[1:][joined]], axis=1)
        return cls(points, edges, radii[index], radii[index[:-1][joined]])

    @cached_property
    def box(self) -> Numbers:
        """The box around it, radii included."""
        grown = self.point_radii[:, None]
        return np.concatenate([(self.points - grown).min(axis=0), (self.points + grown).max(axis=0)])

    def shifted(self, dx: float, dy: float) -> Outline:
        """Return the outline elsewhere."""
        shift = np.array([dx, dy])
        return Outline(self.points + shift, self.edges + shift, self.point_radii, self.edge_radii, self.upright)

    def towards(self, axis: Axis, sign: int) -> Outline:
        """Return the outline along a direction of travel: each point as (place across, place along the direction)."""
        turn = np.array([[0.0, sign], [1.0, 0.0]] if axis == 0 else [[1.0, 0.0], [0.0, sign]])
        return Outline(self.points @ turn, self.edges @ turn, self.point_radii, self.edge_radii)

    def before(self, limit: float) -> Outline:
        """Return the outline without the parts that lie, along the direction, beyond a limit."""
        near = self.points[:, 1] - self.point_radii <= limit
        on = self.edges[:, :, 1].min(axis=1) - self.edge_radii <= limit
        return Outline(self.points[near], self.edges[on], self.point_radii[near], self.edge_radii[on])

    def mirrored(self) -> Outline:
        """Return the outline seen against the direction."""
        flip = np.array([1.0, -1.0])
        return Outline(self.points * flip, self.edges * flip, self.point_radii, self.edge_radii)


def travel(
    shape: BaseGeometry | Outline, other: BaseGeometry | Outline, axis: Axis, sign: int, clearance: float = 0.0
) -> float | None:
    """Return the signed shift along an axis that brings a shape from afar to another one, up to a clear distance.

    Both are taken as their outlines. None when the two pass each other.
    """
    mine, theirs = (s if isinstance(s, Outline) else Outline.of(s) for s in (shape, other))
    if mine.upright and theirs.upright:
        a, b, across = mine.box, theirs.box, 1 - axis
        if max(a[across], b[across]) < min(a[across + 2], b[across + 2]):  # their faces lie before each other
            return float(b[axis] - a[axis + 2] if sign > 0 else b[axis + 2] - a[axis]) - sign * clearance
    mine, theirs = mine.towards(axis, sign), theirs.towards(axis, sign)
    least = _until_vertices(mine, theirs, clearance)
    mine, theirs = _facing(mine, theirs, clearance, least)
    least = min(
        least,
        _until_edges(mine, theirs, clearance),
        _until_edges(theirs.mirrored(), mine.mirrored(), clearance),
    )
    return sign * least if np.isfinite(least) else None


def _facing(mine: Outline, theirs: Outline, clearance: float, least: float) -> tuple[Outline, Outline]:
    """Return the parts of both that can meet before they have traveled so far."""
    if not np.isfinite(least) or not len(mine.points) or not len(theirs.points):
        return mine, theirs
    front = float((mine.points[:, 1] + mine.point_radii).max())
    back = float((theirs.points[:, 1] - theirs.point_radii).min())
    # A hair is added, so that rounding leaves out nothing.
    reach = least + clearance + 1e-9 * (1.0 + abs(front) + abs(back))
    return mine.mirrored().before(reach - back).mirrored(), theirs.before(reach + front)


def _until_vertices(mine: Outline, theirs: Outline, clearance: float) -> float:
    """Return the least way until a vertex comes within the distance of a vertex; infinite when none does."""
    least = np.inf
    for start in range(0, len(mine.points), MAX_ROWS):
        rows = slice(start, start + MAX_ROWS)
        reach = clearance + mine.point_radii[rows, None] + theirs.point_radii[None, :]
        across = theirs.points[None, :, 0] - mine.points[rows, None, 0]
        rest = reach * reach - across * across
        if len(theirs.points) and (rest >= 0.0).any():
            along = theirs.points[None, :, 1] - mine.points[rows, None, 1]
            gap = along - np.sqrt(np.maximum(rest, 0.0))
            least = min(least, float(gap[rest >= 0.0].min()))
    return float(least)


def _until_edges(points: Outline, edges: Outline, clearance: float) -> float:
    """Return the least way until a vertex comes within the distance of the inside of an edge ahead of it."""
    run = edges.edges[:, 1] - edges.edges[:, 0]
    leans = run[:, 0] != 0.0  # an edge along the direction is met at its end
    run, start, radii = run[leans], edges.edges[leans, 0], edges.edge_radii[leans]
    if not len(run) or not len(points.points):
        return np.inf
    length = np.hypot(run[:, 0], run[:, 1])
    normal = np.stack([run[:, 1], -run[:, 0]], axis=1) / length[:, None]
    normal *= np.where(normal[:, 1] > 0, -1.0, 1.0)[:, None]  # the side that faces what comes
    least = np.inf
    for first in range(0, len(points.points), MAX_ROWS):
        rows = slice(first, first + MAX_ROWS)
        reach = clearance + points.point_radii[rows, None] + radii[None, :]
        offset = points.points[rows, None, 0] - start[None, :, 0] - reach * normal[None, :, 0]
        share = offset / run[None, :, 0]
        faces = (share >= 0.0) & (share <= 1.0)
        if faces.any():
            at = start[None, :, 1] + reach * normal[None, :, 1] + share * run[None, :, 1]
            least = min(least, float((at - points.points[rows, None, 1])[faces].min()))
    return float(least)
