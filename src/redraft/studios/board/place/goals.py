"""Whole boards: the wishes of a `PlaceAll` action as a goal for the placer, and the plan that carries it out.

Wishes for an edge, a corner or an overhang are exact, so these components are laid first, where a quick placement of
everything has them along the edge. The placer (`placer.place_all`) lays the others around them.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from shapely import Polygon, box

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Bounds, Item, Keepout, Layout, Move, Point
from redraft.studios.board.actions.fields import Side
from redraft.studios.board.actions.moves import flip, rotate
from redraft.studios.board.actions.plans import CUT_SHORT
from redraft.studios.board.actions.whole import PlaceAll
from redraft.studios.board.place.circuit import Circuit, circuit_of
from redraft.studios.board.place.netlist import beside
from redraft.studios.board.place.placer import Goal, PlacerResult, Progress, place_all
from redraft.studios.board.place.problem import Anchor, Group, problem_of
from redraft.studios.board.place.start import spread
from redraft.studios.board.solve.arguments import expanded, known, locked_in, shortlist, target_of, way
from redraft.studios.board.solve.collisions import EDGE, collisions
from redraft.studios.board.solve.constraints import scaled
from redraft.studios.board.solve.free_places import limits, walls
from redraft.studios.board.solve.greedy import ranked
from redraft.studios.board.solve.relative import move_to_edge

FRONT, BACK = 1, 0

GROUND, POWER = 0.05, 0.3
"""Weights of ground nets, which become planes, and of supplies of more pads than `FEW_PADS`."""
FEW_PADS = 6

SERVES, BELONGS, SHEET = 4.0, 2.0, 0.3
"""Weights of a capacitor's way to its pin, of a network's components to theirs, and within a sheet."""

WISHED = 8.0
"""The weight of what the action asks for; that of a wire is 1."""

LOOP = 6.0
"""The weight of the nets of the most important loop; that of the next is half as much above 1."""

EDGE_STEPS = 60
"""Places along an edge that are tried beside those against obstacles."""

MIN_OFFSET = 0.1
"""A component whose pads lie so far off its middle, as a share of its size, faces the other way."""

MAX_TRIES = 400
"""Places along an edge that are looked at with true shapes."""

SIDES: tuple[Side, ...] = ("left", "right", "top", "bottom")

CORNERS: tuple[tuple[tuple[Side, None], tuple[Side, None]], ...] = (
    (("left", None), ("top", None)),
    (("right", None), ("bottom", None)),
    (("right", None), ("top", None)),
    (("left", None), ("bottom", None)),
)

Notify = Callable[[str], None]
Stop = Callable[[], bool]


@dataclass(frozen=True)
class Arrangement:
    """The moves that place a board, described in words."""

    words: str
    moves: tuple[Move, ...]
    note: str
    overhanging: frozenset[str]
    """Components that lie over the edge, as was wished."""
    complete: bool = True
    """False where the search was stopped."""


def arranged(layout: Layout, act: PlaceAll, notify: Notify, stop: Stop) -> Arrangement:
    """Place components as an action asks.

    Raises:
        BriefError: no outline, nothing to place, an unknown name, or wishes that contradict each other.
        InfeasibleError: a locked component would move, or a wish cannot be met.
    """
    circuit = circuit_of(layout)
    if layout.area is None:
        raise BriefError(
            "place_all needs a board with a closed outline, and this one has none: draw a closed line on the layer "
            "Edge.Cuts (a gap between two of its lines is enough to open it)"
        )
    if wrong := contradictions(layout, act):
        raise BriefError(f"place_all: the goals contradict each other: {'; '.join(wrong)}", subjects=(*wrong.values(),))
    names = refuse_idle(layout, act, circuit)
    seed, effort = act.seed or 0, act.effort or 1.0
    laid, pinned = _lay_at_edges(with_keepouts(layout, act), act, circuit, names, seed, stop)
    placed = place_all(
        laid,
        [name for name in names if name not in pinned],
        goal_of(laid, circuit, act),
        seed=seed,
        effort=effort,
        begin=act.start,
        notify=_ProgressLines(notify),
        stop=stop,
    )
    return Arrangement(
        _words(act, names),
        (*(move for moves in pinned.values() for move in moves), *placed.moves),
        _note(layout, act, circuit, names, placed, pinned),
        frozenset(wish.ref for wish in act.overhang),
        complete=placed.complete,
    )


def refuse_idle(layout: Layout, act: PlaceAll, circuit: Circuit) -> tuple[str, ...]:
    """Return the components that an action places; refuse one that places none.

    Raises:
        BriefError: it places none, or has an unknown name. InfeasibleError: one that is named is locked.
    """
    if names := to_place(layout, act, circuit):
        return names
    items = [item for item in layout.roots if item.claims and not item.shape.is_empty]
    if not items:
        reason = "the board has no components with pads or a courtyard"
    elif all(item.locked for item in items):
        reason = f"all {len(items)} components are locked; unlock those that may move"
    elif act.refs or act.keep:
        reason = "all components that it names are to be kept where they are"
    elif act.replace or act.start == "here":
        reason = (
            f"of {len(items)} components all are locked, connectors, mounting holes or fiducials; name those to place"
        )
    else:
        reason = f"all {len(items)} components are placed; replace=true (--replace) moves them too"
    raise BriefError(f"There is nothing to place: {reason}")


# Names ----------------------------------------------------------------------------------------------------------------


def placeable(item: Item) -> bool:
    """Return whether a component may be placed at all: not a drawing, and not locked."""
    return item.claims and not item.locked and not item.shape.is_empty


def to_place(layout: Layout, act: PlaceAll, circuit: Circuit) -> tuple[str, ...]:
    """Return the components that an action places, in the order of the layout.

    Raises:
        BriefError: an unknown name. InfeasibleError: one that is named is locked.
    """
    kept = set(expanded(layout, act.keep))
    wished = {wish.ref for wish in (*act.anchors, *act.overhang)} | act.sides.keys() | act.turns.keys()
    named = set(expanded(layout, act.refs))
    for ref in [name for name in layout.rows if name in named | wished]:
        if held := locked_in(layout, ref):
            raise InfeasibleError(
                f"place_all would move {ref}, but it is locked: unlock it first, or leave it out",
                (f"{held[0]} is locked", f"place_all moves {ref}"),
                subjects=(ref,),
            )
    if named:
        chosen = named
    else:
        chosen = {name for name in circuit.unplaced or beside(layout) if placeable(layout[name])}
        if act.replace or act.start == "here":
            stay = {*circuit.connectors, *circuit.mounting_holes, *circuit.fiducials}
            chosen |= {item.name for item in layout.roots if placeable(item) and item.name not in stay}
    return tuple(name for name in layout.rows if name in (chosen | wished) - kept)


def contradictions(layout: Layout, act: PlaceAll) -> dict[str, str]:
    """Return wishes that exclude each other, two by two, in the words of the action, and the component of each.

    Raises:
        BriefError: an unknown name.
    """
    wrong: dict[str, str] = {}
    kept = set(expanded(layout, act.keep))

    # One component at two opposite edges.
    edges: dict[str, dict[int, tuple[Side, str]]] = {}
    for ref, side, words in _edge_wishes(act):
        axis = 0 if side in {"left", "right"} else 1
        other, first = edges.setdefault(ref, {}).setdefault(axis, (side, words))
        if other != side:
            wrong[f"{first}, and {words}"] = ref

    # Two components near each other, and farther apart than that.
    near = {(a.ref, _owner(layout, a.near)): a for a in act.anchors if a.near is not None}
    for apart in act.anchors:
        close = near.get((apart.ref, apart.apart or "")) or near.get((apart.apart or "", apart.ref))
        if apart.apart is not None and close is not None and (close.distance or 0.0) < (apart.distance or 0.0):
            far = "" if close.distance is None else f"within {close.distance:g} mm of "
            words = f"{close.ref} {far or 'near '}{close.near}"
            wrong[f"{words}, and {apart.ref} at least {apart.distance:g} mm from {apart.apart}"] = apart.ref

    # A component that is to be kept where it is, and moved.
    wishes = {a.ref: "anchored" for a in act.anchors} | dict.fromkeys(act.turns, "turned")
    wishes |= dict.fromkeys(act.sides, "put on a side") | {wish.ref: "hung over the edge" for wish in act.overhang}
    done = dict.fromkeys(expanded(layout, act.refs), "placed") | wishes
    wrong |= {f"{ref} is kept where it is, and {verb}": ref for ref, verb in done.items() if ref in kept}
    for anchor in act.anchors:
        other = _owner(layout, anchor.near) if anchor.near else anchor.apart
        if other == anchor.ref:
            wrong[f"{anchor.ref} is anchored at itself"] = anchor.ref
        elif other is not None:
            known(layout, (other,))

    for name in wishes:
        known(layout, (name,))
    for group in act.groups:
        expanded(layout, group.refs)
    for keepout in act.keepouts:
        if keepout.around is not None:
            known(layout, (keepout.around,))
    return wrong


def _owner(layout: Layout, target: str | None) -> str:
    return "" if target is None else target_of(layout, target)[0]


def _sides(words: str) -> list[Side]:
    """Return the sides that an edge or a corner is at: `top left` is at two."""
    return [side for word in words.split() for side in SIDES if side == word]


def _edge_wishes(act: PlaceAll) -> Iterator[tuple[str, Side, str]]:
    """Yield component, edge, and the wish in words."""
    for anchor in act.anchors:
        far = "" if anchor.distance is None else f"{anchor.distance:g} mm from "
        if anchor.edge is not None and anchor.edge != "any":
            where = "the middle of " if anchor.center else ""
            yield anchor.ref, anchor.edge, f"{anchor.ref} {far or 'at '}{where}the {anchor.edge} edge"
        elif anchor.corner is not None:
            for side in _sides(anchor.corner):
                yield anchor.ref, side, f"{anchor.ref} {far or 'in '}the {anchor.corner} corner"
    for wish in act.overhang:
        if wish.edge != "any":
            yield wish.ref, wish.edge, f"{wish.ref} over the {wish.edge} edge by {wish.distance:g} mm"


# The goal -------------------------------------------------------------------------------------------------------------


def goal_of(layout: Layout, circuit: Circuit, act: PlaceAll) -> Goal:
    """Return the goal for the placer: what the board says by itself, and the wishes of an action beside it.

    A capacitor is drawn to the pin that it serves, a network to its pins, a sheet together; ground and large supplies
    count little, the nets of critical loops more. Wishes for one component replace what the board says of it.
    """
    near = [anchor for anchor in act.anchors if anchor.near is not None]
    stated = {anchor.ref for anchor in near}
    anchors = [Anchor(a.ref, "near", str(a.near), a.distance or 0.0, WISHED) for a in near]
    anchors += [Anchor(a.ref, "apart", a.apart, a.distance or 0.0) for a in act.anchors if a.apart is not None]
    anchors += [Anchor(a.ref, "at", _middle(layout), 0.0, WISHED) for a in act.anchors if a.center and not a.edge]
    for one in circuit.decoupling:
        if one.capacitor not in stated:
            anchors.append(Anchor(one.capacitor, "near", _pad_of(one.owner, one.pin), 0.0, SERVES))
            stated.add(one.capacitor)
    for network in circuit.networks:
        for member in network.members:
            if member not in stated and network.pins:
                # The pin that the member is on a net with; the first where there is none.
                nets = {port.net for port in layout[member].ports if port.net}
                named = {pin: pin.removeprefix(f"{network.owner}.") for pin in network.pins}
                pads = {pin: layout[network.owner].ports_named(name) for pin, name in named.items()}
                shared = (pin for pin, ports in pads.items() if any(port.net in nets for port in ports))
                pin = next(shared, network.pins[0])
                anchors.append(Anchor(member, "near", _pad_of(network.owner, pin), 0.0, BELONGS))
                stated.add(member)

    groups = [Group(group.name, expanded(layout, group.refs), WISHED / 4 * group.weight) for group in act.groups]
    for name, members in circuit.blocks.items():
        on_board = tuple(member for member in members if member in layout.rows)
        if 1 < len(on_board) < 0.8 * len(layout.roots):  # a sheet of nearly all says nothing
            groups.append(Group(name, on_board, SHEET))
    return Goal(
        groups=tuple(groups),
        anchors=tuple(anchors),
        weights=_weights(layout, circuit, act),
        sides={ref: FRONT if side == "front" else BACK for ref, side in act.sides.items()},
        turns=dict(act.turns),
    )


def _middle(layout: Layout) -> Point:
    assert layout.area is not None
    x0, y0, x1, y1 = layout.area.bounds
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def _pad_of(owner: str, pin: str) -> str:
    """Return `U1.4`, whether the pin is given as `4` or as that."""
    return pin if pin.startswith(f"{owner}.") else f"{owner}.{pin}"


def _weights(layout: Layout, circuit: Circuit, act: PlaceAll) -> dict[str, float]:
    """Return the weights of the nets that do not count as 1."""
    count = Counter(port.net for item in layout.roots for port in item.ports)
    weights = {net: POWER for net in circuit.power if count[net] > FEW_PADS}
    weights |= {net: GROUND for net in circuit.ground if count[net] > FEW_PADS}
    for n, loop in enumerate(act.loops):
        # The nets that two members of the loop share, or that a pad of it is on.
        owners: dict[str, set[str]] = {}
        for name in loop:
            owner, ports = (name, layout[name].ports) if name in layout.rows else target_of(layout, name)
            for port in ports:
                if not port.net:
                    continue
                owners.setdefault(port.net, set()).add(owner)
                if name not in layout.rows or len(owners[port.net]) > 1:
                    weights[port.net] = max(weights.get(port.net, 0.0), 1.0 + (LOOP - 1.0) / 2**n)
    return weights


def with_keepouts(layout: Layout, act: PlaceAll) -> Layout:
    """Return the layout with the temporary keep-outs of an action."""
    keepouts, around = list(layout.keepouts), list[Item]()
    for n, wish in enumerate(act.keepouts, start=1):
        name = f"keepout {n} of place_all"
        if wish.box is not None:
            x0, y0, x1, y1 = wish.box
            keepouts.append(Keepout(name, box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))))
        elif wish.around is not None:
            item = layout[wish.around]
            room = item.shape.buffer(wish.distance, join_style="mitre")
            around.append(replace(item, keepouts=(*item.keepouts, Keepout(name, room, (item.layer,), item.name))))
        elif wish.edge is not None and layout.area is not None:
            keepouts.append(Keepout(name, strip(layout.area.bounds, wish.edge, wish.distance)))
    return replace(layout.with_items(around) if around else layout, keepouts=tuple(keepouts))


def strip(area: Bounds, edge: Side, depth: float) -> Polygon:
    """Return the rectangle along an edge of a box, so deep inward."""
    x0, y0, x1, y1 = area
    ends: dict[Side, Bounds] = {
        "left": (x0, y0, x0 + depth, y1), "right": (x1 - depth, y0, x1, y1),
        "top": (x0, y0, x1, y0 + depth), "bottom": (x0, y1 - depth, x1, y1),
    }  # fmt: skip
    return box(*ends[edge])


# What is laid first ---------------------------------------------------------------------------------------------------


Edges = tuple[tuple[Side, float | None], ...]
"""Edges, and how far from each: negative is over it, None as near as the copper may be."""


@dataclass(frozen=True)
class _EdgePlace:
    """The edges at which one component belongs."""

    ref: str
    edges: Edges
    stated: bool = True
    """The action asks for it, so that it is an error if there is no room."""
    centered: bool = False
    """In the middle of its edge, or as near to that as there is room."""
    any_edge: bool = False
    """At another edge, where there is no room at this one."""

    @property
    def exact(self) -> Edges:
        """The edges that it may not leave: of a corner without numbers it may, where something else is there."""
        return self.edges if len(self.edges) == 1 else tuple(edge for edge in self.edges if edge[1] is not None)


def _lay_at_edges(
    layout: Layout, act: PlaceAll, circuit: Circuit, names: Sequence[str], seed: int, stop: Stop
) -> tuple[Layout, dict[str, tuple[Move, ...]]]:
    """Return the layout with what belongs at edges laid there, and the moves of each.

    What belongs at any edge lies at the nearest one, and so do connectors that are not placed yet; mounting holes lie
    in the corners, where there is room.
    """
    wishes: dict[str, dict[Side, float | None]] = {}
    for anchor in act.anchors:
        for side in _sides(anchor.edge or anchor.corner or ""):
            wishes.setdefault(anchor.ref, {})[side] = anchor.distance
    for wish in act.overhang:
        if wish.edge != "any":
            wishes.setdefault(wish.ref, {})[wish.edge] = -wish.distance
    centered = {anchor.ref for anchor in act.anchors if anchor.center}
    places = [_EdgePlace(ref, tuple(edges.items()), centered=ref in centered) for ref, edges in wishes.items()]

    anywhere = {a.ref: (a.distance, a.center) for a in act.anchors if a.edge == "any"}
    anywhere |= {wish.ref: (-wish.distance, False) for wish in act.overhang if wish.edge == "any"}
    anywhere = {ref: wish for ref, wish in anywhere.items() if ref not in wishes}

    # What nothing is asked of and is not placed yet: connectors, and holes.
    anchored = wishes.keys() | anywhere.keys() | {name for a in act.anchors for name in (a.ref, a.near)}
    waiting = [name for name in beside(layout) if name in names and name not in anchored]
    wired = {name for name in waiting if any(port.net for port in layout[name].ports)}
    connectors = [name for name in circuit.connectors if name in wired]
    holes = [name for name in circuit.mounting_holes if name in waiting][: len(CORNERS)]
    if not places and not anywhere and not connectors and not holes:
        return layout, {}

    scouted = layout
    if connectors or anywhere or any(len(place.edges) == 1 for place in places):
        goal = goal_of(layout, circuit, act)
        soft = [Anchor(p.ref, "edge", side, max(far or 0.0, 0.0), WISHED) for p in places for side, far in p.edges]
        scouted = _scouted(layout, names, replace(goal, anchors=(*goal.anchors, *soft)), seed, stop)
    places += [
        _EdgePlace(ref, ((nearest_edge(scouted, ref), far),), centered=center, any_edge=True)
        for ref, (far, center) in anywhere.items()
    ]
    places += [_EdgePlace(name, ((nearest_edge(scouted, name), None),), stated=False) for name in connectors]
    places += [_EdgePlace(name, sides, stated=False) for name, sides in zip(holes, CORNERS, strict=False)]

    # What is asked for first, corners before edges, and the largest first.
    places.sort(key=lambda place: (not place.stated, -len(place.edges), -layout[place.ref].shape.area, place.ref))
    unlaid = set(names)
    moves: dict[str, tuple[Move, ...]] = {}
    laid = layout
    for place in places:
        first, far = place.edges[0]
        sides = sorted(SIDES, key=lambda side, first=first: side != first) if place.any_edge else ()
        options = [*(replace(place, edges=((side, far),), stated=False) for side in sides), place]
        absent = frozenset(unlaid - {place.ref})
        to_edge = next(filter(None, (_laid(laid, scouted, act, option, absent) for option in options)), None)
        if to_edge is not None:
            unlaid.discard(place.ref)
            moves[place.ref] = to_edge
            laid = laid.moved(to_edge)
    return laid, moves


def _scouted(layout: Layout, names: Sequence[str], goal: Goal, seed: int, stop: Stop) -> Layout:
    """Return the layout with components about where they would lie; they may overlap."""
    problem = problem_of(layout, names, goal)
    places, states = spread(problem, seed, stop=stop)
    moves: list[Move] = []
    for c, (state, body) in enumerate(zip(states.tolist(), problem.chosen(states), strict=True)):
        x, y = (places[c] - (body.room[:2] + body.room[2:]) / 2).tolist()
        moves.append(problem.move(c, state, x, y))
    return layout.moved(moves)


def nearest_edge(layout: Layout, name: str) -> Side:
    """Return the edge of the board's box that a component is nearest to."""
    assert layout.area is not None
    (x0, y0, x1, y1), (u0, v0, u1, v1) = layout.area.bounds, layout.bounds(name)
    gaps: dict[Side, float] = {"left": u0 - x0, "right": x1 - u1, "top": v0 - y0, "bottom": y1 - v1}
    return min(gaps, key=lambda side: gaps[side])


