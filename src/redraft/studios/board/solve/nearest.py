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

MAX_EXACT = 40
"""Clusters up to this size are solved as one problem; larger ones go through windows."""

WINDOW = 6
"""Boxes that move together in one window."""

GROUP_SHARES, WINDOW_SHARE = (0.05, 0.1, 0.2), 0.02
"""Shares of the whole effort that one cluster may use in its rounds, and one window."""

STARTUP, BUILDING = 0.002, 4e-5
"""Deterministic seconds that any solve is charged at least, since building a model is not counted by the solver; and
for each rule of a model among the thousands of obstacles of a board."""

MAX_PAIRS = 600
"""Pairs of boxes in one model, on a board. Building a larger one takes too long; windows go on without."""


@dataclass(frozen=True)
class NearestShifts:
    """Shifts in units with their cost, and a bound below which no other shifts' cost can lie. None: none were found."""

    shifts: Shifts | None
    cost: int
    bound: int
    effort: float
    stuck: frozenset[str] = frozenset()
    """The boxes that have no place together, where none was found."""
    homeless: frozenset[str] = frozenset()
    """Those of them without which the others have a place, as far as that is known; else all."""

    @property
    def proven(self) -> bool:
        """True if no shifts cost less."""
        return self.shifts is not None and self.cost == self.bound


@dataclass
class _Search:
    """One run: the problem, the deterministic seconds, and the answers of clusters so far."""

    problem: ShiftProblem
    effort: float
    seed: int
    spent: float = 0.0
    answers: dict[frozenset[str], Answer] = field(default_factory=dict[frozenset[str], Answer])
    budget: Budget = field(default_factory=Budget)
    homeless: frozenset[str] = frozenset()
    """Boxes without a spot in the cluster that was solved last."""

    @cached_property
    def still(self) -> Shifts:
        """All boxes where they are."""
        return dict.fromkeys(self.problem.boxes, (0, 0))

    @cached_property
    def colliding(self) -> frozenset[str]:
        """Boxes that collide where they are."""
        return frozenset[str]().union(*_collisions(self.problem, self.still))

    def allowance(self, share: float) -> float:
        """Return the effort for one solve. Never nothing: a first placement must be found even when all is used up."""
        return max(min(share * self.effort, self.effort - self.spent), 0.02 * self.effort)


def nearest(problem: ShiftProblem, *, effort: float, seed: int, budget: Budget | None = None) -> NearestShifts:
    """Solve a problem within `effort` deterministic seconds (about, since each window is given a little).

    Without any effort each box is put on the nearest spot that those before it leave free, and nothing more.
    """
    search = _Search(problem, effort, seed, budget=budget or Budget())

    # Movable boxes, joined where they overlap or share a rule.
    movable = frozenset(problem.movable)
    ties = [rule.refs & movable for rule in problem.rules] + _collisions(problem, search.still)
    groups = _joined([frozenset((name,)) for name in problem.movable], ties)
    if problem.reach is not None:  # on a board the largest are the likeliest to find no room
        groups.sort(key=len, reverse=True)
    while True:
        shifts = dict(search.still)
        for group in groups:
            if group not in search.answers:
                search.answers[group] = _solve(search, group)
            answer = search.answers[group].shifts
            if answer is None:
                return NearestShifts(None, 0, 0, search.spent, group, search.homeless or group)
            shifts |= {name: answer[name] for name in group}
        joined = _joined(groups, _collisions(problem, shifts))
        if joined == groups:
            bound = sum(search.answers[g].bound for g in groups)
            return NearestShifts(shifts, problem.cost(shifts), bound, search.spent)
        groups = joined


