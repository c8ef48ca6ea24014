"""From marks in an entry's own units to strokes on the canvas: fitting a box, pens, colours, the draft format.

What is painted includes half a pen's width around each outline, and pens are shares of the canvas and do not grow with
the thing; so the scale is solved for, and the painted extents fill the box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from redraft.offline.lexicon.palette import PEN, resolve
from redraft.offline.lexicon.shapes import Path, Polyline, Shape, shrink_of
from redraft.spatial.layout import Bounds, Matrix

__all__ = ["Mark", "Piece", "extents", "fit", "plan_of", "strokes_of"]

SLACK = 0.08
"""How much a thing is stretched one way to fill a box whose aspect is off by the pen's width."""

Draft = dict[str, object]
_Span = tuple[float, float, float, float]
"""From, to, pen, thickness of a mark along one axis."""


@dataclass(frozen=True)
class Mark:
    """One painted shape. Colours are tokens; `pen` in outline widths, `thick` in the units of the shape."""

    shape: Shape
    fill: str
    stroke: str
    pen: float
    thick: float = 0.0


@dataclass(frozen=True)
class Piece:
    """One part as drawn; `colour` is its main colour's token, None for the entry's."""

    name: str
    noun: str
    parent: str | None
    colour: str | None
    marks: tuple[Mark, ...]

    def mapped(self, m: Matrix, name: str = "") -> Piece:
        marks = tuple(replace(mark, shape=mark.shape.mapped(m), thick=mark.thick * shrink_of(m)) for mark in self.marks)
        return replace(self, name=name or self.name, marks=marks)


def _spans(pieces: Sequence[Piece]) -> tuple[list[_Span], list[_Span]]:
    across: list[_Span] = []
    down: list[_Span] = []
    for mark in (m for piece in pieces for m in piece.marks):
        points = mark.shape.points()
        if points:
            pen = 0.0 if mark.stroke == "none" and not mark.thick else mark.pen
            xs, ys = [p[0] for p in points], [p[1] for p in points]
            across.append((min(xs), max(xs), pen, mark.thick))
            down.append((min(ys), max(ys), pen, mark.thick))
    return across, down


def _interval(spans: list[_Span], scale: float, pen: float) -> tuple[float, float]:
    """Where the painted marks begin and end along an axis, at a scale; `pen` is the outline's width."""
    low = min(a * scale - (pen * p + t * scale) / 2 for a, _, p, t in spans)
    high = max(b * scale + (pen * p + t * scale) / 2 for _, b, p, t in spans)
    return low, high


def _scale(spans: list[_Span], pen: float, length: float) -> float | None:
    """The scale at which the marks paint `length`; None when they have no extent along this axis."""
    bare = max(b + t / 2 for _, b, _, t in spans) - min(a - t / 2 for a, _, _, t in spans)
    if bare < 1e-9:
        return None
    scale = length / bare
    for _ in range(8):  # the painted length is piecewise linear in the scale: a few steps reach it
        low, high = _interval(spans, scale, pen)
        scale = max(scale + (length - (high - low)) / bare, 0.05 * length / bare)
    return scale


def pen_of(box: Bounds) -> float:
    """The outline's width on the canvas: the shared one, finer for things smaller than a quarter of the canvas."""
    size = max(box[2] - box[0], box[3] - box[1])
    return PEN * min(1.0, max(0.35, size / 0.25))


def fit(pieces: Sequence[Piece], box: Bounds, *, stretch: bool) -> Matrix:
    """The matrix that makes the pieces' painted extents fill a box of the canvas.

    Without `stretch` the aspect is kept, but for the few per cent that pens and odd counts make: the thing then stands
    centred at the bottom of the box.
    """
    across, down = _spans(pieces)
    pen = pen_of(box)
    sx, sy = _scale(across, pen, box[2] - box[0]), _scale(down, pen, box[3] - box[1])
    sx, sy = sx or sy or 1.0, sy or sx or 1.0
    if not stretch and not 1 - SLACK <= sx / sy <= 1 / (1 - SLACK):
        sx = sy = min(sx, sy)
    x0, _, x1, bottom = extents(pieces, (sx, 0.0, 0.0, sy, 0.0, 0.0), pen)
    return (sx, 0.0, 0.0, sy, (box[0] + box[2] - x0 - x1) / 2, box[3] - bottom)


def extents(pieces: Sequence[Piece], matrix: Matrix, pen: float) -> Bounds:
    """The box that the pieces paint under an upright matrix, `pen` being the outline's width."""
    a, _, _, d, e, f = matrix
    if a != d:  # circles stay circles, whatever the matrix does to the rest
        pieces, a, d = [piece.mapped((a, 0.0, 0.0, d, 0.0, 0.0)) for piece in pieces], 1.0, 1.0
    across, down = _spans(pieces)
    x0, x1 = _interval(across, a, pen)
    y0, y1 = _interval(down, d, pen)
    return (x0 + e, y0 + f, x1 + e, y1 + f)


def plan_of(pieces: Sequence[Piece], prefix: str, label: str) -> list[Draft]:
    """The plan, parents before children."""
    root = next(p.name for p in pieces if p.parent is None)
    names = {p.name: prefix if p.name == root else f"{prefix}_{p.name}" for p in pieces}
    parents = {p.name: p.parent for p in pieces}

    def depth(piece: Piece) -> int:
        steps, parent = 0, piece.parent
        while parent is not None:
            steps, parent = steps + 1, parents[parent]
        return steps

    return [
        {
            "name": names[piece.name],
            "label": label if piece.parent is None else piece.noun,
            "parent": None if piece.parent is None else names[piece.parent],
        }
        for piece in sorted(pieces, key=depth)
    ]


def strokes_of(
    pieces: Sequence[Piece], matrix: Matrix, pen: float, *, prefix: str, main: Callable[[Piece], str]
) -> list[Draft]:
    """The strokes on the canvas; `main` gives each piece's main colour as `#rrggbb`."""
    return [
        _stroke(mark, matrix, pen, prefix if piece.parent is None else f"{prefix}_{piece.name}", main(piece))
        for piece in pieces
        for mark in piece.marks
    ]


def _stroke(mark: Mark, matrix: Matrix, pen: float, part: str, main: str) -> Draft:
    shape = mark.shape.mapped(matrix)
    fill, stroke = resolve(mark.fill, main), resolve(mark.stroke, main)
    is_open = isinstance(shape, Polyline) or (isinstance(shape, Path) and mark.thick > 0)
    if is_open and mark.thick and stroke == "none":
        fill, stroke = "none", fill
    width = mark.pen * pen + mark.thick * shrink_of(matrix)
    return {"part": part, **shape.fields(), "fill": fill, "stroke": stroke, "width": round(width, 5)}
