"""The placement problem as arrays: the states of every movable component, pins by net, and rectangles that exclude.

Lengths are whole micrometers held as floats, so that touching edges compare exactly. Rooms are rounded outward to
them; pins are rounded to the nearest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median_low
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import box, unary_union
from shapely.geometry.base import BaseGeometry

from redraft.errors import BriefError
from redraft.layout.items import Bounds, Item, Layout, Matrix, Move, Point, Port, bounds_of, transformed
from redraft.studios.board.solve.collisions import rooms
from redraft.studios.board.solve.obstacles import cover

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

MICRONS = 1000.0
"""Units of the arrays in a millimeter."""

FINE, COARSE = 12, 6
"""Strips at most that cover a room which is not a rectangle: of what stays, and of what moves."""

MAX_BOXES = 12
"""A component that moves and needs more boxes is covered by one."""

FULL = 0.85
"""A room that fills so much of its box counts as its box."""

HOLLOW = 0.5
"""Copper that fills less of its box leaves room for others in it."""

MANY_PINS = 40
"""A net of more pins counts a fraction: this number by its own."""

JOINED = 0.75
"""Through-hole pads nearer than twice this, in millimeters, claim the room between them on the other side too."""

FRONT, BACK, EDGE, COPPER, BAN, NO_PADS = 1, 2, 4, 8, 16, 64
"""Bits that say what a rectangle is, and what it may not meet. A ban on the back is `BAN << 1`, likewise `NO_PADS`."""

GAP = 0.6
"""Between components where there is room, in millimeters."""

ESCAPE, MAX_ESCAPE = 0.15, 4.0
"""Room around a component for each of the signals of a side, and all of it at most, in millimeters."""


@dataclass(frozen=True)
class Group:
    """Components that belong together: the box around their middles is kept small, as that of a net."""

    name: str
    members: tuple[str, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Anchor:
    """A wish for the place of one component.

    Kinds: `edge` (`where` is left, right, top or bottom), `corner` (`top left` …), `near` (`where` is a component, or
    a pad as `U1.4`), `apart` (from a component, by at least `distance`), `at` (`where` is a point). `distance` is in
    millimeters: of the component's middle from the edge, or the gap of `apart`. `weight` is that of a wire of the
    same length.
    """

    name: str
    kind: Literal["edge", "corner", "near", "apart", "at"]
    where: str | Point
    distance: float = 0.0
    weight: float = 1.0


@dataclass(frozen=True)
class Goal:
    """The wishes beside short wires. All of them are optional."""

    groups: tuple[Group, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    """Weights of nets, 1 by default; 0 leaves one out. Nets of more than 40 pins not named here count a fraction."""
    sides: Mapping[str, int] = field(default_factory=dict[str, int])
    """The layer that a component must lie on; by default it keeps its own."""
    turns: Mapping[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])
    """Rotations that a component may have, in degrees; by default its own and quarter turns from there."""


@dataclass(frozen=True)
class Body:
    """A component in one state, relative to its origin.

    `boxes`, (k, 4), are what it claims, `kinds` says what each box is and `against` what it may not meet; `pins`,
    (p, 2), are in the order of its rows; `room` is the box of its room on its own layer.
    """

    layer: int
    boxes: Floats
    kinds: Numbers
    against: Numbers
    pins: Floats
    room: Floats
    matrix: Matrix
    """Takes the item to this state about its origin, which stays."""
    flips: bool


@dataclass(frozen=True)
class Ties:
    """The nets of one component, the rows of all other pins on these by net, and its own pins by net."""

    nets: Numbers
    others: Numbers
    starts: Numbers
    order: Numbers
    """Its own pins, as places in `Body.pins`, sorted by net."""
    own: Numbers
    """Starts of each net in `order`."""
    weights: Floats


@dataclass(frozen=True)
class Pulls:
    """The boxes of nets without the component, (n, 4), and its ties, by which its pins are added."""

    boxes: Floats
    ties: Ties

    def reach(self, pins: Floats) -> Floats:
        """Return the box of its own pins in each net, about its origin, (n, 4)."""
        ties = self.ties
        sorted_pins = pins[ties.order]
        low, high = (f.reduceat(sorted_pins, ties.own, axis=0) for f in (np.minimum, np.maximum))
        return np.concatenate([low, high], axis=1)

    def along(self, axis: int, reach: Floats, at: Floats) -> Floats:
        """Return the length along an axis with the origin at each of many places, (m,)."""
        low, high = self.boxes[:, axis, None], self.boxes[:, axis + 2, None]
        mine, more = reach[:, axis, None], reach[:, axis + 2, None]
        lengths = np.maximum(high, at[None, :] + more) - np.minimum(low, at[None, :] + mine)
        return self.ties.weights[:, axis] @ lengths

    def cost(self, pins: Floats, at: Floats) -> float:
        """Return the weighted length of its nets with the origin at one place."""
        if not len(self.ties.nets):
            return 0.0
        reach = self.reach(pins)
        return float(sum(self.along(axis, reach, at[axis : axis + 1])[0] for axis in (0, 1)))


def ties_of(problem: Problem, c: int) -> Ties:
    """Return the ties of a component."""
    rows = problem.rows[c]
    net = np.searchsorted(problem.starts, rows, side="right") - 1
    order = np.argsort(net, kind="stable")
    nets, own = np.unique(net[order], return_index=True)
    others, starts = list[Numbers](), list[int]()
    total = 0
    for n in nets.tolist():
        pins = np.arange(int(problem.starts[n]), int(problem.starts[n + 1]))
        pins = pins[problem.owners[pins] != c]
        starts.append(total)
        others.append(pins)
        total += len(pins)
    flat = np.concatenate(others).astype(np.int64) if others else np.zeros(0, dtype=np.int64)
    return Ties(nets.astype(np.int64), flat, np.array(starts, dtype=np.int64), order, own, problem.weights[nets])


@dataclass
class Problem:
    """Movable components in their states, nets as runs of pins, and what does not move.

    Pins are sorted by net: those of net n are rows `starts[n]` to `starts[n + 1]`. `owners` is the component of a pin,
    −1 where it does not move; `places`, (p, 2), are those of fixed pins. `weights` is (n, 2): along x and along y.
    """

    names: tuple[str, ...]
    origins: Floats
    bodies: list[list[Body]]
    rows: list[Numbers]
    """For each component, its pins in the order of `Body.pins`."""
    starts: Numbers
    owners: Numbers
    places: Floats
    weights: Floats
    walls: Floats
    """(w, 4), rectangles that do not move, with `wall_kinds`."""
    wall_kinds: Numbers
    area: Bounds
    wires: int
    """So many nets, the first, are wires; the others are groups and anchors."""
    apart: dict[int, list[tuple[int, float]]] = field(default_factory=dict[int, list[tuple[int, float]]])
    """Components that keep a gap from others, in micrometers."""
    close: Collection[int] = ()
    """Components that are wanted near something."""
    off: dict[int, list[Floats]] = field(default_factory=dict[int, "list[Floats]"])
    """Boxes that the room of one component stays out of: those of what does not move, grown by a gap."""
    halos: Floats = field(default_factory=lambda: np.zeros(0))
    """(n + w), the room for tracks about each component and wall, in micrometers; −1 where none is kept.

    Of two, the wider one lies between them; halos may share room.
    """

    @cached_property
    def widest(self) -> list[float]:
        """The halos that components should have: wider for many signals, none for what is wanted near something."""
        sizes = np.diff(self.starts)
        signals = [int((sizes[ties.nets[ties.nets < self.wires]] <= MANY_PINS).sum()) for ties in self.ties]
        return [
            0.0 if c in self.close else round((GAP + min(ESCAPE * count / 4, MAX_ESCAPE)) * MICRONS)
            for c, count in enumerate(signals)
        ]

    def spaced(self, scale: float) -> Problem:
        """Return the problem with halos, as a share of the widest ones."""
        halos = [round(scale * halo) or -1.0 for halo in self.widest]
        return replace(self, halos=np.array([*halos, *self.halos[len(halos) :].tolist()]))

    @cached_property
    def ties(self) -> list[Ties]:
        """The ties of each component."""
        return [ties_of(self, c) for c in range(len(self.names))]

    def unmoved(self, c: int) -> int | None:
        """Return the state that a component has in the layout; None where the goal does not allow it."""
        states = (s for s, body in enumerate(self.bodies[c]) if body.matrix[:4] == (1, 0, 0, 1) and not body.flips)
        return next(states, None)

    def chosen(self, states: Numbers) -> list[Body]:
        """Return the components in these states."""
        numbers: list[int] = states.tolist()
        return [bodies[s] for bodies, s in zip(self.bodies, numbers, strict=True)]

    def pins_of(self, nets: Numbers) -> tuple[Numbers, Numbers]:
        """Return the rows of the pins of some nets, and the start of each net among them."""
        sizes = self.starts[nets + 1] - self.starts[nets]
        ends = np.cumsum(sizes)
        first = ends - sizes
        return np.arange(int(ends[-1])) - np.repeat(first - self.starts[nets], sizes), first

    def move(self, c: int, state: int, x: float, y: float) -> Move:
        """Return the move of a component from the layout to a state and an origin, in micrometers."""
        body, (x0, y0) = self.bodies[c][state], self.origins[c] / MICRONS
        a, b, cc, d, _, _ = body.matrix
        e, f = x / MICRONS - a * x0 - cc * y0, y / MICRONS - b * x0 - d * y0
        return Move(self.names[c], (a, b, cc, d, float(e), float(f)), "placed for short wires", flips=body.flips)


def others_of(problem: Problem, at: Floats, c: int) -> Pulls:
    """Return the pulls on a component, all pins lying at `at`, (p, 2)."""
    ties = problem.ties[c]
    some = at[ties.others]
    if not len(ties.nets):
        return Pulls(np.zeros((0, 4)), ties)
    low, high = (f.reduceat(some, ties.starts, axis=0) for f in (np.minimum, np.maximum))
    return Pulls(np.concatenate([low, high], axis=1), ties)


def problem_of(
    layout: Layout,
    movable: Collection[str],
    goal: Goal,
    *,
    both: bool = False,
) -> Problem:
    """Return the arrays of a layout.

    Args:
        both: components without through-hole pads or a side in the goal may lie on either side.

    Raises:
        BriefError: the board has no outline, or a name is not on it.
    """
    if layout.area is None:
        raise BriefError("The board has no closed outline to place components in; draw one on Edge.Cuts")
    known(layout, movable, goal)
    names = tuple(name for name in layout.rows if name in set(movable))
    index = {name: c for c, name in enumerate(names)}
    items = [layout[name] for name in names]

    # Two margins of pads make a clearance. Pads with the usual clearance or less take half of the usual one, the others
    # what is then left of theirs.
    clearances = [layout.clearance_between(port, port) for item in layout.roots for port in item.ports]
    half = median_low(clearances) / 2 if clearances else 0.0

    def margin(port: Port) -> float:
        return max(layout.clearance_between(port, port) - half, half)

    nets = _Nets(goal, index)
    for item in layout.roots:
        nets.add(item, moves=item.name in index, lies=item.name in index or layout.area.intersects(item.shape))
    nets.pseudo(layout)
    starts, owners, places, weights, rows, middles, wires = nets.arrays(len(names))
    close = {anchor.name for anchor in goal.anchors if anchor.kind == "near"}
    bodies: list[list[Body]] = []
    for c, item in enumerate(items):
        bodies.append([])
        for pose in _poses(item, goal, both):
            turned = next((again for body in bodies[c] if (again := _turned(body, pose))), None)
            bodies[c].append(turned or _body(item, pose, margin, rows[c], nets.ports[c], middles[c]))
    walls, kinds, rooms = _walls(layout, index, margin)
    origins = np.array([origin_of(item) for item in items]).reshape(-1, 2) * MICRONS
    area = [v * MICRONS for v in layout.area.bounds]
    problem = Problem(
        names,
        origins,
        bodies,
        rows,
        starts,
        owners,
        places,
        weights,
        walls,
        kinds,
        (area[0], area[1], area[2], area[3]),
        wires,
        close={c for c, name in enumerate(names) if name in close},
        halos=np.repeat([-1.0, 0.0, -1.0], [len(names), rooms, len(walls) - rooms]),
    )
    for anchor in goal.anchors:
        if anchor.kind == "apart" and anchor.name in index and anchor.where in index:
            a, b, gap = index[anchor.name], index[str(anchor.where)], anchor.distance * MICRONS
            problem.apart.setdefault(a, []).append((b, gap))
            problem.apart.setdefault(b, []).append((a, gap))
        elif anchor.kind == "apart":
            for name, other in ((anchor.name, str(anchor.where)), (str(anchor.where), anchor.name)):
                if name in index:
                    x0, y0, x1, y1 = layout[other].shape.bounds
                    far = anchor.distance
                    problem.off.setdefault(index[name], []).append(
                        _outward([(x0 - far, y0 - far, x1 + far, y1 + far)])[0]
                    )
    return problem


def known(layout: Layout, movable: Iterable[str], goal: Goal) -> None:
    """Check the names. Raises `BriefError` for one that is not a top-level item of the layout."""
    names = [*movable, *goal.sides, *goal.turns, *(a.name for a in goal.anchors)]
    names += [member for group in goal.groups for member in group.members]
    names += [str(a.where).rpartition(".")[0] or str(a.where) for a in goal.anchors if a.kind in {"near", "apart"}]
    for name in names:
        if name not in layout.rows:
            raise BriefError(f"{name!r} is not a component of this board; see the list of its components")


Pose = tuple[Matrix, bool]
"""A turn about the origin, and whether the item is flipped before it."""


def _poses(item: Item, goal: Goal, both: bool) -> Iterator[Pose]:
    """Yield turns and flips about the origin, the item's own pose first."""
    side = goal.sides.get(item.name)
    turns_over = both and item.opposite is None and not any(port.through for port in item.ports)
    layers = [side] if side is not None else [item.layer, 1 - item.layer] if turns_over else [item.layer]
    for layer in layers:
        flips = layer != item.layer
        own = -item.rotation if flips else item.rotation
        turns = goal.turns.get(item.name) or tuple(own + 90.0 * n for n in range(4))
        for turn in turns:
            a, b, c, d, _, _ = Move.turn(item.name, turn - own, (0.0, 0.0)).matrix
            yield ((a, b, -c, -d, 0.0, 0.0), True) if flips else ((a, b, c, d, 0.0, 0.0), False)