def _laid(
    layout: Layout, scouted: Layout, act: PlaceAll, place: _EdgePlace, absent: frozenset[str]
) -> tuple[Move, ...] | None:
    """Return the moves of a component to its place at edges, free of what lies there.

    None where there is no such place, and no words asked for it.

    Raises:
        InfeasibleError: there is no such place, and words asked for it.
    """
    ref = place.ref
    turns = _turns(layout, scouted, act, place)
    there = replace(layout, items=tuple(item for item in layout.items if item.name not in absent)).moved(turns)
    x, y = _start(scouted, there, place)
    x0, y0, x1, y1 = there.bounds(ref)
    to_start = Move.shift(ref, x - (x0 + x1) / 2, y - (y0 + y1) / 2)
    there = there.moved([to_start])
    overhangs = any(far is not None and far < 0 for _, far in place.edges)
    to_edges = _to_edges(there, ref, place.edges)
    there = there.moved(to_edges or ())
    for shift in _shifts(there, place):
        final = _to_edges(there.moved(shift), ref, place.exact) if shift else ()
        if final is None or (to_edges is None and not shift):
            continue
        met = {other for _, other in collisions(there.moved((*shift, *final)), (ref,))}
        if not met - ({EDGE} if overhangs else set()):
            return (*turns, to_start, *(to_edges or ()), *shift, *final)
    if not place.stated:
        return None
    words = " and ".join(
        f"{'at' if far is None else f'{far:g} mm from' if far >= 0 else f'{-far:g} mm over'} the {side} edge"
        for side, far in place.edges
    )
    raise InfeasibleError(
        f"place_all: there is no free place for {ref} {words}",
        (f"{ref} lies {words}", "what is placed or kept, keep-outs and the outline stay as they are"),
        subjects=(ref,),
    )


