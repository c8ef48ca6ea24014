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
from redraft.studios.board.solve.constraints import Axis, scaled
from redraft.studios.board.solve.greedy import FAR, Limits, ranked

if TYPE_CHECKING:
    from redraft.studios.board.actions.relative import PlaceRelative

MAX_TRIES = 40
"""Places that are looked at with true shapes before the search gives up."""

BATCHES = (8, MAX_TRIES - 8)
"""Places that are checked at once: half of the searches end within the first eight."""

MAX_DETOUR = 4.0
"""A place on the line that was asked for may be so many times as far as the nearest one anywhere."""

MAX_NAMED = 2
"""Free sides, or tracks, that a refusal names."""

Line = tuple[Axis, int]
"""An axis, and the side of it to which an item may give way without leaving the line that was asked for."""


def nearest_free(before: Layout, after: Layout, name: str, line: Line | None = None) -> Point | None:
    """Return the middle of the item's box at the nearest free place from where it would be; None without any.

    A place on the line that the action asked for goes before a somewhat nearer one off it. Free is what collides no
    more than the item did `before`.
    """
    around = walls(after, name) / after.frame.quantum
    spots = _Spots.of(before, after, name)
    limit = limits(after, name)
    anywhere = _first(before, after, name, limit, around, spots)
    if line is None or anywhere is None:
        return anywhere
    axis, sign = line
    low, high = (max(0, limit[2 * axis]), limit[2 * axis + 1]) if sign > 0 else (limit[2 * axis], 0)
    on_line = (low, high, 0, 0) if axis == 0 else (0, 0, low, high)
    along = _first(before, after, name, on_line, around, spots)
    home = middle(after.bounds(name))
    nearest = np.hypot(anywhere[0] - home[0], anywhere[1] - home[1])
    return anywhere if along is None or abs(along[axis] - home[axis]) > MAX_DETOUR * nearest else along


def middle(box: Bounds) -> Point:
    """Return the middle of a box."""
    x0, y0, x1, y1 = box
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def _first(
    before: Layout, after: Layout, name: str, limit: Limits, around: NDArray[np.float64], spots: _Spots | None
) -> Point | None:
    """Return the nearest free place within limits, walls in quanta. Free of tracks too, where one of those tried is."""
    quantum = after.frame.quantum
    box = scaled(after.extent(name) if name in after.rows else after.bounds(name), quantum)
    shifts = ((dx * quantum, dy * quantum) for dx, dy in ranked(box, around, 0.0, limit))
    if spots is not None:
        return spots.first(shifts)
    for shift in islice(shifts, MAX_TRIES):
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
        """Return whether the item meets nothing there that it did not meet before, or nothing more deeply."""
        layout, name = self._after, there.name
        (x0, y0, x1, y1), (dx, dy) = layout.extent(name), shift
        if sticks_out_more(layout, self._before[name].shape, there.shape):
            return False
        again = False
        for other in neighbors_met(layout, there, (x0 + dx, y0 + dy, x1 + dx, y1 + dy)):
            if other not in self._met_before:
                return False
            again = True
        return not again or not new_collisions(self._before, layout.with_items([there]), (name,))

    @cached_property
    def _met_before(self) -> frozenset[str]:
        """The names of what the item collided with before."""
        return frozenset(other for _, other in collisions(self._before, (self._item.name,)))


def nearest_shift(before: Layout, after: Layout, names: Sequence[str]) -> Point | None:
    """Return the shortest shift after which items that move as one collide no more than `before`; None without.

    A wall in the way of one is in the way of all, moved as far as that one lies from the first.
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
    for dx, dy in islice(ranked(first, np.concatenate(lows), 0.0, bounds), MAX_TRIES):
        there = after.moved([Move.shift(name, dx * quantum, dy * quantum) for name in names])
        if not new_collisions(before, there, names):
            return (dx * quantum, dy * quantum)
    return None


def walls(layout: Layout, name: str, but: frozenset[str] = frozenset()) -> NDArray[np.float64]:
    """Return boxes (n, 4) that an item must not overlap: keep-outs, and other items with room on its layers."""
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
    """Return the range of shifts in quanta that keep an item within the box of the area, or of a drawing's frame."""
    quantum, area = layout.frame.quantum, layout.area
    if area is None and layout.frame.solid:
        return (-FAR, FAR, -FAR, FAR)
    outer = scaled(layout.frame.bounds if area is None else bounds_of(area), quantum)
    box = scaled(layout.bounds(name), quantum)
    low = [int(np.ceil(outer[a] - box[a] - 1e-3)) for a in (0, 1)]
    high = [int(np.floor(outer[a + 2] - box[a + 2] + 1e-3)) for a in (0, 1)]
    return (low[0], high[0], low[1], high[1])


