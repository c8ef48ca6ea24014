"""Measures: stated sizes. Shares of the canvas are absolute; all real lengths of a brief share one unknown scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from redraft.result import Issue
from redraft.spatial.layout import Item
from redraft.spatial.reading import EqualSpacing, Measure, Relate, Size
from redraft.spatial.rules.distances import allowed, gap_of
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found, height, width

__all__ = ["METRES", "proportions"]

METRES = {"m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0, "ft": 0.3048, "in": 0.0254}
PROPORTION = 0.03
"""Relative error of a length at the common scale that is let pass; pens take up to their width besides."""


@dataclass(frozen=True)
class _Length:
    """One stated length, and what was drawn for it."""

    item: Item
    what: str
    measure: Measure
    drawn: float
    pen: float
    phrase: str


def proportions(scene: Scene) -> Iterator[Issue]:
    """Canvas measures by themselves; real ones against the scale that most of them agree on."""
    lengths = [length for c in scene.binding.reading.constraints if c.certain for length in _lengths(scene, c)]
    for length in lengths:
        if length.measure.unit == "canvas":
            yield from _against(scene, length, length.measure.value, allowed(length.measure.value) + length.pen)
    real = [x for x in lengths if x.measure.unit in METRES]
    if len(real) > 1:
        scale = median(_scale(x) for x in real) if len(real) > 2 else _scale(max(real, key=lambda x: x.drawn))
        for length in real:
            want = length.measure.value * METRES[length.measure.unit] * scale
            yield from _against(scene, length, want, max(PROPORTION * want, 0.004) + length.pen)


def _scale(length: _Length) -> float:
    return length.drawn / (length.measure.value * METRES[length.measure.unit])


def _lengths(scene: Scene, constraint: object) -> Iterator[_Length]:
    match constraint:
        case Size() if scene.binding.certain(constraint.selector):
            for item in scene.binding.items(constraint.selector):
                yield from _sides(scene, constraint, item)
        case Relate(distance=Measure(unit=unit)) if unit in METRES:
            yield from _gaps(scene, constraint)
        case EqualSpacing(gap=Measure(unit=unit)) if unit in METRES:
            yield from _spaces(scene, constraint)
        case _:
            return


def _sides(scene: Scene, size: Size, item: Item) -> Iterator[_Length]:
    bounds = scene.own_box(item)
    pen = max(item.style.widths, default=0.0)
    for what, measure, drawn in (("width", size.width, width(bounds)), ("height", size.height, height(bounds))):
        if measure is not None:
            yield _Length(item, what, measure, drawn, pen, size.phrase)


def _gaps(scene: Scene, relation: Relate) -> Iterator[_Length]:
    objects = [i for s in relation.objects for i in scene.binding.items(s)]
    if relation.distance is not None and objects and scene.binding.certain(relation.subjects, *relation.objects):
        for item in scene.binding.items(relation.subjects):
            gap = min((gap_of(scene, relation, item, o) for o in objects), key=abs)
            yield _Length(item, "distance", relation.distance, gap, 0.0, relation.phrase)


def _spaces(scene: Scene, spacing: EqualSpacing) -> Iterator[_Length]:
    axis = 0 if spacing.axis == "x" else 1
    items = sorted(scene.binding.items(spacing.selector), key=lambda i: scene.box(i.name)[axis])
    for one, other in pairwise(items):
        if spacing.gap is not None and scene.binding.certain(spacing.selector):
            gap = scene.box(other.name)[axis] - scene.box(one.name)[axis + 2]
            yield _Length(other, "gap", spacing.gap, gap, 0.0, spacing.phrase)


def _against(scene: Scene, length: _Length, want: float, room: float) -> Iterator[Issue]:
    if abs(length.drawn - want) > room:
        stated = f"{length.measure.value:g} {length.measure.unit}"
        yield found(
            "measure.proportion",
            "error",
            f"the {length.what} of {length.item.name} is {length.drawn:.3f}; {stated} would be {want:.3f}",
            (length.item.name,),
            numbers={"found": length.drawn, "expected": want},
            mend=f"make the {length.what} of {length.item.name} {want:.3f}",
            marks=(box(scene.box(length.item.name), f"{length.what} {length.drawn:.3f}"),),
            phrase=length.phrase,
        )
