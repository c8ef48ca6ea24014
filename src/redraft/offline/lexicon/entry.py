"""One object of the lexicon: its part tree with strokes, and how it is drawn into a box.

An entry is drawn in units of its author's choice, y down; its own box is what its strokes cover. A part ending in
`_left` with `mirror: true` brings its twin `_right`, mirrored about the entry's axis. A part with `repeat` is a slot:
as many are drawn as asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from redraft.drawing.palette import OUTLINE, PALETTE, PEN, hex_of, resolve, shade
from redraft.offline.english.words import normal, singulars, things
from redraft.offline.lexicon.shapes import (
    Bounds,
    Ellipse,
    Matrix,
    Point,
    Rect,
    Shape,
    Text,
    about,
    bounds_of,
    parse_path,
    shrink_of,
)

Rests = Literal["ground", "floats", "lies", "wall"]
Draft = dict[str, object]

FULL = 0.84
"""Share of its cell that an instance of a slot may take; the rest is the gap."""
LETTER = 0.58
"""Width of an average letter, in text sizes."""


def _known_color(token: str) -> str:
    if token not in PALETTE and token not in {"main", "dark", "light", "none"}:
        raise ValueError(f"{token!r} is not a color of the palette")
    return token


Token = Annotated[str, AfterValidator(_known_color)]


class _Strict(BaseModel):
    """Frozen, no coercion, no unknown keys."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Stroke(_Strict):
    """One stroke: one geometry, and its paint. `line` is an open path, `tube` a thick line with an outline."""

    circle: tuple[float, float, float] | None = None
    ellipse: tuple[float, float, float, float] | None = None
    rect: tuple[float, float, float, float] | tuple[float, float, float, float, float] | None = None
    line: str | None = None
    path: str | None = None
    tube: str | None = None
    text: tuple[float, float, float, str] | None = None
    """x, y, size and words."""
    fill: Token | None = None
    """Default: the part's main color; none for a line."""
    stroke: Token = "outline"
    pen: float = Field(1.0, gt=0)
    """Width of the outline, as a multiple of the shared one."""
    thick: float = Field(0.0, ge=0)
    """Thickness of a tube, in the entry's units."""

    def shape(self) -> Shape:
        """Return the geometry, in the entry's units."""
        if self.circle:
            return Ellipse(*self.circle, self.circle[2])
        if self.ellipse:
            return Ellipse(*self.ellipse)
        if self.rect:
            return Rect(*self.rect)
        return Text(*self.text) if self.text else parse_path(self.path or self.tube or self.line or "")

    def marks(self) -> list[Mark]:
        """Return the painted shapes: one mark, or two for a tube."""
        shape = self.shape()
        if self.tube:
            over = Mark(shape, "none", self.fill or "main", 0.0, self.thick)
            return (
                [over] if self.stroke == "none" else [Mark(shape, "none", self.stroke, 2 * self.pen, self.thick), over]
            )
        if self.text:
            return [Mark(shape, self.fill or "outline", "none", self.pen)]
        return [Mark(shape, self.fill or ("none" if self.line else "main"), self.stroke, self.pen)]


class Repeat(_Strict):
    """The layout of a slot's instances: evenly in boxes that share them out, or turned about a point."""

    count: int = Field(ge=0)
    """Default number; 0: drawn only when asked for."""
    regions: tuple[Bounds, ...] = ()
    ring: Point | None = None
    arc: float = 360.0
    """Degrees of the ring that they take, symmetric about the topmost."""


