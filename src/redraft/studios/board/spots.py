"""Places that no other part is needed for: edges, corners, sides of the board, coordinates, shifts, angles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from redraft.english.cursor import Cursor
from redraft.spatial.actions import Action, Flip, MoveBy, PlaceComponent, Rotate, Side
from redraft.spatial.layout import Layout
from redraft.studios.board.clauses import SIDES, Placed, chunks, distance, edges, gap
from redraft.studios.board.spec import Stated
from redraft.studios.board.wishes import Wish

__all__ = ["coordinates", "corner", "edge", "other_layer", "shift", "to_layer", "turned"]

_BOARD = r"(?: of (?:the |this )?(?:board|pcb))?"
_SIDE = r"(?P<side>left|right|top|bottom|upper|lower)(?:[ -]?hand)?"
_CENTRE = r"(?:centred|centered|in (?:the|its) (?:middle|cent(?:er|re)))"
_EDGE = (
    rf"(?:right )?(?:on|at|to|onto|along|against|in|flush (?:with|to|against|on)|touching)"
    rf"(?P<mid> the (?:middle|cent(?:er|re)) of)?"
    rf" the {_SIDE} (?:board )?edge{_BOARD}"
)
_CORNER = r"(?:in|into|at|to) the (?P<v>top|upper|bottom|lower)[ -](?P<h>left|right)(?:[ -]?hand)? corner" + _BOARD
_FROM_EDGE = rf"(?:away |in )?(?:from|off|inside) the {_SIDE} (?:board )?edge{_BOARD}"
_LAYER = (
    r"(?:to|onto|on)(?: the)? (?:(?P<side>back|front|underside|other side|opposite side)(?: (?:side|layer|face))?"
    rf"|(?P<named>bottom|top) (?:side|layer|face)){_BOARD}"
)
_AT = r"(?:to|at)(?: (?:the )?(?:position|point|coordinates?|location))?(?: \()?(?: x)?"
_WAY = (
    r"(?:further )?(?:to the |towards the )?(?P<way>left|right|up|down|upwards?|downwards?|leftwards?|rightwards?)"
    r"(?! (?:of|side|edge|hand|corner|from|pin|pad)\b)"
)


def edge(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "on the bottom edge, centred", "2 mm from the left edge"."""
    far = distance(cursor)
    found = cursor.eat(_EDGE) if far is None else cursor.eat(_FROM_EDGE)
    if found is None and far is None and cursor.eat(_CENTRE):
        found = cursor.eat(_EDGE)
        middle = True
    else:
        middle = False
    if found is None:
        return None
    middle = middle or bool(found.groupdict().get("mid")) or cursor.eat(rf",? ?\(? ?{_CENTRE} ?\)?") is not None
    side = SIDES[found["side"]]
    return _to_edges(refs, (side,), far or 0.0, center=middle)


def _to_edges(refs: Sequence[str], sides: tuple[Side, ...], far: float, *, center: bool = False) -> Placed:
    actions: list[Action] = [a for side in sides for a in edges(refs, side, clearance=far, center=center)]
    wishes = tuple(Wish(relation="edge", refs=(ref,), side=side, value=far or None) for side in sides for ref in refs)
    return Placed(tuple(actions), wishes)


