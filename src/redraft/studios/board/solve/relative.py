"""A part placed at a side of another one, of one of its pads, or at the edge of the board, at an exact distance.

Between boxes the distance is exact to the quantum. Turned and round shapes slide along the axis until their clear
distance is the requested one, rounded up to the quantum: never less, and less than one quantum more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Bounds, Item, Layout, Move, Port
from redraft.studios.board.solve.arguments import (
    Alignment,
    Side,
    finite,
    known,
    line,
    movable,
    outward,
    target_of,
    vector,
    way,
    whole,
)
from redraft.studios.board.solve.constraints import Axis
from redraft.studios.board.solve.contact import Outline, travel

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
        """Sign of the direction from which the part approaches: against the side."""
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
    A target pad is always measured pad to pad: the pad of `ref` that then faces it is level with it. Several pads of
    one name are one target: the distance is to the nearest of them.
    A negative clearance overlaps by so much.

    Raises:
        BriefError: an unknown item, pad or side, a clearance that is not a number, no pads to measure between.
        InfeasibleError: the item is locked.
    """
    return placed_relative(layout, ref, target, side, clearance, align, measure).moves


def placed_relative(
    layout: Layout, ref: str, target: str, side: Side, clearance: float, align: Alignment, measure: Measure
) -> Placed:
    """As `place_relative`, with the pads between which the distance is measured."""
    known(layout, (ref,))
    owner, pads = target_of(layout, target)
    if ref == owner:
        raise BriefError(f"{ref} cannot be placed relative to itself")
    movable(layout, (ref,), "place_relative")
    finite("clearance", clearance)
    way_ = _Way(layout, *way(layout, side), clearance)
    if pads:
        level_with = _nearest(layout, ref, pads)
        return _at_pad(way_, layout[ref], pads, level_with, f"place_relative {side} of {target}")
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


def _at_pad(way_: _Way, item: Item, targets: tuple[Port, ...], target: Port, reason: str) -> Placed:
    """The pads of one net towards each other where they can be, else those that face each other."""
    every = _ports(item)
    outline, goal = Outline.of_ports(every), Outline.of_ports(targets)
    foremost = _foremost(way_, every)
    on_net = [bool(target.net) and port.net == target.net for port in foremost]
    quantum = way_.layout.frame.quantum
    choices = dict[int, _Facing]()
    for wanted in (True, False):
        rows = [row for row, same in enumerate(on_net) if same is wanted]
        choices |= {row: _facing(way_, outline, goal, foremost[row], targets, target) for row in rows}
        facing = [choices[row] for row in rows if choices[row].behind <= quantum]
        if facing:  # of their net: how the others would face the target does not matter
            chosen = min(facing, key=_way_length)
            break
    else:
        chosen = choices[min(choices, key=lambda row: (choices[row].behind, row))]
    port = _shifted(chosen.port, chosen.shift)
    return Placed(_move(way_.layout, item.name, chosen.shift, reason), (port, min(targets, key=port.distance)))


def _way_length(choice: _Facing) -> float:
    return abs(choice.shift[0]) + abs(choice.shift[1])


def _foremost(way_: _Way, every: tuple[Port, ...]) -> list[Port]:
    """The pads that lie furthest towards the target: those behind them cannot face it."""

    def front(port: Port) -> float:
        x0, y0, x1, y1 = port.core.bounds
        return -way_.sign * (x0, y0, x1, y1)[way_.axis + (2 if way_.sign > 0 else 0)] - port.radius

    return sorted(every, key=front)[:FACES]


def _facing(
    way_: _Way, outline: Outline, goal: Outline, port: Port, targets: tuple[Port, ...], target: Port
) -> _Facing:
    level = whole(way_.layout, _middle(target, way_.across) - _middle(port, way_.across))
    step = way_.step(outline.shifted(*way_.shift(0.0, level)), goal)
    shift = way_.shift(step, level)
    behind = min(map(_shifted(port, shift).distance, targets)) - max(way_.clearance, 0.0)
    return _Facing(port, shift, behind)


def _middle(port: Port, axis: Axis) -> float:
    x0, y0, x1, y1 = port.core.bounds
    box: Bounds = (x0, y0, x1, y1)
    return line(box, axis, "center")


