"""Legalising on a board: windows that grow until there is room, verified with the true shapes.

Only what is near is in the model. An answer that moves nothing further than the window reaches is the nearest of all
where the model proves it; what needs more room is looked for in a larger window, and in the end on the whole board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from redraft.errors import InfeasibleError
from redraft.spatial.collisions import EDGE, collisions, outside
from redraft.spatial.layout import Layout
from redraft.spatial.solver.ground import ground
from redraft.spatial.solver.legal import Demands, Solution, infeasible, solution
from redraft.spatial.solver.nearest import Placement, nearest
from redraft.spatial.solver.problem import Problem, Rule, linked, restricted
from redraft.spatial.solver.refs import known, locked_in
from redraft.spatial.solver.stated import rule_of
from redraft.spatial.solver.ties import Tie, tie_rule

__all__ = ["legalise_board"]

WINDOWS = (3.0, 12.0, 1e9)
"""How far parts are first moved at most, in multiples of the longest side among them; in the end anywhere."""

ROUNDS = 4
"""How often pairs that still collide (holes against pads of the other side) are added to the model."""

NAMED = 60
"""Boxes among which a conflict is named: more would take long, and nobody would read it."""


def legalise_board(layout: Layout, refs: Sequence[str], asked: Demands) -> Solution:
    """Shift the parts named, or those that collide, as little as possible until nothing collides any more.

    Parts named that hang over the edge are brought onto the board; where none are named they stay as they are.

    Raises:
        InfeasibleError: nothing satisfies this; names an irreducible set of the demands.
        BriefError: an unknown part.
    """
    if refs:
        return _verified(layout, [name for name in known(layout, refs) if not locked_in(layout, name)], asked)
    return _all_that_collides(layout, asked)


def _all_that_collides(layout: Layout, asked: Demands) -> Solution:
    """What has no room is left where it is, the largest of those in each other's way first, and said."""
    names, left = list(_colliding(layout)), list[str]()
    while True:
        try:
            found = _verified(layout, names, asked)
        except _NoRoomError as stuck:
            largest = max(stuck.names, key=lambda name: (layout.whole(name).area, name))
            names.remove(largest)
            left.append(largest)
            continue
        notes = [found.note, *(f"{name} was left: there is no room for it without a collision" for name in left)]
        return replace(found, unsolved=(*found.unsolved, *left), note="; ".join(notes))


def _verified(layout: Layout, names: Sequence[str], asked: Demands) -> Solution:
    """An answer without collisions by the true shapes; or what of it still collides is said."""
    if not names:
        return Solution(note="nothing collides that may move")
    found, left = _tried(_Task(layout, tuple(names), asked, frozenset()))
    pairs = {frozenset(pair) for pair in left}
    for _ in range(ROUNDS):
        if not left:
            break
        found, left = _tried(_Task(layout, tuple(names), asked, frozenset(pairs)))
        pairs |= {frozenset(pair) for pair in left}
    return _told(found, left)


class _NoRoomError(InfeasibleError):
    """Of all that may move, these have no place together."""

    def __init__(self, error: InfeasibleError, names: Sequence[str]) -> None:
        super().__init__(str(error), error.constraints)
        self.names = tuple(names)


def _tried(task: _Task) -> tuple[Solution, list[tuple[str, str]]]:
    """An answer, and what still collides with it."""
    found = _in_windows(task)
    return found, list(collisions(task.layout.moved(found.moves), task.names))


def _told(found: Solution, left: Iterable[tuple[str, str]]) -> Solution:
    """With what still collides, if anything does."""
    unsolved = tuple(f"{a} in {b}" for a, b in left)
    return replace(found, unsolved=unsolved, note="; ".join([found.note, *(f"still {words}" for words in unsolved)]))


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
    layout: Layout
    names: tuple[str, ...]
    asked: Demands
    apart: frozenset[frozenset[str]]


def _in_windows(task: _Task) -> Solution:
    longest = max(max(b[2] - b[0], b[3] - b[1]) for b in (task.layout.bounds(name) for name in task.names))
    farthest = _farthest(task.layout)
    problem = _problem(task, min(WINDOWS[0] * longest, farthest))
    found = nearest(problem, effort=task.asked.effort, seed=task.asked.seed)
    for window in WINDOWS[1:]:
        if found.shifts is not None:
            return solution(problem, _bounded(found, problem))
        problem = _problem(task, min(window * longest, farthest))
        found = nearest(problem, effort=task.asked.effort, seed=task.asked.seed)
    if found.shifts is None:
        raise _no_room(task, problem, found)
    return solution(problem, found)


def _farthest(layout: Layout) -> float:
    """A way longer than any on this board."""
    x0, y0, x1, y1 = layout.frame.bounds
    boxes = layout.boxes
    low, high = min(x0, y0, float(boxes[:, :2].min())), max(x1, y1, float(boxes[:, 2:].max()))
    return 2.0 * (high - low)


def _bounded(found: Placement, problem: Problem) -> Placement:
    """What lies beyond a window costs more than the window's reach."""
    return replace(found, bound=min(found.bound, problem.reach or 0))


def _problem(task: _Task, reach: float) -> Problem:
    problem = ground(task.layout, task.names, reach, task.apart)
    pairs = problem.free_pairs | {frozenset(pair) for pair in task.asked.may_overlap}
    problem = replace(problem, gap=task.asked.gap / problem.unit, free_pairs=pairs, weights=task.asked.weights)
    rules = [rule_of(problem, stated, task.layout.frame) for stated in task.asked.keep]
    return replace(problem, rules=(*problem.rules, *rules, *_ties(problem, task.asked.ties)))


def _ties(problem: Problem, ties: Iterable[Tie]) -> list[Rule]:
    """What the actions set of parts that move now; the other one of a pair stays where it is."""
    found: list[Rule] = []
    for tie in ties:
        movable = [ref for ref in tie.refs if ref in problem.boxes]
        if movable:
            grounded = replace(tie, ref=movable[0], other=movable[1] if len(movable) > 1 else None)
            found.append(replace(tie_rule(grounded), words=f"{tie.ref} keeps its place: {tie.words}"))
    return found


def _no_room(task: _Task, problem: Problem, found: Placement) -> _NoRoomError:
    """The smallest conflicting set, where it is a local one; else that there is no room."""
    stuck = [name for name in problem.movable if name in found.stuck]
    near = _local(problem, found.stuck)
    if len(near.boxes) <= NAMED:
        error = infeasible(near, task.asked.effort, task.asked.seed)
        if error.constraints:
            return _NoRoomError(error, stuck)
    names = ", ".join(stuck)
    words = (f"{names} lie on the board, {task.asked.gap:g} {task.layout.frame.unit} from all others", "all else stays")
    message = f"No room was found on the board for {names}: name more parts that may move, or ask for less clearance"
    return _NoRoomError(InfeasibleError(message, words), stuck)


def _local(problem: Problem, stuck: frozenset[str]) -> Problem:
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
