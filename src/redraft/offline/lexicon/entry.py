"""One object of the lexicon: what is known of it, and how it is drawn into a box.

An entry is drawn in units of its author's choice, y down; its own box is what its strokes cover, so that nothing about
sizes is said twice.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

from pydantic import Field, model_validator

from redraft.english.words import normal, singulars, things
from redraft.offline.lexicon.parts import (
    Draft,
    Part,
    Piece,
    Repeat,
    Strict,
    Token,
    extents,
    fit,
    pen_of,
    plan_of,
    strokes_of,
)
from redraft.offline.lexicon.shapes import IDENTITY, Bounds, Matrix, about, bounds_of
from redraft.palette import OUTLINE, PALETTE, hex_of, shade

__all__ = ["Entry", "Rests", "assemble", "match_noun", "unknown"]


Rests = Literal["ground", "floats", "hangs", "lies", "wall"]


class Entry(Strict):
    """One object of the lexicon."""

    name: str
    height: float = Field(gt=0, le=1)
    """Typical height, as a share of the canvas in a scene with a few things."""
    rests: Rests = "ground"
    stretch: bool = False
    """May be drawn at any aspect: a room, a window, the sky. Other things keep theirs."""
    colour: Token = "grey"
    """The main colour of every part that has none of its own; an asked-for colour takes its place."""
    axis: float = 50.0
    """x of the mirror axis, in the entry's units."""
    surface_at: float | None = Field(None, alias="surface")
    inside_box: Bounds | None = Field(None, alias="inside")
    parts: tuple[Part, ...]

    @model_validator(mode="after")
    def _is_a_tree(self) -> Entry:
        names = [p.name for p in self.all_parts]
        roots = [p.name for p in self.parts if p.parent is None]
        if len(set(names)) < len(names) or len(roots) != 1:
            raise ValueError(f"{self.name}: part names are unique and one has no parent; names {names}, roots {roots}")
        parents = {p.name for p in self.all_parts if not p.repeat}
        for part in self.all_parts:
            if part.parent is not None and part.parent not in parents:
                raise ValueError(f"{self.name}: {part.parent!r}, the parent of {part.name!r}, is no unrepeated part")
        if any(p.mirror and not p.name.endswith("_left") for p in self.parts):
            raise ValueError(f"{self.name}: a part with `mirror` is named ..._left")
        return self

    @property
    def backdrop(self) -> bool:
        """Whether it spans the canvas: sky, ground, sea, road."""
        thing = things().get(self.name)
        return thing is not None and thing.backdrop

    @cached_property
    def all_parts(self) -> tuple[Part, ...]:
        """The parts with the mirrored twins, in painting order."""
        mirrored = {p.name for p in self.parts if p.mirror}
        found: list[Part] = []
        for part in self.parts:
            found.append(part)
            if part.mirror:
                parent = part.parent
                if parent in mirrored:
                    parent = _twin(parent)
                found.append(part.model_copy(update={"name": _twin(part.name), "parent": parent}))
        return tuple(found)

    @property
    def slots(self) -> dict[str, Repeat]:
        """The repeatable parts by noun."""
        return {p.noun: p.repeat for p in self.all_parts if p.repeat}

    @property
    def colour_parts(self) -> tuple[str, ...]:
        """Names of the parts that an asked-for colour paints."""
        return tuple(p.name for p in self.all_parts if p.colour is None)

    @cached_property
    def part_nouns(self) -> frozenset[str]:
        """Every noun by which a part of this thing may be called, singular."""
        return frozenset(n for p in self.all_parts for n in p.nouns) - {self.name}

    def part_label(self, noun: str) -> str | None:
        """The label of the part that a noun, singular or plural, means ("rooftops" → "roof"); None for no part."""
        return match_noun(noun, self.all_parts)

    @cached_property
    def _pieces(self) -> list[Piece]:
        return assemble(self.all_parts, self.axis, {}, {}, 0)

    @cached_property
    def aspect(self) -> float:
        """Width over height of what is painted at the typical height."""
        width = 100.0
        for _ in range(3):  # the pen depends on the longer side, which is known once the aspect is
            box: Bounds = (0.0, 0.0, width, self.height)
            x0, _top, x1, _bottom = extents(self._pieces, fit(self._pieces, box, stretch=False), pen_of(box))
            width = x1 - x0
        return width / self.height

    @property
    def surface(self) -> float | None:
        """y in the unit box (0 top, 1 bottom) where things put on it rest; None: on its top edge."""
        return None if self.surface_at is None else self._unit((0.0, self.surface_at, 0.0, 0.0))[1]

    @property
    def inside(self) -> Bounds | None:
        """The box, in the unit box, where things in it go."""
        return None if self.inside_box is None else self._unit(self.inside_box)

    def _unit(self, box: Bounds) -> Bounds:
        x0, y0, x1, y1 = extents(self._pieces, IDENTITY, 0.0)
        w, h = (x1 - x0) or 1.0, (y1 - y0) or 1.0
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
        seed: int = 0,
    ) -> tuple[list[Draft], list[Draft]]:
        """Plan parts and strokes in the draft format, filling `box` (canvas units).

        The top part is `prefix` with `label`, the others `prefix_part`. Unless the entry stretches, a box of another
        aspect is filled as far as it goes, centred, at its bottom. `counts` holds numbers by part noun: any for a
        slot, 0 for an optional part. `angles` are degrees clockwise from up by part noun; `colour` and
        `part_colours` (by part noun) are `#rrggbb` or colour words. Raises ValueError for a count, an angle or a
        colour that this entry cannot honour.
        """
        pieces = assemble(self.all_parts, self.axis, counts, angles, seed)
        chosen = {self._labelled(noun): _hex(value) for noun, value in part_colours.items()}
        own = None if colour is None else _hex(colour)

        def main(piece: Piece) -> str:
            return chosen.get(piece.noun) or (own if piece.colour is None else None) or self._main(piece)

        matrix = fit(pieces, box, stretch=self.stretch)
        return plan_of(pieces, prefix, label), strokes_of(pieces, matrix, pen_of(box), prefix=prefix, main=main)

    def _main(self, piece: Piece) -> str:
        return PALETTE[piece.colour or self.colour]

    def _labelled(self, noun: str) -> str:
        label = self.part_label(noun)
        if label is None:
            raise ValueError(f"{self.name} has no part {noun!r} to colour; it has {', '.join(sorted(self.part_nouns))}")
        return label


