"""The tool that checks: redraft's rules at once, KiCad's own design rule check when asked. A page at a time."""

from __future__ import annotations

import zlib
from collections.abc import Awaitable, Callable
from typing import Annotated

from mcp.server.mcpserver import Context
from pydantic import Field

from redraft.errors import BriefError
from redraft.mcp.answers import Checked, Problem, exact
from redraft.mcp.desk import Desk, OpenBoard
from redraft.mcp.tool import BoardTool, make_tool
from redraft.result import Issue, Report
from redraft.studios.board.session import Session

__all__ = ["check_tools", "problem_of"]

Cursor = Annotated[str | None, Field(max_length=60, description="`next_cursor` of the page before.")]


def check_tools(desk: Desk, *, by_handle: bool) -> list[BoardTool]:
    """Check."""
    return [make_tool(_check(desk), Checked, "reads", by_handle=by_handle)]


def _check(desk: Desk) -> Callable[..., Awaitable[Checked]]:
    async def check(
        ctx: Context,
        drc: bool = False,
        inherited: bool = False,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
        cursor: Cursor = None,
    ) -> Checked:
        board = desk.board()
        report = await board.work(Session.check)
        asked = ["redraft"]
        if drc:
            report = _both(report, await _kicad(board, ctx))
            asked.append("KiCad")
        return _page(report, tuple(asked), inherited, limit, cursor)

    return check


async def _kicad(board: OpenBoard, ctx: Context) -> Report:
    async with board.turn:  # nothing moves while KiCad looks
        await ctx.report_progress(0, 1, "KiCad checks the board; a large one takes a minute.")
        report = await board.session.drc()
        await ctx.report_progress(1, 1, "KiCad has checked the board.")
        return report


def _both(own: Report, kicad: Report) -> Report:
    return Report(
        issues=(*own.issues, *kicad.issues),
        inherited=(*own.inherited, *kicad.inherited),
        unchecked=(*own.unchecked, *kicad.unchecked),
    )


def _page(report: Report, asked: tuple[str, ...], inherited: bool, limit: int, cursor: str | None) -> Checked:
    """Errors first, then warnings, then hints."""
    listed = report.inherited if inherited else (*report.errors, *report.warnings, *report.hints)
    mark = format(zlib.crc32("\n".join(issue.line() for issue in listed).encode()), "08x")
    start = 0 if cursor is None else _start(cursor, mark, len(listed))
    end = start + limit
    return Checked(
        valid=report.valid,
        score=report.score,
        asked=asked,
        problems=tuple(problem_of(issue) for issue in listed[start:end]),
        total=len(listed),
        next_cursor=f"{end}-{mark}" if end < len(listed) else None,
        inherited=len(report.inherited),
        unchecked=report.unchecked,
    )


def _start(cursor: str, mark: str, count: int) -> int:
    """Where a page begins.

    Raises:
        BriefError: the cursor is none, or of a list that is no longer so.
    """
    number, _, made_for = cursor.partition("-")
    if not number.isdecimal() or int(number) > count or made_for != mark:
        raise BriefError(
            f"The cursor {cursor!r} belongs to another list: the board changed since, or other things were asked. "
            "Check again without a cursor."
        )
    return int(number)


def problem_of(issue: Issue) -> Problem:
    """An issue as it is told."""
    return Problem(
        code=issue.code,
        severity=issue.severity,
        message=issue.message,
        parts=issue.subjects,
        mend=issue.mend,
        at=exact(issue.marks[0].at)[:2] if issue.marks else None,
    )