def _shifted(port: Port, shift: tuple[float, float]) -> Port:
    from shapely.affinity import translate

    at = (port.at[0] + shift[0], port.at[1] + shift[1])
    return replace(port, at=at, core=translate(port.core, *shift))


Numbers = NDArray[np.float64]


def move_to_edge(
    layout: Layout, ref: str, edge: Side, clearance: float = 0.0, *, center: bool = False
) -> tuple[Move, ...]:
    """Bring an item to an edge of the area: its box touches the edge from inside, or keeps `clearance` from it.

    The edge is the outline as seen from that side, at the item's own place along it, or at the area's middle.
    Without an area, a drawing's frame is the edge.

    Raises:
        BriefError: an unknown item or side, or a board without an outline. InfeasibleError: the item is locked, or
            the edge does not reach to where it is.
    """
    known(layout, (ref,))
    movable(layout, (ref,), "move_to_edge")
    finite("clearance", clearance)
    area = _area(layout)
    axis, positive = way(layout, edge)
    across, sign = (0 if axis else 1), (1 if positive else -1)
    bounds = layout.bounds(ref)
    x0, y0, x1, y1 = area.bounds
    level = whole(layout, line((x0, y0, x1, y1), across, "center") - line(bounds, across, "center")) if center else 0.0
    mine = Outline.of_box(bounds).shifted(*vector(axis, 0.0, level))
    rim = _rim(area, mine, axis, sign, max(clearance, 0.0))
    far = None if rim is None else travel(mine, rim, axis, sign, max(clearance, 0.0))
    if far is None:
        raise InfeasibleError(
            f"move_to_edge: the board has no {edge} edge where {ref} is; center=true takes the middle of the edge",
            (f"{ref} keeps its place along the {edge} edge", "the outline does not reach there"),
        )
    step = outward(layout, far + sign * max(-clearance, 0.0), sign)
    return (Move.shift(ref, *vector(axis, step, level), f"move_to_edge {edge}"),) if step or level else ()


def _area(layout: Layout) -> BaseGeometry:
    if layout.area is not None:
        return layout.area
    if layout.frame.solid:
        raise BriefError("The board has no closed outline, so that it has no edge to move to; draw one on Edge.Cuts")
    return box(*layout.frame.bounds)


def _rim(area: BaseGeometry, mine: Outline, axis: int, sign: int, clearance: float) -> Outline | None:
    """The outline as seen from outside in front of the item: of all edges, pieces that none other hides."""
    rings = [np.asarray(p.exterior.coords) for p in shapely.get_parts(area) if isinstance(p, Polygon)]
    edges = np.concatenate([np.stack([ring[:-1, :2], ring[1:, :2]], axis=1) for ring in rings])
    across = edges[:, :, 1 - axis]
    low = mine.box[1 - axis] - clearance
    high = mine.box[3 - axis] + clearance
    near = edges[(across.max(axis=1) >= low) & (across.min(axis=1) <= high) & (across[:, 0] != across[:, 1])]
    pieces = _envelope(near[:, :, [1 - axis, axis]] * np.array([1.0, sign]), low, high)
    if not len(pieces):
        return None
    turned = (pieces * np.array([1.0, sign]))[:, :, [1, 0] if axis == 0 else [0, 1]]
    points = turned.reshape(-1, 2)
    return Outline(points, turned, np.zeros(len(points)), np.zeros(len(turned)))


def _envelope(edges: Numbers, low: float, high: float) -> Numbers:
    """The highest of some edges (each two points, across and along) over every stretch across, as edges."""
    cuts = np.unique(np.clip(np.concatenate([edges[:, :, 0].ravel(), [low, high]]), low, high))
    found: list[Numbers] = []
    for left, right in pairwise(cuts):
        middle = (left + right) / 2
        over = edges[(edges[:, :, 0].min(axis=1) <= middle) & (edges[:, :, 0].max(axis=1) >= middle)]
        if len(over):
            top = over[np.argmax(_at(over, middle))]
            found.append(np.array([(x, _at(top[None], x)[0]) for x in (left, right)]))
    return np.array(found).reshape(-1, 2, 2)


def _at(edges: Numbers, across: float) -> Numbers:
    """Where edges are along, at a place across."""
    (x0, y0), (x1, y1) = edges[:, 0].T, edges[:, 1].T
    return y0 + (y1 - y0) * (across - x0) / (x1 - x0)
