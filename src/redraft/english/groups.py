"""Things said of several: how they stand, how many they are beside others, what time a clock's hands show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from redraft.english.book import Book
from redraft.english.chunks import Arrangement, CountComparison, NounPhrase, Time
from redraft.english.numbers import clock_angles
from redraft.spatial.reading import Align, Angle, Constraint, EqualSpacing, Grid, Measure, Progression, Selector

__all__ = ["arrange", "compare_counts", "count_like", "show_time"]


def arrange(book: Book, how: Arrangement, refs: Sequence[str]) -> None:
    """Write down how the mentions stand."""
    refs = [r for r in refs if r in book.mentions]
    if not refs:
        return
    phrase = book.source(how.i, how.j)
    facts = _facts(book, how, refs, phrase)
    for fact in facts:
        book.say(fact)
    if facts or (how.kind == "gap" and _has_gap(book, refs[-1])):
        book.cover(how.i, how.j)


def _has_gap(book: Book, ref: str) -> bool:
    return any(isinstance(c, Grid | EqualSpacing) and c.selector.mention == ref and c.gap for c in book.constraints)


def _facts(book: Book, how: Arrangement, refs: Sequence[str], phrase: str) -> list[Constraint]:
    last, selectors = Selector(refs[-1]), tuple(Selector(r) for r in refs)
    match how.kind:
        case "row":
            return [Align(selectors=selectors, axis="x", phrase=phrase, certain=how.certain)]
        case "column":
            return [Align(selectors=selectors, axis="y", phrase=phrase, certain=how.certain)]
        case "even":
            return _even(book, last, phrase, several=book.mentions[refs[-1]].count != 1)
        case "grid":
            return _grid(book, how, refs[-1], phrase)
        case "progression":
            return [Progression(selector=last, dimension=how.dimension, increasing=how.increasing, phrase=phrase)]
        case "gap":
            return _gap(book, last, how.gap, phrase)


def _even(book: Book, selector: Selector, phrase: str, *, several: bool) -> list[Constraint]:
    """Equal gaps run along the column the things stand in, else from left to right."""
    if not several:
        return []
    upright = any(isinstance(c, Align) and c.axis == "y" and selector in c.selectors for c in book.constraints)
    return [EqualSpacing(selector=selector, axis="y" if upright else "x", phrase=phrase)]


def _grid(book: Book, how: Arrangement, ref: str, phrase: str) -> list[Constraint]:
    if book.mentions[ref].count is None:
        book.recount(ref, how.rows * how.columns, exact=True)
    return [Grid(selector=Selector(ref), rows=how.rows, columns=how.columns, phrase=phrase)]


def _gap(book: Book, selector: Selector, gap: Measure | None, phrase: str) -> list[Constraint]:
    """A stated gap belongs to the grid or the row that was spoken of, else it makes the gaps equal."""
    for k, fact in enumerate(book.constraints):
        if isinstance(fact, Grid | EqualSpacing) and fact.selector == selector:
            book.constraints[k] = replace(fact, gap=gap)
            return []
    if book.mentions[selector.mention].count == 1:
        return []
    return [EqualSpacing(selector=selector, gap=gap, phrase=phrase)]


def show_time(book: Book, time: Time, clock: str | None) -> None:
    """Two hands, and where they point."""
    if clock is None or clock not in book.mentions:
        return
    phrase = book.source(time.i, time.j)
    for noun, degrees in zip(("hour hand", "minute hand"), clock_angles(time.hour, time.minute), strict=True):
        ref = book.enter(NounPhrase(time.i, time.j, noun=noun, number=1), clock)
        if ref is not None:
            book.say(Angle(selector=Selector(ref), degrees=degrees, phrase=phrase))
    book.cover(time.i, time.j)


def count_like(book: Book, ref: str, model: str) -> None:
    """ "the same number of": as many as of the mention before."""
    number = book.mentions[model].count
    book.recount(ref, number, exact=number is not None)


def compare_counts(book: Book, facts: CountComparison) -> None:
    """ "the number of cars is more than that of buses": the open number is bounded by the known one."""
    subject, reference = _spoken(book, facts.subject), _spoken(book, facts.reference)
    if subject is None or reference is None:
        return
    book.cover(facts.i, facts.j)
    if facts.by is not None:
        known = book.mentions[reference]
        number = known.count if known.count is not None else facts.by + 1
        book.recount(reference, number, exact=known.exact)
        book.recount(subject, max(1, number + facts.more * facts.by), exact=known.exact)
        return
    larger, smaller = (subject, reference) if facts.more > 0 else (reference, subject)
    more, less = book.mentions[larger], book.mentions[smaller]
    if less.exact and less.count is not None and not more.exact:
        book.recount(larger, less.count + 1, exact=False)
    elif more.exact and more.count is not None and not less.exact:
        book.recount(smaller, max(1, more.count - 1), exact=more.count == 2)


def _spoken(book: Book, np: NounPhrase) -> str | None:
    known = next((m.id for m in book.mentions.values() if m.noun == np.noun), None)
    return known or book.enter(np)