def _twin(name: str) -> str:
    return name.removesuffix("_left") + "_right"


def _hex(colour: str) -> str:
    found = hex_of(colour)
    if found is None:
        raise ValueError(f"{colour!r} is no colour known here; pass #rrggbb or a word such as red or dark blue")
    return found


FULL = 0.84
"""How much of its cell an instance may take; the rest is the gap."""


def match_noun(noun: str, parts: Sequence[Part]) -> str | None:
    """The label of the parts that a noun, singular or plural, means; None when there are none."""
    for candidate in singulars(normal(noun)):
        for part in parts:
            if candidate in part.nouns:
                return part.noun
    return None


def assemble(
    parts: Sequence[Part], axis: float, counts: Mapping[str, int], angles: Mapping[str, float], seed: int
) -> list[Piece]:
    """The pieces in painting order. Raises ValueError for a count or an angle that cannot be honoured."""
    wanted = {_label(noun, parts, "count"): number for noun, number in counts.items()}
    turned = {_label(noun, parts, "angle"): degrees for noun, degrees in angles.items()}
    gone = _left_out(parts, wanted)
    pieces: list[Piece] = []
    for part in parts:
        if part.name in gone:
            continue
        piece = part.piece(axis)
        if part.repeat:
            pieces.extend(_instances(piece, part.repeat, wanted.get(part.noun, part.repeat.count), seed))
        elif part.pivot:
            pieces.append(piece.mapped(about(part.pivot, turned.get(part.noun, part.angle))))
        else:
            pieces.append(piece)
    return pieces


