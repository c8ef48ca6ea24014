"""The pad that was named last: what "that pin" refers back to."""

from __future__ import annotations

from redraft.english.names import NamedLine

__all__ = ["earlier_pad"]

_PIN = frozenset({"pin", "pad", "terminal", "lead"})
_OF = frozenset({"of", "on", "at"})
"""The part comes behind: in "C1 near pin 1 of U1" it is not C1's."""
_BACK = 80
"""So many words back a pad may have been named: farther, nobody remembers which."""
_NEAR = 4
"""So many words may lie between a pad's number and its part."""


def earlier_pad(line: NamedLine, i: int) -> tuple[str, str] | None:
    """The part and the pad that the words before the i-th name last: `U1.4`, `U1 pin 4`, `pin 4 of U1`."""
    for k in range(i - 1, max(i - _BACK, 0) - 1, -1):
        found = _named(line, k, i)
        if found is not None:
            return found
    return None


def _named(line: NamedLine, k: int, end: int) -> tuple[str, str] | None:
    refs, port = line.refs(k), line.port(k)
    if len(refs) == 1 and port:
        return refs[0], port
    if line.word(k) not in _PIN or k + 1 >= end:
        return None
    number = line.source(k + 1, k + 2)
    before, behind = range(k - 1, max(k - 4, -1), -1), range(k + 2, min(k + 2 + _NEAR, end))
    near = [*behind, *before] if line.word(k + 2) in _OF else [*before, *behind]
    return next((pad for n in near if (pad := _borne(line, n, number)) is not None), None)


def _borne(line: NamedLine, n: int, number: str) -> tuple[str, str] | None:
    """The pad of that number, if the n-th word names a part that has it."""
    refs = line.refs(n)
    if len(refs) != 1 or line.port(n) or not line.names.layout[refs[0]].ports_named(number):
        return None
    return refs[0], number
