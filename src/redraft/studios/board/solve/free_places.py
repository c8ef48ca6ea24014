"""Free places for an item that would collide: the nearest one, and the ones that keep a requested distance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from redraft.errors import RedraftError
from redraft.layout.items import Bounds, Item, Layout, Move, Point, bounds_of, transformed
from redraft.studios.board.actions.fields import Side
from redraft.studios.board.solve.collisions import (
    collisions,
    copper_under,
    neighbors_met,
    new_collisions,
    obstacles_to,
    on_copper,
    outside,
    rooms,
    sticks_out_more,
)
from redraft.studios.board.solve.greedy import FAR, Limits, ranked
from redraft.studios.board.solve.problem import Axis, scaled

if TYPE_CHECKING:
    from redraft.studios.board.actions.relative import PlaceRelative

TRIES = 40
"""Places that are looked at with true shapes before the search gives up."""

BATCHES = (8, TRIES - 8)
"""Places that are checked at once: half of the searches end within the first eight."""

DETOUR = 4.0
"""Along the line that was asked for a place may be so many times as far as the nearest anywhere."""

Line = tuple[Axis, int]
"""An axis, and the side of it to which a thing may give way without leaving what was asked."""


def nearest_free(before: Layout, after: Layout, name: str, line: Line | None = None) -> Point | None:
    """The middle of the item's box at the nearest free place from where it would be; None when none is found.

    A place on the line that the action asked for goes before a somewhat nearer one off it. Free is what collides no
    more than the item did `before`.
    """
    around = walls(after, name) / after.frame.quantum
    spots = _Spots.of(before, after, name)
    anywhere = _first(before, after, name, limits(after, name), around, spots)
    if line is None or anywhere is None:
        return anywhere
    axis = line[0]
    along = _first(before, after, name, _on(line, limits(after, name)), around, spots)
    home = middle(after.bounds(name))
    if along is None or abs(along[axis] - home[axis]) > DETOUR * np.hypot(anywhere[0] - home[0], anywhere[1] - home[1]):
        return anywhere
    return along


def middle(box: Bounds) -> Point:
    x0, y0, x1, y1 = box
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def _on(line: Line, bounds: Limits) -> Limits:
    axis, sign = line
    low, high = (max(0, bounds[2 * axis]), bounds[2 * axis + 1]) if sign > 0 else (bounds[2 * axis], 0)
    return (low, high, 0, 0) if axis == 0 else (0, 0, low, high)


def _first(
    before: Layout, after: Layout, name: str, limit: Limits, around: NDArray[np.float64], spots: _Spots | None
) -> Point | None:
    """As `nearest_free` within limits; the walls around in quanta. Free of tracks too, where one of those tried is."""
    quantum = after.frame.quantum
    box = scaled(after.extent(name) if name in after.rows else after.bounds(name), quantum)
    shifts = ((dx * quantum, dy * quantum) for dx, dy in ranked(box, around, 0.0, limit))
    if spots is not None:
        return spots.first(shifts)
    for shift in islice(shifts, TRIES):
        there = after.moved((Move.shift(name, *shift),))
        if not new_collisions(before, there, (name,)):
            return middle(there.bounds(name))
    return None


class _Spots:
    """Checks places for one component without building the layout with the component there.

    A place is free when `new_collisions` from `before` to that layout would be empty.
    """

    def __init__(self, before: Layout, after: Layout, name: str) -> None:
        self._before, self._after, self._item = before, after, after[name]

    @classmethod
    def of(cls, before: Layout, after: Layout, name: str) -> _Spots | None:
        """Return the check for an item of a board that has no parts of its own; None for others."""
        alone = after.frame.solid and name in after.rows and len(after.family(name)) == 1
        return cls(before, after, name) if alone else None

    def first(self, shifts: Iterator[Point]) -> Point | None:
        """Return the middle of the item's box at the first free shift off copper, else at the first free one."""
        first: Point | None = None
        for size in BATCHES:
            batch = list(islice(shifts, size))
            batch = [shift for shift, over in zip(batch, self._over_the_edge(batch), strict=True) if not over]
            for shift, met in zip(batch, copper_under(self._after, self._item, batch), strict=True):
                if met and first is not None:
                    continue
                there = transformed(self._item, (Move.shift(self._item.name, *shift),))
                if not self._is_free(there, shift):
                    continue
                place = middle(bounds_of(there.shape))
                if not met and next(on_copper(self._after, there), None) is None:
                    return place
                first = first or place
        return first

    def _over_the_edge(self, shifts: Sequence[Point]) -> list[bool]:
        """Return which shifts bring a corner over the edge of the board, farther than the item is over it `before`.

        Only certain ones: where all corners are near enough, an edge may still be in the way.
        """
        area, was = self._after.area, self._before[self._item.name].shape
        if area is None or not shifts or not area.intersects(was):
            return [False] * len(shifts)
        corners = shapely.get_coordinates(self._item.shape.convex_hull)
        places = (corners + np.array(shifts)[:, None]).reshape(-1, 2)
        shapely.prepare(area)
        out = ~shapely.contains_xy(area, places)  # pyright: ignore[reportUnknownMemberType]
        least = outside(was, area) + self._after.frame.quantum
        out[out] = ~shapely.dwithin(area, shapely.points(places[out]), least)  # pyright: ignore[reportUnknownMemberType]
        over: list[bool] = np.any(out.reshape(len(shifts), -1), axis=1).tolist()
        return over

    def _is_free(self, there: Item, shift: Point) -> bool:
        layout, name = self._after, there.name
        (x0, y0, x1, y1), (dx, dy) = layout.extent(name), shift
        if sticks_out_more(layout, self._before[name].shape, there.shape):
            return False
        met = list[str]()
        for other in neighbors_met(layout, there, (x0 + dx, y0 + dy, x1 + dx, y1 + dy)):
            if other not in self._met_before:
                return False
            met.append(other)
        return not met or not new_collisions(self._before, layout.with_items([there]), (name,))

    @cached_property
    def _met_before(self) -> frozenset[str]:
        return frozenset(other for _, other in collisions(self._before, (self._item.name,)))


