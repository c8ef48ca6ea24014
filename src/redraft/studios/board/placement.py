"""Placements, what a run carries from step to step: which file, which parts lie elsewhere, and how they got there.

A list of actions makes a new one: all of them are carried out, or none. The solver shifts parts that collide."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from anyio import create_task_group, from_thread, get_cancelled_exc_class, sleep_forever, to_thread
from pydantic import BaseModel, ConfigDict, Field

from redraft.errors import BoardChangedError, BriefError, ExecutionError, InfeasibleError
from redraft.layout.items import Layout, Move, Solution
from redraft.limits import RECORD, read_file
from redraft.result import Report, Result
from redraft.studios.base import Resources
from redraft.studios.board import rules as checks
from redraft.studios.board.actions.measure import places_of
from redraft.studios.board.actions.plans import CUT_SHORT, ignore
from redraft.studios.board.actions.registry import Decouple, Legalise, PlaceAll
from redraft.studios.board.actions.workspace import Outcome, Workspace
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.model import MM, Pose
from redraft.studios.board.settings import own
from redraft.studios.board.spec import ActionList, Carried, Stated, Waived
from redraft.studios.board.words.numbers import numbers_in

T = TypeVar("T")

SHOWN = 80
"""Parts and steps that a source text names; of more, the last ones."""


class Placement(BaseModel):
    """A board with changes on top. Small, whatever the board's size, so that the journal can keep it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: Path
    digest: str
    """SHA-256 of the file's bytes: with other bytes this is another board."""
    poses: dict[str, Pose] = Field(default_factory=dict[str, Pose])
    """Where the moved parts lie, by name."""
    ripup: bool = False
    """Tracks that ended at the pads of the moved parts are removed."""
    locked: dict[str, bool] = Field(default_factory=dict[str, bool])
    """Locks set or taken off in this run; the file's own are not repeated."""
    steps: tuple[str, ...] = ()
    """What was done since the file was read, in words."""
    stated: tuple[Carried, ...] = ()
    """The actions of this run, with the words of the brief that they carry out."""
    waived: tuple[Waived, ...] = ()
    """Words of the brief that no action carries out."""
    agreed: tuple[Carried, ...] = ()
    """The actions of earlier runs that this one goes on from."""

    @property
    def source(self) -> str:
        """What a model sees again: the moved parts with their places, and the steps that led there."""
        if not self.poses and not self.steps:
            return "Nothing was moved yet."
        places = [_place(name, pose) for name, pose in sorted(self.poses.items())]
        rip = ["Tracks that ended at their pads are removed."] if self.ripup else []
        head = "Moved since the board was read (the `origin` of each, as KiCad has it):"
        return "\n".join([head, *_last(places), *rip, "By these steps:", *_last([*self.steps])])


def _place(name: str, pose: Pose) -> str:
    turned = f", turned {pose.angle:g}°" if pose.angle else ""
    return f"- {name}: at ({pose.x / MM:g}, {pose.y / MM:g}){turned}, {pose.side}"


def _last(lines: list[str]) -> list[str]:
    left = len(lines) - SHOWN
    return lines if left <= 0 else [f"- (and {left} before)", *lines[-SHOWN:]]


_boards: dict[tuple[object, ...], Board] = {}
"""The boards used last: a large one takes a second to read, and a run asks for it at every step."""

KEPT = 6


def opened(path: Path) -> Placement:
    """A board as it is on disk. Raises `BoardError`."""
    board = Board.read(path.resolve())
    placement = Placement(file=board.file.path, digest=board.file.digest)
    keep(placement, board)
    return placement


def placement_of(result: Result) -> Placement:
    """What a run that delivered something made."""
    return Placement.model_validate_json(read_file(result.files["json"], RECORD))


def keep(placement: Placement, board: Board) -> None:
    """Have the board of a placement at hand when it is asked for next."""
    _boards[_key(placement)] = board
    while len(_boards) > KEPT:
        del _boards[next(iter(_boards))]


def unmoved(placement: Placement) -> Placement:
    """The board as its file has it."""
    return Placement(file=placement.file, digest=placement.digest, agreed=placement.agreed)


def _key(placement: Placement) -> tuple[object, ...]:
    return (placement.file, placement.digest, placement.ripup, *sorted(placement.poses.items()))


