"""CP-SAT on shifts: one worker, a fixed seed and a deterministic time limit, so that runs give the same answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model

from redraft.studios.board.solve.constraints import AXES, SAFE, Axis, Linear, Rule, ShiftProblem, Shifts, apart

Variables = dict[tuple[str, Axis], cp_model.IntVar]

NAMING_EFFORT = 2.0
"""Deterministic seconds for each question asked while naming a conflict, at most."""

NAMING = 5
"""So many times the effort of one question is spent on leaving out of a conflict what need not be in it."""


@dataclass(frozen=True)
class Answer:
    """Shifts with their cost in units, a lower bound of any answer's cost, and the deterministic seconds spent.

    `shifts` is None when none were found; `impossible` when it is proven that there are none.
    """

    shifts: Shifts | None
    cost: int
    bound: int
    effort: float
    impossible: bool = False

    @property
    def proven(self) -> bool:
        return self.shifts is not None and self.cost == self.bound


def minimize(
    problem: ShiftProblem,
    free: Sequence[str],
    at: Shifts,
    rules: Iterable[Rule],
    *,
    effort: float,
    seed: int,
    reach: int,
    hint: Shifts | None = None,
) -> Answer:
    """The cheapest shifts of the `free` boxes; every other box stays where `at` has it.

    `reach` bounds each single shift, in units: a known answer's cost is always a valid reach.
    """
    model = cp_model.CpModel()
    moving = frozenset(free)
    rules = [rule for r in rules if (rule := _open(r, moving, at, reach)) is not None]
    variables = _variables(model, free, at, rules, reach)
    for rule in rules:
        _post(model, variables, rule)
    costs = [
        w * _size(model, variables[n, a], reach) for n in free for a, w in zip(AXES, problem.weight(n), strict=True)
    ]
    model.minimize(sum(costs))
    for name in free:
        for axis in AXES:
            model.add_hint(variables[name, axis], (hint or at)[name][axis])
    solver = _solver(effort, seed)
    solver.solve(model)
    return _answer(solver, variables, free, at)


def _open(rule: Rule, moving: frozenset[str], at: Shifts, reach: int) -> Rule | None:
    """The rule without options that are out of reach; None when one of them holds wherever the boxes go."""
    options: list[tuple[Linear, ...]] = []
    for option in rule.options:
        spans = [(_span(line, moving, at, reach), line) for line in option]
        if all(
            (n.lower is None or low >= n.lower) and (n.upper is None or high <= n.upper) for (low, high), n in spans
        ):
            return None
        if all(
            (n.lower is None or high >= n.lower) and (n.upper is None or low <= n.upper) for (low, high), n in spans
        ):
            options.append(option)
    return Rule(rule.words, tuple(options)) if options else rule


def _span(line: Linear, moving: frozenset[str], at: Shifts, reach: int) -> tuple[int, int]:
    """The least and greatest value of the sum."""
    middle = sum(c * at[ref][axis] for c, ref, axis in line.terms if ref not in moving)
    swing = sum(abs(c) * reach for c, ref, _ in line.terms if ref in moving)
    return middle - swing, middle + swing


def _variables(
    model: cp_model.CpModel, free: Sequence[str], at: Shifts, rules: Sequence[Rule], reach: int
) -> Variables:
    moving = set(free)
    found: Variables = {}
    still = frozenset[str]().union(*(rule.refs for rule in rules)) - moving
    for name in (*free, *sorted(still)):
        for axis in AXES:
            here = at[name][axis]
            low, high = (-reach, reach) if name in moving else (here, here)
            found[name, axis] = model.new_int_var(low, high, f"{name}.{'xy'[axis]}")
    return found


def _size(model: cp_model.CpModel, variable: cp_model.IntVar, reach: int) -> cp_model.IntVar:
    size = model.new_int_var(0, reach, f"|{variable.name}|")
    model.add(size >= variable)
    model.add(size >= -variable)
    return size


def _post(model: cp_model.CpModel, variables: Variables, rule: Rule, enforce: cp_model.IntVar | None = None) -> None:
    """The rule; under a literal, when one is given."""
    if len(rule.options) == 1:
        for line in rule.options[0]:
            constraint = _linear(model, variables, line)
            if enforce is not None:
                constraint.only_enforce_if(enforce)
        return
    choices = [model.new_bool_var("") for _ in rule.options]
    clause = model.add_bool_or(choices)
    if enforce is not None:
        clause.only_enforce_if(enforce)
    for choice, option in zip(choices, rule.options, strict=True):
        for line in option:
            _linear(model, variables, line).only_enforce_if(choice)


def _linear(model: cp_model.CpModel, variables: Variables, line: Linear) -> cp_model.Constraint:
    total = sum(c * variables[ref, axis] for c, ref, axis in line.terms)
    low = cp_model.INT_MIN if line.lower is None else line.lower
    high = cp_model.INT_MAX if line.upper is None else line.upper
    return model.add_linear_constraint(total, low, high)


def _solver(effort: float, seed: int) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.max_deterministic_time = effort
    # The full linear relaxation: without it one worker proves nothing about sums of absolute values.
    solver.parameters.linearization_level = 2
    return solver


def _answer(solver: cp_model.CpSolver, variables: Variables, free: Sequence[str], at: Shifts) -> Answer:
    status = solver.response_proto.status
    spent = solver.response_proto.deterministic_time
    if status in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        shifts = dict(at) | {n: (solver.value(variables[n, 0]), solver.value(variables[n, 1])) for n in free}
        return Answer(shifts, round(solver.objective_value), round(solver.best_objective_bound), spent)
    return Answer(None, 0, 0, spent, impossible=status == cp_model.INFEASIBLE)


def conflict(problem: ShiftProblem, *, seed: int, effort: float = NAMING_EFFORT) -> tuple[str, ...]:
    """An irreducible set of the problem's demands that no placement satisfies, in words; empty when none is proven.

    An unsatisfiable core by assumption literals first, then a deletion filter: what can be left out without making
    the rest satisfiable is left out, so that of the result nothing can (Chinneck and Dravnieks 1991), as far as
    `effort`, the deterministic seconds of one question, allows.
    """
    demands = [*(_still(problem, n) for n in problem.boxes if n in problem.fixed), *problem.rules, *_pairs(problem)]
    core, spent = _core(problem, demands, seed, effort)
    if core is None:
        return ()
    for rule in tuple(core):
        if spent > NAMING * effort:
            break
        rest, cost = _core(problem, [r for r in core if r is not rule], seed, effort)
        core, spent = rest or core, spent + cost
    return tuple(dict.fromkeys(rule.words for rule in core))


def _still(problem: ShiftProblem, name: str) -> Rule:
    words = f"{name} is locked" if name not in problem.owners else f"{problem.said(name)} stays where it is"
    return Rule(words, (tuple(Linear(((1, name, a),), 0, 0) for a in AXES),))


def _pairs(problem: ShiftProblem) -> list[Rule]:
    names = list(problem.boxes)
    return [
        apart(problem, a, b)
        for i, a in enumerate(names)
        for b in names[:i]
        if not (a in problem.fixed and b in problem.fixed) and not problem.may_overlap(a, b)
    ]


def _core(problem: ShiftProblem, demands: Sequence[Rule], seed: int, effort: float) -> tuple[list[Rule] | None, float]:
    """A subset that cannot hold together, or None when all can, or when that is not known in time; and the time."""
    model = cp_model.CpModel()
    reach = SAFE
    zero = dict.fromkeys(problem.boxes, (0, 0))
    variables = _variables(model, list(problem.boxes), zero, (), reach)
    literals = [model.new_bool_var(rule.words) for rule in demands]
    for rule, literal in zip(demands, literals, strict=True):
        _post(model, variables, rule, literal)
    model.add_assumptions(literals)
    solver = _solver(effort, seed)
    solver.solve(model)
    spent = solver.response_proto.deterministic_time
    if solver.response_proto.status != cp_model.INFEASIBLE:
        return None, spent
    kept = set(solver.sufficient_assumptions_for_infeasibility())
    return [rule for rule, literal in zip(demands, literals, strict=True) if literal.index in kept], spent
