"""What may follow a place: distances, what is measured, what is in line, what stays: ", pad to pad, centred"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from redraft.english.cursor import Cursor
from redraft.spatial.actions import Along, Measured, Side
from redraft.studios.board.clauses import edge_lines, gap

__all__ = ["Modified", "modifiers"]

_MEASURE = (
    r"(?:measured |from )*(?P<what>pad|body|courtyard|pin)(?:s)?(?:[ -]to[ -])(?:pad|body|courtyard|pin)s?"
    r"|(?:measured )?between (?:the |their )?(?P<kind>pads|bodies|courtyards)"
)


@dataclass(frozen=True)
class Modified:
    """What the words behind a place say of it."""

    value: float | None
    measure: Measured
    along: Along = "center"
    overlap: bool = False
    still: tuple[str, ...] = ()


def modifiers(cursor: Cursor, side: Side, value: float | None, measure: Measured) -> Modified | None:
    """What follows a place: distances, what is measured, what is in line. None when the words do not go together."""
    now = Modified(value, measure)
    while True:
        start = cursor.i
        changed = _modifier(cursor, side, now)
        if changed is None:
            return None
        if changed == now and cursor.i == start:
            return now
        now = changed


def _modifier(cursor: Cursor, side: Side, now: Modified) -> Modified | None:
    start = cursor.i
    lines = edge_lines(cursor)
    if lines is not None:
        axis = "x" if side in {"left", "right"} else "y"
        return replace(now, along=lines[1]) if lines[0] in {"", axis} else None
    value = gap(cursor)
    if value is not None:
        return replace(now, value=value) if now.value is None or now.value == value else None
    cursor.eat(r",? ?\(|,")
    if what := cursor.eat(_MEASURE):
        cursor.eat(r"\)")
        return replace(now, measure=_MEASURES[what["what"] or what["kind"]])
    if cursor.eat("even if (?:it|they|that) overlaps?|(?:allowing|ignoring) (?:overlaps?|collisions?)"):
        return replace(now, overlap=True)
    if cursor.eat("without moving|while keeping"):
        still = cursor.many(final=True)
        return replace(now, still=still.refs) if still else None
    cursor.i = start
    return now


_MEASURES: dict[str, Measured] = {
    "pad": "pad", "pin": "pad", "pads": "pad", "body": "body", "bodies": "body", "courtyard": "courtyard",
    "courtyards": "courtyard",
}  # fmt: skip