def board_of(placement: Placement) -> Board:
    """The board that a placement speaks of.

    Raises:
        BoardChangedError: the file is not what it was. BoardError: it cannot be read.
    """
    known = _boards.get(_key(placement))
    if known is not None:
        return known
    base = unmoved(placement)
    board = _boards.get(_key(base)) or _read(placement)
    keep(base, board)
    if placement.poses or placement.ripup:
        board = replace(
            board, poses={board.names[name]: pose for name, pose in placement.poses.items()}, ripup=placement.ripup
        )
        keep(placement, board)
    return board


def _read(placement: Placement) -> Board:
    board = Board.read(placement.file)
    if board.file.digest != placement.digest:
        raise BoardChangedError(
            f"{placement.file} was changed since this run read it (SHA-256 was {placement.digest[:12]}…, is "
            f"{board.file.digest[:12]}…). Put the board back as it was, or start a new run on it as it is."
        )
    return board


def layout_of(placement: Placement) -> Layout:
    """Its layout, with the locks of this run. Raises what `board_of` does."""
    layout, locked = board_of(placement).layout, placement.locked
    if not locked:
        return layout
    items = tuple(replace(i, locked=locked[i.name]) if i.name in locked else i for i in layout.items)
    return replace(layout, items=items)


async def execute(spec: ActionList, base: Placement | None, resources: Resources) -> Placement:
    """The placement after the actions.

    They are carried out in a thread. Where the run is stopped meanwhile, a search ends with its best so far, which
    is handed to `resources.keep`, and the cancellation is passed on.

    Raises:
        ExecutionError: one cannot be carried out; names it, the reason, and what is possible. Nothing is changed then.
    """
    assert base is not None, "a run on a board has a board"
    settings = own(resources.settings)
    base = base.model_copy(update={"ripup": settings.ripup})
    asked = threading.Event()
    limit = math.inf if settings.time_limit is None else time.monotonic() + settings.time_limit

    def work() -> Placement:
        made = carried_out(
            spec,
            base,
            seed=resources.seed,
            effort=settings.effort,
            notify=lambda line: from_thread.run_sync(resources.tell, line),
            stop=lambda: asked.is_set() or time.monotonic() > limit,
        )
        return made if asked.is_set() or settings.time_limit is None else _limited(made, settings.time_limit)

    return await stoppable(lambda: to_thread.run_sync(work, limiter=resources.limiter), asked, resources.keep)


def _limited(made: Placement, seconds: float) -> Placement:
    """The placement, in whose notes a search that was cut short was so by the time limit."""
    said = f"{CUT_SHORT} by the time limit of {seconds:g} s"
    stated = tuple(one.model_copy(update={"note": one.note.replace(CUT_SHORT, said)}) for one in made.stated)
    return made.model_copy(update={"stated": stated})


async def stoppable(work: Callable[[], Awaitable[T]], asked: threading.Event, keep: Callable[[T], None] = ignore) -> T:
    """The result of work in a thread. On cancellation `asked` is set, and `keep` gets the result so far.

    Raises what `work` does.
    """
    done, failed = list[T](), list[Exception]()

    async def watch() -> None:
        try:
            await sleep_forever()
        finally:
            asked.set()

    async def carry_out() -> None:
        try:
            done.append(await work())
        except Exception as error:
            failed.append(error)
        group.cancel_scope.cancel()

    try:
        async with create_task_group() as group:  # in a task of its own even Ctrl-C waits for the thread
            group.start_soon(watch)
            group.start_soon(carry_out)
    except get_cancelled_exc_class():
        if done:
            keep(done[0])
        raise
    if failed:
        raise failed[0]
    return done[0]


