"""Labels and dimension arrows of a picture.

Labels stand in or beside what they name and never cover each other; they are placed greedily in the order given, so
that the same labels always get the same places. A dimension is a gap with its length, drawn with arrows from outside
where it is narrow. All numbers are pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from redraft.layout.items import Bounds, Point
from redraft.studios.board.views.canvas import PLOT, Canvas
from redraft.studios.board.views.facts import View
from redraft.studios.board.views.gaps import EDGE, Measure, between, to_edge
from redraft.studios.board.views.window import Window
from redraft.text import clean, number

MARGIN = 3.0
"""Between a label and what it names."""
MAX_COVERED = 0.5
"""The share of a thing that a label within it may cover."""
REACHES = (10.0, 20.0, 34.0, 52.0, 76.0, 108.0)
"""Distances that are tried for a label with a leader line."""
DIRECTIONS = tuple((math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)) for k in (7, 5, 1, 3, 6, 2, 0, 4))
"""Unit vectors in which they are tried, diagonals first."""


@dataclass(frozen=True)
class Label:
    """A text to be placed: its size and the box of what it names."""

    text: str
    width: float
    height: float
    named: Bounds
    inner: Bounds | None = None
    """The box within which the label may stand, if it may: the body of a part."""
    holes: tuple[Bounds, ...] = ()
    """Boxes within it that must stay visible: pads."""
    must: bool = False
    """It may cover another thing rather than be left out."""


@dataclass(frozen=True)
class Placed:
    """A label with its box; `leader` leads from it to what it names where they are apart."""

    label: Label
    box: Bounds
    inside: bool = False
    leader: tuple[Point, Point] | None = None


def place(labels: Sequence[Label], field: Bounds, taken: Sequence[Bounds], soft: Sequence[Bounds]) -> list[Placed]:
    """Return places for as many labels as there is room for, in their order.

    Args:
        field: the box in which all must lie.
        taken: boxes that no label may meet.
        soft: boxes of other things, which labels avoid; those that must be placed, as far as they can.
    """
    places: list[Placed] = []
    blocked, others = _array(taken), _array(soft)
    for label in labels:
        # The first candidate that covers nothing; for a must, else the one that covers least of other things.
        least, best = math.inf, None
        for candidate in _candidates(label):
            if not _within(candidate.box, field) or _covers(candidate.box, blocked):
                continue
            cost = 0.0 if candidate.inside else _covers(candidate.box, others)
            if cost < least:
                least, best = cost, candidate
            if cost == 0.0:
                break
        if best is not None and (label.must or least == 0.0):
            places.append(best)
            blocked = np.vstack([blocked, _array([best.box])])
    return places


def _array(boxes: Sequence[Bounds]) -> NDArray[np.float64]:
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


def _candidates(label: Label) -> Iterator[Placed]:
    """Yield places for a label, the best first: within its thing, beside it, and further away with a leader line."""
    if label.inner is not None:
        yield from _inside(label, label.inner)

    # Over and under the middle, right and left of it, then at the corners.
    x0, y0, x1, y1 = label.named
    w, h = label.width, label.height
    xm, ym = (x0 + x1 - w) / 2, (y0 + y1 - h) / 2
    over, under, right, left = y0 - h - MARGIN, y1 + MARGIN, x1 + MARGIN, x0 - w - MARGIN
    corners = [(xm, over), (xm, under), (right, ym), (left, ym)]
    corners += [(x0, over), (x1 - w, over), (x0, under), (x1 - w, under)]
    corners += [(right, over), (left, over), (right, under), (left, under)]
    for x, y in corners:
        yield Placed(label, (x, y, x + w, y + h))

    for reach in REACHES:
        for dx, dy in DIRECTIONS:
            at = ((x0 + x1) / 2 + dx * (x1 - x0) / 2, (y0 + y1) / 2 + dy * (y1 - y0) / 2)
            cx, cy = at[0] + dx * (reach + w / 2), at[1] + dy * (reach + h / 2)
            box = (cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2)
            end = (min(max(at[0], box[0]), box[2]), min(max(at[1], box[1]), box[3]))
            yield Placed(label, box, leader=(at, end))


def _inside(label: Label, inner: Bounds) -> Iterator[Placed]:
    """Yield places within a thing: in its middle, or a quarter of its height above or below."""
    x0, y0, x1, y1 = inner
    x, ym = (x0 + x1 - label.width) / 2, (y0 + y1 - label.height) / 2
    if label.width * label.height > MAX_COVERED * (x1 - x0) * (y1 - y0):
        return
    holes = _array(label.holes)
    for down in (0.0, -0.25, 0.25):
        y = ym + down * (y1 - y0)
        box = (x, y, x + label.width, y + label.height)
        if _within(box, inner) and not _covers(box, holes):
            yield Placed(label, box, inside=True)


def _within(box: Bounds, field: Bounds) -> bool:
    return box[0] >= field[0] and box[1] >= field[1] and box[2] <= field[2] and box[3] <= field[3]


def _covers(box: Bounds, others: NDArray[np.float64]) -> float:
    """Return the area of other boxes that a box covers; where they overlap each other, it counts again."""
    wide = np.minimum(others[:, 2], box[2]) - np.maximum(others[:, 0], box[0])
    high = np.minimum(others[:, 3], box[3]) - np.maximum(others[:, 1], box[1])
    return float((np.maximum(wide, 0.0) * np.maximum(high, 0.0)).sum())


GAP_COLOR = "#3fd7ff"
MAX_DIMENSIONS = 4
CROWDED = 40
"""In a window of more things, none of them named, no gap is more important than the others."""
HEAD = 6.0
"""The length of an arrow's head."""
NARROW = 3 * HEAD
"""Shorter dimensions are drawn with arrows from outside."""
NAMED, NEAR, ASIDE = (1.5, 600.0), (2.0, 150.0), (5.0, 150.0)
"""The shortest and longest gap that is drawn: between named things, from one to another thing, between others."""
OUTSIDE = 13.0
"""The length of arrows from outside."""
BESIDE, MAX_BESIDE = 9.0, 90.0
"""How far beside the smaller thing a dimension is drawn that would cover small things, and the farthest."""
MAX_COVERABLE = 120.0
"""Arrows may cover things that are larger than this: they stay visible."""


