"""The global placement: short wires against an even density, overlaps allowed, as a start for legalization.

A sparse quadratic program gives the first places. From there wires and density are balanced as in ePlace (Lu et al.,
2015): wires as the weighted average of pins, components and filler as charges whose potential is solved for with
cosine transforms, and Nesterov's method with Lipschitz steps. Components turn to the best of their states on the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy.fft import dctn, idctn  # pyright: ignore[reportUnknownVariableType]
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve  # pyright: ignore[reportUnknownVariableType]

from redraft.studios.board.place.problem import BACK, FRONT, Floats, Numbers, Problem

cosines = cast("Callable[..., Floats]", dctn)
inverse = cast("Callable[..., Floats]", idctn)
solve = cast("Callable[..., Floats]", spsolve)

MAX_STEPS = 500
"""Steps of the descent, at most."""

ENOUGH = 0.07
"""The share of the components' area above the target density at which the descent ends."""

DENSITY = 0.7
"""The density that is aimed at; fuller boards get what they need."""

MAX_FILL = 0.7
"""Components with half of their halos fill at most so much of a side."""

GROWTH = 1.04
"""The weight of density grows by this each step."""

TURNING = 25
"""Components turn every so many steps."""


def start(problem: Problem, seed: int) -> Floats:
    """Return first places, (n, 2): the least sum of squared wires, nets as stars about their middle.

    A weak pull to the middle of the board keeps what nothing else holds; a seeded shift keeps apart what is alike.
    """
    count, nets = len(problem.names), len(problem.starts) - 1
    x0, y0, x1, y1 = problem.area
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    sizes = np.diff(problem.starts)
    net = np.repeat(np.arange(nets), sizes)
    moves = problem.owners >= 0
    offsets = offsets_of(problem, np.zeros(count, dtype=np.int64))
    places = np.empty((count, 2))
    rng = np.random.default_rng(seed)
    for axis in (0, 1):
        weight = np.repeat(problem.weights[:, axis] / np.maximum(sizes - 1, 1), sizes)
        rows = np.where(moves, problem.owners, 0)
        # Unknowns: the components, then the middle of each net.
        diagonal = np.zeros(count + nets)
        np.add.at(diagonal, rows[moves], weight[moves])
        np.add.at(diagonal, count + net, weight)
        right = np.zeros(count + nets)
        np.add.at(right, count + net, weight * np.where(moves, offsets[:, axis], problem.places[:, axis]))
        np.add.at(right, rows[moves], -(weight * offsets[:, axis])[moves])
        weak = 1e-3 * max(float(weight.mean()) if len(weight) else 1.0, 1e-6)
        diagonal += weak
        right += weak * middle[axis]
        i, j, v = rows[moves], count + net[moves], -weight[moves]
        every = np.arange(count + nets)
        matrix: Any = coo_matrix(
            (np.concatenate([v, v, diagonal]), (np.concatenate([i, j, every]), np.concatenate([j, i, every]))),
            shape=(count + nets, count + nets),
        ).tocsc()
        answer = solve(matrix, right)
        places[:, axis] = answer[:count]
    span = max(x1 - x0, y1 - y0)
    places += rng.normal(0.0, 0.01 * span, places.shape)
    return np.clip(places, (x0, y0), (x1, y1))


def halo_scale(problem: Problem) -> float:
    """Return the share of their widest halos for which there is room on either side of the board, at most 1.

    Halos may overlap: half of each counts. Components with it fill at most `MAX_FILL` of the free area.
    """
    scale = 1.0
    for bit in (FRONT, BACK):
        free = float(_Side(problem, bit, 64).free.sum())
        firsts = [
            (bodies[0].boxes[(bodies[0].kinds & bit) != 0], halo)
            for bodies, halo in zip(problem.bodies, problem.widest, strict=True)
        ]
        spans = np.array([s[:, 2:].max(axis=0) - s[:, :2].min(axis=0) for s, _ in firsts if len(s)]).reshape(-1, 2)
        halos = np.array([halo for s, halo in firsts if len(s)])
        # The sum of (w + s h)(l + s h) is a quadratic in the scale s.
        a, b, c = float((halos**2).sum()), float((spans.sum(axis=1) * halos).sum()), float(spans.prod(axis=1).sum())
        c -= MAX_FILL * free
        if a:
            scale = min(scale, (math.sqrt(max(b * b - 4.0 * a * c, 0.0)) - b) / (2.0 * a))
    return max(scale, 0.0)


