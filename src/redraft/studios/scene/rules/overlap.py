"""Overlap: different things do not reach into each other, and no two are in the same place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from redraft.result import Issue
from redraft.studios.scene.rules.gravity import sunk
from redraft.studios.scene.rules.issues import Situation, found, length
from redraft.studios.scene.space import Body, Space, extent, gap_between, size_of, volume
from redraft.studios.scene.spec import Box, Contact

LEAST_DEPTH, MUCH_DEPTH = 0.1, 0.2
"""Of the smaller one's least side, that it reaches in: a warning, and with `MUCH_SHARE` an error."""
INTO_THIN, THROUGH_THIN = 0.25, 0.4
"""The same of the thinnest part that is met, in which nothing can lie deeper than half its thickness."""
LEAST_SHARE, MUCH_SHARE = 0.005, 0.1
"""Of the smaller one's points that are inside."""
WITHIN = 0.9
"""Of a thing's box: what is within another by so much, is its content or a part of it."""
SAME = 0.01
"""Boxes whose edges differ by this share are in one place."""


def interpenetrating(at: Situation) -> Iterator[Issue]:
    """Pairs that do, the deepest first."""
    sinking = {frozenset((sink.name, sink.into)) for sink in sunk(at.space)}
    for met in sorted(clashes(at.space), key=lambda met: (-met.depth, met.a, met.b)):
        one, other = at.space.bodies[met.a], at.space.bodies[met.b]
        if frozenset((met.a, met.b)) in sinking or not (at.shows(one) and at.shows(other)):
            continue
        inner, outer = sorted((one, other), key=lambda body: (volume(body.box), body.name))
        much = met.depth >= MUCH_DEPTH * _least_side(inner) and met.share >= MUCH_SHARE
        much = much or met.depth >= THROUGH_THIN * _thinnest(one, other)
        yield found(
            "overlap.interpenetration",
            f"{inner.name} reaches {length(met.depth)} into {outer.name}",
            (inner.name, outer.name),
            numbers={"found": met.depth, "expected": 0.0, "share": met.share},
            hint=f"move {inner.name} out of {outer.name}, by {length(met.depth)} or more",
            mild=not much,
        )


def clashes(space: Space) -> Iterator[Contact]:
    """Actors that reach into each other by more than what shows, where neither is a content or a part of the other."""
    for met in space.meetings.values():
        one, other = space.bodies[met.a], space.bodies[met.b]
        inner, outer = sorted((one, other), key=lambda body: (volume(body.box), body.name))
        least = min(LEAST_DEPTH * _least_side(inner), INTO_THIN * _thinnest(one, other))
        least = max(least, space.slack(inner))
        if one.scenery or other.scenery or met.depth < least or met.share < LEAST_SHARE:
            continue
        if not (space.akin(one.name, other.name) or _within(inner.box, outer.box)):
            yield met


def _within(inner: Box, outer: Box) -> bool:
    shared = [min(inner[i + 3], outer[i + 3]) - max(inner[i], outer[i]) for i in range(3)]
    return all(s >= WITHIN * (inner[i + 3] - inner[i]) for i, s in enumerate(shared))


def _least_side(body: Body) -> float:
    return max(min(size_of(body.box)), 0.02 * extent(body.box))


def _thinnest(one: Body, other: Body) -> float:
    """The least side of those parts of two things whose boxes share some room."""
    met = [(a, b) for a in one.parts for b in other.parts if a.box and b.box and gap_between(a.box, b.box) == 0.0]
    boxes = [part.box for pair in met for part in pair if part.box is not None]
    return min((side for box in boxes for side in size_of(box) if side > 0), default=0.0)


def duplicates(at: Situation) -> Iterator[Issue]:
    """Two things with one label in one place: the second was made twice, or was never moved."""
    alike: dict[str, list[Body]] = {}
    for body in at.space.actors:
        alike.setdefault(body.label, []).append(body)
    for bodies in alike.values():
        boxes = np.array([body.box for body in bodies])
        for place, one in enumerate(bodies):
            near = SAME * max(extent(one.box), 1e-9)
            same = (np.abs(boxes[place + 1 :] - boxes[place]) <= near).all(axis=1)
            for other in (bodies[place + 1 + int(index)] for index in np.flatnonzero(same)):
                yield found(
                    "overlap.duplicate",
                    f"{one.name} and {other.name} are in the same place",
                    (one.name, other.name),
                    hint=f"move {other.name} to a place of its own, or leave it out",
                )
