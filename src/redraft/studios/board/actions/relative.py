"""Actions that put parts at a place: beside another part, at a point, at an edge, one step on, or in exchange."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from redraft.layout.items import Layout, Move, Port
from redraft.studios.board.actions.base import BoardAction, several
from redraft.studios.board.actions.fields import BESIDE, Along, Angle, Length, Measured, Ref, Refs, Side
from redraft.studios.board.actions.measure import (
    FAR,
    NM,
    Figure,
    Reading,
    apart,
    center,
    distance_of,
    edge_gap,
    figures_of,
    middle_of,
    pads_of,
    pitch_figure,
    shape_of,
    side_gaps,
    span,
)
from redraft.studios.board.actions.moves import rotate
from redraft.studios.board.actions.plans import ALONE, Plan, Search, written
from redraft.studios.board.place.blocks import target_box, with_members
from redraft.studios.board.solve import free_places
from redraft.studios.board.solve.arguments import known, movable, shifts, shortlist, target_of, way
from redraft.studios.board.solve.constraints import Constraint
from redraft.studios.board.solve.relative import move_to_edge, placed_relative

if TYPE_CHECKING:
    from redraft.studios.board.spec import Carried


class PlaceRelative(BoardAction):
    """Put a part at a side of another one, or of one of its pads, exactly `clearance` away."""

    action: Literal["place_relative"] = "place_relative"
    ref: Ref
    target: Ref
    """A part ("U1"), or a pad ("U1.4"): then the distance is from that pad to the nearest pad of `ref`."""
    side: Side = "right"
    clearance: Length = 0.5
    align: Along = "center"
    measure: Measured = "courtyard"
    rotation: Angle | None = None
    """Turn it to so many degrees first; as it lies when left out."""

    sets_places: ClassVar[bool | None] = True

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        turn = () if self.rotation is None else rotate(layout, (self.ref,), to=self.rotation)
        layout = layout.moved(turn) if turn else layout
        placed = placed_relative(layout, self.ref, self.target, self.side, self.clearance, self.align, self.measure)
        owner, pads = target_of(layout, self.target)
        axis, positive = way(layout, self.side)

        measure, level = ("pad", "level with the pad") if pads else (self.measure, self.align)
        gap = f"{written(self.clearance)} {layout.frame.unit}"
        words = f"place_relative {self.ref} {gap} {BESIDE[self.side]} {self.target} ({measure}, {level})"
        if self.rotation is not None:
            words += f", turned to {written(self.rotation)}°"
        note = _facing(layout, self.ref, owner, *placed.pads) if placed.pads else ""
        constraint = Constraint(words, self.ref, owner, (0, 1))
        return Plan(words, (*turn, *placed.moves), (constraint,), note, line=(axis, 1 if positive else -1))

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        measure = self.measure if self.target in layout else "pad"
        theirs, mine = shape_of(layout, self.target, measure), shape_of(layout, self.ref, measure)
        named = () if self.target in layout else pads_of(layout, self.target, "pad")
        nearest = ""
        if measure == "pad" and layout[self.ref].ports:
            mine = min((port.shape for port in layout[self.ref].ports), key=theirs.distance)
            if len(named) > 1:  # of several pads of one name the nearest counts
                pad = min(named, key=lambda port: port.shape.distance(mine))
                theirs, nearest = pad.shape, f", the nearest at ({written(pad.at[0])}, {written(pad.at[1])})"

        # Shapes that are meant to overlap have no distance; there the boxes are measured along the side.
        along, across = side_gaps(mine.bounds, theirs.bounds, self.side)
        overlaps = self.clearance < 0 and not carried.limited
        gap = along if overlaps else distance_of(layout, self.ref, self.target, measure)
        beside = overlaps or (along >= -NM and (carried.at_most is not None or across <= max(along, 0.0) + NM))

        axis = 0 if self.side in {"left", "right"} else 1
        pitch = abs(center(mine.bounds, axis) - center(theirs.bounds, axis))
        figures = [*figures_of(carried, self.clearance, (gap,))]
        if self.rotation is not None:
            figures.append(Figure(self.rotation, (layout[self.ref].rotation,), angle=True))
        return Reading(
            f"{written(gap)} mm, {measure} to {measure}{nearest}",
            (*figures, *pitch_figure((pitch,))),
            () if beside else (f"{self.ref} is not {BESIDE[self.side]} {self.target}",),
        )

    def alternatives(self, layout: Layout) -> str:
        return free_places.alternatives(layout, self)


def _facing(layout: Layout, ref: str, owner: str, mine: Port, target: Port) -> str:
    """Say which pad faces the target, and how to turn the part if another one is on the target's net."""
    note = f"{_pad(ref, mine)} faces {_pad(owner, target)}"
    if (many := len(layout[owner].ports_named(target.name))) > 1:
        note += f", the nearest of {many} pads of this name, at ({written(target.at[0])}, {written(target.at[1])})"
    on_net = [port for port in layout[ref].ports if target.net and port.net == target.net]
    if on_net and mine.net != target.net:
        # The counterclockwise quarter turns that bring this pad to about where the facing one is.
        ports = layout[ref].ports
        x, y = (sum(port.at[axis] for port in ports) / len(ports) for axis in (0, 1))
        start, end = on_net[0], layout[ref].ports_named(mine.name)[0]
        one, other = (math.atan2(y - port.at[1], port.at[0] - x) for port in (start, end))
        turn = 90 * (round((other - one) / (math.pi / 2)) % 4)
        note += f"; to bring {_pad(ref, start)} there, rotate {ref}{f' by {turn} degrees' if turn else ''} first"
    return note


