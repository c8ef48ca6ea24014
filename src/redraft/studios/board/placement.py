"""Placements, the state that a run carries from step to step: the file, the parts that lie elsewhere, and the actions.

A list of actions makes a new placement: all of them are carried out, or none. The solver shifts parts that collide.
"""

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

MAX_LINES = 80
"""Parts, and steps, that the text of a placement lists; of more, the last ones."""
MAX_BOARDS_KEPT = 6
"""Boards that are kept in memory."""
IN_THE_WAY = frozenset({"board.overlap", "board.clearance", "board.edge", "board.off", "board.keepout"})
"""Findings that a shift can fix. A stated number is never given up for it."""


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
        """The text that a model sees again: the moved parts with their places, and the steps that led there."""
        if not self.poses and not self.steps:
            return "Nothing was moved yet."
        places: list[str] = []
        for name, pose in sorted(self.poses.items()):
            turned = f", turned {pose.angle:g}°" if pose.angle else ""
            places.append(f"- {name}: at ({pose.x / MM:g}, {pose.y / MM:g}){turned}, {pose.side}")
        ripped = ["Tracks that ended at their pads are removed."] if self.ripup else []
        head = "Moved since the board was read (the `origin` of each, as KiCad has it):"
        return "\n".join([head, *_last(places), *ripped, "By these steps:", *_last([*self.steps])])


def _last(lines: list[str]) -> list[str]:
    before = len(lines) - MAX_LINES
    return lines if before <= 0 else [f"- (and {before} before)", *lines[-MAX_LINES:]]


_boards: dict[tuple[object, ...], Board] = {}
"""The boards used last: a large one takes a second to read, and a run needs it at every step."""


def opened(path: Path) -> Placement:
    """Read a board as it is on disk. Raises `BoardError`."""
    board = Board.read(path.resolve())
    placement = Placement(file=board.file.path, digest=board.file.digest)
    keep(placement, board)
    return placement


def placement_of(result: Result) -> Placement:
    """Return the placement of a run that delivered something."""
    return Placement.model_validate_json(read_file(result.files["json"], RECORD))


def keep(placement: Placement, board: Board) -> None:
    """Keep the board of a placement in memory."""
    _boards[_key(placement)] = board
    while len(_boards) > MAX_BOARDS_KEPT:
        del _boards[next(iter(_boards))]


def unmoved(placement: Placement) -> Placement:
    """Return the placement of the board as its file has it."""
    return Placement(file=placement.file, digest=placement.digest, agreed=placement.agreed)


def _key(placement: Placement) -> tuple[object, ...]:
    return (placement.file, placement.digest, placement.ripup, *sorted(placement.poses.items()))


def board_of(placement: Placement) -> Board:
    """Return the board of a placement.

    Raises:
        BoardChangedError: the file is not what it was. BoardError: it cannot be read.
    """
    known = _boards.get(_key(placement))
    if known is not None:
        return known
    base = unmoved(placement)
    board = _boards.get(_key(base)) or Board.read(placement.file)
    if board.file.digest != placement.digest:
        raise BoardChangedError(
            f"{placement.file} was changed since this run read it (SHA-256 was {placement.digest[:12]}…, is "
            f"{board.file.digest[:12]}…). Put the board back as it was, or start a new run on it as it is."
        )
    keep(base, board)
    if placement.poses or placement.ripup:
        board = replace(
            board, poses={board.names[name]: pose for name, pose in placement.poses.items()}, ripup=placement.ripup
        )
        keep(placement, board)
    return board


def layout_of(placement: Placement) -> Layout:
    """Return the layout of a placement, with the locks of its run. Raises what `board_of` does."""
    layout, locked = board_of(placement).layout, placement.locked
    if not locked:
        return layout
    items = tuple(replace(i, locked=locked[i.name]) if i.name in locked else i for i in layout.items)
    return replace(layout, items=items)


async def execute(spec: ActionList, base: Placement | None, resources: Resources) -> Placement:
    """Carry out actions in a thread, and return the placement after them.

    If the run is stopped meanwhile, a search ends with its best so far, which goes to `resources.keep`, and the
    cancellation is passed on.

    Raises:
        ExecutionError: one cannot be carried out; names it, the reason, and what is possible. Nothing is changed then.
    """
    assert base is not None, "a run on a board has a board"
    settings = own(resources.settings)
    base = base.model_copy(update={"ripup": settings.ripup})
    stopped = threading.Event()
    limit = math.inf if settings.time_limit is None else time.monotonic() + settings.time_limit

    def work() -> Placement:
        placement = carried_out(
            spec,
            base,
            seed=resources.seed,
            effort=settings.effort,
            notify=lambda line: from_thread.run_sync(resources.tell, line),
            stop=lambda: stopped.is_set() or time.monotonic() > limit,
        )
        if stopped.is_set() or settings.time_limit is None:
            return placement
        # Nobody stopped it, so a search that was cut short was so by the time limit.
        reason = f"{CUT_SHORT} by the time limit of {settings.time_limit:g} s"
        stated = tuple(one.model_copy(update={"note": one.note.replace(CUT_SHORT, reason)}) for one in placement.stated)
        return placement.model_copy(update={"stated": stated})

    return await stoppable(lambda: to_thread.run_sync(work, limiter=resources.limiter), stopped, resources.keep)


