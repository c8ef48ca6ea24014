"""Components in legal places: the state of a placement, the best free place for one component, and legalization.

The best place is exact, except while refining, which looks at the cheapest columns and rows only. The wire length of
one component splits into a convex function of x and one of y, and the free places are what rectangles leave: the least
cost lies where a coordinate is best, or at an edge of an obstacle.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from redraft.studios.board.place.problem import Body, Floats, Numbers, Problem, Pulls, others_of

EJECTIONS = 3
"""While legalizing, components give way to others so many times the number of components."""

NEARBY = 0.1
"""A component gives up its halo where with it there is no room within this share of the longer side."""

OUTWARD = np.array([-1.0, -1.0, 1.0, 1.0])

CELLS = 50_000
"""So many places are looked at together, those of the best columns first."""

FIRST = 120
"""So many of the cheapest columns and rows of a window are looked at first; while refining, only these are."""

GRACE = 1.0
"""Seconds for which a legalization that is stopped goes on; what then has no place is left."""

NEAT = 0.25
"""What a pair of like components in a row is worth, in wires, as a share of the sum of their sides."""

CLOSED = 1e12
"""What a place costs that is taken, in micrometers."""

ROW, BESIDE = 1.5, 1500.0
"""A row's next component is at most so many of its sides and so many micrometers away."""

SMALL = 4.0
"""Components up to so many times the median size go to the other side of a full board."""


@dataclass(frozen=True)
class Place:
    """An origin and a state, what the wires cost there, and which components are in the way."""

    x: float
    y: float
    state: int
    cost: float
    ejects: tuple[int, ...] = ()