def corner(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    found = cursor.eat(_CORNER)
    if found is None or len(refs) != 1:
        return None
    far = gap(cursor)
    return _to_edges(refs, (SIDES[found["v"]], SIDES[found["h"]]), far or 0.0)


def to_layer(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "to the back of the board"; a part that is there already stays."""
    found = cursor.eat(_LAYER)
    layout = cursor.line.names.layout
    if found is None or not layout.frame.layers:
        return None
    word = found["side"] or found["named"]
    if word.startswith(("other", "opposite")):
        return other_layer(layout, refs)
    return _onto(layout, refs, dict.fromkeys(refs, 1 if word in {"front", "top"} else 0))


def other_layer(layout: Layout, refs: Sequence[str]) -> Placed:
    """Each to the side of the board that it is not on."""
    return _onto(layout, refs, {ref: 1 - layout[ref].layer for ref in refs})


def _onto(layout: Layout, refs: Sequence[str], wanted: Mapping[str, int]) -> Placed:
    moving, there = ([r for r in refs if (layout[r].layer == wanted[r]) is so] for so in (False, True))
    parts = [(layer, tuple(ref for ref in refs if wanted[ref] == layer)) for layer in (0, 1)]
    wishes = tuple(Wish(relation="layer", refs=part, layer=layer) for layer, part in parts if part)
    measured = (Stated(action=Flip(refs=part), measure_only=True) for part in chunks(there))
    return Placed((*(Flip(refs=part) for part in chunks(moving)), *measured), wishes)


def coordinates(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "to (100.5, 42)", "at x = 30 mm, y = 42 mm"."""
    if len(refs) != 1 or cursor.eat(_AT) is None:
        return None
    x = cursor.length(comma=False)  # which stands between the two
    between = cursor.eat("(?:,|;|and)(?: y)?|y")
    y = cursor.length()
    if x is None or y is None or between is None:
        return None
    cursor.eat(r"\)")
    cursor.eat("mm")
    wish = Wish(relation="at", refs=tuple(refs), point=(x, y))
    return Placed((PlaceComponent(ref=refs[0], x=x, y=y),), (wish,))


def shift(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "2 mm left and 1 mm down", "up by 1 mm"."""
    step = _step(cursor)
    if step is None:
        return None
    (dx, dy), again = step, cursor.i
    if cursor.eat("and|,"):
        more = _step(cursor)
        if more is None or (more[0] and dx) or (more[1] and dy):
            cursor.i = again
        else:
            dx, dy = dx + more[0], dy + more[1]
    wish = Wish(relation="shift", refs=tuple(refs), point=(dx, dy))
    return Placed(tuple(MoveBy(refs=part, dx=dx, dy=dy) for part in chunks(refs)), (wish,))


def _step(cursor: Cursor) -> tuple[float, float] | None:
    cursor.eat("by")
    far = cursor.length()
    way = cursor.eat(_WAY)
    if way is not None and far is None:
        cursor.eat("by")
        far = cursor.length()
    if far is None or way is None or cursor.word in {"of", "from"}:
        return None
    up = cursor.line.names.layout.frame.up[1]
    side = SIDES[way["way"]]
    along = {"left": (-far, 0.0), "right": (far, 0.0), "top": (0.0, up * far), "bottom": (0.0, -up * far)}[side]
    return along[0] + 0.0, along[1] + 0.0


def turned(cursor: Cursor, refs: Sequence[str]) -> Placed | None:
    """ "by 90 degrees clockwise", "to 45°", "a quarter turn"."""
    to = cursor.eat("to|at")
    degrees = _angle(cursor)
    if degrees is None or abs(degrees) > 360:
        return None
    way = cursor.eat(
        r",? ?(?P<cw>clockwise|clock-wise|cw|to the right)"
        r"|(?P<ccw>counter[- ]?clockwise|anti[- ]?clockwise|ccw|to the left)"
    )
    if to and way:
        return None
    if way and way["cw"]:
        degrees = -degrees
    wish = Wish(relation="rotation", refs=tuple(refs), value=degrees, relative=to is None)
    how: dict[str, Any] = {"to": degrees} if to else {"by": degrees}
    return Placed(tuple(Rotate(refs=part, **how) for part in chunks(refs)), (wish,))


def _angle(cursor: Cursor) -> float | None:
    cursor.eat("by")
    if part := cursor.eat("(?:an? )?(?P<share>quarter|half)(?: of)?(?: a)? turn"):
        return 90.0 if part["share"] == "quarter" else 180.0
    degrees = cursor.number()
    if degrees is not None:
        cursor.eat("°|deg|degs|degrees?")
    return degrees
