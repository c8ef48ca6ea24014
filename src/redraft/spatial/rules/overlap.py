"""Overlap: different objects on each other, and like parts on each other.

What the brief says, what belongs together, what lies behind everything, and what is massed by nature (a forest, a
heap of apples, clouds) is no overlap.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from shapely.geometry.base import BaseGeometry

from redraft.result import Issue
from redraft.spatial.labels import head, same_noun
from redraft.spatial.layout import Bounds, Item
from redraft.spatial.rules.arrays import Indices
from redraft.spatial.rules.scene import TOUCH, Scene, silhouette
from redraft.spatial.rules.words import box, found, height, width
from redraft.spatial.scenery import is_kind

__all__ = ["duplicates", "openings", "overlaps"]

CLASH = 0.15
"""Share of the smaller of two neighbours that may be covered."""

ALONG = 0.4
"""A share of a window's side: what touches a door along more of it is set beside it."""

WITHIN = 0.9
"""A share of the smaller one: more, and it lies within the other by intent."""

SIDE_BY_SIDE = 0.03
"""Feet at most so far apart in height stand at one depth."""


def overlaps(scene: Scene) -> Iterator[Issue]:
    """Intersection over union of two objects above the threshold."""
    for one, other, shared in _meeting(scene):
        union = scene.whole(one).area + scene.whole(other).area - shared
        ratio = shared / union if union > 0 else 0.0
        if ratio > scene.thresholds.max_overlap_ratio:
            yield _overlap(scene, "overlap.objects", one, other, ratio, scene.thresholds.max_overlap_ratio)
        elif _neighbours(scene, one, other):
            covered = shared / min(scene.whole(one).area, scene.whole(other).area)
            if covered > CLASH:
                yield _overlap(scene, "overlap.clash", one, other, covered, CLASH)


def _meeting(scene: Scene) -> Iterator[tuple[str, str, float]]:
    """Pairs of objects that cover a common area that nothing explains, with that area."""
    for (one, other), gap in sorted(scene.meetings.items()):
        if gap == 0 and not scene.explained(one, other) and not _natural(scene, one, other):
            shared = scene.whole(one).intersection(scene.whole(other)).area
            if shared > 0:
                yield one, other, shared


def _natural(scene: Scene, one: str, other: str) -> bool:
    labels = scene.layout[one].label, scene.layout[other].label
    massed = same_noun(*labels) and is_kind(labels[0], "massed")
    far, near = sorted((one, other), key=lambda n: max(i.layer for i in scene.layout.family(n)))
    behind = is_kind(scene.layout[far].label, "celestial") and far != near
    return massed or behind or all(is_kind(label, "aloft") for label in labels)


def _neighbours(scene: Scene, one: str, other: str) -> bool:
    """Both stand, at one depth, and neither is a small thing in front of a big one."""
    boxes = scene.box(one), scene.box(other)
    areas = sorted(scene.whole(n).area for n in (one, other))
    standing = not any(is_kind(scene.layout[n].label, "held_up") for n in (one, other))
    return standing and abs(boxes[0][3] - boxes[1][3]) < SIDE_BY_SIDE and areas[0] > 0.15 * areas[1]


def _overlap(scene: Scene, code: str, one: str, other: str, ratio: float, allowed: float) -> Issue:
    a, b = scene.box(one), scene.box(other)
    apart = min(a[2], b[2]) - max(a[0], b[0])
    side = -1.0 if a[0] + a[2] < b[0] + b[2] else 1.0
    return found(
        code,
        "error",
        f"{one} and {other} overlap ({ratio:.0%}, at most {allowed:.0%}) and the brief does not say so",
        (one, other),
        numbers={"found": ratio, "expected": allowed},
        mend=scene.way(one, side * (apart + scene.near_miss * 2), 0.0),
        marks=(box(a, one), box(b, other)),
    )


def duplicates(scene: Scene) -> Iterator[Issue]:
    """Parts of one whole and kind on each other: copies, hardly shifted ones too, and kinds that never overlap."""
    first, second = _alike_boxes(scene)
    for i, j in zip(first, second, strict=True):
        one, other = scene.parts[int(i)], scene.parts[int(j)]
        limit = _limit(one)
        if _may_repeat(scene, one, other):
            a, b = silhouette(one), silhouette(other)
            shared = a.intersection(b).area
            ratio = shared / max(a.area + b.area - shared, 1e-12)
            if ratio > limit or (not one.is_line and _is_copy(scene, one.name, other.name)):
                yield _duplicate(scene, one.name, other.name, ratio, limit)


