"""Plans of actions on a layout: moves, a description with numbers, and the constraints that later legalizing keeps.

Nothing is changed here; `workspace.Workspace.do` carries a plan out or refuses it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from itertools import pairwise

from shapely import STRtree
from shapely.geometry import Point

from redraft.layout.items import Layout, Move, Port
from redraft.studios.board.actions import moves as boxes
from redraft.studios.board.actions.fields import (
    EDGE,
    Action,
    Align,
    ClusterAround,
    CopyBlock,
    Decouple,
    Distribute,
    Flip,
    Legalise,
    Lock,
    MoveBlock,
    MoveBy,
    MoveToEdge,
    PlaceAll,
    PlaceComponent,
    PlaceRelative,
    Rotate,
    Stack,
    Swap,
)
from redraft.studios.board.actions.moves import flip, rotate
from redraft.studios.board.place.blocks import box_of, copy_block, move_block, rigid, with_members
from redraft.studios.board.place.clustering import cluster_around
from redraft.studios.board.place.decoupling import decouple
from redraft.studios.board.solve.arguments import axis_of, known, target_of, way
from redraft.studios.board.solve.constraints import Axis, Constraint
from redraft.studios.board.solve.free_places import Line
from redraft.studios.board.solve.relative import move_to_edge, placed_relative


@dataclass(frozen=True)
class Plan:
    """What an action comes to."""

    words: str
    moves: tuple[Move, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    """What it sets, for later legalising."""
    note: str = ""
    line: Line | None = None
    """Along which a single part may give way without leaving what was asked."""
    locks: Mapping[str, bool] = field(default_factory=dict[str, bool])
    overhanging: frozenset[str] = frozenset()
    """Parts that lie over the edge, as was asked."""
    complete: bool = True
    """False where a search was stopped."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Parts that move as one rigid body each."""


CUT_SHORT = "the search was cut short"


def ignore(_: object) -> None:
    """Tell nobody."""


def never() -> bool:
    """Go on to the end."""
    return False


def plan(
    layout: Layout,
    action: Action,
    constraints: Callable[[], Sequence[Constraint]] = tuple[Constraint, ...],
    *,
    notify: Callable[[str], None] = ignore,
    stop: Callable[[], bool] = never,
) -> Plan:
    """Return what the action would do.

    Args:
        constraints: those that earlier actions set.
        notify: called with a line about what takes long, at most once a second.
        stop: asked often by what takes long; when it returns True, the plan is the best so far.

    Raises:
        BriefError: an unknown part or pad, arguments that make no sense. InfeasibleError: it cannot be done.
    """
    if isinstance(action, PlaceAll):
        from redraft.studios.board.place.goals import arranged  # SciPy takes a while to load

        found = arranged(layout, action, notify, stop)
        return Plan(found.words, found.moves, note=found.note, overhanging=found.overhanging, complete=found.complete)
    if isinstance(action, Legalise):
        return _legalize(layout, action, constraints())
    return _plan(action, layout)


@singledispatch
def _plan(action: object, layout: Layout) -> Plan:
    raise TypeError(f"no action: {action!r}")


@_plan.register
def _(act: MoveBy, layout: Layout) -> Plan:
    words = f"move_by {_names(act.refs)} by ({number(act.dx)}, {number(act.dy)}) {layout.frame.unit}"
    return Plan(words, boxes.move_by(layout, with_members(layout, act.refs), act.dx, act.dy))


@_plan.register
def _(act: Rotate, layout: Layout) -> Plan:
    turned = f"by {number(act.by)}°" if act.by is not None else f"to {number(act.to or 0.0)}°"
    return Plan(f"rotate {_names(act.refs)} {turned}", rotate(layout, act.refs, act.by, act.to))


@_plan.register
def _(act: Swap, layout: Layout) -> Plan:
    return Plan(f"swap {act.ref} and {act.other}", boxes.swap(layout, act.ref, act.other))


@_plan.register
def _(act: Flip, layout: Layout) -> Plan:
    return Plan(f"flip {_names(act.refs)}", flip(layout, act.refs))


@_plan.register
def _(act: Lock, layout: Layout) -> Plan:
    words = f"{'lock' if act.locked else 'unlock'} {_names(act.refs)}"
    return Plan(words, locks=dict.fromkeys(known(layout, with_members(layout, act.refs)), act.locked))


def _legalize(layout: Layout, act: Legalise, constraints: Sequence[Constraint]) -> Plan:
    moves, note = legalized(layout, act.refs, act.clearance, constraints)
    who = _names(act.refs) if act.refs else "all that collides"
    return Plan(f"legalise {who}", moves, note=note)


