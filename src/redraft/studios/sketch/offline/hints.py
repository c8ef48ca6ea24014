"""Distances that the words of a brief usually mean, held against a drawing: only strict validation asks for them."""

from __future__ import annotations

from redraft.layout.items import Layout, Thresholds
from redraft.offline.english.binding import Binding, bind
from redraft.offline.english.reading import Reading, Relate
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import Scene, distance
from redraft.studios.sketch.rules.issues import arrow, center, finding

TOLERANCE, SEVERE = 0.5, 0.9
"""Shares of the usual distance by which a distance may differ from it: beyond the first it is a warning, beyond the
second an error if the words speak of distance."""


def hints(reading: Reading, layout: Layout) -> list[Issue]:
    """Return the distances that are not what the words usually mean: beside 0.1, to the left of 0.15, far 0.3.

    What is much further must also be farther from their common object than what is not.
    """
    scene, binding = Scene(layout, layout.frame.thresholds), bind(reading, layout)
    relations = [
        fact
        for fact in reading.constraints
        if isinstance(fact, Relate)
        and fact.certain
        and fact.distance is None
        and binding.certain(fact.subjects, *fact.objects)
    ]
    measured = [(relation, _nearest_gaps(scene, binding, relation)) for relation in relations]
    issues: list[Issue] = []
    for relation, gaps in measured:
        usual, about_distance = _usual_distance(relation, scene.thresholds)
        if usual is None:
            continue
        further = relation.degree == "much_further"
        rivals = [
            gap
            for other, other_gaps in measured
            if other.objects == relation.objects and other.degree != "much_further"
            for _, _, gap in other_gaps
        ]
        for subject, other, gap in gaps:
            nearer = further and gap <= max(rivals, default=-1.0)
            error = abs(gap - usual) / usual
            if not (nearer or error > TOLERANCE):
                continue
            # What is much further than usual is as the words say, only more so.
            too_far = usual == scene.thresholds.much_further and gap > usual
            mild = not (nearer or (about_distance and error > SEVERE and not too_far))
            expected = max(usual, *rivals) if nearer else usual

            a, b = center(scene.box(subject)), center(scene.box(other))
            step = expected - gap
            if relation.relation in {"above", "below"}:
                dx, dy = 0.0, step if a[1] > b[1] else -step
            else:
                dx, dy = step if a[0] > b[0] else -step, 0.0
            issues.append(
                finding(
                    "spacing.hint",
                    f"{subject} is {gap:.3f} from {other}; the words usually mean about {expected:.2f}",
                    (subject, other),
                    numbers={"found": gap, "expected": expected},
                    hint=scene.way(subject, dx, dy),
                    marks=(arrow(a, b, f"{gap:.3f}"),),
                    phrase=relation.phrase,
                    mild=mild,
                )
            )
    return issues


def _nearest_gaps(scene: Scene, binding: Binding, relation: Relate) -> list[tuple[str, str, float]]:
    """Return each subject with its nearest object and their gap, along the relation's axis where it has one."""
    objects = [item.name for selector in relation.objects for item in binding.items(selector)]
    nearest: list[tuple[str, str, float]] = []
    for subject in (item.name for item in binding.items(relation.subjects)):
        pairs: list[tuple[float, str, float]] = []
        for other in objects:
            if other == subject:
                continue
            a, b = scene.box(subject), scene.box(other)
            match relation.relation:
                case "left_of" | "right_of" | "beside":
                    gap = max(b[0] - a[2], a[0] - b[2])
                case "above" | "below":
                    gap = max(b[1] - a[3], a[1] - b[3])
                case _:
                    gap = distance(scene.whole(subject), scene.whole(other))
            pairs.append((abs(gap), other, gap))
        if pairs:
            _, other, gap = min(pairs)
            nearest.append((subject, other, gap))
    return nearest


def _usual_distance(relation: Relate, limits: Thresholds) -> tuple[float | None, bool]:
    """Return the specification's distance for the words, None for contact and depth; and whether they are about it."""
    if relation.degree in {"much_further", "far"} or relation.relation == "far":
        return limits.much_further, True
    if relation.relation in {"beside", "near"} or relation.degree == "near":
        return limits.beside, True
    return (limits.directional if relation.relation in {"left_of", "right_of"} else None), False
