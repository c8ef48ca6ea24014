"""A first legal placement, box by box: each on the nearest spot that the boxes before it leave free."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from redraft.spatial.layout import Bounds
from redraft.spatial.solver.problem import ROUNDING, Problem, Rule, Shifts

__all__ = ["greedy", "limits", "nearest_spot", "ranked", "single"]

Limits = tuple[int, int, int, int]
"""Lowest and highest shift along x, then along y."""

Numbers = NDArray[np.float64]

FAR = 2**42


def single(rule: Rule) -> bool:
    """It bounds the shifts of one box, each by itself."""
    return len(rule.refs) == 1 and len(rule.options) == 1 and all(len(line.terms) == 1 for line in rule.options[0])


def limits(problem: Problem, name: str) -> Limits:
    """What the rules that bound this box alone leave of its shifts."""
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


def greedy(problem: Problem, names: Sequence[str], at: Shifts) -> Shifts | None:
    """Place the names among all other boxes; None when some box finds no spot. The largest choose first."""
    moving = set(names)
    shifts = dict(at)
    placed = [_shifted(problem.boxes[n], at[n]) for n in problem.boxes if n not in moving]
    owners = [n for n in problem.boxes if n not in moving]
    for name in sorted(names, key=lambda n: (-_area(problem.boxes[n]), n)):
        walls = [b for b, owner in zip(placed, owners, strict=True) if not problem.may_overlap(name, owner)]
        spot = nearest_spot(problem.boxes[name], walls, problem.gap, limits(problem, name), problem.weight(name))
        if spot is None:
            return None
        shifts[name] = spot
        placed.append(_shifted(problem.boxes[name], spot))
        owners.append(name)
    return shifts


def _area(box: Bounds) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _shifted(box: Bounds, shift: tuple[int, int]) -> Bounds:
    return (box[0] + shift[0], box[1] + shift[1], box[2] + shift[0], box[3] + shift[1])


def nearest_spot(
    box: Bounds, walls: Sequence[Bounds] | Numbers, gap: float, limit: Limits, weight: tuple[int, int] = (1, 1)
) -> tuple[int, int] | None:
    """The cheapest shift of a box that keeps `gap` from every wall, within the limits; None when there is none.

    The cheapest spot has each coordinate at home, at a limit, or against a wall, so only those are tried; walls are
    taken in from near to far until the spot found lies within what was taken in.
    """
    every = _forbidden(box, walls, gap)
    reach = 2.0 * max(box[2] - box[0], box[3] - box[1], 1.0)
    while True:
        away = np.maximum(np.maximum(every[0], -every[1]), np.maximum(every[2], -every[3]))
        near = every[:, away <= reach]
        spot = _cheapest(near, limit, weight)
        if near.shape[1] == every.shape[1] or (spot is not None and max(abs(spot[0]), abs(spot[1])) <= reach):
            return spot
        reach *= 2


def ranked(
    box: Bounds,
    walls: Sequence[Bounds] | Numbers,
    gap: float,
    limit: Limits,
    *,
    cost: Callable[[Numbers, Numbers], Numbers] = np.hypot,
    tries: tuple[Sequence[float], Sequence[float]] = ((), ()),
) -> Iterator[tuple[int, int]]:
    """Free shifts as for `nearest_spot`, the cheapest first, by the straight way unless a cost says otherwise.

    `cost` takes shifts along x and y that broadcast; `tries` are shifts worth trying beside those against walls.
    """
    every = _forbidden(box, walls, gap)
    away = np.maximum(np.maximum(every[0], -every[1]), np.maximum(every[2], -every[3]))
    reach = 2.0 * max(box[2] - box[0], box[3] - box[1], 1.0)
    done = 0.0
    while True:
        near = every[:, away <= reach]
        xs, ys, costs = _costs(near, limit, cost, tries)
        way = np.maximum(np.abs(xs)[:, None], np.abs(ys)) if costs.size else costs
        last = near.shape[1] == every.shape[1]
        open_ = np.isfinite(costs) & (way >= done) & (last | (way < reach))
        found = np.argwhere(open_)
        for i, j in found[np.argsort(costs[open_], kind="stable")]:
            yield int(xs[i]), int(ys[j])
        if last:
            return
        done, reach = reach, 2.0 * reach


def _forbidden(box: Bounds, walls: Sequence[Bounds] | Numbers, gap: float) -> Numbers:
    """For each wall the open interval of shifts along x, and along y, at which the box is too close: 4 × n."""
    x0, y0, x1, y1 = box
    a, b, c, d = np.asarray(walls, dtype=np.float64).reshape(-1, 4).T
    lows = np.floor(np.array([a - gap - x1, b - gap - y1]) + ROUNDING)
    highs = np.ceil(np.array([c + gap - x0, d + gap - y0]) - ROUNDING)
    return np.stack([lows[0], highs[0], lows[1], highs[1]])


def _cheapest(near: Numbers, limit: Limits, weight: tuple[int, int]) -> tuple[int, int] | None:
    def cost(dx: Numbers, dy: Numbers) -> Numbers:
        return weight[0] * np.abs(dx) + weight[1] * np.abs(dy)

    xs, ys, costs = _costs(near, limit, cost)
    if not costs.size:
        return None
    i, j = divmod(int(np.argmin(costs)), len(ys))
    return (int(xs[i]), int(ys[j])) if np.isfinite(costs[i, j]) else None


def _costs(
    near: Numbers,
    limit: Limits,
    cost: Callable[[Numbers, Numbers], Numbers],
    tries: tuple[Sequence[float], Sequence[float]] = ((), ()),
) -> tuple[Numbers, Numbers, Numbers]:
    """Shifts worth trying along x and y, and what each pair of them costs: infinite where a wall is in the way."""
    xs = _candidates(near[:2], limit[0], limit[1], tries[0])
    ys = _candidates(near[2:], limit[2], limit[3], tries[1])
    in_x = (near[0][:, None] < xs) & (xs < near[1][:, None])
    in_y = (near[2][:, None] < ys) & (ys < near[3][:, None])
    hit = in_x.T.astype(np.float32) @ in_y.astype(np.float32)
    return xs, ys, np.where(hit > 0, np.inf, cost(xs[:, None], ys[None, :]))


def _candidates(intervals: Numbers, low: int, high: int, tries: Sequence[float] = ()) -> Numbers:
    if low > high:
        return np.empty(0)
    home = np.array([min(max(0, low), high), *tries], dtype=np.float64)
    found = np.unique(np.concatenate([home, intervals[0], intervals[1]]))
    return found[(found >= low) & (found <= high)]
