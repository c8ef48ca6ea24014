"""The report on a placement: redraft's own rules, and whether the words were kept; then KiCad's design rule check."""

from __future__ import annotations

from pathlib import Path

from redraft.brief import Brief
from redraft.result import Issue, Report
from redraft.studios.board.board import Board
from redraft.studios.board.checks import check as check_layout
from redraft.studios.board.commands import Commands, read_commands
from redraft.studios.board.drc import DrcResult, as_report, compare, drc
from redraft.studios.board.intent import check_intent
from redraft.studios.board.model import Pose
from redraft.studios.board.placement import Placement, board_of, layout_of, unmoved
from redraft.studios.board.project import rules_of
from redraft.studios.board.unread import unread_distances

__all__ = ["asked_kicad", "audit", "check", "commands_of"]


def commands_of(brief: Brief, base: Placement) -> Commands:
    """What a brief says to a board. Raises `BriefError` for a part that is not there, `ContradictionError`."""
    return read_commands(brief.instruction, layout_of(base))


def check(artifact: Placement, base: Placement | None, brief: Brief) -> Report:
    """What redraft's own rules find; what the board had before is inherited and does not score."""
    before = base or unmoved(artifact)
    layout, came_in = layout_of(artifact), layout_of(before)
    commands = commands_of(brief, before)
    found = check_layout(layout, base=came_in, rules=rules_of(board_of(artifact).file))
    idle = _nothing_done(artifact, before, commands)
    unread = unread_distances(commands.unchecked, layout)
    return Report(
        issues=(*idle, *check_intent(commands.wishes, layout, came_in), *found.issues, *unread),
        inherited=found.inherited,
        unchecked=(*commands.unchecked, *found.unchecked),
    )


def _nothing_done(artifact: Placement, before: Placement, commands: Commands) -> tuple[Issue, ...]:
    """A request that nobody understood, and that changed nothing, was not met by that."""
    if artifact.poses != before.poses or artifact.locked != before.locked or any(w.certain for w in commands.wishes):
        return ()
    return (
        Issue(
            code="intent.nothing",
            severity="error",
            message="nothing was moved, and no rule understands the words well enough to say that this is right",
            mend="carry out what is asked for, or say it in other words: put C1 0.5 mm right of U1",
        ),
    )


async def audit(artifact: Placement, base: Placement | None) -> Report:
    """What KiCad's own check finds that it did not find before.

    Raises:
        MissingPartError: there is no KiCad. InfrastructureError: it was asked and did not answer.
    """
    board, came_in = board_of(artifact), board_of(base or unmoved(artifact))
    before = await _found(came_in, frozenset(came_in.poses.items()))
    after = await _found(board, frozenset(board.poses.items()))
    moved = tuple(artifact.poses)
    return as_report(compare(before, after, moved), board.layout, moved)


async def _found(board: Board, poses: frozenset[tuple[int, Pose]]) -> DrcResult:
    """KiCad's answer about a board, which is asked for once: each turn of a run compares with the same beginning."""
    key = (board.file.digest, poses)
    if key not in _asked:
        while len(_asked) >= KEPT:
            del _asked[next(iter(_asked))]
        path = board.file.path
        _asked[key] = await drc(path, board.file.rewritten(board.poses), like=path)
    return _asked[key]


_asked: dict[tuple[str, frozenset[tuple[int, Pose]]], DrcResult] = {}
KEPT = 4


async def asked_kicad(path: Path, against: Path | None) -> Report:
    """What KiCad's own check finds on a board; with `against`, what is new and what that board had too.

    Raises:
        MissingPartError, InfrastructureError, BoardError.
    """
    now = await drc(path)
    before = DrcResult(kicad=now.kicad) if against is None else await drc(against, like=path)
    board = Board.read(path)
    moved = () if against is None else _moved(Board.read(against), board)
    return as_report(compare(before, now, moved or None), board.layout, moved)


def _moved(before: Board, after: Board) -> tuple[str, ...]:
    """The parts that lie elsewhere."""
    was = {name: before.file.footprints[index].pose for name, index in before.names.items()}
    return tuple(n for n, index in after.names.items() if was.get(n) != after.file.footprints[index].pose)
