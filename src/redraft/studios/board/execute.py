"""From a list of actions to a placement: all of them are carried out, or none."""

from __future__ import annotations

from collections.abc import Sequence

from anyio import to_thread

from redraft.errors import BriefError, ExecutionError, InfeasibleError
from redraft.spatial.actions import Align, Distribute, Legalise, Lock, PlaceRelative, Rotate, Stack, refs_of
from redraft.spatial.layout import Move
from redraft.spatial.plans import plan
from redraft.spatial.solver.arguments import target_of
from redraft.spatial.workspace import Outcome, Workspace
from redraft.studios.base import Bench
from redraft.studios.board.numbers import numbers_in
from redraft.studios.board.placement import Placement, board_of, keep, layout_of
from redraft.studios.board.spec import ActionList, Carried, Stated, Waived
from redraft.studios.board.stated import moved_by, places_of

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
    if spec.inspect and not spec.actions:
        raise ExecutionError(
            f"The reply asks again to look at {', '.join(spec.inspect)}, but all looks of this attempt are used up. "
            "Answer with actions now."
        )
    workspace, steps, done = Workspace(layout_of(base)), list[str](), list[Carried]()
    reply = 1 + max((said.reply for said in (*base.stated, *base.waived)), default=-1)
    for number, stated in enumerate(spec.actions, start=1):
        try:
            for name in refs_of(stated.action):
                target_of(workspace.layout, name)
            was = places_of(stated, workspace.layout)
            outcome = Outcome(action=_words(stated, workspace)) if stated.measure_only else workspace.do(stated.action)
        except (BriefError, InfeasibleError) as error:
            raise ExecutionError(
                f"Action {number} of {len(spec.actions)} ({stated.action.action}): {error}\n"
                "Nothing of this list was carried out; the board is as it was before it."
            ) from error
        if not stated.measure_only:
            steps.append(f"- {outcome.action}" + (f" ({outcome.note})" if outcome.note else ""))
        own = {name: getattr(stated, name) for name in Stated.model_fields}
        done.append(Carried(**own, words=outcome.action, reply=reply, was=was))
    after = _after(base, workspace.moves, {**base.locked, **workspace.locked}, steps) if done else base
    waived = tuple(Waived(**dict(waiver), reply=reply) for waiver in spec.waived)
    return after.model_copy(update={"stated": (*base.stated, *done), "waived": (*base.waived, *waived)})


def _words(stated: Stated, workspace: Workspace) -> str:
    """What an action would do, in words, where it is only measured."""
    try:
        return plan(workspace.layout, stated.action).words
    except InfeasibleError:
        return f"{stated.action.action} {', '.join(refs_of(stated.action))}"


def held(placement: Placement) -> frozenset[str]:
    """The parts that lie where a stated number has put them: no move of the solver may give that up.

    What moves one otherwise ends it, as far as the words that an action quotes have no number.
    """
    found, layout = set[str](), layout_of(placement)
    for stated in placement.stated:
        moved = moved_by(stated, layout)
        match stated.action:
            case PlaceRelative() | Stack() | Distribute():
                found |= moved
            case Align() | Rotate() | Lock() | Legalise():
                pass
            case _ if numbers_in(stated.quote, layout):
                found |= moved
            case _:
                found -= moved
    return frozenset(found)


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
