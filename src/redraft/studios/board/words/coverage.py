"""The words and numbers of the brief that the actions of a run account for, and whether they hold.

The actions are the requirements. A number of the brief is met by an accepted action that quotes it, sets exactly it,
and measures it to the nanometer; or a waiver gives the reason for having none. Everything else makes the run fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from redraft.layout.items import Layout
from redraft.layout.requirements import quoted, uncovered
from redraft.result import Issue, Measured
from redraft.studios.board.actions.measure import Figure, Reading
from redraft.studios.board.actions.plans import written
from redraft.studios.board.actions.registry import MoveBy, PlaceAll, Rotate
from redraft.studios.board.codes import CODES
from redraft.studios.board.placement import Placement
from redraft.studios.board.spec import Carried, Waived
from redraft.studios.board.words.numbers import Number, numbers_in

Span = tuple[int, int]
Waivers = Sequence[tuple[Waived, Span]]
MAX_NUMBERS_LISTED = 24
"""Findings about single numbers: a pasted text may have hundreds."""


@dataclass(frozen=True)
class Coverage:
    """The actions as measured, and what the brief asks for beside them."""

    measured: tuple[Measured, ...] = ()
    issues: tuple[Issue, ...] = ()
    set_aside: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()
    """Stretches of the brief that neither an action nor a waiver quotes."""


@dataclass
class _Entry:
    """An action in force, measured, with those of its numbers that the brief has not used yet."""

    stated: Carried
    reading: Reading
    span: Span | None
    """The words of the brief that it quotes; None when these are not in it."""
    moved_on: bool = False
    """A later action that the brief asks for as well has moved its parts by a stated distance or angle."""
    unclaimed: dict[int, int] = field(default_factory=dict[int, int])
    """How often each figure may still be claimed."""
    names: list[int] = field(default_factory=list[int])
    """Numbers of pins and parts that it names, and how many parts it takes."""

    @property
    def quote(self) -> str:
        return self.stated.quote if self.span else ""

    def covers(self, number: Number) -> bool:
        return self.span is not None and self.span[0] <= number.start and number.end <= self.span[1]

    def figures(self, value: float, *, angle: bool | None) -> Iterator[tuple[int, Figure]]:
        """Yield the figures that say a value, those first that the action sets."""
        figures = ((i, f) for i, f in enumerate(self.reading.figures) if f.says(value, angle=angle))
        yield from sorted(figures, key=lambda each: each[1].free)


def cover(placement: Placement, layout: Layout, before: Layout, brief: str) -> Coverage:
    """Measure what the actions have set, and hold the brief's numbers against it. `before` is the board as it came."""
    numbers = numbers_in(brief, layout)
    entries = _in_force(_entries(placement, layout, brief), numbers, layout)
    waived, aside = _waived(placement.waived, entries, numbers, brief)
    issues = [*_broken(entries, layout)]
    for waiver, _ in waived:
        if waiver.cannot:
            message = f"“{waiver.quote}” was not carried out: {waiver.reason}"
            issues.append(CODES.finding("brief.cannot", message, phrase=waiver.quote, final=True))
    about_numbers = [*_numbers(numbers, entries, waived, layout)]
    if (more := len(about_numbers) - MAX_NUMBERS_LISTED) > 1:
        rest = CODES.finding("brief.number", f"and {more} more numbers like these")
        about_numbers[MAX_NUMBERS_LISTED:] = [rest]
    issues += [*about_numbers, *_lost(placement.agreed, layout, before)]
    for entry in entries:
        if entry.stated.quote and entry.span is None:
            message = f"“{entry.stated.quote}” is not in the brief; {entry.stated.words} counts without a quote"
            issues.append(CODES.finding("brief.quote", message, entry.stated.parts(layout)))
    quotes = [*(entry.quote for entry in entries), *(waiver.quote for waiver, _ in waived)]
    return Coverage(
        tuple(_measured(f"a{i}", entry, layout, waived) for i, entry in enumerate(entries, start=1)),
        tuple(issues),
        (*(f"“{waiver.quote}” is waived: {waiver.reason}" for waiver, _ in waived), *aside),
        tuple(words for words in uncovered(brief, quotes) if len(words.split()) > 1 or any(map(str.isdigit, words))),
    )


