"""Overlap: different objects partly on each other, and like parts of one object on each other.

What lies behind everything, what lies wholly within another thing's silhouette, and what a requirement lets meet is
no overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from redraft.layout.items import Item, Thresholds
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import WITHIN, Indices, Scene, kind_of, silhouette
from redraft.studios.sketch.rules.issues import box, finding, height, width
from redraft.studios.sketch.rules.symmetry import long_axis

COVERED = 0.3
"""Share of the smaller of two objects that may be covered, short of all of it."""

CLASH = 0.15
"""The same, where both stand on one line."""

SIDE_BY_SIDE = 0.03
"""Feet at most so far apart in height stand on one line."""

SEEN = 0.02
"""Share of a part; less of it is nothing."""

COPY = 0.5
"""Intersection over union of like parts from which one is a copy of the other."""


def overlaps(scene: Scene) -> Iterator[Issue]:
    """Two objects, each partly outside of the other, that share more than the thresholds allow."""
    for (one, other), gap in sorted(scene.meetings.items()):
        if gap > 0 or scene.joined(one, other):
            continue
        scene.spend()
        a, b = scene.whole(one), scene.whole(other)
        shared = a.intersection(b).area
        small, large = sorted((a.area, b.area))
        covered = shared / max(small, 1e-12)
        ratio = shared / max(small + large - shared, 1e-12)
        if covered >= WITHIN:
            continue
        if ratio > scene.thresholds.max_overlap_ratio:
            yield _overlap(scene, "overlap.objects", one, other, ratio, scene.thresholds.max_overlap_ratio)
        elif _lenient(scene):
            continue
        elif covered > COVERED:
            yield _overlap(scene, "overlap.objects", one, other, covered, COVERED)
        elif covered > CLASH and small > CLASH * large and _side_by_side(scene, one, other):
            yield _overlap(scene, "overlap.clash", one, other, covered, CLASH)


def _lenient(scene: Scene) -> bool:
    """Return whether more overlap is allowed than by default: then that number alone decides."""
    return scene.thresholds.max_overlap_ratio > Thresholds.max_overlap_ratio


def _side_by_side(scene: Scene, one: str, other: str) -> bool:
    return abs(scene.box(one)[3] - scene.box(other)[3]) < SIDE_BY_SIDE


def _overlap(scene: Scene, code: str, one: str, other: str, ratio: float, allowed: float) -> Issue:
    a, b = scene.box(one), scene.box(other)
    apart = min(a[2], b[2]) - max(a[0], b[0])
    side = -1.0 if a[0] + a[2] < b[0] + b[2] else 1.0
    return finding(
        code,
        f"{one} and {other} partly cover the same place: overlap {ratio:.0%}",
        (one, other),
        numbers={"found": ratio, "expected": allowed},
        hint=scene.way(one, side * (apart + scene.near_miss * 2), 0.0),
        marks=(box(a, one), box(b, other)),
    )


def duplicates(scene: Scene) -> Iterator[Issue]:
    """Like parts of one whole on each other: copies, hardly shifted ones too, and pairs that share too much."""
    pairs = {frozenset((p.left, p.right)) for p in scene.pairs}
    first, second = _alike(scene)
    for i, j in zip(first, second, strict=True):
        one, other = scene.parts[int(i)], scene.parts[int(j)]
        if (one.is_line and other.is_line) or scene.joined(one.name, other.name):
            continue
        scene.spend()
        a, b = silhouette(one), silhouette(other)
        crossed = long_axis(a) is not None and long_axis(b) is not None  # logs, blades
        paired = frozenset((one.name, other.name)) in pairs and not crossed
        limit = scene.thresholds.max_overlap_ratio
        limit = limit if paired else max(limit, COPY)
        shared = a.intersection(b).area
        ratio = shared / max(a.area + b.area - shared, 1e-12)
        if ratio > limit or (not one.is_line and not _lenient(scene) and _is_copy(scene, one, other)):
            yield _duplicate(scene, one.name, other.name, ratio, limit)


def _alike(scene: Scene) -> tuple[Indices, Indices]:
    """Touching parts of one object and pieces of different ones that are of one kind and have one parent."""
    kinds = {key: rank for rank, key in enumerate(dict.fromkeys((kind_of(i), i.parent) for i in scene.parts))}
    labels = {key: rank for rank, key in enumerate(dict.fromkeys((i.label, i.parent) for i in scene.parts))}
    kind = np.array([kinds[kind_of(i), i.parent] for i in scene.parts], dtype=np.intp)
    label = np.array([labels[i.label, i.parent] for i in scene.parts], dtype=np.intp)
    near = scene.contacts
    pairs = np.vstack([scene.joints, np.column_stack([near.first, near.second])])
    alike = (kind[pairs[:, 0]] == kind[pairs[:, 1]]) | (label[pairs[:, 0]] == label[pairs[:, 1]])
    return pairs[alike, 0], pairs[alike, 1]


def _is_copy(scene: Scene, one: Item, other: Item) -> bool:
    """Boxes of one size, shifted by little: a slender thing drawn twice hardly overlaps its copy."""
    a, b = scene.box(one.name), scene.box(other.name)
    size = max(width(a), height(a))
    same = abs(width(a) - width(b)) + abs(height(a) - height(b)) < 0.02 * size
    return same and max(abs(a[0] - b[0]), abs(a[1] - b[1])) < min(0.015, 0.25 * size)


def _duplicate(scene: Scene, one: str, other: str, ratio: float, limit: float) -> Issue:
    a = scene.box(other)
    return finding(
        "overlap.duplicate",
        f"{one} and {other} are alike and cover the same place: overlap {ratio:.0%}",
        (one, other),
        numbers={"found": ratio, "expected": limit},
        hint=f"remove {other}, or {scene.way(other, width(a) + 0.02, 0.0)}",
        marks=(box(scene.box(one), one), box((a[0], a[1], a[0] + width(a), a[1] + height(a)), other)),
    )


FRONTS = 50
"""Shapes that are joined at once to see what they cover."""


def _uncovered(scene: Scene, item: Item, fronts: Sequence[int]) -> tuple[float, Sequence[int]]:
    """The share of a part that is seen behind others, and those that were needed to know it."""
    left = item.shape
    for start in range(0, len(fronts), FRONTS):
        scene.spend(1 + FRONTS // 10)
        left = left.difference(shapely.union_all([scene.parts[i].shape for i in fronts[start : start + FRONTS]]))
        if left.area < SEEN * item.shape.area:
            return left.area / max(item.shape.area, 1e-12), fronts[: start + FRONTS]
    return left.area / max(item.shape.area, 1e-12), fronts


def hidden(scene: Scene) -> Iterator[Issue]:
    """Parts of which parts painted later leave nothing to be seen."""
    for index, over in scene.overlaid.items():
        item = scene.parts[index]
        own = {part.name for part in scene.layout.family(item.name)}
        whole = [i for i in over if scene.parts[i].name in own and scene.parts[i].shape.covers(item.shape)]
        fronts = [i for i in over if scene.parts[i].name not in own] + whole[:1]  # two doors may cover a cupboard
        seen, fronts = _uncovered(scene, item, fronts)
        names = [scene.parts[i].name for i in fronts if scene.parts[i].shape.intersects(item.shape)]
        if seen < SEEN and not any(scene.joined(item.name, name) for name in names):
            yield finding(
                "overlap.hidden",
                f"{item.name} cannot be seen behind what is painted over it: {', '.join(names[:3])}",
                (item.name, *names[:3]),
                numbers={"found": seen, "expected": 1.0},
                hint=f"paint {item.name} after {names[0]}",
                marks=(box(scene.box(item.name), item.name),),
            )