def origin_of(item: Item) -> Point:
    """Return the point about which an item turns."""
    if item.origin is not None:
        return item.origin
    x0, y0, x1, y1 = item.shape.bounds
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def _body(
    item: Item,
    pose: Pose,
    margin: Callable[[Port], float],
    rows: Numbers,
    ports: Sequence[int],
    middles: int,
) -> Body:
    """Return the item about its own origin, in one pose."""
    matrix, flips = pose
    x, y = origin_of(item)
    a, b, c, d, _, _ = matrix
    there = transformed(item, [Move(item.name, (a, b, c, d, -a * x - c * y, -b * x - d * y), flips=flips)])
    boxes, kinds, against = _claims(there, margin, COARSE)
    room = _outward([there.shape.bounds])[0]
    pins = np.array([there.ports[i].at for i in ports]).reshape(-1, 2)
    pins = np.concatenate([np.round(pins * MICRONS), np.repeat([(room[:2] + room[2:]) / 2], middles, axis=0)])
    assert len(pins) == len(rows)
    return Body(there.layer, boxes, kinds, against, pins, room, matrix, flips)


def _turned(body: Body, pose: Pose) -> Body | None:
    """Return the body turned further by quarters, which is cheap; None where that does not lead to the pose."""
    (a, b, c, d, _, _), flips = pose
    e, f, g, h, _, _ = body.matrix
    exact = np.array([[a, c], [b, d]]) @ np.array([[e, f], [g, h]])
    turn = np.round(exact)
    if flips != body.flips or np.abs(exact - turn).max() > 1e-9:
        return None

    def boxes(some: Floats) -> Floats:
        p, q = some[:, :2] @ turn.T, some[:, 2:] @ turn.T
        return np.concatenate([np.minimum(p, q), np.maximum(p, q)], axis=1)

    pins, room = body.pins @ turn.T, boxes(body.room[None])[0]
    return replace(body, boxes=boxes(body.boxes), pins=pins, room=room, matrix=pose[0])