class Part(_Strict):
    """A named part. Parts are painted in the order of the file."""

    name: str
    label: str = ""
    """The noun, singular; by default the name without `_left`, `_right` or a number."""
    parent: str | None = None
    """None for the object's own root part."""
    also: tuple[str, ...] = ()
    """Other nouns for this part."""
    colour: Token | None = None
    """The main color; by default the entry's, and then an asked-for color paints this part."""
    mirror: bool = False
    pivot: Point | None = None
    """A part that turns (a clock's hand) is drawn pointing up from here."""
    angle: float = 0.0
    """Degrees clockwise from up, for a part with a pivot."""
    repeat: Repeat | None = None
    strokes: tuple[Stroke, ...]

    @property
    def noun(self) -> str:
        words = [w for w in self.name.split("_") if w not in {"left", "right"} and not w.isdigit()]
        return self.label or " ".join(words)

    @property
    def nouns(self) -> tuple[str, ...]:
        return (self.noun, *self.also)


@dataclass(frozen=True)
class Mark:
    """One painted shape. Colors are tokens; `pen` in outline widths, `thick` in the units of the shape."""

    shape: Shape
    fill: str
    stroke: str
    pen: float
    thick: float = 0.0


@dataclass(frozen=True)
class Piece:
    """One part as drawn."""

    name: str
    part: Part
    marks: tuple[Mark, ...]

    def mapped(self, m: Matrix, name: str = "") -> Piece:
        marks = tuple(replace(k, shape=k.shape.mapped(m), thick=k.thick * shrink_of(m)) for k in self.marks)
        return replace(self, name=name or self.name, marks=marks)


