"""One object of the lexicon: what is known of it, and how it is drawn into a box.

An entry is drawn in units of its author's choice, y down; its own box is what its strokes cover, so that nothing about
sizes is said twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from pydantic import Field, model_validator

from redraft.offline.lexicon.assemble import assemble, match_noun
from redraft.offline.lexicon.format import Part, Repeat, Strict, Token
from redraft.offline.lexicon.marks import Draft, Piece, extents, fit, pen_of, plan_of, strokes_of
from redraft.offline.lexicon.palette import PALETTE, hex_of
from redraft.offline.lexicon.shapes import IDENTITY
from redraft.spatial.layout import Bounds

__all__ = ["Entry", "Rests"]

Rests = Literal["ground", "floats", "hangs", "lies", "wall"]


class Entry(Strict):
    """One object of the lexicon."""

    name: str
    synonyms: tuple[str, ...] = ()
    plural: str = ""
    """Only where it is irregular."""
    company: tuple[str, ...] = ()
    """Nouns beside which a synonym shared with another entry means this one: a mouse beside a cat is the animal."""
    height: float = Field(gt=0, le=1)
    """Typical height, as a share of the canvas in a scene with a few things."""
    rests: Rests = "ground"
    backdrop: bool = False
    """Spans the canvas: sky, ground, sea, road."""
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
