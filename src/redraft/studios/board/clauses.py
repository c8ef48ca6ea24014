"""One clause of an instruction as read: what is to be done, what must hold, and which words say so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from redraft.english.cursor import Context, Cursor, Named
from redraft.spatial.actions import Action, Along, Lock, MoveToEdge, Side
from redraft.spatial.layout import Layout
from redraft.studios.board.spec import Stated
from redraft.studios.board.wishes import Wish

__all__ = [
    "SIDES",
    "Clause",
    "Placed",
    "chunks",
    "distance",
    "edge_lines",
    "edges",
    "gap",
    "held",
    "made",
    "opposite",
    "spread_axis",
]

SIDES: dict[str, Side] = {
    "left": "left", "right": "right", "top": "top", "bottom": "bottom", "upper": "top", "lower": "bottom",
    "north": "top", "south": "bottom", "east": "right", "west": "left", "up": "top", "down": "bottom",
    "upwards": "top", "downwards": "bottom", "upward": "top", "downward": "bottom", "leftwards": "left",
    "rightwards": "right", "leftward": "left", "rightward": "right",
}  # fmt: skip

_MOST = 500
"""Parts that one action takes."""
_GAP_BEFORE = r"(?:with|at|leaving|having|and)? ?(?:an? )?(?:gap|clearance|spacing|distance|space)s? of"
_AT_DISTANCE = r"(?:at|with|by)(?: (?:an?|the|an exact) (?:distance|gap|clearance|spacing) of)?"
_GAP_AFTER = (
    r"(?:away )?from (?:it|each other|one another|(?:that|this|the same) (?:pin|pad|terminal|lead|part|one))|"
    r"(?:away|apart|clear|clearance|spacing|gaps?|of clearance|of space)(?: between (?:them|each|parts|the parts))?"
    r"|(?:in )?between (?:them|each|each one|parts|the parts|neighbours)"
)


@dataclass(frozen=True)
class Clause:
    """The words i to j, and what they mean."""

    i: int
    j: int
    actions: tuple[Stated, ...] = ()
    wishes: tuple[Wish, ...] = ()
    guesses: tuple[tuple[int, int], ...] = ()
    """Words that were understood only by guessing, or that nothing will check."""
    first: tuple[Stated, ...] = ()
    """What has to be done before anything else: locks."""
    after: Context = field(default_factory=Context)
    """What the next clause may refer to."""


@dataclass(frozen=True)
class Placed:
    """What putting parts somewhere takes, and what must hold then."""

    actions: tuple[Action | Stated, ...] = ()
    wishes: tuple[Wish, ...] = ()
    guess: bool = False
    target: Named | None = None
    first: tuple[Action, ...] = ()


def gap(cursor: Cursor) -> float | None:
    """A distance as a modifier: "with 0.2 mm clearance", "1 mm apart", "touching", "with a gap of 0.3 mm"."""
    start = cursor.i
    cursor.eat(r",|\(")
    if cursor.eat(r"touching(?: it| each other| one another)?|flush(?: with it)?|with(?:out| no) (?:any |a )?gaps?"):
        return 0.0
    before = cursor.eat(_GAP_BEFORE)
    if before is None:
        cursor.eat("with|at|keeping|leaving|spaced(?: at)?|and(?: with)?|by")
    value = cursor.length()
    if value is not None and value >= 0 and (before or cursor.eat(_GAP_AFTER)):
        cursor.eat(r"\)")
        return value
    cursor.i = start
    return None


def distance(cursor: Cursor) -> float | None:
    """A distance before a place: "0.5 mm", "at exactly 0.5 mm", "at a distance of 0.5 mm"."""
    start = cursor.i
    cursor.eat(_AT_DISTANCE)
    value = cursor.length()
    if value is None:
        cursor.i = start
    return value


_ALONG: dict[str, tuple[str, Along]] = {
    "top": ("x", "start"), "upper": ("x", "start"), "bottom": ("x", "end"), "lower": ("x", "end"),
    "left": ("y", "start"), "right": ("y", "end"),
}  # fmt: skip
_PART = r"(?P<part>top|upper|bottom|lower|left|right|centre|center|middle)"


def edge_lines(cursor: Cursor) -> tuple[str, Along] | None:
    """Which lines of parts are brought together: "along their tops", "by the left edges", "bottom aligned"."""
    start = cursor.i
    cursor.eat(",")
    found = cursor.eat(
        rf"(?:aligned )?(?:with|along|by|at|on) (?:their|the|its) {_PART}(?:s| edges?| sides?)?"
        rf"(?: (?:aligned|in line|flush|level))?|(?:aligned )?{_PART.replace('part', 'bare')}(?:s| edges?)? aligned"
    )
    if found is None:
        cursor.i = start
        return None
    return _ALONG.get(found["part"] or found["bare"], ("", "center"))


def chunks(refs: Sequence[str]) -> list[tuple[str, ...]]:
    """As many at once as an action takes."""
    return [tuple(refs[i : i + _MOST]) for i in range(0, len(refs), _MOST)]


def held(refs: Sequence[str], *, locked: bool = True) -> tuple[Action, ...]:
    return tuple(Lock(refs=part, locked=locked) for part in chunks(refs))


def opposite(side: Side) -> Side:
    others: dict[Side, Side] = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
    return others[side]


def edges(refs: Iterable[str], side: Side, *, clearance: float, center: bool) -> list[MoveToEdge]:
    return [MoveToEdge(ref=ref, edge=side, clearance=clearance, center=center) for ref in refs]


def spread_axis(layout: Layout, refs: Sequence[str]) -> str:
    """The axis along which parts lie further apart: they are a row, or a column."""
    boxes = [layout.bounds(ref) for ref in refs]
    xs, ys = [b[0] + b[2] for b in boxes], [b[1] + b[3] for b in boxes]
    return "x" if max(xs) - min(xs) >= max(ys) - min(ys) else "y"


def made(
    cursor: Cursor, start: int, refs: tuple[str, ...], found: Placed, *, axis: str = "", placing: bool = False,
    certain: bool = True, at: int | None = None,
) -> Clause:  # fmt: skip
    """A clause of what was read from `start` to here."""
    phrase = cursor.line.source(start, cursor.i)
    wishes = tuple(w.model_copy(update={"phrase": phrase, "certain": w.certain and certain}) for w in found.wishes)
    guess = found.guess or not certain
    actions, first = (tuple(_stated(act, phrase) for act in acts) for acts in (found.actions, found.first))
    return Clause(
        start, cursor.i, actions, wishes, ((at if at is not None else start, cursor.i),) if guess else (),
        first, Context(refs, found.target or cursor.context.target, axis, placing),
    )  # fmt: skip


def _stated(act: Action | Stated, phrase: str) -> Stated:
    stated = act if isinstance(act, Stated) else Stated(action=act)
    return stated.model_copy(update={"quote": phrase})