def _claims(item: Item, margin: Callable[[Port], float], strips: int) -> tuple[Floats, Numbers, Numbers]:
    """Return the boxes of what an item claims, what they are, and what they may not meet."""
    claims: list[tuple[Bounds, int, int]] = []
    own = rooms(item)
    for layer, bit in ((1, FRONT), (0, BACK)):
        pads: list[BaseGeometry] = []
        for port in item.ports:
            if item.layer_of(port) in {None, layer}:
                # The box of a pad with its margin; a drawing that leaves most of its box free is not filled up.
                (x0, y0, x1, y1), more = port.shape.bounds, margin(port)
                hollow = port.shape.area < HOLLOW * (x1 - x0) * (y1 - y0)
                box_ = box(x0 - more, y0 - more, x1 + more, y1 + more)
                pads.append(port.shape.buffer(more, join_style="mitre") if hollow else box_)
        room = own.get(layer)
        beyond = [pad for pad in pads if room is None or not room.covers(pad)]
        shape = unary_union([*beyond, *([] if room is None else [room])])
        if layer != item.layer and beyond:
            shape = shape.buffer(JOINED, join_style="mitre").buffer(-JOINED, join_style="mitre")
        claims += [(b, bit, bit | bit * BAN) for b in _boxes(shape, strips)]
    if item.ports:
        copper = unary_union([box(*port.shape.bounds) for port in item.ports]).bounds
        layers = _bits([n for layer in item.port_layers for n in ((0, 1) if layer is None else (layer,))])
        claims.append((copper, COPPER, EDGE | layers * NO_PADS))
    for keepout in item.keepouts:  # one for pads alone counts for all of the others, which rather lie elsewhere
        layers = _bits(keepout.layers)
        claims += [(b, layers * BAN, layers) for b in _boxes(keepout.shape, strips)]
    if not claims:
        claims.append((bounds_of(item.shape), 0, EDGE))  # in nobody's way, but on the board
    kinds = np.array([kind for _, kind, _ in claims], dtype=np.int64)
    return _outward([b for b, _, _ in claims]), kinds, np.array([other for _, _, other in claims], dtype=np.int64)