def _label(noun: str, parts: Sequence[Part], what: str) -> str:
    usable = [p for p in parts if p.pivot] if what == "angle" else [p for p in parts if p.parent is not None]
    label = match_noun(noun, usable)
    if label is None:
        known = ", ".join(sorted({p.noun for p in usable})) or "none"
        raise ValueError(f"no part {noun!r} can be given {what}; there is {known}")
    return label


def _left_out(parts: Sequence[Part], wanted: Mapping[str, int]) -> set[str]:
    """Names of the parts that are asked away, with what is part of them."""
    gone: set[str] = set()
    for label, number in wanted.items():
        fixed = [p for p in parts if p.noun == label and not p.repeat]
        slots = [p for p in parts if p.noun == label and p.repeat]
        if number < 0 or (
            fixed and not slots and number not in ({0, len(fixed)} if fixed[0].optional else {len(fixed)})
        ):
            allowed = f"0 or {len(fixed)}" if fixed and fixed[0].optional else f"{len(fixed)}" if fixed else "0 or more"
            raise ValueError(f"{number} of {label!r} cannot be drawn; it can be {allowed}")
        if number == 0:
            gone.update(p.name for p in fixed)
    for part in sorted(parts, key=lambda p: len(p.name)) * 2:  # twice: grandchildren too
        if part.parent in gone:
            gone.add(part.name)
    return gone


def _instances(piece: Piece, repeat: Repeat, number: int, seed: int) -> list[Piece]:
    names = [piece.name] if number == 1 else [f"{piece.name}_{i + 1}" for i in range(number)]
    if repeat.ring:
        step = 360 / number if repeat.arc == 360 else repeat.arc / max(number - 1, 1)
        first = repeat.start if repeat.arc == 360 else -step * (number - 1) / 2
        return [piece.mapped(about(repeat.ring, first + step * i), name) for i, name in enumerate(names)]
    places = _places(piece, repeat, number, random.Random(f"{seed} {piece.name}"))  # noqa: S311
    return [piece.mapped(matrix, name) for matrix, name in zip(places, names, strict=True)]