def _pad(ref: str, port: Port) -> str:
    return f"{ref}.{port.name}" + (f" ({port.net})" if port.net else "")


class PlaceComponent(BoardAction):
    """Put the middle of a part's box at a point; turn it first, if a rotation is given."""

    action: Literal["place_component"] = "place_component"
    ref: Ref
    x: Length
    y: Length
    rotation: Angle | None = None

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        words = f"place_component {self.ref} at ({written(self.x)}, {written(self.y)}) {layout.frame.unit}"
        turn: tuple[Move, ...] = ()
        if self.rotation is not None:
            words += f", turned to {written(self.rotation)}°"
            turn = rotate(layout, (self.ref,), to=self.rotation)
        known(layout, (self.ref,))
        movable(layout, (self.ref,), "place_component")
        x, y = middle_of(layout.moved(turn) if turn else layout, self.ref)
        return Plan(words, (*turn, *shifts(layout, [(self.ref, (self.x - x, self.y - y))], "place_component")))

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        x, y = middle_of(layout, self.ref)
        figures = [Figure(self.x, (x,)), Figure(self.y, (y,))]
        if self.rotation is not None:
            figures.append(Figure(self.rotation, (layout[self.ref].rotation,), angle=True))
        return Reading(f"at ({written(x)}, {written(y)})", tuple(figures))


class MoveBy(BoardAction):
    """Shift parts by a distance along each axis."""

    action: Literal["move_by"] = "move_by"
    refs: Refs
    dx: Length = 0.0
    dy: Length = 0.0

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        names = known(layout, with_members(layout, self.refs))
        movable(layout, names, "move_by")
        words = f"move_by {shortlist(self.refs, 12)} by ({written(self.dx)}, {written(self.dy)}) {layout.frame.unit}"
        return Plan(words, shifts(layout, [(name, (self.dx, self.dy)) for name in names], "move_by"))

    def check_names(self, layout: Layout) -> None:
        for name in self.refs:
            target_box(layout, name)

    def compared(self, layout: Layout) -> Sequence[str]:
        return self.parts(layout, {})

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        steps = [tuple(middle_of(layout, ref)[axis] - was[axis] for ref, was in carried.was.items()) for axis in (0, 1)]
        figures = (Figure(self.dx, steps[0], unsigned=True), Figure(self.dy, steps[1], unsigned=True))
        return Reading(f"by ({span(steps[0], '')}, {span(steps[1], '')}) mm", figures)


class Swap(BoardAction):
    """Exchange the places of two parts (of the middles of their boxes)."""

    action: Literal["swap"] = "swap"
    ref: Ref
    other: Ref

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        names = several(layout, (self.ref, self.other), "swap")
        movable(layout, names, "swap")
        (x, y), (u, v) = (middle_of(layout, name) for name in names)
        dx, dy = u - x, v - y
        moves = shifts(layout, [(self.ref, (dx, dy)), (self.other, (-dx, -dy))], "swap")
        return Plan(f"swap {self.ref} and {self.other}", moves)

    def compared(self, layout: Layout) -> Sequence[str]:
        return self.parts(layout, {})

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        goals = {self.ref: carried.was[self.other], self.other: carried.was[self.ref]}
        off = [ref for ref, goal in goals.items() if apart(middle_of(layout, ref), goal) > NM]
        return Reading("have changed places", violations=tuple(f"{ref} is not where the other one was" for ref in off))


class MoveToEdge(BoardAction):
    """Bring a part to the edge of the board: its box touches the edge, or keeps `clearance` from it."""

    action: Literal["move_to_edge"] = "move_to_edge"
    ref: Ref
    edge: Side
    clearance: Length = 0.0
    center: bool = False
    """In the middle of that edge; at the part's own place along it otherwise."""

    def plan(self, layout: Layout, search: Search = ALONE) -> Plan:
        gap = f"{written(self.clearance)} {layout.frame.unit} from" if self.clearance else "touching"
        words = f"move_to_edge {self.ref} {gap} the {self.edge} edge" + (", in the middle of it" if self.center else "")
        constraint = Constraint(words, self.ref, None, (way(layout, self.edge)[0],))
        moves = move_to_edge(layout, self.ref, self.edge, self.clearance, center=self.center)
        return Plan(words, moves, (constraint,))

    def measured(self, layout: Layout, carried: Carried) -> Reading:
        gap = edge_gap(layout, self.ref, self.edge)
        if gap >= FAR:
            where = f"at no {self.edge} edge"
            return Reading(where, violations=(f"{self.ref} is {where}",))
        violations: list[str] = []
        if self.center and layout.area is not None:
            axis = 0 if self.edge in {"top", "bottom"} else 1
            off = abs(middle_of(layout, self.ref)[axis] - center(layout.area.bounds, axis))
            if off > NM:
                violations.append(f"{self.ref} is {written(off)} mm off the middle of the {self.edge} edge")
        figures = figures_of(carried, self.clearance, (gap,))
        return Reading(f"{written(gap)} mm from the {self.edge} edge", figures, tuple(violations))
