"""Spacing hints: how far apart things are by the words of an instruction. Only strict validation uses them."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue
from redraft.spatial.binding import Binding, bind
from redraft.spatial.layout import Layout, Thresholds
from redraft.spatial.reading import Reading, Relate
from redraft.spatial.rules.issues import arrow, center, found
from redraft.spatial.rules.scene import Scene, distance

__all__ = ["hinted"]

OFF, WIDE = 0.15, 0.3
"""Off the usual distance by more than the first is a warning; of words about distance, by the second an error."""


def hinted(reading: Reading, layout: Layout) -> list[Issue]:
    """Distances where words usually mean one: beside 0.1, to the left of 0.15, much further 0.3.

    What is much further is farther from their common object than what is not.
    """
    scene, binding = Scene(layout, layout.frame.thresholds), bind(reading, layout)
    relations = [
        c
        for c in reading.constraints
        if isinstance(c, Relate) and c.certain and c.distance is None and binding.certain(c.subjects, *c.objects)
    ]
    gaps = [list(_gaps(scene, binding, relation)) for relation in relations]
    issues: list[Issue] = []
    for relation, pairs in zip(relations, gaps, strict=True):
        others = zip(relations, gaps, strict=True)
        rivals = [
            gap
            for other, found_at in others
            if other.objects == relation.objects and other.degree != "much_further"
            for _, _, gap in found_at
        ]
        for subject, other, gap in pairs:
            want, sure = _expected(relation, scene.thresholds)
            nearer = relation.degree == "much_further" and gap <= max(rivals, default=-1.0)
            if want is not None and (nearer or abs(gap - want) > OFF):
                severe = nearer or (sure and abs(gap - want) > WIDE)
                want = max(want, *rivals) if nearer else want
                issues.append(_issue(scene, relation, subject, other, gap, want, severe=severe))
    return issues


def _gaps(scene: Scene, binding: Binding, relation: Relate) -> Iterator[tuple[str, str, float]]:
    """Each subject with its nearest object, and their gap: along the relation's axis where it has one."""
    objects = [i.name for s in relation.objects for i in binding.items(s)]
    for subject in (i.name for i in binding.items(relation.subjects)):
        pairs = [(abs(gap := _gap(scene, relation, subject, o)), o, gap) for o in objects if o != subject]
        if pairs:
            _, other, gap = min(pairs)
            yield subject, other, gap


def _gap(scene: Scene, relation: Relate, subject: str, other: str) -> float:
    a, b = scene.box(subject), scene.box(other)
    match relation.relation:
        case "left_of" | "right_of" | "beside":
            return max(b[0] - a[2], a[0] - b[2])
        case "above" | "below":
            return max(b[1] - a[3], a[1] - b[3])
        case _:
            return distance(scene.whole(subject), scene.whole(other))


def _expected(relation: Relate, limits: Thresholds) -> tuple[float | None, bool]:
    """What the specification takes the words to mean (None: contact and depth), and whether they speak of distance."""
    if relation.degree in {"much_further", "far"} or relation.relation == "far":
        return limits.much_further, True
    if relation.relation in {"beside", "near"} or relation.degree == "near":
        return limits.beside, True
    return (limits.directional if relation.relation in {"left_of", "right_of"} else None), False


def _issue(scene: Scene, relation: Relate, subject: str, other: str, gap: float, want: float, *, severe: bool) -> Issue:
    a, b = center(scene.box(subject)), center(scene.box(other))
    step = want - gap
    vertical = relation.relation in {"above", "below"}
    dx, dy = (0.0, step if a[1] > b[1] else -step) if vertical else (step if a[0] > b[0] else -step, 0.0)
    return found(
        "spacing.hint",
        "error" if severe else "warning",
        f"{subject} is {gap:.3f} from {other}; the words usually mean about {want:.2f}",
        (subject, other),
        numbers={"found": gap, "expected": want},
        mend=scene.way(subject, dx, dy),
        marks=(arrow(a, b, f"{gap:.3f}"),),
        phrase=relation.phrase,
    )
