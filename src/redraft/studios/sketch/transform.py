"""Strokes under an affine map, written back as strokes.

Ellipses stay ellipses (the image of an ellipse is one), rectangles and arcs stay what they are under shifts and
scaling along the axes; what has no such form becomes a path. Coordinates are rounded to the quantum of a sketch,
10⁻⁶ of the canvas. Pen widths are kept.
"""

from __future__ import annotations

import math
from typing import Any

from redraft.layout.items import Matrix
from redraft.studios.sketch import paths
from redraft.studios.sketch.spec import Stroke
from redraft.studios.sketch.strokes import Arc, Ellipse, Line, Path, Polyline, Rect, Text
from redraft.text import number

_DIGITS = 6
"""Decimals of a coordinate."""


def transformed(stroke: Stroke, matrix: Matrix) -> Stroke:
    """Return the stroke after the map.

    Text keeps upright: its anchor point is mapped and its size scaled by the square root of the area's factor.

    Raises:
        pydantic.ValidationError: it would leave the coordinates that drawings allow.
    """
    match stroke:
        case Line() | Polyline():
            return _changed(stroke, points=tuple(_point(matrix, p) for p in stroke.points))
        case Path():
            return _changed(stroke, d=path_data(_mapped(s, matrix) for s in paths.parse(stroke.d)))
        case Rect():
            return _rect(stroke, matrix)
        case Ellipse():
            return _ellipse(stroke, matrix)
        case Arc():
            return _arc(stroke, matrix)
        case Text():
            x, y = _point(matrix, (stroke.x, stroke.y))
            return _changed(stroke, x=x, y=y, size=_round(stroke.size * math.sqrt(abs(_det(matrix)))))


def path_data(segments: Any) -> str:
    """Write absolute segments as path data, numbers rounded to the quantum."""
    return " ".join(" ".join([s.command, *(number(n, _DIGITS) for n in s.numbers)]) for s in segments)


def _round(value: float) -> float:
    return round(value, _DIGITS) + 0.0  # + 0.0 makes −0.0 plain


def _det(matrix: Matrix) -> float:
    a, b, c, d, _, _ = matrix
    return a * d - b * c


def _apply(matrix: Matrix, point: tuple[float, float]) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    x, y = point
    return (a * x + c * y + e, b * x + d * y + f)


def _point(matrix: Matrix, point: tuple[float, float]) -> tuple[float, float]:
    x, y = _apply(matrix, point)
    return (_round(x), _round(y))


def _changed(stroke: Stroke, **fields: Any) -> Stroke:
    return type(stroke).model_validate(stroke.model_dump() | fields)


def _as_path(stroke: Rect | Arc, segments: list[paths.Segment]) -> Path:
    style = {"part": stroke.part, "fill": stroke.fill, "stroke": stroke.stroke, "width": stroke.width}
    return Path.model_validate({"kind": "path", "d": path_data(segments), "layer": stroke.layer, **style})


def _on_axes(matrix: Matrix) -> bool:
    return matrix[1] == 0 and matrix[2] == 0


def _rect(rect: Rect, matrix: Matrix) -> Stroke:
    sx, sy = abs(matrix[0]), abs(matrix[3])
    if not _on_axes(matrix) or (rect.r and sx != sy):
        return _as_path(rect, [_mapped(s, matrix) for s in _rect_segments(rect)])
    (x0, y0), (x1, y1) = _apply(matrix, (rect.x, rect.y)), _apply(matrix, (rect.x + rect.w, rect.y + rect.h))
    x, y = _round(min(x0, x1)), _round(min(y0, y1))
    return _changed(rect, x=x, y=y, w=_round(rect.w * sx), h=_round(rect.h * sy), r=_round(rect.r * sx))


