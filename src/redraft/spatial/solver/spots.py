"""A first legal placement, box by box: each on the nearest spot that the boxes before it leave free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from redraft.spatial.layout import Bounds
from redraft.spatial.solver.problem import Problem, Rule, Shifts, down, up

__all__ = ["greedy", "limits", "nearest_spot", "single"]

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
    box: Bounds, walls: Sequence[Bounds], gap: float, limit: Limits, weight: tuple[int, int] = (1, 1)
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


def _forbidden(box: Bounds, walls: Sequence[Bounds], gap: float) -> Numbers:
    """For each wall the open interval of shifts along x, and along y, at which the box is too close: 4 × n."""
    x0, y0, x1, y1 = box
    rows = [(down(a - gap - x1), up(c + gap - x0), down(b - gap - y1), up(d + gap - y0)) for a, b, c, d in walls]
    return np.array(rows, dtype=np.float64).reshape(-1, 4).T


def _cheapest(near: Numbers, limit: Limits, weight: tuple[int, int]) -> tuple[int, int] | None:
    xs = _candidates(near[:2], limit[0], limit[1])
    ys = _candidates(near[2:], limit[2], limit[3])
    if not len(xs) or not len(ys):
        return None
    in_x = (near[0][:, None] < xs) & (xs < near[1][:, None])
    in_y = (near[2][:, None] < ys) & (ys < near[3][:, None])
    hit = in_x.T.astype(np.float32) @ in_y.astype(np.float32)
    cost = weight[0] * np.abs(xs)[:, None] + weight[1] * np.abs(ys) + np.where(hit > 0, np.inf, 0.0)
    i, j = divmod(int(np.argmin(cost)), len(ys))
    return (int(xs[i]), int(ys[j])) if np.isfinite(cost[i, j]) else None


def _candidates(intervals: Numbers, low: int, high: int) -> Numbers:
    home = np.array([min(max(0, low), high)], dtype=np.float64)
    found = np.unique(np.concatenate([home, intervals[0], intervals[1]]))
    return found[(found >= low) & (found <= high)]