@dataclass(frozen=True)
class Dimension:
    """A gap in pixels, with its length in words."""

    start: Point
    end: Point
    words: str
    extensions: tuple[tuple[Point, Point], ...] = ()
    """Thin lines from the things to a dimension that is drawn beside them."""

    @property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    @property
    def tips(self) -> tuple[Point, Point]:
        """The ends of the whole drawing."""
        if self.length >= NARROW:
            return self.start, self.end
        (x0, y0), (x1, y1), (ux, uy) = self.start, self.end, self.way
        return (x0 - ux * OUTSIDE, y0 - uy * OUTSIDE), (x1 + ux * OUTSIDE, y1 + uy * OUTSIDE)

    @property
    def way(self) -> Point:
        length = self.length or 1.0
        return ((self.end[0] - self.start[0]) / length, (self.end[1] - self.start[1]) / length)

    @property
    def boxes(self) -> list[Bounds]:
        """Small boxes along the whole drawing."""
        (x0, y0), (x1, y1) = self.tips
        count = max(2, math.ceil(math.dist((x0, y0), (x1, y1)) / 8) + 1)
        points = [(x0 + (x1 - x0) * k / (count - 1), y0 + (y1 - y0) * k / (count - 1)) for k in range(count)]
        return [(x - 2.5, y - 2.5, x + 2.5, y + 2.5) for x, y in points]