class State:
    """Where components lie, as arrays that change in place. A component that is lifted excludes nothing."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        count = len(problem.names)
        self.most = [max(len(body.boxes) for body in bodies) for bodies in problem.bodies]
        ends: list[int] = np.cumsum([0, *self.most]).tolist()
        self.slots = [slice(a, b) for a, b in pairwise(ends)]
        total = ends[-1]
        self.boxes = np.concatenate([np.zeros((total, 4)), problem.walls])
        self.kinds = np.concatenate([np.zeros(total, dtype=np.int64), problem.wall_kinds])
        self.owner = np.concatenate([np.repeat(np.arange(count), self.most), np.full(len(problem.walls), -1)])
        self.halos = np.concatenate([np.repeat(problem.halos[:count], self.most), problem.halos[count:]])
        self.pins = problem.places.copy()
        self.x, self.y = [0.0] * count, [0.0] * count
        self.state, self.lies = [0] * count, [False] * count
        self.steps = 0
        rooms = np.array([bodies[0].room for bodies in problem.bodies]).reshape(-1, 4)
        kinds = np.sort(rooms[:, 2:] - rooms[:, :2], axis=1)
        self.like = [np.flatnonzero((kinds == kind).all(axis=1)) for kind in kinds]
        """Of each component, those of its size, itself among them."""
        self.worth = NEAT * kinds.sum(axis=1)
        self.middles, self.spans = np.full((count, 2), math.nan), np.full((count, 2), math.nan)
        """The middles of the rooms of components, and their width and height; not a number for what is lifted."""
        self.layers = np.zeros(count, dtype=np.int64)
        self.neat = False
        """Whether places in a row with like components are preferred."""
        self.crowd: tuple[tuple[Floats, Floats], Floats] | None = None
        """Lines of a grid, and what a pin costs more in each cell, by row and column: where wires crowd."""

    def halo(self, c: int) -> float:
        """How far the halo of a component reaches, negative for none."""
        return float(self.halos[self.slots[c].start])

    def bare(self, c: int) -> None:
        """Let a component do without its halo."""
        self.halos[self.slots[c]] = -1.0

    def put(self, c: int, x: float, y: float, state: int) -> None:
        """Lay a component down."""
        body, slot = self.problem.bodies[c][state], self.slots[c]
        here = np.array((x, y, x, y))
        used = slice(slot.start, slot.start + len(body.boxes))
        self.kinds[slot] = 0
        self.boxes[used] = body.boxes + here
        self.kinds[used] = body.kinds
        self.pins[self.problem.rows[c]] = body.pins + here[:2]
        self.x[c], self.y[c], self.state[c], self.lies[c] = x, y, state, True
        self.middles[c] = here[:2] + (body.room[:2] + body.room[2:]) / 2
        self.spans[c], self.layers[c] = body.room[2:] - body.room[:2], body.layer

    def lift(self, c: int) -> None:
        """Take a component off; its pins stay, as the best guess of where they will be."""
        self.kinds[self.slots[c]] = 0
        self.lies[c] = False
        self.middles[c] = math.nan

    def in_row(self, c: int) -> Numbers:
        """The components with which one that lies is in a row or column: of its size, turned alike, side by side."""
        like = self.like[c]
        away = np.abs(self.middles[like] - self.middles[c])
        met = (away < 1.0) & (away[:, ::-1] < ROW * self.spans[c][::-1] + BESIDE)
        met = met.any(axis=1) & (self.spans[like] == self.spans[c]).all(axis=1) & (self.layers[like] == self.layers[c])
        return like[met & (like != c)]

    def toll(self, c: int) -> float:
        """What the crowd costs a component where it lies."""
        if self.crowd is None:
            return 0.0
        (columns, lines), toll = self.crowd
        i, j = _cells(columns, self.middles[c, 0]), _cells(lines, self.middles[c, 1])
        return len(self.problem.rows[c]) * float(toll[j, i])

    def neatness(self, group: Sequence[int]) -> float:
        """What the rows are worth in which components of a group lie."""
        total = 0.0
        for c in group:
            found = self.in_row(c)
            total += self.worth[c] * (len(found) - 0.5 * np.isin(found, group).sum())
        return total

    def guess(self, c: int, x: float, y: float, state: int) -> None:
        """Where a component will be about, with its pins only."""
        self.put(c, x, y, state)
        self.lift(c)

    def own_side(self, c: int) -> list[int]:
        """The states on the side where a component belongs."""
        bodies = self.problem.bodies[c]
        return [s for s, body in enumerate(bodies) if body.layer == bodies[0].layer]

    def far_side(self, c: int) -> list[int]:
        """The states on the other side; none but where a board is full."""
        bodies = self.problem.bodies[c]
        return [s for s, body in enumerate(bodies) if body.layer != bodies[0].layer]

    def sides(self, c: int) -> list[int]:
        """The states that it may change to: those on its own side, and on the one where it lies."""
        bodies, here = self.problem.bodies[c], self.state[c]
        return [s for s, body in enumerate(bodies) if body.layer in {bodies[0].layer, bodies[here].layer}]

    def length(self, nets: Numbers) -> float:
        """The weighted length of some nets."""
        if not len(nets):
            return 0.0
        rows, starts = self.problem.pins_of(nets)
        pins = self.pins[rows]
        span = np.maximum.reduceat(pins, starts, axis=0) - np.minimum.reduceat(pins, starts, axis=0)
        return float((span * self.problem.weights[nets]).sum())

    def total(self) -> float:
        """The weighted length of all nets."""
        starts = self.problem.starts[:-1]
        if not len(starts):
            return 0.0
        high, low = np.maximum.reduceat(self.pins, starts, axis=0), np.minimum.reduceat(self.pins, starts, axis=0)
        return float(((high - low) * self.problem.weights).sum())

    def wires(self) -> float:
        """The length of the nets that are wires, not weighted."""
        starts, end = self.problem.starts[: self.problem.wires], self.problem.starts[self.problem.wires]
        if not len(starts):
            return 0.0
        pins = self.pins[:end]
        return float((np.maximum.reduceat(pins, starts, axis=0) - np.minimum.reduceat(pins, starts, axis=0)).sum())

    def at_home(self, c: int) -> bool:
        """Whether a component lies as it does in the layout."""
        here = (self.x[c], self.y[c]) == tuple(self.problem.origins[c].tolist())
        return here and self.state[c] == self.problem.unmoved(c)

    def pulls(self, c: int) -> Pulls:
        return others_of(self.problem, self.pins, c)

    def free(self, c: int, x: float, y: float) -> bool:
        """Whether a component that is lifted fits there in the state that it had."""
        body, b, gaps = self.problem.bodies[c][self.state[c]], self.boxes, self._gaps(c, slice(None))
        for (x0, y0, x1, y1), against in zip(body.boxes.tolist(), body.against.tolist(), strict=True):
            met = (b[:, 0] < x + x1 + gaps) & (b[:, 2] > x + x0 - gaps)
            met &= (b[:, 1] < y + y1 + gaps) & (b[:, 3] > y + y0 - gaps)
            if ((self.kinds & against) != 0)[met].any():
                return False
        away = self._away(c, body)
        return not ((away[:, 0] < x) & (away[:, 2] > x) & (away[:, 1] < y) & (away[:, 3] > y)).any()

    def _away(self, c: int, body: Body) -> Floats:
        """Where the origin of a component may not be for the gaps that were asked for, (k, 4)."""
        found = list(self.problem.off.get(c, ()))
        for other, gap in self.problem.apart.get(c, ()):
            if self.lies[other]:
                room = self.problem.bodies[other][self.state[other]].room + np.array([self.x[other], self.y[other]] * 2)
                found.append(room + gap * OUTWARD)
        return np.array(found).reshape(-1, 4) - body.room[[2, 3, 0, 1]]

    def _gaps(self, c: int, some: Numbers | slice) -> Floats:
        """How far a component keeps from some boxes: the wider halo of both, where both have one."""
        own, theirs = self.halo(c), self.halos[some]
        return np.where((own < 0) | (theirs < 0), 0.0, np.maximum(own, theirs))

    def best(
        self,
        c: int,
        *,
        bound: float = math.inf,
        home: tuple[float, float, float] | None = None,
        price: Callable[[int], float] | None = None,
        states: Sequence[int] | None = None,
        reach: float = math.inf,
    ) -> Place | None:
        """The legal place of least cost below the bound; None where there is none. The component must be lifted.

        Args:
            home: x, y and the weight of the way from there.
            reach: no place is looked for much farther from the best than this.
            price: what it costs to eject another component; by default none is ejected.
        """
        pulls = self.pulls(c)
        options: list[tuple[float, int, _Well]] = []
        for s in range(len(self.problem.bodies[c])) if states is None else states:
            well = _Well.of(pulls, self.problem.bodies[c][s], home, self.problem.area)
            options.append((well.least, s, well))
        found: Place | None = None
        for least, s, well in sorted(options, key=lambda option: option[:2]):
            if least - self._most(c) >= bound - 1e-6:
                break
            place = self._search(c, s, well, bound, price, reach)
            if place is not None:
                found, bound = place, place.cost
        return found

    def _most(self, c: int) -> float:
        """What a place in rows is worth at most."""
        return 2.0 * self.worth[c] if self.neat else 0.0

    def _beside(self, c: int, body: Body) -> Floats:
        """Where the origin of a component is in a row or column with a like one, (k, 4): thin boxes about its place."""
        like, span = self.like[c], body.room[2:] - body.room[:2]
        some = (self.spans[like] == span).all(axis=1) & (self.layers[like] == body.layer)
        found = np.round(self.middles[like[some]] - (body.room[:2] + body.room[2:]) / 2)
        x, y = ROW * span + BESIDE
        found = np.concatenate([found, found], axis=1)
        return np.concatenate(
            [found + np.array([0.5, y, 0.5, y]) * OUTWARD, found + np.array([x, 0.5, x, 0.5]) * OUTWARD]
        )

    def _search(
        self, c: int, s: int, well: _Well, bound: float, price: Callable[[int], float] | None, most: float
    ) -> Place | None:
        """As `best`, in one state: in windows about the least cost that grow until no better place can be outside."""
        body = self.problem.bodies[c][s]
        x0, y0, x1, y1 = self.problem.area
        width, height = body.room[2:] - body.room[:2]
        reach, most = 0.7 * float(width + height) + 700.0, min(most, max(x1 - x0, y1 - y0))
        found: Place | None = None
        while True:
            self.steps += 1
            place = self._in_window(c, s, body, well, reach, bound, price)
            if place is not None:
                found, bound = place, place.cost
            if reach > most or well.outside(reach) - self._most(c) >= bound - 1e-6:
                return found
            reach *= 2.0

    def _in_window(
        self, c: int, s: int, body: Body, well: _Well, reach: float, bound: float, price: Callable[[int], float] | None
    ) -> Place | None:
        """The best place in a window: the least cost of the cells between edges of what is in the way."""
        barred, owner = self._barred(c, body, well, reach)
        beside, most = self._beside(c, body) if self.neat else np.zeros((0, 4)), self._most(c)
        middles = (beside[:, :2] + beside[:, 2:]) / 2
        near = (np.abs(middles - (well.x, well.y)) < reach + ROW * (body.room[2:] - body.room[:2]) + BESIDE).all(axis=1)
        beside, middles = beside[near], middles[near]
        xs, along = well.ticks(0, np.concatenate([barred[:, [0, 2]].ravel(), middles[:, 0]]), reach, bound + most)
        ys, down = well.ticks(1, np.concatenate([barred[:, [1, 3]].ravel(), middles[:, 1]]), reach, bound + most)
        if not len(xs) or not len(ys):
            return None
        heights = np.array([CLOSED if price is None or who < 0 else price(who) for who in owner.tolist()])
        rects, heights = (
            np.concatenate([barred, beside]),
            np.concatenate([heights, np.full(len(beside), -self.worth[c])]),
        )

        def cheapest(i: Numbers, j: Numbers, least: float) -> tuple[float, tuple[float, float] | None]:
            """The place of least cost on some columns and rows, if below what is known."""
            costs = down[j][:, None] + along[i][None, :]
            if self.crowd is not None:
                (columns, lines), toll = self.crowd
                x, y = (body.room[:2] + body.room[2:]) / 2
                costs += len(self.problem.rows[c]) * toll[_cells(lines, ys[j] + y)][:, _cells(columns, xs[i] + x)]
            spans = [np.searchsorted(at, rects[:, k], side) for at, k, side in _ends(xs[i], ys[j])]
            costs += _stacked(np.stack(spans), heights, costs.shape)
            row, column = divmod(int(costs.argmin()), len(i))
            if costs[row, column] < min(least, CLOSED / 2):
                return float(costs[row, column]), (float(xs[i[column]]), float(ys[j[row]]))
            return least, None

        by_x, by_y = np.argsort(along, kind="stable"), np.argsort(down, kind="stable")
        least, at = cheapest(np.sort(by_x[:FIRST]), np.sort(by_y[:FIRST]), bound - 1e-6)
        if self.crowd is None and max(len(xs), len(ys)) > FIRST:  # of the others only those that can still be better
            by_x = by_x[along[by_x] + down.min() - most < least]
            rows = np.flatnonzero(down + along.min() - most < least)
            wide = max(1, CELLS // max(len(rows), 1))
            for k in range(0, len(by_x), wide):
                if not len(rows) or along[by_x[k]] + down.min() - most >= least:
                    break
                least, found = cheapest(np.sort(by_x[k : k + wide]), rows, least)
                at = found or at
        if at is None:
            return None
        if price is None:
            return Place(*at, s, least)
        over = (barred[:, 0] < at[0]) & (barred[:, 2] > at[0]) & (barred[:, 1] < at[1]) & (barred[:, 3] > at[1])
        return Place(*at, s, least, tuple(sorted(set(owner[over].tolist()))))

    def _barred(self, c: int, body: Body, well: _Well, reach: float) -> tuple[Floats, Numbers]:
        """Where the origin of a component may not be in a window, (k, 4), and for whom; −1: nobody gives way."""
        halo = float(self.halos.max()) if self.halo(c) >= 0 else 0.0
        best = np.array([well.x, well.y])
        low = best - reach + body.boxes[:, :2].min(axis=0) - halo
        high = best + reach + body.boxes[:, 2:].max(axis=0) + halo
        met = (self.kinds & int(np.bitwise_or.reduce(body.against))) != 0
        met &= (self.boxes[:, :2] < high).all(axis=1) & (self.boxes[:, 2:] > low).all(axis=1)
        near = np.flatnonzero(met)
        kinds, owners = self.kinds[near], self.owner[near]
        rects = self.boxes[near] + self._gaps(c, near)[:, None] * OUTWARD
        away = self._away(c, body)
        pieces, whose = [away], [np.full(len(away), -1)]
        for box, against in zip(body.boxes, body.against.tolist(), strict=True):
            some = (kinds & against) != 0
            pieces.append(rects[some] - box[[2, 3, 0, 1]])
            whose.append(owners[some])
        return np.concatenate(pieces), np.concatenate(whose)


def _stacked(spans: Numbers, heights: Floats, shape: tuple[int, int]) -> Floats:
    """The sum of the heights of rectangles in each cell of a grid; spans are rows of i0, i1, j0, j1, ends excluded."""
    some = (spans[0] < spans[1]) & (spans[2] < spans[3]) & (heights != 0)
    i0, i1, j0, j1 = spans[:, some]
    width = shape[1] + 1
    corners = np.concatenate([j0 * width + i0, j1 * width + i1, j0 * width + i1, j1 * width + i0])
    steps = np.concatenate([heights[some]] * 2 + [-heights[some]] * 2)
    grid = np.asarray(np.bincount(corners, steps, (shape[0] + 1) * width), dtype=np.float64)
    return np.cumsum(np.cumsum(grid.reshape(-1, width), axis=0), axis=1)[:-1, :-1]


def _ends(xs: Floats, ys: Floats) -> tuple[tuple[Floats, int, Literal["left", "right"]], ...]:
    """For the columns and rows within rectangles: the coordinates, the edge, and the side of ties; edges are out."""
    return ((xs, 0, "right"), (xs, 2, "left"), (ys, 1, "right"), (ys, 3, "left"))


def _cells(lines: Floats, at: Floats) -> Numbers:
    """The cell between lines in which each place lies, the last for those beyond."""
    return np.searchsorted(lines[1:-1], at)


@dataclass
class _Well:
    """The cost of one component in one state, by the place of its origin: convex along each axis."""

    pulls: Pulls
    reach: Floats
    home: tuple[float, float, float] | None
    x: float = 0.0
    y: float = 0.0
    least: float = 0.0
    floors: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, pulls: Pulls, body: Body, home: tuple[float, float, float] | None, area: Sequence[float]) -> _Well:
        """With the place of least cost, on the board."""
        reach = pulls.reach(body.pins) if len(pulls.ties.nets) else np.zeros((0, 4))
        well = cls(pulls, reach, home)
        found = [0.0, 0.0]
        floors = [0.0, 0.0]
        room: list[float] = body.room.tolist()
        for axis in (0, 1):
            low, high = area[axis] - room[axis], area[axis + 2] - room[axis + 2]
            if high < low:
                low = high = (low + high) / 2
            corners = np.concatenate(
                [pulls.boxes[:, axis] - reach[:, axis], pulls.boxes[:, axis + 2] - reach[:, axis + 2]]
            )
            middle = (low + high) / 2 if home is None else home[axis]
            ticks = np.clip(np.concatenate([corners, [middle]]), low, high)
            costs = well.at(axis, ticks)
            floors[axis] = float(costs.min())
            flat = ticks[costs <= floors[axis] + 1e-6]
            found[axis] = float(round(min(max(middle, float(flat.min())), float(flat.max()))))
        well.x, well.y = found
        well.floors = (floors[0], floors[1])
        well.least = floors[0] + floors[1]
        return well

    def at(self, axis: int, places: Floats) -> Floats:
        """The cost along an axis, of many places."""
        costs = self.pulls.along(axis, self.reach, places)
        if self.home is not None:
            costs = costs + self.home[2] * np.abs(places - self.home[axis])
        return costs

    def ticks(self, axis: int, edges: Floats, reach: float, bound: float) -> tuple[Floats, Floats]:
        """Coordinates to try in a window, and their costs: edges, the best, and the window's ends.

        Those that the bound rules out are left out.
        """
        best, other = (self.x, self.y)[axis], self.floors[1 - axis]
        inside = edges[(edges > best - reach) & (edges < best + reach)]
        found = np.sort(np.concatenate([inside, [best - reach, best, best + reach]]))
        found = found[np.concatenate([[True], found[1:] > found[:-1]])]
        costs = self.at(axis, found)
        some = costs + other < bound
        return found[some], costs[some]

    def outside(self, reach: float) -> float:
        """The least cost outside a window about the best place."""
        ends = [
            float(self.at(axis, np.array([best - reach, best + reach])).min()) - self.floors[axis]
            for axis, best in ((0, self.x), (1, self.y))
        ]
        return self.least + min(ends)


def legalize(state: State, places: Floats, states: Numbers, *, pull: float, stop: Callable[[], bool]) -> list[int]:
    """Lay those that are lifted down near their places, the largest first; return those that found no room.

    A component without room nearby gives up its halo. Without room anywhere it goes to the other side if it may and is
    small, or ejects others, at a price that grows each time they are, until all lie or the patience ends.
    """
    problem = state.problem
    count = len(problem.names)
    chosen: list[int] = states.tolist()
    rooms = [body.room for body in problem.chosen(states)]
    corners = places - np.array([(room[:2] + room[2:]) / 2 for room in rooms]).reshape(-1, 2)
    origins: list[tuple[float, float]] = list(map(tuple, np.round(corners).tolist()))
    sizes = [float(np.prod(room[2:] - room[:2])) for room in rooms]
    lifted = [c for c in range(count) if not state.lies[c]]
    for c in lifted:
        state.guess(c, *origins[c], chosen[c])
    weight = [pull * max(1.0, float(problem.ties[c].weights.sum()) / 2) for c in range(count)]
    nearby = NEARBY * max(problem.area[2] - problem.area[0], problem.area[3] - problem.area[1])
    usual = float(np.median(sizes)) if sizes else 1.0
    prices = [size / usual * 1000.0 for size in sizes]
    queue = deque(sorted(lifted, key=lambda c: (-sizes[c], c)))
    homeless = list[int]()
    patience = EJECTIONS * count
    stopped = math.inf
    while queue:
        if stopped == math.inf and stop():
            stopped = time.monotonic()
        if time.monotonic() - stopped > GRACE:
            return homeless + list(queue)
        c = queue.popleft()
        home = (*origins[c], weight[c])
        own, other = state.own_side(c), state.far_side(c)
        place = None
        if state.halo(c) >= 0:
            place = state.best(c, home=home, states=own, reach=nearby)
        if place is None:
            state.bare(c)
            place = state.best(c, home=home, states=own)
        if place is None and other and sizes[c] <= SMALL * usual:
            place = state.best(c, home=home, states=other)
        if place is None and patience > 0 and stopped == math.inf:
            place = state.best(c, home=home, states=own, price=prices.__getitem__)
            for other in place.ejects if place else ():
                state.lift(other)
                prices[other] *= 1.3
                patience -= 1
                queue.append(other)
        if place is None:
            homeless.append(c)
        else:
            state.put(c, place.x, place.y, place.state)
    return homeless
