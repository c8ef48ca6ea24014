"""Spacing that the drawing itself shows to be wrong: near misses, and one gap out of a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import shapely
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import Scene, kind_of
from redraft.studios.sketch.rules.issues import arrow, center, finding, height, width

MANY = 4
"""So many gaps are a row, whatever the sizes of the things."""
SAME = 1.1
"""Sizes within this factor of each other are one size."""
UNEVEN = 0.12
"""A gap may differ so much from the others' median, of it ..."""
UNEVEN_BY = 0.004
"""... and by so much of the canvas."""


def near_misses(scene: Scene) -> Iterator[Issue]:
    """Find objects that do not touch and are nearer than `Scene.least_gap`, text left aside."""
    close = {pair: gap for pair, gap in scene.meetings.items() if 0.0005 < gap < scene.least_gap}
    scene.spend(len(close))
    close = {(a, b): gap for (a, b), gap in close.items() if not _by_letters(scene, a, b)}
    together = {frozenset(pair) for row in rows(scene) for pair in pairwise(row.names)} if close else set[object]()
    for (one, other), gap in sorted(close.items()):
        if frozenset((one, other)) not in together and not scene.joined(one, other):
            least = scene.thresholds.min_spacing
            almost = f"{one} and {other} almost touch: {gap:.3f} apart"
            yield finding(
                "spacing.near_miss",
                almost if gap < scene.near_miss else f"{one} and {other} are {gap:.3f} apart, less than {least:g}",
                (one, other),
                numbers={"found": gap, "expected": least},
                hint=_part(scene, one, other, gap),
                marks=(arrow(center(scene.box(one)), center(scene.box(other)), f"{gap:.3f}"),),
            )


def _by_letters(scene: Scene, one: str, other: str) -> bool:
    """Return whether two objects are near each other by text alone: a name stands near what it names."""
    rests: list[BaseGeometry] = []
    for name in (one, other):
        letters = [box for item in scene.layout.family(name) for box in item.letters]
        whole = scene.whole(name)
        rests.append(whole.difference(shapely.union_all(letters).buffer(1e-9)) if letters else whole)
    return any(r.is_empty for r in rests) or rests[0].distance(rests[1]) >= scene.least_gap


def _part(scene: Scene, one: str, other: str, gap: float) -> str:
    """Shift the smaller of two along the axis on which they lie apart."""
    small, big = sorted((one, other), key=lambda n: (width(scene.box(n)) * height(scene.box(n)), n))
    (sx, sy), (bx, by) = center(scene.box(small)), center(scene.box(big))
    step = scene.thresholds.min_spacing - gap
    across = abs(sx - bx) >= abs(sy - by)
    dx, dy = (step if sx > bx else -step, 0.0) if across else (0.0, step if sy > by else -step)
    return f"{scene.way(small, dx, dy)}, or let them touch clearly"


@dataclass(frozen=True)
class Row:
    """Three or more like things along an axis (0: across, 1: down), in order, with the gaps between their boxes."""

    names: tuple[str, ...]
    axis: int
    gaps: tuple[float, ...]


def rows(scene: Scene) -> list[Row]:
    """All rows and columns of like things with one parent, whose feet (or centers) are in line."""
    kinds: dict[tuple[str, str | None], list[str]] = {}
    for item in scene.layout:
        scenery = item.name in scene.backdrops or item.name not in scene.object_of
        if scene.paints(item.name) and not scenery:
            kinds.setdefault((kind_of(item), item.parent), []).append(item.name)
    lines = [
        line for names in kinds.values() if len(names) >= 3 for axis in (0, 1) for line in _lines(scene, names, axis)
    ]
    return [row for row in lines if not _crossed(scene, row)]


def _lines(scene: Scene, names: Sequence[str], axis: int) -> Iterator[Row]:
    """The like things whose feet or centers are level across the axis, three or more, none overlapping the next."""
    boxes = {n: scene.box(n) for n in names}
    level = _level(boxes, axis)
    for group in level:
        order = sorted(group, key=lambda n: (boxes[n][axis], n))
        gaps = [boxes[b][axis] - boxes[a][axis + 2] for a, b in pairwise(order)]
        if len(order) >= 3 and min(gaps) > -0.25 * min(boxes[n][axis + 2] - boxes[n][axis] for n in order):
            yield Row(tuple(order), axis, tuple(gaps))


