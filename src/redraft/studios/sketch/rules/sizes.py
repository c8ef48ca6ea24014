"""Sizes against the canvas and against each other: too small, too large, cut off, out of proportion.

A line has no area, so it has no ratio either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import median

import numpy as np

from redraft.layout.items import Bounds
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import WITHIN, Scene, areas, kind_of, silhouette
from redraft.studios.sketch.rules.issues import OVERHANG, box, finding, height, scale_words, shift_words, width

CUT = 0.05
"""How far a backdrop of several parts may reach over the edge."""

CROWD = 4
"""So many of a kind are a pattern, and each may be tiny."""

AGREE = 1.06
"""Sizes within this factor of each other are one size ..."""

ODD = 1.25
"""... and one beyond this factor (linear) is another."""


def sizes(scene: Scene) -> Iterator[Issue]:
    """Find areas below the least share of the frame, if not slight; or above the greatest, with nothing upon them."""
    limits, frame = scene.thresholds, scene.layout.frame.area
    members = Counter(kind_of(scene.layout[n]) for n in scene.actors)
    for name in (n for n in scene.objects if scene.paints(n)):
        bounds = scene.box(name)
        box_share = width(bounds) * height(bounds) / frame
        if limits.min_size * 10 < box_share < limits.max_size:
            continue  # a solid thing fills at least a tenth of its box
        if box_share <= limits.max_size and members[kind_of(scene.layout[name])] >= CROWD:
            continue

        share = scene.whole(name).area / frame
        if share > limits.max_size and not scene.spans(name) and len(scene.objects) == 1:
            code, limit, margin, word = "size.large", limits.max_size, 0.95, "large"
        elif share < limits.min_size and not _is_slight(scene, name):
            code, limit, margin, word = "size.small", limits.min_size, 1.05, "small"
        else:
            continue
        factor = (limit / max(share, 1e-9)) ** 0.5 * margin
        yield finding(
            code,
            f"{name} covers {share:.2%} of the canvas: very {word}",
            (name,),
            numbers={"found": share, "expected": limit},
            hint=scale_words(name, min(factor, 100.0)),
            marks=(box(bounds, name),),
        )


def _is_slight(scene: Scene, name: str) -> bool:
    """Return whether a thing may be tiny: lines, texts, and what lies on something larger or meets it as required."""
    family = scene.layout.family(name)
    if all(part.is_line or part.texts or part.shape.is_empty for part in family):
        return True
    shape = scene.whole(name)
    larger = scene.object_areas > shape.area
    if scene.requirements and any(scene.joined(name, scene.objects[i]) for i in np.flatnonzero(larger)):
        return True
    for i in scene.objects_at(shape):
        if larger[i] and scene.objects[i] != name:
            scene.spend()
            if scene.whole(scene.objects[i]).intersection(shape).area > WITHIN * shape.area:
                return True
    return False


def outside(scene: Scene) -> Iterator[Issue]:
    """Find objects whose box leaves the frame; an error when a tenth of its extent or more is outside.

    A backdrop may be larger than the frame, unless it is made of parts and cut off by much: a table, too large.
    """
    x0, y0, x1, y1 = frame = scene.layout.frame.bounds
    composed = [n for n in scene.backdrops if len(scene.layout.family(n)) > 2]
    for name in (*scene.actors, *sorted(composed)):
        a = scene.box(name)
        over = _overhang(a, frame)
        if max(over) <= (CUT if name in scene.backdrops else OVERHANG):
            continue

        # The parts that are over the edge themselves are named with their object.
        parts = [i.name for i in scene.layout.family(name)[1:] if scene.paints(i.name)]
        cut_off = [n for n in parts if max(_overhang(scene.box(n), frame)) > OVERHANG]
        share = max(over[0] / max(width(a), 1e-9), over[1] / max(height(a), 1e-9))
        dx = max(x0 - a[0], 0.0) - max(a[2] - x1, 0.0)
        dy = max(y0 - a[1], 0.0) - max(a[3] - y1, 0.0)
        fit = min((x1 - x0) / max(width(a), 1e-9), (y1 - y0) / max(height(a), 1e-9))
        smaller = f"{scale_words(name, 0.96 * fit)} and move it onto the canvas"
        yield finding(
            "bounds.outside",
            f"{name} reaches {max(over):.3f} over the edge of the canvas",
            (name, *cut_off),
            numbers={"found": max(over), "expected": 0.0},
            mild=share < 0.1,
            hint=shift_words(name, dx, dy) if fit >= 1 else smaller,
            marks=(box(a, name),),
        )


def _overhang(a: Bounds, frame: Bounds) -> tuple[float, float]:
    """Return how far a box reaches over the frame, across and down; negative within it."""
    return max(frame[0] - a[0], a[2] - frame[2]), max(frame[1] - a[1], a[3] - frame[3])


def object_ratios(scene: Scene) -> Iterator[Issue]:
    """Compare the largest object with each that is more than the allowed ratio smaller and not slight."""
    limit = scene.thresholds.max_ratio
    boxes = {n: width(scene.box(n)) * height(scene.box(n)) for n in scene.actors}
    if len(boxes) < 2:
        return
    largest = max(boxes, key=lambda n: (boxes[n], n))
    for name, size in boxes.items():
        if boxes[largest] > limit / 10 * size:  # boxes are cheap, and rarely ten times their shape
            ratio = scene.whole(largest).area / max(scene.whole(name).area, 1e-9)
            if ratio > limit and not _is_slight(scene, name):
                yield _ratio(scene, "ratio.objects", name, largest, ratio)


def part_ratios(scene: Scene) -> Iterator[Issue]:
    """Compare a part with its whole, when both have an area: far too large, or too small to see.

    Strict: a part with its whole and the largest of its siblings too, as objects are.
    """
    sizes = dict(zip((i.name for i in scene.parts), areas(scene.solids).tolist(), strict=True))
    sizes = {i.name: sizes[i.name] for i in scene.parts if not i.is_line and sizes[i.name] > 0}
    limit = scene.thresholds.max_ratio
    reported: set[str] = set()
    for item in scene.parts:
        if item.parent not in sizes or item.name not in sizes or item.texts:
            continue
        ratio = sizes[item.parent] / sizes[item.name]
        if not 1 / limit <= ratio <= limit * limit:
            reported.add(item.name)
            yield _ratio(scene, "ratio.part", item.name, item.parent, ratio)
    if scene.strict:
        for name, largest in _tiny_parts(scene, sizes):
            if name not in reported:
                yield _ratio(scene, "ratio.part", name, largest, sizes[largest] / sizes[name])


def _tiny_parts(scene: Scene, sizes: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """Yield parts too small for their whole or its largest part: neither details of a larger part nor one of many."""
    solid = [item for item in scene.parts if item.name in sizes and not item.texts]
    largest = {item.name: item.name for item in solid}
    for item in solid:
        if item.parent is not None:
            largest[item.parent] = max(largest.get(item.parent, item.name), item.name, key=lambda n: sizes[n])
    members = Counter(map(kind_of, solid))
    for item in solid:
        name, other = item.name, largest[item.parent or item.name]
        tiny = sizes[other] > scene.thresholds.max_ratio * sizes[name]
        if item.parent is None or not tiny or members[kind_of(item)] >= CROWD:
            continue
        # A detail lies on a larger part of its object: an eye in a face.
        family = scene.layout.family(scene.object_of[name])
        larger = [part.name for part in family if sizes.get(part.name, 0.0) > sizes[name]]
        scene.spend(1 + len(larger))
        shape = silhouette(item)
        if not any(silhouette(scene.layout[n]).intersection(shape).area > WITHIN * sizes[name] for n in larger):
            yield name, other


def _ratio(scene: Scene, code: str, name: str, other: str, ratio: float) -> Issue:
    """`ratio` is the other's area by that of the named thing, which should change, whichever is larger."""
    big, small, times = (other, name, ratio) if ratio > 1 else (name, other, 1 / ratio)
    limit = scene.thresholds.max_ratio
    factor = (times / limit) ** 0.5 * 1.05
    return finding(
        code,
        f"{big} has {times:.0f} times the area of {small}",
        (name, other),
        numbers={"found": times, "expected": limit},
        hint=scale_words(name, factor if ratio > 1 else 1 / factor),
        marks=(box(scene.box(name), name), box(scene.box(other), other)),
    )


def odd_ones(scene: Scene) -> Iterator[Issue]:
    """Find of four or more things of a kind the one that differs in size, where all others agree."""
    kinds: dict[tuple[str, str | None], list[str]] = {}
    for item in scene.parts:
        if not item.texts:
            kinds.setdefault((kind_of(item), item.parent), []).append(item.name)
    for names in kinds.values():
        if len(names) < 4:
            continue
        sizes = {n: max(width(scene.box(n)), height(scene.box(n))) for n in names}
        usual = max(median(sizes.values()), 1e-9)
        odd = [n for n in names if not 1 / ODD <= sizes[n] / usual <= ODD]
        if len(odd) != 1:
            continue
        (name,) = odd
        others = [size for n, size in sizes.items() if n != name]
        if max(others) > AGREE * min(others):
            continue
        factor = sizes[name] / usual
        yield finding(
            "ratio.odd_one",
            f"{name} is {factor:.2f} times the size of the others of its kind, which are all alike",
            (name,),
            numbers={"found": factor, "expected": 1.0},
            hint=scale_words(name, 1 / factor),
            marks=(box(scene.box(name), name),),
        )
