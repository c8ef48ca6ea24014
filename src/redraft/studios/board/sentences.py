"""The sentences that boards are commanded in, one reader for each verb. What fits no reader whole is not read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from redraft.english.cursor import Cursor, Named
from redraft.spatial.actions import Legalise, MoveToEdge, PlaceRelative, Swap
from redraft.spatial.layout import Layout
from redraft.studios.board.clauses import Clause, Placed, distance, gap, held, made
from redraft.studios.board.measure import edge_gap, holds
from redraft.studios.board.placing import placed
from redraft.studios.board.rows import align, gap_kept, lined, space, stack
from redraft.studios.board.spec import Stated
from redraft.studios.board.spots import other_layer, to_layer, turned
from redraft.studios.board.wishes import Wish

__all__ = ["VERBS", "clause_at"]

VERBS = (
    "put|place|move|position|bring|set|locate|shift|nudge|drop|mount|slide|push|arrange|align|line|space|distribute|"
    "spread|stack|pile|rotate|turn|spin|orient|flip|lock|unlock|release|free|freeze|fix|pin|keep|leave|hold|have|swap|exchange|"
    "interchange|cluster|group|gather|collect|bunch|center|centre|remove|resolve|clear|eliminate|legalise|legalize|tidy|"
    "clean|don't|do|never|make|ensure|let"
)
"""Words that a sentence begins with."""

_STILL = (
    r"(?:exactly )?(?:where (?:it is|they are)(?: now)?|in place|in its place|fixed|put|still|as is|as it is|"
    r"as they are|alone|untouched|unmoved|locked)"
)
_MODAL = (
    r"(?:should|must|shall|has to|have to|needs? to|ought to|is to|are to)"
    r"(?: (?:be placed|be put|be positioned|be moved|be located|be|sit|go|lie|stay|remain|come))?|goes|belongs?|sits"
)
_NEVER = (
    r"(?:(?:must|should|shall|may|can|do|does|will) (?:not|never)|mustn't|shouldn't|shan't|can't|cannot|won't)"
    r" (?:be )?(?:moved?|touched|change)|stays? " + _STILL
)
_MEASURED = frozenset({"side", "distance", "edge"})
"""What a distance may say without a verb."""
_ROUND = r"(?:around|about|near(?: to)?|close to|next to|beside|by|at)"


def clause_at(cursor: Cursor) -> Clause | None:
    """The clause that begins here: the first reader that fits. The caller sees to it that it ends where one may end."""
    start = cursor.i
    for reader in _READERS:
        cursor.i = start
        found = reader(cursor)
        if found is not None:
            return found
    cursor.i = start
    return None


def _put(cursor: Cursor) -> Clause | None:
    """ "put C1 0.5 mm right of U1 pin 4"; without the verb where a distance follows: "C1 0.5 mm right of U1"."""
    start = cursor.i
    verb = cursor.eat("put|place|move|position|bring|set|locate|shift|nudge|drop|mount|slide|push|arrange")
    bare = verb is None and not cursor.context.placing
    refs = cursor.many()
    if refs is None or refs.port:
        return None
    at = cursor.i
    if bare and distance(cursor.fork()) is None:
        return None
    found = placed(cursor, refs.refs)
    if found is None or (bare and any(wish.relation not in _MEASURED for wish in found.wishes)):
        return None
    return made(cursor, start, refs.refs, found, placing=True, certain=refs.certain, at=at if refs.certain else None)


def _kept(cursor: Cursor) -> Clause | None:
    """ "keep J1 on the bottom edge": an action only where it is not so already."""
    start = cursor.i
    if cursor.eat("keep|leave|hold|have|let") is None:
        return None
    refs = cursor.many()
    if refs is None or refs.port:
        return None
    cursor.eat("stay|remain|be")
    return _stay(cursor, start, refs) or _kept_place(cursor, start, refs)


def _stay(cursor: Cursor, start: int, refs: Named) -> Clause | None:
    return _locks(cursor, start, refs) if cursor.eat(_STILL) else None


def _kept_place(cursor: Cursor, start: int, refs: Named) -> Clause | None:
    at = cursor.i
    found = placed(cursor, refs.refs)
    if found is None or any(wish.relation == "shift" for wish in found.wishes):
        return None
    return made(cursor, start, refs.refs, _where_needed(cursor, found), certain=refs.certain, at=at)


def _where_needed(cursor: Cursor, found: Placed) -> Placed:
    """What holds already is measured, and not carried out: at the distance that was said, or at any where none was."""
    layout = cursor.line.names.layout
    named = any(wish.value is not None for wish in found.wishes)
    actions = (act if isinstance(act, Stated) else Stated(action=act) for act in found.actions)
    return replace(found, actions=tuple(_unless_so(said, layout, named=named) for said in actions))


def _unless_so(stated: Stated, layout: Layout, *, named: bool) -> Stated:
    act, so = stated.action, stated.model_copy(update={"measure_only": True})
    if isinstance(act, PlaceRelative) and not named:
        so = so.model_copy(update={"action": act.model_copy(update={"clearance": 0.0}), "at_least": 0.0})
    if isinstance(act, MoveToEdge) and not named:
        gap = edge_gap(layout, act.ref, act.edge)
        so = so.model_copy(update={"at_most": round(max(gap, 0.0), 6)}) if gap <= layout.frame.grid else stated
    return so if so.measure_only and holds(so, layout) else stated


def _must(cursor: Cursor) -> Clause | None:
    """ "C1 should be 1 mm right of U1", "U1 must not move", "make sure that C1 is left of U1"."""
    start = cursor.i
    sure = cursor.eat("(?:make sure|ensure|see to it)(?: that)?")
    refs = cursor.many()
    if refs is None or refs.port:
        return None
    if cursor.eat(_NEVER):
        return _locks(cursor, start, refs)
    if cursor.eat(_MODAL) is None and (not sure or cursor.eat("is|are|stays?|sits?") is None):
        return None
    return _stay(cursor, start, refs) or _must_be(cursor, start, refs)


def _must_be(cursor: Cursor, start: int, refs: Named) -> Clause | None:
    if cursor.eat("aligned|lined up"):
        return lined(cursor, start, refs)
    at = cursor.i
    found = placed(cursor, refs.refs)
    if found is None or any(wish.relation == "shift" for wish in found.wishes):
        return None
    return made(cursor, start, refs.refs, found, placing=True, certain=refs.certain, at=at)


def _lock(cursor: Cursor) -> Clause | None:
    """ "lock U1", "don't move U1", "fix H1 in place"."""
    start = cursor.i
    free = cursor.eat("unlock|release|free")
    never = None if free else cursor.eat("(?:don't|do not|dont|never) (?:ever )?(?:move|touch|change|shift)")
    verb = None if free or never else cursor.eat("lock|freeze|fix|pin")
    refs = cursor.many(final=True, either=True) if free or never or verb else None
    if refs is None or refs.port:
        return None
    if verb:
        cursor.eat("(?:down )?(?:in place|where (?:it is|they are)|in position)")
    elif never:
        cursor.eat("at all|please")
    found = _locks(cursor, start, refs, locked=free is None)
    return replace(found, first=(), actions=found.first) if verb else found


def _locks(cursor: Cursor, start: int, refs: Named, *, locked: bool = True) -> Clause:
    actions = held(refs.refs, locked=locked)
    if not locked:
        return made(cursor, start, refs.refs, Placed(actions), certain=refs.certain)
    wishes = (Wish(relation="locked", refs=refs.refs),)
    return made(cursor, start, refs.refs, Placed(wishes=wishes, first=actions), certain=refs.certain)


def _rotate(cursor: Cursor) -> Clause | None:
    start = cursor.i
    if cursor.eat("rotate|turn|spin|orient") is None:
        return None
    refs = cursor.many()
    found = turned(cursor, refs.refs) if refs and not refs.port else None
    return made(cursor, start, refs.refs, found, certain=refs.certain) if refs and found else None


def _flip(cursor: Cursor) -> Clause | None:
    """ "flip C1", "flip C1 and C2 to the back": those that are there already stay."""
    start = cursor.i
    if cursor.eat("flip") is None:
        return None
    refs = cursor.many(final=True)
    layout = cursor.line.names.layout
    if refs is None or refs.port or not layout.frame.layers:
        return None
    cursor.eat("over")
    found = to_layer(cursor, refs.refs) or other_layer(layout, refs.refs)
    return made(cursor, start, refs.refs, found, certain=refs.certain)


def _swap(cursor: Cursor) -> Clause | None:
    start = cursor.i
    if cursor.eat("(?:swap|exchange|interchange)(?: (?:the )?(?:places|positions|locations) of)?") is None:
        return None
    first = cursor.one()
    second = cursor.one() if first and cursor.eat("and|with|for|&") else None
    if first is None or second is None or first.port or second.port or first.refs == second.refs:
        return None
    pair = (first.refs[0], second.refs[0])
    found = Placed((Swap(ref=pair[0], other=pair[1]),), (Wish(relation="swap", refs=pair),))
    return made(cursor, start, pair, found)


def _cluster(cursor: Cursor) -> Clause | None:
    """ "cluster C1-C4 around U1 within 2 mm"."""
    start = cursor.i
    if cursor.eat("cluster|group|gather|collect|bunch|arrange") is None:
        return None
    refs = cursor.many()
    at = cursor.i
    if refs is None or refs.port or not cursor.sees(_ROUND):
        return None
    found = placed(cursor, refs.refs)
    if found is None:
        return None
    certain = replace(found, guess=False) if refs.certain else found
    return made(cursor, start, refs.refs, certain, certain=refs.certain, at=at if refs.certain else None)


def _centre(cursor: Cursor) -> Clause | None:
    """ "centre J1 on the left edge"."""
    start = cursor.i
    refs = cursor.many() if cursor.eat("center|centre") else None
    found = placed(cursor, refs.refs) if refs and not refs.port else None
    if refs is None or found is None or any(w.relation not in {"edge", "between"} for w in found.wishes):
        return None
    actions = tuple(a.model_copy(update={"center": True}) if isinstance(a, MoveToEdge) else a for a in found.actions)
    return made(cursor, start, refs.refs, replace(found, actions=actions), certain=refs.certain)


def _tidy(cursor: Cursor) -> Clause | None:
    """ "remove overlaps", "legalise the board", "tidy up with 0.2 mm between parts"."""
    start = cursor.i
    overlaps = cursor.eat(
        "(?:remove|resolve|fix|clear|eliminate|get rid of)(?: (?:all|any|the|all the|all of the))?"
        " (?:overlaps?|collisions?)"
    )
    tidy = None if overlaps else cursor.eat("legali[sz]e|tidy(?: up)?|clean up|make sure nothing overlaps")
    if overlaps is None and tidy is None:
        return None
    refs: Named | None = None
    whole = cursor.eat("(?:on |of |in )?(?:the|this) (?:whole )?(?:board|layout|placement|pcb)")
    if whole is None and (overlaps is None or cursor.eat("of|between|among|amongst|for")):
        refs = cursor.many(final=True)
        if refs is None and overlaps is not None:
            return None
    cursor.eat("up")
    least = gap(cursor)
    names = refs.refs if refs else ()
    action = Legalise.model_validate({"refs": names} if least is None else {"refs": names, "clearance": least})
    found = Placed((action,), (Wish(relation="clear", refs=names, value=least),))
    return made(cursor, start, names, found, certain=refs is None or refs.certain)


_READERS: tuple[Callable[[Cursor], Clause | None], ...] = (
    _lock, gap_kept, _kept, _cluster, _put, align, space, stack, _rotate, _flip, _swap, _centre, _tidy, _must,
)  # fmt: skip
