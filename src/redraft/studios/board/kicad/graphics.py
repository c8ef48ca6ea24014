"""Graphic items of a board, a footprint or a custom pad, and their points; curves are flattened to within 0.2 µm.

Lengths are millimeters, y grows downwards. Points are arrays (n, 2) whose first and last rows are the curve's own ends,
bit for bit; the leftmost, rightmost, highest and lowest points of an arc are among them, so that boxes are exact."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from redraft.studios.board.kicad.sexpr import MalformedError, Point, Tree, first, found, length, point, text

Points = NDArray[np.float64]
Pair = Sequence[float]

CHORD = 0.0002
"""How far a curve and the line that stands for it may be apart: 0.2 µm."""
MOST = 4096
"""Pieces to a quarter turn, or to a curve, whatever its size: enough for a radius of 1.3 m within `CHORD`."""
QUARTER = math.pi / 2


def arc_points(start: Pair, mid: Pair, end: Pair) -> Points:
    """The arc from start over mid to end, as KiCad 6 and later write it.

    Three points in a line are that line. An arc that ends where it begins is the whole circle, mid opposite.
    """
    if tuple(start) == tuple(end):
        return _pinned(_swept(_between(start, mid), start, 2 * math.pi), start, end)
    centre = _centre(start, mid, end)
    if centre is None:
        return np.array([start, end], dtype=np.float64)
    return _pinned(_swept(centre, start, _sweep(centre, start, mid, end)), start, end)


def arc_from_centre(centre: Pair, start: Pair, degrees: float) -> Points:
    """The arc about a center, from start, over so many degrees, as KiCad 4 and 5 write it.

    Positive angles go clockwise as seen, y growing downwards. More than a whole turn is one turn.
    """
    sweep = math.radians(max(-360.0, min(360.0, degrees)))
    return _swept(centre, start, sweep)


def circle(centre: Pair, radius: float) -> Points:
    """A closed circle: the last point is the first one."""
    x, y = centre
    return arc_from_centre(centre, (x + radius, y), 360.0)


def bezier(start: Pair, first: Pair, second: Pair, end: Pair) -> Points:
    """A cubic Bézier curve with its two control points."""
    p = np.array([start, first, second, end], dtype=np.float64)
    bend = float(np.abs(p[:-2] - 2 * p[1:-1] + p[2:]).sum(axis=1).max())  # |B''| is at most six times that
    steps = _count(math.sqrt(0.75 * bend / CHORD))
    t = np.linspace(0.0, 1.0, steps + 1)[:, None]
    u = 1 - t
    return _pinned(u**3 * p[0] + 3 * u**2 * t * p[1] + 3 * u * t**2 * p[2] + t**3 * p[3], start, end)


def _between(a: Pair, b: Pair) -> tuple[float, float]:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _centre(start: Pair, mid: Pair, end: Pair) -> tuple[float, float] | None:
    """The middle of the circle through three points; None where they lie in a line."""
    ax, ay = mid[0] - start[0], mid[1] - start[1]
    bx, by = end[0] - start[0], end[1] - start[1]
    twice = 2 * (ax * by - ay * bx)
    a, b = ax * ax + ay * ay, bx * bx + by * by
    if abs(twice) <= 1e-9 * max(a, b):  # bent by less than the files' own rounding
        return None
    return (start[0] + (by * a - ay * b) / twice, start[1] + (ax * b - bx * a) / twice)


def _angle(centre: Pair, at: Pair) -> float:
    return math.atan2(at[1] - centre[1], at[0] - centre[0])


def _sweep(centre: Pair, start: Pair, mid: Pair, end: Pair) -> float:
    """Radians from start to end, by way of mid: positive is clockwise as seen."""
    first = _angle(centre, start)
    over = (_angle(centre, mid) - first) % (2 * math.pi)
    whole = (_angle(centre, end) - first) % (2 * math.pi)
    return whole if over <= whole else whole - 2 * math.pi


def _swept(centre: Pair, start: Pair, sweep: float) -> Points:
    """Points about a center from start on, each quarter of the circle divided evenly."""
    radius, first = math.dist(centre, start), _angle(centre, start)
    angles = _angles(first, first + sweep, radius)
    found = np.empty((len(angles), 2))
    found[:, 0] = centre[0] + radius * np.cos(angles)
    found[:, 1] = centre[1] + radius * np.sin(angles)
    found[0] = start
    if abs(sweep) == 2 * math.pi:
        found[-1] = start
    return found


def _angles(first: float, last: float, radius: float) -> NDArray[np.float64]:
    """From first to last, by way of the quarter turns between them, in steps as fine as `CHORD` asks for."""
    low, high = sorted((first, last))
    quarters = [n * QUARTER for n in range(math.floor(low / QUARTER) + 1, math.ceil(high / QUARTER))]
    fine = math.sqrt(8 * CHORD / radius) if radius > 0 else QUARTER  # below the exact 2 acos(1 − CHORD / radius)
    angles = np.array([*(at for a, b in pairwise((low, *quarters, high)) for at in _steps(a, b, fine)), high])
    return angles if first <= last else angles[::-1]


def _steps(low: float, high: float, fine: float) -> list[float]:
    """Evenly from low, up to high and without it. Most are so few that an array would take longer."""
    count = _count((high - low) / fine)
    step = (high - low) / count
    return [low + step * n for n in range(count)]


def _count(pieces: float) -> int:
    return min(MOST, math.ceil(pieces)) or 1


def _pinned(points: Points, start: Pair, end: Pair) -> Points:
    """Its two ends where they are said to be: the circle through three rounded points misses them by a little."""
    points[0], points[-1] = start, end
    return points


Kind = Literal["line", "arc", "circle", "rect", "poly", "curve"]


_NUMBER = rb"-?\d{1,5}(?:\.\d{1,12})?"
_LINE = re.compile(
    rb"\s*\(fp_line\s+\(start\s+(%b)\s+(%b)\)\s*\(end\s+(%b)\s+(%b)\)\s*"
    rb'(?:\(stroke\s+\(width\s+%b\)\s*\(type\s+\w+\)\s*\)\s*)?\(layer\s+(?:"([\w.]+)"|([\w.]+))\)\s*'
    rb"(?:\(width\s+%b\)\s*)?\)" % ((_NUMBER,) * 6)
)
"""A line as KiCad 4 to 9 write it, its identifier left out: nine in ten items of a footprint's drawing."""


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
    """Of a rectangle's corners, which KiCad 10 can round."""


