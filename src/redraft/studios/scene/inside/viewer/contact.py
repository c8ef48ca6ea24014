"""Contact of top-level things: their clear distance, and how deep one reaches into the other.

A body is a top-level object with all its parts. Its surfaces are kept one for each part, as only a single closed
surface has an inside; triangles of closed surfaces are turned so that they face outwards.

A point within a closed surface is as deep as the surface is away from it. An open surface (a plane, a cloth) has no
inside: where something crosses it, the depth is how far that reaches on the side where it reaches less far. Mere
touching has no depth: what is less than the tolerance of the smaller thing (0.5 mm, or 0.2 % of its size) is 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from redraft.studios.scene.inside.viewer.facts import length
from redraft.studios.scene.inside.viewer.raster import Array
from redraft.studios.scene.inside.viewer.shapes import Shape, crosses, root_of

SPREAD = 300
"""Points that are spread over one surface."""
LEVEL = 0.1
"""Share of a face's normal that must be upward for the face to carry something."""
RAYS = (Vector((0.3717, 0.2841, 0.8838)).normalized(), Vector((-0.6311, 0.5127, 0.5823)).normalized())
"""Directions that no face of a usual scene is parallel to."""
MAX_HITS = 64
"""Faces that one ray is followed through."""
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
        """Return its corners and spread points where it looks up, or down; an open surface looks both ways."""
        normals = crosses(self.points, self.triangles)
        slopes = normals[:, 2] / np.maximum(np.linalg.norm(normals, axis=1), 1e-30) * (1 if up else -1)
        if not self.closed:
            slopes = np.abs(slopes)
        best = np.full(len(self.points), -1.0)
        np.maximum.at(best, self.triangles.reshape(-1), np.repeat(slopes, 3))
        chosen = _chosen(self.points, self.triangles, SPREAD)
        return np.concatenate([self.spread[slopes[chosen] > LEVEL], self.points[best > LEVEL]])

    def near(self, box: Array, reach: float, most: int) -> Array:
        """Return its corners and spread points in a box and up to `reach` beyond; at most `most`, the nearest."""
        points = np.concatenate([self.points, self.spread])
        points = points[((points >= box[0] - reach) & (points <= box[1] + reach)).all(axis=1)]
        if len(points) <= most:
            return points
        away = np.maximum(np.maximum(box[0] - points, points - box[1]), 0).sum(axis=1)
        ranks = np.argsort(away, kind="stable")
        within = int((away == 0).sum())
        return points[ranks[:most] if within <= most else ranks[np.linspace(0, within - 1, most).astype(int)]]

    def inside(self, point: Point) -> bool:
        """Whether a point lies within a closed surface: a ray from it leaves the surface more often than it enters."""
        if not self.closed:
            return False
        for ray in RAYS:
            winding, start = 0, Vector(point)
            for _ in range(MAX_HITS):
                hit, normal, _, _ = self.tree.ray_cast(start, ray)
                if hit is None:
                    break
                winding += 1 if normal.dot(ray) > 0 else -1
                start = hit + ray * (1e-5 + 1e-6 * hit.length)
            if winding == 0:
                return False
        return True


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
        """What counts as touching, in meters."""
        return max(0.0005, 0.002 * self.size)

    def meets(self, start: Point, up: bool, limit: float = float("inf")) -> float | None:
        """Return how far from a point a face lies, straight up or down, that is met from its outside."""
        nearest = None
        for each in self.surfaces:
            away = _first_face(each, start, up, limit if nearest is None else min(limit, nearest))
            if away is not None and (nearest is None or away < nearest):
                nearest = away
        return nearest


def _first_face(surface: Surface, start: Point, up: bool, limit: float) -> float | None:
    """Return how far the first face is that a ray straight up or down meets from outside."""
    low, high = surface.box
    x, y, z = (float(number) for number in start)
    if not (low[0] <= x <= high[0] and low[1] <= y <= high[1]) or (z > high[2] if up else z < low[2]):
        return None
    ray = Vector((0.0, 0.0, 1.0 if up else -1.0))
    place, gone = Vector((x, y, z)), 0.0
    for _ in range(MAX_HITS):
        hit, normal, _, away = surface.tree.ray_cast(place, ray)
        if hit is None or gone + away > limit:
            return None
        if not surface.closed or normal.dot(ray) < 0:
            return float(gone + away)
        step = 1e-5 + 1e-6 * hit.length
        place, gone = hit + ray * step, gone + away + step
    return None


