"""What a board, its footprints and their hand-made pads are drawn with: one graphic item of the file, and its points.

An item is a small value of numbers as they are written, so that equal ones are worked out once: the hundred resistors
of a board are all the same drawing.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, cast

import numpy as np

from redraft.studios.board.arcs import Points, arc_from_centre, arc_points, bezier, circle
from redraft.studios.board.tree import MalformedError, Point, Tree, first, found, length, point, text

__all__ = ["Graphic", "Kind", "graphic", "leading_lines", "path"]

Kind = Literal["line", "arc", "circle", "rect", "poly", "curve"]


_NUMBER = rb"-?\d{1,5}(?:\.\d{1,12})?"
_LINE = re.compile(
    rb"\s*\(fp_line\s+\(start\s+(%b)\s+(%b)\)\s*\(end\s+(%b)\s+(%b)\)\s*"
    rb'(?:\(stroke\s+\(width\s+%b\)\s*\(type\s+\w+\)\s*\)\s*)?\(layer\s+(?:"([\w.]+)"|([\w.]+))\)\s*'
    rb"(?:\(width\s+%b\)\s*)?\)" % ((_NUMBER,) * 6)
)
"""A line as KiCad 4 to 9 write it, its identifier left out: nine in ten items of a footprint's drawing."""


class Graphic(NamedTuple):
    """One graphic item as its file has it, in millimetres."""

    kind: Kind
    points: tuple[Point, ...]
    """line: ends · arc: start, middle, end, or centre and start where there is an `angle` · circle: centre and a point
    on it · rect: opposite corners · poly: corners · curve: four control points."""
    angle: float | None = None
    width: float = 0.0
    filled: bool = False
    radius: float = 0.0
    """Of a rectangle's corners, which KiCad 10 can round."""


def graphic(item: Tree) -> Graphic | None:
    """A list such as `(fp_line …)` or `(gr_arc …)`; None for what is no graphic (a text). Raises `MalformedError`."""
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
    """KiCad 6 and later give the middle; before, `start` was the centre, `end` the start, with an angle."""
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
