"""Spacing that the drawing itself shows to be wrong: near misses, and one gap out of a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import shapely
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds
from redraft.result import Issue
from redraft.studios.sketch.rules.geometry import Scene, kind_of
from redraft.studios.sketch.rules.issues import arrow, center, finding, height, width

TOUCHING = 0.0005
"""Gaps up to here are none."""

ROW = 4
"""So many gaps are a row, whatever the sizes of the things."""

SAME = 1.1
"""Sizes within this factor of each other are one size."""

IN_LINE = 0.01
"""Feet, centers or heads within this of each other are in one line."""

OVERLAP = 0.25
"""How far the things of a row may reach into each other, as a share of the smallest."""

UNEVEN = 0.12
"""A gap may differ so much from the others' median, of it ..."""

UNEVEN_BY = 0.004
"""... and by so much of the canvas."""


def near_misses(scene: Scene) -> Iterator[Issue]:
    """Find objects that do not touch and are nearer than `Scene.least_gap`, text left aside."""
    close = {pair: gap for pair, gap in scene.meetings.items() if TOUCHING < gap < scene.least_gap}
    scene.spend(len(close))
    close = {(a, b): gap for (a, b), gap in close.items() if not _near_by_text(scene, a, b)}
    in_rows = {frozenset(pair) for row in rows(scene) for pair in pairwise(row.names)} if close else set[object]()
    least = scene.thresholds.min_spacing
    for (one, other), gap in sorted(close.items()):
        if frozenset((one, other)) in in_rows or scene.joined(one, other):
            continue
        # The smaller of the two moves, along the axis on which they lie apart.
        small, big = sorted((one, other), key=lambda n: (width(scene.box(n)) * height(scene.box(n)), n))
        (sx, sy), (bx, by) = center(scene.box(small)), center(scene.box(big))
        step = least - gap
        across = abs(sx - bx) >= abs(sy - by)
        dx, dy = (step if sx > bx else -step, 0.0) if across else (0.0, step if sy > by else -step)

        almost = f"{one} and {other} almost touch: {gap:.3f} apart"
        yield finding(
            "spacing.near_miss",
            almost if gap < scene.near_miss else f"{one} and {other} are {gap:.3f} apart, less than {least:g}",
            (one, other),
            numbers={"found": gap, "expected": least},
            hint=f"{scene.way(small, dx, dy)}, or let them touch clearly",
            marks=(arrow(center(scene.box(one)), center(scene.box(other)), f"{gap:.3f}"),),
        )


def _near_by_text(scene: Scene, one: str, other: str) -> bool:
    """Return whether two objects are near each other by text alone: a name stands near what it names."""
    without_text: list[BaseGeometry] = []
    for name in (one, other):
        letters = [box for item in scene.layout.family(name) for box in item.letters]
        whole = scene.whole(name)
        without_text.append(whole.difference(shapely.union_all(letters).buffer(1e-9)) if letters else whole)
    return any(s.is_empty for s in without_text) or without_text[0].distance(without_text[1]) >= scene.least_gap


@dataclass(frozen=True)
class Row:
    """Three or more like things along an axis (0: across, 1: down), in order, with the gaps between their boxes."""

    names: tuple[str, ...]
    axis: int
    gaps: tuple[float, ...]


def rows(scene: Scene) -> list[Row]:
    """Return all rows and columns of like things with one parent, whose feet (or centers) are in line."""
    kinds: dict[tuple[str, str | None], list[str]] = {}
    for item in scene.layout:
        scenery = item.name in scene.backdrops or item.name not in scene.object_of
        if scene.paints(item.name) and not scenery:
            kinds.setdefault((kind_of(item), item.parent), []).append(item.name)

    found: list[Row] = []
    for names in kinds.values():
        boxes = {n: scene.box(n) for n in names}
        for axis in (0, 1) if len(names) >= 3 else ():
            for group in _level_groups(boxes, axis):
                order = sorted(group, key=lambda n: (boxes[n][axis], n))
                gaps = [boxes[b][axis] - boxes[a][axis + 2] for a, b in pairwise(order)]
                shortest = min(boxes[n][axis + 2] - boxes[n][axis] for n in order)
                row = Row(tuple(order), axis, tuple(gaps))
                if min(gaps) > -OVERLAP * shortest and not _is_interrupted(scene, row):
                    found.append(row)
    return found