def _places(piece: Piece, repeat: Repeat, number: int, rng: random.Random) -> list[Matrix]:
    """Where the instances go: a matrix for each."""
    x0, y0, x1, y1 = bounds_of([m.shape for m in piece.marks])
    w, h = x1 - x0, y1 - y0
    crowded = bool(repeat.crowd) and number > 4 * repeat.columns * len(repeat.regions)
    regions = repeat.crowd if crowded else repeat.regions
    most = 0 if crowded else repeat.columns
    shares = [number // len(regions) + (i < number % len(regions)) for i in range(len(regions))]
    grids = [_grid(region, _columns(n, most, repeat), w, h, repeat) for region, n in zip(regions, shares, strict=True)]
    scale = min([1.0, *(grid[1] for grid in grids)])
    sy = 1.0 if repeat.squeeze else scale
    matrices: list[Matrix] = []
    for region, n, (columns, _) in zip(regions, shares, grids, strict=True):
        for cx, cy, dy in _cells(region, n, columns, w * scale, h * sy, repeat):
            y = cy + dy * rng.uniform(-0.8, 0.8) if repeat.scatter else cy
            matrices.append((scale, 0.0, 0.0, sy, cx - scale * (x0 + x1) / 2, y - sy * (y0 + y1) / 2))
    return matrices


def _columns(number: int, most: int, repeat: Repeat) -> list[tuple[int, int]]:
    """The grids, columns by rows, in which `number` things may stand: one row only for what stands or hangs."""
    if repeat.squeeze or repeat.align != "center":
        return [(number, 1)]
    return [(columns, -(-number // columns)) for columns in range(1, min(number, most or number) + 1)]


def _grid(region: Bounds, choices: Sequence[tuple[int, int]], w: float, h: float, repeat: Repeat) -> tuple[int, float]:
    """The number of columns that lets things of w × h be largest in the region, and the scale it allows."""
    width, height = region[2] - region[0], region[3] - region[1]
    best = (1, float("inf"))
    for columns, rows in choices:
        if columns == 0:
            continue
        across = FULL * width / columns / w
        down = (1.0 if rows == 1 else FULL) * height / rows / h
        scale = across if repeat.squeeze else min(across, down)
        if best[1] == float("inf") or scale > best[1] + 1e-9:
            best = (columns, scale)
    return best


def _cells(
    region: Bounds, number: int, columns: int, w: float, h: float, repeat: Repeat
) -> list[tuple[float, float, float]]:
    """Centres of the instances, row by row, an incomplete row centred; and how far each may move up or down."""
    x0, y0, x1, y1 = region
    rows = -(-number // columns)
    cell_h = (y1 - y0) / max(rows, 1)
    found: list[tuple[float, float, float]] = []
    for i in range(number):
        row, column = divmod(i, columns)
        in_row = min(columns, number - row * columns)
        cell_w = (x1 - x0) / (in_row if rows == 1 else columns)
        x = (x0 + x1) / 2 + (column - (in_row - 1) / 2) * cell_w
        if repeat.edges and rows == 1 and in_row > 1:
            x = x0 + w / 2 + column * (x1 - x0 - w) / (in_row - 1)
        top = y0 + row * cell_h
        y = {"center": top + cell_h / 2, "top": top + h / 2, "bottom": top + cell_h - h / 2}[repeat.align]
        found.append((x, y, max(0.0, (cell_h - h) / 2)))
    return found


EM = 0.58
"""Width of an average letter, in text sizes."""
LINE = 1.2
"""Distance of lines, in text sizes."""


def unknown(noun: str, box: Bounds, prefix: str, colour: str | None = None) -> tuple[list[Draft], list[Draft]]:
    """A labelled shape filling `box`: plan and strokes as `Entry.realise` gives them."""
    x0, y0, x1, y1 = box
    pen, side = pen_of(box), min(x1 - x0, y1 - y0)
    fill = shade((hex_of(colour) if colour else None) or PALETTE["sky"], 0.35)
    inset: Draft = {"x": x0 + pen / 2, "y": y0 + pen / 2, "w": x1 - x0 - pen, "h": y1 - y0 - pen, "r": 0.14 * side}
    shape: Draft = {"part": prefix, "kind": "rect", **_rounded(inset), "fill": fill, "stroke": OUTLINE, "width": pen}
    return [{"name": prefix, "label": noun, "parent": None}], [shape, *_words(noun, box, prefix)]


def _words(noun: str, box: Bounds, prefix: str) -> list[Draft]:
    """The noun in as many lines as let it be largest."""
    width, height = 0.84 * (box[2] - box[0]), 0.76 * (box[3] - box[1])
    words = noun[:60].split() or ["?"]
    lines, size = max(
        ((lines, _size(lines, width, height)) for lines in (_wrapped(words, n) for n in range(1, len(words) + 1))),
        key=lambda choice: choice[1],
    )
    middle = (box[1] + box[3]) / 2
    return [
        {
            "part": prefix,
            "kind": "text",
            **_rounded({"x": (box[0] + box[2]) / 2, "y": middle + ((i - (len(lines) - 1) / 2) * LINE + 0.28) * size}),
            "size": round(size, 5),
            "text": line,
            "anchor": "middle",
            "fill": OUTLINE,
            "stroke": "none",
            "width": 0.001,
        }
        for i, line in enumerate(lines)
    ]


def _size(lines: list[str], width: float, height: float) -> float:
    return min(width / (EM * max(len(line) for line in lines)), height / (LINE * len(lines)), 0.09)


def _wrapped(words: list[str], count: int) -> list[str]:
    """The words in `count` lines, about evenly long."""
    ends = [round(len(words) * (i + 1) / count) for i in range(count)]
    return [" ".join(words[a:b]) for a, b in zip([0, *ends], ends, strict=False)]


def _rounded(values: Draft) -> Draft:
    return {key: round(value, 5) if isinstance(value, float) else value for key, value in values.items()}
