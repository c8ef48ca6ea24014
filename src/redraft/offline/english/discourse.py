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
    Measure,
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
        return self.line.source(i, j)

    def cover(self, i: int, j: int) -> None:
        self.covered.update(range(i, j))

    def say(self, constraint: Constraint) -> None:
        """Write a constraint down, once."""
        if constraint not in self.constraints[-50:]:
            self.constraints.append(constraint)

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
        letters = normalize("NFKD", noun.replace(" ", "_").replace("-", "_")).encode("ascii", "ignore").decode()
        base = re.sub(r"^[^a-z]+|[^a-z0-9_]", "", letters) or "thing"
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


def _same_noun(a: str, b: str) -> bool:
    return a == b or a.endswith(f" {b}") or b.endswith(f" {a}")


def arrange(discourse: Discourse, how: Arrangement, refs: Sequence[str]) -> None:
    """Write down how the mentions stand."""
    refs = [r for r in refs if r in discourse.mentions]
    if not refs:
        return
    phrase = discourse.source(how.i, how.j)
    facts = _facts(discourse, how, refs, phrase)
    for fact in facts:
        discourse.say(fact)
    if facts or (how.kind == "gap" and _has_gap(discourse, refs[-1])):
        discourse.cover(how.i, how.j)


def _has_gap(discourse: Discourse, ref: str) -> bool:
    return any(
        isinstance(c, Grid | EqualSpacing) and c.selector.mention == ref and c.gap for c in discourse.constraints
    )


def _facts(discourse: Discourse, how: Arrangement, refs: Sequence[str], phrase: str) -> list[Constraint]:
    last, selectors = Selector(refs[-1]), tuple(Selector(r) for r in refs)
    match how.kind:
        case "row":
            return [Align(selectors=selectors, axis="x", phrase=phrase, certain=how.certain)]
        case "column":
            return [Align(selectors=selectors, axis="y", phrase=phrase, certain=how.certain)]
        case "even":
            return _even(discourse, last, phrase, several=discourse.mentions[refs[-1]].count != 1)
        case "grid":
            return _grid(discourse, how, refs[-1], phrase)
        case "gap":
            return _gap(discourse, last, how.gap, phrase)


def _even(discourse: Discourse, selector: Selector, phrase: str, *, several: bool) -> list[Constraint]:
    """Equal gaps run along the column the things stand in, else from left to right."""
    if not several:
        return []
    upright = any(isinstance(c, Align) and c.axis == "y" and selector in c.selectors for c in discourse.constraints)
    return [EqualSpacing(selector=selector, axis="y" if upright else "x", phrase=phrase)]


def _grid(discourse: Discourse, how: Arrangement, ref: str, phrase: str) -> list[Constraint]:
    if discourse.mentions[ref].count is None:
        discourse.recount(ref, how.rows * how.columns, exact=True)
    return [Grid(selector=Selector(ref), rows=how.rows, columns=how.columns, phrase=phrase)]


def _gap(discourse: Discourse, selector: Selector, gap: Measure | None, phrase: str) -> list[Constraint]:
    """A stated gap belongs to the grid or the row that was spoken of, else it makes the gaps equal."""
    for k, fact in enumerate(discourse.constraints):
        if isinstance(fact, Grid | EqualSpacing) and fact.selector == selector:
            discourse.constraints[k] = replace(fact, gap=gap)
            return []
    if discourse.mentions[selector.mention].count == 1:
        return []
    return [EqualSpacing(selector=selector, gap=gap, phrase=phrase)]


def show_time(discourse: Discourse, time: Time, clock: str | None) -> None:
    """Two hands, and where they point."""
    if clock is None or clock not in discourse.mentions:
        return
    phrase = discourse.source(time.i, time.j)
    for noun, degrees in zip(("hour hand", "minute hand"), clock_angles(time.hour, time.minute), strict=True):
        ref = discourse.enter(NounPhrase(time.i, time.j, noun=noun, number=1), clock)
        if ref is not None:
            discourse.say(Angle(selector=Selector(ref), degrees=degrees, phrase=phrase))
    discourse.cover(time.i, time.j)


def count_like(discourse: Discourse, ref: str, model: str) -> None:
    """ "the same number of": as many as of the mention before."""
    number = discourse.mentions[model].count
    discourse.recount(ref, number, exact=number is not None)


def compare_counts(discourse: Discourse, facts: CountComparison) -> None:
    """ "the number of cars is more than that of buses": the open number is bounded by the known one."""
    subject, reference = _spoken(discourse, facts.subject), _spoken(discourse, facts.reference)
    if subject is None or reference is None:
        return
    discourse.cover(facts.i, facts.j)
    larger, smaller = (subject, reference) if facts.more > 0 else (reference, subject)
    more, less = discourse.mentions[larger], discourse.mentions[smaller]
    if less.exact and less.count is not None and not more.exact:
        discourse.recount(larger, less.count + 1, exact=False)
    elif more.exact and more.count is not None and not less.exact:
        discourse.recount(smaller, max(1, more.count - 1), exact=more.count == 2)


def _spoken(discourse: Discourse, np: NounPhrase) -> str | None:
    known = next((m.id for m in discourse.mentions.values() if m.noun == np.noun), None)
    return known or discourse.enter(np)
