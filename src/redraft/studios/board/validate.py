"""The report on a placement: redraft's own rules, and whether the words were kept; then KiCad's design rule check."""

from __future__ import annotations

import tempfile
from pathlib import Path

from redraft.brief import Brief
from redraft.errors import MissingPartError
from redraft.result import Report
from redraft.studios.base import Bench
from redraft.studios.board.checks import check as check_layout
from redraft.studios.board.commands import Commands, read_commands
from redraft.studios.board.drc import as_report, compare, drc
from redraft.studios.board.intent import check_intent
from redraft.studios.board.placement import Placement, board_of, layout_of
from redraft.studios.board.project import rules_of

__all__ = ["audit", "check", "commands_of"]


def commands_of(brief: Brief, base: Placement) -> Commands:
    """What a brief says to a board. Raises `BriefError` for a part that is not there, `ContradictionError`."""
    return read_commands(brief.instruction, layout_of(base))


def check(artifact: Placement, base: Placement | None, brief: Brief) -> Report:
    """What redraft's own rules find; what the board had before is inherited and does not score."""
    before = base or artifact.model_copy(update={"poses": {}, "locked": {}, "steps": ()})
    layout, came_in = layout_of(artifact), layout_of(before)
    commands = commands_of(brief, before)
    found = check_layout(layout, base=came_in, rules=rules_of(board_of(artifact).file))
    return Report(
        issues=(*check_intent(commands.wishes, layout, came_in), *found.issues),
        inherited=found.inherited,
        unchecked=(*commands.unchecked, *found.unchecked),
    )


async def audit(artifact: Placement, base: Placement | None, bench: Bench) -> Report:
    """What KiCad's own check finds that it did not find before; a plain statement, where there is no KiCad.

    Raises:
        InfrastructureError: KiCad was asked and did not answer.
    """
    board = board_of(artifact)
    with tempfile.TemporaryDirectory(dir=bench.scratch) as folder:
        placed = board.save(Path(folder) / board.file.path.name)
        try:
            before = await drc(board.file.path if base is None else base.file, like=board.file.path)
            after = await drc(placed, like=board.file.path)
        except MissingPartError as error:
            return Report(unchecked=(f"KiCad's own design rule check was not asked: {error}",))
    return as_report(compare(before, after), board.layout, moved=tuple(artifact.poses))