def nearest_shift(before: Layout, after: Layout, names: Sequence[str]) -> Point | None:
    """The shortest shift after which items that move as one rigid body collide no more than `before`; None without.

    A wall in the way of one is one in the way of all, grown by how far that one lies from the first.
    """
    quantum, away = after.frame.quantum, frozenset(names)
    own = [scaled(after.extent(name), quantum) for name in names]
    first = own[0]
    lows = [
        walls(after, name, away) / quantum - np.subtract(box, first)[[2, 3, 0, 1]]
        for name, box in zip(names, own, strict=True)
    ]
    limit = np.array([limits(after, name) for name in names])
    low, high = limit.max(axis=0), limit.min(axis=0)
    bounds = (int(low[0]), int(high[1]), int(low[2]), int(high[3]))
    for dx, dy in islice(ranked(first, np.concatenate(lows), 0.0, bounds), TRIES):
        there = after.moved([Move.shift(name, dx * quantum, dy * quantum) for name in names])
        if not new_collisions(before, there, names):
            return (dx * quantum, dy * quantum)
    return None


def walls(layout: Layout, name: str, but: frozenset[str] = frozenset()) -> NDArray[np.float64]:
    """Boxes (n, 4) that an item must not overlap: other top-level items that claim room on its layers, keep-outs."""
    item = layout[layout.root_of(name).name]
    layers = rooms(item).keys()
    met = [
        row
        for row, other in enumerate(layout.roots)
        if other.name not in but
        and other is not item
        and not (layout.frame.solid and other.opposite is None and other.layer not in layers)
    ]
    keepouts = [
        k.shape.bounds
        for k in layout.barred
        if k.item != item.name and (k.ports_only or k.layers is None or any(n in layers for n in k.layers))
    ]
    boxes = np.concatenate([layout.extents[met], np.array(keepouts).reshape(-1, 4)])
    return boxes[np.isfinite(boxes[:, 0])]


def limits(layout: Layout, name: str) -> Limits:
    """Shifts in quanta that keep an item within the box of the area, or of a drawing's frame."""
    quantum, area = layout.frame.quantum, layout.area
    if area is None and layout.frame.solid:
        return (-FAR, FAR, -FAR, FAR)
    outer = scaled(layout.frame.bounds if area is None else bounds_of(area), quantum)
    box = scaled(layout.bounds(name), quantum)
    low = [int(np.ceil(outer[a] - box[a] - 1e-3)) for a in (0, 1)]
    high = [int(np.floor(outer[a + 2] - box[a + 2] + 1e-3)) for a in (0, 1)]
    return (low[0], high[0], low[1], high[1])


_SIDES: dict[Side, str] = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}
_TOLD = 2


