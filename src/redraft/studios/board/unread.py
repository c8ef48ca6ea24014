"""Distances in words that no rule reads: in another language, or an unknown wording. They are measured all the same.

"C1 0,5 mm rechts von U1 Pin 4" is understood as far as this: a part, a distance, and a part or pad behind it. That is
too little to hold a result to, so that what differs is a hint, and enough not to let it pass without a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from redraft.result import Issue
from redraft.spatial.actions import Measured
from redraft.spatial.grammar.cursor import Cursor
from redraft.spatial.grammar.names import NAME, NamedLine, Names, named_line
from redraft.spatial.layout import Layout
from redraft.studios.board.measuring import distance_of
from redraft.studios.board.mentions import mentioned

__all__ = ["unread_distances"]

_BEFORE, _BEHIND = 3, 6
"""So many words may lie between a part and its distance, and between that and what it is counted from."""
_MOST = 12
"""So many are looked into: an instruction has a few, a pasted text may have thousands."""
_SHOWN = 80
"""Characters of the words that a message repeats; the rest is in the issue's phrase."""
_OFF = 1e-3
"""Lengths may be off by so much, in the layout's unit."""


def unread_distances(phrases: Iterable[str], layout: Layout) -> tuple[Issue, ...]:
    """A hint for each distance in unread words that the layout does not show between the two that stand around it."""
    return tuple(islice((issue for phrase in phrases for issue in _differing(phrase, layout)), _MOST))


def _differing(phrase: str, layout: Layout) -> Iterator[Issue]:
    line = named_line(phrase, Names(layout))
    for i, j, said in islice(_lengths(line), _MOST):
        ref = _part_before(line, i)
        target = _target_behind(line, j, ref) if ref else ""
        if target:
            yield from _hint(phrase, layout, ref, target, said)


def _lengths(line: NamedLine) -> Iterator[tuple[int, int, float]]:
    """From which word to which there is a number with a unit, and how long that is."""
    i = 0
    while i < len(line):
        cursor = Cursor(line, i)
        said = cursor.length() if line.word(i)[:1].isdigit() else None
        if said is not None and line.source(i, cursor.i)[-1:].isalpha():
            yield i, cursor.i, said
        i = cursor.i if said is not None else i + 1


def _part_before(line: NamedLine, i: int) -> str:
    """The part that is named shortly before the i-th word."""
    for k in range(i - 1, max(i - 1 - _BEFORE, 0) - 1, -1):
        if line.word(k) == NAME and len(line.refs(k)) == 1 and not line.port(k):
            return line.refs(k)[0]
    return ""


def _target_behind(line: NamedLine, i: int, ref: str) -> str:
    """The first part or pad that the words from the i-th on name."""
    named = mentioned(line.source(i, min(i + _BEHIND, len(line))), line.names.layout)
    return named[0] if named and named[0].rpartition(".")[0] != ref and named[0] != ref else ""


def _hint(phrase: str, layout: Layout, ref: str, target: str, said: float) -> Iterator[Issue]:
    measure: Measured = "courtyard" if target in layout else "pad"
    found = distance_of(layout, ref, target, measure)
    if abs(found - said) > _OFF:
        now = f"{ref} is {found:.4f} from {target} ({measure} to {measure})"
        yield Issue(
            code="intent.unread",
            severity="hint",
            message=f"no rule reads “{phrase[:_SHOWN]}”; {now}, and the words say {said:g}: "
            "see whether that is what they mean",
            subjects=(ref, target),
            numbers={"found": round(found, 6), "expected": said},
            mend=f"say it in words that are checked: put {ref} {said:g} mm right of {target}",
            phrase=phrase,
        )