def _entries(placement: Placement, layout: Layout, brief: str) -> list[_Entry]:
    """Return all actions that were carried out; the same words quoted again stand for their next place in the brief."""
    seen = dict[str, int]()
    entries: list[_Entry] = []
    for stated in placement.stated:
        spans = quoted(brief, stated.quote)
        place = seen.get(stated.quote, 0)
        seen[stated.quote] = place + 1
        reading = stated.measured(layout)
        span = spans[min(place, len(spans) - 1)] if spans else None
        entries.append(
            _Entry(stated, reading, span, unclaimed={i: len(f.measured) for i, f in enumerate(reading.figures)})
        )

    for entry in entries:
        # How many parts it takes, and how many actions carry out the same words.
        refs: tuple[str, ...] = getattr(entry.stated.action, "refs", ())
        alike = [e for e in entries if e.span == entry.span and e.stated.reply == entry.stated.reply]
        entry.names += [len(refs)] if refs else []
        entry.names += [len(alike)] if len(alike) > 1 and alike[0] is entry else []
        # The numbers in the names of its parts and pads: 4 of `U1.4` and of `R4`.
        for name in entry.stated.action.names:
            owner, _, pad = name.rpartition(".")
            for text in (pad, owner):
                digits = text.rstrip("/")[len(text.rstrip("/").rstrip("0123456789")) :]
                entry.names += [int(digits)] if 0 < len(digits) < 10 else []
    return entries


def _in_force(entries: Sequence[_Entry], numbers: Sequence[Number], layout: Layout) -> list[_Entry]:
    """Return the actions that were not given up for later ones.

    A quoted action gives way to one of a later reply that quotes the same words for the same parts. One without a
    quote was a step on the way as soon as it does not hold any more. A part that is then moved or turned by a distance
    or angle of the brief was where it should be before.
    """
    kept: list[_Entry] = []
    for i, entry in enumerate(entries):
        later = [e for e in entries[i + 1 :] if entry.stated.moved(layout) & e.stated.moved(layout)]
        if entry.span is None:
            again = any(e.span and e.stated.action == entry.stated.action for e in later)
            if entry.reading.holds and not again:
                kept.append(entry)
            continue
        if any(_replaces(e, entry) for e in later):
            continue
        entry.moved_on = not entry.reading.holds and any(_steps_on(entry, e, numbers) for e in later)
        kept.append(entry)
    return kept


def _replaces(entry: _Entry, before: _Entry) -> bool:
    """Return whether an action of a later reply stands for the words of an earlier one."""
    if entry.span is None or before.span is None or entry.stated.reply <= before.stated.reply:
        return False
    alike = entry.stated.action.action == before.stated.action.action
    return _meet(entry.span, before.span) and (alike or not before.reading.holds)


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _steps_on(entry: _Entry, other: _Entry, numbers: Sequence[Number]) -> bool:
    """Return whether an action goes on from where an earlier one has put a part, by a number of the brief."""
    action = other.stated.action
    turns_on = isinstance(action, Rotate) and action.by is not None
    if not (turns_on if isinstance(entry.stated.action, Rotate) else isinstance(action, MoveBy)):
        return False
    return any(
        any(f.says(value, angle=_angle(n)) for f in other.reading.figures for r in n.readings for value in r)
        for n in numbers
        if other.covers(n)
    )


def _angle(number: Number) -> bool | None:
    return None if number.kind == "bare" else number.kind == "angle"


