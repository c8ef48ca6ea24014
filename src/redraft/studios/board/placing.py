"""Where parts are put: the second half of "put C1 0.5 mm right of U1 pin 4", as actions and wishes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from redraft.english.chunks import Relator
from redraft.english.cursor import Cursor, Named
from redraft.english.patterns import related
from redraft.spatial.actions import ClusterAround, PlaceComponent, PlaceRelative, Side
from redraft.studios.board.clauses import SIDES, Placed, distance, held
from redraft.studios.board.modifiers import Modified, modifiers
from redraft.studios.board.nearness import around
from redraft.studios.board.spots import coordinates, corner, edge, shift, to_layer
from redraft.studios.board.wishes import Wish

__all__ = ["placed"]

_SIDE = r"(?P<side>left|right|top|bottom|upper|lower)(?:[ -]?hand)?"
_FLUSH = rf"(?:flush (?:with|to|against)|touching|against) the {_SIDE} (?:side|edge) of"
_RELATIONS: dict[str, Side] = {"left_of": "left", "right_of": "right", "above": "top", "below": "bottom"}
_VAGUE = (
    "slightly",
    "a bit",
    "a little",
    "grid",
    "canvas",
    "bottom",
    "underside",
    "far",
    "top",
    "further",
    "well",
    "close",
)


def placed(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """Read where `refs` go; None, and nothing taken, when that is not understood."""
    start = cursor.i
    for reader in _READERS:
        found = reader(cursor, refs)
        if found is not None:
            return found
        cursor.i = start
    return None


def _between(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """In the middle of the gap between two parts."""
    if len(refs) != 1 or cursor.eat("(?:exactly |midway |half ?way |in the middle |in )*between") is None:
        return None
    first = cursor.one()
    second = cursor.one() if first and cursor.eat("and|&") else None
    if first is None or second is None or first.port or second.port:
        return None
    names = {first.target, second.target, *refs}
    if len(names) != 3:
        return None
    x, y = _midpoint(cursor, first.target, second.target)
    wish = Wish(relation="between", refs=tuple(refs), target=first.target)
    return Placed((PlaceComponent(ref=refs[0], x=x, y=y),), (wish,), target=first)


def _midpoint(cursor: Cursor, a: str, b: str) -> tuple[float, float]:
    """The middle of the wider gap of two boxes; across it the mean of their middles."""
    layout = cursor.line.names.layout
    mine, other = layout.bounds(a), layout.bounds(b)
    gaps = [max(other[k] - mine[k + 2], mine[k] - other[k + 2]) for k in (0, 1)]
    wider = 0 if gaps[0] >= gaps[1] else 1
    point = [(mine[k] + mine[k + 2] + other[k] + other[k + 2]) / 4 for k in (0, 1)]
    if gaps[wider] > 0:
        low, high = (mine, other) if mine[wider] < other[wider] else (other, mine)
        point[wider] = (low[wider + 2] + high[wider]) / 2
    return round(point[0], 6), round(point[1], 6)


def _beside(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "0.5 mm to the right of U1 pin 4, pad to pad"."""
    far = distance(cursor)
    if far is not None and far < 0:
        return None
    side, flush = _direction(cursor)
    it = cursor.word == "it" or cursor.sees("that (?:one|part)")
    target = cursor.one() if side else None
    if side is None or target is None or target.refs[0] in refs or (far is not None and flush):
        return None
    more = modifiers(cursor, side, 0.0 if flush else far, "pad" if target.port else "courtyard")
    if more is None:
        return None
    first = held(more.still) if more.still else ()
    found = _single(refs, target, side, more) if len(refs) == 1 else _several(refs, target, side, more)
    return replace(found, guess=found.guess or it or not target.certain, first=first)


def _direction(cursor: Cursor) -> tuple[Side | None, bool]:
    """The side that a relation word means, and whether it says that parts touch."""
    flush = cursor.eat(_FLUSH)
    if flush is not None:
        return SIDES[flush["side"]], True
    found = related(cursor.line, cursor.i)
    if not isinstance(found, Relator) or found.relation not in _RELATIONS or found.distance or found.degree != "plain":
        return None, False
    words = cursor.line.source(found.i, found.j).lower()
    if any(word in words.split() or (" " in word and word in words) for word in _VAGUE):
        return None, False
    cursor.i = found.j
    return _RELATIONS[found.relation], False


def _single(refs: Sequence[str], target: Named, side: Side, more: Modified) -> Placed:
    given: dict[str, Any] = {} if more.value is None else {"clearance": more.value}
    action = PlaceRelative(
        ref=refs[0], target=target.target, side=side, align=more.along, measure=more.measure,
        allow_overlap=more.overlap, **given,
    )  # fmt: skip
    wish = Wish(
        relation="side", refs=tuple(refs), target=target.target, side=side, value=more.value, measure=more.measure
    )
    return Placed((action,), (wish,), target=target)


def _several(refs: Sequence[str], target: Named, side: Side, more: Modified) -> Placed:
    """Several at one side of a part: gathered there; how far each is from it is not said by one distance."""
    given: dict[str, Any] = {} if more.value is None else {"clearance": more.value}
    action = ClusterAround(refs=tuple(refs), target=target.target, side=side, allow_overlap=more.overlap, **given)
    wish = Wish(relation="side", refs=tuple(refs), target=target.target, side=side, measure=more.measure)
    return Placed((action,), (wish,), guess=more.value is not None, target=target)


_READERS: tuple[Callable[[Cursor, Sequence[str]], Placed | None], ...] = (
    edge, corner, to_layer, coordinates, shift, _between, around, _beside,
)  # fmt: skip
