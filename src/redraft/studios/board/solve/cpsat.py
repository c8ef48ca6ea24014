"""CP-SAT on shifts: one worker, a fixed seed and a deterministic time limit, so that runs give the same answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model

from redraft.studios.board.solve.constraints import AXES, SAFE, Axis, Linear, Rule, ShiftProblem, Shifts, apart

Variables = dict[tuple[str, Axis], cp_model.IntVar]

NAMING_EFFORT = 2.0
"""Deterministic seconds for each solve while a conflict is named, at most."""

MAX_SOLVES = 5
"""So many times the effort of one solve is spent on leaving out of a conflict what need not be in it."""


@dataclass(frozen=True)
class Answer:
    """Shifts with their cost in units, a lower bound of any answer's cost, and the deterministic seconds spent.

    `shifts` is None when there is no answer; `impossible` when it is proven that there is none.
    """

    shifts: Shifts | None
    cost: int
    bound: int
    effort: float
    impossible: bool = False

    @property
    def proven(self) -> bool:
        """True if no shifts cost less."""
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
    """Return the cheapest shifts of the `free` boxes; every other box stays where `at` has it.

    `reach` bounds each single shift, in units: a known answer's cost is always a valid reach.
    """
    model = cp_model.CpModel()
    moving = frozenset(free)
    rules = [rule for r in rules if (rule := _within_reach(r, moving, at, reach)) is not None]
    variables = _variables(model, free, at, rules, reach)
    for rule in rules:
        _post(model, variables, rule)
    costs: list[cp_model.LinearExprT] = []
    for name in free:
        for axis, weight in zip(AXES, problem.weight(name), strict=True):
            shift = variables[name, axis]
            size = model.new_int_var(0, reach, f"|{shift.name}|")
            model.add(size >= shift)
            model.add(size >= -shift)
            costs.append(weight * size)
    model.minimize(sum(costs))
    for name in free:
        for axis in AXES:
            model.add_hint(variables[name, axis], (hint or at)[name][axis])

    solver = _solver(effort, seed)
    solver.solve(model)
    status, spent = solver.response_proto.status, solver.response_proto.deterministic_time
    if status not in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        return Answer(None, 0, 0, spent, impossible=status == cp_model.INFEASIBLE)
    shifts = dict(at) | {n: (solver.value(variables[n, 0]), solver.value(variables[n, 1])) for n in free}
    return Answer(shifts, round(solver.objective_value), round(solver.best_objective_bound), spent)


def _within_reach(rule: Rule, moving: frozenset[str], at: Shifts, reach: int) -> Rule | None:
    """Return the rule without options that are out of reach; None when one of them holds wherever the boxes go."""
    options: list[tuple[Linear, ...]] = []
    for option in rule.options:
        always = possible = True
        for line in option:
            # The least and greatest value of the sum.
            middle = sum(c * at[ref][axis] for c, ref, axis in line.terms if ref not in moving)
            swing = sum(abs(c) * reach for c, ref, _ in line.terms if ref in moving)
            lower = -math.inf if line.lower is None else line.lower
            upper = math.inf if line.upper is None else line.upper
            always &= middle - swing >= lower and middle + swing <= upper
            possible &= middle + swing >= lower and middle - swing <= upper
        if always:
            return None
        if possible:
            options.append(option)
    return Rule(rule.words, tuple(options)) if options else rule


def _variables(
    model: cp_model.CpModel, free: Sequence[str], at: Shifts, rules: Sequence[Rule], reach: int
) -> Variables:
    """Return the shifts of all boxes that rules speak of as variables; those of boxes that stay have one value."""
    moving = set(free)
    variables: Variables = {}
    still = frozenset[str]().union(*(rule.refs for rule in rules)) - moving
    for name in (*free, *sorted(still)):
        for axis in AXES:
            here = at[name][axis]
            low, high = (-reach, reach) if name in moving else (here, here)
            variables[name, axis] = model.new_int_var(low, high, f"{name}.{'xy'[axis]}")
    return variables


def _post(model: cp_model.CpModel, variables: Variables, rule: Rule, enforce: cp_model.IntVar | None = None) -> None:
    """Add the rule to the model; under a literal, when one is given."""
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


def conflict(problem: ShiftProblem, *, seed: int, effort: float = NAMING_EFFORT) -> tuple[str, ...]:
    """Return an irreducible set of demands that no placement satisfies, in words; empty when none is proven.

    An unsatisfiable core by assumption literals first, then a deletion filter: what can be left out without making
    the rest satisfiable is left out, so that of the result nothing can (Chinneck and Dravnieks 1991), as far as
    `effort`, the deterministic seconds of one solve, allows.
    """
    demands: list[Rule] = []
    for name in problem.boxes:
        if name in problem.fixed:
            words = f"{name} is locked" if name not in problem.owners else f"{problem.said(name)} stays where it is"
            demands.append(Rule(words, (tuple(Linear(((1, name, axis),), 0, 0) for axis in AXES),)))
    demands += problem.rules
    names = list(problem.boxes)
    for i, a in enumerate(names):
        for b in names[:i]:
            if not (a in problem.fixed and b in problem.fixed) and not problem.may_overlap(a, b):
                demands.append(apart(problem, a, b))

    core, spent = _core(problem, demands, seed, effort)
    if core is None:
        return ()
    for rule in tuple(core):
        if spent > MAX_SOLVES * effort:
            break
        rest, cost = _core(problem, [r for r in core if r is not rule], seed, effort)
        core, spent = rest or core, spent + cost
    return tuple(dict.fromkeys(rule.words for rule in core))


def _core(problem: ShiftProblem, demands: Sequence[Rule], seed: int, effort: float) -> tuple[list[Rule] | None, float]:
    """Return demands that cannot hold together, or None when all can or that is not known in time; and the time."""
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
    core = set(solver.sufficient_assumptions_for_infeasibility())
    return [rule for rule, literal in zip(demands, literals, strict=True) if literal.index in core], spent