def _start(scouted: Layout, layout: Layout, place: _EdgePlace) -> Point:
    """Return the middle to begin with: where the quick placement has it along the edge, or in the corner."""
    assert layout.area is not None
    x0, y0, x1, y1 = layout.area.bounds
    u0, v0, u1, v1 = layout.bounds(place.ref)
    w, h = (u1 - u0) / 2, (v1 - v0) / 2
    s0, t0, s1, t1 = scouted.bounds(place.ref)
    x, y = min(max((s0 + s1) / 2, x0 + w), x1 - w), min(max((t0 + t1) / 2, y0 + h), y1 - h)
    sides = {side for side, _ in place.edges}
    x, y = _middle(layout) if place.centered else (x, y)
    x = x0 + w if "left" in sides else x1 - w if "right" in sides else x
    y = y0 + h if "top" in sides else y1 - h if "bottom" in sides else y
    return (x, y)


def _shifts(layout: Layout, place: _EdgePlace) -> Iterator[tuple[Move, ...]]:
    """Yield shifts that leave what is wished: none, then the shortest along the edge, or inward from a corner."""
    yield ()
    held = {0 if side in {"left", "right"} else 1 for side, _ in place.exact}
    if held == {0, 1}:
        return
    quantum = layout.frame.quantum
    limit = list(limits(layout, place.ref))
    for axis in held:
        limit[2 * axis] = limit[2 * axis + 1] = 0
    around = walls(layout, place.ref) / quantum
    room = scaled(layout.extent(place.ref), quantum)
    for dx, dy in islice(ranked(room, around, 0.0, (limit[0], limit[1], limit[2], limit[3])), MAX_TRIES):
        yield (Move.shift(place.ref, dx * quantum, dy * quantum),)
    if held:  # an outline that is not straight may bar places that boxes do not
        axis = 1 - held.pop()
        low, high = limit[2 * axis] * quantum, limit[2 * axis + 1] * quantum
        steps = (low + (high - low) * n / EDGE_STEPS for n in range(EDGE_STEPS + 1))
        for step in sorted(steps, key=abs):
            yield (Move.shift(place.ref, step, 0.0) if axis == 0 else Move.shift(place.ref, 0.0, step),)