async def stoppable(
    work: Callable[[], Awaitable[T]], stopped: threading.Event, keep: Callable[[T], None] = ignore
) -> T:
    """Return the result of work in a thread. On cancellation `stopped` is set, and `keep` gets the result so far.

    Raises what `work` does.
    """
    done, failed = list[T](), list[Exception]()

    async def watch() -> None:
        try:
            await sleep_forever()
        finally:
            stopped.set()

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
    """Carry out actions as `execute` does. `seed` and `effort` are for searches whose action states none."""
    if spec.look:
        raise ExecutionError(
            f"The reply asks for {'a dry run' if spec.dry_run else 'another look'}, but all looks of this attempt are "
            "used up. Answer with actions now, or waive words with the reason."
        )
    owners: dict[str, str] = {}
    for action in (stated.action for stated in spec.actions):
        if isinstance(action, Decouple):
            target = action.target.partition(".")[0]
            for name in action.refs:
                if (owner := owners.setdefault(name, target)) != target:
                    raise ExecutionError(
                        f"decouple: {name} is named for {owner} and for {target}, and it can be at one of them only. "
                        "Name it for the one that it serves, and another capacitor of that supply for the other one."
                    )

    workspace, steps, done = Workspace(layout_of(base)), list[str](), list[Carried]()
    reply = 1 + max((earlier.reply for earlier in (*base.stated, *base.waived)), default=-1)
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
            remarks = "; ".join(filter(None, (outcome.note, outcome.wires and outcome.wires.words)))
            steps.append(f"- {outcome.action}" + (f" ({remarks})" if remarks else ""))
        fields = {name: getattr(stated, name) for name in Stated.model_fields}
        done.append(Carried(**fields, words=outcome.action, reply=reply, was=was, length=length, note=outcome.note))

    after = _after(base, workspace.moves, {**base.locked, **workspace.locked}, steps) if done else base
    waived = tuple(Waived(**dict(waiver), reply=reply) for waiver in spec.waived)
    return after.model_copy(update={"stated": (*base.stated, *done), "waived": (*base.waived, *waived)})


def _words(stated: Stated, workspace: Workspace) -> str:
    """Describe an action that is only measured."""
    if isinstance(stated.action, PlaceAll):
        return stated.action.action
    try:
        return stated.action.plan(workspace.layout).words
    except InfeasibleError:
        return f"{stated.action.action} {', '.join(stated.action.names)}"


def placed_anew(placement: Placement) -> bool:
    """Return whether tracks say nothing any more: placed components were placed anew, or most components were."""
    actions = [stated.action for stated in placement.stated if not stated.measure_only]
    return bool(actions) and checks.placed_anew(layout_of(placement), layout_of(unmoved(placement)), actions)


def held(placement: Placement) -> frozenset[str]:
    """Return the parts that lie where a stated number has put them, which the solver must leave there.

    An action that moves such a part later, without a number in the words that it quotes, ends that.
    """
    names, layout = set[str](), layout_of(placement)
    for stated in placement.stated:
        action = stated.action
        if isinstance(action, PlaceAll):
            names |= {wish.ref for wish in (*action.anchors, *action.overhang)}
        elif action.sets_places or (action.sets_places is None and numbers_in(stated.quote, layout)):
            names |= stated.moved(layout)
        elif action.sets_places is None:
            names -= stated.moved(layout)
    return frozenset(names)


def _after(base: Placement, moves: Sequence[Move], locked: dict[str, bool], steps: Sequence[str]) -> Placement:
    board = board_of(base).amend(moves)
    names = {index: name for name, index in board.names.items()}
    poses = {names[index]: pose for index, pose in sorted(board.poses.items())}
    after = base.model_copy(update={"poses": poses, "locked": locked, "steps": (*base.steps, *steps)})
    keep(after, board)
    return after


def amend(artifact: Placement, moves: Sequence[Move]) -> Placement:
    """Return the placement after moves of the solver."""
    notes = sorted({f"- the solver moved {move.item}: {move.reason}" for move in moves})
    return _after(artifact, moves, artifact.locked, notes)


def repair(artifact: Placement, base: Placement | None, report: Report) -> Solution:
    """Legalize among the parts that this run has moved; the parts that lay there before stay.

    Where copper is too near, courtyards are kept as far apart as the copper has to be, if there is room for that.
    """
    moved = {name for name in artifact.poses if base is None or artifact.poses[name] != base.poses.get(name)}
    moved -= held(artifact)
    refs = sorted({s for issue in report.issues if issue.code in IN_THE_WAY for s in issue.subjects if s in moved})
    if not refs:
        return Solution(note="nothing that a shift could fix")
    copper = max((i.numbers.get("expected", 0.0) for i in report.issues if i.code == "board.clearance"), default=0.0)
    solution = _legalized(artifact, refs, copper)
    return _legalized(artifact, refs, 0.0) if copper and solution.unsolved else solution


def _legalized(artifact: Placement, refs: Sequence[str], clearance: float) -> Solution:
    workspace = Workspace(layout_of(artifact))
    try:
        outcome = workspace.do(Legalise(refs=tuple(refs), clearance=clearance))
    except (InfeasibleError, BriefError) as error:
        return Solution(note=str(error), unsolved=(str(error),))
    return Solution(moves=workspace.moves, note=outcome.note or outcome.action)
