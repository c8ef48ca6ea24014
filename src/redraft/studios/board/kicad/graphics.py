"""Graphic items of a board, a footprint or a custom pad, and their points; curves are flattened to within 0.2 µm.

Lengths are millimeters, y grows downwards. Points are arrays (n, 2) whose first and last rows are the curve's own ends,
bit for bit; the leftmost, rightmost, highest and lowest points of an arc are among them, so that boxes are exact.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from redraft.studios.board.kicad.sexpr import MalformedError, Point, Tree, first, length, point, require, text

Points = NDArray[np.float64]
Pair = Sequence[float]

CHORD = 0.0002
"""Millimeters between a curve and the line that stands for it, at most: 0.2 µm."""
MAX_PIECES = 4096
"""Pieces of a quarter turn, or of a curve, whatever its size: enough for a radius of 1.3 m within `CHORD`."""
QUARTER = math.pi / 2


def arc_points(start: Pair, mid: Pair, end: Pair) -> Points:
    """The arc from start over mid to end, as KiCad 6 and later write it.

    Three points in a line are that line. An arc that ends where it begins is the whole circle, mid opposite.
    """
    if tuple(start) == tuple(end):
        middle = ((start[0] + mid[0]) / 2, (start[1] + mid[1]) / 2)
        return _pinned(_swept(middle, start, 2 * math.pi), start, end)

    # The center of the circle through the three points.
    ax, ay = mid[0] - start[0], mid[1] - start[1]
    bx, by = end[0] - start[0], end[1] - start[1]
    twice = 2 * (ax * by - ay * bx)
    a, b = ax * ax + ay * ay, bx * bx + by * by
    if abs(twice) <= 1e-9 * max(a, b):  # bent by less than the files' own rounding
        return np.array([start, end], dtype=np.float64)
    center = (start[0] + (by * a - ay * b) / twice, start[1] + (ax * b - bx * a) / twice)

    # From start to end by way of mid; positive is clockwise as seen.
    first = _angle(center, start)
    over = (_angle(center, mid) - first) % (2 * math.pi)
    whole = (_angle(center, end) - first) % (2 * math.pi)
    sweep = whole if over <= whole else whole - 2 * math.pi
    return _pinned(_swept(center, start, sweep), start, end)


def arc_from_center(center: Pair, start: Pair, degrees: float) -> Points:
    """The arc about a center, from start, over so many degrees, as KiCad 4 and 5 write it.

    Positive angles go clockwise as seen, y growing downwards. More than a whole turn is one turn.
    """
    sweep = math.radians(max(-360.0, min(360.0, degrees)))
    return _swept(center, start, sweep)


def circle(center: Pair, radius: float) -> Points:
    """A closed circle: the last point is the first one."""
    x, y = center
    return arc_from_center(center, (x + radius, y), 360.0)


def bezier(start: Pair, first: Pair, second: Pair, end: Pair) -> Points:
    """A cubic Bézier curve with its two control points."""
    p = np.array([start, first, second, end], dtype=np.float64)
    bend = float(np.abs(p[:-2] - 2 * p[1:-1] + p[2:]).sum(axis=1).max())  # |B''| is at most six times that
    steps = _count(math.sqrt(0.75 * bend / CHORD))
    t = np.linspace(0.0, 1.0, steps + 1)[:, None]
    u = 1 - t
    return _pinned(u**3 * p[0] + 3 * u**2 * t * p[1] + 3 * u * t**2 * p[2] + t**3 * p[3], start, end)


def _angle(center: Pair, at: Pair) -> float:
    return math.atan2(at[1] - center[1], at[0] - center[0])


def _swept(center: Pair, start: Pair, sweep: float) -> Points:
    """Return points about a center from start on, in steps that `CHORD` asks for, evenly between quarter turns."""
    radius, begin = math.dist(center, start), _angle(center, start)
    low, high = sorted((begin, begin + sweep))
    quarters = [n * QUARTER for n in range(math.floor(low / QUARTER) + 1, math.ceil(high / QUARTER))]
    fine = math.sqrt(8 * CHORD / radius) if radius > 0 else QUARTER  # below the exact 2 acos(1 − CHORD / radius)

    # Most stretches have so few steps that an array would take longer than a list.
    angles: list[float] = []
    for a, b in pairwise((low, *quarters, high)):
        count = _count((b - a) / fine)
        step = (b - a) / count
        angles += [a + step * n for n in range(count)]
    angles.append(high)
    along = np.array(angles if sweep >= 0 else angles[::-1])

    points = np.empty((len(along), 2))
    points[:, 0] = center[0] + radius * np.cos(along)
    points[:, 1] = center[1] + radius * np.sin(along)
    points[0] = start
    if abs(sweep) == 2 * math.pi:
        points[-1] = start
    return points


def _count(pieces: float) -> int:
    return min(MAX_PIECES, math.ceil(pieces)) or 1


def _pinned(points: Points, start: Pair, end: Pair) -> Points:
    """Put the two ends where the file has them: the circle through three rounded points misses them by a little."""
    points[0], points[-1] = start, end
    return points


Kind = Literal["line", "arc", "circle", "rect", "poly", "curve"]


_NUMBER = rb"-?\d{1,5}(?:\.\d{1,12})?"
_LINE = re.compile(
    rb"\s*\(fp_line\s+\(start\s+(%b)\s+(%b)\)\s*\(end\s+(%b)\s+(%b)\)\s*"
    rb'(?:\(stroke\s+\(width\s+%b\)\s*\(type\s+\w+\)\s*\)\s*)?\(layer\s+(?:"([\w.]+)"|([\w.]+))\)\s*'
    rb"(?:\(width\s+%b\)\s*)?\)" % ((_NUMBER,) * 6)
)
"""A line as KiCad 4 to 9 write it, without its identifier: nine in ten items of a footprint's drawing."""


