"""Support: what is under each top-level thing, and how far it would fall.

Rays go down from its lowest points and up from the highest points of what lies beneath, so that a large thing over a
small one is found as well as a small one over a large one; then the place with the least room is looked for more
finely.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

import numpy as np

from redraft.studios.scene.inside.viewer.contact import Body, Touch
from redraft.studios.scene.inside.viewer.facts import length
from redraft.studios.scene.inside.viewer.raster import Array

CELLS = 10
"""Rays of a thing: one for each cell of a grid of so many by so many."""
ROUNDS = 6
"""Halvings of the finer search."""


@dataclass(frozen=True)
class Fall:
    """How a thing would fall: onto what, and how far; onto nothing with None."""

    name: str
    on: str
    drop: float | None


def rests_of(bodies: list[Body], touches: list[Touch]) -> list[dict[str, Any]]:
    """`SceneFacts.rests`."""
    boxes = np.array([body.box for body in bodies]) if bodies else np.zeros((0, 2, 3))
    pairs = {(touch.a, touch.b): touch for touch in touches}
    falls = [_fall(index, bodies, boxes, pairs) for index in range(len(bodies))]
    for _ in range(ROUNDS):
        wrong = _in_circles(bodies, falls)
        for index in wrong:
            falls[index] = _fall(index, bodies, boxes, pairs, _carried(falls[index].name, falls))
        if not wrong:
            break
    return rest_facts(falls, touches)


def _in_circles(bodies: list[Body], falls: list[Fall]) -> list[int]:
    """Of things that would each land on the next in a circle, the one that would fall farthest, or is largest.

    A room would land with its ceiling on the table that stands in it; but the table falls along with the room.
    """
    numbers = {fall.name: index for index, fall in enumerate(falls)}
    found: set[int] = set()
    for start in range(len(falls)):
        path: list[int] = []
        index: int | None = start
        while index is not None and index not in path:
            path.append(index)
            index = numbers.get(falls[index].on)
        if index is not None:
            circle = path[path.index(index) :]
            found.add(
                max(circle, key=lambda each: (falls[each].drop or 0.0, bodies[each].size, -bodies[each].box[0, 2]))
            )
    return sorted(found)


def _carried(name: str, falls: list[Fall]) -> set[str]:
    """All that stands on a thing or above it, or on what does."""
    resting: dict[str, list[str]] = {}
    for fall in falls:
        resting.setdefault(fall.on, []).append(fall.name)
    found: set[str] = set()
    waiting = list(resting.get(name, ()))
    while waiting:
        each = waiting.pop()
        if each != name and each not in found:
            found.add(each)
            waiting += resting.get(each, ())
    return found


def rest_facts(falls: list[Fall], touches: list[Touch]) -> list[dict[str, Any]]:
    """With what holds each besides: all that it touches, but for what stands on it."""
    meeting: dict[str, set[str]] = {}
    for touch in touches:
        if touch.meets:
            meeting.setdefault(touch.a, set()).add(touch.b)
            meeting.setdefault(touch.b, set()).add(touch.a)
    standing = {(fall.name, fall.on) for fall in falls if fall.drop == 0.0}
    return [
        {
            "name": fall.name,
            "on": fall.on,
            "drop": fall.drop,
            "held": sorted(
                other
                for other in meeting.get(fall.name, ())
                if (other, fall.name) not in standing and (fall.name, other) not in standing
            ),
        }
        for fall in falls
    ]


def _fall(
    index: int, bodies: list[Body], boxes: Array, pairs: dict[tuple[str, str], Touch], without: Container[str] = ()
) -> Fall:
    body, best, on = bodies[index], float("inf"), ""
    for other in _beneath(index, boxes):
        if bodies[other].name in without or boxes[index, 0, 2] - boxes[other, 1, 2] >= best:
            continue
        touch = pairs.get(_pair(body.name, bodies[other].name))
        drop = _drop(body, bodies[other], _start(body, bodies[other], touch), best)
        if touch is not None and touch.meets and drop <= body.tolerance * 4:
            drop = 0.0  # they touch there: what is left is the coarseness of the rays
        drop = 0.0 if drop <= body.tolerance else drop
        if drop < best:
            best, on = drop, bodies[other].name
        if best == 0.0:
            break
    return Fall(body.name, on, length(best) if on else None)


def _start(body: Body, other: Body, touch: Touch | None) -> float:
    """How far within the thing rays begin: where it reaches into another, what carries it may be up to the middle of
    the part that does; a tree on the ground does not make the ground thicker."""
    if touch is None or touch.depth <= 0:
        return body.tolerance
    low, high = other.box
    parts = [each.box for each in body.surfaces if (each.box[0] <= high).all() and (each.box[1] >= low).all()]
    tallest = max((float(box[1, 2] - box[0, 2]) for box in parts), default=0.0)
    return max(touch.depth + body.tolerance, tallest / 2)


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _beneath(index: int, boxes: Array) -> list[int]:
    """What may lie under a thing: the boxes that share some of its plan and begin lower, nearest top first."""
    box = boxes[index]
    shared = ((boxes[:, 0, :2] < box[1, :2]) & (boxes[:, 1, :2] > box[0, :2])).all(axis=1)
    lower = boxes[:, 0, 2] < box[1, 2]
    found = [int(other) for other in np.flatnonzero(shared & lower) if other != index]
    return sorted(found, key=lambda other: (abs(float(box[0, 2] - boxes[other, 1, 2])), other))


def _drop(body: Body, other: Body, start: float, best: float) -> float:
    """The least clear height between a body and another beneath it; rays begin `start` within."""
    plan = np.array([np.maximum(body.box[0, :2], other.box[0, :2]), np.minimum(body.box[1, :2], other.box[1, :2])])
    found, place = best, None
    within = np.array([0.0, 0.0, start])
    for point in _extreme(body.bottoms, plan, lowest=True):
        away = other.meets(point + within, up=False, limit=found + start)
        if away is not None and away - start < found:
            found, place = max(away - start, 0.0), point[:2]
    for point in _extreme(other.tops, plan, lowest=False):
        away = body.meets(point - within, up=True, limit=found + start)
        if away is not None and away - start < found:
            found, place = max(away - start, 0.0), point[:2]
    if place is None or found <= body.tolerance:
        return found
    return _finer(body, other, start, place, found, float((plan[1] - plan[0]).max()) / CELLS)


def _extreme(points: Array, plan: Array, lowest: bool) -> Array:
    """Of points in a plan, the lowest or the highest in each cell of a grid over it."""
    inside = points[((points[:, :2] >= plan[0]) & (points[:, :2] <= plan[1])).all(axis=1)]
    if not len(inside):
        return inside
    side = np.maximum(plan[1] - plan[0], 1e-9)
    cells = np.minimum(((inside[:, :2] - plan[0]) / side * CELLS).astype(int), CELLS - 1)
    order = np.lexsort((inside[:, 2] if lowest else -inside[:, 2], cells[:, 1], cells[:, 0]))
    keys = cells[order, 0] * CELLS + cells[order, 1]
    return inside[order][np.unique(keys, return_index=True)[1]]


def _finer(body: Body, other: Body, start: float, place: Array, found: float, step: float) -> float:
    """Look around a place for one with less room."""
    around = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y], float)
    for _ in range(ROUNDS):
        tries = [(_room(body, other, start, place + offset * step), tuple(place + offset * step)) for offset in around]
        room, at = min(tries)
        if room < found:
            found, place = room, np.array(at)
        else:
            step /= 2
    return max(found, 0.0)


def _room(body: Body, other: Body, start: float, place: Array) -> float:
    """Clear height at one place of the plan; infinite where one of the two is missing."""
    below = float(body.box[0, 2]) - 1.0
    up = body.meets([*place, below], up=True)
    if up is None:
        return float("inf")
    away = other.meets([*place, below + up + start], up=False)
    return float("inf") if away is None else away - start