def bodies_of(shapes: Iterable[Shape]) -> list[Body]:
    """Return the top-level things that a render shows and that have faces, by name."""
    groups: dict[str, list[Surface]] = {}
    for shape in shapes:
        if not shape.hidden and len(shape.triangles):
            groups.setdefault(str(root_of(shape.thing).name), []).append(Surface.of(shape))
    return [Body(name, groups[name]) for name in sorted(groups)]


def spread(points: Array, triangles: Array, count: int) -> Array:
    """Return points spread over triangles by their area, always the same ones: a low-discrepancy sequence."""
    chosen = _chosen(points, triangles, count)
    corners = points[triangles]
    order = np.arange(len(chosen))
    first, second = (order * 0.754877666 + 0.5) % 1, (order * 0.569840291 + 0.5) % 1
    over = first + second > 1
    first, second = np.where(over, 1 - first, first), np.where(over, 1 - second, second)
    one, two, three = (corners[chosen, index] for index in range(3))
    return np.asarray(one + first[:, None] * (two - one) + second[:, None] * (three - one))


def _chosen(points: Array, triangles: Array, count: int) -> Array:
    """Return the triangle of each spread point; nothing without an area."""
    total: Array = np.cumsum(np.linalg.norm(crosses(points, triangles), axis=1))
    if not len(total) or total[-1] <= 0:
        return np.zeros(0, np.int64)
    steps = (np.arange(count) + 0.5) / count * total[-1]
    numbers: Array = np.empty(count, np.int64)
    numbers[:] = np.digitize(steps, total)
    return np.minimum(numbers, len(triangles) - 1)


PROBES = 200
"""Points of one surface that are tried against another."""
NEAR = 64
"""Points of one surface that its distance from another is measured from."""
MAX_PAIRS = 2_000
"""Pairs of things that are measured, the nearest first."""
STEEP = 0.8
"""Cosine of the angle to a face's normal beyond which a point lies off the edge of an open surface."""


@dataclass
class Touch:
    """Two bodies that are near each other."""

    a: str
    b: str
    gap: float
    depth: float = 0.0
    share: float = 0.0
    tolerance: float = 0.0005

    @property
    def meets(self) -> bool:
        """They touch, or reach into each other."""
        return self.gap <= self.tolerance or self.depth > 0


@dataclass
class _Meeting:
    """Two surfaces near each other; `within` marks the first one's spread points that lie in the second."""

    gap: float
    depth: float = 0.0
    within: Array = field(default_factory=lambda: np.zeros(0, bool))


def near_pairs(boxes: Array, reach: float) -> list[tuple[int, int]]:
    """Return pairs (first < second) of boxes (n × 2 × 3) that are at most `reach` apart, the nearest first."""
    count = len(boxes)
    pairs: list[tuple[float, int, int]] = []
    for first in range(count - 1):
        rest = boxes[first + 1 :]
        apart = np.maximum(np.maximum(boxes[first, 0] - rest[:, 1], rest[:, 0] - boxes[first, 1]), 0)
        away = np.linalg.norm(apart, axis=1)
        pairs += [(float(away[index]), first, first + 1 + int(index)) for index in np.flatnonzero(away <= reach)]
    return [(first, second) for _, first, second in sorted(pairs)[:MAX_PAIRS]]


def touches_of(bodies: list[Body], reach: float) -> list[Touch]:
    """Return all pairs of bodies at most `reach` apart, by name."""
    if len(bodies) < 2:
        return []
    touches: list[Touch] = []
    for first, second in near_pairs(np.array([body.box for body in bodies]), reach):
        small, large = sorted((bodies[first], bodies[second]), key=lambda body: (body.size, body.name))
        gap, depth, within, count = float("inf"), 0.0, 0, 0
        for surface in small.surfaces:
            inside, limit = np.zeros(len(surface.spread), bool), min(reach, gap)
            for other in large.surfaces:
                apart = np.maximum(np.maximum(surface.box[0] - other.box[1], other.box[0] - surface.box[1]), 0)
                if np.linalg.norm(apart) <= limit:
                    meeting = _meeting(surface, other, limit, small.tolerance)
                    gap, depth = min(gap, meeting.gap), max(depth, meeting.depth)
                    inside |= meeting.within
            within, count = within + int(inside.sum()), count + len(inside)
        if gap <= reach:
            share = within / max(count, 1) if depth > 0 else 0.0
            a, b = sorted((small.name, large.name))
            touches.append(Touch(a, b, gap, depth, share, small.tolerance))
    return sorted(touches, key=lambda touch: (touch.a, touch.b))