def graphic(item: Tree) -> Graphic | None:
    """A list such as `(fp_line …)` or `(gr_arc …)`; None for others (a text). Raises `MalformedError`."""
    kind = text(item, 0).partition("_")[2]
    if kind not in _POINTS:
        return None
    points = _POINTS[kind](item)
    turned = first(item, b"angle") if kind == "arc" and len(points) == 2 else None
    width, bent = _width(item), first(item, b"radius") if kind == "rect" else None
    return Graphic(
        cast("Kind", kind),
        points,
        length(turned) if turned else None,
        width,
        _filled(item, kind, width),
        max(0.0, length(bent)) if bent else 0.0,
    )


def leading_lines(drawing: bytes) -> tuple[list[tuple[str, Graphic]], bytes]:
    """The plain lines that a footprint's drawing begins with, each with its layer and without its pen; and the rest.

    Exactly what `graphic` says of their points, several times as soon.
    """
    found, at = list[tuple[str, Graphic]](), 0
    while match := _LINE.match(drawing, at):
        x0, y0, x1, y1, quoted, bare = match.groups()
        ends = ((float(x0), float(y0)), (float(x1), float(y1)))
        found.append(((quoted or bare).decode(), Graphic("line", ends)))
        at = match.end()
    return found, drawing[at:]


def path(graphic: Graphic) -> Points:
    """Its points (n, 2), the last the first where it is closed; arcs within 0.2 µm, pens without width."""
    at = graphic.points
    if graphic.kind == "arc":
        return arc_points(*at) if graphic.angle is None else arc_from_centre(at[0], at[1], graphic.angle)
    if graphic.kind == "circle":
        return circle(at[0], float(np.hypot(at[1][0] - at[0][0], at[1][1] - at[0][1])))
    if graphic.kind == "curve":
        return bezier(*at)
    if graphic.kind == "rect":
        return _rectangle(at[0], at[1], graphic.radius)
    return np.array((*at, at[0]) if graphic.kind == "poly" else at)


def _rectangle(one: Point, other: Point, radius: float) -> Points:
    """Clockwise as seen from its upper left corner on; as round as its sides allow."""
    (x0, x1), (y0, y1) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    if radius <= 0:
        return np.array(((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)))
    left, right, top, bottom = x0 + radius, x1 - radius, y0 + radius, y1 - radius
    corners = (
        arc_from_centre((right, top), (right, y0), 90.0),
        arc_from_centre((right, bottom), (x1, bottom), 90.0),
        arc_from_centre((left, bottom), (left, y1), 90.0),
        arc_from_centre((left, top), (x0, top), 90.0),
    )
    return np.concatenate((*corners, corners[0][:1]))


def _ends(item: Tree) -> tuple[Point, ...]:
    return (point(found(item, b"start")), point(found(item, b"end")))


def _arc(item: Tree) -> tuple[Point, ...]:
    """KiCad 6 and later give the middle; before, `start` was the center, `end` the start, with an angle."""
    start, end = _ends(item)
    middle = first(item, b"mid")
    if middle is None:
        found(item, b"angle")
        return (start, end)
    return (start, point(middle), end)


def _circle(item: Tree) -> tuple[Point, ...]:
    return (point(found(item, b"center")), point(found(item, b"end")))


def _corners(item: Tree) -> tuple[Point, ...]:
    """Of a polygon, whose outline may have arcs."""
    points: list[Point] = []
    for corner in found(item, b"pts")[1:]:
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


def _controls(item: Tree) -> tuple[Point, ...]:
    points = _corners(item)
    if len(points) != 4:
        raise MalformedError(f"a curve has four control points, this one {len(points)}")
    return points


_POINTS = {"line": _ends, "arc": _arc, "circle": _circle, "rect": _ends, "poly": _corners, "curve": _controls}


def _width(item: Tree) -> float:
    stroke = first(item, b"stroke")
    width = first(stroke if stroke else item, b"width")
    return max(0.0, length(width)) if width else 0.0


def _filled(item: Tree, kind: str, width: float) -> bool:
    """Older files say nothing: polygons were always filled, circles and rectangles where the pen had no width."""
    fill = first(item, b"fill")
    if fill is not None and len(fill) > 1:
        return text(fill, 1) in {"yes", "solid"}
    return kind == "poly" or (kind in {"circle", "rect"} and width == 0)
