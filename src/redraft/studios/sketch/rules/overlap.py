"""Overlap: different objects partly on each other, and like parts of one object on each other.

What lies behind everything, what lies wholly within another thing's silhouette, and what a requirement lets meet is
no overlap.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from redraft.layout.items import Thresholds
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import WITHIN, Scene, kind_of, silhouette
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

COPY_SIZE, COPY_SHIFT = 0.02, 0.25
"""How much the boxes of copies may differ in size, and be shifted, as shares of their longer side."""

MAX_COPY_SHIFT = 0.015
"""The same shift in units of the canvas: what is moved farther stands beside it."""

FRONTS = 50
"""Shapes that are joined at once to see what they cover."""


def overlaps(scene: Scene) -> Iterator[Issue]:
    """Find two objects, each partly outside of the other, that share more than the thresholds allow."""
    limit = scene.thresholds.max_overlap_ratio
    for (one, other), gap in sorted(scene.meetings.items()):
        if gap > 0 or scene.joined(one, other):
            continue
        scene.spend()
        shape, other_shape = scene.whole(one), scene.whole(other)
        shared = shape.intersection(other_shape).area
        small, large = sorted((shape.area, other_shape.area))
        covered = shared / max(small, 1e-12)
        ratio = shared / max(small + large - shared, 1e-12)
        if covered >= WITHIN:
            continue

        a, b = scene.box(one), scene.box(other)
        if ratio > limit:
            code, found, expected = "overlap.objects", ratio, limit
        elif _is_lenient(scene):
            continue
        elif covered > COVERED:
            code, found, expected = "overlap.objects", covered, COVERED
        elif covered > CLASH and small > CLASH * large and abs(a[3] - b[3]) < SIDE_BY_SIDE:
            code, found, expected = "overlap.clash", covered, CLASH
        else:
            continue
        reach = min(a[2], b[2]) - max(a[0], b[0])
        side = -1.0 if a[0] + a[2] < b[0] + b[2] else 1.0
        yield finding(
            code,
            f"{one} and {other} partly cover the same place: overlap {found:.0%}",
            (one, other),
            numbers={"found": found, "expected": expected},
            hint=scene.way(one, side * (reach + scene.near_miss * 2), 0.0),
            marks=(box(a, one), box(b, other)),
        )


def _is_lenient(scene: Scene) -> bool:
    """Return whether more overlap is allowed than by default: then that number alone decides."""
    return scene.thresholds.max_overlap_ratio > Thresholds.max_overlap_ratio


def duplicates(scene: Scene) -> Iterator[Issue]:
    """Find like parts of one whole on each other: copies, hardly shifted ones too, and pairs that share too much."""
    # Parts that touch and are of one kind, or have one label, within one parent.
    kinds = {key: rank for rank, key in enumerate(dict.fromkeys((kind_of(i), i.parent) for i in scene.parts))}
    labels = {key: rank for rank, key in enumerate(dict.fromkeys((i.label, i.parent) for i in scene.parts))}
    kind = np.array([kinds[kind_of(i), i.parent] for i in scene.parts], dtype=np.intp)
    label = np.array([labels[i.label, i.parent] for i in scene.parts], dtype=np.intp)
    near = scene.contacts
    touching = np.vstack([scene.joints, np.column_stack([near.first, near.second])])
    first, second = touching.T
    alike = touching[(kind[first] == kind[second]) | (label[first] == label[second])]

    pairs = {frozenset((p.left, p.right)) for p in scene.pairs}
    for i, j in zip(map(int, alike[:, 0]), map(int, alike[:, 1]), strict=True):
        one, other = scene.parts[i], scene.parts[j]
        if (one.is_line and other.is_line) or scene.joined(one.name, other.name):
            continue
        scene.spend()
        shape, other_shape = silhouette(one), silhouette(other)
        crossed = long_axis(shape) is not None and long_axis(other_shape) is not None  # logs, blades
        paired = frozenset((one.name, other.name)) in pairs and not crossed
        limit = scene.thresholds.max_overlap_ratio
        limit = limit if paired else max(limit, COPY)
        shared = shape.intersection(other_shape).area
        ratio = shared / max(shape.area + other_shape.area - shared, 1e-12)

        # A slender thing drawn twice hardly overlaps its copy: boxes of one size, shifted by little, are copies too.
        a, b = scene.box(one.name), scene.box(other.name)
        size = max(width(a), height(a))
        same_size = abs(width(a) - width(b)) + abs(height(a) - height(b)) < COPY_SIZE * size
        shift = max(abs(a[0] - b[0]), abs(a[1] - b[1]))
        copied = same_size and shift < min(MAX_COPY_SHIFT, COPY_SHIFT * size)
        if ratio > limit or (copied and not one.is_line and not _is_lenient(scene)):
            yield finding(
                "overlap.duplicate",
                f"{one.name} and {other.name} are alike and cover the same place: overlap {ratio:.0%}",
                (one.name, other.name),
                numbers={"found": ratio, "expected": limit},
                hint=f"remove {other.name}, or {scene.way(other.name, width(b) + 0.02, 0.0)}",
                marks=(
                    box(a, one.name),
                    box((b[0], b[1], b[0] + width(b), b[1] + height(b)), other.name),
                ),
            )


def hidden(scene: Scene) -> Iterator[Issue]:
    """Find parts of which parts painted later leave nothing to be seen."""
    for index, over in scene.overlaid.items():
        item = scene.parts[index]
        own = {part.name for part in scene.layout.family(item.name)}
        whole = [i for i in over if scene.parts[i].name in own and scene.parts[i].shape.covers(item.shape)]
        fronts = [i for i in over if scene.parts[i].name not in own] + whole[:1]  # two doors may cover a cupboard

        # Take the fronts away in groups, no more of them than it needs to hide the part.
        remaining, used = item.shape, 0
        while used < len(fronts) and not (used and remaining.area < SEEN * item.shape.area):
            scene.spend(1 + FRONTS // 10)
            group = fronts[used : used + FRONTS]
            remaining = remaining.difference(shapely.union_all([scene.parts[i].shape for i in group]))
            used += FRONTS
        seen = remaining.area / max(item.shape.area, 1e-12)

        names = [scene.parts[i].name for i in fronts[:used] if scene.parts[i].shape.intersects(item.shape)]
        if seen < SEEN and not any(scene.joined(item.name, name) for name in names):
            yield finding(
                "overlap.hidden",
                f"{item.name} cannot be seen behind what is painted over it: {', '.join(names[:3])}",
                (item.name, *names[:3]),
                numbers={"found": seen, "expected": 1.0},
                hint=f"paint {item.name} after {names[0]}",
                marks=(box(scene.box(item.name), item.name),),
            )