def _to_edges(layout: Layout, ref: str, edges: Edges) -> tuple[Move, ...] | None:
    """Return the shifts to the edges; None where the board has no such edge there."""
    moves: tuple[Move, ...] = ()
    for side, far in edges:
        here = layout.moved(moves) if moves else layout
        item, gap = here[ref], far or 0.0
        if far is None and item.ports:
            # As near as the copper may be, in whole micrometers.
            room, pads = item.shape.bounds, [port.shape.bounds for port in item.ports]
            inset = {
                "left": min(pad[0] for pad in pads) - room[0],
                "right": room[2] - max(pad[2] for pad in pads),
                "top": min(pad[1] for pad in pads) - room[1],
                "bottom": room[3] - max(pad[3] for pad in pads),
            }[side]
            gap = math.ceil(max(0.0, here.edge_clearance - inset) * 1000 - 1e-6) / 1000
        try:
            moves = (*moves, *move_to_edge(here, ref, side, gap))
        except InfeasibleError:
            return None
    return moves


def _turns(layout: Layout, scouted: Layout, act: PlaceAll, place: _EdgePlace) -> tuple[Move, ...]:
    """Return the moves that bring a component to its side, and turn it so that it faces its first edge.

    A connector's pads lie behind its face. Where nothing tells the face, its longer side lies along the edge, and
    else it stays as the quick placement has it.
    """
    ref, (side, _) = place.ref, place.edges[0]
    moves: tuple[Move, ...] = ()
    layer = act.sides.get(ref)
    if layer is not None and (FRONT if layer == "front" else BACK) != layout[ref].layer:
        moves = flip(layout, (ref,))
    own = layout.moved(moves)
    turned = [scouted[ref].rotation, *(own[ref].rotation + 90.0 * n for n in range(4))]
    angles = act.turns.get(ref) or (turned if scouted[ref].layer == own[ref].layer else turned[1:])
    options = [rotate(own, (ref,), to=angle) for angle in angles]
    scores = [_facing(own.moved(option)[ref], side, own) for option in options]
    best = max(range(len(options)), key=lambda n: (scores[n], -n))
    return (*moves, *options[best])


