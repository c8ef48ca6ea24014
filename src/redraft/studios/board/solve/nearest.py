"""The nearest placement that keeps every rule without overlap: clusters first, windows where a cluster is large.

Boxes that neither overlap nor share a rule are independent, so each cluster is solved by itself, and two clusters are
joined only when their answers collide. The sum of the clusters' bounds is a bound for the whole at every stage: it
leaves demands out and adds none. An answer whose cost equals that bound is therefore the nearest there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from redraft.studios.board.solve.constraints import ROUNDING, ShiftProblem, Shifts, apart, linked, restricted
from redraft.studios.board.solve.cpsat import Answer, minimize
from redraft.studios.board.solve.greedy import Budget, greedy, rigid, single

EXACT = 40
"""Clusters up to this size are asked for as one problem; larger ones go through windows."""

WINDOW = 6
"""Boxes that move together in one window."""

GROUP_SHARES, WINDOW_SHARE = (0.05, 0.1, 0.2), 0.02
"""Of the whole effort: what one cluster may use in its rounds, and one window."""


STARTUP, BUILDING = 0.002, 4e-5
"""Deterministic seconds that any solve is charged at least, since building a model is not counted by the solver; and
for each rule of a model among the thousands of obstacles of a board."""


PAIRS = 600
"""On a board: of boxes in one model. Building a larger one takes longer than one may wait; windows go on without."""


@dataclass(frozen=True)
class NearestShifts:
    """Shifts in units with their cost, and a bound below which no placement's cost can lie. None: none was found."""

    shifts: Shifts | None
    cost: int
    bound: int
    effort: float
    stuck: frozenset[str] = frozenset()
    """Where none was found: the boxes that have no place together."""
    homeless: frozenset[str] = frozenset()
    """Of these, those without which the others have a place, as far as that is known; else all."""

    @property
    def proven(self) -> bool:
        return self.shifts is not None and self.cost == self.bound


@dataclass
class _Search:
    """One run: the problem, what is left of the deterministic seconds, and the answers of clusters so far."""

    problem: ShiftProblem
    effort: float
    seed: int
    spent: float = 0.0
    answers: dict[frozenset[str], Answer] = field(default_factory=dict[frozenset[str], Answer])
    budget: Budget = field(default_factory=Budget)
    homeless: frozenset[str] = frozenset()
    """What found no spot in the cluster that was last looked at."""

    @cached_property
    def colliding(self) -> frozenset[str]:
        """Boxes that collide where they are."""
        still = dict.fromkeys(self.problem.boxes, (0, 0))
        return frozenset[str]().union(*_collisions(self.problem, still))

    def allowance(self, share: float) -> float:
        """Never nothing: a first placement must be found even when the effort is used up."""
        return max(min(share * self.effort, self.effort - self.spent), 0.02 * self.effort)


def nearest(problem: ShiftProblem, *, effort: float, seed: int, budget: Budget | None = None) -> NearestShifts:
    """Solve a problem within `effort` deterministic seconds (about, since each window is given a little).

    Without any effort each box is put on the nearest spot that those before it leave free, and nothing more.
    """
    search = _Search(problem, effort, seed, budget=budget or Budget())
    still = dict.fromkeys(problem.boxes, (0, 0))
    groups = _clusters(problem, still)
    if problem.reach is not None:  # on a board the largest are the likeliest to find no room
        groups.sort(key=len, reverse=True)
    while True:
        for group in groups:
            if group not in search.answers:
                search.answers[group] = _solve(search, group)
            if search.answers[group].shifts is None:
                return NearestShifts(None, 0, 0, search.spent, group, search.homeless or group)
        shifts = _together(search, groups, still)
        joined = _joined(groups, _collisions(problem, shifts))
        if joined == groups:
            bound = sum(search.answers[g].bound for g in groups)
            return NearestShifts(shifts, problem.cost(shifts), bound, search.spent)
        groups = joined


def _together(search: _Search, groups: Iterable[frozenset[str]], still: Shifts) -> Shifts:
    shifts = dict(still)
    for group in groups:
        answer = search.answers[group].shifts
        assert answer is not None
        shifts |= {name: answer[name] for name in group}
    return shifts


def _clusters(problem: ShiftProblem, shifts: Shifts) -> list[frozenset[str]]:
    """Movable boxes, joined where they overlap or share a rule."""
    single = [frozenset((name,)) for name in problem.movable]
    movable = frozenset(problem.movable)
    ties = [rule.refs & movable for rule in problem.rules] + _collisions(problem, shifts)
    return _joined(single, ties)


