"""Dimension arrows: a gap with its length, as on a technical drawing; arrows from outside where it is narrow."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redraft.spatial.gaps import EDGE, Measure, between, to_edge
from redraft.spatial.layout import Bounds, Point
from redraft.spatial.picture_canvas import PLOT, Canvas
from redraft.spatial.token_budget import clean
from redraft.spatial.views import View
from redraft.spatial.window import Window

__all__ = ["COLOUR", "Dimension", "arrow", "dimensions_of"]

COLOUR = "#3fd7ff"
MOST = 6
CROWDED = 40
"""In a window of more things, none of them named, no gap is more important than the others."""
HEAD = 6.0
NARROW = 3 * HEAD
NAMED, NEAR, ASIDE = (1.5, 600.0), (2.0, 150.0), (5.0, 150.0)
"""Pixels from and to which a gap is drawn: between named things, from one to another thing, between others."""
OUTSIDE = 13.0
"""How long arrows from outside are."""


@dataclass(frozen=True)
class Dimension:
    """A gap in pixels, with its length in words."""

    start: Point
    end: Point
    words: str

    @property
    def length(self) -> float:
        return math.dist(self.start, self.end)

    @property
    def tips(self) -> tuple[Point, Point]:
        """The ends of all that is drawn of it."""
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
        """Small boxes along all that is drawn of it."""
        (x0, y0), (x1, y1) = self.tips
        count = max(2, math.ceil(math.dist((x0, y0), (x1, y1)) / 8) + 1)
        points = [(x0 + (x1 - x0) * k / (count - 1), y0 + (y1 - y0) * k / (count - 1)) for k in range(count)]
        return [(x - 2.5, y - 2.5, x + 2.5, y + 2.5) for x, y in points]


def dimensions_of(window: Window, view: View, canvas: Canvas) -> list[Dimension]:
    """The most important gaps of a view that lie on the plot, of the true shapes; parts on other sides left out."""
    items = {clean(item.name): item for item in window.items}
    named = {clean(item.name) for item in window.items[: window.named]}
    found: list[Dimension] = []
    if not named and len(items) > CROWDED:
        return found
    for gap in view.gaps:
        a, b = gap.between
        if gap.other_side or a not in items or (b != EDGE and b not in items):
            continue
        measure = to_edge(window.layout, items[a]) if b == EDGE else between(window.layout, items[a], items[b])
        if measure is not None and measure.true_distance > 0:
            limits = NAMED if {a, b} <= named else NEAR if a in named or b in named else ASIDE
            found += _drawn(measure, canvas, window.layout.frame.unit, limits)
    return found[:MOST]


def _drawn(measure: Measure, canvas: Canvas, unit: str, limits: tuple[float, float]) -> Sequence[Dimension]:
    start, end = (canvas.at(*point) for point in measure.ends)
    inside = all(PLOT[0] <= x <= PLOT[2] and PLOT[1] <= y <= PLOT[3] for x, y in (start, end))
    number = f"{measure.true_distance:.3f}".rstrip("0").rstrip(".")
    words = f"{number} {unit}" if unit != "canvas" else number
    return [Dimension(start, end, words)] if inside and limits[0] <= math.dist(start, end) <= limits[1] else []


def arrow(dimension: Dimension) -> Iterator[str]:
    """Line and heads."""
    ux, uy = dimension.way
    pairs = [(dimension.start, (-ux, -uy)), (dimension.end, (ux, uy))]
    if dimension.length >= NARROW:
        yield _line(dimension.start, dimension.end)
    else:
        for at, tip in zip((dimension.start, dimension.end), dimension.tips, strict=True):
            yield _line(tip, at)
        pairs = [(at, (-wx, -wy)) for at, (wx, wy) in pairs]
    yield from (_head(at, way) for at, way in pairs)


def _line(a: Point, b: Point) -> str:
    return f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" stroke="{COLOUR}" stroke-width="1.6" fill="none"/>'


def _head(at: Point, way: Point) -> str:
    """A head at a point, pointing along a unit vector."""
    (x, y), (ux, uy) = at, way
    back, half = HEAD, HEAD * 0.45
    corners = ((x, y), (x - ux * back - uy * half, y - uy * back + ux * half))
    last = (x - ux * back + uy * half, y - uy * back - ux * half)
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in (*corners, last))
    return f'<polygon points="{points}" fill="{COLOUR}"/>'
