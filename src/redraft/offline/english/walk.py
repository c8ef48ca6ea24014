"""A walk over the chunks that finds what each relation word holds between.

The subject of a sentence is its topic, the last object its landmark. A relation right after a noun is about that
noun; after "A on B" a further relation may be about either, so both are written down as guesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from redraft.offline.english.chunks import (
    Arrangement,
    Chunk,
    Comparison,
    CountComparison,
    Glue,
    NounPhrase,
    Placement,
    Relator,
    Time,
)
from redraft.offline.english.discourse import Discourse, arrange, compare_counts, count_like, show_time
from redraft.offline.english.noun_phrases import belongs
from redraft.offline.english.reading import Compare, Place, Relate, Relation, Selector
from redraft.offline.english.words import thing_of, vocabulary

Anchor = tuple[str, bool]
"""A mention and whether it is certain that the relation is about it."""


@dataclass
class Walk:
    """A walk over all chunks of a line, with what it remembers; what they say goes into the discourse."""

    discourse: Discourse
    present: tuple[str, ...] = ()
    """Nouns of the drawing that is already there, for "it"."""
    role: Literal["none", "subject", "object", "with"] = "none"
    subjects: list[str] = field(default_factory=list[str])
    topic: str | None = None
    landmark: str | None = None
    holder: str | None = None
    """The thing that "with" is about."""
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
    lost_object: bool = False
    """The last object is not drawn, so it cannot be what the next relation is about."""
    acted_on: bool = False
    """The last object is that of a verb: "a man holding an umbrella"."""
    meant: str | None = None
    """The thing that the last "it" was."""
    repeat: Relate | None = None
    """The last relation, for "left of a dog and a cat"."""
    inverted: tuple[Relator, str] | None = None
    """A relation that came before its subject, and its object."""
    verb_at: Chunk = field(default_factory=lambda: Chunk(0, 0))

    def read(self, chunks: Sequence[Chunk]) -> None:
        """Walk over all chunks, in order."""
        for k, chunk in enumerate(chunks):
            after = chunks[k + 1] if k + 1 < len(chunks) else None
            later = chunks[k + 2] if k + 2 < len(chunks) else None
            match chunk:
                case NounPhrase():
                    self.take_phrase(chunk, after, later)
                case Relator():
                    self.take_relator(chunk, after, later)
                case Placement():
                    self.take_placement(chunk)
                case Comparison(reference="phrase"):
                    self.ratio = chunk
                case Comparison():
                    self.write_compare(chunk, None)
                case Arrangement():
                    arrange(self.discourse, chunk, self.group())
                case Time():
                    show_time(self.discourse, chunk, self.last or self.topic)
                case CountComparison():
                    compare_counts(self.discourse, chunk)
                case Glue():
                    self.take_glue(chunk)
                case _:
                    raise AssertionError(f"no such chunk: {chunk!r}")

    # Spots and sizes

    def take_placement(self, spot: Placement) -> None:
        """Put the last thing at a spot of the canvas or a wall; a spot of the next phrase waits for it."""
        if spot.within == "phrase":
            self.spot = spot
            return
        target = self.last or self.topic
        if target is None:
            return
        within: Selector | None = None
        if spot.within == "side":
            # The room whose wall is meant: the target's whole, or the topic.
            room = self.discourse.mentions[target].whole or (self.topic if self.topic != target else None)
            within = Selector(room) if room is not None else None
        self.write_place(target, spot, within)
        self.glue = set()

    def write_place(self, target: str, spot: Placement, within: Selector | None) -> None:
        several = self.discourse.mentions[target].count != 1
        chosen = self.chosen if self.chosen is not None and self.chosen.mention == target else Selector(target)
        self.discourse.say(Place(
            selector=chosen, spot=spot.spot, within=within, side=spot.side if within else None,
            group=several and not chosen.ordinals,
            phrase=self.discourse.source(spot.i, spot.j), certain=spot.certain,
        ))  # fmt: skip
        self.discourse.cover(spot.i, spot.j)

    def write_compare(self, ratio: Comparison, ref: str | None) -> None:
        """Compare the last thing with another one, or those that were chosen of several with the others."""
        self.ratio = None
        target = self.chosen or (Selector(self.last) if self.last is not None else None)
        if target is None or (ref is None and not target.ordinals):
            return
        reference = Selector(ref) if ref is not None else Selector(target.mention, target.ordinals, others=True)
        self.discourse.say(Compare(
            subjects=target, reference=reference, dimension=ratio.dimension, factor=ratio.factor,
            at_least=ratio.at_least,
            phrase=self.discourse.source(ratio.i, ratio.j),
        ))  # fmt: skip
        self.discourse.cover(ratio.i, ratio.j)

    # Relations

    def take_relator(self, relator: Relator, after: Chunk | None, later: Chunk | None) -> None:
        """Find what a relation word is about; its object follows, or was spoken of before."""
        if relator.object in {"pronoun", "implied"}:
            # A relation may stand before its subject: "a house, and beside it a tree".
            subject = later if isinstance(after, Glue) and after.kind == "comma" else after
            begins = self.role == "none" or bool({"and", "comma"} & self.glue)
            if begins and not self.verbal and isinstance(subject, NounPhrase):
                known, _ = self.spoken_of([], relator.relation, pronoun=relator.object == "pronoun")
                if known is not None:
                    self.fronted(known, relator)
                    return
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
        """Return what a relation word is about: the last of a list, where the others are what it is measured from."""
        compares = relator.object == "pronoun" or (relator.object == "implied" and relator.degree != "plain")
        if self.role == "subject" and compares and not self.verbal:
            return [(self.subjects[-1], True)]
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
        return subjects if about_topic else [*subjects, (self.last, "that" in self.glue)]

    def is_scenery(self, ref: str) -> bool:
        entry = thing_of(self.discourse.mentions[ref].noun)
        return entry is not None and entry.backdrop

    def anchors_with(self, relator: Relator, last: str) -> list[Anchor]:
        """Return what a relation after "with …" is about: the part's whole, or the last thing, perhaps its holder."""
        part = self.discourse.mentions[last].whole
        if relator.object != "phrase":
            return [(last, True)]
        if part is not None:
            return [(part, True)]
        held = [(self.holder, False)] if self.holder is not None else []
        return [*held, (last, self.holder is None)]

    def take_object(self, ref: str, relator: Relator) -> None:
        """Write the waiting relation, whose object has come; of two objects the first still waits."""
        number = self.discourse.mentions[ref].count
        if relator.relation == "between" and self.first_of_two is None and number == 1 and self.chosen is None:
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
        """Note that the object comes before its subject: "On the table is a cat"."""
        self.role, self.landmark, self.topic = "none", ref, self.topic or ref
        self.inverted = (relator, ref)

    def write_relation(self, relator: Relator, anchor: str, objects: tuple[Selector, ...], *, certain: bool) -> None:
        # A part relates to parts of the same thing; toward anything else its whole stands for it.
        whole, other = self.discourse.mentions[anchor].whole, objects[0].mention
        if self.role == "with" and whole not in {None, other, self.discourse.mentions[other].whole}:
            anchor = whole or anchor
        if any(o.mention == anchor for o in objects):
            return
        subjects = self.chosen if self.chosen is not None and self.chosen.mention == anchor else Selector(anchor)
        fact = Relate(
            relation=relator.relation, subjects=subjects, objects=objects, distance=relator.distance,
            degree=relator.degree,
            phrase=self.discourse.source(relator.i, relator.j), certain=certain and relator.certain,
        )  # fmt: skip
        self.repeat = fact
        self.discourse.say(fact)
        self.discourse.cover(relator.i, relator.j)

    def mutual(self, relator: Relator) -> None:
        """Relate the things of a list each to the next: "next to each other"."""
        refs = [a for a, _ in self.anchors]
        for a, b in pairwise(refs):
            self.write_relation(relator, a, (Selector(b),), certain=True)
        if len(refs) == 1:
            arrange(self.discourse, Arrangement(relator.i, relator.j, kind="row", certain=False), refs)

    def to_known(self, relator: Relator) -> None:
        """Write a relation whose object was spoken of before: "to its left", "the sun above".

        Of several in a list only the last one is certain to be meant: "a house and a boat beside it".
        """
        about = [a for a, _ in self.anchors]
        pronoun = relator.object == "pronoun"
        ref, certain = self.spoken_of(about, relator.relation, pronoun=pronoun)
        if ref is not None:
            for anchor, sure in self.anchors:
                self.write_relation(relator, anchor, (Selector(ref),), certain=certain and sure)
            self.landmark, self.role = ref, "object"
        elif relator.relation in {"left_of", "right_of"} and not pronoun:
            # "a tree on the left", and nothing that it could be left of: a place on the canvas.
            spot = "left" if relator.relation == "left_of" else "right"
            for anchor, sure in self.anchors:
                self.write_place(anchor, Placement(relator.i, relator.j, spot=spot, certain=sure), None)

    def spoken_of(self, about: list[str], relation: Relation, *, pronoun: bool) -> tuple[str | None, bool]:
        """Return what "it", or nothing at all, refers to; certain unless several things come into question."""
        mentions = self.discourse.mentions
        order = [self.holder if self.role == "with" else None]
        order += [self.topic, self.landmark] if pronoun else [self.landmark, self.topic]
        order += [ref for ref, mention in mentions.items() if mention.whole is None]
        candidates = [
            ref
            for ref in dict.fromkeys(order)
            if ref is not None and ref not in about and (not pronoun or mentions[ref].count == 1)
        ]
        if candidates:
            first = candidates[0]
            sure = len(candidates) == 1 or first == self.meant or (self.role == "with" and first == self.topic)
            self.meant = first
            return first, sure or (not pronoun and relation in {"left_of", "right_of", "beside", "on"})
        if not pronoun:
            return None, False
        if not self.present:
            return None, True
        # "it" in an edit is the first thing of the drawing that is there.
        ref = self.discourse.enter(NounPhrase(0, 1, noun=self.present[0], determiner="the", number=1))
        if ref is not None:
            self.discourse.point_at(ref)
        return ref, True

    def write_relate(
        self, subject: str, relation: Literal["inside", "on", "near", "below"], ref: str, chunk: Chunk, *, certain: bool
    ) -> None:
        self.discourse.say(Relate(
            relation=relation, subjects=Selector(subject), objects=(Selector(ref),), certain=certain,
            phrase=self.discourse.source(chunk.i, chunk.j),
        ))  # fmt: skip

    def verb_object(self, ref: str, verb: str) -> None:
        """Guess where the object of a verb is: "holding a flag", "wearing a hat", "topped with a cherry"."""
        holder = self.last if self.last is not None else ref
        self.anchors = []
        at = self.verb_at
        if verb in {"containing", "filled"}:
            self.write_relate(ref, "inside", holder, at, certain=False)
        elif verb in {"topped", "wearing"}:
            self.write_relate(ref, "on", holder, at, certain=False)
        elif verb == "riding":
            self.write_relate(holder, "on", ref, at, certain=False)
        else:
            self.write_relate(ref, "near", holder, at, certain=False)
        self.role, self.acted_on = "object", True

    # Noun phrases

    def take_phrase(self, np: NounPhrase, after: Chunk | None, later: Chunk | None) -> None:
        """Enter a phrase, give it its role, and note what came inside it."""
        furnished = (
            np.kind == "setting" and np.width is None and isinstance(after, Glue) and after.kind in {"with", "verb"}
        )
        ref = None if furnished else self.enter(np)
        if ref is None:
            # It is not drawn: what waited for it waits no longer.
            self.lost_object = self.lost_object or self.waiting is not None
            self.waiting, self.spot, self.ratio, self.verb, self.first_of_two = None, None, None, "", None
            self.verbal, self.finite = False, False
            return

        # A relation or a verb after it begins a clause of its own.
        own = isinstance(after, Relator | Placement) or (
            isinstance(after, Glue)
            and after.kind in {"be", "verb", "that"}
            and not (isinstance(later, NounPhrase) and after.kind == "that")
        )
        self.settle(np, ref, own)
        self.last, self.verb, self.glue, self.verbal, self.finite = ref, "", set(), False, False
        self.chosen = Selector(ref, (np.ordinal,)) if np.ordinal is not None else None

        # "a bowl of three apples", "a row of four houses"
        if np.contents is not None:
            inner = self.discourse.enter(np.contents)
            if inner is not None:
                self.write_relate(inner, "inside", ref, np, certain=True)
        if np.arrangement is not None:
            arrange(self.discourse, np.arrangement, [ref])

    def enter(self, np: NounPhrase) -> str | None:
        """Return the phrase's mention; its owner is entered first, and a part belongs to its whole."""
        if np.kind == "setting":
            # A place may only be where something is: "in a kitchen", "by the road".
            waiting = self.waiting
            if waiting is None or (waiting.relation not in {"inside", "on"} and waiting.certain):
                np = replace(np, kind="thing")
        if np.owner is not None:
            owner = self.enter(np.owner)
            if owner is not None and belongs(np.noun, self.discourse.mentions[owner].noun):
                return self.discourse.enter(np, owner)
            return self.discourse.enter(np)
        holder = self.holder_of(np)
        return self.discourse.enter(replace(np, number=0) if self.verb == "without" else np, holder)

    def holder_of(self, np: NounPhrase) -> str | None:
        """Return the thing that a phrase names a part of: after *with*, or by "its" and "the"."""
        by_nature = vocabulary().has(np.noun, "parts")
        if self.waiting is not None and not (np.determiner == "its" or (np.determiner == "the" and by_nature)):
            return None
        candidates = [self.holder if self.role == "with" or "with" in self.glue else None]
        if np.determiner in {"its", "the"} or np.width is not None:
            candidates += [self.topic, self.last]
        mentions = self.discourse.mentions
        for ref in candidates:
            if ref is not None and ref in mentions:
                for whole in (ref, mentions[ref].whole or ref):
                    if belongs(np.noun, mentions[whole].noun) and whole != np.noun:
                        return whole
        return None

    def settle(self, np: NounPhrase, ref: str, own: bool) -> None:
        """Give the phrase its role: the object of what waits, part of a list, or a new subject."""
        listed = {"and", "comma"} & self.glue
        if self.waiting is not None:
            self.take_object(ref, self.waiting)
        elif self.spot is not None:
            spot, self.spot = self.spot, None
            if self.last is not None and self.last != ref:
                self.write_place(self.last, spot, Selector(ref))
                self.landmark, self.role = ref, "object"
        elif self.ratio is not None:
            self.write_compare(self.ratio, ref)
        elif "with" in self.glue and self.holder is not None:
            self.role = "with"
        elif self.verb and self.verb != "without" and self.last is not None:
            self.verb_object(ref, self.verb)
        elif "verb" in self.glue and self.role in {"subject", "object"} and not (listed or "pronoun" in self.glue):
            self.role, self.acted_on, self.anchors = "object", True, []
        elif listed and not self.verbal and self.role != "none":
            self.listed(ref, own)
        else:
            self.take_subject(ref)
        if np.same_number and self.last is not None:
            count_like(self.discourse, ref, self.last)

    def listed(self, ref: str, own: bool) -> None:
        """Take one more of a list: of subjects, of what is had, or of objects."""
        part = self.discourse.mentions[ref].whole is not None
        if self.role == "with" and (part or (not own and "comma" not in self.glue)):
            return
        if self.role == "subject":
            self.subjects.append(ref)
        elif (
            self.role == "object" and not own and "comma" not in self.glue and self.anchors and self.repeat is not None
        ):
            for anchor, _ in self.anchors:
                self.discourse.say(
                    replace(self.repeat, subjects=Selector(anchor), objects=(Selector(ref),), certain=False)
                )
        else:
            self.take_subject(ref)

    def take_subject(self, ref: str) -> None:
        """Begin a clause with a new subject, of which a relation may already wait."""
        self.subjects, self.role = [ref], "subject"
        if self.topic is None or "stop" in self.glue:
            self.topic = ref
        self.lost_object = False
        if self.inverted is not None:
            relator, other = self.inverted
            self.inverted = None
            self.write_relation(relator, ref, (Selector(other),), certain=True)

    def group(self) -> list[str]:
        """Return what an arrangement is about: the subjects, or the last thing when it is several."""
        if self.last is not None and self.discourse.mentions[self.last].count != 1:
            return [self.last]
        return list(self.subjects) if len(self.subjects) > 1 else [self.last or self.topic or ""]

    # What stands between

    def take_glue(self, glue: Glue) -> None:
        """Note what a conjunction, verb, mark or quality changes."""
        match glue.kind:
            case "with":
                self.take_with()
            case "without":
                self.verb = "without"
                self.take_with()
            case "stop":
                # What was spoken of stays known, nothing waits any longer.
                self.role, self.subjects, self.anchors, self.holder = "none", [], [], None
                self.waiting, self.spot, self.ratio, self.verb = None, None, None, ""
                self.verbal = self.finite = False
            case "verb":
                self.verbal = True
                self.finite = self.finite or not glue.word.endswith(("ing", "ed", "en"))
                self.verb, self.verb_at = glue.relation, glue
            case "be":
                self.verbal = self.finite = True
            case "quality" if self.last is not None:
                v = vocabulary()
                if v.has(glue.word.split()[-1], "colours"):
                    self.discourse.colour(self.last, glue.word)
                else:
                    self.discourse.resize(self.last, v.sizes[glue.word])
                self.discourse.cover(glue.i, glue.j)
            case "frame":
                self.discourse.cover(glue.i, glue.j)
            case _:
                pass
        self.glue.add(glue.kind)

    def take_with(self) -> None:
        """Find the thing that "with" is about: what stands right before it; behind scenery the topic."""
        if self.role == "with" and {"and", "comma"} & self.glue:
            return
        last = self.topic if self.last is None or self.is_scenery(self.last) or self.lost_object else self.last
        self.holder = None if last is None else (self.discourse.mentions[last].whole or last)
