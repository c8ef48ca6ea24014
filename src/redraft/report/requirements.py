"""The requirements of a run on its page: each statement with what was measured, and the brief with what was not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from redraft.record.transcript import Transcript
from redraft.result import Measured, Report

LISTED = 200
"""Statements on the page; the transcript has every one."""


@dataclass(frozen=True)
class Row:
    """One statement. `tone` is `good`, `bad` or `warn`."""

    id: str
    quote: str
    words: str
    found: str
    outcome: str
    tone: str
    note: str = ""
    """The reason for which it was changed, withdrawn or set aside."""


@dataclass(frozen=True)
class Stretch:
    """A piece of the brief."""

    text: str
    measured: bool | None
    """None for what holds no words."""


@dataclass(frozen=True)
class Statements:
    """All that was stated about what was delivered, and what nothing measured."""

    rows: tuple[Row, ...]
    unlisted: int
    brief: tuple[Stretch, ...]
    """The brief in pieces; empty where they cannot be separated."""
    beside: tuple[str, ...]
    """Unmeasured statements that are not words of the brief."""


def statements_of(transcript: Transcript) -> Statements | None:
    """The statements of what was delivered; None for a run that has none and leaves nothing unmeasured."""
    report = transcript.report
    rows = rows_of(report, inexact=_once_inexact(transcript))
    if not rows and not report.unchecked:
        return None
    brief, beside = _brief(str(transcript.brief.get("instruction", "")), report)
    return Statements(rows[:LISTED], max(0, len(rows) - LISTED), brief, beside)


def _once_inexact(transcript: Transcript) -> frozenset[str]:
    """The statements that held within their tolerance only, at some time."""
    reports = (check.report for turn in transcript.turns for check in turn.validations)
    return frozenset(one.id for report in reports for one in report.requirements if one.outcome == "inexact")


_OUTCOMES: Mapping[str, tuple[str, str]] = {
    "met": ("holds", "good"),
    "inexact": ("holds within the tolerance", "good"),
    "broken": ("broken", "bad"),
    "withdrawn": ("withdrawn", "warn"),
    "waived": ("waived", "warn"),
}


def rows_of(report: Report, inexact: frozenset[str] = frozenset()) -> tuple[Row, ...]:
    """The statements of one report, and those that were set aside."""
    stated = tuple(_row(one, made_exact=one.outcome == "met" and one.id in inexact) for one in report.requirements)
    return (*stated, *map(_aside, report.set_aside))


def _row(one: Measured, *, made_exact: bool) -> Row:
    outcome, tone = ("made exact", "good") if made_exact else _OUTCOMES[one.outcome]
    note = one.changed if one.outcome == "withdrawn" or not one.changed else f"Changed in this run: {one.changed}"
    return Row(one.id, one.quote, one.words, one.found, outcome, tone, note)


_ASIDE = re.compile(r"(?P<id>r\d+) \((?P<words>.*)\): (?P<reason>.*)", re.DOTALL)


def _aside(line: str) -> Row:
    """`r4 (count, "three kites"): no part matches "kite_*"` in its pieces, or whole where it is written otherwise."""
    match = _ASIDE.fullmatch(line)
    if match is None:
        return Row("", "", line, "", "set aside", "warn")
    kind, _, quote = match["words"].partition(", ")
    return Row(match["id"], quote.strip('"'), kind, "", "set aside", "warn", f"Not measured: {match['reason']}")


def _brief(text: str, report: Report) -> tuple[tuple[Stretch, ...], tuple[str, ...]]:
    """The brief cut at the stretches that nothing measured, and those that are not in it.

    Where rules of thumb are strict, they name words that they did not understand; the others need not be measured.
    """
    brief, at, others = unicodedata.normalize("NFC", text), 0, None if report.heuristics == "strict" else True
    pieces: list[Stretch] = []
    beside: list[str] = []
    for stretch in filter(str.strip, report.unchecked):
        found = _found(stretch, brief, at)
        if found is None:
            beside.append(stretch)
            continue
        pieces += [Stretch(brief[at : found.start()], others), Stretch(found.group(), False)]
        at = found.end()
    if beside and not pieces:
        return (), tuple(beside)
    pieces.append(Stretch(brief[at:], others))
    return tuple(_joined(pieces)), tuple(beside)


def _found(stretch: str, brief: str, at: int) -> re.Match[str] | None:
    """Return the start of a stretch, at a word's edge if possible: `a` is in every `cat`."""
    words = r"\s+".join(map(re.escape, unicodedata.normalize("NFC", stretch).split()))
    return re.compile(rf"(?<!\w){words}(?!\w)").search(brief, at) or re.compile(words).search(brief, at)


def _joined(pieces: Iterable[Stretch]) -> Iterator[Stretch]:
    """The pieces that hold words, with the spaces and signs between them as pieces of neither kind."""
    for piece in pieces:
        words = re.search(r"\w(?:.*\w)?", piece.text, re.DOTALL)
        start, end = words.span() if words else (0, 0)
        yield from (
            Stretch(text, measured)
            for text, measured in (
                (piece.text[:start], None),
                (piece.text[start:end], piece.measured),
                (piece.text[end:], None),
            )
            if text
        )