def _joined(groups: Sequence[frozenset[str]], ties: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Return the groups, those united that a tie connects, in the order of their first members."""
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
    """Return the pairs of solids that are closer than the gap, at these shifts."""
    return [frozenset(pair) for pair in _near(problem, shifts, -ROUNDING)]


def _near(
    problem: ShiftProblem, shifts: Shifts, reach: float, names: Iterable[str] | None = None
) -> list[tuple[str, str]]:
    """Return pairs of solids within the gap and `reach` of each other, one of them movable (or one of `names`)."""
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
    """Solve one cluster: from a first placement all at once, as far as it is small, and in windows in turns.

    Each answer's cost rules out most of the other boxes' reach, so that a fresh start with it is worth more than
    a longer search without.
    """
    problem = search.problem
    if all(rule.holds(search.still) for rule in linked(problem.rules, group)) and not search.colliding & group:
        return Answer(search.still, 0, 0, 0.0)
    names = [name for name in problem.boxes if name in group]
    answer = _first(search, names)
    if len(names) > MAX_EXACT and answer.shifts is not None:
        answer = replace(answer, bound=_floor(search, names))
    for share in GROUP_SHARES:
        if answer.shifts is None or answer.proven or (problem.reach is not None and search.spent >= search.effort):
            break
        if len(names) <= MAX_EXACT:
            cheapest = min(w for name in names for w in problem.weight(name))
            reach = min(answer.cost // cheapest, _reach(problem))
            closer = _window(search, names, search.still, reach, share, hint=answer.shifts)
            better = closer if closer.shifts is not None and closer.cost < answer.cost else answer
            answer = replace(better, bound=max(answer.bound, closer.bound))
        if len(names) > WINDOW and not answer.proven:
            answer = _improve_in_windows(search, names, answer)
    if answer.shifts is None:
        return answer

    # The bounds of disjoint solved parts sum up to one for the whole: of nested parts only the largest counts.
    parts = [part for part in search.answers if part < group]
    floor = sum(search.answers[part].bound for part in parts if not any(part < other for other in parts))
    return replace(answer, bound=min(max(answer.bound, floor), answer.cost))


def _floor(search: _Search, names: Sequence[str]) -> int:
    """Return a bound for a large cluster: that of neighbors by themselves, summed; each box is counted once."""
    boxes = search.problem.boxes
    strips = sorted(names, key=lambda n: (boxes[n][0] + boxes[n][2], n))
    width = WINDOW * max(1, round((len(names) / WINDOW) ** 0.5))
    total = 0
    for start in range(0, len(strips), width):
        strip = sorted(strips[start : start + width], key=lambda n: (boxes[n][1] + boxes[n][3], n))
        for first in range(0, len(strip), WINDOW):
            chunk = strip[first : first + WINDOW]
            part = restricted(search.problem, frozenset(chunk))
            alone = replace(search, problem=part, spent=0.0)
            answer = _window(alone, chunk, search.still, _reach(part), WINDOW_SHARE)
            search.spent += max(answer.effort, STARTUP)
            total += answer.bound
    return total


def _reach(problem: ShiftProblem) -> int:
    """Return more than anything can have to move: twice across all boxes, and the largest number in a rule."""
    if problem.reach is not None:
        return problem.reach
    across = max(abs(v) for b in problem.boxes.values() for v in b)
    lines = (line for rule in problem.rules for option in rule.options for line in option)
    largest = max((abs(v) for line in lines for v in (line.lower, line.upper) if v is not None), default=0)
    return 2 * (round(across) + largest) + 2


def _window(
    search: _Search, names: Sequence[str], at: Shifts, reach: int, share: float, *, hint: Shifts | None = None
) -> Answer:
    """Return the cheapest shifts of some boxes by at most `reach` each, everything else fixed."""
    problem, moving = search.problem, frozenset(names)
    # Two boxes that move by at most `reach` in all cannot meet across a wider space.
    origin = dict(at) | dict.fromkeys(names, (0, 0))
    pairs = _near(problem, origin, 2.0 * reach, names)
    if problem.reach is not None and len(pairs) > MAX_PAIRS:
        return Answer(None, 0, 0, 0.0)
    rules = [*linked(problem.rules, moving), *(apart(problem, a, b) for a, b in pairs)]
    effort = search.allowance(share)
    answer = minimize(problem, names, at, rules, effort=effort, seed=search.seed, reach=reach, hint=hint)
    search.spent += max(answer.effort, STARTUP)
    if problem.reach is not None:
        search.spent += BUILDING * len(rules)
    return answer


def _improve_in_windows(search: _Search, names: Sequence[str], answer: Answer) -> Answer:
    """Improve windows around each moved box in turn, until none gets better or the effort is spent."""
    assert answer.shifts is not None
    problem, improved = search.problem, True
    shifts: Shifts = answer.shifts
    while improved and search.spent < search.effort:
        before = problem.cost(shifts)
        for name in sorted(names, key=lambda n, at=shifts: (-_moved(problem, n, at), n)):
            if search.spent < search.effort and _moved(problem, name, shifts) > 0:
                shifts = _improved(search, name, names, shifts)
        improved = problem.cost(shifts) < before
    return replace(answer, shifts=shifts, cost=sum(_moved(problem, name, shifts) for name in names))


def _moved(problem: ShiftProblem, name: str, shifts: Shifts) -> int:
    return sum(w * abs(d) for w, d in zip(problem.weight(name), shifts[name], strict=True))


def _improved(search: _Search, name: str, names: Sequence[str], shifts: Shifts) -> Shifts:
    """Return shifts after moving a box and its neighbors along with it, everything else fixed."""
    problem = search.problem
    x0, y0, x1, y1 = _placed(problem, name, shifts)

    def distance(other: str) -> tuple[float, str]:
        a0, b0, a1, b1 = _placed(problem, other, shifts)
        return (abs(a0 + a1 - x0 - x1) + abs(b0 + b1 - y0 - y1), other)

    window = sorted(names, key=distance)[:WINDOW]
    before = sum(_moved(problem, n, shifts) for n in window)
    answer = _window(search, window, shifts, before, WINDOW_SHARE, hint=shifts)
    return answer.shifts if answer.shifts is not None and answer.cost < before else shifts


def _first(search: _Search, names: Sequence[str]) -> Answer:
    """Return any legal placement: each box on its nearest free spot, with those tied to it; or else by CP-SAT."""
    problem = search.problem
    ties = [rule for rule in linked(problem.rules, frozenset(names)) if not single(rule)]
    search.homeless = frozenset()
    if all(rigid(rule) and rule.holds(search.still) for rule in ties):
        shifts, homeless = greedy(problem, names, search.still, search.budget)
        if not homeless:
            cost = sum(_moved(problem, name, shifts) for name in names)
            return Answer(shifts, cost, cost if len(names) == 1 and not ties else 0, 0.0)
        search.homeless = frozenset(homeless)
    if len(names) == 1 and not ties:
        return Answer(None, 0, 0, 0.0, impossible=True)  # every spot worth trying was tried
    if search.effort <= 0.0:
        return Answer(None, 0, 0, 0.0)
    return _window(search, names, search.still, _reach(problem), GROUP_SHARES[-1])
