"""Ratio: sizes of objects and parts against each other. A line has no area, so it has no ratio either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from redraft.result import Issue
from redraft.spatial.labels import head
from redraft.spatial.reading import Compare, Progression
from redraft.spatial.rules.arrays import areas
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found, height, scale_words, width
from redraft.spatial.scenery import is_kind

__all__ = ["object_ratios", "odd_ones", "part_ratios"]

CROWD = 5
"""So many like parts are a texture (blades of grass), and each may be tiny."""
AGREE = 1.06
"""Sizes within this factor of each other are one size ..."""
ODD = 1.25
"""... and one beyond this factor (linear) is another."""


def object_ratios(scene: Scene) -> Iterator[Issue]:
    """The largest object against each that is more than the allowed ratio smaller, things small by nature left out."""
    limit = scene.thresholds.max_ratio
    boxes = {n: width(scene.box(n)) * height(scene.box(n)) for n in scene.actors if not _slight(scene, n)}
    if len(boxes) < 2:
        return
    largest = max(boxes, key=lambda n: (boxes[n], n))
    for name, size in boxes.items():
        if boxes[largest] > limit / 10 * size:  # boxes are cheap, and rarely ten times their shape
            ratio = scene.whole(largest).area / max(scene.whole(name).area, 1e-9)
            if ratio > limit:
                yield _ratio(scene, "ratio.objects", name, largest, ratio)


def _slight(scene: Scene, name: str) -> bool:
    item = scene.layout[name]
    kind = is_kind(item.label, "small") or is_kind(item.label, "fine")
    return kind or item.is_line or not scene.asked_for(name) or name in scene.measured


def part_ratios(scene: Scene) -> Iterator[Issue]:
    """A part against its whole, when neither is a line: too small to see unless fine by nature, or far too large."""
    sizes = dict(zip((i.name for i in scene.parts), areas(scene.solids).tolist(), strict=True))
    many = Counter((i.label, i.parent) for i in scene.parts)
    for item in scene.parts:
        parent = scene.layout[item.parent] if item.parent is not None else None
        if parent is None or item.is_line or parent.is_line or parent.name not in sizes:
            continue
        if not scene.measured.isdisjoint((item.name, parent.name)):
            continue
        ratio = sizes[parent.name] / max(sizes[item.name], 1e-9)
        limit = scene.thresholds.max_ratio
        fine = any(is_kind(item.label, kind) for kind in ("fine", "small", "loose")) or item.label.isdigit()
        fine = fine or many[item.label, item.parent] >= CROWD
        if 1 / ratio > limit or (ratio > limit and not fine) or ratio > limit**2:
            yield _ratio(scene, "ratio.part", item.name, parent.name, max(ratio, 1 / ratio))


def _ratio(scene: Scene, code: str, one: str, other: str, ratio: float) -> Issue:
    limit = scene.thresholds.max_ratio
    small, big = sorted((one, other), key=lambda n: (scene.whole(n).area, n))
    return found(
        code,
        "error",
        f"{big} has {ratio:.0f} times the area of {small}; at most {limit:.0f} times is sensible",
        (one, other),
        numbers={"found": ratio, "expected": limit},
        mend=scale_words(small, (ratio / limit) ** 0.5 * 1.05),
        marks=(box(scene.box(one), one), box(scene.box(other), other)),
    )


def odd_ones(scene: Scene) -> Iterator[Issue]:
    """Of four or more things of a kind, all but one agree in size, and the brief does not say why."""
    kinds: dict[tuple[str, str | None], list[str]] = {}
    for item in scene.parts:
        kinds.setdefault((head(item.label), item.parent), []).append(item.name)
    sized = _sized(scene)
    for names in kinds.values():
        if len(names) >= 4 and sized.isdisjoint(names):
            odd = _odd_one(scene, names)
            if odd is not None:
                yield _odd(scene, *odd)


def _sized(scene: Scene) -> set[str]:
    """What the brief speaks of the size of."""
    found_in: set[str] = set()
    for constraint in scene.binding.reading.constraints:
        if isinstance(constraint, Compare):
            found_in.update(scene.binding.of(constraint.subjects.mention).items)
        elif isinstance(constraint, Progression):
            found_in.update(scene.binding.of(constraint.selector.mention).items)
    return found_in | {n for m in scene.binding.reading.mentions if m.size != 1 for n in scene.binding.of(m.id).items}


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
        f"{name} is {factor:.2f} times the size of the others of its kind, which agree",
        (name,),
        numbers={"found": factor, "expected": 1.0},
        mend=scale_words(name, 1 / factor),
        marks=(box(scene.box(name), name),),
    )