def dimensions_of(window: Window, view: View, canvas: Canvas) -> list[Dimension]:
    """Return the most important gaps of a view that lie on the plot, between parts on the same side."""
    items = {clean(item.name): item for item in window.items}
    named = {clean(item.name) for item in window.items[: window.named]}
    dimensions: list[Dimension] = []
    solid = window.layout.frame.solid
    boxes = [canvas.box(window.box(i)) for i, item in enumerate(window.items) if item.claims]
    things = _array([box for box in boxes if max(box[2] - box[0], box[3] - box[1]) <= MAX_COVERABLE])
    if not named and len(items) > CROWDED:
        return dimensions
    for gap in view.gaps:
        a, b = gap.between
        if gap.other_side or a not in items or (b != EDGE and b not in items):
            continue
        measure = to_edge(window.layout, items[a]) if b == EDGE else between(window.layout, items[a], items[b])
        limits = NAMED if {a, b} <= named else NEAR if a in named or b in named else ASIDE
        dimension = None if measure is None else _dimension(measure, canvas, window.layout.frame.unit, limits)
        if dimension is None:
            continue
        if solid:
            both = [canvas.box(window.layout.bounds(items[name].name)) for name in (a, b) if name in items]
            dimension = _aside(dimension, both, things)
            if not {a, b} <= named and _hidden(dimension, things):
                continue
        dimensions.append(dimension)
        if len(dimensions) == MAX_DIMENSIONS:
            break
    return dimensions


def _aside(dimension: Dimension, both: Sequence[Bounds], things: NDArray[np.float64]) -> Dimension:
    """Return a dimension where it covers least of things: between the two, or beside them with lines that lead there."""
    (x0, y0), (x1, y1) = dimension.start, dimension.end
    across = 1 if abs(y1 - y0) < 0.5 else 0 if abs(x1 - x0) < 0.5 else None
    if across is None:
        return dimension
    smaller = min(both, key=lambda box: box[across + 2] - box[across])
    low, high = smaller[across] - BESIDE, smaller[across + 2] + BESIDE
    ways = [dimension]
    for at in sorted((low, high), key=lambda v: abs(v - dimension.start[across])):
        if PLOT[across] < at < PLOT[across + 2] and abs(at - dimension.start[across]) <= MAX_BESIDE:
            start, end = ((at, y0), (at, y1)) if across == 0 else ((x0, at), (x1, at))
            lines = ((dimension.start, start), (dimension.end, end))
            ways.append(Dimension(start, end, dimension.words, lines))
    return min(ways, key=lambda way: (_hidden(way, things), way is not dimension))


def _hidden(dimension: Dimension, things: NDArray[np.float64]) -> float:
    """Return the area of things that a dimension hides."""
    return round(sum(_covers(box, things) for box in dimension.boxes[1:-1]), 3)


def _dimension(measure: Measure, canvas: Canvas, unit: str, limits: tuple[float, float]) -> Dimension | None:
    """Return a gap in pixels; None where it is 0, not on the plot, or not within the limits."""
    start, end = (canvas.at(*point) for point in measure.ends)
    on_plot = all(PLOT[0] <= x <= PLOT[2] and PLOT[1] <= y <= PLOT[3] for x, y in (start, end))
    if measure.true_distance <= 0 or not on_plot or not limits[0] <= math.dist(start, end) <= limits[1]:
        return None
    length = number(measure.true_distance, 3)
    return Dimension(start, end, f"{length} {unit}" if unit != "canvas" else length)


def arrow(dimension: Dimension) -> Iterator[str]:
    """Yield line and heads of a dimension."""
    for a, b in dimension.extensions:
        yield f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" stroke="{GAP_COLOR}" stroke-width="0.6"/>'
    ux, uy = dimension.way
    pairs = [(dimension.start, (-ux, -uy)), (dimension.end, (ux, uy))]
    if dimension.length >= NARROW:
        yield _line(dimension.start, dimension.end)
    else:
        for at, tip in zip((dimension.start, dimension.end), dimension.tips, strict=True):
            yield _line(tip, at)
        pairs = [(at, (-wx, -wy)) for at, (wx, wy) in pairs]
    for (x, y), (ux, uy) in pairs:
        half = HEAD * 0.45
        corners = (
            (x, y),
            (x - ux * HEAD - uy * half, y - uy * HEAD + ux * half),
            (x - ux * HEAD + uy * half, y - uy * HEAD - ux * half),
        )
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in corners)
        yield f'<polygon points="{points}" fill="{GAP_COLOR}"/>'


def _line(a: Point, b: Point) -> str:
    return (
        f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" stroke="{GAP_COLOR}" stroke-width="1.6" fill="none"/>'
    )