def _facing(item: Item, side: Side, layout: Layout) -> float:
    """Score how well a component faces an edge: by how far its pads lie away from it, and a little by its longer side.

    The longer side should lie along the edge.
    """
    x0, y0, x1, y1 = item.shape.bounds
    axis, positive = way(layout, side)
    deep, long = (x1 - x0, y1 - y0) if axis == 0 else (y1 - y0, x1 - x0)
    flat = 0.01 if long > deep * 1.05 else 0.0
    if not item.ports:
        return flat
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    pads = [sum(port.at[k] for port in item.ports) / len(item.ports) for k in (0, 1)]
    off = (middle[axis] - pads[axis]) * (1 if positive else -1) / max(deep, long)
    return (round(off, 2) if abs(off) >= MIN_OFFSET else 0.0) + flat


# Words ----------------------------------------------------------------------------------------------------------------


def _words(act: PlaceAll, names: Sequence[str]) -> str:
    """Return `place_all 12 components; J1 at the left edge`."""
    parts = [wish for _, _, wish in _edge_wishes(act)]
    parts += [f"{wish.ref} over an edge by {wish.distance:g} mm" for wish in act.overhang if wish.edge == "any"]
    for a in act.anchors:
        if a.edge == "any":
            far = "at" if a.distance is None else f"{a.distance:g} mm from"
            parts.append(f"{a.ref} {far} {'the middle of ' if a.center else ''}an edge")
        elif a.center and a.edge is None:
            parts.append(f"{a.ref} in the middle of the board")
        elif a.near is not None:
            parts.append(f"{a.ref} {'near' if a.distance is None else f'within {a.distance:g} mm of'} {a.near}")
        elif a.apart is not None:
            parts.append(f"{a.ref} at least {a.distance or 0:g} mm from {a.apart}")
    parts += [f"{group.name} together" for group in act.groups]
    parts += [f"{ref} turned to {' or '.join(f'{turn:g}°' for turn in turns)}" for ref, turns in act.turns.items()]
    parts += [f"{ref} on the {side}" for ref, side in act.sides.items()]
    for k in act.keepouts:
        where = f"around {k.around}" if k.around else f"along the {k.edge} edge"
        parts.append("a box free" if k.box else f"{k.distance:g} mm {where} free")
    parts += [f"the loop {', '.join(loop[:6])} tight" for loop in act.loops]
    parts += [f"{shortlist(act.keep, 6)} kept"] if act.keep else []
    how = " from where they lie" if act.start == "here" else ""
    return "; ".join([f"place_all {len(names)} component{'s' * (len(names) != 1)}{how}", *parts])