def _measured(name: str, entry: _Entry, layout: Layout, waived: Waivers = ()) -> Measured:
    """Return an action as a requirement: waived where its words are waived as impossible, whatever is measured."""
    stated, reading = entry.stated, entry.reading
    whole = isinstance(stated.action, PlaceAll)  # a waiver gives up one of its wishes only
    given_up = [
        w
        for w, span in waived
        if w.cannot and entry.span is not None and (span == entry.span if whole else _meet(entry.span, span))
    ]
    fixed = [figure for figure in reading.figures if not figure.free]
    worst = max(fixed, key=lambda figure: figure.off, default=None)
    parts = stated.parts(layout)
    words = "; ".join(filter(None, (reading.words, *reading.violations)))
    return Measured(
        id=name,
        kind="action",
        quote=entry.quote,
        words=stated.words,
        outcome="broken" if not (reading.holds or entry.moved_on) else "waived" if given_up else "met",
        found="done, then moved on as the brief says" if entry.moved_on else words,
        deviation=0.0 if worst is None or entry.moved_on else round(worst.off, 3),
        subjects=parts,
        numbers={} if worst is None else {"found": round(worst.worst, 6), "expected": worst.value},
        worst=() if reading.holds else parts,
    )


def _broken(entries: Sequence[_Entry], layout: Layout) -> Iterator[Issue]:
    for entry in entries:
        if entry.span is None or entry.reading.holds or entry.moved_on:
            continue
        stated, reading = entry.stated, entry.reading
        reason = "; ".join(reading.violations) or f"it measures {reading.words}"
        yield CODES.finding(
            "brief.action",
            f"{stated.words} does not hold: {reason}",
            stated.parts(layout),
            numbers=_measured("", entry, layout).numbers,
            hint="carry it out again, or undo the action that moved its parts",
            phrase=stated.quote,
        )


def _lost(agreed: Sequence[Carried], layout: Layout, before: Layout) -> Iterator[Issue]:
    """Yield a warning for each requirement of an earlier run that held until now, and does not any more."""
    for stated in agreed:
        if not stated.quote or any(part not in layout for part in stated.parts(layout)):
            continue
        if stated.measured(before).holds and not (now := stated.measured(layout)).holds:
            reason = "; ".join((now.words, *now.violations))
            yield CODES.finding(
                "brief.earlier",
                f"{stated.words} (“{stated.quote}”, an earlier run) does not hold any more: {reason}",
                stated.parts(layout),
                phrase=stated.quote,
            )


def _waived(
    given: Sequence[Waived], entries: Sequence[_Entry], numbers: Sequence[Number], brief: str
) -> tuple[Waivers, list[str]]:
    """Return the waivers in force, and the reasons against the others.

    One gives way to a later action for the same words; one that says that there is nothing to do covers one number.
    """
    kept: list[tuple[Waived, Span]] = []
    aside: list[str] = []
    for waiver in reversed(given):
        spans = quoted(brief, waiver.quote)
        later = [e.span for e in entries if e.span and e.stated.reply > waiver.reply and e.reading.holds]
        if not spans and waiver.cannot and not later:
            kept.append((waiver, (0, 0)))
        elif not spans:
            aside.append(f"“{waiver.quote}” is not in the brief, and waives nothing ({waiver.reason})")
        for span in spans:
            done = any(_meet(span, other) for other in later)
            many = [n for n in numbers if span[0] <= n.start and n.end <= span[1]]
            if not waiver.cannot and len(many) > 1:
                aside.append(f"“{waiver.quote}” has {len(many)} numbers, and waives none: quote one at a time")
            elif not waiver.cannot and any(n.kind != "bare" and not n.sizes for n in many):
                aside.append(
                    f"“{waiver.quote}” is not waived: a length or angle is met exactly, or cannot be met; "
                    "only the size of a component may be waived, in words such as “the 3 mm LED”"
                )
            elif not waiver.cannot and any(n.kind != "bare" for n in many) and not any(e.span for e in entries):
                aside.append(f"“{waiver.quote}” is not waived: no action quotes any words of the brief")
            elif not done and not any(_meet(span, other) for _, other in kept):
                kept.append((waiver, span))
                break
    return kept[::-1], aside


