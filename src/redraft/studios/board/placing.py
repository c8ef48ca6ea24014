"""Where parts are put: the second half of "put C1 0.5 mm right of U1 pin 4", as actions and wishes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from redraft.spatial.actions import Action, Along, ClusterAround, Measured, PlaceComponent, PlaceRelative, Side
from redraft.spatial.grammar.chunks import Relator
from redraft.spatial.grammar.cursor import Cursor, Named
from redraft.spatial.grammar.relators import related
from redraft.spatial.layout import Layout
from redraft.studios.board.clauses import SIDES, Placed, edge_lines, gap, held
from redraft.studios.board.spots import coordinates, corner, edge, shift, to_layer
from redraft.studios.board.wishes import Wish

__all__ = ["placed"]

_SIDE = r"(?P<side>left|right|top|bottom|upper|lower)(?:[ -]?hand)?"
_FLUSH = rf"(?:flush (?:with|to|against)|touching|against) the {_SIDE} (?:side|edge) of"
_CLOSE = r"as (?:close|near)(?: as possible)? (?:as possible )?to|right next to"
_MEASURE = (
    r"(?:measured |from )*(?P<what>pad|body|courtyard|pin)(?:s)?(?:[ -]to[ -])(?:pad|body|courtyard|pin)s?"
    r"|(?:measured )?between (?:the |their )?(?P<kind>pads|bodies|courtyards)"
)
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
    wish = Wish(relation="between", refs=tuple(refs), target=first.target, other=second.target)
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


def _around(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "around U1", "near pin 4 of U1", "as close as possible to U1", "1 mm from U1"."""
    far = cursor.length()
    if far is not None:
        if cursor.eat("(?:away )?from") is None:
            return None
        return _at_distance(cursor, refs, far)
    if cursor.eat("within"):
        return _within(cursor, refs)
    close = cursor.eat(_CLOSE)
    if (
        close is None
        and cursor.eat("(?:all )?around|round|about|near(?: to)?|close to|next to|beside|alongside|adjacent to") is None
    ):
        return None
    target = cursor.one()
    if target is None or target.refs[0] in refs:
        return None
    least = 0.0 if close else gap(cursor)
    most = cursor.length() if cursor.eat(",? ?(?:within|no (?:more|farther|further) than|at most)") else None
    cursor.eat("of it")
    return _clustered(cursor.line.names.layout, refs, target, least=least, most=most)


def _within(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "within 2 mm of U1"."""
    most = cursor.length()
    target = cursor.one() if most is not None and most >= 0 and cursor.eat("of|from") else None
    if target is None or target.refs[0] in refs:
        return None
    return _clustered(cursor.line.names.layout, refs, target, least=None, most=most)


def _clustered(
    layout: Layout, refs: Sequence[str], target: Named, *, least: float | None, most: float | None
) -> Placed:
    clearance = 0.5 if least is None else least
    if most is not None:
        clearance = min(clearance, most)
    wish = Wish(
        relation="near", refs=tuple(refs), target=target.target, value=most, measure=_measure(target),
        certain=most is not None,
    )  # fmt: skip
    action = ClusterAround(refs=tuple(refs), target=target.refs[0], clearance=clearance, side=_outward(layout, target))
    return Placed((action,), (wish,), guess=most is None, target=target)


def _measure(target: Named) -> Measured:
    return "pad" if target.port else "courtyard"


def _outward(layout: Layout, target: Named) -> Side | None:
    """The side of its part on which a pad lies; None for a part."""
    if not target.port:
        return None
    x, y = layout[target.refs[0]].ports_named(target.port)[0].at
    x0, y0, x1, y1 = layout.bounds(target.refs[0])
    ways: dict[Side, float] = {"left": x - x0, "right": x1 - x, "top": y - y0, "bottom": y1 - y}
    return min(ways, key=lambda side: ways[side])


def _at_distance(cursor: Cursor, refs: Sequence[str], far: float) -> Placed | None:
    """ "1 mm from U1"; from a pad, away from its part."""
    target = cursor.one()
    if target is None or target.refs[0] in refs or len(refs) != 1 or far < 0:
        return None
    measure, side = _measure(target), _outward(cursor.line.names.layout, target)
    wish = Wish(relation="distance", refs=tuple(refs), target=target.target, value=far, measure=measure)
    if side is None:
        action: Action = ClusterAround(refs=tuple(refs), target=target.target, clearance=far)
    else:
        action = PlaceRelative(ref=refs[0], target=target.target, side=side, clearance=far, measure=measure)
    return Placed((action,), (wish,), target=target)


def _beside(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "0.5 mm to the right of U1 pin 4, pad to pad"."""
    far = cursor.length()
    if far is not None and far < 0:
        return None
    side, flush = _direction(cursor)
    it = cursor.word in {"it", "that"}
    target = cursor.one() if side else None
    if side is None or target is None or target.refs[0] in refs or (far is not None and flush):
        return None
    more = _modifiers(cursor, side, 0.0 if flush else far, "pad" if target.port else "courtyard")
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


@dataclass(frozen=True)
class _Modified:
    value: float | None
    measure: Measured
    along: Along = "center"
    overlap: bool = False
    still: tuple[str, ...] = ()


def _modifiers(cursor: Cursor, side: Side, value: float | None, measure: Measured) -> _Modified | None:
    """What follows a place: distances, what is measured, what is in line. None when the words do not go together."""
    now = _Modified(value, measure)
    while True:
        start = cursor.i
        changed = _modifier(cursor, side, now)
        if changed is None:
            return None
        if changed == now and cursor.i == start:
            return now
        now = changed


def _modifier(cursor: Cursor, side: Side, now: _Modified) -> _Modified | None:
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


def _single(refs: Sequence[str], target: Named, side: Side, more: _Modified) -> Placed:
    given: dict[str, Any] = {} if more.value is None else {"clearance": more.value}
    action = PlaceRelative(
        ref=refs[0], target=target.target, side=side, align=more.along, measure=more.measure,
        allow_overlap=more.overlap, **given,
    )  # fmt: skip
    wish = Wish(
        relation="side", refs=tuple(refs), target=target.target, side=side, value=more.value, measure=more.measure
    )
    return Placed((action,), (wish,), target=target)


def _several(refs: Sequence[str], target: Named, side: Side, more: _Modified) -> Placed:
    """Several at one side of a part: gathered there; how far each is from it is not said by one distance."""
    given: dict[str, Any] = {} if more.value is None else {"clearance": more.value}
    action = ClusterAround(refs=tuple(refs), target=target.target, side=side, allow_overlap=more.overlap, **given)
    wish = Wish(relation="side", refs=tuple(refs), target=target.target, side=side, measure=more.measure)
    return Placed((action,), (wish,), guess=more.value is not None, target=target)


_READERS: tuple[Callable[[Cursor, Sequence[str]], Placed | None], ...] = (
    edge, corner, to_layer, coordinates, shift, _between, _around, _beside,
)  # fmt: skip
