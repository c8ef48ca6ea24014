"""A first legal placement, box by box: each on the nearest spot that those before it leave free."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from redraft.layout.items import Bounds
from redraft.studios.board.solve.constraints import AXES, ROUNDING, Axis, Linear, Rule, ShiftProblem, Shifts

Limits = tuple[int, int, int, int]
"""Lowest and highest shift along x, then along y."""

Numbers = NDArray[np.float64]

FAR = 2**42

MAX_ORDERS = 6
"""Orders in which boxes are placed, while some have no spot."""

MAX_TABLE = 64
"""Walls whose candidates are all looked at in one table, which grows with the cube of their number."""

SWEEP_COST = 3000
"""The cost of a sweep along a line, in walls looked at, whatever the number of walls."""

MAX_FIRST = 128
"""Shifts that are put in order before all others, of which seldom any is needed."""


@dataclass
class Budget:
    """The effort of a search, in all, on places among very many walls: about so many walls looked at.

    It does not change which place is the nearest; without it, places that lie far away are not reached.
    """

    left: float = 8e7


def single(rule: Rule) -> bool:
    """Return whether a rule bounds the shifts of one box, each by itself."""
    return len(rule.refs) == 1 and len(rule.options) == 1 and all(len(line.terms) == 1 for line in rule.options[0])


def limits(problem: ShiftProblem, name: str) -> Limits:
    """Return the range of shifts that the constraints on this box alone allow."""
    low, high = [-FAR, -FAR], [FAR, FAR]
    for rule in problem.rules:
        if not single(rule) or name not in rule.refs:
            continue
        for line in rule.options[0]:
            ((coefficient, _, axis),) = line.terms
            assert coefficient == 1
            low[axis] = max(low[axis], -FAR if line.lower is None else line.lower)
            high[axis] = min(high[axis], FAR if line.upper is None else line.upper)
    return (low[0], high[0], low[1], high[1])


def rigid(rule: Rule) -> bool:
    """Return whether a rule that holds goes on holding when all of its boxes move by the same."""

    def balanced(line: Linear, axis: Axis) -> bool:
        return sum(c for c, _, a in line.terms if a == axis) == 0

    return all(balanced(line, axis) for option in rule.options for line in option for axis in AXES)


def greedy(problem: ShiftProblem, names: Sequence[str], at: Shifts, budget: Budget) -> tuple[Shifts, tuple[str, ...]]:
    """Place the names among all other boxes; return the shifts, and the names, if any, that have no spot.

    The largest choose first; where some have no spot these choose first of all the next time, a few times over, and
    the answer with the fewest of them counts. Boxes that a rule ties to each other move by the same; rules that are
    not `rigid` are not looked at.
    """
    tied: dict[str, tuple[str, ...]] = {name: (name,) for name in names}
    for rule in problem.rules:
        members = [name for name in names if name in rule.refs]
        if len(members) > 1:
            joined = tuple(dict.fromkeys(n for member in members for n in tied[member]))
            tied.update(dict.fromkeys(joined, joined))

    def area(group: tuple[str, ...]) -> float:
        boxes = [problem.boxes[name] for name in group]
        return sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes)

    groups = sorted(dict.fromkeys(tied.values()), key=lambda group: (-area(group), group))
    best, homeless = _in_order(problem, groups, at, budget)
    hopeless = (
        [group for group in homeless if _in_order(problem, [group], at, budget, groups)[1]] if len(groups) > 1 else []
    )
    groups, again = [group for group in groups if group not in hopeless], homeless
    for _ in range(MAX_ORDERS):
        again = [group for group in again if group not in hopeless]
        if not again or again == groups[: len(again)] or budget.left <= 0:
            break
        groups = [*again, *(group for group in groups if group not in again)]
        shifts, again = _in_order(problem, groups, at, budget)
        if len(again) + len(hopeless) < len(homeless):
            best, homeless = shifts, [*hopeless, *again]
    return best, tuple(name for group in homeless for name in group)


def _in_order(
    problem: ShiftProblem,
    groups: Sequence[tuple[str, ...]],
    at: Shifts,
    budget: Budget,
    absent: Sequence[tuple[str, ...]] = (),
) -> tuple[dict[str, tuple[int, int]], list[tuple[str, ...]]]:
    """Return each group on its nearest spot, and the groups that have none; `absent` ones block nothing."""
    shifts, homeless = dict(at), list[tuple[str, ...]]()
    placed = problem.placed(at)
    there = np.ones(len(placed), dtype=np.bool_)
    there[[problem.rows[name] for group in (*groups, *absent) for name in group]] = False
    for group in groups:
        spot = _group_spot(problem, group, placed, there, budget)
        if spot is None:
            homeless.append(group)
            continue
        for name in group:
            row = problem.rows[name]
            shifts[name], there[row] = spot, True
            placed[row] = problem.table[row] + (*spot, *spot)
    return shifts, homeless


def _group_spot(
    problem: ShiftProblem, group: Sequence[str], placed: Numbers, there: NDArray[np.bool_], budget: Budget
) -> tuple[int, int] | None:
    """Return the nearest spot for all of a group, among the boxes that are there."""
    pairs = ((a, b) for a, b in combinations(group, 2) if not problem.may_overlap(a, b))
    if any(all(distance > 0 for distance in problem.separation(a, b)) for a, b in pairs):
        return None  # they overlap each other, wherever they go
    bounds = np.array([limits(problem, name) for name in group])
    low, high = bounds.max(axis=0), bounds.min(axis=0)
    weights = [problem.weight(name) for name in group]
    walls = [_forbidden(problem.boxes[n], placed[there & problem.excluding(n)], problem.gap) for n in group]
    limit = (int(low[0]), int(high[1]), int(low[2]), int(high[3]))
    size = max(max(b[2] - b[0], b[3] - b[1]) for b in (problem.boxes[name] for name in group))
    weight = (sum(w for w, _ in weights), sum(w for _, w in weights))
    return _spot(np.concatenate(walls, axis=1), size, limit, weight, budget)


def _spot(
    every: Numbers, size: float, limit: Limits, weight: tuple[int, int], budget: Budget
) -> tuple[int, int] | None:
    """Return the cheapest shift that no wall forbids, within the limits; None when there is none.

    It has each coordinate at home, at a limit, or against a wall, so only those are tried; walls are taken in from
    near to far until the spot found lies within what was taken in, or they are too many for one table.
    """
    reach = 2.0 * max(size, 1.0)
    away = np.maximum(np.maximum(every[0], -every[1]), np.maximum(every[2], -every[3]))
    while True:
        near = every[:, away <= reach]
        if near.shape[1] > MAX_TABLE:
            return _swept(every, limit, weight, budget)
        xs, ys, costs = _costs(near, limit, lambda dx, dy: weight[0] * np.abs(dx) + weight[1] * np.abs(dy))
        spot = None
        if costs.size:
            i, j = divmod(int(np.argmin(costs)), len(ys))
            spot = (int(xs[i]), int(ys[j])) if np.isfinite(costs[i, j]) else None
        if near.shape[1] == every.shape[1] or (spot is not None and max(abs(spot[0]), abs(spot[1])) <= reach):
            return spot
        reach *= 2


def _swept(every: Numbers, limit: Limits, weight: tuple[int, int], budget: Budget) -> tuple[int, int] | None:
    """Return the cheapest free shift: of the candidates along x, the nearest first, each with its nearest free y."""
    if limit[2] > limit[3]:
        return None
    walls = every[:, np.argsort(every[2], kind="stable")]
    xs = _candidates(walls[:2], limit[0], limit[1])
    home = min(max(0, limit[2]), limit[3])
    best, least = None, np.inf
    for x in xs[np.argsort(np.abs(xs), kind="stable")]:
        spent = weight[0] * abs(x)
        if spent + weight[1] * abs(home) >= least:
            return best
        if budget.left <= 0:
            return None
        budget.left -= SWEEP_COST + walls.shape[1]
        for y in _free_along(walls[2:, (walls[0] < x) & (x < walls[1])], home):
            if limit[2] <= y <= limit[3] and (cost := spent + weight[1] * abs(y)) < least:
                best, least = (int(x), int(y)), cost
    return best


def _free_along(intervals: Numbers, home: int) -> tuple[float, ...]:
    """Return the nearest places, below and above, that no open interval holds; intervals are in order of their lows."""
    lows, highs = intervals
    if not ((lows < home) & (home < highs)).any():
        return (home,)
    ends = np.maximum.accumulate(highs)
    starts = np.flatnonzero(np.concatenate([[True], lows[1:] >= ends[:-1]]))  # of runs without a free place
    run = np.searchsorted(lows[starts], home, side="left") - 1
    last = starts[run + 1] - 1 if run + 1 < len(starts) else len(lows) - 1
    return (float(lows[starts[run]]), float(ends[last]))


def ranked(
    box: Bounds,
    walls: Sequence[Bounds] | Numbers,
    gap: float,
    limit: Limits,
    *,
    cost: Callable[[Numbers, Numbers], Numbers] = np.hypot,
    tries: tuple[Sequence[float], Sequence[float]] = ((), ()),
) -> Iterator[tuple[int, int]]:
    """Yield free shifts of a box that keeps `gap` from every wall, the cheapest first, by straight distance by default.

    `cost` takes shifts along x and y that broadcast; `tries` are shifts worth trying beside those against walls.
    """
    every = _forbidden(box, walls, gap)
    away = np.maximum(np.maximum(every[0], -every[1]), np.maximum(every[2], -every[3]))
    reach = 2.0 * max(box[2] - box[0], box[3] - box[1], 1.0)
    done = 0.0
    while True:
        near = every[:, away <= reach]
        xs, ys, costs = _costs(near, limit, cost, tries)
        # Only shifts within reach by their cost too: a dearer one may come after one that is farther along an axis.
        way = np.maximum(np.maximum(np.abs(xs)[:, None], np.abs(ys)), costs) if costs.size else costs
        last = near.shape[1] == every.shape[1]
        open_ = np.isfinite(costs) & (way >= done) & (last | (way < reach))
        rows, columns = np.nonzero(open_)
        free = costs[open_]
        first = free <= np.partition(free, MAX_FIRST)[MAX_FIRST] if len(free) > MAX_FIRST else np.full(len(free), True)
        for some in (np.flatnonzero(first), np.flatnonzero(~first)):
            for k in some[np.argsort(free[some], kind="stable")].tolist():
                yield int(xs[rows[k]]), int(ys[columns[k]])
        if last:
            return
        done, reach = reach, 2.0 * reach


def _forbidden(box: Bounds, walls: Sequence[Bounds] | Numbers, gap: float) -> Numbers:
    """Return for each wall the open intervals of shifts along x and y at which the box is too close: 4 × n."""
    x0, y0, x1, y1 = box
    a, b, c, d = np.asarray(walls, dtype=np.float64).reshape(-1, 4).T
    lows = np.floor(np.array([a - gap - x1, b - gap - y1]) + ROUNDING)
    highs = np.ceil(np.array([c + gap - x0, d + gap - y0]) - ROUNDING)
    return np.stack([lows[0], highs[0], lows[1], highs[1]])


def _costs(
    near: Numbers,
    limit: Limits,
    cost: Callable[[Numbers, Numbers], Numbers],
    tries: tuple[Sequence[float], Sequence[float]] = ((), ()),
) -> tuple[Numbers, Numbers, Numbers]:
    """Return shifts worth trying along x and y, and the cost of each pair: infinite where a wall is in the way."""
    xs = _candidates(near[:2], limit[0], limit[1], tries[0])
    ys = _candidates(near[2:], limit[2], limit[3], tries[1])
    in_x = (near[0][:, None] < xs) & (xs < near[1][:, None])
    in_y = (near[2][:, None] < ys) & (ys < near[3][:, None])
    hit = np.zeros((len(xs), len(ys)), dtype=np.bool_)
    for start in range(0, near.shape[1], 64):
        hit |= (_bits(in_x[start : start + 64])[:, None] & _bits(in_y[start : start + 64])) != 0
    return xs, ys, np.where(hit, np.inf, cost(xs[:, None], ys[None, :]))


def _bits(rows: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack up to 64 rows of yes and no into one number for each column: a matrix product would cost threads."""
    packed = np.zeros((8, rows.shape[1]), dtype=np.uint8)
    packed[: -(-len(rows) // 8)] = np.packbits(rows, axis=0)
    return np.ascontiguousarray(packed.T).view(np.uint64)[:, 0]


def _candidates(intervals: Numbers, low: int, high: int, tries: Sequence[float] = ()) -> Numbers:
    """Return the shifts along an axis that are worth trying: the one nearest to home, and those against walls."""
    if low > high:
        return np.empty(0)
    home = np.array([min(max(0, low), high), *tries], dtype=np.float64)
    shifts = np.unique(np.concatenate([home, intervals[0], intervals[1]]))
    return shifts[(shifts >= low) & (shifts <= high)]
