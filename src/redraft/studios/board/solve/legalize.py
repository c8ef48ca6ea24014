"""Legalizing: the nearest layout without overlap that keeps every stated relation.

On a board the search uses windows that grow until there is room, and the answer is verified with the true shapes. Only
items near the window are in the model. An answer that moves nothing farther than the window reaches is the nearest of
all if the model proves it; otherwise a larger window is searched, and finally the whole board.
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
    Rule,
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
    """What legalizing has to keep, and what it may spend; as the arguments of `legalize`."""

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
            the effort, which is then said, and `constraints` is empty.
        BriefError: an unknown item.
    """
    if layout.frame.solid:
        asked = Demands(tuple(keep), gap, tuple(may_overlap), weights or {}, effort, seed)
        return legalize_board(layout, refs or (), asked)
    problem = _problem_of(layout, known(layout, refs or [i.name for i in layout.roots]), gap, may_overlap, weights)
    rules = [_within_frame(problem, ref, layout) for ref in problem.movable]
    rules += [rule_of(problem, stated, layout.frame) for stated in keep]
    problem = replace(problem, rules=(*problem.rules, *rules))
    found = nearest(problem, effort=effort, seed=seed)
    if found.shifts is None:
        raise infeasible(restricted(problem, found.stuck), effort, seed)
    return solution(problem, found)


def solution(problem: ShiftProblem, found: NearestShifts) -> Solution:
    """A placement as moves, with its bound."""
    unit = problem.unit
    moves = tuple(
        Move.shift(name, dx * unit, dy * unit, "nearest place without overlap")
        for name, (dx, dy) in (found.shifts or {}).items()
        if dx or dy
    )
    note = _note(len(moves), found.cost * unit, found.bound * unit, found.proven)
    return Solution(moves, found.proven, found.bound * unit, note, (), found.cost * unit, found.effort)


def _problem_of(
    layout: Layout,
    refs: Sequence[str],
    gap: float,
    may_overlap: Iterable[tuple[str, str]],
    weights: Mapping[str, tuple[int, int]] | None,
) -> ShiftProblem:
    problem = shift_problem(layout, refs)
    pairs = frozenset(frozenset(pair) for pair in may_overlap)
    return replace(problem, gap=gap / problem.unit, free_pairs=pairs, weights=weights or {})


def _within_frame(problem: ShiftProblem, ref: str, layout: Layout) -> Rule:
    bounds = scaled(layout.frame.bounds, problem.unit)
    return within(problem, ref, bounds, f"{ref} lies within the frame")


def infeasible(problem: ShiftProblem, effort: float, seed: int) -> InfeasibleError:
    """The error that names an irreducible set of demands; or says that none was proven."""
    core = conflict(problem, seed=seed, effort=min(NAMING_EFFORT, 2.0 * effort))
    if core:
        return InfeasibleError("No layout satisfies all of these: " + "; ".join(core), core)
    return InfeasibleError(
        f"No layout was found within an effort of {effort:g} deterministic seconds, and none proven impossible; "
        "give more effort, or fewer items",
        (),
    )


def _note(count: int, moved: float, bound: float, proven: bool) -> str:
    summary = f"{count} moved by {moved:.6g} in all"
    if proven:
        return f"{summary}; the nearest there is"
    return f"{summary}; no answer can move less than {bound:.6g}" if bound > 0.0 else summary


WINDOWS = (3.0, 12.0, 1e9)
"""How far parts are first moved at most, in multiples of the longest side among them; in the end anywhere."""

NAMED_BESIDE = 8
"""Components beside the board that a message names."""

NAMED = 60
"""Boxes among which a conflict is named: more would take long and would not be read."""