def _alike_boxes(scene: Scene) -> tuple[Indices, Indices]:
    """Touching parts of one object and pieces of different ones whose label and parent are the same."""
    kinds = {key: rank for rank, key in enumerate(dict.fromkeys((i.label, i.parent) for i in scene.parts))}
    kind = np.array([kinds[i.label, i.parent] for i in scene.parts], dtype=np.intp)
    near = scene.contacts
    pairs = np.vstack([scene.joints, np.column_stack([near.first, near.second])])
    pairs = pairs[kind[pairs[:, 0]] == kind[pairs[:, 1]]]
    return pairs[:, 0], pairs[:, 1]


def _limit(item: Item) -> float:
    return 0.1 if is_kind(item.label, "discrete") else 0.5


def _is_copy(scene: Scene, one: str, other: str) -> bool:
    """Boxes of one size, shifted by little: a slender thing drawn twice hardly overlaps its copy."""
    a, b = scene.box(one), scene.box(other)
    size = max(width(a), height(a))
    same = abs(width(a) - width(b)) + abs(height(a) - height(b)) < 0.02 * size
    return same and max(abs(a[0] - b[0]), abs(a[1] - b[1])) < min(0.015, 0.25 * size)


def _may_repeat(scene: Scene, one: Item, other: Item) -> bool:
    """Lines cross, and a brief may ask for one thing on another of its kind."""
    return not (one.is_line and other.is_line) and not scene.explained(one.name, other.name)


def _duplicate(scene: Scene, one: str, other: str, ratio: float, limit: float) -> Issue:
    a = scene.box(other)
    return found(
        "overlap.duplicate",
        "error",
        f"{one} and {other} are of one kind and lie on each other ({ratio:.0%} of their area)",
        (one, other),
        numbers={"found": ratio, "expected": limit},
        mend=f"remove {other}, or {scene.way(other, width(a) + 0.02, 0.0)}",
        marks=(box(scene.box(one), one), box((a[0], a[1], a[0] + width(a), a[1] + height(a)), other)),
    )


def openings(scene: Scene) -> Iterator[Issue]:
    """A window, with its sill, and a door of one building that cover or graze each other.

    A pane in a door is whole, and a side light or a transom lies along most of it.
    """
    hole = np.array([is_kind(part.label, "opening") for part in scene.parts], dtype=bool)
    pairs = scene.joints
    for i, j in pairs[hole[pairs[:, 0]] & hole[pairs[:, 1]]]:
        one, other = sorted((scene.parts[int(i)], scene.parts[int(j)]), key=lambda p: is_kind(p.label, "at_foot"))
        if _are_openings(scene, one, other):
            depth = _bitten(scene.box(one.name), silhouette(one), silhouette(other))
            if depth is not None:
                yield _bite(scene, one.name, other.name, depth)


def _bitten(a: Bounds, one: BaseGeometry, other: BaseGeometry) -> float | None:
    """How far, across, one reaches into another (0 where it grazes it); None where that is how it should be."""
    shared, near = one.intersection(other), one.buffer(TOUCH).intersection(other)
    x0, y0, x1, y1 = shared.bounds if shared.area > 0 else (0.0, 0.0, 0.0, 0.0)
    within = shared.area >= WITHIN * min(one.area, other.area)
    if min(x1 - x0, y1 - y0) > TOUCH:
        return None if within else x1 - x0
    b = near.bounds
    along = max((b[2] - b[0]) / width(a), (b[3] - b[1]) / height(a)) if not near.is_empty else 1.0
    return None if along > ALONG else x1 - x0


def _are_openings(scene: Scene, one: Item, other: Item) -> bool:
    """Unlike openings of one building, neither a part of the other."""
    kin = one.parent != other.name and other.parent != one.name
    unlike = not same_noun(head(one.label), head(other.label)) and not (one.is_line or other.is_line)
    labels = one.label, other.label, scene.layout[scene.object_of[one.name]].label
    return (
        kin and unlike and all(is_kind(k, n) for k, n in zip(labels, ("opening", "opening", "building"), strict=True))
    )


def _bite(scene: Scene, one: str, other: str, depth: float) -> Issue:
    a, b = scene.box(one), scene.box(other)
    side = -1.0 if a[0] + a[2] < b[0] + b[2] else 1.0
    return found(
        "overlap.openings",
        "warning",
        f"{one} reaches {depth:.3f} into {other}" if depth > TOUCH else f"{one} grazes {other}",
        (one, other),
        numbers={"found": depth, "expected": 0.0},
        mend=f"{scene.way(one, side * (depth + 3 * TOUCH), 0.0)}, or make it narrower",
        marks=(box(a, one), box(b, other)),
    )