def _note(
    layout: Layout,
    act: PlaceAll,
    circuit: Circuit,
    names: Sequence[str],
    placed: PlacerResult,
    pinned: Mapping[str, Sequence[Move]],
) -> str:
    """Tell who found no room, what stayed, and whether the search was cut short."""
    assert layout.area is not None
    moved = {move.item for move in placed.moves} | pinned.keys()
    outside = set(beside(layout))
    notes: list[str] = []
    if homeless := [name for name in names if name not in moved and name in outside]:
        # Free is what nothing claims, on both sides of boards with components on both.
        waiting = outside - moved.intersection(names)
        items = [item for item in layout.roots if item.claims and item.name not in waiting]
        layers = {item.layer for item in items} or {FRONT}
        free = max(0.0, float(layout.area.area) * len(layers) - sum(item.shape.area for item in items))
        area = sum(layout[name].shape.area for name in homeless)
        notes.append(
            f"no room for {len(homeless)} of {len(names)} components ({shortlist(homeless, 8)}): {area:.0f} mm² of "
            f"components, and {free:.0f} mm² of the board are free, in pieces; they stay beside the board"
        )
    if act.replace and not act.refs:
        fixed = (*circuit.connectors, *circuit.mounting_holes, *circuit.fiducials)
        stay = [name for name in fixed if name not in outside and name not in names]
        notes += [f"connectors, mounting holes and fiducials stay where they are: {shortlist(stay, 8)}"] if stay else []
    if not placed.complete:
        notes.append(f"{CUT_SHORT}; this is the best placement so far")
    return "; ".join(notes)


LINE_INTERVAL, MIN_SHARE = 1.0, 0.05
"""Seconds between two lines at least, and the share of a stage that is worth one; without that, ten times as long."""


class _ProgressLines:
    """Puts the placer's progress into lines, at most one a second."""

    def __init__(self, notify: Notify, clock: Callable[[], float] = time.monotonic) -> None:
        self.notify, self.clock = notify, clock
        self.last = (-math.inf, "", 0.0)

    def __call__(self, progress: Progress) -> None:
        when, stage, share = self.last
        now, done = self.clock(), progress.done / max(progress.steps, 1)
        news = progress.stage != stage or done >= share + MIN_SHARE or now >= when + 10 * LINE_INTERVAL
        if now < when + LINE_INTERVAL or not news:
            return
        self.last = (now, progress.stage, done)
        wires = f", wires {progress.wires:,.0f} mm" if progress.wires else ""
        self.notify(f"placing: {progress.stage} {done:.0%}{wires}")
