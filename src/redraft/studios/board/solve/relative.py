"""A component placed at a side of another one, of one of its pads, or at the edge of the board, at an exact distance.

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
from shapely.affinity import translate
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Item, Layout, Move, Port
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

MAX_FACING = 32
"""Pads that are tried as the one that faces the target: a side of a large component has about so many in its first
row."""


@dataclass(frozen=True)
class Placed:
    """The moves that place a component, and the pads between which the distance is, where the target is a pad."""

    moves: tuple[Move, ...]
    pads: tuple[Port, Port] | None = None
    """The pad of the component, where it will be, and that of the target."""


@dataclass(frozen=True)
class _Approach:
    """The way from the target to the component: an axis, and the side of it."""

    layout: Layout
    axis: Axis
    positive: bool
    clearance: float

    @property
    def across(self) -> Axis:
        """The other axis."""
        return 0 if self.axis else 1

    @property
    def sign(self) -> int:
        """Sign of the direction from which the component approaches: against the side."""
        return -1 if self.positive else 1

    def step(self, mine: Outline, theirs: Outline) -> float:
        """Return the shift along the axis after which the two are so far apart."""
        far = travel(mine, theirs, self.axis, self.sign, max(self.clearance, 0.0))
        if far is None:  # they would pass each other: their boxes decide
            a, b = mine.box, theirs.box
            far = b[self.axis + 2] - a[self.axis] if self.positive else b[self.axis] - a[self.axis + 2]
            far -= self.sign * max(self.clearance, 0.0)
        return outward(self.layout, float(far) + self.sign * max(-self.clearance, 0.0), self.sign)

    def shift(self, step: float, across: float) -> tuple[float, float]:
        """Return a shift along the axis and across it as x and y."""
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
    """Return the moves of `place_relative`, and the pads between which the distance is measured."""
    known(layout, (ref,))
    owner, pads = target_of(layout, target)
    if ref == owner:
        raise BriefError(f"{ref} cannot be placed relative to itself")
    movable(layout, (ref,), "place_relative")
    finite("clearance", clearance)
    approach = _Approach(layout, *way(layout, side), clearance)
    reason = f"place_relative {side} of {target}"
    box, other = layout.bounds(ref), layout.bounds(owner)
    if pads:
        # Of several pads of one name the nearest to the component as it lies.
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        nearest = min(pads, key=lambda p: abs(p.at[0] - middle[0]) + abs(p.at[1] - middle[1]))
        return _at_pad(approach, layout[ref], pads, nearest, reason)

    def outline(name: str) -> Outline:
        if measure == "pad":
            return Outline.of_ports(_ports(layout[name]))
        if not layout.frame.solid:
            return Outline.of_box(layout.bounds(name))
        body = layout[name].body
        return Outline.of(body if measure == "body" and body is not None else layout.whole(name))

    mine, theirs = outline(ref), outline(owner)
    level = whole(layout, line(other, approach.across, align) - line(box, approach.across, align))
    step = approach.step(mine.shifted(*approach.shift(0.0, level)), theirs)
    return Placed(_move(ref, approach.shift(step, level), reason))


def _move(ref: str, shift: tuple[float, float], reason: str) -> tuple[Move, ...]:
    return (Move.shift(ref, *shift, reason),) if any(shift) else ()


def _ports(item: Item) -> tuple[Port, ...]:
    if not item.ports:
        raise BriefError(f"{item.name} has no pads to measure from; measure by 'courtyard' or 'body'")
    return item.ports


@dataclass(frozen=True)
class _Facing:
    """A pad of the component, level with the target: the shift to there, and by how much another pad is nearer."""

    port: Port
    shift: tuple[float, float]
    behind: float


def _at_pad(approach: _Approach, item: Item, targets: tuple[Port, ...], target: Port, reason: str) -> Placed:
    """Place pads of one net towards each other where they can be, else those that face each other."""
    ports = _ports(item)
    outline, goal = Outline.of_ports(ports), Outline.of_ports(targets)

    def front(port: Port) -> float:
        x0, y0, x1, y1 = port.core.bounds
        return -approach.sign * (x0, y0, x1, y1)[approach.axis + (2 if approach.sign > 0 else 0)] - port.radius

    def facing(port: Port) -> _Facing:
        level = whole(approach.layout, _middle(target, approach.across) - _middle(port, approach.across))
        step = approach.step(outline.shifted(*approach.shift(0.0, level)), goal)
        shift = approach.shift(step, level)
        behind = min(map(_shifted(port, shift).distance, targets)) - max(approach.clearance, 0.0)
        return _Facing(port, shift, behind)

    # Pads that lie behind the foremost ones cannot face the target.
    foremost = sorted(ports, key=front)[:MAX_FACING]
    on_net = [bool(target.net) and port.net == target.net for port in foremost]
    choices = dict[int, _Facing]()
    for same_net in (True, False):
        rows = [row for row, same in enumerate(on_net) if same is same_net]
        choices |= {row: facing(foremost[row]) for row in rows}
        able = [choices[row] for row in rows if choices[row].behind <= approach.layout.frame.quantum]
        if able:  # of their net: how the others would face the target does not matter
            chosen = min(able, key=lambda choice: abs(choice.shift[0]) + abs(choice.shift[1]))
            break
    else:
        chosen = choices[min(choices, key=lambda row: (choices[row].behind, row))]
    port = _shifted(chosen.port, chosen.shift)
    return Placed(_move(item.name, chosen.shift, reason), (port, min(targets, key=port.distance)))


def _middle(port: Port, axis: Axis) -> float:
    x0, y0, x1, y1 = port.core.bounds
    return line((x0, y0, x1, y1), axis, "center")


def _shifted(port: Port, shift: tuple[float, float]) -> Port:
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
    area = layout.area
    if area is None:
        if layout.frame.solid:
            raise BriefError(
                "The board has no closed outline, so that it has no edge to move to; draw one on Edge.Cuts"
            )
        area = box(*layout.frame.bounds)
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


def _rim(area: BaseGeometry, mine: Outline, axis: int, sign: int, clearance: float) -> Outline | None:
    """Return the outline as seen from outside in front of the item: of all edges, pieces that none other hides."""
    rings = [np.asarray(p.exterior.coords) for p in shapely.get_parts(area) if isinstance(p, Polygon)]
    edges = np.concatenate([np.stack([ring[:-1, :2], ring[1:, :2]], axis=1) for ring in rings])
    across = edges[:, :, 1 - axis]
    low = mine.box[1 - axis] - clearance
    high = mine.box[3 - axis] + clearance
    near = edges[(across.max(axis=1) >= low) & (across.min(axis=1) <= high) & (across[:, 0] != across[:, 1])]
    near = near[:, :, [1 - axis, axis]] * np.array([1.0, sign])

    # The highest edge over every stretch across.
    cuts = np.unique(np.clip(np.concatenate([near[:, :, 0].ravel(), [low, high]]), low, high))
    pieces: list[Numbers] = []
    for left, right in pairwise(cuts):
        middle = (left + right) / 2
        over = near[(near[:, :, 0].min(axis=1) <= middle) & (near[:, :, 0].max(axis=1) >= middle)]
        if len(over):
            top = over[np.argmax(_at(over, middle))]
            pieces.append(np.array([(x, _at(top[None], x)[0]) for x in (left, right)]))
    if not pieces:
        return None
    turned = (np.array(pieces) * np.array([1.0, sign]))[:, :, [1, 0] if axis == 0 else [0, 1]]
    points = turned.reshape(-1, 2)
    return Outline(points, turned, np.zeros(len(points)), np.zeros(len(turned)))


def _at(edges: Numbers, across: float) -> Numbers:
    """Return the places of edges along, at a place across."""
    (x0, y0), (x1, y1) = edges[:, 0].T, edges[:, 1].T
    return y0 + (y1 - y0) * (across - x0) / (x1 - x0)
