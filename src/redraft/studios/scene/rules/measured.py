"""Measures and distances that the brief states in real units: a Blender unit is a metre, so they are absolute.

What may be meant is tried in turn (edge to edge or middle to middle; any side for a width), and what fits none of these
is wrong: off by up to half a warning, by more an error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from redraft.result import Issue, Severity
from redraft.spatial.layout import Item
from redraft.spatial.reading import Measure, Relate, Size
from redraft.spatial.rules.measures import METRES
from redraft.studios.scene.bodies import size_of
from redraft.studios.scene.rules.codes import found, length
from redraft.studios.scene.rules.situation import Situation
from redraft.studios.scene.space import Flat, gap_between
from redraft.studios.scene.spec import Box

__all__ = ["Distance", "distances", "sizes", "stated_distances"]

EXACT = 0.03
"""Relative error that is let pass."""


@dataclass(frozen=True)
class Distance:
    """A stated distance of one item from another, in metres; `axis` is level, None for up or as the crow flies."""

    relation: Relate
    subject: Item
    other: Item
    want: float
    axis: Flat | None

    @property
    def vertical(self) -> bool:
        return self.relation.relation in {"above", "below"}


def stated_distances(at: Situation) -> Iterator[Distance]:
    """All that are certain, of things that are."""
    for relation in at.reading.constraints:
        if not isinstance(relation, Relate) or not relation.certain or relation.distance is None:
            continue
        if relation.distance.unit not in METRES or not at.binding.certain(relation.subjects, *relation.objects):
            continue
        others = at.items(relation.objects)
        axis = at.space.right if relation.relation in {"left_of", "right_of"} else None
        axis = at.space.forward if relation.relation in {"in_front_of", "behind"} else axis
        for subject in at.binding.items(relation.subjects):
            if len(others) == 1 and others[0].name != subject.name:
                yield Distance(relation, subject, others[0], _metres(relation.distance), axis)


def _metres(measure: Measure) -> float:
    return measure.value * METRES[measure.unit]


def distances(at: Situation) -> Iterator[Issue]:
    """Stated distances that are not kept."""
    for distance in stated_distances(at):
        gaps = _gaps(at, distance)
        off = min(abs(gap - distance.want) for gap in gaps)
        if off > EXACT * distance.want:
            one, other = distance.subject.name, distance.other.name
            yield found(
                "distance.metres",
                _severity(off, distance.want),
                f"{one} is {length(gaps[0])} from {other}; the brief asks for {length(distance.want)}",
                (one, other),
                numbers={"found": gaps[0], "expected": distance.want},
                mend=f"move {one} so that its edge is {length(distance.want)} from that of {other}",
                phrase=distance.relation.phrase,
            )


def _severity(off: float, want: float) -> Severity:
    return "warning" if off <= want / 2 else "error"


def _gaps(at: Situation, distance: Distance) -> list[float]:
    """From edge to edge, then between middles; along the stated direction, by the camera's axes and the world's."""
    a, b = at.box(distance.subject.name), at.box(distance.other.name)
    if distance.vertical:
        return [max(a[2] - b[5], b[2] - a[5]), abs(_middle(a)[2] - _middle(b)[2])]
    if distance.axis is None:
        return [gap_between(a, b), math.dist(_middle(a), _middle(b)), math.dist(_middle(a)[:2], _middle(b)[:2])]
    found_gaps: list[float] = []
    for axis in (distance.axis, (round(distance.axis[0]), round(distance.axis[1]))):
        (a0, a1), (b0, b1) = at.space.along(a, axis), at.space.along(b, axis)
        found_gaps += [max(b0 - a1, a0 - b1), abs(a0 + a1 - b0 - b1) / 2]
    return found_gaps


def _middle(box: Box) -> tuple[float, float, float]:
    return ((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2)


def sizes(at: Situation) -> Iterator[Issue]:
    """Stated widths and heights that no side of the thing has."""
    for size in at.reading.constraints:
        if isinstance(size, Size) and size.certain and at.binding.certain(size.selector):
            for item in at.binding.items(size.selector):
                yield from _sides(at, size, item)


def _sides(at: Situation, size: Size, item: Item) -> Iterator[Issue]:
    x, y, z = size_of(at.box(item.name))
    both = size.width is not None and size.height is not None
    for what, measure, sides in (
        ("width", size.width, (x, y, z)),
        ("height", size.height, (z, y, x) if both else (z,)),
    ):
        if measure is None or measure.unit not in METRES:
            continue
        want = _metres(measure)
        off = min(abs(side - want) for side in sides)
        if off > EXACT * want:
            yield found(
                "measure.metres",
                _severity(off, want),
                f"the {what} of {item.name} is {length(sides[0])}; the brief asks for {length(want)}",
                (item.name,),
                numbers={"found": sides[0], "expected": want},
                mend=f"scale {item.name} by {want / max(sides[0], 1e-9):.3g} in {what}, and set it down again",
                phrase=size.phrase,
            )
