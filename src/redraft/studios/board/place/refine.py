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

STEPS, MIN_STEPS = 10, 1200
"""Groups laid anew, for each component and at least in all, at effort 1."""

LINE, ROW = 1000.0, 10000.0
"""A component comes on the line of a like one from so near, in micrometers, if that is no farther along the line."""

GRID = 100.0
"""In micrometers; places lie on it where nothing worsens."""

TRIFLE = 20.0
"""Wires may get so much longer for a line or the grid, in micrometers."""

REPORT_INTERVAL = 10
"""Steps after which progress is reported, and `stop` asked."""

LOCAL = 0.35
"""A component is laid within so much of the longer side of the board from where its wires want it."""

HOT = 0.1
"""The first temperature, as a share of the mean cost of a component."""

FEW_PINS = 8
"""Nets of up to so many pins tell which components are worth laying anew together."""

NEIGHBORS = 12
"""The nearest components, of which a group is made."""


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
    """Shorten the wires in place; return whether all steps were taken.

    Args:
        demand: that of the state.
        longest: placements whose wires, not weighted, are longer are not kept.
        notify: called with the steps so far, their number in all, and the length of the wires.
    """
    rng = random.Random(seed)  # noqa: S311
    count = len(state.problem.names)
    movers = [c for c in range(count) if state.lies[c]]
    if not movers:
        return True
    steps = math.ceil(effort * max(STEPS * count, MIN_STEPS))
    state.crowd, state.neat = (demand.lines, demand.price()), True
    cost = state.total() + demand.toll(demand.wire)
    best, kept = cost, _poses(state)
    groups = _Groups(state.problem)
    heat = HOT * cost / count
    for step in range(steps):
        if step % REPORT_INTERVAL == 0:
            if stop():
                _restore(state, kept)
                return False
            if notify is not None:
                notify(step, steps, state.wires())
        temperature = heat * (1.0 - step / steps) ** 2
        group = groups.around(state, movers[rng.randrange(len(movers))], rng)
        before = [(c, state.x[c], state.y[c], state.state[c]) for c in group]
        nets = np.unique(np.concatenate([state.problem.ties[c].nets for c in group]))
        was = demand.of(nets, state.pins)
        neat = state.neatness(group)
        change, wire = _lay_anew(state, group, nets, 10.0 * temperature), demand.wire
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
            _restore(state, before)
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


def _lay_anew(state: State, group: Sequence[int], nets: Numbers, slack: float) -> float | None:
    """Lay a group with these nets down anew; return the change of length, or None where one has no place."""
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
    places = np.full((len(state.lies), 2), math.nan)  # not a number for what was not brought yet
    for c in (c for c, lies in enumerate(state.lies) if lies):
        for axis in (0, 1):
            here, pulls = np.array((state.x[c], state.y[c])), state.pulls(c)
            pins = problem.bodies[c][state.state[c]].pins
            others = places[state.like[c]]
            away = np.abs(others - here)
            lines: list[float] = others[(away[:, axis] < LINE) & (away[:, 1 - axis] < ROW), axis].tolist()
            grid = [math.floor(here[axis] / GRID) * GRID, math.ceil(here[axis] / GRID) * GRID]
            lines.sort(key=lambda line, at=here[axis]: abs(line - at))
            longest = pulls.cost(pins, here) + TRIFLE
            state.lift(c)
            for line in dict.fromkeys((*lines, *grid)):
                there = here.copy()
                there[axis] = line
                if pulls.cost(pins, there) <= longest and state.free(c, float(there[0]), float(there[1])):
                    here = there
                    break
            state.put(c, float(here[0]), float(here[1]), state.state[c])
        places[c] = state.x[c], state.y[c]


class _Groups:
    """Components that are worth laying anew together."""

    def __init__(self, problem: Problem) -> None:
        self.linked: list[list[int]] = []
        """For each component, those with which it shares a net of few pins."""
        few = np.diff(problem.starts) <= FEW_PINS
        for c in range(len(problem.names)):
            ties = problem.ties[c]
            others = set[int]()
            for n, net in enumerate(ties.nets.tolist()):
                if few[net]:
                    end = ties.starts[n + 1] if n + 1 < len(ties.starts) else len(ties.others)
                    others.update(int(o) for o in problem.owners[ties.others[ties.starts[n] : end]] if o >= 0)
            self.linked.append(sorted(others - {c}))

    def around(self, state: State, c: int, rng: random.Random) -> list[int]:
        """Return the component and up to four others, in random order."""
        size = rng.choice((1, 2, 3, 3, 4, 5))
        if size == 1:
            return [c]
        chosen = {c}
        linked = [o for o in self.linked[c] if state.lies[o]]
        if linked and rng.random() < 0.5:
            chosen.update(rng.sample(linked, min(len(linked), size - 1)))
        x, y = np.array(state.x), np.array(state.y)
        far = np.abs(x - x[c]) + np.abs(y - y[c])
        nearest = np.argpartition(far, min(NEIGHBORS, len(far) - 1))[:NEIGHBORS].tolist()
        close = [o for o in nearest if o not in chosen and state.lies[o]]
        rng.shuffle(close)
        chosen.update(close[: max(0, size - len(chosen))])
        group = sorted(chosen)
        rng.shuffle(group)
        return group
