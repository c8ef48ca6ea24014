"""Sizes against the canvas and against each other: too small, too large, cut off, out of proportion.

A line has no area, so it has no ratio either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

import numpy as np

from redraft.layout.items import Bounds
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import WITHIN, Scene, areas, kind_of, silhouette
from redraft.studios.sketch.rules.issues import PEN, box, finding, height, scale_words, shift_words, width

CUT = 0.05
"""How far a backdrop of several parts may reach over the edge."""

CROWD = 4
"""So many of a kind are a pattern, and each may be tiny."""


def sizes(scene: Scene) -> Iterator[Issue]:
    """Area below the least share of the frame, if not slight; or above the greatest, with nothing else upon it."""
    limits, frame = scene.thresholds, scene.layout.frame.area
    many = Counter(kind_of(scene.layout[n]) for n in scene.actors)
    for name in (n for n in scene.objects if scene.paints(n)):
        bounds = scene.box(name)
        if limits.min_size * 10 < width(bounds) * height(bounds) / frame < limits.max_size:
            continue  # a solid thing fills at least a tenth of its box
        tiny = width(bounds) * height(bounds) / frame <= limits.max_size
        if tiny and many[kind_of(scene.layout[name])] >= CROWD:
            continue
        share = scene.whole(name).area / frame
        if share > limits.max_size and not scene.spans(name) and len(scene.objects) == 1:
            yield _size(scene, "size.large", name, share, limits.max_size)
        elif share < limits.min_size and not slight(scene, name):
            yield _size(scene, "size.small", name, share, limits.min_size)


def slight(scene: Scene, name: str) -> bool:
    """Lines and texts, and what lies on something larger or meets it by a requirement: such things may be tiny."""
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


def _size(scene: Scene, code: str, name: str, share: float, limit: float) -> Issue:
    small = share < limit
    factor = (limit / max(share, 1e-9)) ** 0.5 * (1.05 if small else 0.95)
    return finding(
        code,
        f"{name} covers {share:.2%} of the canvas: very {'small' if small else 'large'}",
        (name,),
        numbers={"found": share, "expected": limit},
        hint=scale_words(name, min(factor, 100.0)),
        marks=(box(scene.box(name), name),),
    )


def outside(scene: Scene) -> Iterator[Issue]:
    """An object whose box leaves the frame; an error when a tenth of its extent or more is outside.

    A backdrop may be larger than the frame, unless it is made of parts and cut off by much: a table, too large.
    """
    x0, y0, x1, y1 = scene.layout.frame.bounds
    made = [n for n in scene.backdrops if len(scene.layout.family(n)) > 2]
    for name in (*scene.actors, *sorted(made)):
        a = scene.box(name)
        over = max(x0 - a[0], a[2] - x1), max(y0 - a[1], a[3] - y1)
        if max(over) <= (CUT if name in scene.backdrops else PEN):
            continue
        share = max(over[0] / max(width(a), 1e-9), over[1] / max(height(a), 1e-9))
        dx = max(x0 - a[0], 0.0) - max(a[2] - x1, 0.0)
        dy = max(y0 - a[1], 0.0) - max(a[3] - y1, 0.0)
        fit = min((x1 - x0) / max(width(a), 1e-9), (y1 - y0) / max(height(a), 1e-9))
        yield finding(
            "bounds.outside",
            f"{name} reaches {max(over):.3f} over the edge of the canvas",
            _beyond(scene, name),
            numbers={"found": max(over), "expected": 0.0},
            mild=share < 0.1,
            hint=shift_words(name, dx, dy)
            if fit >= 1
            else f"{scale_words(name, 0.96 * fit)} and move it onto the canvas",
            marks=(box(a, name),),
        )


def _beyond(scene: Scene, name: str) -> tuple[str, ...]:
    """The object, and those of its parts that are over the edge themselves."""
    frame = scene.layout.frame.bounds
    parts = [i.name for i in scene.layout.family(name)[1:] if scene.paints(i.name)]
    return (name, *(n for n in parts if _reach(scene.box(n), frame) > PEN))


def _reach(a: Bounds, frame: Bounds) -> float:
    return max(frame[0] - a[0], frame[1] - a[1], a[2] - frame[2], a[3] - frame[3])


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
    """A part against its whole, when both have an area: far too large, or too small to see.

    Strict: a part against its whole and the largest of its siblings too, as objects are.
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
    """Parts too small for their whole or its largest part: neither details of a larger part nor one of many alike."""
    solid = [item for item in scene.parts if item.name in sizes and not item.texts]
    largest = {item.name: item.name for item in solid}
    for item in solid:
        if item.parent is not None:
            largest[item.parent] = max(largest.get(item.parent, item.name), item.name, key=lambda n: sizes[n])
    many = Counter(map(kind_of, solid))
    for item in solid:
        other = largest[item.parent or item.name]
        tiny = sizes[other] > scene.thresholds.max_ratio * sizes[item.name]
        if item.parent is not None and tiny and many[kind_of(item)] < CROWD and not _lies_on(scene, item.name, sizes):
            yield item.name, other


def _lies_on(scene: Scene, name: str, sizes: Mapping[str, float]) -> bool:
    """Return whether a part is a detail of a larger part of its object: an eye in a face."""
    shape, own = silhouette(scene.layout[name]), scene.object_of[name]
    near = [part.name for part in scene.layout.family(own) if sizes.get(part.name, 0.0) > sizes[name]]
    scene.spend(1 + len(near))
    return any(silhouette(scene.layout[n]).intersection(shape).area > WITHIN * sizes[name] for n in near)


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
    others = [size for n, size in sizes.items() if n != odd[0]] if len(odd) == 1 else []
    if others and max(others) <= AGREE * min(others):
        return odd[0], sizes[odd[0]] / usual
    return None


def _odd(scene: Scene, name: str, factor: float) -> Issue:
    return finding(
        "ratio.odd_one",
        f"{name} is {factor:.2f} times the size of the others of its kind, which are all alike",
        (name,),
        numbers={"found": factor, "expected": 1.0},
        hint=scale_words(name, 1 / factor),
        marks=(box(scene.box(name), name),),
    )
