"""Legalisation: the nearest layout that keeps every stated relation, without overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from redraft.errors import InfeasibleError
from redraft.spatial.layout import Layout, Move
from redraft.spatial.solver.model import NAMING_EFFORT, conflict
from redraft.spatial.solver.nearest import Placement, nearest
from redraft.spatial.solver.problem import Problem, Rule, problem_of, restricted, scaled, within
from redraft.spatial.solver.refs import known
from redraft.spatial.solver.stated import Stated, rule_of
from redraft.spatial.solver.ties import Tie

__all__ = ["EFFORT", "Demands", "Solution", "infeasible", "legalise", "solution"]

EFFORT = 1.0
"""Deterministic seconds: up to about ten of the clock, for hard problems. An answer does not depend on the clock."""


@dataclass(frozen=True)
class Solution:
    """Moves, in order, and how good they are.

    `moved` is the weighted sum of absolute shifts in the frame's unit, `bound` what no solution can be below;
    `proven` when they are equal. `unsolved` names what was left as it is, and why.
    """

    moves: tuple[Move, ...] = ()
    proven: bool = True
    bound: float = 0.0
    note: str = ""
    unsolved: tuple[str, ...] = ()
    moved: float = 0.0
    effort: float = 0.0
    """Deterministic seconds spent."""


@dataclass(frozen=True)
class Demands:
    """What legalising has to keep, and what it may spend; as the arguments of `legalise`."""

    keep: tuple[Stated, ...] = ()
    gap: float = 0.0
    may_overlap: tuple[tuple[str, str], ...] = ()
    weights: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    effort: float = EFFORT
    seed: int = 0
    ties: tuple[Tie, ...] = ()


def legalise(
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
    is off the board; see `onboard.legalise_board`, which also keeps what actions have set.

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
        from redraft.spatial.solver.onboard import legalise_board  # which builds on this module

        asked = Demands(tuple(keep), gap, tuple(may_overlap), weights or {}, effort, seed)
        return legalise_board(layout, refs or (), asked)
    problem = _problem(layout, known(layout, refs or [i.name for i in layout.roots]), gap, may_overlap, weights)
    rules = [_within_frame(problem, ref, layout) for ref in problem.movable]
    rules += [rule_of(problem, stated, layout.frame) for stated in keep]
    problem = replace(problem, rules=(*problem.rules, *rules))
    found = nearest(problem, effort=effort, seed=seed)
    if found.shifts is None:
        raise infeasible(restricted(problem, found.stuck), effort, seed)
    return solution(problem, found)


def solution(problem: Problem, found: Placement) -> Solution:
    """A placement as moves, with its bound."""
    unit = problem.unit
    moves = tuple(
        Move.shift(name, dx * unit, dy * unit, "nearest place without overlap")
        for name, (dx, dy) in (found.shifts or {}).items()
        if dx or dy
    )
    note = _note(len(moves), found.cost * unit, found.bound * unit, found.proven)
    return Solution(moves, found.proven, found.bound * unit, note, (), found.cost * unit, found.effort)


def _problem(
    layout: Layout,
    refs: Sequence[str],
    gap: float,
    may_overlap: Iterable[tuple[str, str]],
    weights: Mapping[str, tuple[int, int]] | None,
) -> Problem:
    problem = problem_of(layout, refs)
    pairs = frozenset(frozenset(pair) for pair in may_overlap)
    return replace(problem, gap=gap / problem.unit, free_pairs=pairs, weights=weights or {})


def _within_frame(problem: Problem, ref: str, layout: Layout) -> Rule:
    bounds = scaled(layout.frame.bounds, problem.unit)
    return within(problem, ref, bounds, f"{ref} lies within the frame")


def infeasible(problem: Problem, effort: float, seed: int) -> InfeasibleError:
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
    told = f"{count} moved by {moved:.6g} in all"
    if proven:
        return f"{told}; the nearest there is"
    return f"{told}; no answer can move less than {bound:.6g}" if bound > 0.0 else told
