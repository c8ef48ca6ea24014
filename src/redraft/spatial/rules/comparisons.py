"""Comparisons: "20 % taller", "twice as big", "of increasing size"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from redraft.result import Issue, Severity
from redraft.spatial.layout import Bounds, Item
from redraft.spatial.reading import Compare, Dimension, Progression
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found, height, scale_words, width

__all__ = ["compared", "progressing"]

OFF, NEARLY = 0.05, 0.02
"""Relative errors of a stated factor: more than the first is an error, more than the second a warning."""


def _extent(bounds: Bounds, dimension: Dimension) -> float:
    if dimension == "size":
        return (width(bounds) * height(bounds)) ** 0.5
    return width(bounds) if dimension == "width" else height(bounds)


def compared(scene: Scene, compare: Compare) -> Iterator[Issue]:
    """Each subject against the median of the references, by wholes or by chief parts, whichever fits better."""
    subjects = scene.binding.items(compare.subjects)
    chosen = {i.name for i in subjects}
    references = [i for i in scene.binding.items(compare.reference) if i.name not in chosen]
    for subject in subjects if references else ():
        ratios = [_ratio(scene, subject, references, compare.dimension, whole) for whole in (True, False)]
        ratio = min(ratios, key=lambda r: abs(r / compare.factor - 1))
        severity = _severity(compare, ratio)
        if severity is not None:
            yield _issue(scene, compare, subject, ratio, severity)


def _ratio(scene: Scene, subject: Item, references: Sequence[Item], dimension: Dimension, whole: bool) -> float:
    sizes = [_extent(_view(scene, item, whole), dimension) for item in (subject, *references)]
    return sizes[0] / max(median(sizes[1:]), 1e-9)


def _view(scene: Scene, item: Item, whole: bool) -> Bounds:
    return scene.box(item.name) if whole else scene.own_box(item)


def _severity(compare: Compare, ratio: float) -> Severity | None:
    """A bound ("taller") is broken by the contrary; short of a stated bound is a hint."""
    if not compare.at_least:
        off = abs(ratio / compare.factor - 1)
        return "error" if off > OFF else "warning" if off > NEARLY else None
    grows = compare.factor >= 1
    if (ratio <= 1.01) if grows else (ratio >= 0.99):
        return "error"
    return "hint" if (ratio < 0.98 * compare.factor if grows else ratio > 1.02 * compare.factor) else None


def _issue(scene: Scene, compare: Compare, subject: Item, ratio: float, severity: Severity) -> Issue:
    return found(
        "ratio.stated",
        severity,
        f"{subject.name} has {ratio:.2f} times the {compare.dimension} of the reference; "
        f"{'at least ' if compare.at_least and compare.factor >= 1 else ''}{compare.factor:.2f} is asked for",
        (subject.name,),
        numbers={"found": ratio, "expected": compare.factor},
        mend=f"{scale_words(subject.name, compare.factor / max(ratio, 1e-9))} in {compare.dimension}",
        marks=(box(scene.box(subject.name), f"×{ratio:.2f}"),),
        phrase=compare.phrase,
    )


def progressing(scene: Scene, progression: Progression) -> Iterator[Issue]:
    """In reading order each is at least 1 % larger (or smaller) than the one before."""
    for before, after in pairwise(scene.binding.items(progression.selector)):
        sizes = [_extent(scene.box(i.name), progression.dimension) for i in (before, after)]
        own_sizes = [_extent(scene.own_box(i), progression.dimension) for i in (before, after)]
        if not any(_steps(s, progression.increasing) for s in (sizes, own_sizes)):
            word = "larger" if progression.increasing else "smaller"
            yield found(
                "ratio.progression",
                "error",
                f"{after.name} should be {word} than {before.name}",
                (before.name, after.name),
                numbers={"found": sizes[1] / max(sizes[0], 1e-9), "expected": 1.1 if progression.increasing else 0.9},
                mend=f"make {after.name} {word} than {before.name}",
                marks=(box(scene.box(before.name), before.name), box(scene.box(after.name), after.name)),
                phrase=progression.phrase,
            )


def _steps(sizes: list[float], increasing: bool) -> bool:
    first, second = sizes if increasing else sizes[::-1]
    return second > 1.01 * first
