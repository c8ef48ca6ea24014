"""What a walk over the chunks remembers: who is spoken of, what waits for its object, spots and sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from redraft.english.book import Book
from redraft.english.chunks import (
    Chunk,
    Comparison,
    Placement,
    Relator,
)  # fmt: skip
from redraft.spatial.reading import Compare, Place, Relate, Selector

__all__ = ["Anchor", "Memory"]

Anchor = tuple[str, bool]
"""A mention and whether it is certain that the relation is about it."""


@dataclass
class Memory:
    """The state of the walk: who is spoken of, and what waits for its object."""

    book: Book
    present: tuple[str, ...] = ()
    """Nouns of the drawing that is already there, for "it"."""
    role: Literal["none", "subject", "object", "with"] = "none"
    subjects: list[str] = field(default_factory=list[str])
    topic: str | None = None
    landmark: str | None = None
    holder: str | None = None
    """Whom "with" is about."""
    last: str | None = None
    chosen: Selector | None = None
    """The instances of the last phrase, when it named some by number."""
    waiting: Relator | None = None
    anchors: list[Anchor] = field(default_factory=list[Anchor])
    first_of_two: str | None = None
    spot: Placement | None = None
    ratio: Comparison | None = None
    verb: str = ""
    finite: bool = False
    verbal: bool = False
    glue: set[str] = field(default_factory=set[str])
    """Kinds of glue since the last noun phrase."""
    dropped: bool = False
    lost_object: bool = False
    """The last object is not drawn, so it cannot be what the next relation is about."""
    acted_on: bool = False
    """The last object is that of a verb: "a man holding an umbrella"."""
    meant: str | None = None
    """What the last "it" was."""
    repeat: Relate | None = None
    """The last relation, for "left of a dog and a cat"."""
    inverted: tuple[Relator, str] | None = None
    """A relation that came before its subject, and its object."""
    verb_at: Chunk = field(default_factory=lambda: Chunk(0, 0))

    def take_placement(self, spot: Placement) -> None:
        if spot.within == "phrase":
            self.spot = spot
            return
        target = self.last or self.topic
        if target is None:
            return
        within = self.sided_thing(target) if spot.within == "side" else None
        self.write_place(target, spot, within)
        self.glue = set()

    def sided_thing(self, target: str) -> Selector | None:
        """The room whose wall is meant: the target's whole, or the topic."""
        whole = self.book.mentions[target].whole
        ref = whole or (self.topic if self.topic != target else None)
        return Selector(ref) if ref is not None else None

    def write_place(self, target: str, spot: Placement, within: Selector | None) -> None:
        several = self.book.mentions[target].count != 1
        chosen = self.chosen if self.chosen is not None and self.chosen.mention == target else Selector(target)
        self.book.say(Place(
            selector=chosen, spot=spot.spot, within=within, side=spot.side if within else None,
            group=several and not chosen.ordinals,
            phrase=self.book.source(spot.i, spot.j), certain=spot.certain,
        ))  # fmt: skip
        self.book.cover(spot.i, spot.j)

    def spot_within(self, ref: str, spot: Placement) -> None:
        self.spot = None
        target = self.last
        if target is not None and target != ref:
            self.write_place(target, spot, Selector(ref))
            self.landmark, self.role = ref, "object"

    def take_comparison(self, ratio: Comparison) -> None:
        if ratio.reference == "phrase":
            self.ratio = ratio
            return
        self.write_compare(ratio, None)

    def write_compare(self, ratio: Comparison, ref: str | None) -> None:
        self.ratio = None
        target = self.chosen or (Selector(self.last) if self.last is not None else None)
        if target is None or (ref is None and not target.ordinals):
            return
        reference = Selector(ref) if ref is not None else Selector(target.mention, target.ordinals, others=True)
        self.book.say(Compare(
            subjects=target, reference=reference, dimension=ratio.dimension, factor=ratio.factor,
            at_least=ratio.at_least,
            phrase=self.book.source(ratio.i, ratio.j),
        ))  # fmt: skip
        self.book.cover(ratio.i, ratio.j)
