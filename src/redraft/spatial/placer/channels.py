"""Channels: components that repeat, as the copies of one sheet do, placed once and the same way in each copy.

The first copy is placed by itself in boxes of several shapes. Each of these placements then stands for every copy as
one solid item, and the whole board is placed with these; the one with the shortest wires is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from shapely import box
from shapely.geometry.base import BaseGeometry

from redraft.layout import Item, Layout, Matrix, Move, bounds_of, transformed
from redraft.spatial.collisions import collisions
from redraft.spatial.placer.problem import Goal, origin_of
from redraft.spatial.wires import wire_length

if TYPE_CHECKING:
    from redraft.spatial.placer import Placement

__all__ = ["channels_in", "in_channels"]

LEAST = 3
"""Components of a copy, at least: fewer gain nothing by being placed as one."""

SHAPES = (0.25, 0.5, 1.0)
"""Width by height of the boxes that a copy is placed in; the whole may turn."""

TIGHT, ROOMY, FILLED = 1.3, 2.2, 0.6
"""The area of a box, by that of the components: so much at least and at most, or as a board has that is so full."""

MORE, TRIES = 1.2, 4
"""By how much a box grows when there is no room in it, and how often."""

INNER, QUICK = 0.3, 0.1
"""Shares of the effort that go into a copy, and into the board with each of them."""

GAP = 0.25
"""Room around each copy, in units."""

Channels = tuple[tuple[str, ...], ...]
"""The copies of one sheet: each names its components, counterparts in the same order."""


Stop = Callable[[], bool]


class Place(Protocol):
    """As `place_all`."""

    def __call__(
        self, layout: Layout, movable: Collection[str], goal: Goal, *, seed: int, effort: float, stop: Stop
    ) -> Placement: ...


def channels_in(layout: Layout, movable: Collection[str], goal: Goal) -> list[Channels]:
    """Return the blocks of the layout that repeat each other, as far as their components may move.

    Counterparts have the same symbol and the same pads. Components that a wish is about by itself are left out.
    """
    alone = {a.name for a in goal.anchors if a.kind in {"edge", "corner", "at", "apart"}} | {*goal.turns, *goal.sides}
    free = {name for name in movable if layout[name].symbol} - alone
    found: list[Channels] = []
    taken = set[str]()
    for _, blocks in sorted(_alike(layout).items()):
        copies = [{layout[name].symbol: name for name in names if name in free - taken} for names in blocks]
        shared = set[str].intersection(*(set(copy) for copy in copies))
        same = sorted(s for s in shared if len({_pads(layout[copy[s]]) for copy in copies}) == 1)
        if len(same) >= LEAST:
            found.append(tuple(tuple(copy[symbol] for symbol in same) for copy in copies))
            taken.update(name for copy in found[-1] for name in copy)
    return found


def _alike(layout: Layout) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    """Blocks of two or more by their symbols, the outermost first; blocks that share components do not repeat."""
    found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for names in layout.blocks.values():
        symbols = sorted(layout[name].symbol for name in names)
        if len(set(symbols)) == len(symbols) and all(symbols):
            found.setdefault((f"{-len(symbols):06d}", *symbols), []).append(names)
    return {
        key: blocks
        for key, blocks in found.items()
        if len(blocks) > 1 and len({name for names in blocks for name in names}) == sum(map(len, blocks))
    }


def _pads(item: Item) -> tuple[object, ...]:
    x0, y0, x1, y1 = (item.body or item.shape).bounds
    size = sorted((round(x1 - x0, 2), round(y1 - y0, 2)))
    return (*size, *sorted((port.name, port.through) for port in item.ports))


def in_channels(
    layout: Layout, movable: Collection[str], goal: Goal, place: Place, *, seed: int, effort: float, stop: Stop
) -> tuple[Move, ...] | None:
    """Return moves that place all components, channels alike; None where nothing repeats, or room for it is missing."""
    found = channels_in(layout, movable, goal)
    members = {name for copies in found for copy in copies for name in copy}
    rest = [name for name in movable if name not in members]
    best: tuple[float, tuple[Move, ...], _Whole, Goal] | None = None
    for shape in SHAPES if found else ():
        inner = [_inner(layout, copies[0], goal, shape, place, seed, INNER * effort, stop) for copies in found]
        if None in inner or stop():
            continue
        whole = _Whole(layout, [(copies, moved) for copies, moved in zip(found, inner, strict=True) if moved])
        outer = _outer_goal(goal, whole)
        quick = place(whole.layout, [*rest, *whole.names], outer, seed=seed, effort=QUICK * effort, stop=stop)
        outer = replace(outer, turns={**outer.turns, **whole.turns(quick.moves)})
        tried = _measured(layout, movable, whole.apart(quick.moves))
        if tried is not None and (best is None or tried[0] < best[0]):
            best = (*tried, whole, outer)
    if best is None or stop():
        return best and best[1]
    _, quick, whole, outer = best
    placed = place(whole.layout, [*rest, *whole.names], outer, seed=seed, effort=effort, stop=stop)
    moves = whole.apart(placed.moves)
    return quick if _measured(layout, movable, moves) is None else moves


def _measured(
    layout: Layout, movable: Collection[str], moves: tuple[Move, ...]
) -> tuple[float, tuple[Move, ...]] | None:
    """The wire length with all components placed; None where one collides."""
    after = layout.moved(moves)
    return None if collisions(after, list(movable)) else (wire_length(after), moves)


def _inner(
    layout: Layout,
    names: Sequence[str],
    goal: Goal,
    shape: float,
    place: Place,
    seed: int,
    effort: float,
    stop: Stop,
) -> Layout | None:
    """One copy by itself, placed within a box; None where no box that was tried has room."""
    items = tuple(layout[name] for name in names)
    assert layout.area is not None
    area = _area(items)
    roomy = min(max(FILLED * layout.area.area / max(_area(layout.roots), area), TIGHT), ROOMY)
    widest = max(min(x1 - x0, y1 - y0) for x0, y0, x1, y1 in (item.shape.bounds for item in items))
    within = set(names)
    own = replace(
        goal,
        groups=tuple(replace(g, members=tuple(m for m in g.members if m in within)) for g in goal.groups),
        anchors=tuple(a for a in goal.anchors if a.name in within and _owner(str(a.where), layout) in within),
        turns={},
        sides={},
        alike=False,
    )
    own = replace(own, groups=tuple(group for group in own.groups if 1 < len(group.members) < len(names)))
    for attempt in range(TRIES):
        size = area * roomy * MORE**attempt
        width = max(math.sqrt(size * shape), widest * 1.05)
        inside = Layout(
            items, layout.frame, box(0.0, 0.0, width, max(size / width, widest * 1.05)), clearance=layout.clearance
        )
        placed = place(inside, names, own, seed=seed, effort=effort, stop=stop)
        if len(placed.moves) == len(names) and not placed.overlaps and not placed.outside:
            return inside.moved(placed.moves)
        if stop():
            return None
    return None


def _owner(where: str, layout: Layout) -> str:
    return where if where in layout else where.rpartition(".")[0]


def _sides(item: Item) -> tuple[BaseGeometry | None, BaseGeometry | None]:
    """The rooms on the back and on the front."""
    rooms = (item.opposite, item.shape)
    return rooms if item.layer else (rooms[1], rooms[0])


def _area(items: Sequence[Item]) -> float:
    """What items claim on the fuller side, with the room around each."""
    every = [_sides(item) for item in items if item.claims and not item.shape.is_empty]
    return max(sum(_room(side) for sides in every if (side := sides[layer]) is not None) for layer in (0, 1))


def _room(shape: BaseGeometry) -> float:
    x0, y0, x1, y1 = shape.bounds
    return (x1 - x0 + 2 * GAP) * (y1 - y0 + 2 * GAP)


@dataclass
class _Whole:
    """The layout with one solid item in the place of each copy."""

    base: Layout
    copies: list[tuple[Channels, Layout]]

    def __post_init__(self) -> None:
        self.parts: dict[str, tuple[Move, ...]] = {}
        """Of each solid item, the moves of its members to where they lie in it."""
        solid: dict[str, Item] = {}
        for number, (copies, inner) in enumerate(self.copies):
            for place, names in enumerate(copies):
                moves = tuple(_brought(self.base[n], inner[first]) for n, first in zip(names, copies[0], strict=True))
                items = [transformed(self.base[move.item], (move,)) for move in moves]
                name = f"channel {number}.{place}"
                self.parts[name], solid[name] = moves, _joined(name, items)
        gone = {move.item for moves in self.parts.values() for move in moves}
        kept = tuple(item for item in self.base.items if item.name not in gone)
        self.layout = replace(self.base, items=(*kept, *solid.values()), blocks={})

    @property
    def names(self) -> list[str]:
        return list(self.parts)

    def turns(self, moves: Sequence[Move]) -> dict[str, tuple[float, ...]]:
        """The one turn for all copies of a sheet: that of most of them in a placement."""
        turned = {move.item: _turn(move.matrix) for move in moves}
        found: dict[str, tuple[float, ...]] = {}
        for number, (copies, _) in enumerate(self.copies):
            names = [f"channel {number}.{place}" for place in range(len(copies))]
            own = [turned.get(name, 0.0) for name in names]
            most = max(sorted(set(own)), key=own.count)
            found.update(dict.fromkeys(names, (most,)))
        return found

    def apart(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """The moves of a placement of solid items as moves of their members."""
        found: list[Move] = []
        outer = {move.item: move for move in moves}
        for name, parts in self.parts.items():
            matrix = outer.pop(name).matrix if name in outer else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
            found += [replace(part, matrix=_times(matrix, part.matrix)) for part in parts]
        return (*found, *outer.values())


def _joined(name: str, items: Sequence[Item]) -> Item:
    """One item on the front in the place of several: the box of their rooms on each side, and all their ports."""
    sides = [[side for item in items if (side := _sides(item)[layer]) is not None] for layer in (0, 1)]
    boxes = [_hull(shapes) if shapes else None for shapes in sides]
    every = _hull([shape for shapes in sides for shape in shapes])
    ports = tuple(
        replace(port, layer=None if port.through or item.layer_of(port) == 1 else 0)
        for item in items
        for port in item.ports
    )
    front = boxes[1] if boxes[1] is not None else box(every.bounds[0], every.bounds[1], *every.bounds[:2]).buffer(0.005)
    x0, y0, x1, y1 = every.bounds
    keepouts = tuple(replace(keepout, item=name) for item in items for keepout in item.keepouts)
    return Item(
        name, "channel", front, layer=1, ports=ports, opposite=boxes[0], keepouts=keepouts,
        origin=((x0 + x1) / 2, (y0 + y1) / 2),
    )  # fmt: skip


def _hull(shapes: Sequence[BaseGeometry]) -> BaseGeometry:
    """The box of several shapes, and the room around them."""
    bounds = [bounds_of(shape) for shape in shapes]
    return box(
        min(b[0] for b in bounds) - GAP, min(b[1] for b in bounds) - GAP,
        max(b[2] for b in bounds) + GAP, max(b[3] for b in bounds) + GAP,
    )  # fmt: skip


def _brought(item: Item, there: Item) -> Move:
    """The move that gives an item the place, rotation and side of another one."""
    flips = item.layer != there.layer
    own = -item.rotation if flips else item.rotation
    a, b, c, d, _, _ = Move.turn(item.name, there.rotation - own, (0.0, 0.0)).matrix
    if flips:
        c, d = -c, -d
    (x, y), (u, v) = origin_of(item), origin_of(there)
    return Move(item.name, (a, b, c, d, u - a * x - c * y, v - b * x - d * y), "placed in its channel", flips=flips)


def _times(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix of one move after another."""
    a, b, c, d, e, f = outer
    p, q, r, s, u, v = inner
    return (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * u + c * v + e, b * u + d * v + f)


def _turn(matrix: Matrix) -> float:
    """Degrees, counterclockwise as seen, of a move that turns only."""
    return math.degrees(math.atan2(-matrix[1], matrix[0])) % 360.0


def _outer_goal(goal: Goal, whole: _Whole) -> Goal:
    """The goal with solid items in the place of their members, without what is settled within one."""
    owner = {move.item: name for name, moves in whole.parts.items() for move in moves}
    groups = [
        replace(group, members=tuple(dict.fromkeys(owner.get(m, m) for m in group.members))) for group in goal.groups
    ]
    anchors = [a for a in goal.anchors if a.name not in owner and _owner(str(a.where), whole.base) not in owner]
    return replace(goal, groups=tuple(g for g in groups if len(g.members) > 1), anchors=tuple(anchors), alike=False)
