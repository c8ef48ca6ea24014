"""What each relation word holds between: a walk over the chunks that remembers what was spoken of.

The subject of a sentence is its topic, the last object its landmark. A relation right after a noun is about that
noun; after "A on B" a further relation may be about either, so both are written down as guesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from redraft.english.chunks import (
    Arrangement,
    Chunk,
    Comparison,
    CountComparison,
    Glue,
    NounPhrase,
    Placement,
    Relator,
    Time,
)  # fmt: skip
from redraft.english.groups import arrange, compare_counts, count_like, show_time
from redraft.english.heads import belongs
from redraft.english.relating import Relating
from redraft.english.words import vocabulary
from redraft.spatial.reading import Selector

__all__ = ["Walk"]


@dataclass
class Walk(Relating):
    """A walk over all chunks of a line; what they say goes into the book."""

    def read(self, chunks: Sequence[Chunk]) -> None:
        """Walk over all chunks, in order."""
        for k, chunk in enumerate(chunks):
            self._take(
                chunk, chunks[k + 1] if k + 1 < len(chunks) else None, chunks[k + 2] if k + 2 < len(chunks) else None
            )

    def _take(self, chunk: Chunk, after: Chunk | None, later: Chunk | None) -> None:
        match chunk:
            case NounPhrase():
                self.take_phrase(chunk, after, later)
            case Relator():
                self.take_relator(chunk)
            case Placement():
                self.take_placement(chunk)
            case Comparison():
                self.take_comparison(chunk)
            case Arrangement():
                arrange(self.book, chunk, self.group())
            case Time():
                show_time(self.book, chunk, self.last or self.topic)
            case CountComparison():
                compare_counts(self.book, chunk)
            case Glue():
                self.take_glue(chunk)
            case _:
                raise AssertionError(f"no such chunk: {chunk!r}")

    def take_phrase(self, np: NounPhrase, after: Chunk | None, later: Chunk | None) -> None:
        if self.dropped:
            self.dropped = False
            return
        furnished = (
            np.kind == "setting" and np.width is None and isinstance(after, Glue) and after.kind in {"with", "verb"}
        )
        ref = None if furnished else self.enter(np)
        if ref is None:
            self.nothing()
            return
        self.settle(np, ref, _starts_own(after, later))
        self.last, self.verb, self.glue, self.verbal, self.finite = ref, "", set(), False, False
        self.chosen = Selector(ref, (np.ordinal,)) if np.ordinal is not None else None
        self.belongings(np, ref)

    def enter(self, np: NounPhrase) -> str | None:
        """The phrase's mention; its owner is entered first, and a part knows its whole."""
        if np.kind == "setting" and not (self.is_where() or self.book.is_setting(np.noun)):
            np = replace(np, kind="thing")
        if np.owner is not None:
            owner = self.enter(np.owner)
            if owner is not None and belongs(np.noun, self.book.mentions[owner].noun):
                return self.book.enter(np, owner)
            return self.book.enter(np)
        holder = self.holder_of(np)
        return self.book.enter(replace(np, number=0) if self.verb == "without" else np, holder)

    def is_where(self) -> bool:
        """Whether a place is only said to be where something is: "in a kitchen", "by the road"."""
        return self.waiting is not None and (self.waiting.relation in {"inside", "on"} or not self.waiting.certain)

    def holder_of(self, np: NounPhrase) -> str | None:
        """The thing that a phrase names a part of: after *with*, or by "its" and "the"."""
        by_nature = vocabulary().has(np.noun, "parts")
        if self.waiting is not None and not (np.determiner == "its" or (np.determiner == "the" and by_nature)):
            return None
        candidates = [self.holder if self.role == "with" or "with" in self.glue else None]
        if np.determiner in {"its", "the"} or np.width is not None:
            candidates += [self.topic, self.last]
        for ref in candidates:
            if ref is not None and ref in self.book.mentions:
                mention = self.book.mentions[ref]
                root = mention.whole or ref
                for whole in (ref, root):
                    if belongs(np.noun, self.book.mentions[whole].noun) and whole != np.noun:
                        return whole
        return None

    def nothing(self) -> None:
        """A phrase that is not drawn: what waited for it waits no longer."""
        if self.waiting is not None:
            self.lost_object = True
        self.waiting, self.spot, self.ratio, self.verb, self.first_of_two = None, None, None, "", None
        self.verbal, self.finite = False, False

    def settle(self, np: NounPhrase, ref: str, own: bool) -> None:
        """Give the phrase its role: the object of what waits, part of a list, or a new subject."""
        if self.waiting is not None:
            self.take_object(ref, self.waiting)
        elif self.spot is not None:
            self.spot_within(ref, self.spot)
        elif self.ratio is not None:
            self.write_compare(self.ratio, ref)
        elif "with" in self.glue and self.holder is not None:
            self.role = "with"
        elif self.verb and self.verb != "without" and self.last is not None:
            self.verb_object(ref, self.verb)
        elif "verb" in self.glue and self.role in {"subject", "object"} and not {"and", "comma", "pronoun"} & self.glue:
            self.role, self.acted_on, self.anchors = "object", True, []
        elif {"and", "comma"} & self.glue and not self.verbal and self.role != "none":
            self.listed(ref, own)
        else:
            self.take_subject(ref)
        if np.same_number and self.last is not None:
            count_like(self.book, ref, self.last)

    def listed(self, ref: str, own: bool) -> None:
        """One more of a list: of subjects, of what is had, or of objects."""
        part = self.book.mentions[ref].whole is not None
        if self.role == "with" and (part or (not own and "comma" not in self.glue)):
            return
        if self.role == "subject":
            self.subjects.append(ref)
        elif (
            self.role == "object" and not own and "comma" not in self.glue and self.anchors and self.repeat is not None
        ):
            for anchor, _ in self.anchors:
                self.book.relate(
                    replace(self.repeat, subjects=Selector(anchor), objects=(Selector(ref),), certain=False)
                )
        else:
            self.take_subject(ref)

    def take_subject(self, ref: str) -> None:
        self.subjects, self.role = [ref], "subject"
        if self.topic is None or "stop" in self.glue:
            self.topic = ref
        self.lost_object = False
        if self.inverted is not None:
            relator, other = self.inverted
            self.inverted = None
            self.write_relation(relator, ref, (Selector(other),), certain=True)

    def belongings(self, np: NounPhrase, ref: str) -> None:
        """What came inside the phrase: "a bowl of three apples", "a row of four houses"."""
        if np.contents is not None:
            inner = self.book.enter(np.contents)
            if inner is not None:
                self.write_relate(inner, "inside", ref, np, certain=True)
        if np.arrangement is not None:
            arrange(self.book, np.arrangement, [ref])

    def group(self) -> list[str]:
        """What an arrangement is about: the subjects, or the last thing when it is several."""
        if self.last is not None and self.book.mentions[self.last].count != 1:
            return [self.last]
        return list(self.subjects) if len(self.subjects) > 1 else [self.last or self.topic or ""]

    def take_glue(self, glue: Glue) -> None:
        match glue.kind:
            case "with":
                self.take_with()
            case "without":
                self.verb = "without"
                self.take_with()
            case "stop":
                self.take_stop()
            case "verb":
                self.take_verb(glue)
            case "be":
                self.verbal = self.finite = True
            case "quality" if self.last is not None:
                self.take_quality(glue, self.last)
            case "dropped":
                self.dropped = True
            case "frame":
                self.book.cover(glue.i, glue.j)
            case _:
                pass
        self.glue.add(glue.kind)

    def take_with(self) -> None:
        """Whom "with" is about: what stands right before it; behind scenery the topic."""
        if self.role == "with" and {"and", "comma"} & self.glue:
            return
        last = self.topic if self.last is None or self.is_scenery(self.last) or self.lost_object else self.last
        self.holder = None if last is None else (self.book.mentions[last].whole or last)

    def take_stop(self) -> None:
        """A sentence ends: what was spoken of stays known, nothing waits any longer."""
        self.role, self.subjects, self.anchors, self.holder = "none", [], [], None
        self.waiting, self.spot, self.ratio, self.verb = None, None, None, ""
        self.verbal = self.finite = self.dropped = False

    def take_verb(self, glue: Glue) -> None:
        self.verbal = True
        self.finite = self.finite or not glue.word.endswith(("ing", "ed", "en"))
        self.verb, self.verb_at = glue.relation, glue

    def take_quality(self, glue: Glue, ref: str) -> None:
        v = vocabulary()
        if v.has(glue.word.split()[-1], "colours"):
            self.book.colour(ref, glue.word)
        else:
            self.book.resize(ref, v.sizes[glue.word])
        self.book.cover(glue.i, glue.j)


def _starts_own(after: Chunk | None, later: Chunk | None) -> bool:
    """Whether a phrase begins a clause of its own: a relation or a verb follows it."""
    if isinstance(after, Relator | Placement):
        return True
    return (
        isinstance(after, Glue)
        and after.kind in {"be", "verb", "that"}
        and not (isinstance(later, NounPhrase) and after.kind == "that")
    )
