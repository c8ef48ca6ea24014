"""Overlap: different things do not reach into each other, and no two are in the same place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from redraft.result import Issue
from redraft.studios.scene.bodies import Body, Space, extent, gap_between, size_of, volume
from redraft.studios.scene.rules.gravity import sunk
from redraft.studios.scene.rules.issues import Situation, finding, length
from redraft.studios.scene.spec import Contact

MILD_DEPTH, GRAVE_DEPTH = 0.1, 0.2
"""Depth as a share of the smaller one's least side: for a warning, and with `GRAVE_SHARE` for an error."""
MILD_THIN, GRAVE_THIN = 0.25, 0.4
"""Depth as a share of the thinnest part that is met, in which nothing can lie deeper than half its thickness."""
MILD_SHARE, GRAVE_SHARE = 0.005, 0.1
"""Share of the smaller one's points that are inside."""
CONTENT_SHARE = 0.9
"""Share of a thing's box from which it is content or part of the one that it lies within."""
MAX_SAME = 0.01
"""Share of its size by which the edges of two boxes in one place may differ."""


def interpenetrating(at: Situation) -> Iterator[Issue]:
    """Find pairs that reach into each other, the deepest first."""
    sinking = {frozenset((sink.name, sink.into)) for sink in sunk(at.space)}
    for met in sorted(clashes(at.space), key=lambda met: (-met.depth, met.a, met.b)):
        one, other = at.space.bodies[met.a], at.space.bodies[met.b]
        if frozenset((met.a, met.b)) in sinking or not (at.shows(one) and at.shows(other)):
            continue
        inner, outer = sorted((one, other), key=lambda body: (volume(body.box), body.name))
        grave = met.depth >= GRAVE_DEPTH * _least_side(inner) and met.share >= GRAVE_SHARE
        grave = grave or met.depth >= GRAVE_THIN * _thinnest(one, other)
        yield finding(
            "overlap.interpenetration",
            f"{inner.name} reaches {length(met.depth)} into {outer.name}",
            (inner.name, outer.name),
            numbers={"found": met.depth, "expected": 0.0, "share": met.share},
            hint=f"move {inner.name} out of {outer.name}, by {length(met.depth)} or more",
            mild=not grave,
        )


def clashes(space: Space) -> Iterator[Contact]:
    """Yield actors that reach into each other by more than shows, but for one that is content or part of the other."""
    for met in space.meetings.values():
        one, other = space.bodies[met.a], space.bodies[met.b]
        inner, outer = sorted((one, other), key=lambda body: (volume(body.box), body.name))
        least = min(MILD_DEPTH * _least_side(inner), MILD_THIN * _thinnest(one, other))
        least = max(least, space.slack(inner))
        if one.scenery or other.scenery or met.depth < least or met.share < MILD_SHARE:
            continue
        a, b = inner.box, outer.box
        shared = [min(a[i + 3], b[i + 3]) - max(a[i], b[i]) for i in range(3)]
        within = all(side >= CONTENT_SHARE * (a[i + 3] - a[i]) for i, side in enumerate(shared))
        if not (within or space.akin(one.name, other.name)):
            yield met


def _least_side(body: Body) -> float:
    return max(min(size_of(body.box)), 0.02 * extent(body.box))


def _thinnest(one: Body, other: Body) -> float:
    """Return the least side of those parts of two things whose boxes share some room."""
    met = [(a, b) for a in one.parts for b in other.parts if a.box and b.box and gap_between(a.box, b.box) == 0.0]
    boxes = [part.box for pair in met for part in pair if part.box is not None]
    return min((side for box in boxes for side in size_of(box) if side > 0), default=0.0)


def duplicates(at: Situation) -> Iterator[Issue]:
    """Find two things with one label in one place: the second was made twice, or was never moved."""
    alike: dict[str, list[Body]] = {}
    for body in at.space.actors:
        alike.setdefault(body.label, []).append(body)
    for bodies in alike.values():
        boxes = np.array([body.box for body in bodies])
        for place, one in enumerate(bodies):
            near = MAX_SAME * max(extent(one.box), 1e-9)
            same = (np.abs(boxes[place + 1 :] - boxes[place]) <= near).all(axis=1)
            for other in (bodies[place + 1 + int(index)] for index in np.flatnonzero(same)):
                yield finding(
                    "overlap.duplicate",
                    f"{one.name} and {other.name} are in the same place",
                    (one.name, other.name),
                    hint=f"move {other.name} to a place of its own, or leave it out",
                )