def _level(boxes: dict[str, Bounds], axis: int) -> list[list[str]]:
    """Groups within a hundredth by the far edge across the axis (feet); what is left by the center, then the head."""
    across = 1 - axis
    groups: list[list[str]] = []
    left = dict(boxes)
    for far, near in ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0)):
        at = {n: far * b[across + 2] + near * b[across] for n, b in left.items()}
        for run in _runs(at):
            groups.append(run)
            for name in run:
                del left[name]
    return groups


def _runs(at: dict[str, float]) -> list[list[str]]:
    """Names whose values lie within a hundredth of the least of their run; runs of three or more."""
    runs: list[list[str]] = []
    for name in sorted(at, key=lambda n: (at[n], n)):
        if runs and at[name] - at[runs[-1][0]] <= 0.01:
            runs[-1].append(name)
        else:
            runs.append([name])
    return [run for run in runs if len(run) >= 3]


def _crossed(scene: Scene, row: Row) -> bool:
    """Another object stands in one of the gaps of a row of objects: it is not a row."""
    if scene.layout[row.names[0]].parent is not None and row.names[0] not in scene.objects:
        return False
    members = set(row.names)
    others = scene.actor_boxes[[n not in members for n in scene.actors]]
    boxes = [scene.box(n) for n in row.names]
    low, high = min(b[1 - row.axis] for b in boxes), max(b[3 - row.axis] for b in boxes)
    level = others[(others[:, 1 - row.axis] < high) & (others[:, 3 - row.axis] > low)]
    middles = (level[:, row.axis] + level[:, row.axis + 2]) / 2
    return any(
        bool(((middles > a[row.axis + 2] - 0.01) & (middles < b[row.axis] + 0.01)).any()) for a, b in pairwise(boxes)
    )


def uneven_rows(scene: Scene) -> Iterator[Issue]:
    """In a row of five or more, or of things of one size, the gap at an end or both beside one thing that differ."""
    for row in rows(scene):
        worst = _outlier(row.gaps) if len(row.gaps) >= MANY or _one_size(scene, row) else None
        if worst is not None:
            yield _uneven(scene, row, worst)


def _one_size(scene: Scene, row: Row) -> bool:
    sizes = [(width(b), height(b)) for b in map(scene.box, row.names)]
    return all(max(side) <= SAME * min(side) for side in zip(*sizes, strict=True))


def _outlier(gaps: Sequence[float]) -> int | None:
    """The index of the gap that is off; None when all agree, or when more differ than one moved thing explains."""
    middle = median(gaps)
    allowed = max(UNEVEN * abs(middle), UNEVEN_BY)
    off = [i for i, gap in enumerate(gaps) if abs(gap - middle) > allowed]
    one_moved = len(off) == 2 and off[1] == off[0] + 1 and abs(gaps[off[0]] + gaps[off[1]] - 2 * middle) <= allowed
    at_end = len(off) == 1 and off[0] in (0, len(gaps) - 1)
    return max(off, key=lambda i: (abs(gaps[i] - middle), -i)) if one_moved or at_end else None


def _uneven(scene: Scene, row: Row, worst: int) -> Issue:
    others = [gap for i, gap in enumerate(row.gaps) if i != worst]
    want, gap = median(others), row.gaps[worst]
    before, after = row.names[worst], row.names[worst + 1]
    mover = after if worst + 1 == len(row.gaps) else before
    sign = -1.0 if mover == after else 1.0
    step = (sign * (gap - want), 0.0) if row.axis == 0 else (0.0, sign * (gap - want))
    a, b = scene.box(before), scene.box(after)
    return finding(
        "spacing.uneven",
        f"the gap between {before} and {after} is {gap:.3f}; the row's others are {want:.3f}",
        row.names,
        numbers={"found": gap, "expected": want},
        hint=scene.way(mover, *step),
        marks=(arrow((a[2], center(a)[1]), (b[0], center(b)[1]), f"{gap:.3f}"),)
        if row.axis == 0
        else (arrow((center(a)[0], a[3]), (center(b)[0], b[1]), f"{gap:.3f}"),),
    )
