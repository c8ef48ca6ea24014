"""What each relation word is about, and what it relates to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from redraft.english.chunks import (
    Arrangement,
    Chunk,
    NounPhrase,
    Placement,
    Relator,
)  # fmt: skip
from redraft.english.groups import arrange
from redraft.english.memory import Anchor, Memory
from redraft.english.words import vocabulary
from redraft.offline.lexicon import find
from redraft.spatial.reading import Relate, Relation, Selector

__all__ = ["Relating"]


@dataclass
class Relating(Memory):
    """The relations of a walk.

    A relation right after a noun is about that noun; after "A on B" a further relation may be about either, so both
    are written down as guesses.
    """

    def take_relator(self, relator: Relator) -> None:
        if self.role == "none" and relator.object != "phrase":
            return
        self.anchors = self.find_anchors(relator)
        self.first_of_two = None
        if relator.object == "phrase":
            self.waiting = relator
        elif relator.object == "each other":
            self.mutual(relator)
        else:
            self.to_known(relator)
        self.glue = set()

    def find_anchors(self, relator: Relator) -> list[Anchor]:
        """What a relation word is about."""
        if self.role == "subject":
            sure = self.verbal or len(self.subjects) == 1 or relator.object == "each other"
            return [(s, sure or s == self.subjects[-1]) for s in self.subjects]
        if self.role == "with" and self.last is not None:
            return self.anchors_with(relator, self.last)
        if self.role != "object" or self.last is None:
            return []
        about_topic = (
            self.lost_object
            or self.is_scenery(self.last)
            or self.acted_on
            or self.finite
            or bool({"pronoun", "and"} & self.glue)
            or ("comma" in self.glue and self.verbal)
        )
        subjects = [(s, about_topic) for s in self.subjects]
        if about_topic:
            return subjects
        return [*subjects, (self.last, "that" in self.glue)]

    def is_scenery(self, ref: str) -> bool:
        entry = find(self.book.mentions[ref].noun)
        return entry is not None and entry.backdrop

    def anchors_with(self, relator: Relator, last: str) -> list[Anchor]:
        part = self.book.mentions[last].whole
        if relator.object != "phrase":
            return [(last, True)]
        if part is not None:
            return [(part, True)]
        held = [(self.holder, False)] if self.holder is not None else []
        return [*held, (last, self.holder is None)]

    def take_object(self, ref: str, relator: Relator) -> None:
        """The object of the waiting relation has come."""
        number = self.book.mentions[ref].count
        if (
            relator.relation == "between"
            and not relator.reverse
            and self.first_of_two is None
            and number == 1
            and self.chosen is None
        ):
            self.first_of_two = ref
            self.glue = set()
            return
        first, self.first_of_two, self.waiting = self.first_of_two, None, None
        if not self.anchors:
            self.fronted(ref, relator)
            return
        objects = (Selector(first), Selector(ref)) if first is not None else (Selector(ref),)
        for anchor, certain in self.anchors:
            self.write_relation(relator, anchor, objects, certain=certain)
        self.landmark, self.role, self.acted_on = ref, "object", False

    def fronted(self, ref: str, relator: Relator) -> None:
        """ "On the table is a cat": the object comes first, and its subject is still to come."""
        self.role, self.landmark, self.topic = "none", ref, self.topic or ref
        self.inverted = (relator, ref)

    def write_relation(self, relator: Relator, anchor: str, objects: tuple[Selector, ...], *, certain: bool) -> None:
        anchor = self.whole_unless_sibling(anchor, objects[0].mention)
        if any(o.mention == anchor for o in objects):
            return
        subjects = self.chosen if self.chosen is not None and self.chosen.mention == anchor else Selector(anchor)
        if relator.reverse:
            if self.book.mentions[anchor].count == 1:  # "a tent on each side" are two tents
                self.book.recount(anchor, 2, exact=True)
            subjects, objects = objects[0], (Selector(anchor),)
        fact = Relate(
            relation=relator.relation, subjects=subjects, objects=objects, distance=relator.distance,
            degree=relator.degree,
            phrase=self.book.source(relator.i, relator.j), certain=certain and relator.certain,
        )  # fmt: skip
        self.repeat = fact
        self.book.relate(fact)
        self.book.cover(relator.i, relator.j)

    def whole_unless_sibling(self, anchor: str, other: str) -> str:
        """A part relates to parts of the same thing; toward anything else its whole stands for it."""
        whole = self.book.mentions[anchor].whole
        if self.role == "with" and whole is not None and self.book.mentions[other].whole != whole and other != whole:
            return whole
        return anchor

    def mutual(self, relator: Relator) -> None:
        refs = [a for a, _ in self.anchors]
        for a, b in pairwise(refs):
            self.write_relation(relator, a, (Selector(b),), certain=True)
        if len(refs) == 1:
            arrange(self.book, Arrangement(relator.i, relator.j, kind="row", certain=False), refs)

    def to_known(self, relator: Relator) -> None:
        """The object was spoken of before: "to its left", "the sun above".

        Of several in a list that only the last one is certain to be there: "a house and a boat beside it".
        """
        about = [a for a, _ in self.anchors]
        ref, certain = self.spoken_of(about, relator.relation, pronoun=relator.object == "pronoun")
        if ref is None:
            self.onto_canvas(relator, about)
            return
        for anchor, sure in self.anchors:
            self.write_relation(relator, anchor, (Selector(ref),), certain=certain and sure)
        self.landmark, self.role = ref, "object"

    def spoken_of(self, about: list[str], relation: Relation, *, pronoun: bool) -> tuple[str | None, bool]:
        """What "it", or nothing at all, refers to; certain unless several things come into question."""
        order = [self.holder if self.role == "with" else None]
        order += [self.topic, self.landmark] if pronoun else [self.landmark, self.topic]
        order += [r for r in self.book.mentions if self.book.mentions[r].whole is None]
        fitting = list(
            dict.fromkeys(r for r in order if r is not None and r not in about and self.fits(r, pronoun=pronoun))
        )
        if not fitting:
            return (self.already_there(), True) if pronoun else (None, False)
        sure = len(fitting) == 1 or fitting[0] == self.meant or (self.role == "with" and fitting[0] == self.topic)
        self.meant = fitting[0]
        return fitting[0], sure or (not pronoun and relation in {"left_of", "right_of", "beside", "on"})

    def fits(self, ref: str, *, pronoun: bool) -> bool:
        mention = self.book.mentions[ref]
        return not pronoun or mention.count == 1

    def already_there(self) -> str | None:
        """ "it" in an edit: the first thing of the drawing that is there."""
        if not self.present:
            return None
        np = NounPhrase(0, 1, noun=self.present[0], determiner="the", number=1)
        ref = self.book.enter(np)
        if ref is not None:
            self.book.point_at(ref)
        return ref

    def onto_canvas(self, relator: Relator, about: list[str]) -> None:
        """ "a tree on the left", and nothing that it could be left of: a place on the canvas."""
        spots = {"left_of": "left", "right_of": "right"}
        if relator.relation not in spots or relator.object == "pronoun":
            return
        for anchor in about:
            spot = "left" if relator.relation == "left_of" else "right"
            self.write_place(anchor, Placement(relator.i, relator.j, spot=spot, certain=True), None)

    def write_relate(
        self, subject: str, relation: Literal["inside", "on", "near", "below"], ref: str, chunk: Chunk, *, certain: bool
    ) -> None:
        self.book.relate(Relate(
            relation=relation, subjects=Selector(subject), objects=(Selector(ref),), certain=certain,
            phrase=self.book.source(chunk.i, chunk.j),
        ))  # fmt: skip

    def verb_object(self, ref: str, verb: str) -> None:
        """ "holding a flag", "wearing a hat", "topped with a cherry": where the object is, as a guess."""
        holder = self.last if self.last is not None else ref
        self.anchors = []
        at = self.verb_at
        if verb in {"containing", "filled"} or (verb == "holding" and self.is_container(self.subjects)):
            inside = next((s for s in self.subjects if verb == "holding"), holder)
            self.write_relate(ref, "inside", inside, at, certain=False)
        elif verb in {"topped", "wearing"}:
            self.write_relate(ref, "on", holder, at, certain=False)
        elif verb == "riding":
            self.write_relate(holder, "on", ref, at, certain=False)
        else:
            self.write_relate(ref, "near", holder, at, certain=False)
        self.role, self.acted_on = "object", True

    def is_container(self, refs: list[str]) -> bool:
        v = vocabulary()
        return any(v.has(self.book.mentions[r].noun.split()[-1], "containers") for r in refs)