def legalize_board(layout: Layout, refs: Sequence[str], asked: Demands) -> Solution:
    """Shift the parts named, or those that collide, as little as possible until nothing collides any more.

    Parts named that hang over the edge or lie beside the board are brought onto it; where none are named they stay as
    they are, and the note names those beside it.

    Raises:
        InfeasibleError: nothing satisfies this; names an irreducible set of the demands. Or no part is named, and none
            lies on the board.
        BriefError: an unknown part.
    """
    task = _Task(layout, (), asked)
    if refs:
        task, answer = task.of(name for name in known(layout, refs) if not locked_in(layout, name)), _in_windows
    else:
        task, answer = task.of(_colliding(layout)), _all_that_collides
    out = () if refs else beside(layout)
    if out and len(out) == len(layout.roots):
        raise InfeasibleError(
            f"All {len(out)} components lie beside the board, where nothing is in the way of anything: "
            f"name those to bring in ({shortlist(out, NAMED_BESIDE)})",
            ("legalise shifts what collides on the board", "no component lies on the board"),
        )
    told = (f"left beside the board: {shortlist(out, NAMED_BESIDE)}; name them to bring them in",) if out else ()
    if not task.names:
        return Solution(note="; ".join(("nothing collides that may move", *told)))
    found, left = _tried(task, answer)
    if left:  # holes against pads of the other side: these are seldom in the way, and many
        found, left = _tried(replace(task, pads=True, budget=Budget()), answer)
    found = _told(found, left)
    return replace(found, note="; ".join(filter(None, (found.note, *told))))


def _all_that_collides(task: _Task) -> Solution:
    """What has no room is left where it is, and said."""
    task, left, somewhere = _placeable(task)
    try:
        found = _in_windows(task) if task.names else Solution()
    except InfeasibleError:
        if somewhere is None:
            raise
        found = somewhere
    notes = [found.note, *(f"{name} was left: no room was found for it without a collision" for name in left)]
    return replace(found, unsolved=(*found.unsolved, *left), note="; ".join(note for note in notes if note))


def _placeable(task: _Task) -> tuple[_Task, list[str], Solution | None]:
    """The task of those parts that find some place on the board, those that do not, and an answer, if not the best."""
    left = list[str]()
    while task.names:
        problem = _problem(task, _farthest(task.layout))
        shifts, homeless = greedy(problem, task.names, dict.fromkeys(problem.boxes, (0, 0)), task.budget)
        if not homeless:
            kept = all(rule.holds(shifts) for rule in problem.rules)
            found = solution(problem, NearestShifts(shifts, problem.cost(shifts), 0, 0.0)) if kept else None
            return task, left, found
        task, left = task.of(_without(task.names, homeless)), [*left, *homeless]
    return task, left, None


def _without(names: Iterable[str], others: Iterable[str]) -> list[str]:
    others = set(others)
    return [name for name in names if name not in others]


def _tried(task: _Task, answer: Callable[[_Task], Solution]) -> tuple[Solution, list[tuple[str, str]]]:
    """An answer, and what by the true shapes still collides with it."""
    found = answer(task)
    names = _without(task.names, found.unsolved)
    return found, list(collisions(task.layout.moved(found.moves), names)) if names else []


def _told(found: Solution, left: Iterable[tuple[str, str]]) -> Solution:
    """With what still collides, if anything does."""
    unsolved = tuple(f"{a} in {b}" for a, b in left)
    notes = [found.note, *(f"still {words}" for words in unsolved)]
    return replace(found, unsolved=(*found.unsolved, *unsolved), note="; ".join(notes))


def _colliding(layout: Layout) -> tuple[str, ...]:
    """The parts that collide now, of pairs both, where they may move.

    Parts off the board are not placed yet, and those that hang over its edge do so on purpose.
    """
    found = collisions(layout, [item.name for item in layout.roots if not item.shape.is_empty])
    names = dict.fromkeys(name for pair in found if pair[1] != EDGE for name in pair if name in layout)
    return tuple(name for name in names if not layout[name].locked and _well_inside(layout, name))


def _well_inside(layout: Layout, name: str) -> bool:
    return layout.area is None or outside(layout[name].shape, layout.area) <= layout.frame.quantum


