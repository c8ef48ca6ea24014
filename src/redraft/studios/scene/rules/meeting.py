"""Meeting: different things do not reach into each other.

Only between things that are surely two, each a thing of its own or named by the brief. What is in a vessel, lies on
something soft, or is explained by a word of the brief, may.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from redraft.result import Issue
from redraft.spatial.labels import same_noun
from redraft.spatial.scenery import is_kind
from redraft.studios.scene.bodies import Body, extent, size_of, volume
from redraft.studios.scene.naming import is_part_word, typical_size
from redraft.studios.scene.rules.codes import found, length
from redraft.studios.scene.rules.gravity import sunk
from redraft.studios.scene.rules.situation import Situation
from redraft.studios.scene.space import Meeting, Space, gap_between
from redraft.studios.scene.words import is_among

__all__ = ["clashes", "duplicates", "interpenetrating"]

LEAST_DEPTH, MUCH_DEPTH = 0.1, 0.2
"""Of the smaller one's least side, that it reaches in: a warning, and with `MUCH_SHARE` an error."""
INTO_THIN, THROUGH_THIN = 0.25, 0.4
"""The same of the thinnest part that is met, in which nothing can lie deeper than half its thickness."""
LEAST_SHARE, MUCH_SHARE = 0.005, 0.1
"""Of the smaller one's points that are inside."""
SAME = 0.01
"""Boxes whose edges differ by this share are in one place."""


def interpenetrating(at: Situation) -> Iterator[Issue]:
    """Pairs that do, unless something explains it."""
    sinking = {frozenset((sink.name, sink.into)) for sink in sunk(at.space)}
    for met in clashes(at.space):
        one, other = at.space.bodies[met.a], at.space.bodies[met.b]
        if frozenset((met.a, met.b)) in sinking or at.explained(one, other) or not _both_sure(at, one, other):
            continue
        small, large = sorted((one, other), key=lambda body: (volume(body.box), body.name))
        much = met.depth >= MUCH_DEPTH * _least_side(small) and met.share >= MUCH_SHARE
        much = much or met.depth >= THROUGH_THIN * _thinnest(one, other)
        yield found(
            "overlap.interpenetration",
            "error" if much else "warning",
            f"{small.name} reaches {length(met.depth)} into {large.name}",
            (small.name, large.name),
            numbers={"found": met.depth, "expected": 0.0, "share": met.share},
            mend=f"move {small.name} out of {large.name}, by {length(met.depth)} or more",
        )


def clashes(space: Space) -> Iterator[Meeting]:
    """Actors that reach into each other by more than what nobody sees, and are neither soft nor in a vessel."""
    for met in space.meetings.values():
        one, other = space.bodies[met.a], space.bodies[met.b]
        small, large = sorted((one, other), key=lambda body: (volume(body.box), body.name))
        least = min(LEAST_DEPTH * _least_side(small), INTO_THIN * _thinnest(one, other))
        least = max(least, space.slack(small))
        if one.scenery or other.scenery or met.depth < least or met.share < LEAST_SHARE:
            continue
        if not (_is_soft(one) or _is_soft(other) or is_kind(large.label, "vessel") or _grows(small, large)):
            yield met


def _least_side(body: Body) -> float:
    return max(min(size_of(body.box)), 0.02 * extent(body.box))


def _thinnest(one: Body, other: Body) -> float:
    """The least side of those parts of two things whose boxes share some room."""
    met = [(a, b) for a in one.parts for b in other.parts if a.box and b.box and gap_between(a.box, b.box) == 0.0]
    boxes = [part.box for pair in met for part in pair if part.box is not None]
    return min((side for box in boxes for side in size_of(box) if side > 0), default=0.0)


def _is_soft(body: Body) -> bool:
    return is_among(body.label, "soft", "yielding")


def _grows(small: Body, large: Body) -> bool:
    """Like things of a heap or wood, and a part of the other by its name."""
    alike = same_noun(small.label.split()[-1], large.label.split()[-1])
    return alike and is_kind(small.label, "massed")


def _both_sure(at: Situation, one: Body, other: Body) -> bool:
    """Each is a thing of its own: known as one, or named by the brief, and no word for a part."""
    return all(
        typical_size(body.label) is not None or (at.is_named(body) and not is_part_word(body.label.split()[-1]))
        for body in (one, other)
    )


def duplicates(at: Situation) -> Iterator[Issue]:
    """Two things with one label in one place: the second was made twice, or was never moved."""
    alike: dict[str, list[Body]] = {}
    for body in at.space.actors:
        alike.setdefault(body.label, []).append(body)
    for one, other in (pair for bodies in alike.values() for pair in combinations(bodies, 2)):
        near = SAME * max(extent(one.box), 1e-9)
        if all(abs(a - b) <= near for a, b in zip(one.box, other.box, strict=True)):
            yield found(
                "overlap.duplicate",
                "warning",
                f"{one.name} and {other.name} are in the same place",
                (one.name, other.name),
                mend=f"move {other.name} to a place of its own, or leave it out",
            )