def _level_groups(boxes: Mapping[str, Bounds], axis: int) -> list[list[str]]:
    """Group things, three or more, that are in line across the axis: by their feet, the others by center, then head."""
    across = 1 - axis
    groups: list[list[str]] = []
    remaining = dict(boxes)
    for far, near in ((1.0, 0.0), (0.5, 0.5), (0.0, 1.0)):
        levels = {n: far * b[across + 2] + near * b[across] for n, b in remaining.items()}
        runs: list[list[str]] = []
        for name in sorted(levels, key=lambda n: (levels[n], n)):
            if runs and levels[name] - levels[runs[-1][0]] <= IN_LINE:
                runs[-1].append(name)
            else:
                runs.append([name])
        for run in runs:
            if len(run) >= 3:
                groups.append(run)
                for name in run:
                    del remaining[name]
    return groups


def _is_interrupted(scene: Scene, row: Row) -> bool:
    """Return whether another object stands in one of the gaps of a row of objects."""
    if scene.layout[row.names[0]].parent is not None and row.names[0] not in scene.objects:
        return False
    members = set(row.names)
    others = scene.actor_boxes[[n not in members for n in scene.actors]]
    boxes = [scene.box(n) for n in row.names]
    low, high = min(b[1 - row.axis] for b in boxes), max(b[3 - row.axis] for b in boxes)
    level = others[(others[:, 1 - row.axis] < high) & (others[:, 3 - row.axis] > low)]
    middles = (level[:, row.axis] + level[:, row.axis + 2]) / 2
    return any(
        bool(((middles > a[row.axis + 2] - IN_LINE) & (middles < b[row.axis] + IN_LINE)).any())
        for a, b in pairwise(boxes)
    )


def uneven_rows(scene: Scene) -> Iterator[Issue]:
    """Find the gap at an end, or both beside one thing, that differ: in rows of five or more, or of one size."""
    for row in rows(scene):
        sizes = [(width(b), height(b)) for b in map(scene.box, row.names)]
        one_size = all(max(side) <= SAME * min(side) for side in zip(*sizes, strict=True))
        worst = _odd_gap(row.gaps) if len(row.gaps) >= ROW or one_size else None
        if worst is None:
            continue
        usual, gap = median(g for i, g in enumerate(row.gaps) if i != worst), row.gaps[worst]
        before, after = row.names[worst], row.names[worst + 1]
        mover = after if worst + 1 == len(row.gaps) else before
        step = gap - usual if mover == before else usual - gap
        a, b = scene.box(before), scene.box(after)
        if row.axis == 0:
            dx, dy = step, 0.0
            mark = arrow((a[2], center(a)[1]), (b[0], center(b)[1]), f"{gap:.3f}")
        else:
            dx, dy = 0.0, step
            mark = arrow((center(a)[0], a[3]), (center(b)[0], b[1]), f"{gap:.3f}")
        yield finding(
            "spacing.uneven",
            f"the gap between {before} and {after} is {gap:.3f}; the row's others are {usual:.3f}",
            row.names,
            numbers={"found": gap, "expected": usual},
            hint=scene.way(mover, dx, dy),
            marks=(mark,),
        )


def _odd_gap(gaps: Sequence[float]) -> int | None:
    """Return the index of the gap that is off; None when all agree, or when one moved thing does not explain it."""
    middle = median(gaps)
    allowed = max(UNEVEN * abs(middle), UNEVEN_BY)
    off = [i for i, gap in enumerate(gaps) if abs(gap - middle) > allowed]
    one_moved = len(off) == 2 and off[1] == off[0] + 1 and abs(gaps[off[0]] + gaps[off[1]] - 2 * middle) <= allowed
    at_end = len(off) == 1 and off[0] in (0, len(gaps) - 1)
    return max(off, key=lambda i: (abs(gaps[i] - middle), -i)) if one_moved or at_end else None
