"""Parts put near others, or at a distance with no side named: "around U1", "within 2 mm of U1", "0.5 mm from U1.4"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from redraft.english.cursor import Cursor, Named
from redraft.spatial.actions import Action, ClusterAround, Measured, PlaceRelative, Side
from redraft.spatial.layout import Layout
from redraft.studios.board.clauses import Placed, distance, gap, held
from redraft.studios.board.measure import side_gaps
from redraft.studios.board.modifiers import Modified, modifiers
from redraft.studios.board.spec import Stated
from redraft.studios.board.wishes import Wish

__all__ = ["around"]

_CLOSE = r"as (?:close|near)(?: as possible)? (?:as possible )?to|right next to"


def around(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "around U1", "near pin 4 of U1", "as close as possible to U1", "1 mm from U1"."""
    far = distance(cursor)
    if far is not None:
        target = cursor.one() if far >= 0 and cursor.eat("(?:away )?from") else None
        return _at_distance(cursor, refs, target, far)
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
    least = 0.0 if close else _said(cursor)
    most = cursor.length() if cursor.eat(",? ?(?:within|no (?:more|farther|further) than|at most)") else None
    cursor.eat("of it")
    if least is not None and most is None and not close and len(refs) == 1:
        return _at_distance(cursor, refs, target, least)
    return _clustered(cursor.line.names.layout, refs, target, least=least, most=most)


def _said(cursor: Cursor) -> float | None:
    """A distance behind its target: "next to U1, 0.5 mm away", "near U1.4 at 0.5 mm"."""
    value, start = gap(cursor), cursor.i
    if value is None and cursor.eat(",? ?at"):
        value = cursor.length()
        if value is None or value < 0:
            cursor.i = start
            return None
    return value


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
    side = _outward(layout, target)
    action = ClusterAround(refs=tuple(refs), target=target.refs[0], clearance=clearance, side=side)
    return Placed(_within_limits(action, target, side, least or None, most), (wish,), guess=most is None, target=target)


def _within_limits(
    action: ClusterAround, target: Named, side: Side | None, least: float | None, most: float | None
) -> tuple[Stated, ...]:
    """The action, measured by what was said; from a pad, of which it knows nothing, by another one."""
    if not target.port or least is most is None:
        return (Stated(action=action, at_least=least, at_most=most),)
    pads = (PlaceRelative(ref=ref, target=target.target, side=side or "right", measure="pad") for ref in action.refs)
    limited = (Stated(action=pad, at_least=least, at_most=most, measure_only=True) for pad in pads)
    return (Stated(action=action), *limited)


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


def _at_distance(cursor: Cursor, refs: Sequence[str], target: Named | None, far: float) -> Placed | None:
    """ "1 mm from U1": the distance is certain, the side is left open. Of a pad it is that of its part's outside."""
    if target is None or target.refs[0] in refs:
        return None
    layout = cursor.line.names.layout
    side = _outward(layout, target) or _lies(layout, refs[0], target.refs[0])
    more = modifiers(cursor, side, far, _measure(target))
    if more is None:
        return None
    wish = Wish(relation="distance", refs=tuple(refs), target=target.target, value=far, measure=more.measure)
    first = held(more.still) if more.still else ()
    action = _apart(refs[0], target, side, more) if len(refs) == 1 else _gathered(layout, refs, target, more)
    return Placed((action,), (wish,), guess=not target.certain, target=target, first=first)


def _apart(ref: str, target: Named, side: Side, more: Modified) -> Action:
    given: dict[str, Any] = {} if more.value is None else {"clearance": more.value}
    return PlaceRelative(
        ref=ref, target=target.target, side=side, align=more.along, measure=more.measure,
        allow_overlap=more.overlap, **given,
    )  # fmt: skip


def _gathered(layout: Layout, refs: Sequence[str], target: Named, more: Modified) -> Action:
    """Several cannot be on one side's middle: they are gathered, and each is held to the distance."""
    given: dict[str, Any] = {} if more.value is None else {"clearance": more.value}
    side = _outward(layout, target)
    return ClusterAround(refs=tuple(refs), target=target.refs[0], side=side, allow_overlap=more.overlap, **given)


def _lies(layout: Layout, ref: str, target: str) -> Side:
    """The side of a part on which another one lies, the clearest; right where they overlap."""
    mine, other = layout.bounds(ref), layout.bounds(target)
    sides: tuple[Side, ...] = ("right", "left", "top", "bottom")
    far = {side: side_gaps(mine, other, side)[0] for side in sides}
    best = max(sides, key=lambda side: far[side])
    return best if far[best] >= 0 else "right"
