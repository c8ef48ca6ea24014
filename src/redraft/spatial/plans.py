"""What each action comes to on a layout: moves, words with numbers, and what later legalising has to keep.

Nothing is changed here; `workspace.Workspace.do` carries a plan out, or refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from itertools import pairwise

from redraft.spatial.actions import (
    Action,
    Align,
    ClusterAround,
    Distribute,
    Flip,
    Legalise,
    Lock,
    MoveBy,
    MoveToEdge,
    PlaceComponent,
    PlaceRelative,
    Rotate,
    Stack,
    Swap,
)
from redraft.spatial.cluster import cluster_around
from redraft.spatial.free_place import Line
from redraft.spatial.layout import Layout, Move, Port
from redraft.spatial.solver import actions as boxes
from redraft.spatial.solver.edges import move_to_edge
from redraft.spatial.solver.problem import Axis
from redraft.spatial.solver.refs import known, target_of
from redraft.spatial.solver.relative import placed_relative
from redraft.spatial.solver.steps import axis_of, way
from redraft.spatial.solver.ties import Tie
from redraft.spatial.solver.turning import flip, rotate
from redraft.spatial.tidying import tidy

__all__ = ["Plan", "number", "plan"]


@dataclass(frozen=True)
class Plan:
    """What an action comes to."""

    words: str
    moves: tuple[Move, ...] = ()
    ties: tuple[Tie, ...] = ()
    """What it sets, for later legalising."""
    note: str = ""
    line: Line | None = None
    """Along which a single part may give way without leaving what was asked."""
    locks: Mapping[str, bool] = field(default_factory=dict[str, bool])


def plan(layout: Layout, action: Action, ties: Callable[[], Sequence[Tie]] = tuple[Tie, ...]) -> Plan:
    """What the action would do. `ties` gives those that the actions before it set.

    Raises:
        BriefError: an unknown part or pad, arguments that make no sense. InfeasibleError: it cannot be done.
    """
    if isinstance(action, Legalise):
        return _legalise(layout, action, ties())
    return _plan(action, layout)


@singledispatch
def _plan(action: object, layout: Layout) -> Plan:
    raise TypeError(f"no action: {action!r}")


@_plan.register
def _(act: MoveBy, layout: Layout) -> Plan:
    words = f"move_by {_names(act.refs)} by ({number(act.dx)}, {number(act.dy)}) {layout.frame.unit}"
    return Plan(words, boxes.move_by(layout, act.refs, act.dx, act.dy))


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
    return Plan(words, locks=dict.fromkeys(known(layout, act.refs), act.locked))


def _legalise(layout: Layout, act: Legalise, ties: Sequence[Tie]) -> Plan:
    moves, note = tidy(layout, act.refs, act.clearance, ties)
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
    placed = placed_relative(layout, act.ref, act.target, act.side, act.clearance, act.align, act.measure)
    owner, pads = target_of(layout, act.target)
    axis, positive = way(layout, act.side)
    measure = "pad" if pads else act.measure
    words = (
        f"place_relative {act.ref} {number(act.clearance)} {layout.frame.unit} {_SIDES[act.side]} {act.target} "
        f"({measure}, {'level with the pad' if pads else act.align})"
    )
    tie = Tie(words, act.ref, owner, (0, 1))
    note = _facing(layout, act.ref, owner, placed.pads) if placed.pads else ""
    return Plan(words, placed.moves, (tie,), note, (axis, 1 if positive else -1))


def _facing(layout: Layout, ref: str, owner: str, pads: tuple[Port, Port]) -> str:
    """Which pad faces the target, and which would be on its net."""
    mine, target = pads
    said = f"{_pad(ref, mine)} faces {_pad(owner, target)}"
    nets = [port for port in layout[ref].ports if target.net and port.net == target.net]
    if nets and mine.net != target.net:
        said += f"; to bring {_pad(ref, nets[0])} there, rotate {ref} first"
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
    ties = _ties(layout, act.refs, words, (1,) if act.axis == "x" else (0,))
    return Plan(words, boxes.align(layout, act.refs, act.axis, act.edge), ties)


@_plan.register
def _(act: Distribute, layout: Layout) -> Plan:
    along = boxes.spread(layout, act.refs) if act.axis is None else axis_of(act.axis)
    gap = "evenly" if act.spacing is None else f"{number(act.spacing)} {layout.frame.unit} apart"
    words = f"distribute {_names(act.refs)} along {'xy'[along]} {gap}"
    moves = boxes.distribute(layout, act.refs, act.spacing, "y" if along else "x")
    return Plan(words, moves, _ties(layout, act.refs, words, (along,)))


@_plan.register
def _(act: Stack, layout: Layout) -> Plan:
    words = f"stack {_names(act.refs)} {act.direction}, {number(act.spacing)} {layout.frame.unit} apart"
    moves = boxes.stack(layout, act.refs, act.direction, act.spacing)
    return Plan(words, moves, _ties(layout, act.refs, words, (0, 1)))


def _ties(layout: Layout, refs: Sequence[str], words: str, axes: tuple[Axis, ...]) -> tuple[Tie, ...]:
    """Each to the one before it."""
    return tuple(Tie(words, b, a, axes) for a, b in pairwise(known(layout, refs)))


@_plan.register
def _(act: ClusterAround, layout: Layout) -> Plan:
    where = f" {_SIDES[act.side]} it" if act.side else ""
    words = (
        f"cluster_around {_names(act.refs)} around {act.target}{where}, "
        f"{number(act.clearance)} {layout.frame.unit} from all others"
    )
    return Plan(words, cluster_around(layout, act.refs, act.target, act.clearance, act.side))


@_plan.register
def _(act: MoveToEdge, layout: Layout) -> Plan:
    gap = f"{number(act.clearance)} {layout.frame.unit} from" if act.clearance else "touching"
    words = f"move_to_edge {act.ref} {gap} the {act.edge} edge" + (", in the middle of it" if act.center else "")
    axis, _ = way(layout, act.edge)
    tie = Tie(words, act.ref, None, (axis,))
    return Plan(words, move_to_edge(layout, act.ref, act.edge, act.clearance, center=act.center), (tie,))