class Entry(_Strict):
    """One object of the lexicon."""

    name: str
    height: float = Field(gt=0, le=1)
    """Typical height, as a share of the canvas in a scene with a few things."""
    rests: Rests = "ground"
    stretch: bool = False
    """May be drawn at any aspect: a room, a window, the sky. Other things keep theirs."""
    colour: Token = "grey"
    """The main color of every part that has none of its own; an asked-for color takes its place."""
    axis: float = 50.0
    """x of the mirror axis, in the entry's units."""
    surface_at: float | None = Field(None, alias="surface")
    inside_box: Bounds | None = Field(None, alias="inside")
    parts: tuple[Part, ...]

    @property
    def backdrop(self) -> bool:
        """True for what spans the canvas: sky, ground, sea, road."""
        return things()[self.name].backdrop

    @cached_property
    def all_parts(self) -> tuple[Part, ...]:
        """The parts with the mirrored twins, in painting order."""
        mirrored = {p.name for p in self.parts if p.mirror}
        parts: list[Part] = []
        for part in self.parts:
            parts.append(part)
            if part.mirror:
                parent = _twin(part.parent) if part.parent in mirrored else part.parent
                parts.append(part.model_copy(update={"name": _twin(part.name), "parent": parent}))
        return tuple(parts)

    @cached_property
    def slots(self) -> dict[str, Repeat]:
        """The repeatable parts by noun."""
        return {p.noun: p.repeat for p in self.parts if p.repeat}

    @cached_property
    def part_nouns(self) -> frozenset[str]:
        """Every noun by which a part of this thing may be called, singular."""
        return frozenset(n for p in self.parts for n in p.nouns) - {self.name}

    def part_label(self, noun: str) -> str | None:
        """Return the label of the part that a noun, singular or plural, means ("rooftops" → "roof"), or None."""
        forms = list(singulars(normal(noun)))
        return next((p.noun for form in forms for p in self.parts if form in p.nouns), None)

    def pieces(self, counts: Mapping[str, int] = {}, angles: Mapping[str, float] = {}) -> list[Piece]:
        """Return the parts as drawn, in painting order: by label so many of a slot, and none where that is 0."""
        gone: set[str] = set()
        pieces: list[Piece] = []
        for part in sorted(self.all_parts, key=self._depth):
            if part.parent in gone or counts.get(part.noun) == 0:
                gone.add(part.name)
        for part in (p for p in self.all_parts if p.name not in gone):
            piece = Piece(part.name, part, tuple(mark for stroke in part.strokes for mark in stroke.marks()))
            if part.repeat:
                pieces.extend(_instances(piece, part.repeat, counts.get(part.noun, part.repeat.count)))
            elif part.pivot:
                pieces.append(piece.mapped(about(part.pivot, angles.get(part.noun, part.angle))))
            elif part.mirror and part.name.endswith("_right"):
                pieces.append(piece.mapped((-1.0, 0.0, 0.0, 1.0, 2 * self.axis, 0.0)))
            else:
                pieces.append(piece)
        return pieces

    def _depth(self, part: Part) -> int:
        parents = {p.name: p.parent for p in self.all_parts}
        depth, parent = 0, part.parent
        while parent is not None:
            depth, parent = depth + 1, parents[parent]
        return depth

    @cached_property
    def _extent(self) -> Bounds:
        return _extent(self.pieces())

    @property
    def aspect(self) -> float:
        """Width over height."""
        x0, y0, x1, y1 = self._extent
        return (x1 - x0) / (y1 - y0)

    @property
    def surface(self) -> float | None:
        """y in the unit box (0 top, 1 bottom) where things put on it rest; None: on its top edge."""
        return None if self.surface_at is None else self._unit((0.0, self.surface_at, 0.0, 0.0))[1]

    @property
    def inside(self) -> Bounds | None:
        """The box, in the unit box, where things in it go."""
        return None if self.inside_box is None else self._unit(self.inside_box)

    def _unit(self, box: Bounds) -> Bounds:
        x0, y0, x1, y1 = self._extent
        w, h = x1 - x0, y1 - y0
        return ((box[0] - x0) / w, (box[1] - y0) / h, (box[2] - x0) / w, (box[3] - y0) / h)

    def realise(
        self,
        box: Bounds,
        *,
        prefix: str,
        label: str,
        colour: str | None = None,
        counts: Mapping[str, int] = {},
        angles: Mapping[str, float] = {},
        part_colours: Mapping[str, str] = {},
    ) -> tuple[list[Draft], list[Draft]]:
        """Return plan parts and strokes in the draft format, filling `box` (canvas units).

        The top part is `prefix` with `label`, the others `prefix_part`. Unless the entry stretches, a box of another
        aspect is filled as far as it goes, centered, at its bottom. `counts` holds numbers, `angles` degrees clockwise
        from up and `part_colours` colors, by the label of the part; colors are words or `#rrggbb`.
        """
        pieces = self.pieces(counts, angles)
        pen = _pen_of(box)
        # The pieces with their outlines fill the box.
        x0, y0, x1, y1 = _extent(pieces)
        sx = (box[2] - box[0] - pen) / ((x1 - x0) or 1.0)
        sy = (box[3] - box[1] - pen) / ((y1 - y0) or 1.0)
        if not self.stretch:
            sx = sy = min(sx, sy)
        matrix = (sx, 0.0, 0.0, sy, (box[0] + box[2] - sx * (x0 + x1)) / 2, box[3] - pen / 2 - sy * y1)
        names = {p.name: prefix if p.part.parent is None else f"{prefix}_{p.name}" for p in pieces}
        plan: list[Draft] = [
            {
                "name": names[p.name],
                "label": p.part.noun if p.part.parent else label,
                "parent": names.get(p.part.parent or ""),
            }
            for p in sorted(pieces, key=lambda p: self._depth(p.part))
        ]
        strokes: list[Draft] = []
        for piece in pieces:
            own = part_colours.get(piece.part.noun) or (colour if piece.part.colour is None else None)
            main = (hex_of(own) if own else None) or PALETTE[piece.part.colour or self.colour]
            for mark in piece.marks:
                paint: Draft = {
                    "fill": resolve(mark.fill, main),
                    "stroke": resolve(mark.stroke, main),
                    "width": round(mark.pen * pen + mark.thick * shrink_of(matrix), 5),
                }
                strokes.append({"part": names[piece.name], **mark.shape.mapped(matrix).fields(), **paint})
        return plan, strokes


def _twin(name: str) -> str:
    return name.removesuffix("_left") + "_right"


