"""Strokes, slots and parts of the YAML files, checked strictly.

A part ending in `_left` with `mirror: true` brings its twin `_right`, an exact mirror image about the entry's axis.
A part with `repeat` is a slot: as many are drawn as asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from redraft.offline.lexicon.shapes import (
    Bounds,
    Ellipse,
    Matrix,
    Path,
    Point,
    Polyline,
    Rect,
    Shape,
    Text,
    about,
    bounds_of,
    parse_path,
    shrink_of,
)
from redraft.palette import PALETTE, PEN, resolve

__all__ = ["Mark", "Part", "Piece", "Repeat", "Strict", "Stroke", "Token", "extents", "fit", "plan_of", "strokes_of"]


_INSTANCE = re.compile(r"(_\d+)?(_left|_right)?$")
_GEOMETRIES = ("circle", "ellipse", "rect", "line", "polygon", "path", "tube", "text")


def _known_colour(token: str) -> str:
    if token not in PALETTE and token not in {"main", "dark", "light", "none"}:
        raise ValueError(f"{token!r} is no colour of the palette: main, dark, light, none, {', '.join(PALETTE)}")
    return token


Token = Annotated[str, AfterValidator(_known_colour)]


class Strict(BaseModel):
    """Frozen, no coercion, no unknown keys."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Stroke(Strict):
    """One stroke: exactly one geometry, and its paint. `polygon` closes, `tube` is a thick line with an outline."""

    circle: tuple[float, float, float] | None = None
    ellipse: tuple[float, float, float, float] | None = None
    rect: tuple[float, float, float, float] | tuple[float, float, float, float, float] | None = None
    line: tuple[float, ...] | str | None = None
    polygon: tuple[float, ...] | None = None
    path: str | None = None
    tube: tuple[float, ...] | str | None = None
    text: str | None = None
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Of a text: x, y, size."""
    turn: float = 0.0
    """Degrees clockwise by which the geometry is turned about its own middle."""
    fill: Token | None = None
    """Default: the part's main colour, none for a line."""
    stroke: Token = "outline"
    pen: float = Field(1.0, gt=0)
    """Width of the outline, as a multiple of the shared one."""
    thick: float = Field(0.0, ge=0)
    """Thickness of a tube, in the entry's units."""

    @model_validator(mode="after")
    def _is_whole(self) -> Stroke:
        given = [key for key in _GEOMETRIES if getattr(self, key)]
        if len(given) != 1:
            raise ValueError(f"a stroke has exactly one geometry, this one has {given or 'none'}")
        if (self.tube is not None) != (self.thick > 0):
            raise ValueError("`thick` belongs to a tube, and a tube needs it")
        self.shape()  # malformed path data is found when the file is loaded
        return self

    def shape(self) -> Shape:
        """The geometry, in the entry's units."""
        shape = self._upright()
        if not self.turn:
            return shape
        x0, y0, x1, y1 = bounds_of([shape])
        return shape.mapped(about(((x0 + x1) / 2, (y0 + y1) / 2), self.turn))

    def _upright(self) -> Shape:
        if self.circle:
            x, y, r = self.circle
            return Ellipse(x, y, r, r)
        if self.ellipse:
            return Ellipse(*self.ellipse)
        if self.rect:
            return Rect(*self.rect)
        if self.text:
            return Text(*self.at, self.text)
        if self.polygon:
            return _polygon(_pairs(self.polygon))
        bent = self.path or self.tube or self.line or ()
        return parse_path(bent) if isinstance(bent, str) else Polyline(_pairs(bent))

    def marks(self) -> list[Mark]:
        """What is painted: one mark, or two for a tube."""
        shape = self.shape()
        if self.tube:
            under = Mark(shape, "none", self.stroke, 2 * self.pen, self.thick)
            over = Mark(shape, "none", self.fill or "main", 0.0, self.thick)
            return [over] if self.stroke == "none" else [under, over]
        if self.text:
            return [Mark(shape, self.fill or "outline", "none", self.pen)]
        return [Mark(shape, self.fill or ("none" if self.line else "main"), self.stroke, self.pen)]


class Repeat(Strict):
    """How the instances of a slot are laid out: evenly in regions, or turned about a point."""

    count: int = Field(ge=0)
    """How many when nothing is said; 0: drawn only when asked for."""
    regions: tuple[Bounds, ...] = ()
    """Boxes x0, y0, x1, y1 that share the instances out among them, the first ones taking more."""
    ring: Point | None = None
    """The centre about which the strokes, drawn for the topmost instance, are turned."""
    arc: float = Field(360.0, gt=0, le=360)
    """How far round the ring they go, in degrees, symmetric about the topmost."""
    start: float = 0.0
    """Degrees clockwise from the top at which the first one of a whole ring stands."""
    columns: int = Field(0, ge=0)
    """At most so many columns in a region; 0: as many as let the instances be largest."""
    crowd: tuple[Bounds, ...] = ()
    """The regions instead, where `columns` would get longer than four."""
    align: Literal["center", "bottom", "top"] = "center"
    edges: bool = False
    """In a row the outermost stand at the region's ends (the legs of a table)."""
    squeeze: bool = False
    """Where many must fit, they get narrower but keep their height (legs)."""
    scatter: bool = False
    """Moved a little off the grid, by the seed (apples)."""

    @model_validator(mode="after")
    def _has_a_place(self) -> Repeat:
        if bool(self.regions) == bool(self.ring):
            raise ValueError("a slot has either `regions` or a `ring`")
        return self


class Part(Strict):
    """A named part. Parts are painted in the order of the file."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    label: str = ""
    """The noun, singular; by default the name without `_left`, `_right` or a number."""
    parent: str | None = None
    """None for the object's own root part."""
    also: tuple[str, ...] = ()
    """Other nouns for this part."""
    colour: Token | None = None
    """The main colour; by default the entry's, and then an asked-for colour paints this part."""
    mirror: bool = False
    optional: bool = False
    """May be left out when asked ("a house without a chimney")."""
    pivot: Point | None = None
    """A part that turns (a clock's hand) is drawn pointing up from here."""
    angle: float = 0.0
    """Degrees clockwise from up, for a part with a pivot."""
    repeat: Repeat | None = None
    strokes: tuple[Stroke, ...] = ()

    @property
    def noun(self) -> str:
        return self.label or _INSTANCE.sub("", self.name).replace("_", " ")

    @property
    def nouns(self) -> tuple[str, ...]:
        return (self.noun, *self.also)

    def piece(self, axis: float) -> Piece:
        """The part as drawn, a twin mirrored about x = `axis`."""
        marks = tuple(mark for stroke in self.strokes for mark in stroke.marks())
        piece = Piece(self.name, self.noun, self.parent, self.colour, marks)
        is_twin = self.mirror and self.name.endswith("_right")
        return piece.mapped((-1.0, 0.0, 0.0, 1.0, 2 * axis, 0.0)) if is_twin else piece


def _polygon(corners: tuple[Point, ...]) -> Path:
    return Path((("M", corners[:1]), *(("L", (p,)) for p in corners[1:]), ("Z", ())))


def _pairs(numbers: tuple[float, ...]) -> tuple[Point, ...]:
    if len(numbers) < 4 or len(numbers) % 2:
        raise ValueError(f"points are pairs x, y and at least two of them; got {numbers}")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


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
