"""How top-level things lie to each other: their clear distance, and how deep one reaches into the other.

Depth. A point within a closed surface is as deep as the surface is away from it. An open surface (a plane, a cloth) has
no inside: where something crosses it, the depth is how far that reaches on the side where it reaches less far. Mere
touching is no depth: what is less than the tolerance of the smaller thing (0.5 mm, or 0.2 % of its size) is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from mathutils import Vector

from redraft.studios.scene.inside.measure import length
from redraft.studios.scene.inside.measure_bodies import Body, Surface
from redraft.studios.scene.inside.viewer_arrays import Array

__all__ = ["Touch", "near_pairs", "touch_facts", "touches_of"]

PROBES = 200
"""Points of one surface that are tried against another."""
NEAR = 64
"""Points of one surface that its distance from another is measured from."""
MOST_PAIRS = 2_000
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
    """What two surfaces have to do with each other; `within` marks the first one's spread points in the second."""

    gap: float
    depth: float = 0.0
    within: Array = field(default_factory=lambda: np.zeros(0, bool))


def near_pairs(boxes: Array, reach: float) -> list[tuple[int, int]]:
    """Pairs (first < second) of boxes (n × 2 × 3) that are at most `reach` apart, the nearest first."""
    count = len(boxes)
    found: list[tuple[float, int, int]] = []
    for first in range(count - 1):
        rest = boxes[first + 1 :]
        apart = np.maximum(np.maximum(boxes[first, 0] - rest[:, 1], rest[:, 0] - boxes[first, 1]), 0)
        away = np.linalg.norm(apart, axis=1)
        found += [(float(away[index]), first, first + 1 + int(index)) for index in np.flatnonzero(away <= reach)]
    return [(first, second) for _, first, second in sorted(found)[:MOST_PAIRS]]


def touches_of(bodies: list[Body], reach: float) -> list[Touch]:
    """All pairs of bodies at most `reach` apart, by name."""
    if len(bodies) < 2:
        return []
    pairs = near_pairs(np.array([body.box for body in bodies]), reach)
    found = [_touch(bodies[first], bodies[second], reach) for first, second in pairs]
    return sorted((touch for touch in found if touch is not None), key=lambda touch: (touch.a, touch.b))


def touch_facts(touch: Touch) -> dict[str, Any]:
    """One entry of `SceneFacts.contacts`."""
    gap = 0.0 if touch.depth > 0 else length(touch.gap)
    return {"a": touch.a, "b": touch.b, "gap": gap, "depth": length(touch.depth), "share": round(touch.share, 4)}


def _touch(one: Body, other: Body, reach: float) -> Touch | None:
    small, large = sorted((one, other), key=lambda body: (body.size, body.name))
    gap, depth, within, count = float("inf"), 0.0, 0, 0
    for surface in small.surfaces:
        inside = np.zeros(len(surface.spread), bool)
        for meeting in _meetings(surface, large, min(reach, gap), small.tolerance):
            gap, depth = min(gap, meeting.gap), max(depth, meeting.depth)
            inside |= meeting.within
        within, count = within + int(inside.sum()), count + len(inside)
    if gap > reach:
        return None
    share = within / max(count, 1) if depth > 0 else 0.0
    a, b = sorted((one.name, other.name))
    return Touch(a, b, gap, depth, share, small.tolerance)


def _meetings(surface: Surface, body: Body, reach: float, tolerance: float) -> Iterator[_Meeting]:
    for other in body.surfaces:
        apart = np.maximum(np.maximum(surface.box[0] - other.box[1], other.box[0] - surface.box[1]), 0)
        if np.linalg.norm(apart) <= reach:
            yield _meeting(surface, other, reach, tolerance)


def _meeting(first: Surface, second: Surface, reach: float, tolerance: float) -> _Meeting:
    within = np.zeros(len(first.spread), bool)
    crossing = _boxes_meet(first.box, second.box) and bool(first.tree.overlap(second.tree))
    depth = 0.0
    for one, other in ((first, second), (second, first)):
        for point in one.near(other.box, 0.0, PROBES) if other.closed else ():
            depth = max(depth, _depth(other, point, max(depth, tolerance)))
    if second.closed:
        for index in np.flatnonzero(_in_box(first.spread, second.box)):
            within[index] = _depth(second, first.spread[index], tolerance) > 0
    elif crossing:
        beyond, beyond_share = _across(first, second, tolerance)
        depth = max(depth, beyond)
        within |= beyond_share
    if crossing or depth > 0:
        return _Meeting(0.0, depth, within)
    return _Meeting(_gap(first, second, reach), 0.0, within)


def _boxes_meet(one: Array, other: Array) -> bool:
    return bool((one[0] <= other[1]).all() and (other[0] <= one[1]).all())


def _in_box(points: Array, box: Array) -> Array:
    return np.asarray(((points > box[0]) & (points < box[1])).all(axis=1))


def _depth(surface: Surface, point: Any, least: float) -> float:
    """How deep a point lies within a closed surface; 0 outside, and where it is less than `least`."""
    place = Vector(point)
    away = surface.tree.find_nearest(place)[3]
    return float(away) if away is not None and away > least and surface.inside(place) else 0.0


def _across(first: Surface, second: Surface, tolerance: float) -> tuple[float, Array]:
    """How far a surface reaches through an open one, and which of its spread points are on the lesser side."""
    sides = np.array([_side(second, point) for point in np.concatenate([first.spread, first.points[:PROBES]])])
    above, below = float(sides.max(initial=0.0)), float(-sides.min(initial=0.0))
    depth = min(above, below)
    if depth <= tolerance:
        return 0.0, np.zeros(len(first.spread), bool)
    own = sides[: len(first.spread)]
    return depth, np.asarray(own < -tolerance if below <= above else own > tolerance)


def _side(surface: Surface, point: Any) -> float:
    """Distance from an open surface, signed by the side; 0 for what lies off its edge."""
    place = Vector(point)
    hit, normal, _, away = surface.tree.find_nearest(place)
    if hit is None or away < 1e-9:
        return 0.0
    height = float((place - hit).dot(normal))
    return height if abs(height) >= STEEP * away else 0.0


def _gap(first: Surface, second: Surface, reach: float) -> float:
    """Clear distance, infinite beyond `reach`: from points of both, then from corners around the nearest of them."""
    found = [
        _nearest(*pair, pair[0].near(pair[1].box, reach, NEAR), reach) for pair in ((first, second), (second, first))
    ]
    best, place = min(found, key=lambda each: each[0])
    for _ in range(3):
        if place is None:
            return best
        tries = [_nearest(*pair, _around(pair[0].points, place), best) for pair in ((first, second), (second, first))]
        closer, place = min(tries, key=lambda each: each[0])
        if closer >= best - 1e-6:
            break
        best = closer
    return best


def _nearest(one: Surface, other: Surface, points: Array, reach: float) -> tuple[float, Array | None]:
    """The least distance of points of one surface from another, and from where."""
    best, place = float("inf"), None
    for point in points:
        hit, _, _, away = other.tree.find_nearest(Vector(point), min(best, reach) + 1e-6)
        if hit is not None and away < best:
            best, place = float(away), point
    return best, place


def _around(points: Array, place: Array) -> Array:
    """The corners nearest to a place."""
    away = np.linalg.norm(points - place, axis=1)
    return points[np.argpartition(away, NEAR)[:NEAR]] if len(points) > NEAR else points
