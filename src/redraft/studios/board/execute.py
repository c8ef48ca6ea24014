"""From a list of actions to a placement: all of them are carried out, or none."""

from __future__ import annotations

from collections.abc import Sequence

from anyio import to_thread

from redraft.errors import BriefError, ExecutionError, InfeasibleError
from redraft.spatial.actions import (
    Action,
    ClusterAround,
    Distribute,
    Flip,
    MoveBy,
    MoveToEdge,
    PlaceComponent,
    PlaceRelative,
    Stack,
    Swap,
)
from redraft.spatial.layout import Move
from redraft.spatial.workspace import Workspace
from redraft.studios.base import Bench
from redraft.studios.board.placement import Placement, board_of, keep, layout_of
from redraft.studios.board.spec import ActionList

__all__ = ["amend", "carried_out", "execute", "held"]


async def execute(spec: ActionList, base: Placement | None, bench: Bench) -> Placement:
    """The placement after the actions.

    Raises:
        ExecutionError: one cannot be carried out; says which, why, and what is possible. Nothing was done then.
    """
    assert base is not None, "a run on a board has a board"
    return await to_thread.run_sync(carried_out, spec, base, limiter=bench.limiter)


def carried_out(spec: ActionList, base: Placement) -> Placement:
    """`execute` for code that does not await."""
    if not spec.actions:
        return _nothing(spec, base)
    workspace, steps = Workspace(layout_of(base)), list[str]()
    for number, action in enumerate(spec.actions, start=1):
        try:
            outcome = workspace.do(action)
        except (BriefError, InfeasibleError) as error:
            raise ExecutionError(
                f"Action {number} of {len(spec.actions)} ({action.action}): {error}\n"
                "Nothing of this list was carried out; the board is as it was before it."
            ) from error
        steps.append(f"- {outcome.action}" + (f" ({outcome.note})" if outcome.note else ""))
    after = _after(base, workspace.moves, {**base.locked, **workspace.locked}, steps)
    return after.model_copy(update={"held": held(base.held, spec.actions)})


def held(before: Sequence[str], actions: Sequence[Action]) -> tuple[str, ...]:
    """The parts that lie at a stated distance from another after some actions; what moves them otherwise ends it."""
    found = dict.fromkeys(before)
    for action in actions:
        match action:
            case PlaceRelative():
                found[action.ref] = None
            case Stack() | Distribute():
                found |= dict.fromkeys(action.refs)
            case MoveBy() | ClusterAround() | Flip():
                found = {ref: None for ref in found if ref not in action.refs}
            case PlaceComponent() | MoveToEdge():
                found.pop(action.ref, None)
            case Swap():
                found = {ref: None for ref in found if ref not in {action.ref, action.other}}
            case _:
                pass
    return tuple(found)


def _nothing(spec: ActionList, base: Placement) -> Placement:
    """No action is an answer too: that nothing is to be done. A look that is not to be had is none."""
    if spec.inspect:
        raise ExecutionError(
            f"The reply asks again to look at {', '.join(spec.inspect)}, but all looks of this attempt are used up. "
            "Answer with actions now."
        )
    return base


def _after(base: Placement, moves: Sequence[Move], locked: dict[str, bool], steps: Sequence[str]) -> Placement:
    board = board_of(base).amend(moves)
    names = {index: name for name, index in board.names.items()}
    poses = {names[index]: pose for index, pose in sorted(board.poses.items())}
    after = base.model_copy(update={"poses": poses, "locked": locked, "steps": (*base.steps, *steps)})
    keep(after, board)
    return after


def amend(artifact: Placement, moves: Sequence[Move]) -> Placement:
    """The placement after the solver's moves."""
    told = sorted({f"- the solver moved {move.item}: {move.reason}" for move in moves})
    return _after(artifact, moves, artifact.locked, told)
