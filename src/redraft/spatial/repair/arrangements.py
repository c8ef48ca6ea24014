"""Rows, columns, grids and mirror pairs: equal gaps, one line, equal cells, mirror images.

Closed forms on boxes that move as little as possible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median, median_low

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from redraft.layout import Bounds, Move, bounds_of
from redraft.requirements import CANVAS, Requirement
from redraft.result import Issue
from redraft.spatial.repair.situation import Situation, around, center, displacement, flat, onto, snap
from redraft.spatial.solver.contact import closing
from redraft.spatial.solver.problem import Axis

__all__ = ["BITE", "aligned", "image", "mirrored", "parted", "spaced", "symmetric"]

BITE = 0.003
"""Parts that are brought together overlap by so much of the canvas: touching alone shows a hairline."""

CLEAR = 0.02
"""Between two that were on each other."""

NATURAL = 0.28
"""Share of its width at which a pair sits on each side of the middle of what holds it."""

DEEP = 0.97
"""Share of a part that lies on what holds it, from which on it is wholly there."""


def mirrored(site: Situation, issue: Issue) -> Iterator[tuple[Move, ...]]:
    """Either side from the other, the shorter way first; both alike about the axis; both aside. One axis after another.

    The better one of a pair is the one after which the whole report is best: that is for the caller to find out.
    """
    one, other = issue.subjects[:2]
    first, second = sorted((one, other))

    def cost(way: tuple[Move, ...]) -> tuple[float, bool]:
        after = site.layout.moved(way)
        return round(displacement(site.layout, way), 6), center(after.bounds(first))[0] > center(after.bounds(second))[
            0
        ]

    for axis in _axes(site, one, other):
        yield from sorted(_about(site, issue, one, other, axis), key=cost)
        if issue.code != "symmetry.size":
            yield from parted(site, one, other, axis)


def parted(site: Situation, one: str, other: str, *only: float) -> Iterator[tuple[Move, ...]]:
    """Both aside by the same from the axis of their whole, or from the given one, each as deep in what holds it."""
    first, second = sorted((one, other), key=lambda n: (round(center(site.layout.bounds(n))[0], 4), n))
    holder = _holder(site, one, other)
    if holder is None:
        return
    x0, _, x1, _ = holder.bounds
    widths = [b[2] - b[0] for b in (site.layout.bounds(first), site.layout.bounds(second))]
    close = (sum(widths) / 2 + CLEAR) / 2
    natural = NATURAL * (x1 - x0)
    share = sum(_share(site.layout.whole(name), holder) for name in (first, second)) / 2
    for aside in dict.fromkeys([natural, close] if close < natural < 0.5 * (x1 - x0) else [close]):
        for axis in only or _axes(site, one, other):
            sides = ((first, axis - aside), (second, axis + aside))
            yield tuple(_beside(site, name, x, holder, share) for name, x in sides)


def _holder(site: Situation, one: str, other: str) -> BaseGeometry | None:
    """What both are parts of and touch: its own paint, or else the part of it that they lie on most or nearest to."""
    parents = {site.layout[n].parent for n in (one, other)}
    parent = parents.pop() if len(parents) == 1 else None
    if parent is None:
        return None
    own = site.layout[parent].shape
    inner = {i.name for n in (one, other) for i in site.layout.family(n)}
    rest = [i.shape for i in site.layout.family(parent) if i.name not in inner and not i.shape.is_empty]
    pair = shapely.union_all([site.layout.whole(n) for n in (one, other)])
    if not own.is_empty and (own.distance(pair) < BITE or not rest):
        return own
    return max(rest, key=lambda shape: (shape.intersection(pair).area, -shape.distance(pair)), default=None)


def _beside(site: Situation, name: str, x: float, holder: BaseGeometry, share: float) -> Move:
    """To a new place across, up or down until such a share of it lies on its holder."""
    shape = site.layout.whole(name)
    dx = x - center(site.layout.bounds(name))[0]
    dy = 0.0
    if 0 < share < DEEP:
        y = center(site.layout.bounds(name))[1]
        middle = (holder.bounds[1] + holder.bounds[3]) / 2
        off, on = 0.0, middle - y  # at `on` it lies as deep as it can
        reach = (holder.bounds[3] - holder.bounds[1]) / 2 * (1 if on < 0 else -1)
        if _share(translate(shape, dx, 0.0), holder) > share:
            off, on = reach, 0.0
        for _ in range(24):
            dy = (off + on) / 2
            off, on = (dy, on) if _share(translate(shape, dx, dy), holder) < share else (off, dy)
    elif share == 0 and shape.distance(holder) < BITE:
        back = closing(name, translate(shape, dx, 0.0), holder, BITE, "")
        dx, dy = (dx + back.matrix[4], back.matrix[5]) if back is not None else (dx, dy)
    return Move.shift(name, dx, dy, "parted, as deep as before in what holds it")


def _share(shape: BaseGeometry, holder: BaseGeometry) -> float:
    return shape.intersection(holder).area / max(shape.area, 1e-12)


def _about(site: Situation, issue: Issue, one: str, other: str, axis: float) -> Iterator[tuple[Move, ...]]:
    for still, mover in ((one, other), (other, one)):
        yield (image(site, still, mover, axis, resize=issue.code == "symmetry.size"),)
    a, b = site.layout.bounds(one), site.layout.bounds(other)
    off = axis - (center(a)[0] + center(b)[0]) / 2
    yield tuple(Move.shift(n, off, 0.0, "mirrored in the axis of its whole") for n in (one, other))


def _axes(site: Situation, one: str, other: str) -> list[float]:
    """Of what holds them, and of their whole: its own paint, all of it, the object. Each once, in this order."""
    parents = {site.layout[n].parent for n in (one, other)}
    parent = parents.pop() if len(parents) == 1 else None
    names = [parent, site.layout.root_of(one).name] if parent is not None else [site.layout.root_of(one).name]
    boxes: list[Bounds] = [box for n in names for box in (site.own(n), site.layout.bounds(n))]
    if (holder := _holder(site, one, other)) is not None:
        boxes.insert(0, bounds_of(holder))
    return list(dict.fromkeys(round(center(box)[0], 9) for box in boxes))


def image(site: Situation, still: str, mover: str, axis: float, *, resize: bool) -> Move:
    """The move that brings one side onto the mirror image of the other, at its own size or that of the image."""
    a, b = site.layout.bounds(still), site.layout.bounds(mover)
    x, y = 2 * axis - center(a)[0], center(a)[1]
    sx = (a[2] - a[0]) / max(b[2] - b[0], 1e-9) if resize else 1.0
    sy = (a[3] - a[1]) / max(b[3] - b[1], 1e-9) if resize else 1.0
    (mx, my) = center(b)
    return Move(mover, (sx, 0.0, 0.0, sy, x - sx * mx, y - sy * my), f"the mirror image of {still}")


def symmetric(site: Situation, read: Requirement) -> Iterator[Move]:
    """Each part and its mirror image halfway to each other; what mirrors itself onto the axis."""
    space, names = site.view(read), site.names(read.parts)
    if not names or (len(names) == 1 and not read.of) or (site.layout.frame.plan and read.axis != "y"):
        return
    x = 1 if read.axis == "y" else 0
    boxes = {name: flat(space, name) for name in names}
    others = [flat(space, n) for n in site.names(read.of)]
    frame = flat(space, CANVAS) if read.of and not others else around(others or list(boxes.values()))
    twice = frame[x] + frame[x + 2]
    images = {n: _in_axis(box, x, twice) for n, box in boxes.items()}

    def off(name: str, other: str) -> float:
        return max(abs(a - b) for a, b in zip(images[name], boxes[other], strict=True))

    twins = {name: min(boxes, key=lambda other: off(name, other)) for name in boxes}
    for name, twin in twins.items():
        if twins[twin] == name:
            target = [(a + b) / 2 for a, b in zip(boxes[name], images[twin], strict=True)]
            yield onto(name, boxes[name], (target[0], target[1], target[2], target[3]), "mirrored")


def _in_axis(box: Bounds, x: int, twice: float) -> Bounds:
    """The mirror image of a box along an axis."""
    x0, y0, x1, y1 = box
    return (twice - x1, y0, twice - x0, y1) if x == 0 else (x0, twice - y1, x1, twice - y0)


MANY = 60
"""So many things in a row are looked at pair by pair."""

Floats = NDArray[np.float64]


def _shift(name: str, axis: Axis, step: float, reason: str) -> Move:
    return Move.shift(name, *((step, 0.0) if axis == 0 else (0.0, step)), reason)


def spaced(site: Situation, read: Requirement) -> Iterator[Move]:
    """Equal gaps, or equal steps from center to center where these are nearer to equal; or gaps as stated."""
    space = site.view(read)
    names = site.tops(site.names(read.parts))
    boxes = {name: flat(space, name) for name in names}
    if len(names) < 2 or read.axis == "z":
        return
    axis = _along(list(boxes.values())) if read.axis is None else 0 if read.axis == "x" else 1
    order = sorted(names, key=lambda n: center(boxes[n])[axis])
    row = [boxes[n] for n in order]
    sizes = np.array([b[axis + 2] - b[axis] for b in row])
    starts = np.array([b[axis] for b in row])
    if read.length is not None:
        yield from _spaced_as_stated(site, read, order, row, axis, read.length * space.scale)
        return
    gaps = starts[1:] - starts[:-1] - sizes[:-1]
    steps = np.diff(starts + sizes / 2)
    before = np.concatenate([[0.0], np.cumsum(sizes[:-1])]) if np.ptp(gaps) <= np.ptp(steps) else -sizes / 2
    lines = starts - before  # equally spaced where these are
    for name, at, now in zip(order, _even_line(lines), lines, strict=True):
        yield _shift(name, axis, snap(float(at - now), site.layout.frame.quantum), "evenly spaced")


def _along(boxes: Sequence[Bounds]) -> Axis:
    """The axis along which the centers spread most."""
    centers = np.array([center(b) for b in boxes])
    return 0 if np.ptp(centers[:, 0]) >= np.ptp(centers[:, 1]) else 1


def _even_line(values: Floats) -> Floats:
    """Equally spaced places, by which the least is moved in all: through two of the values."""
    index = np.arange(len(values), dtype=np.float64)
    chosen = range(len(values)) if len(values) <= MANY else (0, 1, 2, len(values) - 3, len(values) - 2, len(values) - 1)
    pairs = [(i, j) for i in chosen for j in chosen if i < j]
    # the row's ends first: what lies between them moves, where it costs the same
    pairs.sort(key=lambda p: p[0] - p[1])
    lines = [values[i] + (index - i) * (values[j] - values[i]) / (j - i) for i, j in pairs]
    low, high = values.min(), values.max()
    within = [line for line in lines if line[0] >= low - 1e-9 and line[-1] <= high + 1e-9] or lines[:1]
    return min(within, key=lambda line: round(float(np.abs(line - values).sum()), 9))


def _spaced_as_stated(
    site: Situation, read: Requirement, order: Sequence[str], row: Sequence[Bounds], axis: Axis, length: float
) -> Iterator[Move]:
    """The stated gap between neighbors, where it is not; the rest of the row moves as little as it can."""
    drawn = [b[axis] - a[axis + 2] for a, b in pairwise(row)]
    low = -math.inf if read.limit == "at_most" else length
    high = math.inf if read.limit == "at_least" else length
    gaps = [min(max(gap, low), high) for gap in drawn]
    steps = np.concatenate([[0.0], np.cumsum(np.array(gaps) - np.array(drawn))])
    extent = row[-1][axis + 2] - row[0][axis] + float(steps[-1])
    home = -float(median_low(sorted(steps.tolist())))
    start = _inside(site, axis, row[0][axis] + home + extent / 2, extent)
    home = home if abs(start - row[0][axis] - home) < site.layout.frame.quantum else start - row[0][axis]
    for name, step in zip(order, steps.tolist(), strict=True):
        yield _shift(name, axis, snap(step + home, site.layout.frame.quantum), "spaced as stated")


def _inside(site: Situation, axis: Axis, middle: float, extent: float) -> float:
    """Where a row of this extent begins, around its middle, moved into the canvas where that is possible."""
    low, high = site.layout.frame.bounds[axis], site.layout.frame.bounds[axis + 2]
    start = min(max(middle - extent / 2, low), max(high - extent, low))
    return snap(start, site.layout.frame.quantum)


_LINES: dict[str, tuple[tuple[Axis, float], ...]] = {
    "left": ((0, 0.0),),
    "right": ((0, 1.0),),
    "top": ((1, 0.0),),
    "bottom": ((1, 1.0),),
    "center_x": ((0, 0.5),),
    "center_y": ((1, 0.5),),
    "row": ((1, 0.5), (1, 0.0), (1, 1.0)),
    "column": ((0, 0.5), (0, 0.0), (0, 1.0)),
}
"""Axes across the line, and where along a box's extent on these: 0 at its lower end, 1 at its higher."""


