"""The book that a reading is kept in: mentions, constraints with their words, and which words are accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from redraft.english.chunks import NounPhrase
from redraft.english.tokens import Line
from redraft.english.words import vocabulary
from redraft.offline.lexicon import find
from redraft.spatial.reading import Constraint, Count, Mention, Relate, Selector, Size

__all__ = ["Book"]

PROSE = 45
"""Words and marks from which a text is prose: there a word that is in no list is seldom a thing."""


@dataclass
class Book:
    """A reading in the making."""

    line: Line
    mentions: dict[str, Mention] = field(default_factory=dict[str, Mention])
    constraints: list[Constraint] = field(default_factory=list[Constraint])
    covered: set[int] = field(default_factory=set[int])
    """Indices of the words that something accounts for."""
    numbered: dict[str, str] = field(default_factory=dict[str, str])
    """Mentions whose number was said with "exactly", with the words."""
    given: set[str] = field(default_factory=set[str])
    """Mentions that were spoken of as already there: "the roof"."""
    conflicts: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Pairs of phrases that give one thing two numbers."""

    def source(self, i: int, j: int) -> str:
        return self.line.source(i, j)

    def cover(self, i: int, j: int) -> None:
        self.covered.update(range(i, j))

    def say(self, constraint: Constraint) -> None:
        """Write a constraint down, once."""
        if constraint not in self.constraints[-50:]:
            self.constraints.append(constraint)

    def relate(self, relation: Relate) -> None:
        self.say(relation)

    def enter(self, np: NounPhrase, whole: str | None = None) -> str | None:
        """The mention of a noun phrase: a new one, or the one that it speaks of again; None for what is not drawn."""
        if not self._drawn(np):
            return None
        known = self._known(np, whole)
        if known is not None:
            self._again(known, np)
            return known
        ref = self._fresh(np.noun)
        self.mentions[ref] = Mention(
            id=ref, noun=np.noun, count=np.number, whole=whole, colour=np.colour, size=np.size,
            adjectives=np.adjectives,
            exact=np.number is not None and not np.at_least and not np.bare, phrase=self.source(np.i, np.j),
            span=(self.line.tokens[np.i].start, self.line.tokens[np.j - 1].end),
        )  # fmt: skip
        if np.determiner in {"the", "its"}:
            self.given.add(ref)
        self._account(ref, np)
        return ref

    def _drawn(self, np: NounPhrase) -> bool:
        if np.bare and not np.plural and np.colour is None and self._is_doubtful(np):
            return False
        if (
            self._is_prose
            and np.determiner == "the"
            and vocabulary().has(np.noun, "frames")
            and not self._known(np, None)
        ):
            return False  # "the upper half of the picture"
        if np.ordinal is not None and np.noun in {"one", "ones"}:
            return True
        if np.kind == "setting":
            entry = find(np.noun)
            return np.width is not None or (entry is not None and entry.backdrop)
        return np.kind == "thing"

    def _is_doubtful(self, np: NounPhrase) -> bool:
        """Whether an unknown word without an article is rather no thing: a name ("in Paris"), a word in long prose."""
        return self.line.tokens[np.j - 1].text[:1].isupper() or self._is_prose

    @property
    def _is_prose(self) -> bool:
        return len(self.line) > PROSE

    def is_setting(self, noun: str) -> bool:
        """Whether a place is none to draw, wherever it is named: an hour, a weather; in prose, what is not known."""
        return vocabulary().has(noun, "weather") or (self._is_prose and find(noun) is None)

    def _known(self, np: NounPhrase, whole: str | None) -> str | None:
        """What a definite phrase speaks of again."""
        if np.noun in {"one", "ones"}:
            several = [m.id for m in self.mentions.values() if m.count != 1 and m.whole is None]
            return several[-1] if several else None
        if np.number == 1 and np.determiner == "" and not (np.exactly or np.bare):
            return self._one_of(np)
        if np.determiner not in {"the", "its", "each"} and np.ordinal is None and not np.exactly:
            return None
        same = [
            m
            for m in self.mentions.values()
            if _same_noun(m.noun, np.noun) and (whole is None or m.whole in {None, whole})
        ]
        fitting = [m for m in same if np.colour is None or m.colour in {None, np.colour}]
        if np.exactly and np.determiner == "":
            fitting = [m for m in fitting if m.id in self.numbered]
        return fitting[-1].id if fitting else None

    def _one_of(self, np: NounPhrase) -> str | None:
        """ "two dogs play and one dog sleeps": one of those before."""
        several = [m.id for m in self.mentions.values() if m.count != 1 and _same_noun(m.noun, np.noun)]
        return several[-1] if several and self.line.word(np.i) == "one" else None

    def _again(self, ref: str, np: NounPhrase) -> None:
        """Note what a second mention adds; two numbers for one thing are a conflict."""
        mention = self.mentions[ref]
        if (
            np.number is not None
            and np.plural
            and mention.count is not None
            and np.number != mention.count
            and np.ordinal is None
        ):
            self.conflicts.append((mention.phrase, self.source(np.i, np.j)))
        self.mentions[ref] = replace(mention, colour=mention.colour or (np.colour if np.ordinal is None else None))
        self._cover_phrase(np)

    def _account(self, ref: str, np: NounPhrase) -> None:
        """The constraints that the phrase itself states: its number, its measures."""
        phrase = self.source(np.i, np.j)
        if np.exactly:
            self.numbered[ref] = phrase
        if np.width is not None or np.height is not None:
            self.say(Size(selector=Selector(ref), width=np.width, height=np.height, phrase=phrase))
        self._cover_phrase(np)

    def _cover_phrase(self, np: NounPhrase) -> None:
        self.covered.update(k for k in range(np.i, np.j) if k not in np.loose)

    def _fresh(self, noun: str) -> str:
        base = noun.replace(" ", "_").replace("-", "_")
        ref, n = base, 1
        while ref in self.mentions:
            n += 1
            ref = f"{base}_{n}"
        return ref

    def colour(self, ref: str, word: str) -> None:
        self.mentions[ref] = replace(self.mentions[ref], colour=word)

    def resize(self, ref: str, factor: float) -> None:
        self.mentions[ref] = replace(self.mentions[ref], size=factor)

    def recount(self, ref: str, number: int | None, *, exact: bool) -> None:
        self.mentions[ref] = replace(self.mentions[ref], count=number, exact=exact)

    def point_at(self, ref: str) -> None:
        """Make a mention one of the thing that "it" is: it is there already, perhaps with others of its kind."""
        self.mentions[ref] = replace(self.mentions[ref], count=1, exact=False, phrase="it", span=(0, 0))

    def counts(self, *, edit: bool) -> list[Constraint]:
        """One count for each mention; at least, where the words leave it open or more are there already."""
        found: list[Constraint] = []
        for m in self.mentions.values():
            open_ended = m.count is None or not m.exact
            number = m.count if m.count is not None else 2
            certain = not (m.id in self.given and (m.whole is not None or edit))
            found.append(
                Count(mention=m.id, number=number, at_least=open_ended or edit, phrase=m.phrase, certain=certain)
            )
        return found

    def several(self, refs: Sequence[str]) -> list[str]:
        """Those of the mentions that stand for more than one thing."""
        return [r for r in refs if self.mentions[r].count != 1]


def _same_noun(a: str, b: str) -> bool:
    return a == b or a.endswith(f" {b}") or b.endswith(f" {a}")
