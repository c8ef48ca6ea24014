"""Top-level things as solid bodies: what may be asked of their surfaces, for contacts and rests.

A body is a top-level object with all its parts. Its surfaces are kept one for each part, as only a single closed
surface has an inside; triangles of closed surfaces are turned so that they face outwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from redraft.studios.scene.inside.viewer_arrays import Array
from redraft.studios.scene.inside.viewer_mesh import crosses
from redraft.studios.scene.inside.viewer_shapes import Shape, root_of

__all__ = ["Body", "Surface", "bodies_of", "spread"]

SPREAD = 300
"""Points that are spread over one surface."""
LEVEL = 0.1
"""Of a face's normal, how much must be upward for the face to carry something."""
RAY = (Vector((0.3717, 0.2841, 0.8838)).normalized(), Vector((-0.6311, 0.5127, 0.5823)).normalized())
MOST_HITS = 64
Point = Any


@dataclass
class Surface:
    """One object's surface."""

    name: str
    points: Array
    triangles: Array
    closed: bool

    @classmethod
    def of(cls, shape: Shape) -> Surface:
        closed = shape.closed and len(shape.rough_triangles) > 0
        return cls(shape.name, shape.rough_points, shape.rough_triangles, closed)

    @cached_property
    def box(self) -> Array:
        return np.array([self.points.min(0), self.points.max(0)])

    @cached_property
    def tree(self) -> Any:
        return BVHTree.FromPolygons(self.points.tolist(), self.triangles.tolist(), all_triangles=True)

    @cached_property
    def spread(self) -> Array:
        """Points spread evenly over the surface, always the same ones."""
        return spread(self.points, self.triangles, SPREAD)

    def facing(self, up: bool) -> Array:
        """Its corners and spread points where it looks up, or down; an open surface looks both ways."""
        slopes = _slopes(self.points, self.triangles) * (1 if up else -1)
        if not self.closed:
            slopes = np.abs(slopes)
        best = np.full(len(self.points), -1.0)
        np.maximum.at(best, self.triangles.reshape(-1), np.repeat(slopes, 3))
        chosen = _chosen(self.points, self.triangles, SPREAD)
        return np.concatenate([self.spread[slopes[chosen] > LEVEL], self.points[best > LEVEL]])

    def near(self, box: Array, reach: float, most: int) -> Array:
        """Its corners and spread points in a box and up to `reach` beyond; at most `most` of them, the nearest."""
        found = np.concatenate([self.points, self.spread])
        inside = ((found >= box[0] - reach) & (found <= box[1] + reach)).all(axis=1)
        found = found[inside]
        if len(found) > most:
            away = np.maximum(np.maximum(box[0] - found, found - box[1]), 0).sum(axis=1)
            ranks = np.argsort(away, kind="stable")
            sure = int((away == 0).sum())
            chosen = ranks[:most] if sure <= most else ranks[np.linspace(0, sure - 1, most).astype(int)]
            found = found[chosen]
        return found

    def inside(self, point: Point) -> bool:
        """Whether a point lies within a closed surface: a ray from it leaves the surface more often than it enters."""
        return self.closed and all(self._winding(point, ray) != 0 for ray in RAY)

    def _winding(self, point: Point, ray: Any) -> int:
        winding, start = 0, Vector(point)
        for _ in range(MOST_HITS):
            hit, normal, _, _ = self.tree.ray_cast(start, ray)
            if hit is None:
                break
            winding += 1 if normal.dot(ray) > 0 else -1
            start = hit + ray * (1e-5 + 1e-6 * hit.length)
        return winding


@dataclass
class Body:
    """A top-level thing with all its parts."""

    name: str
    surfaces: list[Surface]

    @cached_property
    def box(self) -> Array:
        return np.array(
            [np.min([each.box[0] for each in self.surfaces], 0), np.max([each.box[1] for each in self.surfaces], 0)]
        )

    @cached_property
    def size(self) -> float:
        return float(np.linalg.norm(self.box[1] - self.box[0]))

    @cached_property
    def tops(self) -> Array:
        """Points where it looks up."""
        return np.concatenate([each.facing(up=True) for each in self.surfaces])

    @cached_property
    def bottoms(self) -> Array:
        """Points where it looks down."""
        return np.concatenate([each.facing(up=False) for each in self.surfaces])

    @property
    def tolerance(self) -> float:
        """What counts as touching, in metres."""
        return max(0.0005, 0.002 * self.size)

    def meets(self, start: Point, up: bool, limit: float = float("inf")) -> float | None:
        """How far from a point a face lies, straight up or down, that is met from its outside."""
        found = None
        for each in self.surfaces:
            away = _first_face(each, start, up, limit if found is None else min(limit, found))
            if away is not None and (found is None or away < found):
                found = away
        return found


def _first_face(surface: Surface, start: Point, up: bool, limit: float) -> float | None:
    low, high = surface.box
    x, y, z = (float(number) for number in start)
    if not (low[0] <= x <= high[0] and low[1] <= y <= high[1]) or (z > high[2] if up else z < low[2]):
        return None
    ray = Vector((0.0, 0.0, 1.0 if up else -1.0))
    place, gone = Vector((x, y, z)), 0.0
    for _ in range(MOST_HITS):
        hit, normal, _, away = surface.tree.ray_cast(place, ray)
        if hit is None or gone + away > limit:
            return None
        if not surface.closed or normal.dot(ray) < 0:
            return float(gone + away)
        step = 1e-5 + 1e-6 * hit.length
        place, gone = hit + ray * step, gone + away + step
    return None


def bodies_of(shapes: Iterable[Shape]) -> list[Body]:
    """The top-level things that a render shows and that have faces, by name."""
    groups: dict[str, list[Surface]] = {}
    for shape in shapes:
        if not shape.hidden and len(shape.triangles):
            groups.setdefault(str(root_of(shape.thing).name), []).append(Surface.of(shape))
    return [Body(name, groups[name]) for name in sorted(groups)]


def spread(points: Array, triangles: Array, count: int) -> Array:
    """Points spread over triangles by their area, always the same ones: a low-discrepancy sequence."""
    chosen = _chosen(points, triangles, count)
    corners = points[triangles]
    order = np.arange(len(chosen))
    first, second = (order * 0.754877666 + 0.5) % 1, (order * 0.569840291 + 0.5) % 1
    over = first + second > 1
    first, second = np.where(over, 1 - first, first), np.where(over, 1 - second, second)
    one, two, three = (corners[chosen, index] for index in range(3))
    return np.asarray(one + first[:, None] * (two - one) + second[:, None] * (three - one))


def _chosen(points: Array, triangles: Array, count: int) -> Array:
    """The triangle of each spread point; nothing where there is no area."""
    total: Array = np.cumsum(np.linalg.norm(crosses(points, triangles), axis=1))
    if not len(total) or total[-1] <= 0:
        return np.zeros(0, np.int64)
    steps = (np.arange(count) + 0.5) / count * total[-1]
    found: Array = np.empty(count, np.int64)
    found[:] = np.digitize(steps, total)
    return np.minimum(found, len(triangles) - 1)


def _slopes(points: Array, triangles: Array) -> Array:
    """How far each triangle looks up: 1 straight up, 0 sideways, −1 straight down."""
    normals = crosses(points, triangles)
    return np.asarray(normals[:, 2] / np.maximum(np.linalg.norm(normals, axis=1), 1e-30))