def touch_facts(touch: Touch) -> dict[str, Any]:
    """Return one entry of `SceneFacts.contacts`."""
    gap = 0.0 if touch.depth > 0 else length(touch.gap)
    return {"a": touch.a, "b": touch.b, "gap": gap, "depth": length(touch.depth), "share": round(touch.share, 4)}


def _meeting(first: Surface, second: Surface, reach: float, tolerance: float) -> _Meeting:
    boxes_meet = bool((first.box[0] <= second.box[1]).all() and (second.box[0] <= first.box[1]).all())
    crossing = boxes_meet and bool(first.tree.overlap(second.tree))
    depth = 0.0
    for one, other in ((first, second), (second, first)):
        for point in one.near(other.box, 0.0, PROBES) if other.closed else ():
            depth = max(depth, _depth(other, point, max(depth, tolerance)))

    within = np.zeros(len(first.spread), bool)
    if second.closed:
        in_box = ((first.spread > second.box[0]) & (first.spread < second.box[1])).all(axis=1)
        for index in np.flatnonzero(in_box):
            within[index] = _depth(second, first.spread[index], tolerance) > 0
    elif crossing:
        beyond, within = _across(first, second, tolerance)
        depth = max(depth, beyond)
    if crossing or depth > 0:
        return _Meeting(0.0, depth, within)
    return _Meeting(_gap(first, second, reach), 0.0, within)


def _depth(surface: Surface, point: Any, least: float) -> float:
    """Return how deep a point lies within a closed surface; 0 outside, and where it is less than `least`."""
    place = Vector(point)
    away = surface.tree.find_nearest(place)[3]
    return float(away) if away is not None and away > least and surface.inside(place) else 0.0


def _across(first: Surface, second: Surface, tolerance: float) -> tuple[float, Array]:
    """Return how far a surface reaches through an open one, and which of its spread points are on the lesser side."""
    sides: list[float] = []  # distances from the open surface, signed by the side; 0 for what lies off its edge
    for point in np.concatenate([first.spread, first.points[:PROBES]]):
        place = Vector(point)
        hit, normal, _, away = second.tree.find_nearest(place)
        height = float((place - hit).dot(normal)) if hit is not None and away >= 1e-9 else 0.0
        sides.append(height if hit is not None and abs(height) >= STEEP * away else 0.0)
    heights = np.array(sides)
    above, below = float(heights.max(initial=0.0)), float(-heights.min(initial=0.0))
    depth = min(above, below)
    if depth <= tolerance:
        return 0.0, np.zeros(len(first.spread), bool)
    own = heights[: len(first.spread)]
    return depth, np.asarray(own < -tolerance if below <= above else own > tolerance)


def _gap(first: Surface, second: Surface, reach: float) -> float:
    """Return the clear distance, infinite beyond `reach`."""
    pairs = ((first, second), (second, first))
    tries = [_nearest(one, other, one.near(other.box, reach, NEAR), reach) for one, other in pairs]
    best, place = min(tries, key=lambda each: each[0])

    # Then from the corners of both that are around the nearest point
    for _ in range(3):
        if place is None:
            return best
        tries.clear()
        for one, other in pairs:
            points = one.points
            if len(points) > NEAR:
                points = points[np.argpartition(np.linalg.norm(points - place, axis=1), NEAR)[:NEAR]]
            tries.append(_nearest(one, other, points, best))
        closer, place = min(tries, key=lambda each: each[0])
        if closer >= best - 1e-6:
            break
        best = closer
    return best


def _nearest(one: Surface, other: Surface, points: Array, reach: float) -> tuple[float, Array | None]:
    """Return the least distance of points of one surface from another, and from where."""
    best, place = float("inf"), None
    for point in points:
        hit, _, _, away = other.tree.find_nearest(Vector(point), min(best, reach) + 1e-6)
        if hit is not None and away < best:
            best, place = float(away), point
    return best, place