def aligned(site: Situation, read: Requirement) -> Iterator[Move]:
    """All on the line that most are on; a row or column by the edges or centers that are nearest to one line."""
    space = site.view(read)
    names = site.names(read.parts)
    boxes = {name: flat(space, name) for name in names}
    if len(names) < 2:
        return
    if read.edge == "grid":
        yield from _gridded(site, read, boxes, space.scale)
        return
    edges = _LINES[read.edge or "row"]
    if site.layout.frame.plan and read.edge in ("top", "bottom"):  # heights, which no move in the plane changes
        return
    lines: list[tuple[Axis, dict[str, float]]] = [
        (axis, {n: (1 - e) * b[axis] + e * b[axis + 2] for n, b in boxes.items()}) for axis, e in edges
    ]

    def off(line: tuple[Axis, dict[str, float]]) -> float:
        middle = median(line[1].values())
        return max(abs(v - middle) for v in line[1].values())

    axis, values = min(lines, key=off)
    inner = set(names) - set(site.tops(names))
    held = [v for n, v in values.items() if site.locked(n) or (inner and n not in inner)]
    target = held[0] if held else median_low(sorted(values.values()))
    for name, value in values.items():
        yield _shift(name, axis, snap(target - value, site.layout.frame.quantum), "in line")


def _gridded(site: Situation, read: Requirement, boxes: dict[str, Bounds], scale: float) -> Iterator[Move]:
    """Rows and columns of equal cells with equal gaps, each line where it is nearest to where it was."""
    rows, columns = _shape(read, boxes)
    if rows * columns != len(boxes):
        return
    cells = _cells(boxes, columns)
    targets: list[tuple[float, Floats]] = []
    quantum = site.layout.frame.quantum
    for axis, lines in ((0, list(zip(*cells, strict=True))), (1, cells)):
        usual = snap(median_low(sorted(b[axis + 2] - b[axis] for b in boxes.values())), quantum)
        starts = np.array([median(center(boxes[n])[axis] - usual / 2 for n in line) for line in lines])
        line = _even_line(starts) if len(starts) > 2 else starts
        step = (
            usual + read.length * scale if read.length is not None else float(line[1] - line[0]) if len(line) > 1 else 0
        )
        index = np.arange(len(starts), dtype=np.float64) * snap(step, quantum)
        at: Floats = index + snap(median_low(sorted((starts - index).tolist())), quantum)
        targets.append((usual, at))
    (width, xs), (height, ys) = targets
    for y, row in zip(ys.tolist(), cells, strict=True):
        for x, name in zip(xs.tolist(), row, strict=True):
            yield onto(name, boxes[name], (x, y, x + width, y + height), "put into its cell")


def _shape(read: Requirement, boxes: dict[str, Bounds]) -> tuple[int, int]:
    """How many rows and columns are stated, or else there are."""
    rows = read.rows or (len(boxes) // read.columns if read.columns else _bands(boxes, 1))
    return rows, read.columns or max(len(boxes) // rows, 1)


def _bands(boxes: dict[str, Bounds], axis: Axis) -> int:
    """How many rows (axis 1): what begins beyond the middle of a row's first opens a new one."""
    count, edge = 0, float("-inf")
    for box in sorted(boxes.values(), key=lambda b: center(b)[axis]):
        if center(box)[axis] >= edge:
            count, edge = count + 1, box[axis + 2]
    return count


def _cells(boxes: dict[str, Bounds], columns: int) -> list[list[str]]:
    """By height into rows of as many as there are columns, each from left to right."""
    order = sorted(boxes, key=lambda n: (center(boxes[n])[1], n))
    rows = [order[i : i + columns] for i in range(0, len(order), columns)]
    return [sorted(row, key=lambda n: (center(boxes[n])[0], n)) for row in rows]