def offsets_of(problem: Problem, states: Numbers) -> Floats:
    """Return the place of each pin from its component's origin, (p, 2); 0 for fixed pins."""
    offsets = np.zeros((len(problem.owners), 2))
    for rows, body in zip(problem.rows, problem.chosen(states), strict=True):
        offsets[rows] = body.pins
    return offsets


@dataclass
class _Wires:
    """The smooth length of nets and its gradient."""

    problem: Problem
    fixed: Floats

    def __post_init__(self) -> None:
        self.sizes = np.diff(self.problem.starts)
        self.at = self.problem.starts[:-1]
        self.moves = np.flatnonzero(self.problem.owners >= 0)
        self.owner = self.problem.owners[self.moves]

    def gradient(self, places: Floats, offsets: Floats, gamma: float) -> tuple[float, Floats]:
        """Return the exact half-perimeter, weighted, and the gradient of the smooth one by component, (n, 2)."""
        gradient, total = np.zeros_like(places), 0.0
        for axis in (0, 1):
            x = self.fixed[:, axis].copy()
            x[self.moves] = places[self.owner, axis] + offsets[self.moves, axis]
            top, low = np.maximum.reduceat(x, self.at), np.minimum.reduceat(x, self.at)
            w = self.problem.weights[:, axis]
            total += float((w * (top - low)).sum())
            slope = self._average(x, top, gamma, 1.0) - self._average(x, low, gamma, -1.0)
            slope *= np.repeat(w, self.sizes)
            gradient[:, axis] = np.bincount(self.owner, slope[self.moves], len(places))
        return total, gradient

    def _average(self, x: Floats, extreme: Floats, gamma: float, sign: float) -> Floats:
        """Return the derivative by each pin of the average that leans to the extreme."""
        e = np.exp(sign * (x - np.repeat(extreme, self.sizes)) / gamma)
        total = np.add.reduceat(e, self.at)
        mean = np.add.reduceat(x * e, self.at) / total
        return e / np.repeat(total, self.sizes) * (1.0 + sign * (x - np.repeat(mean, self.sizes)) / gamma)


CHUNK = 48
"""Rows of one matrix product: products so small run without the threads that cost more than they save here."""


def _summed(a: Floats, b: Floats) -> Floats:
    """Return the transpose of one (n, i) matrix times another (n, j)."""
    return sum(
        (a[k : k + CHUNK].T @ b[k : k + CHUNK] for k in range(0, len(a), CHUNK)), np.zeros((a.shape[1], b.shape[1]))
    )


def _times(a: Floats, b: Floats) -> Floats:
    """Return a matrix (n, i) times a square one."""
    if not len(a):
        return a
    return np.concatenate([a[k : k + CHUNK] @ b for k in range(0, len(a), CHUNK)])