class Graphic(NamedTuple):
    """One graphic item as its file has it, in millimeters."""

    kind: Kind
    points: tuple[Point, ...]
    """line: ends · arc: start, middle, end, or center and start where there is an `angle` · circle: center and a point
    on it · rect: opposite corners · poly: corners · curve: four control points."""
    angle: float | None = None
    width: float = 0.0
    filled: bool = False
    radius: float = 0.0
    """The radius of a rectangle's corners, which KiCad 10 can round."""


def graphic(item: Tree) -> Graphic | None:
    """Read a list such as `(fp_line …)` or `(gr_arc …)`; None for others (a text). Raises `MalformedError`."""
    kind = text(item, 0).partition("_")[2]
    if kind not in _POINTS:
        return None
    points = _POINTS[kind](item)
    turned = first(item, b"angle") if kind == "arc" and len(points) == 2 else None
    rounding = first(item, b"radius") if kind == "rect" else None
    pen = first(first(item, b"stroke") or item, b"width")
    width = max(0.0, length(pen)) if pen else 0.0

    # Older files do not say: polygons were always filled, circles and rectangles where the pen had no width.
    fill = first(item, b"fill")
    if fill is not None and len(fill) > 1:
        filled = text(fill, 1) in {"yes", "solid"}
    else:
        filled = kind == "poly" or (kind in {"circle", "rect"} and width == 0)
    return Graphic(
        cast("Kind", kind),
        points,
        length(turned) if turned else None,
        width,
        filled,
        max(0.0, length(rounding)) if rounding else 0.0,
    )


def leading_lines(drawing: bytes) -> tuple[list[tuple[str, Graphic]], bytes]:
    """Return the plain lines that a footprint's drawing begins with, with their layers and without pens, and the rest.

    The points are exactly those that `graphic` reads, several times faster.
    """
    lines, at = list[tuple[str, Graphic]](), 0
    while match := _LINE.match(drawing, at):
        x0, y0, x1, y1, quoted, bare = match.groups()
        ends = ((float(x0), float(y0)), (float(x1), float(y1)))
        lines.append(((quoted or bare).decode(), Graphic("line", ends)))
        at = match.end()
    return lines, drawing[at:]


def path(graphic: Graphic) -> Points:
    """Return the points (n, 2) of an item, its pen left out; where it is closed, the last is the first."""
    at = graphic.points
    if graphic.kind == "arc":
        return arc_points(*at) if graphic.angle is None else arc_from_center(at[0], at[1], graphic.angle)
    if graphic.kind == "circle":
        return circle(at[0], float(np.hypot(at[1][0] - at[0][0], at[1][1] - at[0][1])))
    if graphic.kind == "curve":
        return bezier(*at)
    if graphic.kind == "rect":
        return _rectangle(at[0], at[1], graphic.radius)
    return np.array((*at, at[0]) if graphic.kind == "poly" else at)


def _rectangle(one: Point, other: Point, radius: float) -> Points:
    """Return its points clockwise as seen, from the upper left corner on; corners as round as its sides allow."""
    (x0, x1), (y0, y1) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    if radius <= 0:
        return np.array(((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)))
    left, right, top, bottom = x0 + radius, x1 - radius, y0 + radius, y1 - radius
    corners = (
        arc_from_center((right, top), (right, y0), 90.0),
        arc_from_center((right, bottom), (x1, bottom), 90.0),
        arc_from_center((left, bottom), (left, y1), 90.0),
        arc_from_center((left, top), (x0, top), 90.0),
    )
    return np.concatenate((*corners, corners[0][:1]))


def _ends(item: Tree) -> tuple[Point, ...]:
    return (point(require(item, b"start")), point(require(item, b"end")))


def _arc(item: Tree) -> tuple[Point, ...]:
    """Return start, middle and end; before KiCad 6 `start` was the center, `end` the start, and an angle followed."""
    start, end = _ends(item)
    middle = first(item, b"mid")
    if middle is None:
        require(item, b"angle")
        return (start, end)
    return (start, point(middle), end)


def _corners(item: Tree) -> tuple[Point, ...]:
    """Return the corners of a polygon, whose outline may have arcs."""
    points: list[Point] = []
    for corner in require(item, b"pts")[1:]:
        if not isinstance(corner, list) or not corner:
            raise MalformedError("(pts …) should have (xy …) and (arc …) only")
        arc = _arc(corner) if text(corner, 0) == "arc" else ()
        if len(arc) == 3:
            points.extend((float(x), float(y)) for x, y in arc_points(*arc))
        else:
            points.append(point(corner))
    if not points:
        raise MalformedError("(pts …) is empty")
    return tuple(points)


def _circle(item: Tree) -> tuple[Point, ...]:
    return (point(require(item, b"center")), point(require(item, b"end")))


def _curve(item: Tree) -> tuple[Point, ...]:
    points = _corners(item)
    if len(points) != 4:
        raise MalformedError(f"a curve has four control points, this one {len(points)}")
    return points


_POINTS = {"line": _ends, "arc": _arc, "circle": _circle, "rect": _ends, "poly": _corners, "curve": _curve}
"""The function that reads the points of each kind of item."""