def _numbers(numbers: Sequence[Number], entries: Sequence[_Entry], waived: Waivers, layout: Layout) -> Iterator[Issue]:
    """Yield an error for each number that no action accounts for; a warning for each waived length or angle."""
    for number in sorted(numbers, key=lambda n: n.kind == "bare"):
        quoting = [entry for entry in entries if entry.covers(number)]
        if _claimed(number, quoting):
            yield from _unlike(number, numbers, quoting, layout)
            continue
        waiver = next((w for w, (start, end) in waived if start <= number.start and number.end <= end), None)
        if waiver is None:
            yield _unmet(number, quoting, layout)
        elif not waiver.cannot and number.kind != "bare":
            message = f"“{number.text}” was not used: {waiver.reason}"
            yield CODES.finding("brief.waived", message, phrase=waiver.quote)


def _claimed(number: Number, quoting: Sequence[_Entry]) -> bool:
    """Return whether actions account for a number; the figures that do so are used up."""
    for reading in number.readings:
        claims: list[tuple[_Entry, int]] = []
        for value in reading:
            candidates = (
                (entry, i)
                for entry in quoting
                for i, figure in entry.figures(value, angle=_angle(number))
                if _meets(figure, number) or entry.moved_on
            )
            claim = next((c for c in candidates if claims.count(c) < c[0].unclaimed[c[1]]), None)
            if claim is not None:
                claims.append(claim)
        if len(claims) == len(reading):
            for entry, i in claims:
                entry.unclaimed[i] -= 1
            return True
    # Else it may be a count, or part of a name.
    whole = number.whole
    entry = next((e for e in quoting if whole is not None and whole in e.names), None)
    if entry is not None and whole is not None:
        entry.names.remove(whole)
    return entry is not None


def _meets(figure: Figure, number: Number) -> bool:
    """Return whether a figure holds, and exactly where the words of the brief set no limit ("exactly 0.5 mm")."""
    return figure.off <= 1.0 and (number.limits or replace(figure, limit="exactly").off <= 1.0)


def _unlike(number: Number, numbers: Sequence[Number], quoting: Sequence[_Entry], layout: Layout) -> Iterator[Issue]:
    """Yield an error where one of several actions for the same words sets the number, and another sets none of them."""
    values = [value for reading in number.readings for value in reading]
    right = {(e.stated.action.action, e.span) for e in quoting if any(_sets(e, v, number) for v in values)}
    for entry in quoting:
        if (entry.stated.action.action, entry.span) not in right or number.kind == "bare":
            continue
        own = [(n, v) for n in numbers if entry.covers(n) for reading in n.readings for v in reading]
        if not any(_sets(entry, value, other) for other, value in own) and not entry.moved_on:
            yield _unmet(number, [entry], layout)


def _sets(entry: _Entry, value: float, number: Number) -> bool:
    return any(_meets(figure, number) for _, figure in entry.figures(value, angle=_angle(number)))


def _unmet(number: Number, quoting: Sequence[_Entry], layout: Layout) -> Issue:
    """Return the error for a number that no action sets, or that one sets and something else is measured."""
    values = [value for reading in number.readings for value in reading]
    near = next(((e, f) for e in quoting for v in values for _, f in e.figures(v, angle=_angle(number))), None)
    parts = tuple(dict.fromkeys(part for entry in quoting for part in entry.stated.parts(layout)))
    if near is not None and not _meets(near[1], number):
        entry, figure = near
        message = f"“{number.text}” is not met: {entry.stated.words} measures {entry.reading.words}"
        numbers = {"found": round(figure.worst, 6), "expected": figure.value}
        hint = "set it exactly; or give at_least or at_most if the words do not ask for an exact number"
        if figure.off <= 1.0:
            hint = "set it exactly: no word beside it, such as “within” or “at least”, makes it a limit"
        return CODES.finding("brief.number", message, parts, numbers=numbers, hint=hint, phrase=number.text)
    if not quoting:
        message = f"“{number.text}” is in no action's quote"
    else:
        settings = "; ".join(f"{entry.stated.words}: {entry.reading.words}" for entry in quoting[:3])
        message = f"“{number.text}” is not what the actions that quote it set ({settings})"
    value = written(number.readings[0][0])
    hint = f'set exactly {value} in the action that quotes these words, or list them in "waived" with the reason'
    return CODES.finding("brief.number", message, parts, hint=hint, phrase=number.text)