def _joined(groups: Sequence[frozenset[str]], ties: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """The groups, those united that a tie connects, in the order of their first members."""
    parent = {name: i for i, group in enumerate(groups) for name in group}
    members: dict[int, set[str]] = {i: set(group) for i, group in enumerate(groups)}
    for tie in ties:
        roots = sorted({parent[name] for name in tie if name in parent})
        for other in roots[1:]:
            for name in members[other]:
                parent[name] = roots[0]
            members[roots[0]] |= members.pop(other)
    return [frozenset(members[i]) for i in sorted(members)]


def _collisions(problem: ShiftProblem, shifts: Shifts) -> list[frozenset[str]]:
    """Pairs of solids that are closer than the gap, at these shifts."""
    return [frozenset(pair) for pair in _near(problem, shifts, -ROUNDING)]


def _near(
    problem: ShiftProblem, shifts: Shifts, reach: float, names: Iterable[str] | None = None
) -> list[tuple[str, str]]:
    """Pairs of solids that come within the gap and `reach` of each other, one of them movable (or of `names`)."""
    placed, margin = problem.placed(shifts), problem.gap + reach
    pairs: set[tuple[int, int]] = set()
    for name in problem.movable if names is None else names:
        row = problem.rows[name]
        x0, y0, x1, y1 = placed[row]
        met = (placed[:, 0] <= x1 + margin) & (placed[:, 2] >= x0 - margin)
        met &= (placed[:, 1] <= y1 + margin) & (placed[:, 3] >= y0 - margin)
        met &= problem.excluding(name)
        pairs.update((min(row, other), max(row, other)) for other in np.flatnonzero(met).tolist())
    return [(problem.names[i], problem.names[j]) for i, j in sorted(pairs)]


def _placed(problem: ShiftProblem, name: str, shifts: Shifts) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = problem.boxes[name]
    dx, dy = shifts[name]
    return (x0 + dx, y0 + dy, x1 + dx, y1 + dy)


def _solve(search: _Search, group: frozenset[str]) -> Answer:
    problem = search.problem
    still = dict.fromkeys(problem.boxes, (0, 0))
    names = [name for name in problem.boxes if name in group]
    rules = linked(problem.rules, group)
    floor = sum(
        answer.bound for part, answer in search.answers.items() if part < group and _largest(search, part, group)
    )
    if all(rule.holds(still) for rule in rules) and not search.colliding & group:
        return Answer(still, 0, 0, 0.0)
    answer = _closest(search, names, still)
    return replace(answer, bound=min(max(answer.bound, floor), answer.cost)) if answer.shifts else answer


def _largest(search: _Search, part: frozenset[str], group: frozenset[str]) -> bool:
    """No other solved part of the group contains this one: only disjoint parts may be summed."""
    return not any(part < other < group for other in search.answers)


def _closest(search: _Search, names: Sequence[str], still: Shifts) -> Answer:
    """From a first placement: the whole cluster at once, as far as that is small, and windows in turns.

    Each answer's cost rules out most of the other boxes' reach, so that a fresh start with it is worth more than
    a longer search without.
    """
    answer = _first(search, names, still)
    if len(names) > EXACT and answer.shifts is not None:
        answer = replace(answer, bound=_floor(search, names, still))
    for share in GROUP_SHARES:
        if (
            answer.shifts is None
            or answer.proven
            or (search.problem.reach is not None and search.spent >= search.effort)
        ):
            break
        if len(names) <= EXACT:
            answer = _whole(search, names, still, answer, share)
        if len(names) > WINDOW and not answer.proven:
            answer = _windowed(search, names, answer)
    return answer


def _whole(search: _Search, names: Sequence[str], still: Shifts, answer: Answer, share: float) -> Answer:
    cheapest = min(w for name in names for w in search.problem.weight(name))
    reach = min(answer.cost // cheapest, _reach(search.problem))
    closer = _window(search, names, still, reach, share, hint=answer.shifts)
    better = closer if closer.shifts is not None and closer.cost < answer.cost else answer
    return replace(better, bound=max(answer.bound, closer.bound))


def _floor(search: _Search, names: Sequence[str], still: Shifts) -> int:
    """A bound for a large cluster: that of neighbors by themselves, summed; each box is counted once."""
    boxes = search.problem.boxes
    strips = sorted(names, key=lambda n: (boxes[n][0] + boxes[n][2], n))
    width = WINDOW * max(1, round((len(names) / WINDOW) ** 0.5))
    total = 0
    for start in range(0, len(strips), width):
        strip = sorted(strips[start : start + width], key=lambda n: (boxes[n][1] + boxes[n][3], n))
        for first in range(0, len(strip), WINDOW):
            chunk = strip[first : first + WINDOW]
            part = restricted(search.problem, frozenset(chunk))
            answer = _window(replace(search, problem=part, spent=0.0), chunk, still, _reach(part), WINDOW_SHARE)
            search.spent += max(answer.effort, STARTUP)
            total += answer.bound
    return total


def _reach(problem: ShiftProblem) -> int:
    """More than anything can have to move: twice across all there is, and whatever a rule asks for."""
    if problem.reach is not None:
        return problem.reach
    across = max(abs(v) for b in problem.boxes.values() for v in b)
    lines = (line for rule in problem.rules for option in rule.options for line in option)
    asked = max((abs(v) for line in lines for v in (line.lower, line.upper) if v is not None), default=0)
    return 2 * (round(across) + asked) + 2


def _window(
    search: _Search, names: Sequence[str], at: Shifts, reach: int, share: float, *, hint: Shifts | None = None
) -> Answer:
    problem, moving = search.problem, frozenset(names)
    # Two boxes that move by at most `reach` in all cannot meet across a wider space.
    origin = dict(at) | dict.fromkeys(names, (0, 0))
    pairs = _near(problem, origin, 2.0 * reach, names)
    if problem.reach is not None and len(pairs) > PAIRS:
        return Answer(None, 0, 0, 0.0)
    rules = [*linked(problem.rules, moving), *(apart(problem, a, b) for a, b in pairs)]
    effort = search.allowance(share)
    answer = minimize(problem, names, at, rules, effort=effort, seed=search.seed, reach=reach, hint=hint)
    search.spent += max(answer.effort, STARTUP)
    if problem.reach is not None:
        search.spent += BUILDING * len(rules)
    return answer


def _windowed(search: _Search, names: Sequence[str], answer: Answer) -> Answer:
    """Windows around each moved box in turn, until none improves the answer or the effort is spent."""
    assert answer.shifts is not None
    problem, improved = search.problem, True
    shifts: Shifts = answer.shifts
    while improved and search.spent < search.effort:
        before = problem.cost(shifts)
        for name in sorted(names, key=lambda n: (-_moved(problem, n, shifts), n)):
            if search.spent < search.effort and _moved(problem, name, shifts) > 0:
                shifts = _improved(search, name, names, shifts)
        improved = problem.cost(shifts) < before
    return replace(answer, shifts=shifts, cost=sum(_moved(problem, name, shifts) for name in names))


def _moved(problem: ShiftProblem, name: str, shifts: Shifts) -> int:
    return sum(w * abs(d) for w, d in zip(problem.weight(name), shifts[name], strict=True))


def _improved(search: _Search, name: str, names: Sequence[str], shifts: Shifts) -> Shifts:
    """After moving the box's neighbors along with it, everything else fixed."""
    problem = search.problem
    x0, y0, x1, y1 = _placed(problem, name, shifts)

    def distance(other: str) -> tuple[float, str]:
        a0, b0, a1, b1 = _placed(problem, other, shifts)
        return (abs(a0 + a1 - x0 - x1) + abs(b0 + b1 - y0 - y1), other)

    window = sorted(names, key=distance)[:WINDOW]
    before = sum(_moved(problem, n, shifts) for n in window)
    answer = _window(search, window, shifts, before, WINDOW_SHARE, hint=shifts)
    return answer.shifts if answer.shifts is not None and answer.cost < before else shifts


def _first(search: _Search, names: Sequence[str], still: Shifts) -> Answer:
    """Any legal placement: each box on its nearest free spot, with those that it is tied to; or else by CP-SAT."""
    problem = search.problem
    ties = [rule for rule in linked(problem.rules, frozenset(names)) if not single(rule)]
    search.homeless = frozenset()
    if all(rigid(rule) and rule.holds(still) for rule in ties):
        shifts, left = greedy(problem, names, still, search.budget)
        if not left:
            cost = sum(_moved(problem, name, shifts) for name in names)
            return Answer(shifts, cost, cost if len(names) == 1 and not ties else 0, 0.0)
        search.homeless = frozenset(left)
    if len(names) == 1 and not ties:
        return Answer(None, 0, 0, 0.0, impossible=True)  # every spot worth trying was tried
    if search.effort <= 0.0:
        return Answer(None, 0, 0, 0.0)
    return _window(search, names, still, _reach(problem), GROUP_SHARES[-1])
