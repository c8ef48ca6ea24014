"""The seven kinds of stroke, each a strict model: line, polyline, path, rect, ellipse, arc, text.

Units are shares of the canvas, x right, y down. A stroke that would paint nothing is an error.
"""

from __future__ import annotations

import math
import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from redraft import glyphs
from redraft.studios.sketch import colours, paths

__all__ = [
    "Arc",
    "Closed",
    "Colour",
    "Ellipse",
    "Label",
    "Line",
    "Name",
    "Path",
    "PenWidth",
    "Polyline",
    "Rect",
    "Stroke",
    "Text",
]

MAX_POINTS = 5_000
"""In one stroke, control points included."""
LOW, HIGH = -1.0, 2.0
"""Coordinates may leave the canvas (0 to 1) by one canvas on each side."""


def _colour(value: Any) -> Any:
    return colours.normalise(value) if isinstance(value, str) else value


def _printable(text: str) -> str:
    text = unicodedata.normalize("NFC", text)  # so that an accent is part of its letter, and measured with it
    if not text.strip():
        raise ValueError("it is blank")
    if bad := next((c for c in text if not c.isprintable()), None):
        raise ValueError(f"it holds the control character {bad!r}")
    return text


Coordinate = Annotated[float, Field(ge=LOW, le=HIGH, allow_inf_nan=False)]
Length = Annotated[float, Field(gt=0, le=3, allow_inf_nan=False)]
Degrees = Annotated[float, Field(ge=-720, le=720, allow_inf_nan=False)]
Colour = Annotated[str, BeforeValidator(_colour)]
PenWidth = Annotated[float, Field(ge=0, le=0.5)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=64)]
Label = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_printable)]
Vertex = tuple[Coordinate, Coordinate]


class Closed(BaseModel):
    """What every model of a drawing is: frozen, strict, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class _Mark(Closed):
    """What all strokes share. Painted by (layer, order); `width` is the pen's, in units of the canvas."""

    part: Name
    fill: Colour = "none"
    stroke: Colour = "none"
    width: PenWidth = 0.005
    layer: int = Field(default=0, ge=-1000, le=1000)

    @property
    def has_pen(self) -> bool:
        return self.stroke != "none" and self.width > 0

    @property
    def has_fill(self) -> bool:
        return self.fill != "none"

    @property
    def points_used(self) -> int:
        """How many points count against the limits."""
        return 1

    @model_validator(mode="after")
    def _paints(self) -> _Mark:
        if not (self.has_pen or self.has_fill):
            raise ValueError(
                f"it paints nothing: fill is none and the pen is {self.stroke} of width {self.width:g}; give it a "
                "fill, or a stroke colour and a width above 0"
            )
        return self


class _Vertices(_Mark):
    points: tuple[Vertex, ...]

    @property
    def points_used(self) -> int:
        return len(self.points)

    @model_validator(mode="after")
    def _extent(self) -> _Vertices:
        if len(set(self.points)) == 1:
            raise ValueError(f"it has no length: all points are {list(self.points[0])}; give it two different ones")
        return self


class Line(_Vertices):
    """A straight line between two points."""

    kind: Literal["line"]
    points: tuple[Vertex, Vertex]

    @model_validator(mode="after")
    def _has_pen(self) -> Line:
        if not self.has_pen:
            raise ValueError("a line has no inside to fill: give it a stroke colour and a width above 0")
        return self


class Polyline(_Vertices):
    """Straight lines through points; filled as the polygon they enclose."""

    kind: Literal["polyline"]
    points: tuple[Vertex, ...] = Field(min_length=2, max_length=MAX_POINTS)


class Path(_Mark):
    """SVG path data, all commands; filled by the nonzero rule, as SVG does by default."""

    kind: Literal["path"]
    d: str = Field(min_length=1, max_length=200_000)

    @property
    def points_used(self) -> int:
        return sum(max(1, len(s.numbers) // 2) for s in paths.parse(self.d))

    @model_validator(mode="after")
    def _data(self) -> Path:
        segments = paths.parse(self.d)
        if self.points_used > MAX_POINTS:
            raise ValueError(f"its data has {self.points_used:,} points; at most {MAX_POINTS:,} are allowed")
        ends = [s.end for s in segments if s.numbers]
        for s in segments:
            numbers = s.numbers[-2:] if s.command == "A" else s.numbers
            if any(not LOW <= n <= HIGH for n in numbers) or (s.command == "A" and max(s.numbers[:2]) > HIGH - LOW):
                raise ValueError(f"its data reaches {_numbers(s)}: coordinates are from {LOW:g} to {HIGH:g}")
        if len({p for s in segments for p in _controls(s)}) == 1:
            raise ValueError(f"it has no length: all its points are {list(ends[0])}")
        return self


def _numbers(segment: paths.Segment) -> str:
    return " ".join([segment.command, *(f"{n:g}" for n in segment.numbers)])


def _controls(segment: paths.Segment) -> list[tuple[float, float]]:
    if segment.command == "A":
        return [segment.end]
    return list(zip(segment.numbers[::2], segment.numbers[1::2], strict=True))


class Rect(_Mark):
    """A rectangle by its top left corner and size; `r` rounds the corners."""

    kind: Literal["rect"]
    x: Coordinate
    y: Coordinate
    w: Length
    h: Length
    r: float = Field(default=0.0, ge=0, le=1.5)


class Ellipse(_Mark):
    """An ellipse by centre and radii; `angle` turns it clockwise, in degrees."""

    kind: Literal["ellipse"]
    cx: Coordinate
    cy: Coordinate
    rx: Length
    ry: Length
    angle: Degrees = 0.0


class Arc(_Mark):
    """A part of an ellipse, clockwise from `start` to `end`: degrees clockwise from up (0 up, 90 right, 180 down).

    An `end` before `start` goes on through 360. Filled, it is closed by its chord.
    """

    kind: Literal["arc"]
    cx: Coordinate
    cy: Coordinate
    rx: Length
    ry: Length
    start: Degrees
    end: Degrees

    @property
    def sweep(self) -> float:
        """Degrees from start to end, in (0, 360]."""
        return (self.end - self.start) % 360 or 360.0

    def at(self, t: float) -> tuple[float, float]:
        """The point at t, from 0 (start) to 1 (end)."""
        turn = math.radians(self.start + t * self.sweep)
        return (self.cx + self.rx * math.sin(turn), self.cy - self.ry * math.cos(turn))

    @model_validator(mode="after")
    def _extent(self) -> Arc:
        if self.start == self.end:
            raise ValueError(f"it has no length: start and end are both {self.start:g}°; a whole turn is 0 to 360")
        return self


class Text(_Mark):
    """One line of text; x is where `anchor` says, y the baseline, `size` the em (capitals are 0.73 of it)."""

    kind: Literal["text"]
    x: Coordinate
    y: Coordinate
    size: float = Field(gt=0, le=1)
    text: Annotated[str, Field(max_length=200), AfterValidator(_printable)]
    anchor: glyphs.Anchor = "middle"


Stroke = Annotated[Line | Polyline | Path | Rect | Ellipse | Arc | Text, Field(discriminator="kind")]
