"""Rows, columns, stacks and gaps: "align R1-R4 and space them 1 mm", "stack C1 and C2 downwards"."""

from __future__ import annotations

from redraft.english.cursor import Cursor, Named
from redraft.spatial.actions import Action, Align, Along, Distribute, Stack
from redraft.studios.board.clauses import SIDES, Clause, Placed, edge_lines, gap, made, spread_axis
from redraft.studios.board.measure import holds
from redraft.studios.board.spec import Stated
from redraft.studios.board.wishes import Wish

__all__ = ["align", "gap_kept", "lined", "space", "stack"]

_ROW = (
    r"(?:in|into|as) (?:a|one) (?:single |straight |horizontal )?(?:row|horizontal line)|horizontally"
    r"|(?:along|on) the x[- ]axis"
)
_COLUMN = (
    r"(?:in|into|as) (?:a|one) (?:single |straight )?(?:column|vertical line)|vertically|(?:along|on) the y[- ]axis"
)
_EVENLY = r"(?:out )?(?:evenly|equally|uniformly|at equal distances|with equal gaps)"
_EDGES: dict[str, tuple[str, Along]] = {
    "top": ("x", "start"), "upper": ("x", "start"), "bottom": ("x", "end"), "lower": ("x", "end"),
    "left": ("y", "start"), "right": ("y", "end"),
}  # fmt: skip


def align(cursor: Cursor) -> Clause | None:
    """ "align R1-R4 in a row, 1 mm apart", "align the left edges of R5 and R6", "align C1 with U1 vertically"."""
    start = cursor.i
    verb = cursor.eat("align|line up|line")
    if verb is None:
        return None
    whose = cursor.eat(r"the (?P<part>top|upper|bottom|lower|left|right)(?:s| edges?| sides?)? of")
    refs = cursor.many(final=True)
    if refs is None or refs.port:
        return None
    cursor.eat("up")
    lines = _EDGES[whose["part"]] if whose else None
    return lined(cursor, start, refs, lines)


def lined(cursor: Cursor, start: int, refs: Named, lines: tuple[str, Along] | None = None) -> Clause | None:
    """What follows the parts that are to be in line."""
    layout, names = cursor.line.names.layout, refs.refs
    axis, along = lines or ("", "center")
    if not lines and (found := edge_lines(cursor)):
        axis, along = found
    elif cursor.eat("with|to"):
        other = cursor.one()
        if other is None or other.port or other.refs[0] in names:
            return None
        names = (*other.refs, *names)
    said = _way(cursor)
    if len(names) < 2 or (axis and said and axis != said):
        return None
    axis = axis or said
    chosen = axis or spread_axis(layout, names)
    actions: list[Action] = [Align.model_validate({"refs": names, "axis": chosen, "edge": along})]
    wishes = [Wish.model_validate({"relation": "align", "refs": names})]
    value = gap(cursor)
    if value is not None:
        actions.append(Distribute.model_validate({"refs": names, "spacing": value, "axis": chosen}))
        wishes.append(Wish.model_validate({"relation": "spacing", "refs": names, "value": value}))
        said = said or _way(cursor)
        if said not in {"", chosen}:
            return None
    return made(cursor, start, refs.refs, Placed(tuple(actions), tuple(wishes)), axis=chosen, certain=refs.certain)


def _way(cursor: Cursor) -> str:
    if cursor.eat(_ROW):
        return "x"
    return "y" if cursor.eat(_COLUMN) else ""


def space(cursor: Cursor) -> Clause | None:
    """ "space R1-R4 2 mm apart", "spread R1-R8 evenly", "distribute them horizontally with 1 mm spacing"."""
    start = cursor.i
    if cursor.eat("space|distribute|spread") is None:
        return None
    refs = cursor.many(final=True)
    if refs is None or refs.port or len(refs.refs) < 2:
        return None
    cursor.eat("out")
    axis, even, value = _way(cursor), cursor.eat(_EVENLY) is not None, _spacing(cursor)
    even = even or cursor.eat(_EVENLY) is not None
    axis = axis or _way(cursor)
    if value is None and not even and not axis:
        return None
    if not axis and refs.refs == cursor.context.subjects:
        axis = cursor.context.axis
    action = Distribute.model_validate({"refs": refs.refs, "spacing": value, "axis": axis or None})
    wish = Wish.model_validate({"relation": "spacing", "refs": refs.refs, "value": value})
    return made(cursor, start, refs.refs, Placed((action,), (wish,)), axis=axis, certain=refs.certain)


def _spacing(cursor: Cursor) -> float | None:
    """A gap with or without "apart"."""
    value = gap(cursor)
    if value is None:
        start = cursor.i
        cursor.eat("by|at|to|with")
        value = cursor.length()
        if value is None or value < 0:
            cursor.i = start
            return None
    return value


def stack(cursor: Cursor) -> Clause | None:
    """ "stack C1, C2, C3 downwards 0.3 mm apart"."""
    start = cursor.i
    if cursor.eat("stack|pile") is None:
        return None
    refs = cursor.many(final=True)
    if refs is None or refs.port or len(refs.refs) < 2:
        return None
    cursor.eat("up(?= (?:down|vert|horiz))")
    value = gap(cursor)
    way = cursor.eat(
        r"(?:going |in order |to the |towards the )?"
        r"(?P<way>left|right|upwards?|up|downwards?|down|leftwards?|rightwards?)"
        rf"|(?P<row>{_ROW})|(?P<column>{_COLUMN}|(?:below|under) (?:each other|one another))"
    )
    side = "bottom" if way is None or way["column"] else "right" if way["row"] else SIDES[way["way"]]
    value = gap(cursor) if value is None else value
    direction = {"top": "up", "bottom": "down"}.get(side, side)
    fields: dict[str, object] = {"refs": refs.refs, "direction": direction}
    action = Stack.model_validate(fields if value is None else {**fields, "spacing": value})
    axis = "y" if side in {"top", "bottom"} else "x"
    wishes = (
        Wish.model_validate({"relation": "align", "refs": refs.refs}),
        Wish.model_validate({"relation": "stack", "refs": refs.refs, "side": side, "value": value}),
    )
    return made(cursor, start, refs.refs, Placed((action,), wishes), axis=axis, certain=refs.certain)


def gap_kept(cursor: Cursor) -> Clause | None:
    """ "keep 1 mm between R1 and R2"."""
    start = cursor.i
    if cursor.eat("keep|leave|have") is None:
        return None
    value = cursor.length()
    refs = cursor.many(final=True) if value is not None and cursor.eat("(?:of (?:space|clearance) )?between") else None
    if value is None or value < 0 or refs is None or refs.port or len(refs.refs) < 2:
        return None
    wish = Wish(relation="spacing", refs=refs.refs, value=value)
    action = Distribute(refs=refs.refs, spacing=value)
    so = Stated(action=action, measure_only=True)
    there = holds(so, cursor.line.names.layout)
    return made(cursor, start, refs.refs, Placed((so if there else action,), (wish,)), certain=refs.certain)