def number(value: float) -> str:
    """A length or an angle as a person writes it, to the nanometre."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if round(value, 6) else "0"


def _names(refs: Sequence[str]) -> str:
    return ", ".join(refs[:12]) + (f" and {len(refs) - 12} more" if len(refs) > 12 else "")


_SIDES = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}


@_plan.register
def _(act: PlaceRelative, layout: Layout) -> Plan:
    turn = () if act.rotation is None else rotate(layout, (act.ref,), to=act.rotation)
    layout = layout.moved(turn) if turn else layout
    placed = placed_relative(layout, act.ref, act.target, act.side, act.clearance, act.align, act.measure)
    owner, pads = target_of(layout, act.target)
    axis, positive = way(layout, act.side)
    measure = "pad" if pads else act.measure
    words = (
        f"place_relative {act.ref} {number(act.clearance)} {layout.frame.unit} {_SIDES[act.side]} {act.target} "
        f"({measure}, {'level with the pad' if pads else act.align})"
    )
    if act.rotation is not None:
        words += f", turned to {number(act.rotation)}°"
    constraint = Constraint(words, act.ref, owner, (0, 1))
    note = _facing(layout, act.ref, owner, placed.pads) if placed.pads else ""
    return Plan(words, (*turn, *placed.moves), (constraint,), note, (axis, 1 if positive else -1))


def _between(start: Port, end: Port, ports: Sequence[Port]) -> int:
    """Return the counterclockwise quarter turns, in degrees, that bring one port nearest to where another is."""
    middle = [sum(port.at[axis] for port in ports) / len(ports) for axis in (0, 1)]
    one, other = (math.atan2(middle[1] - port.at[1], port.at[0] - middle[0]) for port in (start, end))
    return 90 * (round((other - one) / (math.pi / 2)) % 4)


def _facing(layout: Layout, ref: str, owner: str, pads: tuple[Port, Port]) -> str:
    """Which pad faces the target, and which would be on its net."""
    mine, target = pads
    said = f"{_pad(ref, mine)} faces {_pad(owner, target)}"
    if (many := len(layout[owner].ports_named(target.name))) > 1:
        said += f", the nearest of {many} pads of this name, at ({number(target.at[0])}, {number(target.at[1])})"
    nets = [port for port in layout[ref].ports if target.net and port.net == target.net]
    if nets and mine.net != target.net:
        turn = _between(nets[0], layout[ref].ports_named(mine.name)[0], layout[ref].ports)
        by = f" by {turn} degrees" if turn else ""
        said += f"; to bring {_pad(ref, nets[0])} there, rotate {ref}{by} first"
    return said


def _pad(ref: str, port: Port) -> str:
    return f"{ref}.{port.name}" + (f" ({port.net})" if port.net else "")


@_plan.register
def _(act: PlaceComponent, layout: Layout) -> Plan:
    words = f"place_component {act.ref} at ({number(act.x)}, {number(act.y)}) {layout.frame.unit}"
    turn: tuple[Move, ...] = ()
    if act.rotation is not None:
        words += f", turned to {number(act.rotation)}°"
        turn = rotate(layout, (act.ref,), to=act.rotation)
    turned = layout.moved(turn) if turn else layout
    return Plan(words, (*turn, *boxes.place_component(turned, act.ref, act.x, act.y)))


@_plan.register
def _(act: Align, layout: Layout) -> Plan:
    shape = "in a row (same y)" if act.axis == "x" else "in a column (same x)"
    words = f"align {_names(act.refs)} {shape}, {act.edge}"
    constraints = _constraints(layout, act.refs, words, (1,) if act.axis == "x" else (0,))
    return Plan(words, boxes.align(layout, act.refs, act.axis, act.edge), constraints)


@_plan.register
def _(act: Distribute, layout: Layout) -> Plan:
    along = boxes.spread(layout, act.refs) if act.axis is None else axis_of(act.axis)
    gap = "evenly" if act.spacing is None else f"{number(act.spacing)} {layout.frame.unit} apart"
    words = f"distribute {_names(act.refs)} along {'xy'[along]} {gap}"
    moves = boxes.distribute(layout, act.refs, act.spacing, "y" if along else "x")
    return Plan(words, moves, _constraints(layout, act.refs, words, (along,)))


@_plan.register
def _(act: Stack, layout: Layout) -> Plan:
    words = f"stack {_names(act.refs)} {act.direction}, {number(act.spacing)} {layout.frame.unit} apart"
    moves = boxes.stack(layout, act.refs, act.direction, act.spacing)
    return Plan(words, moves, _constraints(layout, act.refs, words, (0, 1)))


def _constraints(layout: Layout, refs: Sequence[str], words: str, axes: tuple[Axis, ...]) -> tuple[Constraint, ...]:
    """Each to the one before it."""
    return tuple(Constraint(words, b, a, axes) for a, b in pairwise(known(layout, refs)))


@_plan.register
def _(act: ClusterAround, layout: Layout) -> Plan:
    where = f" {_SIDES[act.side]} it" if act.side else ""
    targets = (act.target,) if isinstance(act.target, str) else act.target
    words = (
        f"cluster_around {_names(act.refs)} around {_names(targets)}{where}, "
        f"{number(act.clearance)} {layout.frame.unit} from all others"
    )
    moves, stay = cluster_around(layout, act.refs, targets, act.clearance, act.side)
    note = (
        f"{_names(stay)} {'stays' if len(stay) == 1 else 'stay'}: no place is nearer without longer wires"
        if stay
        else ""
    )
    return Plan(words, moves, note=note)


@_plan.register
def _(act: Decouple, layout: Layout) -> Plan:
    who = f" with {_names(act.refs)}" if act.refs else ""
    where = f", on the {act.side} side" if act.side else ""
    found = decouple(layout, act.target, act.refs, act.clearance, act.side)
    return Plan(f"decouple {act.target}{who}{where}", found.moves, note=found.note)


@_plan.register
def _(act: MoveBlock, layout: Layout) -> Plan:
    unit, names = layout.frame.unit, rigid(layout, act)
    words = f"move_block {act.block or _names(act.refs)}"
    turned = [f"turned by {act.rotation}°"] if act.rotation else []
    if act.target is not None:
        far = f"{number(act.clearance)} {unit}"
        if act.target == EDGE:
            side = act.side or "nearest"
            words += f" {far} from the {side} {'corner' if ' ' in side else 'edge'}"
        else:
            words += f" {far} {_SIDES.get(act.side or '', 'beside')} {act.target}"
    words += ", ".join(["", *(["flipped"] if act.flip else []), *turned])
    moves = move_block(layout, act)
    return Plan(words, moves, note=_tracks_left(layout, names), groups=(names,))


@_plan.register
def _(act: CopyBlock, layout: Layout) -> Plan:
    moves, groups = copy_block(layout, act)
    where = "" if act.direction is None else f", {act.direction}, {number(act.spacing)} {layout.frame.unit} apart"
    words = f"copy_block {act.source} onto {_names(act.onto)}{where}"
    return Plan(words, moves, note=_tracks_left(layout, [n for g in groups for n in g]), groups=groups)


def _tracks_left(layout: Layout, names: Sequence[str]) -> str:
    """How many tracks end at the pads of what moves: they stay."""
    if layout.fixtures is None or not names:
        return ""
    pads = [port for name in names for port in layout[name].ports if port.net]
    count = 0
    if pads:
        tree = STRtree([port.shape for port in pads])
        for track in layout.fixtures(box_of(layout, names)):
            if track.kind == "track" and track.net and track.ends:
                met: list[int] = tree.query([Point(end) for end in track.ends], "intersects")[1].tolist()
                count += any(pads[i].net == track.net for i in met)
    if count == 1:
        return "1 track ends at its pads and stays where it is"
    return f"{count} tracks end at its pads and stay where they are" if count else ""


@_plan.register
def _(act: MoveToEdge, layout: Layout) -> Plan:
    gap = f"{number(act.clearance)} {layout.frame.unit} from" if act.clearance else "touching"
    words = f"move_to_edge {act.ref} {gap} the {act.edge} edge" + (", in the middle of it" if act.center else "")
    axis, _ = way(layout, act.edge)
    constraint = Constraint(words, act.ref, None, (axis,))
    return Plan(words, move_to_edge(layout, act.ref, act.edge, act.clearance, center=act.center), (constraint,))


EFFORT = 0.1
"""Deterministic seconds: about one of the clock in each window, so that one may wait for it."""


def legalized(
    layout: Layout, refs: Sequence[str], clearance: float, constraints: Sequence[Constraint]
) -> tuple[tuple[Move, ...], str]:
    """Moves after which nothing that was named collides, and what is to be said of them.

    Raises:
        InfeasibleError: nothing satisfies this; names an irreducible set of the demands. BriefError: an unknown part.
    """
    from redraft.studios.board.solve.legalize import Demands, legalize  # OR-tools takes a while to load

    if not layout.frame.solid:
        found = legalize(layout, refs or None, gap=clearance, effort=EFFORT)
        return found.moves, found.note
    from redraft.studios.board.solve.legalize import legalize_board

    found = legalize_board(layout, refs, Demands(gap=clearance, effort=EFFORT, constraints=tuple(constraints)))
    return found.moves, found.note
