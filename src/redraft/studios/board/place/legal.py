"""Legal places for components: the state of a placement, the best free place for one component, and legalization.

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

import numpy as np

from redraft.studios.board.place.problem import Body, Floats, Numbers, Problem, Pulls, others_of

EJECTIONS = 3
"""While legalizing, components give way to others so many times the number of components."""

NEARBY = 0.1
"""A component gives up its halo where with it there is no room within this share of the longer side."""

OUTWARD = np.array([-1.0, -1.0, 1.0, 1.0])

MAX_CELLS = 50_000
"""So many places are looked at together, those of the best columns first."""

MAX_LINES = 120
"""So many of the cheapest columns and rows of a window are looked at first; while refining, only these are."""

GRACE = 1.0
"""Seconds for which a legalization that is stopped goes on; what then has no place is left."""

NEAT = 0.25
"""The worth of a pair of like components in a row, in wires, as a share of the sum of their sides."""

CLOSED = 1e12
"""The cost of a place that is taken, in micrometers."""

ROW_SIDES, ROW_GAP = 1.5, 1500.0
"""A row's next component is at most so many of its sides and so many micrometers away."""

SMALL = 4.0
"""Components up to so many times the median size go to the other side of a full board."""


@dataclass(frozen=True)
class Place:
    """An origin and a state, the cost of the wires there, and the components that are in the way."""

    x: float
    y: float
    state: int
    cost: float
    ejects: tuple[int, ...] = ()


