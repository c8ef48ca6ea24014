"""A part at a side of another one, or of one of its pads, exactly so far away.

Between boxes the distance is exact to the quantum. Turned and round shapes slide along the axis until their clear
distance is what was asked, rounded up to the quantum: never less, and less than one quantum more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from redraft.errors import BriefError
from redraft.spatial.layout import Bounds, Item, Layout, Move, Port
from redraft.spatial.solver.problem import Axis
from redraft.spatial.solver.refs import known, movable, target_of
from redraft.spatial.solver.slide import Outline, travel
from redraft.spatial.solver.steps import Alignment, Side, finite, line, outward, vector, way, whole

__all__ = ["Measure", "Placed", "place_relative", "placed_relative"]

Measure = Literal["courtyard", "body", "pad"]

FACES = 32
"""Pads that are tried as the one that faces the target: a side of a large part has about so many in its first row."""


@dataclass(frozen=True)
class Placed:
    """What places a part, and between which pads the distance is, where the target is a pad."""

    moves: tuple[Move, ...]
    pads: tuple[Port, Port] | None = None
    """Of the part, where it will be, and the target."""


@dataclass(frozen=True)
class _Way:
    """From the target to the part: an axis, and the side of it."""

    layout: Layout
    axis: Axis
    positive: bool
    clearance: float

    @property
    def across(self) -> Axis:
        return 0 if self.axis else 1

    @property
    def sign(self) -> int:
        """Of the direction in which the part comes from afar: against the side."""
        return -1 if self.positive else 1

    def step(self, mine: Outline, theirs: Outline) -> float:
        """The shift along the axis after which the two are so far apart."""
        far = travel(mine, theirs, self.axis, self.sign, max(self.clearance, 0.0))
        if far is None:  # they would pass each other: their boxes decide
            a, b = mine.box, theirs.box
            far = b[self.axis + 2] - a[self.axis] if self.positive else b[self.axis] - a[self.axis + 2]
            far -= self.sign * max(self.clearance, 0.0)
        return outward(self.layout, float(far) + self.sign * max(-self.clearance, 0.0), self.sign)

    def shift(self, step: float, across: float) -> tuple[float, float]:
        return vector(self.axis, step, across)


def place_relative(
    layout: Layout,
    ref: str,
    target: str,
    side: Side = "right",
    clearance: float = 0.5,
    align: Alignment = "center",
    measure: Measure = "courtyard",
) -> tuple[Move, ...]:
    """Put an item at a side of another one, or of a pad (`U1.4`), `clearance` units away, edge to edge.

    In a solid frame the distance is that of the true shapes: the rooms that parts claim, the parts themselves, or
    their pads, as `measure` says; in others that of their boxes. Across the side the items' boxes are aligned.
    A target pad is always measured pad to pad: the pad of `ref` that then faces it is level with it.
    A negative clearance overlaps by so much.

    Raises:
        BriefError: an unknown item, pad or side, a clearance that is no number, no pads to measure between.
        InfeasibleError: the item is locked.
    """
    return placed_relative(layout, ref, target, side, clearance, align, measure).moves


def placed_relative(
    layout: Layout, ref: str, target: str, side: Side, clearance: float, align: Alignment, measure: Measure
) -> Placed:
    """As `place_relative`, and between which pads."""
    known(layout, (ref,))
    owner, pads = target_of(layout, target)
    if ref == owner:
        raise BriefError(f"{ref} cannot be placed relative to itself")
    movable(layout, (ref,), "place_relative")
    finite("clearance", clearance)
    way_ = _Way(layout, *way(layout, side), clearance)
    if pads:
        return _at_pad(way_, layout[ref], _nearest(layout, ref, pads), f"place_relative {side} of {target}")
    mine, theirs = (_outline(layout, name, measure) for name in (ref, owner))
    box, other = layout.bounds(ref), layout.bounds(owner)
    level = whole(layout, line(other, way_.across, align) - line(box, way_.across, align))
    step = way_.step(mine.shifted(*way_.shift(0.0, level)), theirs)
    return Placed(_move(layout, ref, way_.shift(step, level), f"place_relative {side} of {target}"))


def _move(layout: Layout, ref: str, shift: tuple[float, float], reason: str) -> tuple[Move, ...]:
    return (Move.shift(ref, *shift, reason),) if any(shift) else ()


def _outline(layout: Layout, name: str, measure: Measure) -> Outline:
    if measure == "pad":
        return Outline.of_ports(_ports(layout[name]))
    if not layout.frame.solid:
        return Outline.of_box(layout.bounds(name))
    body = layout[name].body
    return Outline.of(body if measure == "body" and body is not None else layout.whole(name))


def _ports(item: Item) -> tuple[Port, ...]:
    if not item.ports:
        raise BriefError(f"{item.name} has no pads to measure from; measure by 'courtyard' or 'body'")
    return item.ports


def _nearest(layout: Layout, ref: str, pads: tuple[Port, ...]) -> Port:
    """Of several pads of one name the one that is nearest to the part as it lies."""
    x0, y0, x1, y1 = layout.bounds(ref)
    return min(pads, key=lambda p: abs(p.at[0] - (x0 + x1) / 2) + abs(p.at[1] - (y0 + y1) / 2))


@dataclass(frozen=True)
class _Facing:
    """A pad of the part, level with the target: what that takes, and by how much another pad is nearer."""

    port: Port
    shift: tuple[float, float]
    behind: float


def _at_pad(way_: _Way, item: Item, target: Port, reason: str) -> Placed:
    """The pads of one net towards each other where they can be, else those that face each other."""
    every = _ports(item)
    outline, goal = Outline.of_ports(every), Outline.of_ports((target,))
    choices = [_facing(way_, outline, goal, port, target) for port in _foremost(way_, every)]
    quantum = way_.layout.frame.quantum
    facing = [c for c in choices if c.behind <= quantum] or [min(choices, key=lambda c: c.behind)]
    chosen = min(facing, key=_preferred(target))
    port = _shifted(chosen.port, chosen.shift)
    return Placed(_move(way_.layout, item.name, chosen.shift, reason), (port, target))


def _preferred(target: Port) -> Callable[[_Facing], tuple[bool, float]]:
    def key(choice: _Facing) -> tuple[bool, float]:
        same = bool(target.net) and choice.port.net == target.net
        return (not same, abs(choice.shift[0]) + abs(choice.shift[1]))

    return key


def _foremost(way_: _Way, every: tuple[Port, ...]) -> list[Port]:
    """The pads that lie furthest towards the target: those behind them cannot face it."""

    def front(port: Port) -> float:
        x0, y0, x1, y1 = port.core.bounds
        return -way_.sign * (x0, y0, x1, y1)[way_.axis + (2 if way_.sign > 0 else 0)] - port.radius

    return sorted(every, key=front)[:FACES]


def _facing(way_: _Way, outline: Outline, goal: Outline, port: Port, target: Port) -> _Facing:
    level = whole(way_.layout, _middle(target, way_.across) - _middle(port, way_.across))
    step = way_.step(outline.shifted(*way_.shift(0.0, level)), goal)
    shift = way_.shift(step, level)
    behind = _shifted(port, shift).distance(target) - max(way_.clearance, 0.0)
    return _Facing(port, shift, behind)


def _middle(port: Port, axis: Axis) -> float:
    x0, y0, x1, y1 = port.core.bounds
    box: Bounds = (x0, y0, x1, y1)
    return line(box, axis, "center")


def _shifted(port: Port, shift: tuple[float, float]) -> Port:
    from shapely.affinity import translate

    at = (port.at[0] + shift[0], port.at[1] + shift[1])
    return replace(port, at=at, core=translate(port.core, *shift))