def carried_out(
    spec: ActionList,
    base: Placement,
    *,
    seed: int = 0,
    effort: float = 1.0,
    notify: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Placement:
    """`execute` for code that does not await. `seed` and `effort` are for searches whose action states none."""
    if spec.look:
        raise ExecutionError(
            f"The reply asks for {'a dry run' if spec.dry_run else 'another look'}, but all looks of this attempt are "
            "used up. Answer with actions now, or waive words with the reason."
        )
    owners: dict[str, str] = {}
    for act in (stated.action for stated in spec.actions):
        if isinstance(act, Decouple):
            target = act.target.partition(".")[0]
            for name in act.refs:
                if (owner := owners.setdefault(name, target)) != target:
                    raise ExecutionError(
                        f"decouple: {name} is named for {owner} and for {target}, and it can be at one of them only. "
                        "Name it for the one that it serves, and another capacitor of that supply for the other one."
                    )
    workspace, steps, done = Workspace(layout_of(base)), list[str](), list[Carried]()
    reply = 1 + max((said.reply for said in (*base.stated, *base.waived)), default=-1)
    for number, stated in enumerate(spec.actions, start=1):
        action, length = stated.action, None
        try:
            if isinstance(action, PlaceAll):
                length = workspace.wire_length
                action = action.model_copy(
                    update={
                        "seed": seed if action.seed is None else action.seed,
                        "effort": effort if action.effort is None else action.effort,
                    }
                )
            action.check_names(workspace.layout)
            was = places_of(workspace.layout, action.compared(workspace.layout))
            outcome = (
                Outcome(action=_words(stated, workspace))
                if stated.measure_only
                else workspace.do(action, notify=notify, stop=stop)
            )
        except (BriefError, InfeasibleError) as error:
            raise ExecutionError(
                f"Action {number} of {len(spec.actions)} ({stated.action.action}): {error}\n"
                "Nothing in this list was carried out; the board is unchanged.",
                subjects=error.subjects,
            ) from error
        if not stated.measure_only:
            said = "; ".join(filter(None, (outcome.note, outcome.wires and outcome.wires.words)))
            steps.append(f"- {outcome.action}" + (f" ({said})" if said else ""))
        own = {name: getattr(stated, name) for name in Stated.model_fields}
        done.append(Carried(**own, words=outcome.action, reply=reply, was=was, length=length, note=outcome.note))
    after = _after(base, workspace.moves, {**base.locked, **workspace.locked}, steps) if done else base
    waived = tuple(Waived(**dict(waiver), reply=reply) for waiver in spec.waived)
    return after.model_copy(update={"stated": (*base.stated, *done), "waived": (*base.waived, *waived)})


def _words(stated: Stated, workspace: Workspace) -> str:
    """What an action would do, in words, where it is only measured."""
    if isinstance(stated.action, PlaceAll):
        return stated.action.action
    try:
        return stated.action.plan(workspace.layout).words
    except InfeasibleError:
        return f"{stated.action.action} {', '.join(stated.action.names)}"


def placed_anew(placement: Placement) -> bool:
    """Whether its tracks say nothing any more: placed components were placed anew, or most of all components were."""
    acts = [stated.action for stated in placement.stated if not stated.measure_only]
    return bool(acts) and checks.placed_anew(layout_of(placement), layout_of(unmoved(placement)), acts)


def held(placement: Placement) -> frozenset[str]:
    """The parts that lie where a stated number has put them: no move of the solver may give that up.

    What moves one otherwise ends it, as far as the words that an action quotes have no number.
    """
    found, layout = set[str](), layout_of(placement)
    for stated in placement.stated:
        action = stated.action
        if isinstance(action, PlaceAll):
            found |= {wish.ref for wish in (*action.anchors, *action.overhang)}
        elif action.sets_places or (action.sets_places is None and numbers_in(stated.quote, layout)):
            found |= stated.moved(layout)
        elif action.sets_places is None:
            found -= stated.moved(layout)
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
    notes = sorted({f"- the solver moved {move.item}: {move.reason}" for move in moves})
    return _after(artifact, moves, artifact.locked, notes)


IN_THE_WAY = frozenset({"board.overlap", "board.clearance", "board.edge", "board.off", "board.keepout"})
"""What a shift can fix. A stated number is never given up for it."""


def repair(artifact: Placement, base: Placement | None, report: Report) -> Solution:
    """Moves of the parts that this run has moved; the parts that lay there before stay.

    Where copper is too near, all rooms are kept as far apart as the copper has to be, if there is room for that.
    """
    moved = {name for name in artifact.poses if base is None or artifact.poses[name] != base.poses.get(name)}
    moved -= held(artifact)
    refs = sorted({s for issue in report.issues if issue.code in IN_THE_WAY for s in issue.subjects if s in moved})
    if not refs:
        return Solution(note="nothing that a shift could fix")
    copper = max((i.numbers.get("expected", 0.0) for i in report.issues if i.code == "board.clearance"), default=0.0)
    found = _legalised(artifact, refs, copper)
    return _legalised(artifact, refs, 0.0) if copper and found.unsolved else found


def _legalised(artifact: Placement, refs: Sequence[str], clearance: float) -> Solution:
    workspace = Workspace(layout_of(artifact))
    try:
        outcome = workspace.do(Legalise(refs=tuple(refs), clearance=clearance))
    except (InfeasibleError, BriefError) as error:
        return Solution(note=str(error), unsolved=(str(error),))
    return Solution(moves=workspace.moves, note=outcome.note or outcome.action)