_SIDES: dict[Side, str] = {"left": "left of", "right": "right of", "top": "above", "bottom": "below"}


@dataclass(frozen=True)
class _Alternative:
    """A place at the requested distance, at some side and turn, and obstacles there: one at most for a turned item."""

    side: Side
    words: str
    met: tuple[str, ...]
    copper: tuple[str, ...] = ()
    """Tracks and vias of other nets that its pads would lie on, or too near to."""

    @property
    def is_free(self) -> bool:
        """True if nothing is in the way."""
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
    unturned = _until_enough(_alternatives(layout, action, 0.0))
    free = [option.words for option in unturned if option.is_free]
    by_pads = action.measure == "pad" or action.target not in layout
    for turn in (90.0, 180.0, 270.0) if by_pads else (90.0,):
        turned = () if free else _until_enough(_alternatives(layout, action, turn))
        free = free or [option.words for option in turned if option.is_free]
    if free:
        return f"the same distance is free {', or '.join(free)}"

    # What is in the way could give way, if that does not spoil what was asked.
    owner = action.target if action.target in layout else action.target.rpartition(".")[0]
    for option in sorted(unturned, key=lambda option: len(option.met)):
        if option.copper:
            named = ", ".join(option.copper[:MAX_NAMED])
            return f"{option.words} no component is in the way, but its pads would lie on {named}"
        if all(n in layout and not layout[n].locked and n not in {owner, action.ref} for n in option.met):
            named = ", ".join(option.met)
            return f"{option.words} {named} could give way: allow_overlap there, then legalise {named} with a clearance"
    return f"at this distance there is no room on any side of {action.target}"


def _until_enough(options: Iterable[_Alternative]) -> list[_Alternative]:
    """Return options until enough of them are free."""
    taken, free = list[_Alternative](), 0
    for option in options:
        taken.append(option)
        free += option.is_free
        if free == MAX_NAMED:
            break
    return taken


def _alternatives(layout: Layout, action: PlaceRelative, turn: float) -> Iterator[_Alternative]:
    """Yield the alternatives at each side, the side that was asked for first.

    None at a side where this cannot be done, or where other pads than those of one net would face each other.
    """
    from redraft.studios.board.actions.moves import rotate
    from redraft.studios.board.solve.relative import placed_relative

    ref, target = action.ref, action.target
    turned = layout.moved(rotate(layout, (ref,), turn)) if turn else layout
    before = f", {ref} rotated by {turn:g} first, with allow_overlap" if turn else ""
    nets = {port.net for port in layout[ref].ports if port.net}
    sides: Sequence[Side] = (action.side, *(side for side in _SIDES if side != action.side))
    for side in sides:
        try:
            placed = placed_relative(turned, ref, target, side, action.clearance, action.align, action.measure)
        except RedraftError:
            continue
        if placed.pads and placed.pads[0].net != placed.pads[1].net and placed.pads[1].net in nets:
            continue

        # What the component would meet there, and the copper if it is nothing else.
        dx, dy = placed.moves[0].matrix[4:] if placed.moves else (0.0, 0.0)
        x0, y0, x1, y1 = turned.extents[turned.rows[ref]].tolist()
        there = transformed(turned[ref], placed.moves)
        obstacles = obstacles_to(layout, there, (x0 + dx, y0 + dy, x1 + dx, y1 + dy))
        met = tuple(dict.fromkeys(islice(obstacles, 1) if turn else obstacles))
        copper = () if met else (f"a {track.kind} of {track.net}" for _, track, _, _ in on_copper(layout, there))
        words = f"{_SIDES[side]} {target} (side {side}{before})"
        yield _Alternative(side, words, met, tuple(dict.fromkeys(copper)))