class State:
    """The places of components, as arrays that change in place. A component that is lifted excludes nothing."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        count = len(problem.names)
        slots = [max(len(body.boxes) for body in bodies) for bodies in problem.bodies]
        ends: list[int] = np.cumsum([0, *slots]).tolist()
        self.slots = [slice(a, b) for a, b in pairwise(ends)]
        total = ends[-1]
        self.boxes = np.concatenate([np.zeros((total, 4)), problem.walls])
        self.kinds = np.concatenate([np.zeros(total, dtype=np.int64), problem.wall_kinds])
        self.owner = np.concatenate([np.repeat(np.arange(count), slots), np.full(len(problem.walls), -1)])
        self.halos = np.concatenate([np.repeat(problem.halos[:count], slots), problem.halos[count:]])
        self.pins = problem.places.copy()
        self.x, self.y = [0.0] * count, [0.0] * count
        self.state, self.lies = [0] * count, [False] * count
        self.steps = 0
        rooms = np.array([bodies[0].room for bodies in problem.bodies]).reshape(-1, 4)
        kinds = np.sort(rooms[:, 2:] - rooms[:, :2], axis=1)
        self.like = [np.flatnonzero((kinds == kind).all(axis=1)) for kind in kinds]
        """For each component, those of its size, itself among them."""
        self.worth = NEAT * kinds.sum(axis=1)
        self.middles, self.spans = np.full((count, 2), math.nan), np.full((count, 2), math.nan)
        """The middles of the rooms of components, and their width and height; not a number for what is lifted."""
        self.layers = np.zeros(count, dtype=np.int64)
        self.neat = False
        """True to prefer places in a row with like components."""
        self.crowd: tuple[tuple[Floats, Floats], Floats] | None = None
        """Lines of a grid, and the extra cost of a pin in each cell, by row and column: where wires crowd."""

    def halo(self, c: int) -> float:
        """Return the reach of a component's halo, negative for none."""
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
        """Return the components in a row or column with one that lies: of its size, turned alike, side by side."""
        like = self.like[c]
        away = np.abs(self.middles[like] - self.middles[c])
        met = (away < 1.0) & (away[:, ::-1] < ROW_SIDES * self.spans[c][::-1] + ROW_GAP)
        met = met.any(axis=1) & (self.spans[like] == self.spans[c]).all(axis=1) & (self.layers[like] == self.layers[c])
        return like[met & (like != c)]

    def toll(self, c: int) -> float:
        """Return the cost of crowded wires for a component where it lies."""
        if self.crowd is None:
            return 0.0
        (columns, lines), toll = self.crowd
        i, j = _cells(columns, self.middles[c, 0]), _cells(lines, self.middles[c, 1])
        return len(self.problem.rows[c]) * float(toll[j, i])

    def neatness(self, group: Sequence[int]) -> float:
        """Return the worth of the rows in which components of a group lie."""
        total = 0.0
        for c in group:
            row = self.in_row(c)
            total += self.worth[c] * (len(row) - 0.5 * np.isin(row, group).sum())
        return total

    def guess(self, c: int, x: float, y: float, state: int) -> None:
        """Set the pins of a component where it will be about; it excludes nothing there."""
        self.put(c, x, y, state)
        self.lift(c)

    def own_side(self, c: int) -> list[int]:
        """Return the states on the side where a component belongs."""
        bodies = self.problem.bodies[c]
        return [s for s, body in enumerate(bodies) if body.layer == bodies[0].layer]

    def far_side(self, c: int) -> list[int]:
        """Return the states on the other side; there are some only where a board is full."""
        bodies = self.problem.bodies[c]
        return [s for s, body in enumerate(bodies) if body.layer != bodies[0].layer]

    def sides(self, c: int) -> list[int]:
        """Return the states that it may change to: those on its own side, and on the one where it lies."""
        bodies, here = self.problem.bodies[c], self.state[c]
        return [s for s, body in enumerate(bodies) if body.layer in {bodies[0].layer, bodies[here].layer}]

    def length(self, nets: Numbers) -> float:
        """Return the weighted length of some nets."""
        if not len(nets):
            return 0.0
        rows, starts = self.problem.pins_of(nets)
        pins = self.pins[rows]
        span = np.maximum.reduceat(pins, starts, axis=0) - np.minimum.reduceat(pins, starts, axis=0)
        return float((span * self.problem.weights[nets]).sum())

    def total(self) -> float:
        """Return the weighted length of all nets."""
        starts = self.problem.starts[:-1]
        if not len(starts):
            return 0.0
        high, low = np.maximum.reduceat(self.pins, starts, axis=0), np.minimum.reduceat(self.pins, starts, axis=0)
        return float(((high - low) * self.problem.weights).sum())

    def wires(self) -> float:
        """Return the length of the nets that are wires, not weighted."""
        starts, end = self.problem.starts[: self.problem.wires], self.problem.starts[self.problem.wires]
        if not len(starts):
            return 0.0
        pins = self.pins[:end]
        return float((np.maximum.reduceat(pins, starts, axis=0) - np.minimum.reduceat(pins, starts, axis=0)).sum())

    def at_home(self, c: int) -> bool:
        """Return whether a component lies as it does in the layout."""
        here = (self.x[c], self.y[c]) == tuple(self.problem.origins[c].tolist())
        return here and self.state[c] == self.problem.unmoved(c)

    def pulls(self, c: int) -> Pulls:
        """Return the pulls of other pins on a component."""
        return others_of(self.problem, self.pins, c)

    def free(self, c: int, x: float, y: float) -> bool:
        """Return whether a component that is lifted fits there in the state that it had."""
        body, b, gaps = self.problem.bodies[c][self.state[c]], self.boxes, self._gaps(c, slice(None))
        for (x0, y0, x1, y1), against in zip(body.boxes.tolist(), body.against.tolist(), strict=True):
            met = (b[:, 0] < x + x1 + gaps) & (b[:, 2] > x + x0 - gaps)
            met &= (b[:, 1] < y + y1 + gaps) & (b[:, 3] > y + y0 - gaps)
            if ((self.kinds & against) != 0)[met].any():
                return False
        away = self._away(c, body)
        return not ((away[:, 0] < x) & (away[:, 2] > x) & (away[:, 1] < y) & (away[:, 3] > y)).any()

    def _away(self, c: int, body: Body) -> Floats:
        """Return where the origin of a component may not be for the gaps of the goal, (k, 4)."""
        boxes = list(self.problem.off.get(c, ()))
        for other, gap in self.problem.apart.get(c, ()):
            if self.lies[other]:
                room = self.problem.bodies[other][self.state[other]].room + np.array([self.x[other], self.y[other]] * 2)
                boxes.append(room + gap * OUTWARD)
        return np.array(boxes).reshape(-1, 4) - body.room[[2, 3, 0, 1]]

    def _gaps(self, c: int, some: Numbers | slice) -> Floats:
        """Return the gaps that a component keeps from some boxes: the wider halo of both, where both have one."""
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
        """Return the legal place of least cost below the bound, or None. The component must be lifted.

        Args:
            home: x, y and the weight of the way from there.
            reach: the search ends about so far from the best place.
            price: the cost of ejecting another component; by default none is ejected.
        """
        pulls = self.pulls(c)
        options: list[tuple[float, int, _Well]] = []
        for s in range(len(self.problem.bodies[c])) if states is None else states:
            well = _Well.of(pulls, self.problem.bodies[c][s], home, self.problem.area)
            options.append((well.least, s, well))
        best: Place | None = None
        for least, s, well in sorted(options, key=lambda option: option[:2]):
            if least - self._max_worth(c) >= bound - 1e-6:
                break
            place = self._best_in_state(c, s, well, bound, price, reach)
            if place is not None:
                best, bound = place, place.cost
        return best

    def _max_worth(self, c: int) -> float:
        """Return the worth of a place in rows at most."""
        return 2.0 * self.worth[c] if self.neat else 0.0

    def _best_in_state(
        self, c: int, s: int, well: _Well, bound: float, price: Callable[[int], float] | None, at_most: float
    ) -> Place | None:
        """As `best`, in one state: in windows about the least cost that grow until no better place can be outside."""
        body = self.problem.bodies[c][s]
        x0, y0, x1, y1 = self.problem.area
        width, height = body.room[2:] - body.room[:2]
        reach, at_most = 0.7 * float(width + height) + 700.0, min(at_most, max(x1 - x0, y1 - y0))
        best: Place | None = None
        while True:
            self.steps += 1
            place = self._best_in_window(c, s, body, well, reach, bound, price)
            if place is not None:
                best, bound = place, place.cost
            if reach > at_most or well.outside(reach) - self._max_worth(c) >= bound - 1e-6:
                return best
            reach *= 2.0

    def _best_in_window(
        self, c: int, s: int, body: Body, well: _Well, reach: float, bound: float, price: Callable[[int], float] | None
    ) -> Place | None:
        """Return the best place in a window: the least cost of the cells between edges of what is in the way."""
        barred, owner = self._barred(c, body, well, reach)
        max_worth = self._max_worth(c)

        # Rows and columns with like components make their places cheaper: thin boxes about them.
        rows, middles = np.zeros((0, 4)), np.zeros((0, 2))
        if self.neat:
            like, span = self.like[c], body.room[2:] - body.room[:2]
            alike = (self.spans[like] == span).all(axis=1) & (self.layers[like] == body.layer)
            at = np.round(self.middles[like[alike]] - (body.room[:2] + body.room[2:]) / 2)
            x, y = ROW_SIDES * span + ROW_GAP
            at = np.concatenate([at, at], axis=1)
            rows = np.concatenate(
                [at + np.array([0.5, y, 0.5, y]) * OUTWARD, at + np.array([x, 0.5, x, 0.5]) * OUTWARD]
            )
            middles = (rows[:, :2] + rows[:, 2:]) / 2
            near = (np.abs(middles - (well.x, well.y)) < reach + ROW_SIDES * span + ROW_GAP).all(axis=1)
            rows, middles = rows[near], middles[near]

        xs, along = well.ticks(0, np.concatenate([barred[:, [0, 2]].ravel(), middles[:, 0]]), reach, bound + max_worth)
        ys, down = well.ticks(1, np.concatenate([barred[:, [1, 3]].ravel(), middles[:, 1]]), reach, bound + max_worth)
        if not len(xs) or not len(ys):
            return None
        prices = np.array([CLOSED if price is None or who < 0 else price(who) for who in owner.tolist()])
        rects = np.concatenate([barred, rows])
        heights = np.concatenate([prices, np.full(len(rows), -self.worth[c])])

        def cheapest(i: Numbers, j: Numbers, least: float) -> tuple[float, tuple[float, float] | None]:
            """Return the place of least cost on some columns and rows, if below the least cost so far."""
            costs, columns_x, rows_y = down[j][:, None] + along[i][None, :], xs[i], ys[j]
            if self.crowd is not None:
                (columns, lines), toll = self.crowd
                x, y = (body.room[:2] + body.room[2:]) / 2
                costs += len(self.problem.rows[c]) * toll[_cells(lines, rows_y + y)][:, _cells(columns, columns_x + x)]
            # The columns and rows within rectangles; the edges themselves are free.
            spans = (
                np.searchsorted(columns_x, rects[:, 0], "right"), np.searchsorted(columns_x, rects[:, 2], "left"),
                np.searchsorted(rows_y, rects[:, 1], "right"), np.searchsorted(rows_y, rects[:, 3], "left"),
            )  # fmt: skip
            costs += _stacked(np.stack(spans), heights, costs.shape)
            row, column = divmod(int(costs.argmin()), len(i))
            if costs[row, column] < min(least, CLOSED / 2):
                return float(costs[row, column]), (float(xs[i[column]]), float(ys[j[row]]))
            return least, None

        by_x, by_y = np.argsort(along, kind="stable"), np.argsort(down, kind="stable")
        least, at = cheapest(np.sort(by_x[:MAX_LINES]), np.sort(by_y[:MAX_LINES]), bound - 1e-6)
        if self.crowd is None and max(len(xs), len(ys)) > MAX_LINES:  # of the others only those that can be better
            by_x = by_x[along[by_x] + down.min() - max_worth < least]
            some = np.flatnonzero(down + along.min() - max_worth < least)
            wide = max(1, MAX_CELLS // max(len(some), 1))
            for k in range(0, len(by_x), wide):
                if not len(some) or along[by_x[k]] + down.min() - max_worth >= least:
                    break
                least, better = cheapest(np.sort(by_x[k : k + wide]), some, least)
                at = better or at
        if at is None:
            return None
        if price is None:
            return Place(*at, s, least)
        over = (barred[:, 0] < at[0]) & (barred[:, 2] > at[0]) & (barred[:, 1] < at[1]) & (barred[:, 3] > at[1])
        return Place(*at, s, least, tuple(sorted(set(owner[over].tolist()))))

    def _barred(self, c: int, body: Body, well: _Well, reach: float) -> tuple[Floats, Numbers]:
        """Return where the origin of a component may not be in a window, (k, 4), and the component that it is for.

        −1 is what never gives way.
        """
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
    """Return the sum of the heights of rectangles in each cell of a grid.

    Spans are rows of i0, i1, j0, j1, ends excluded.
    """
    some = (spans[0] < spans[1]) & (spans[2] < spans[3]) & (heights != 0)
    i0, i1, j0, j1 = spans[:, some]
    width = shape[1] + 1
    corners = np.concatenate([j0 * width + i0, j1 * width + i1, j0 * width + i1, j1 * width + i0])
    steps = np.concatenate([heights[some]] * 2 + [-heights[some]] * 2)
    grid = np.asarray(np.bincount(corners, steps, (shape[0] + 1) * width), dtype=np.float64)
    return np.cumsum(np.cumsum(grid.reshape(-1, width), axis=0), axis=1)[:-1, :-1]


def _cells(lines: Floats, at: Floats) -> Numbers:
    """Return the cell between lines in which each place lies, the last for those beyond."""
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
        """Return the cost with its least place, on the board."""
        reach = pulls.reach(body.pins) if len(pulls.ties.nets) else np.zeros((0, 4))
        well = cls(pulls, reach, home)
        best, floors = [0.0, 0.0], [0.0, 0.0]
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
            best[axis] = float(round(min(max(middle, float(flat.min())), float(flat.max()))))
        well.x, well.y = best
        well.floors = (floors[0], floors[1])
        well.least = floors[0] + floors[1]
        return well

    def at(self, axis: int, places: Floats) -> Floats:
        """Return the cost along an axis, of many places."""
        costs = self.pulls.along(axis, self.reach, places)
        if self.home is not None:
            costs = costs + self.home[2] * np.abs(places - self.home[axis])
        return costs

    def ticks(self, axis: int, edges: Floats, reach: float, bound: float) -> tuple[Floats, Floats]:
        """Return coordinates to try in a window, and their costs: edges, the best, and the window's ends.

        Those that the bound rules out are left out.
        """
        best, other = (self.x, self.y)[axis], self.floors[1 - axis]
        inside = edges[(edges > best - reach) & (edges < best + reach)]
        ticks = np.sort(np.concatenate([inside, [best - reach, best, best + reach]]))
        ticks = ticks[np.concatenate([[True], ticks[1:] > ticks[:-1]])]
        costs = self.at(axis, ticks)
        some = costs + other < bound
        return ticks[some], costs[some]

    def outside(self, reach: float) -> float:
        """Return the least cost outside a window about the best place."""
        ends = [
            float(self.at(axis, np.array([best - reach, best + reach])).min()) - self.floors[axis]
            for axis, best in ((0, self.x), (1, self.y))
        ]
        return self.least + min(ends)


def legalize(state: State, places: Floats, states: Numbers, *, pull: float, stop: Callable[[], bool]) -> list[int]:
    """Lay the lifted components down near their places, the largest first; return those that found no room.

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
