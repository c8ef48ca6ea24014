"""The nearest layout without overlap that keeps every stated relation. `legalize` is the entry of the search.

On a board (`legalize_board`) the search uses windows that grow until there is room, and the answer is verified with the
true shapes. Only items near the window are in the model. An answer that moves nothing farther than the window reaches
is the nearest of all if the model proves it; otherwise a larger window is searched, and finally the whole board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from redraft.errors import InfeasibleError
from redraft.layout.items import Layout, Move, Solution
from redraft.studios.board.place.netlist import beside
from redraft.studios.board.solve.arguments import known, locked_in, shortlist
from redraft.studios.board.solve.collisions import EDGE, collisions, outside
from redraft.studios.board.solve.constraints import (
    Constraint,
    ShiftProblem,
    Stated,
    constraint_rule,
    linked,
    restricted,
    rule_of,
    scaled,
    shift_problem,
    within,
)
from redraft.studios.board.solve.cpsat import NAMING_EFFORT, conflict
from redraft.studios.board.solve.greedy import Budget, greedy
from redraft.studios.board.solve.nearest import NearestShifts, nearest
from redraft.studios.board.solve.obstacles import ground

EFFORT = 1.0
"""Deterministic seconds: up to about ten of the clock, for hard problems. An answer does not depend on the clock."""


@dataclass(frozen=True)
class Demands:
    """The relations that legalizing has to keep, and its limits; as the arguments of `legalize`."""

    keep: tuple[Stated, ...] = ()
    gap: float = 0.0
    may_overlap: tuple[tuple[str, str], ...] = ()
    weights: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    effort: float = EFFORT
    seed: int = 0
    constraints: tuple[Constraint, ...] = ()


def legalize(
    layout: Layout,
    refs: Sequence[str] | None = None,
    *,
    keep: Iterable[Stated] = (),
    gap: float = 0.0,
    may_overlap: Iterable[tuple[str, str]] = (),
    weights: Mapping[str, tuple[int, int]] | None = None,
    effort: float = EFFORT,
    seed: int = 0,
) -> Solution:
    """Shift items, as little as possible in all, until no two boxes overlap and all relations hold.

    In a solid frame (a board) everything that is not named is an obstacle, layer by layer, as are keep-outs and what
    is off the board; see `legalize_board`, which also keeps what actions have set.

    Args:
        refs: which items, each with its parts; every top-level one by default, on a board those that collide. Locked
            ones are obstacles.
        keep: the relations, in the frame's unit.
        gap: least clear distance of any two, in the frame's unit.
        may_overlap: pairs that may.
        weights: integer cost (from 1) of a unit of movement along x and y, by item.
        effort: deterministic seconds, so that two runs give the same answer.

    Raises:
        InfeasibleError: nothing satisfies this; names an irreducible set of the demands. Or nothing was found within
            the effort: then the message says so, and `constraints` is empty.
        BriefError: an unknown item.
    """
    if layout.frame.solid:
        demands = Demands(tuple(keep), gap, tuple(may_overlap), weights or {}, effort, seed)
        return legalize_board(layout, refs or (), demands)
    problem = shift_problem(layout, known(layout, refs or [i.name for i in layout.roots]))
    frame = scaled(layout.frame.bounds, problem.unit)
    problem = replace(
        problem,
        gap=gap / problem.unit,
        free_pairs=frozenset(frozenset(pair) for pair in may_overlap),
        weights=weights or {},
    )
    rules = [within(problem, ref, frame, f"{ref} lies within the frame") for ref in problem.movable]
    rules += [rule_of(problem, stated, layout.frame) for stated in keep]
    problem = replace(problem, rules=(*problem.rules, *rules))
    answer = nearest(problem, effort=effort, seed=seed)
    if answer.shifts is None:
        raise infeasible(restricted(problem, answer.stuck), effort, seed)
    return solution(problem, answer)


def solution(problem: ShiftProblem, answer: NearestShifts) -> Solution:
    """Return shifts as moves, with their bound."""
    unit = problem.unit
    moves = tuple(
        Move.shift(name, dx * unit, dy * unit, "nearest place without overlap")
        for name, (dx, dy) in (answer.shifts or {}).items()
        if dx or dy
    )
    cost, bound = answer.cost * unit, answer.bound * unit
    note = f"{len(moves)} moved by {cost:.6g} in all"
    if answer.proven:
        note += "; the nearest there is"
    elif bound > 0.0:
        note += f"; no answer can move less than {bound:.6g}"
    return Solution(moves, answer.proven, bound, note, (), cost, answer.effort)


def infeasible(problem: ShiftProblem, effort: float, seed: int) -> InfeasibleError:
    """Return the error that names an irreducible set of demands; or says that none was proven."""
    core = conflict(problem, seed=seed, effort=min(NAMING_EFFORT, 2.0 * effort))
    if core:
        return InfeasibleError("No layout satisfies all of these: " + "; ".join(core), core)
    return InfeasibleError(
        f"No layout was found within an effort of {effort:g} deterministic seconds, and none proven impossible; "
        "give more effort, or fewer items",
        (),
    )


WINDOWS = (3.0, 12.0, 1e9)
"""Limits of the moves in turn, in multiples of the longest side among the components; the last is no limit."""

MAX_BESIDE_NAMED = 8
"""Components beside the board that a message names."""

MAX_CONFLICT = 60
"""Boxes among which a conflict is named: more would take long and would not be read."""


def legalize_board(layout: Layout, refs: Sequence[str], demands: Demands) -> Solution:
    """Shift the components named, or those that collide, as little as possible until nothing collides any more.

    Components named that hang over the edge or lie beside the board are brought onto it; where none are named they stay
    as they are, and the note names those beside it.

    Raises:
        InfeasibleError: nothing satisfies this; names an irreducible set of the demands. Or no component is named, and
            none lies on the board.
        BriefError: an unknown component.
    """
    task = _Task(layout, (), demands)
    if refs:
        task, solve = task.of(name for name in known(layout, refs) if not locked_in(layout, name)), _in_windows
    else:
        task, solve = task.of(_colliding(layout)), _all_that_collides
    out = () if refs else beside(layout)
    if out and len(out) == len(layout.roots):
        raise InfeasibleError(
            f"All {len(out)} components lie beside the board, where nothing is in the way of anything: "
            f"name those to bring in ({shortlist(out, MAX_BESIDE_NAMED)})",
            ("legalise shifts what collides on the board", "no component lies on the board"),
        )
    notes = [f"left beside the board: {shortlist(out, MAX_BESIDE_NAMED)}; name them to bring them in"] if out else []
    if not task.names:
        return Solution(note="; ".join(("nothing collides that may move", *notes)))

    # First without holes against pads of the other side: these are seldom in the way, and many.
    answer, met = _verified(task, solve)
    if met:
        answer, met = _verified(replace(task, pads=True, budget=Budget()), solve)
    unsolved = tuple(f"{a} in {b}" for a, b in met)
    note = "; ".join([answer.note, *(f"still {words}" for words in unsolved)])
    return replace(
        answer,
        unsolved=(*answer.unsolved, *unsolved),
        note="; ".join(filter(None, (note, *notes))),
    )


def _verified(task: _Task, solve: Callable[[_Task], Solution]) -> tuple[Solution, list[tuple[str, str]]]:
    """Return an answer, and the pairs that by the true shapes still collide with it."""
    answer = solve(task)
    names = [name for name in task.names if name not in answer.unsolved]
    return answer, list(collisions(task.layout.moved(answer.moves), names)) if names else []


def _all_that_collides(task: _Task) -> Solution:
    """Solve for the components that collide; those without room are left where they are, and named in the note."""
    homeless = list[str]()
    anywhere: Solution | None = None
    while task.names:
        # A quick placement anywhere on the board tells which have no room at all.
        problem = _problem(task, _farthest(task.layout))
        shifts, without_room = greedy(problem, task.names, dict.fromkeys(problem.boxes, (0, 0)), task.budget)
        if not without_room:
            if all(rule.holds(shifts) for rule in problem.rules):
                anywhere = solution(problem, NearestShifts(shifts, problem.cost(shifts), 0, 0.0))
            break
        task = task.of(name for name in task.names if name not in without_room)
        homeless += without_room
    try:
        answer = _in_windows(task) if task.names else Solution()
    except InfeasibleError:
        if anywhere is None:
            raise
        answer = anywhere
    notes = [answer.note, *(f"{name} was left: no room was found for it without a collision" for name in homeless)]
    note = "; ".join(note for note in notes if note)
    return replace(answer, unsolved=(*answer.unsolved, *homeless), note=note)


def _colliding(layout: Layout) -> tuple[str, ...]:
    """Return the components that collide now, of pairs both, where they may move.

    Components off the board are not placed yet, and those that hang over its edge do so on purpose.
    """
    pairs = collisions(layout, [item.name for item in layout.roots if not item.shape.is_empty])
    names = dict.fromkeys(name for pair in pairs if pair[1] != EDGE for name in pair if name in layout)
    area, quantum = layout.area, layout.frame.quantum
    return tuple(
        name
        for name in names
        if not layout[name].locked and (area is None or outside(layout[name].shape, area) <= quantum)
    )


@dataclass(frozen=True)
class _Task:
    """The components that may move, and whether their pads are looked at beside the room that they claim."""

    layout: Layout
    names: tuple[str, ...]
    demands: Demands
    pads: bool = False
    budget: Budget = field(default_factory=Budget)

    def of(self, names: Iterable[str]) -> _Task:
        """Return the task of other components."""
        return replace(self, names=tuple(names))


def _in_windows(task: _Task) -> Solution:
    """Solve in windows that grow until there is room."""
    longest = max(max(b[2] - b[0], b[3] - b[1]) for b in (task.layout.bounds(name) for name in task.names))
    farthest = _farthest(task.layout)
    problem, answer = _solve_within(task, min(WINDOWS[0] * longest, farthest))
    for window in WINDOWS[1:]:
        if answer.shifts is not None:
            # What lies beyond a window costs more than the window's reach.
            return solution(problem, replace(answer, bound=min(answer.bound, problem.reach or 0)))
        problem, answer = _solve_within(task, min(window * longest, farthest))
    if answer.shifts is None:
        raise _no_room(task, problem, answer)
    return solution(problem, answer)


def _solve_within(task: _Task, reach: float) -> tuple[ShiftProblem, NearestShifts]:
    problem = _problem(task, reach)
    return problem, nearest(problem, effort=task.demands.effort, seed=task.demands.seed, budget=task.budget)


def _farthest(layout: Layout) -> float:
    """Return a way longer than any on this board."""
    x0, y0, x1, y1 = layout.frame.bounds
    boxes = layout.boxes
    low, high = min(x0, y0, float(boxes[:, :2].min())), max(x1, y1, float(boxes[:, 2:].max()))
    return 2.0 * (high - low)


def _problem(task: _Task, reach: float) -> ShiftProblem:
    """Return the problem of the components and all that they can meet within reach, with the rules that hold there."""
    demands = task.demands
    problem = ground(task.layout, task.names, reach, pads=task.pads)
    pairs = problem.free_pairs | {frozenset(pair) for pair in demands.may_overlap}
    problem = replace(problem, gap=demands.gap / problem.unit, free_pairs=pairs, weights=demands.weights)
    rules = [rule_of(problem, stated, task.layout.frame) for stated in demands.keep]
    for constraint in demands.constraints:
        # Of a pair that actions tied, one may stay where it is: then the other one does.
        movable = [ref for ref in constraint.refs if ref in problem.boxes]
        if movable:
            tied = replace(constraint, ref=movable[0], other=movable[1] if len(movable) > 1 else None)
            words = f"{constraint.ref} keeps its place: {constraint.words}"
            rules.append(replace(constraint_rule(tied), words=words))
    return replace(problem, rules=(*problem.rules, *rules))


def _no_room(task: _Task, problem: ShiftProblem, answer: NearestShifts) -> InfeasibleError:
    """Return the error that names the smallest conflicting set, where it is local; else "no room"."""
    # What is stuck, with all that rules tie to it, among what it lies on now.
    tied = frozenset(ref for rule in linked(problem.rules, answer.stuck) for ref in rule.refs)
    names = answer.stuck | tied
    under = {
        other
        for other in problem.fixed
        for name in names
        if not problem.may_overlap(name, other) and all(v > 0 for v in problem.separation(name, other))
    }
    near = restricted(replace(problem, fixed=frozenset(under)), names)
    if len(near.boxes) <= MAX_CONFLICT:
        error = infeasible(near, task.demands.effort, task.demands.seed)
        if error.constraints:
            return error
    homeless = ", ".join(name for name in problem.movable if name in answer.homeless)
    others = len(answer.stuck - answer.homeless)
    more = f" beside {others} more that were asked for" if others else ""
    words = (
        f"{homeless} lie on the board, {task.demands.gap:g} {task.layout.frame.unit} from all others",
        "all else stays",
    )
    return InfeasibleError(
        f"No room was found on the board for {homeless}{more}: "
        "name more parts that may move, or ask for less clearance",
        words,
    )
