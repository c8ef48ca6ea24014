"""Refinement of a legal placement on exact wire length: better places, exchanges, and small groups laid anew.

A step lifts a few components that are near each other or share nets and lays each down at its best free place, in a
random order. It is kept if the wires get shorter, crowded cells included, or by chance a little longer while the
temperature lasts.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import numpy as np

from redraft.studios.board.place.demand import Demand
from redraft.studios.board.place.legal import State
from redraft.studios.board.place.problem import Numbers, Problem

STEPS, LEAST = 10, 1200
"""Groups laid anew, for each component and at least in all, at effort 1."""

LINE, ROW = 1000.0, 10000.0
"""A component comes on the line of a like one from so near, in micrometers, if that is no farther along the line."""

GRID = 100.0
"""In micrometers; places lie on it where nothing worsens."""

TRIFLE = 20.0
"""Wires may get so much longer for a line or the grid, in micrometers."""

OFTEN = 10
"""Progress is told, and `stop` asked, every so many steps."""

LOCAL = 0.35
"""A component is laid within so much of the longer side of the board from where its wires want it."""

HOT = 0.1
"""The first temperature, as a share of the mean cost of a component."""


def refine(
    state: State,
    demand: Demand,
    *,
    seed: int,
    effort: float,
    stop: Callable[[], bool],
    longest: float = math.inf,
    notify: Callable[[int, int, float], None] | None = None,
) -> bool:
    """Shorten the wires in place, the demand is that of the state; return whether all steps were taken.

    Placements whose wires, not weighted, are longer than `longest` are not kept. `notify` gets steps, of how many,
    and the length of the wires.
    """
    rng = random.Random(seed)  # noqa: S311
    count = len(state.problem.names)
    movers = [c for c in range(count) if state.lies[c]]
    if not movers:
        return True
    steps = math.ceil(effort * max(STEPS * count, LEAST))
    state.crowd, state.neat = (demand.lines, demand.price()), True
    cost = state.total() + demand.toll(demand.wire)
    best, kept = cost, _poses(state)
    near = _Near(state.problem)
    heat = HOT * cost / count
    for step in range(steps):
        if step % OFTEN == 0:
            if stop():
                _restore(state, kept)
                return False
            if notify is not None:
                notify(step, steps, state.wires())
        temperature = heat * (1.0 - step / steps) ** 2
        group = near.group(state, movers[rng.randrange(len(movers))], rng)
        before = [(c, state.x[c], state.y[c], state.state[c]) for c in group]
        nets = np.unique(np.concatenate([state.problem.ties[c].nets for c in group]))
        was = demand.of(nets, state.pins)
        neat = state.neatness(group)
        change, wire = _again(state, group, nets, 10.0 * temperature), demand.wire
        if change is not None:
            wire = demand.wire - was + demand.of(nets, state.pins)
            change += demand.toll(wire) - demand.toll(demand.wire) + neat - state.neatness(group)
        if change is not None and (change <= 0 or rng.random() < math.exp(-change / max(temperature, 1e-9))):
            cost += change
            demand.wire = wire
            state.crowd = demand.lines, demand.price()
            if cost < best - 1e-3 and (longest == math.inf or state.wires() <= longest + 1e-6):
                best, kept = cost, _poses(state)
        else:
            for c in group:
                state.lift(c)
            for c, x, y, s in before:
                state.put(c, x, y, s)
    _restore(state, kept)
    return True


Poses = list[tuple[int, float, float, int]]


def _poses(state: State) -> Poses:
    return [(c, state.x[c], state.y[c], state.state[c]) for c in range(len(state.x)) if state.lies[c]]


def _restore(state: State, poses: Poses) -> None:
    for c, _, _, _ in poses:
        state.lift(c)
    for c, x, y, s in poses:
        state.put(c, x, y, s)


def _again(state: State, group: Sequence[int], nets: Numbers, slack: float) -> float | None:
    """Lay a group with these nets down anew; the change of length, or None where one found no place."""
    before = state.length(nets)
    own = {c: state.length(state.problem.ties[c].nets) + state.toll(c) for c in group}
    x0, y0, x1, y1 = state.problem.area
    for c in group:
        state.lift(c)
    for c in group:
        bound, reach = 1.5 * own[c] + slack, LOCAL * max(x1 - x0, y1 - y0)
        place = state.best(c, bound=bound, states=state.sides(c), reach=reach)
        if place is None:
            return None
        state.put(c, place.x, place.y, place.state)
    return state.length(nets) - before


def align(state: State) -> None:
    """Bring each component on a line with a like neighbor, else on the grid, where there is room and wires allow it.

    Neighbors are those that were brought before, and so on the grid themselves where that was possible. Of halos, half
    is left free.
    """
    problem = state.problem
    state.halos[state.halos > 0] /= 2
    places = np.full((len(state.lies), 2), math.nan)  # of those that were brought already
    for c in (c for c, lies in enumerate(state.lies) if lies):
        for axis in (0, 1):
            here, pulls = np.array((state.x[c], state.y[c])), state.pulls(c)
            pins = problem.bodies[c][state.state[c]].pins
            others = places[state.like[c]]
            away = np.abs(others - here)
            lines: list[float] = others[(away[:, axis] < LINE) & (away[:, 1 - axis] < ROW), axis].tolist()
            grid = [math.floor(here[axis] / GRID) * GRID, math.ceil(here[axis] / GRID) * GRID]
            lines.sort(key=lambda line, at=here[axis]: abs(line - at))
            most = pulls.cost(pins, here) + TRIFLE
            state.lift(c)
            for line in dict.fromkeys((*lines, *grid)):
                there = here.copy()
                there[axis] = line
                if pulls.cost(pins, there) <= most and state.free(c, float(there[0]), float(there[1])):
                    here = there
                    break
            state.put(c, float(here[0]), float(here[1]), state.state[c])
        places[c] = state.x[c], state.y[c]


class _Near:
    """Finds components to lay anew together."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.linked: list[list[int]] = []
        few = np.diff(problem.starts) <= 8
        for c in range(len(problem.names)):
            ties = problem.ties[c]
            found: list[int] = []
            for n, net in enumerate(ties.nets.tolist()):
                if few[net]:
                    end = ties.starts[n + 1] if n + 1 < len(ties.starts) else len(ties.others)
                    found += [int(o) for o in problem.owners[ties.others[ties.starts[n] : end]] if o >= 0]
            self.linked.append(sorted(set(found) - {c}))

    def group(self, state: State, c: int, rng: random.Random) -> list[int]:
        """The component and up to four others, in random order."""
        size = rng.choice((1, 2, 3, 3, 4, 5))
        if size == 1:
            return [c]
        found = {c}
        linked = [o for o in self.linked[c] if state.lies[o]]
        if linked and rng.random() < 0.5:
            found.update(rng.sample(linked, min(len(linked), size - 1)))
        x, y = np.array(state.x), np.array(state.y)
        far = np.abs(x - x[c]) + np.abs(y - y[c])
        order = np.argpartition(far, min(12, len(far) - 1))[:12].tolist()
        close = [o for o in order if o not in found and state.lies[o]]
        rng.shuffle(close)
        found.update(close[: max(0, size - len(found))])
        group = sorted(found)
        rng.shuffle(group)
        return group