class _Side:
    """One layer of the board in bins: the area that is taken already, and the forces between what lies there."""

    def __init__(self, problem: Problem, bit: int, bins: int) -> None:
        x0, y0, x1, y1 = problem.area
        self.bit = bit
        self.lines = (np.linspace(x0, x1, bins + 1), np.linspace(y0, y1, bins + 1))
        self.step = ((x1 - x0) / bins, (y1 - y0) / bins)
        self.cell = self.step[0] * self.step[1]
        walls = problem.walls[(problem.wall_kinds & bit) != 0]  # the area that two of them share counts twice
        self.fixed = np.minimum(_summed(self._overlap(walls, 1), self._overlap(walls, 0)), self.cell)
        u = np.pi * np.arange(bins)
        self.eigen = (u / (y1 - y0))[:, None] ** 2 + (u / (x1 - x0))[None, :] ** 2
        self.eigen[0, 0] = 1.0
        self.target = 1.0

    def _overlap(self, boxes: Floats, axis: int) -> Floats:
        """Return the length that a box takes of each bin along an axis, (n, bins)."""
        lines, low, high = self.lines[axis], boxes[:, axis, None], boxes[:, axis + 2, None]
        return np.maximum(np.minimum(high, lines[None, 1:]) - np.maximum(low, lines[None, :-1]), 0.0)

    @property
    def free(self) -> Floats:
        """The free area of each bin."""
        return self.cell - self.fixed

    def forces(self, centers: Floats, halves: Floats, areas: Floats, real: int) -> tuple[float, Floats]:
        """Return the area above the target, of the first `real` boxes, and the gradient of the energy by box, (n, 2).

        A box smaller than a bin spreads over one and a half, thinner in turn, so that it feels the slope.
        """
        wide = np.maximum(halves, 0.71 * np.array(self.step))
        scale = areas / (4.0 * wide[:, 0] * wide[:, 1])
        boxes = np.concatenate([centers - wide, centers + wide], axis=1)
        ox, oy = self._overlap(boxes, 0), self._overlap(boxes, 1)
        heavy = oy * scale[:, None]
        mine = _summed(heavy[:real], ox[:real])
        over = float(np.maximum(mine - self.target * self.free, 0.0).sum())
        density = (mine + _summed(heavy[real:], ox[real:]) + self.target * self.fixed) / self.cell
        potential: Floats = inverse(cosines(density - density.mean(), norm="ortho") / self.eigen, norm="ortho")
        slopes = cast("Sequence[Floats]", np.gradient(potential, self.step[1], self.step[0]))
        return over, np.stack(
            [(_times(heavy, slopes[1]) * ox).sum(axis=1), (_times(heavy, slopes[0]) * ox).sum(axis=1)], axis=1
        )


def spread(problem: Problem, seed: int, *, stop: Callable[[], bool]) -> tuple[Floats, Numbers]:
    """Return the middles of the components' rooms, (n, 2), and their states, with few overlaps left."""
    count = len(problem.names)
    states = np.zeros(count, dtype=np.int64)
    places = start(problem, seed)
    flow = _Flow(problem, places, states, seed)
    for step in range(MAX_STEPS):
        if stop() or flow.over < ENOUGH:
            break
        if step % TURNING == TURNING - 1:
            flow.turn()
        flow.descend()
    return flow.places[:count], flow.states