def _bits(layers: Collection[int] | None) -> int:
    return FRONT | BACK if layers is None else sum(FRONT if layer else BACK for layer in set(layers))


def _boxes(shape: BaseGeometry, strips: int) -> list[Bounds]:
    """Return boxes that cover a shape; few boxes for what moves."""
    if shape.is_empty:
        return []
    if strips != COARSE:
        return cover(shape, strips)
    boxes: list[Bounds] = []
    for part in shapely.get_parts(shape):
        x0, y0, x1, y1 = part.bounds
        boxes += [(x0, y0, x1, y1)] if part.area >= FULL * (x1 - x0) * (y1 - y0) else cover(part, strips)
    return boxes if len(boxes) <= MAX_BOXES else [bounds_of(shape)]


def _outward(boxes: Iterable[Sequence[float]]) -> Floats:
    """Return boxes in micrometers, rounded outward but for what is less than a hundredth of one."""
    exact = np.array(list(boxes), dtype=np.float64).reshape(-1, 4) * MICRONS
    return np.concatenate([np.floor(exact[:, :2] + 0.01), np.ceil(exact[:, 2:] - 0.01)], axis=1)


def _walls(layout: Layout, index: Mapping[str, int], margin: Callable[[Port], float]) -> tuple[Floats, Numbers, int]:
    """Return the boxes and kinds of all that stays, and how many of them, the first, are of components.

    These are other components, keep-outs, and the room outside the area.
    """
    assert layout.area is not None
    boxes, kinds = list[Floats](), list[Numbers]()

    def add(some: Iterable[Bounds], kind: int) -> None:
        boxes.append(_outward(some))
        kinds.append(np.full(len(boxes[-1]), kind, dtype=np.int64))

    for item in layout.roots:
        if item.name not in index and not item.shape.is_empty:
            claims, kind, _ = _claims(item, margin, FINE)
            boxes.append(claims[kind != COPPER])
            kinds.append(kind[kind != COPPER])
    items = sum(map(len, boxes))
    for keepout in layout.keepouts:
        add(cover(keepout.shape, FINE), _bits(keepout.layers) * (NO_PADS if keepout.ports_only else 1))

    # Outside the box of the area a frame is enough; within it, what the outline leaves out, for pads with a clearance.
    x0, y0, x1, y1 = layout.area.bounds
    around = box(x0 - 1.0, y0 - 1.0, x1 + 1.0, y1 + 1.0)
    far = max(x1 - x0, y1 - y0) * 2 + 1000.0
    frame = [(x0 - far, y0 - far, x0, y1 + far), (x1, y0 - far, x1 + far, y1 + far)]
    frame += [(x0 - far, y0 - far, x1 + far, y0), (x0 - far, y1, x1 + far, y1 + far)]
    add(frame, FRONT | BACK | EDGE)
    for reach, kind in ((0.0, FRONT | BACK), (layout.edge_clearance + 1.0 / MICRONS, EDGE)):  # shapes are rounded
        outside = around.difference(layout.area)
        add([b for part in shapely.get_parts(outside.buffer(reach) if reach else outside) for b in cover(part)], kind)
    return np.concatenate(boxes), np.concatenate(kinds), items


