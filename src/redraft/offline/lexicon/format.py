"""What the YAML files may say of strokes, slots and parts, checked strictly.

A part ending in `_left` with `mirror: true` brings its twin `_right`, an exact mirror image about the entry's axis.
A part with `repeat` is a slot: as many are drawn as asked for.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from redraft.offline.lexicon.marks import Mark, Piece
from redraft.offline.lexicon.palette import PALETTE
from redraft.offline.lexicon.shapes import Ellipse, Path, Polyline, Rect, Shape, Text, about, bounds_of, parse_path
from redraft.spatial.layout import Bounds, Point

__all__ = ["Part", "Repeat", "Strict", "Stroke", "Token"]

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