@dataclass(frozen=True)
class _Alternative:
    """The same distance at a side and a turn, and what would be in the way there; of a turned part one of it."""

    side: Side
    words: str
    met: tuple[str, ...]
    copper: tuple[str, ...] = ()
    """Tracks and vias of other nets that its pads would lie on, or too near to."""

    @property
    def is_free(self) -> bool:
        return not self.met and not self.copper


def alternatives(layout: Layout, action: PlaceRelative) -> str:
    """Return places at the same distance that are free, else those where an obstacle could be moved, on a board.

    A place where pads would lie on tracks or vias of other nets is not free; it is named if there is no other.

    Only ways in which pads of one net face each other count, if the target's net is on the part at all. A part is
    turned only where no side is free without, and half way round only where its pads are measured.
    """
    if action.rotation is not None:
        from redraft.studios.board.actions.moves import rotate

        layout = layout.moved(rotate(layout, (action.ref,), to=action.rotation))
    unturned = _until_told(_alternatives(layout, action, 0.0))
    free = [way.words for way in unturned if way.is_free]
    for turn in (90.0, 180.0, 270.0) if _by_pads(layout, action) else (90.0,):
        free = free or [way.words for way in _until_told(_alternatives(layout, action, turn)) if way.is_free]
    if free:
        return f"the same distance is free {', or '.join(free)}"
    for way in sorted(unturned, key=lambda way: len(way.met)):
        if way.copper:
            return f"{way.words} no component is in the way, but its pads would lie on {', '.join(way.copper[:_TOLD])}"
        if all(_movable(layout, name, action) for name in way.met):
            named = ", ".join(way.met)
            return f"{way.words} {named} could give way: allow_overlap there, then legalise {named} with a clearance"
    return f"at this distance there is no room on any side of {action.target}"


def _by_pads(layout: Layout, action: PlaceRelative) -> bool:
    return action.measure == "pad" or action.target not in layout


def _until_told(ways: Iterable[_Alternative]) -> list[_Alternative]:
    """Return ways until enough of them are free."""
    found, free = list[_Alternative](), 0
    for way in ways:
        found.append(way)
        free += way.is_free
        if free == _TOLD:
            break
    return found


def _alternatives(layout: Layout, action: PlaceRelative, turn: float) -> Iterator[_Alternative]:
    """The side that was asked for first."""
    from redraft.studios.board.actions.moves import rotate

    turned = layout.moved(rotate(layout, (action.ref,), turn)) if turn else layout
    before = f", {action.ref} rotated by {turn:g} first, with allow_overlap" if turn else ""
    sides: Sequence[Side] = (action.side, *(side for side in _SIDES if side != action.side))
    for side in sides:
        met = _met(layout, turned, action.model_copy(update={"side": side}))
        if met is not None:
            yield _Alternative(side, f"{_SIDES[side]} {action.target} (side {side}{before})", *met)


def _met(layout: Layout, turned: Layout, action: PlaceRelative) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What the part would meet, and the copper if it is nothing else; None where this is not what was requested."""
    from redraft.studios.board.solve.relative import placed_relative

    ref = action.ref
    try:
        placed = placed_relative(
            turned, ref, action.target, action.side, action.clearance, action.align, action.measure
        )
    except RedraftError:  # on this side it cannot be done at all
        return None
    if placed.pads and placed.pads[0].net != placed.pads[1].net and _has_net(layout, ref, placed.pads[1].net):
        return None
    dx, dy = placed.moves[0].matrix[4:] if placed.moves else (0.0, 0.0)
    x0, y0, x1, y1 = turned.extents[turned.rows[ref]].tolist()
    there = transformed(turned[ref], placed.moves)
    met = obstacles_to(layout, there, (x0 + dx, y0 + dy, x1 + dx, y1 + dy))
    found = tuple(dict.fromkeys(met if turned is layout else islice(met, 1)))
    copper = () if found else (f"a {track.kind} of {track.net}" for _, track, _, _ in on_copper(layout, there))
    return found, tuple(dict.fromkeys(copper))


def _has_net(layout: Layout, ref: str, net: str) -> bool:
    return bool(net) and any(port.net == net for port in layout[ref].ports)


def _movable(layout: Layout, name: str, action: PlaceRelative) -> bool:
    """Return whether something in the way could give way without spoiling what was asked."""
    owner = action.target if action.target in layout else action.target.rpartition(".")[0]
    return name in layout and not layout[name].locked and name not in {owner, action.ref}