def _extent(pieces: Sequence[Piece]) -> Bounds:
    """Return the box that the pieces cover, outlines not counted."""
    boxes = [(bounds_of([k.shape]), k.thick / 2) for p in pieces for k in p.marks if not isinstance(k.shape, Text)]
    return (
        min(b[0] - t for b, t in boxes), min(b[1] - t for b, t in boxes),
        max(b[2] + t for b, t in boxes), max(b[3] + t for b, t in boxes),
    )  # fmt: skip


def _pen_of(box: Bounds) -> float:
    """Return the outline's width on the canvas: the shared one, finer for things below a quarter of the canvas."""
    return PEN * min(1.0, max(0.35, max(box[2] - box[0], box[3] - box[1]) / 0.25))


def _instances(piece: Piece, repeat: Repeat, number: int) -> list[Piece]:
    """Return the instances of a slot, turned about a point or set in rows within their regions."""
    names = [piece.name] if number == 1 else [f"{piece.name}_{i + 1}" for i in range(number)]
    if repeat.ring:
        step = 360 / number if repeat.arc == 360 else repeat.arc / max(number - 1, 1)
        first = 0.0 if repeat.arc == 360 else -step * (number - 1) / 2
        return [piece.mapped(about(repeat.ring, first + step * i), name) for i, name in enumerate(names)]

    x0, y0, x1, y1 = bounds_of([m.shape for m in piece.marks])
    scale = 1.0
    centers: list[Point] = []
    for i, region in enumerate(repeat.regions):
        share = number // len(repeat.regions) + (i < number % len(repeat.regions))
        if not share:
            continue
        columns, fitting = _best_columns(region, share, x1 - x0, y1 - y0)
        scale = min(scale, fitting)
        # Row by row, an incomplete row centered.
        left, top, right, bottom = region
        rows = -(-share // columns)
        for k in range(share):
            row, column = divmod(k, columns)
            in_row = min(columns, share - row * columns)
            x = (left + right) / 2 + (column - (in_row - 1) / 2) * (right - left) / columns
            centers.append((x, top + (row + 0.5) * (bottom - top) / rows))
    return [
        piece.mapped((scale, 0.0, 0.0, scale, x - scale * (x0 + x1) / 2, y - scale * (y0 + y1) / 2), name)
        for (x, y), name in zip(centers, names, strict=True)
    ]


def _best_columns(region: Bounds, number: int, w: float, h: float) -> tuple[int, float]:
    """Return the number of columns that lets things of w × h be largest in the region, and the scale it allows."""
    width, height = region[2] - region[0], region[3] - region[1]
    choices: list[tuple[float, int]] = []
    for columns in range(1, number + 1):
        rows = -(-number // columns)
        down = (1.0 if rows == 1 else FULL) * height / rows / h
        choices.append((min(FULL * width / columns / w, down), -columns))
    scale, columns = max(choices)
    return -columns, scale


def unknown(noun: str, box: Bounds, prefix: str, colour: str | None = None) -> tuple[list[Draft], list[Draft]]:
    """Return a labeled shape filling `box`: plan and strokes as `Entry.realise` gives them."""
    x0, y0, x1, y1 = box
    pen, words = _pen_of(box), noun[:60] or "?"
    fill = shade((hex_of(colour) if colour else None) or PALETTE["sky"], 0.35)
    frame = Rect(x0 + pen / 2, y0 + pen / 2, x1 - x0 - pen, y1 - y0 - pen, 0.14 * min(x1 - x0, y1 - y0))
    size = min(0.84 * (x1 - x0) / (LETTER * len(words)), 0.76 * (y1 - y0), 0.09)
    text = Text((x0 + x1) / 2, (y0 + y1) / 2, size, words)
    return [{"name": prefix, "label": noun, "parent": None}], [
        {"part": prefix, **frame.fields(), "fill": fill, "stroke": OUTLINE, "width": pen},
        {"part": prefix, **text.fields(), "fill": OUTLINE, "stroke": "none", "width": 0.001},
    ]