class _Nets:
    """Pins gathered by net, those of components by their number."""

    def __init__(self, goal: Goal, index: Mapping[str, int]) -> None:
        self.goal, self.index = goal, index
        self.pins: dict[str, list[tuple[int, int, Point]]] = {}
        """For each net, its pins: the component (−1: none), its port (−1: its middle), and the place."""
        self.weights: dict[str, tuple[float, float]] = {}
        self.ports: list[list[int]] = [[] for _ in index]

    def add(self, item: Item, *, moves: bool, lies: bool) -> None:
        """Add the pads of an item; none of one that does not move and lies beside the board."""
        for place, port in enumerate(item.ports if lies else ()):
            if port.net and self.goal.weights.get(port.net, 1.0) > 0.0:
                self.pins.setdefault(port.net, []).append((self.index[item.name] if moves else -1, place, port.at))

    def pseudo(self, layout: Layout) -> None:
        """Add groups and anchors as nets of their own."""
        assert layout.area is not None
        for n, group in enumerate(self.goal.groups):
            pins = [self._middle(layout, member) for member in group.members]
            self._extra(f"group {n}", pins, (group.weight, group.weight))
        for n, anchor in enumerate(self.goal.anchors):
            key, w, pin = f"anchor {n}", anchor.weight, self._middle(layout, anchor.name)
            if anchor.kind == "at":
                assert not isinstance(anchor.where, str)
                self._extra(key, [pin, (-1, -1, anchor.where)], (w, w))
            elif anchor.kind == "near":
                owner, _, pad = str(anchor.where).rpartition(".")
                self._extra(key, self._nearest(layout, anchor.name, owner or pad, pad if owner else ""), (w, w))
            elif anchor.kind in {"edge", "corner"}:
                at, axes = edge_point(layout.area.bounds, str(anchor.where), anchor.distance)
                self._extra(key, [pin, (-1, -1, at)], (w * axes[0], w * axes[1]))

    def _middle(self, layout: Layout, name: str) -> tuple[int, int, Point]:
        x0, y0, x1, y1 = layout[name].shape.bounds
        return (self.index.get(name, -1), -1, ((x0 + x1) / 2, (y0 + y1) / 2))

    def _nearest(self, layout: Layout, name: str, target: str, pad: str) -> list[tuple[int, int, Point]]:
        """Return the two ends of a wish to be near: pads of one net where there are some, else the middles."""
        other, own = layout[target], layout[name]
        if not pad:
            return [self._middle(layout, name), self._middle(layout, target)]
        ends = [n for n, port in enumerate(other.ports) if port.name == pad]
        if not ends:
            raise BriefError(f"{target} has no pad {pad!r}; name one of its pads, or the component alone")
        net = other.ports[ends[0]].net
        starts = [n for n, port in enumerate(own.ports) if net and port.net == net]
        there = (self.index.get(target, -1), ends[0], other.ports[ends[0]].at)
        here = (self.index.get(name, -1), starts[0], own.ports[starts[0]].at) if starts else self._middle(layout, name)
        return [here, there]

    def _extra(self, key: str, pins: list[tuple[int, int, Point]], weights: tuple[float, float]) -> None:
        self.pins["\n" + key] = pins  # no net has a line break in its name
        self.weights["\n" + key] = weights

    def arrays(self, count: int) -> tuple[Numbers, Numbers, Floats, Floats, list[Numbers], list[int], int]:
        """Return starts, owners, places and weights of the nets that can change, rows and middles of each component,
        and the number of wires.

        The rows of a component have its ports first, in the order of `ports`, and then its middles.
        """
        starts, owners, places, weights = [0], list[int](), list[Point](), list[tuple[float, float]]()
        rows: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        wires = 0
        for net, pins in self.pins.items():
            who = {c for c, _, _ in pins}
            if who == {-1} or len(pins) < 2 or len(who) == 1:
                continue
            for c, port, at in pins:
                if c >= 0:
                    rows[c].append((port, len(owners)))
                owners.append(c)
                places.append((round(at[0] * MICRONS), round(at[1] * MICRONS)))
            starts.append(len(owners))
            plain = self.goal.weights.get(net, min(1.0, MANY_PINS / len(pins)))
            weights.append(self.weights.get(net, (plain, plain)))
            wires += not net.startswith("\n")
        ordered = [sorted(own, key=lambda pair: (pair[0] < 0, pair)) for own in rows]
        self.ports = [[port for port, _ in own if port >= 0] for own in ordered]
        middles = [sum(port < 0 for port, _ in own) for own in ordered]
        return (
            np.array(starts, dtype=np.int64),
            np.array(owners, dtype=np.int64),
            np.array(places, dtype=np.float64).reshape(-1, 2),
            np.array(weights, dtype=np.float64).reshape(-1, 2),
            [np.array([row for _, row in own], dtype=np.int64) for own in ordered],
            middles,
            wires,
        )


def edge_point(area: Sequence[float], where: str, distance: float) -> tuple[Point, tuple[int, int]]:
    """Return the point at an edge or corner, and the axes along which it counts. Raises `BriefError` for others."""
    x0, y0, x1, y1 = area
    words = set(where.replace("_", " ").replace("-", " ").lower().split())
    unknown = words - {"left", "right", "top", "bottom"}
    if unknown or not words or {"left", "right"} <= words or {"top", "bottom"} <= words:
        raise BriefError(f"{where!r} is not an edge or a corner; say left, right, top, bottom, or as in 'top left'")
    x = x0 + distance if "left" in words else x1 - distance if "right" in words else math.nan
    y = y0 + distance if "top" in words else y1 - distance if "bottom" in words else math.nan
    axes = (int(not math.isnan(x)), int(not math.isnan(y)))
    return ((x if axes[0] else (x0 + x1) / 2, y if axes[1] else (y0 + y1) / 2), axes)