class _Flow:
    """The descent: places of components and, behind them, of the filler of both layers."""

    def __init__(self, problem: Problem, places: Floats, states: Numbers, seed: int) -> None:
        self.problem, self.states, self.count = problem, states, len(places)
        self.turns = _Turns(problem)
        self.wires = _Wires(problem, problem.places)
        bins = 32 if self.count < 60 else 64 if self.count < 700 else 96
        self.sides = [_Side(problem, bit, bins) for bit in (FRONT, BACK)]
        rng = np.random.default_rng(seed)
        self.filler: list[tuple[Floats, Floats, Floats]] = []
        self._measure()
        every, first = [places], self.count
        self.slices = list[slice]()
        for side in self.sides:
            mine = self.areas[side.bit]
            free = float(side.free.sum())
            side.target = max(DENSITY, min(1.0, 1.1 * float(mine.sum()) / max(free, 1.0)))
            rest = side.target * free - float(mine.sum())
            typical = float(np.median(mine[mine > 0])) if (mine > 0).any() else 0.0
            number = min(int(rest / typical), 800) if typical and rest > 0 else 0
            x0, y0, x1, y1 = problem.area
            every.append(rng.uniform((x0, y0), (x1, y1), (number, 2)))
            one = rest / number if number else 0.0
            self.filler.append((np.full((number, 2), np.sqrt(one) / 2), np.full(number, one), np.zeros((number, 2))))
            self.slices.append(slice(first, first + number))
            first += number
        self.places = np.concatenate(every)
        self.look, self.before, self.gradient = self.places, self.places, np.zeros_like(self.places)
        self.a, self.weight, self.over, self.length = 1.0, 0.0, 1.0, 0.0

    def _measure(self) -> None:
        """Measure pins, halves and areas of the components in their states, about the middles of their rooms."""
        problem = self.problem
        bodies = problem.chosen(self.states)
        rooms = np.array([body.room for body in bodies]).reshape(-1, 4)
        middles = (rooms[:, :2] + rooms[:, 2:]) / 2
        self.offsets = np.zeros((len(problem.owners), 2))
        for rows, body, middle in zip(problem.rows, bodies, middles, strict=True):
            self.offsets[rows] = body.pins - middle
        self.reach = (rooms[:, 2:] - rooms[:, :2]) / 2
        halves = np.maximum(problem.halos[: self.count], 0.0) / 2
        self.halves, self.areas, self.shifts = dict[int, Floats](), dict[int, Floats](), dict[int, Floats]()
        for bit in (FRONT, BACK):
            boxes, areas = np.zeros((self.count, 4)), np.zeros(self.count)
            for c, body in enumerate(bodies):
                own = body.boxes[(body.kinds & bit) != 0]
                if len(own):
                    boxes[c] = (*(own[:, :2].min(axis=0) - middles[c]), *(own[:, 2:].max(axis=0) - middles[c]))
                    box_area = float(np.prod(boxes[c, 2:] - boxes[c, :2]))
                    areas[c] = min(float(np.prod(own[:, 2:] - own[:, :2], axis=1).sum()), box_area) - box_area
                    boxes[c] += halves[c] * np.array([-1.0, -1.0, 1.0, 1.0])
                    areas[c] += float(np.prod(boxes[c, 2:] - boxes[c, :2]))
            self.halves[bit], self.areas[bit] = (boxes[:, 2:] - boxes[:, :2]) / 2, areas
            self.shifts[bit] = (boxes[:, 2:] + boxes[:, :2]) / 2
        degree = np.zeros(self.count)
        weight = np.repeat(problem.weights.sum(axis=1) / 2, np.diff(problem.starts))
        moves = problem.owners >= 0
        np.add.at(degree, problem.owners[moves], weight[moves])
        self.degree = degree

    def _slopes(self, places: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the gradients of wires and of density, and the area at each place, by which these are scaled."""
        step = max(self.sides[0].step)
        gamma = 8.0 * step * 10.0 ** (20 / 9 * self.over - 11 / 9)
        self.length, wires = self.wires.gradient(places[: self.count], self.offsets, gamma)
        pull, push = np.zeros_like(places), np.zeros_like(places)
        pull[: self.count] = wires
        mass, over, total = np.zeros(len(places)), 0.0, 0.0
        for side, own, (halves, areas, _) in zip(self.sides, self.slices, self.filler, strict=True):
            some = np.flatnonzero(self.areas[side.bit] > 0)
            centers = np.concatenate([places[some] + self.shifts[side.bit][some], places[own]])
            reach = np.concatenate([self.halves[side.bit][some], halves])
            every = np.concatenate([self.areas[side.bit][some], areas])
            more, forces = side.forces(centers, reach, every, len(some))
            push[some] += forces[: len(some)]
            push[own] += forces[len(some) :]
            mass[some] += every[: len(some)]
            mass[own] += areas
            over, total = over + more, total + float(self.areas[side.bit].sum())
        self.over = over / max(total, 1.0)
        return pull, push, mass

    def descend(self) -> None:
        """Take one step of Nesterov's method, and give density a little more weight."""
        pull, push, mass = self._slopes(self.look)
        if not self.weight:
            self.weight = float(np.abs(pull).sum()) / max(float(np.abs(push).sum()), 1e-30)
        slope = pull + self.weight * push
        degree = np.zeros(len(mass))
        degree[: self.count] = self.degree
        slope /= np.maximum(degree + self.weight * mass, 1e-3 * max(float(self.degree.mean()), 1e-9))[:, None]
        moved, turned = self.look - self.before, slope - self.gradient
        change = float(np.linalg.norm(turned))
        size = max(self.sides[0].step)
        longest = 2.0 * size / max(float(np.abs(slope).max()), 1e-30)
        step = float(np.linalg.norm(moved)) / change if change > 0 and moved.any() else 0.1 * longest
        step = min(step, longest)
        self.before, self.gradient = self.look, slope
        there = self._inside(self.look - step * slope)
        a = (1.0 + np.sqrt(4.0 * self.a**2 + 1.0)) / 2.0
        self.look = self._inside(there + (self.a - 1.0) / a * (there - self.places))
        self.places, self.a = there, float(a)
        self.weight *= GROWTH

    def _inside(self, places: Floats) -> Floats:
        x0, y0, x1, y1 = self.problem.area
        low, high = np.array([x0, y0]), np.array([x1, y1])
        reach = np.zeros_like(places)
        reach[: self.count] = np.minimum(self.reach, (high - low) / 2)
        for own, (halves, _, _) in zip(self.slices, self.filler, strict=True):
            reach[own] = halves
        return np.clip(places, low + reach, high - reach)

    def turn(self) -> None:
        """Take for each component the state with the shortest wires where it is, the others as they are now."""
        problem = self.problem
        at = problem.places.copy()
        moves = problem.owners >= 0
        at[moves] = self.places[problem.owners[moves]] + self.offsets[moves]
        costs = self.turns.costs(at, self.places[: self.count])
        every = np.arange(self.count)
        best = costs.argmin(axis=1)
        turns = costs[every, best] < costs[every, self.states] - 1e-6
        if turns.any():
            self.states[turns] = best[turns]
            self._measure()
            self.a = 1.0


class _Turns:
    """The wires of all components in all of their states at once: rows are pairs of a component and one of its nets."""

    def __init__(self, problem: Problem) -> None:
        ties = problem.ties
        self.count = len(ties)
        self.owner = np.repeat(np.arange(self.count), [len(t.nets) for t in ties])
        self.weights = np.concatenate([t.weights for t in ties])
        self.others, self.starts = _joined([(t.others, t.starts) for t in ties])
        order, self.own = _joined([(t.order, t.own) for t in ties])
        ends = np.repeat(np.cumsum([0, *(len(t.order) for t in ties[:-1])]), [len(t.order) for t in ties])
        self.reach: list[tuple[Floats, Floats, Floats]] = []
        """For each state the box of a component's own pins in each net, and infinity for components without it."""
        for state in range(max(map(len, problem.bodies))):
            bodies = [some[state] if state < len(some) else some[0] for some in problem.bodies]
            there = [state < len(some) and some[state].layer == some[0].layer for some in problem.bodies]
            pins = np.concatenate([body.pins - (body.room[:2] + body.room[2:]) / 2 for body in bodies])[order + ends]
            reach = (
                [f.reduceat(pins, self.own, axis=0) for f in (np.minimum, np.maximum)] if len(pins) else [pins, pins]
            )
            self.reach.append((reach[0], reach[1], np.where(there, 0.0, math.inf)))

    def costs(self, at: Floats, places: Floats) -> Floats:
        """Return the weighted wires, (n, states), with all pins at `at` and the middles of components at `places`."""
        if not len(self.owner):
            return np.stack([never for _, _, never in self.reach], axis=1)
        some, here = at[self.others], places[self.owner]
        low, high = (f.reduceat(some, self.starts, axis=0) for f in (np.minimum, np.maximum))
        costs: list[Floats] = []
        for below, above, never in self.reach:
            lengths = np.maximum(high, here + above) - np.minimum(low, here + below)
            cost = np.bincount(self.owner, (self.weights * lengths).sum(axis=1), self.count)
            costs.append(np.asarray(cost, dtype=np.float64) + never)
        return np.stack(costs, axis=1)


def _joined(some: Sequence[tuple[Numbers, Numbers]]) -> tuple[Numbers, Numbers]:
    """Join arrays, each with the starts of its runs, to one."""
    offsets: list[int] = np.cumsum([0, *(len(values) for values, _ in some)]).tolist()
    starts = [starts + offset for (_, starts), offset in zip(some, offsets, strict=False)]
    return np.concatenate([values for values, _ in some]), np.concatenate(starts)
