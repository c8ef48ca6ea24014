"""The discourse model: mentions, constraints with their words, and the words that are accounted for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from unicodedata import normalize

from redraft.offline.english.chunks import Arrangement, CountComparison, NounPhrase, Time
from redraft.offline.english.reading import (
    Align,
    Angle,
    Constraint,
    Count,
    EqualSpacing,
    Grid,
    Mention,
    Selector,
    Size,
)
from redraft.offline.english.tokens import Line, clock_angles
from redraft.offline.english.words import thing_of


@dataclass
class Discourse:
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
        """Return the words i to j as they stand in the text."""
        return self.line.source(i, j)

    def cover(self, i: int, j: int) -> None:
        """Note that the words i to j are accounted for."""
        self.covered.update(range(i, j))

    def say(self, constraint: Constraint) -> None:
        """Write a constraint down, once."""
        if constraint not in self.constraints[-50:]:
            self.constraints.append(constraint)

    def enter(self, np: NounPhrase, whole: str | None = None) -> str | None:
        """Return the mention of a noun phrase, a new one or one that it repeats; None for what is not drawn."""
        if not self._is_drawn(np):
            return None
        ref = self._repeated(np, whole)
        if ref is not None:
            mention = self.mentions[ref]
            recounted = np.number is not None and mention.count is not None and np.number != mention.count
            if recounted and np.plural and np.ordinal is None:
                self.conflicts.append((mention.phrase, self.source(np.i, np.j)))
            colour = mention.colour or (np.colour if np.ordinal is None else None)
            self.mentions[ref] = replace(mention, colour=colour)
        else:
            ref, phrase = self._new_id(np.noun), self.source(np.i, np.j)
            self.mentions[ref] = Mention(
                id=ref, noun=np.noun, count=np.number, whole=whole, colour=np.colour, size=np.size,
                adjectives=np.adjectives,
                exact=np.number is not None and not np.at_least and not np.bare, phrase=phrase,
                span=(self.line.tokens[np.i].start, self.line.tokens[np.j - 1].end),
            )  # fmt: skip
            if np.determiner in {"the", "its"}:
                self.given.add(ref)
            if np.exactly:
                self.numbered[ref] = phrase
            if np.width is not None or np.height is not None:
                self.say(Size(selector=Selector(ref), width=np.width, height=np.height, phrase=phrase))
        self.covered.update(k for k in range(np.i, np.j) if k not in np.loose)
        return ref

    def _is_drawn(self, np: NounPhrase) -> bool:
        if not any(map(str.isalnum, np.noun)):
            return False
        if np.bare and not np.plural and self.line.tokens[np.j - 1].text[:1].isupper():
            return False  # a name: "in Paris"
        if np.ordinal is not None and np.noun in {"one", "ones"}:
            return True
        if np.kind == "setting":
            entry = thing_of(np.noun)
            return np.width is not None or (entry is not None and entry.backdrop)
        return np.kind == "thing"

    def _repeated(self, np: NounPhrase, whole: str | None) -> str | None:
        """Return the mention that a definite phrase repeats, the last that fits."""
        several = [m for m in self.mentions.values() if m.count != 1]
        if np.noun in {"one", "ones"}:
            candidates = [m for m in several if m.whole is None]
        elif np.number == 1 and np.determiner == "" and not (np.exactly or np.bare):
            # "two dogs play and one dog sleeps": one of those before.
            candidates = [m for m in several if _same_noun(m.noun, np.noun) and self.line.word(np.i) == "one"]
        elif np.determiner in {"the", "its", "each"} or np.ordinal is not None or np.exactly:
            candidates = [
                m
                for m in self.mentions.values()
                if _same_noun(m.noun, np.noun)
                and (whole is None or m.whole in {None, whole})
                and (np.colour is None or m.colour in {None, np.colour})
                and (m.id in self.numbered or not (np.exactly and np.determiner == ""))
            ]
        else:
            candidates = []
        return candidates[-1].id if candidates else None

    def _new_id(self, noun: str) -> str:
        letters = normalize("NFKD", noun.replace(" ", "_").replace("-", "_")).encode("ascii", "ignore").decode()
        base = re.sub(r"^[^a-z]+|[^a-z0-9_]", "", letters) or "thing"
        ref, n = base, 1
        while ref in self.mentions:
            n += 1
            ref = f"{base}_{n}"
        return ref

    def colour(self, ref: str, word: str) -> None:
        """Give a mention a color that was named after it."""
        self.mentions[ref] = replace(self.mentions[ref], colour=word)

    def resize(self, ref: str, factor: float) -> None:
        """Give a mention a size that was named after it."""
        self.mentions[ref] = replace(self.mentions[ref], size=factor)

    def recount(self, ref: str, number: int | None, *, exact: bool) -> None:
        """Give a mention another number."""
        self.mentions[ref] = replace(self.mentions[ref], count=number, exact=exact)

    def point_at(self, ref: str) -> None:
        """Make a mention one of the thing that "it" is: it is there already, perhaps with others of its kind."""
        self.mentions[ref] = replace(self.mentions[ref], count=1, exact=False, phrase="it", span=(0, 0))

    def counts(self, *, edit: bool) -> list[Constraint]:
        """Return one count for each mention; at least, where the words leave it open or more are there already."""
        return [
            Count(
                mention=m.id,
                number=m.count if m.count is not None else 2,
                at_least=m.count is None or not m.exact or edit,
                phrase=m.phrase,
                certain=not (m.id in self.given and (m.whole is not None or edit)),
            )
            for m in self.mentions.values()
        ]


def _same_noun(a: str, b: str) -> bool:
    return a == b or a.endswith(f" {b}") or b.endswith(f" {a}")


def arrange(discourse: Discourse, how: Arrangement, refs: Sequence[str]) -> None:
    """Write down how the mentions stand."""
    refs = [r for r in refs if r in discourse.mentions]
    if not refs:
        return
    last, several = Selector(refs[-1]), discourse.mentions[refs[-1]].count != 1
    phrase = discourse.source(how.i, how.j)
    fact: Constraint | None = None
    kept = False  # the words are accounted for without a constraint of their own
    match how.kind:
        case "row" | "column":
            selectors = tuple(Selector(r) for r in refs)
            fact = Align(
                selectors=selectors, axis="x" if how.kind == "row" else "y", phrase=phrase, certain=how.certain
            )
        case "even" if several:
            # Equal gaps run along the column the things stand in, else from left to right.
            rows = [c for c in discourse.constraints if isinstance(c, Align) and last in c.selectors]
            fact = EqualSpacing(selector=last, axis="y" if any(c.axis == "y" for c in rows) else "x", phrase=phrase)
        case "grid":
            if discourse.mentions[refs[-1]].count is None:
                discourse.recount(refs[-1], how.rows * how.columns, exact=True)
            fact = Grid(selector=last, rows=how.rows, columns=how.columns, phrase=phrase)
        case "gap":
            # A stated gap belongs to the grid or the row that was spoken of, else it makes the gaps equal.
            spoken = (
                k
                for k, c in enumerate(discourse.constraints)
                if isinstance(c, Grid | EqualSpacing) and c.selector == last
            )
            k = next(spoken, None)
            if k is not None:
                discourse.constraints[k] = replace(discourse.constraints[k], gap=how.gap)
                kept = how.gap is not None
            elif several:
                fact = EqualSpacing(selector=last, gap=how.gap, phrase=phrase)
        case _:
            pass
    if fact is not None:
        discourse.say(fact)
    if fact is not None or kept:
        discourse.cover(how.i, how.j)


def show_time(discourse: Discourse, time: Time, clock: str | None) -> None:
    """Write down the two hands of a clock, and where they point."""
    if clock is None or clock not in discourse.mentions:
        return
    phrase = discourse.source(time.i, time.j)
    for noun, degrees in zip(("hour hand", "minute hand"), clock_angles(time.hour, time.minute), strict=True):
        ref = discourse.enter(NounPhrase(time.i, time.j, noun=noun, number=1), clock)
        if ref is not None:
            discourse.say(Angle(selector=Selector(ref), degrees=degrees, phrase=phrase))
    discourse.cover(time.i, time.j)


def count_like(discourse: Discourse, ref: str, model: str) -> None:
    """Give a mention as many as the one before: "the same number of"."""
    number = discourse.mentions[model].count
    discourse.recount(ref, number, exact=number is not None)


def compare_counts(discourse: Discourse, facts: CountComparison) -> None:
    """Bound the open number by the known one: "the number of cars is more than that of buses"."""
    ids: list[str] = []
    for np in (facts.subject, facts.reference):
        known = next((m.id for m in discourse.mentions.values() if m.noun == np.noun), None)
        ref = known or discourse.enter(np)
        if ref is not None:
            ids.append(ref)
    if len(ids) < 2:
        return
    discourse.cover(facts.i, facts.j)
    larger, smaller = ids if facts.more > 0 else reversed(ids)
    more, less = discourse.mentions[larger], discourse.mentions[smaller]
    if less.exact and less.count is not None and not more.exact:
        discourse.recount(larger, less.count + 1, exact=False)
    elif more.exact and more.count is not None and not less.exact:
        discourse.recount(smaller, max(1, more.count - 1), exact=more.count == 2)
