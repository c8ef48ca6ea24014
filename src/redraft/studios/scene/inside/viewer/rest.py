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
"""Side of the grid over a thing: there is one ray for each cell."""
ROUNDS = 6
"""Halvings of the finer search."""


@dataclass(frozen=True)
class Fall:
    """How a thing would fall: onto what, and how far; onto nothing with None."""

    name: str
    on: str
    drop: float | None


def rests_of(bodies: list[Body], touches: list[Touch]) -> list[dict[str, Any]]:
    """Return `SceneFacts.rests`."""
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
    """Return the one of each circle of things that land on each other that would fall farthest, or is largest.

    A room would land with its ceiling on the table that stands in it; but the table falls along with the room.
    """
    numbers = {fall.name: index for index, fall in enumerate(falls)}
    farthest: set[int] = set()
    for start in range(len(falls)):
        path: list[int] = []
        index: int | None = start
        while index is not None and index not in path:
            path.append(index)
            index = numbers.get(falls[index].on)
        if index is not None:
            circle = path[path.index(index) :]
            farthest.add(
                max(circle, key=lambda each: (falls[each].drop or 0.0, bodies[each].size, -bodies[each].box[0, 2]))
            )
    return sorted(farthest)


def _carried(name: str, falls: list[Fall]) -> set[str]:
    """Return all that stands on a thing or above it: that falls along with it."""
    resting: dict[str, list[str]] = {}
    for fall in falls:
        resting.setdefault(fall.on, []).append(fall.name)
    carried: set[str] = set()
    waiting = list(resting.get(name, ()))
    while waiting:
        each = waiting.pop()
        if each != name and each not in carried:
            carried.add(each)
            waiting += resting.get(each, ())
    return carried


def rest_facts(falls: list[Fall], touches: list[Touch]) -> list[dict[str, Any]]:
    """Return falls with what holds each thing besides: all that it touches, but for what stands on it."""
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
    box = boxes[index]
    shared = ((boxes[:, 0, :2] < box[1, :2]) & (boxes[:, 1, :2] > box[0, :2])).all(axis=1)
    beneath = [int(other) for other in np.flatnonzero(shared & (boxes[:, 0, 2] < box[1, 2])) if other != index]
    for other in sorted(beneath, key=lambda each: (abs(float(box[0, 2] - boxes[each, 1, 2])), each)):
        if bodies[other].name in without or box[0, 2] - boxes[other, 1, 2] >= best:
            continue
        one, two = sorted((body.name, bodies[other].name))
        touch = pairs.get((one, two))
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
    """Return how far within the thing rays begin.

    Where it reaches into another, what carries it may be up to the middle of the part that does; a tree on the ground
    does not make the ground thicker.
    """
    if touch is None or touch.depth <= 0:
        return body.tolerance
    low, high = other.box
    parts = [each.box for each in body.surfaces if (each.box[0] <= high).all() and (each.box[1] >= low).all()]
    tallest = max((float(box[1, 2] - box[0, 2]) for box in parts), default=0.0)
    return max(touch.depth + body.tolerance, tallest / 2)


def _drop(body: Body, other: Body, start: float, best: float) -> float:
    """Return the least clear height between a body and another beneath it; rays begin `start` within."""
    plan = np.array([np.maximum(body.box[0, :2], other.box[0, :2]), np.minimum(body.box[1, :2], other.box[1, :2])])
    least, place = best, None
    within = np.array([0.0, 0.0, start])
    for point in _extreme(body.bottoms, plan, lowest=True):
        away = other.meets(point + within, up=False, limit=least + start)
        if away is not None and away - start < least:
            least, place = max(away - start, 0.0), point[:2]
    for point in _extreme(other.tops, plan, lowest=False):
        away = body.meets(point - within, up=True, limit=least + start)
        if away is not None and away - start < least:
            least, place = max(away - start, 0.0), point[:2]
    if place is None or least <= body.tolerance:
        return least

    # Around that place, in ever smaller steps, for one with less room
    step = float((plan[1] - plan[0]).max()) / CELLS
    around = np.array([[x, y] for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y], float)
    below = float(body.box[0, 2]) - 1.0
    for _ in range(ROUNDS):
        tries: list[tuple[float, tuple[float, float]]] = []
        for x, y in place + around * step:
            up = body.meets([x, y, below], up=True)
            away = other.meets([x, y, below + up + start], up=False) if up is not None else None
            tries.append((float("inf") if away is None else away - start, (x, y)))
        room, at = min(tries)
        if room < least:
            least, place = room, np.array(at)
        else:
            step /= 2
    return max(least, 0.0)


def _extreme(points: Array, plan: Array, lowest: bool) -> Array:
    """Return the lowest or the highest of points in a plan, in each cell of a grid over it."""
    inside = points[((points[:, :2] >= plan[0]) & (points[:, :2] <= plan[1])).all(axis=1)]
    if not len(inside):
        return inside
    side = np.maximum(plan[1] - plan[0], 1e-9)
    cells = np.minimum(((inside[:, :2] - plan[0]) / side * CELLS).astype(int), CELLS - 1)
    order = np.lexsort((inside[:, 2] if lowest else -inside[:, 2], cells[:, 1], cells[:, 0]))
    keys = cells[order, 0] * CELLS + cells[order, 1]
    return inside[order][np.unique(keys, return_index=True)[1]]