@dataclass(frozen=True)
class _Task:
    """Which parts may move, and whether their pads are looked at beside the room that they claim."""

    layout: Layout
    names: tuple[str, ...]
    asked: Demands
    pads: bool = False
    budget: Budget = field(default_factory=Budget)

    def of(self, names: Iterable[str]) -> _Task:
        return replace(self, names=tuple(names))


def _in_windows(task: _Task) -> Solution:
    longest = max(max(b[2] - b[0], b[3] - b[1]) for b in (task.layout.bounds(name) for name in task.names))
    farthest = _farthest(task.layout)
    problem = _problem(task, min(WINDOWS[0] * longest, farthest))
    found = nearest(problem, effort=task.asked.effort, seed=task.asked.seed, budget=task.budget)
    for window in WINDOWS[1:]:
        if found.shifts is not None:
            return solution(problem, _bounded(found, problem))
        problem = _problem(task, min(window * longest, farthest))
        found = nearest(problem, effort=task.asked.effort, seed=task.asked.seed, budget=task.budget)
    if found.shifts is None:
        raise _no_room(task, problem, found)
    return solution(problem, found)


def _farthest(layout: Layout) -> float:
    """A way longer than any on this board."""
    x0, y0, x1, y1 = layout.frame.bounds
    boxes = layout.boxes
    low, high = min(x0, y0, float(boxes[:, :2].min())), max(x1, y1, float(boxes[:, 2:].max()))
    return 2.0 * (high - low)


def _bounded(found: NearestShifts, problem: ShiftProblem) -> NearestShifts:
    """What lies beyond a window costs more than the window's reach."""
    return replace(found, bound=min(found.bound, problem.reach or 0))


def _problem(task: _Task, reach: float) -> ShiftProblem:
    problem = ground(task.layout, task.names, reach, pads=task.pads)
    pairs = problem.free_pairs | {frozenset(pair) for pair in task.asked.may_overlap}
    problem = replace(problem, gap=task.asked.gap / problem.unit, free_pairs=pairs, weights=task.asked.weights)
    rules = [rule_of(problem, stated, task.layout.frame) for stated in task.asked.keep]
    return replace(problem, rules=(*problem.rules, *rules, *_constraints(problem, task.asked.constraints)))


def _constraints(problem: ShiftProblem, constraints: Iterable[Constraint]) -> list[Rule]:
    """What the actions set of parts that move now; the other one of a pair stays where it is."""
    found: list[Rule] = []
    for constraint in constraints:
        movable = [ref for ref in constraint.refs if ref in problem.boxes]
        if movable:
            grounded = replace(constraint, ref=movable[0], other=movable[1] if len(movable) > 1 else None)
            found.append(
                replace(constraint_rule(grounded), words=f"{constraint.ref} keeps its place: {constraint.words}")
            )
    return found


def _no_room(task: _Task, problem: ShiftProblem, found: NearestShifts) -> InfeasibleError:
    """The smallest conflicting set, where it is local; else "no room"."""
    near = _local(problem, found.stuck)
    if len(near.boxes) <= NAMED:
        error = infeasible(near, task.asked.effort, task.asked.seed)
        if error.constraints:
            return error
    homeless = ", ".join(name for name in problem.movable if name in found.homeless)
    others = len(found.stuck - found.homeless)
    beside = f" beside {others} more that were asked for" if others else ""
    words = (
        f"{homeless} lie on the board, {task.asked.gap:g} {task.layout.frame.unit} from all others",
        "all else stays",
    )
    return InfeasibleError(
        f"No room was found on the board for {homeless}{beside}: "
        "name more parts that may move, or ask for less clearance",
        words,
    )


def _local(problem: ShiftProblem, stuck: frozenset[str]) -> ShiftProblem:
    """The problem of what is stuck, among what it lies on now."""
    tied = frozenset(ref for rule in linked(problem.rules, stuck) for ref in rule.refs)
    names = stuck | tied
    close = {
        other
        for other in problem.fixed
        for name in names
        if not problem.may_overlap(name, other) and all(v > 0 for v in problem.separation(name, other))
    }
    return restricted(replace(problem, fixed=frozenset(close)), frozenset(names))