def _rect_segments(rect: Rect) -> list[paths.Segment]:
    """Return the outline, clockwise, with arcs at rounded corners."""
    x0, y0, x1, y1 = rect.x, rect.y, rect.x + rect.w, rect.y + rect.h
    r = min(rect.r, rect.w / 2, rect.h / 2)
    runs = [(x1 - r, y0, x1, y0 + r), (x1, y1 - r, x1 - r, y1), (x0 + r, y1, x0, y1 - r), (x0, y0 + r, x0 + r, y0)]
    segments = [paths.Segment("M", (x0 + r, y0))]
    for ax, ay, bx, by in runs:
        segments.append(paths.Segment("L", (ax, ay)))
        if r:
            segments.append(paths.Segment("A", (r, r, 0.0, 0.0, 1.0, bx, by)))
    return [*segments, paths.Segment("Z", ())]


def _ellipse(ellipse: Ellipse, matrix: Matrix) -> Stroke:
    cx, cy = _point(matrix, (ellipse.cx, ellipse.cy))
    if _on_axes(matrix) and ellipse.angle == 0:
        rx, ry = ellipse.rx * abs(matrix[0]), ellipse.ry * abs(matrix[3])
        return _changed(ellipse, cx=cx, cy=cy, rx=_round(rx), ry=_round(ry))
    rx, ry, angle = _image(ellipse.rx, ellipse.ry, ellipse.angle, matrix)
    return _changed(ellipse, cx=cx, cy=cy, rx=_round(rx), ry=_round(ry), angle=_round(angle))


def _image(rx: float, ry: float, degrees: float, matrix: Matrix) -> tuple[float, float, float]:
    """Return radii and angle of an ellipse's image: singular values and left vectors of M · R(angle) · diag(rx, ry)."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    a, b, cc, d, _, _ = matrix
    m00, m10 = (a * c + cc * s) * rx, (b * c + d * s) * rx
    m01, m11 = (-a * s + cc * c) * ry, (-b * s + d * c) * ry
    e, f, g, h = (m00 + m11) / 2, (m00 - m11) / 2, (m10 + m01) / 2, (m10 - m01) / 2
    q, r = math.hypot(e, h), math.hypot(f, g)
    turn = (math.atan2(g, f) + math.atan2(h, e)) / 2
    return q + r, abs(q - r), math.degrees(turn)


def _arc(arc: Arc, matrix: Matrix) -> Stroke:
    if not _on_axes(matrix):
        # Two halves, so that a whole turn has two different ends.
        halves = [paths.Segment("A", (arc.rx, arc.ry, 0.0, 0.0, 1.0, *arc.at(t))) for t in (0.5, 1)]
        return _as_path(arc, [_mapped(s, matrix) for s in (paths.Segment("M", arc.at(0)), *halves)])
    cx, cy = _point(matrix, (arc.cx, arc.cy))
    start, end = arc.start, arc.start + arc.sweep
    if matrix[0] < 0:  # mirrored left to right: an angle from up changes its sign, the direction too
        start, end = -end, -start
    if matrix[3] < 0:
        start, end = 180 - end, 180 - start
    radii = {"rx": _round(arc.rx * abs(matrix[0])), "ry": _round(arc.ry * abs(matrix[3]))}
    turn = 360 * math.floor(start / 360)
    return _changed(arc, cx=cx, cy=cy, start=_round(start - turn), end=_round(end - turn), **radii)


def _mapped(segment: paths.Segment, matrix: Matrix) -> paths.Segment:
    n = segment.numbers
    if segment.command != "A":
        pairs = zip(n[::2], n[1::2], strict=True)
        return paths.Segment(segment.command, tuple(v for p in pairs for v in _apply(matrix, p)))
    rx, ry, angle = (n[0], n[1], n[2]) if matrix[:4] == (1, 0, 0, 1) else _image(n[0], n[1], n[2], matrix)
    sweep = n[4] if _det(matrix) > 0 else 1 - n[4]
    return paths.Segment("A", (rx, ry, angle, n[3], sweep, *_apply(matrix, segment.end)))
