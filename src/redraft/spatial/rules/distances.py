"""Distances: those that the brief states in numbers, and what its words say of near and far.

Numbers bind: off by up to half is a warning, more an error. Words hint (beside is about 0.1, to the left of about
0.15, much further about 0.3) and never score, but what contradicts them does.
"""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue, Severity
from redraft.spatial.layout import Item, Thresholds
from redraft.spatial.reading import Relate
from redraft.spatial.rules.arrays import distance
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import arrow, centre, found

__all__ = ["allowed", "further", "gap_of", "stated"]


def allowed(value: float) -> float:
    """How far a stated length may be off: 2 %, or 0.004."""
    return max(0.02 * value, 0.004)


def gap_of(scene: Scene, relation: Relate, subject: Item, other: Item) -> float:
    """Edge to edge: between boxes along the relation's axis, or between shapes where it has none."""
    a, b = scene.box(subject.name), scene.box(other.name)
    match relation.relation:
        case "left_of" | "right_of" | "beside":
            return max(b[0] - a[2], a[0] - b[2])
        case "above" | "below":
            return max(b[1] - a[3], a[1] - b[3])
        case _:
            return distance(scene.whole(subject.name), scene.whole(other.name))


def _pairs(scene: Scene, relation: Relate) -> Iterator[tuple[Item, Item, float]]:
    """Each subject with its nearest object, and their gap."""
    objects = [i for s in relation.objects for i in scene.binding.items(s)]
    for subject in scene.binding.items(relation.subjects):
        gaps = [(gap_of(scene, relation, subject, o), o) for o in objects if o.name != subject.name]
        if gaps:
            gap, other = min(gaps, key=lambda pair: abs(pair[0]))
            yield subject, other, gap


def stated(scene: Scene, relation: Relate) -> Iterator[Issue]:
    """A stated gap against the drawn one; without one, what the words contradict, and a hint of what is likely."""
    for subject, other, gap in _pairs(scene, relation):
        measure = relation.distance
        if measure is not None and measure.unit == "canvas":
            off = abs(gap - measure.value)
            if off > allowed(measure.value):
                severity: Severity = "warning" if off <= measure.value / 2 else "error"
                yield _issue(scene, relation, "distance.stated", severity, subject, other, gap, measure.value)
        elif measure is None:
            yield from _worded(scene, relation, subject, other, gap)


def _worded(scene: Scene, relation: Relate, subject: Item, other: Item, gap: float) -> Iterator[Issue]:
    if relation.relation == "near" and gap > 0.5:
        yield _issue(scene, relation, "distance.further", "error", subject, other, gap, 0.1)
    elif relation.relation == "far" and gap < 0.1:
        yield _issue(scene, relation, "distance.further", "error", subject, other, gap, 0.3)
    else:
        expected = _expected(relation, scene.thresholds)
        if expected is not None and abs(gap - expected) > 0.15:
            yield _issue(scene, relation, "distance.likely", "hint", subject, other, gap, expected)


def _expected(relation: Relate, limits: Thresholds) -> float | None:
    """What the specification takes the words to mean; None for relations of contact and depth."""
    if relation.degree in {"much_further", "far"} or relation.relation == "far":
        return limits.much_further
    if relation.relation in {"beside", "near"} or relation.degree == "near":
        return limits.beside
    return limits.directional if relation.relation in {"left_of", "right_of"} else None


def _issue(
    scene: Scene, relation: Relate, code: str, severity: Severity, subject: Item, other: Item, gap: float, want: float
) -> Issue:
    a, b = centre(scene.box(subject.name)), centre(scene.box(other.name))
    step = want - gap
    vertical = relation.relation in {"above", "below"} or (
        relation.relation in {"near", "far"} and abs(a[1] - b[1]) > abs(a[0] - b[0])
    )
    asked = "the brief asks for" if code == "distance.stated" else "its words mean about"
    dx, dy = (0.0, step if a[1] > b[1] else -step) if vertical else (step if a[0] > b[0] else -step, 0.0)
    return found(
        code,
        severity,
        f"{subject.name} is {gap:.3f} from {other.name}; {asked} {want:.3f}",
        (subject.name, other.name),
        numbers={"found": gap, "expected": want},
        mend=scene.way(subject.name, dx, dy),
        marks=(arrow(a, b, f"{gap:.3f}"),),
        phrase=relation.phrase,
    )


def further(scene: Scene) -> Iterator[Issue]:
    """What is "much further" is farther from their common object than what is not."""
    relations = [c for c in scene.binding.reading.constraints if isinstance(c, Relate) and c.certain]
    for relation in relations:
        if relation.degree == "much_further" and scene.binding.certain(relation.subjects, *relation.objects):
            rivals = [r for r in relations if r.degree != "much_further" and r.objects == relation.objects]
            gaps = [gap for r in rivals for _, _, gap in _pairs(scene, r)]
            for subject, other, gap in _pairs(scene, relation):
                if gaps and gap <= max(gaps):
                    want = max(*gaps, 0.0) + scene.thresholds.directional
                    yield _issue(scene, relation, "distance.further", "error", subject, other, gap, want)
