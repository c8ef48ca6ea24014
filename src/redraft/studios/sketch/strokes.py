"""The seven kinds of stroke, each a strict model: line, polyline, path, rect, ellipse, arc, text; and colors.

Units are shares of the canvas, x right, y down. A stroke that would paint nothing is an error. Colors are `none` or
`#rrggbb`; the 148 CSS color names are understood.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from redraft.drawing import glyphs
from redraft.studios.sketch import paths

# CSS Color Module Level 4, "Named Colors".
_NAMES = """
aliceblue=f0f8ff antiquewhite=faebd7 aqua=00ffff aquamarine=7fffd4 azure=f0ffff beige=f5f5dc
bisque=ffe4c4 black=000000 blanchedalmond=ffebcd blue=0000ff blueviolet=8a2be2 brown=a52a2a
burlywood=deb887 cadetblue=5f9ea0 chartreuse=7fff00 chocolate=d2691e coral=ff7f50 cornflowerblue=6495ed
cornsilk=fff8dc crimson=dc143c cyan=00ffff darkblue=00008b darkcyan=008b8b darkgoldenrod=b8860b
darkgray=a9a9a9 darkgreen=006400 darkgrey=a9a9a9 darkkhaki=bdb76b darkmagenta=8b008b
darkolivegreen=556b2f darkorange=ff8c00 darkorchid=9932cc darkred=8b0000 darksalmon=e9967a
darkseagreen=8fbc8f darkslateblue=483d8b darkslategray=2f4f4f darkslategrey=2f4f4f darkturquoise=00ced1
darkviolet=9400d3 deeppink=ff1493 deepskyblue=00bfff dimgray=696969 dimgrey=696969 dodgerblue=1e90ff
firebrick=b22222 floralwhite=fffaf0 forestgreen=228b22 fuchsia=ff00ff gainsboro=dcdcdc ghostwhite=f8f8ff
gold=ffd700 goldenrod=daa520 gray=808080 green=008000 greenyellow=adff2f grey=808080 honeydew=f0fff0
hotpink=ff69b4 indianred=cd5c5c indigo=4b0082 ivory=fffff0 khaki=f0e68c lavender=e6e6fa
lavenderblush=fff0f5 lawngreen=7cfc00 lemonchiffon=fffacd lightblue=add8e6 lightcoral=f08080
lightcyan=e0ffff lightgoldenrodyellow=fafad2 lightgray=d3d3d3 lightgreen=90ee90 lightgrey=d3d3d3
lightpink=ffb6c1 lightsalmon=ffa07a lightseagreen=20b2aa lightskyblue=87cefa lightslategray=778899
lightslategrey=778899 lightsteelblue=b0c4de lightyellow=ffffe0 lime=00ff00 limegreen=32cd32 linen=faf0e6
magenta=ff00ff maroon=800000 mediumaquamarine=66cdaa mediumblue=0000cd mediumorchid=ba55d3
mediumpurple=9370db mediumseagreen=3cb371 mediumslateblue=7b68ee mediumspringgreen=00fa9a
mediumturquoise=48d1cc mediumvioletred=c71585 midnightblue=191970 mintcream=f5fffa mistyrose=ffe4e1
moccasin=ffe4b5 navajowhite=ffdead navy=000080 oldlace=fdf5e6 olive=808000 olivedrab=6b8e23
orange=ffa500 orangered=ff4500 orchid=da70d6 palegoldenrod=eee8aa palegreen=98fb98 paleturquoise=afeeee
palevioletred=db7093 papayawhip=ffefd5 peachpuff=ffdab9 peru=cd853f pink=ffc0cb plum=dda0dd
powderblue=b0e0e6 purple=800080 rebeccapurple=663399 red=ff0000 rosybrown=bc8f8f royalblue=4169e1
saddlebrown=8b4513 salmon=fa8072 sandybrown=f4a460 seagreen=2e8b57 seashell=fff5ee sienna=a0522d
silver=c0c0c0 skyblue=87ceeb slateblue=6a5acd slategray=708090 slategrey=708090 snow=fffafa
springgreen=00ff7f steelblue=4682b4 tan=d2b48c teal=008080 thistle=d8bfd8 tomato=ff6347 turquoise=40e0d0
violet=ee82ee wheat=f5deb3 white=ffffff whitesmoke=f5f5f5 yellow=ffff00 yellowgreen=9acd32
"""

CSS_COLORS: dict[str, str] = {name: f"#{value}" for name, value in (n.split("=") for n in _NAMES.split())}
"""Name to `#rrggbb`."""

_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})\Z")


def normalize_color(text: str) -> str:
    """Return a color as `none` or `#rrggbb` in lower case.

    Raises:
        ValueError: it is neither; the message says what is allowed and which name is nearest.
    """
    word = text.strip().lower()
    if word in ("none", "transparent"):
        return "none"
    if _HEX.match(word):
        return word if len(word) == 7 else "#" + "".join(2 * digit for digit in word[1:])
    key = re.sub(r"[\s_-]", "", word)
    if key in CSS_COLORS:
        return CSS_COLORS[key]
    near = difflib.get_close_matches(key[:40], CSS_COLORS, n=1)
    hint = f" (perhaps {near[0]}, {CSS_COLORS[near[0]]})" if near else ""
    raise ValueError(f"{text[:40]!r} is not a color{hint}: write none, #rrggbb or a CSS color name")


MAX_POINTS = 5_000
"""Points in one stroke, control points included."""
LOW, HIGH = -1.0, 2.0
"""Coordinates may leave the canvas (0 to 1) by one canvas on each side."""


def _colour(value: Any) -> Any:
    return normalize_color(value) if isinstance(value, str) else value


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
    """Base of every model of a drawing: frozen, strict, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class _Mark(Closed):
    """Base of all strokes. Painted by (layer, order); `width` is the pen's, in units of the canvas."""

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
        """The number of points that count against the limits."""
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
        points: list[tuple[float, float]] = []
        for s in segments:
            # Of an arc only the end is a point; its radii may span what drawings may reach.
            numbers = s.numbers[-2:] if s.command == "A" else s.numbers
            if any(not LOW <= n <= HIGH for n in numbers) or (s.command == "A" and max(s.numbers[:2]) > HIGH - LOW):
                reached = " ".join([s.command, *(f"{n:g}" for n in s.numbers)])
                raise ValueError(f"its data reaches {reached}: coordinates are from {LOW:g} to {HIGH:g}")
            points += zip(numbers[::2], numbers[1::2], strict=True)
        if len(set(points)) == 1:
            raise ValueError(f"it has no length: all its points are {list(points[0])}")
        return self


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
        """Return the point at t, from 0 (start) to 1 (end)."""
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
