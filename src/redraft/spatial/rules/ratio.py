"""Ratio: sizes of objects and parts against each other. A line has no area, so it has no ratio either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from redraft.result import Issue
from redraft.spatial.rules.arrays import areas
from redraft.spatial.rules.scene import Scene, kind_of
from redraft.spatial.rules.size import slight
from redraft.spatial.rules.words import box, found, height, scale_words, width

__all__ = ["object_ratios", "odd_ones", "part_ratios"]

AGREE = 1.06
"""Sizes within this factor of each other are one size ..."""
ODD = 1.25
"""... and one beyond this factor (linear) is another."""


def object_ratios(scene: Scene) -> Iterator[Issue]:
    """The largest object against each that is more than the allowed ratio smaller and not slight."""
    limit = scene.thresholds.max_ratio
    boxes = {n: width(scene.box(n)) * height(scene.box(n)) for n in scene.actors}
    if len(boxes) < 2:
        return
    largest = max(boxes, key=lambda n: (boxes[n], n))
    for name, size in boxes.items():
        if boxes[largest] > limit / 10 * size:  # boxes are cheap, and rarely ten times their shape
            ratio = scene.whole(largest).area / max(scene.whole(name).area, 1e-9)
            if ratio > limit and not slight(scene, name):
                yield _ratio(scene, "ratio.objects", name, largest, ratio)


def part_ratios(scene: Scene) -> Iterator[Issue]:
    """A part against its whole, when neither is a line: far too large, or too small to see."""
    sizes = dict(zip((i.name for i in scene.parts), areas(scene.solids).tolist(), strict=True))
    limit = scene.thresholds.max_ratio
    for item in scene.parts:
        if item.parent is None or item.is_line or item.texts or item.parent not in sizes:
            continue
        ratio = sizes[item.parent] / max(sizes[item.name], 1e-9)
        if scene.layout[item.parent].is_line or 1 / limit <= ratio <= limit * limit:
            continue
        yield _ratio(scene, "ratio.part", item.name, item.parent, max(ratio, 1 / ratio))


def _ratio(scene: Scene, code: str, one: str, other: str, ratio: float) -> Issue:
    limit = scene.thresholds.max_ratio
    small, big = sorted((one, other), key=lambda n: (scene.whole(n).area, n))
    return found(
        code,
        "error",
        f"{big} has {ratio:.0f} times the area of {small}",
        (one, other),
        numbers={"found": ratio, "expected": limit},
        mend=scale_words(small, (ratio / limit) ** 0.5 * 1.05),
        marks=(box(scene.box(one), one), box(scene.box(other), other)),
    )


def odd_ones(scene: Scene) -> Iterator[Issue]:
    """Of four or more things of a kind, all but one agree in size."""
    kinds: dict[tuple[str, str | None], list[str]] = {}
    for item in scene.parts:
        if not item.texts:
            kinds.setdefault((kind_of(item), item.parent), []).append(item.name)
    for names in kinds.values():
        odd = _odd_one(scene, names) if len(names) >= 4 else None
        if odd is not None:
            yield _odd(scene, *odd)


def _odd_one(scene: Scene, names: Sequence[str]) -> tuple[str, float] | None:
    sizes = {n: max(width(scene.box(n)), height(scene.box(n))) for n in names}
    usual = max(median(sizes.values()), 1e-9)
    odd = [n for n in names if not 1 / ODD <= sizes[n] / usual <= ODD]
    others = [size for n, size in sizes.items() if n not in odd]
    if len(odd) == 1 and max(others) <= AGREE * min(others):
        return odd[0], sizes[odd[0]] / usual
    return None


def _odd(scene: Scene, name: str, factor: float) -> Issue:
    return found(
        "ratio.odd_one",
        "warning",
        f"{name} is {factor:.2f} times the size of the others of its kind, which are all alike",
        (name,),
        numbers={"found": factor, "expected": 1.0},
        mend=scale_words(name, 1 / factor),
        marks=(box(scene.box(name), name),),
    )
