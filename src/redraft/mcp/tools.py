"""The tools that open, save, change and check a board.

The arguments of those that move parts are the fields of the action models, so that a tool call, a model's action list
and the Python API have the same names and the same words."""

from __future__ import annotations

import inspect
import itertools
import threading
import zlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field, ValidationError

from redraft.errors import BoardError, BriefError
from redraft.mcp.opened import BOARD, OpenWork, OpenWorks
from redraft.mcp.tool import BoardTool, Checked, Opened, Problem, Saved, Step, exact, make_tool, signature_of
from redraft.result import Issue, Report
from redraft.spatial.actions import (
    Action,
    Align,
    ClusterAround,
    CopyBlock,
    Decouple,
    Distribute,
    Flip,
    Legalise,
    Lock,
    MoveBlock,
    MoveBy,
    MoveToEdge,
    PlaceAll,
    PlaceComponent,
    PlaceRelative,
    Rotate,
    Stack,
    Swap,
)
from redraft.spatial.workspace import Outcome
from redraft.studios.board.session import Session

__all__ = ["act_tools", "check_tools", "file_tools", "problem_of"]


MOST_NAMES = 100

PathText = Annotated[str, Field(min_length=1, max_length=4096)]


def file_tools(boards: OpenWorks, *, by_handle: bool) -> list[BoardTool]:
    """Open, save, undo, redo."""
    folders = ", ".join(map(str, boards.folders.allowed))
    return [
        make_tool(_open(boards), Opened, "changes", by_handle=by_handle, folders=folders),
        make_tool(_save(boards), Saved, "writes", by_handle=by_handle),
        make_tool(_undo(boards), Step, "changes", by_handle=by_handle),
        make_tool(_redo(boards), Step, "changes", by_handle=by_handle),
    ]


def opened(board: OpenWork[Session], session: Session) -> Opened:
    """Return the facts of an open board."""
    layout = session.layout
    return Opened(
        board=board.handle,
        path=str(session.path),
        parts=len(layout),
        locked=sum(item.locked for item in layout),
        bounds=exact(layout.frame.bounds),
        has_outline=layout.area is not None,
        changed=session.changed[:MOST_NAMES],
        unsaved=session.unsaved,
        ripup=session.base.ripup,
        notes=tuple(filter(None, [session.base.file.newer])),
    )


def _open(boards: OpenWorks) -> Callable[..., Awaitable[Opened]]:
    async def open(path: PathText, discard: bool = False, ripup: bool = False) -> Opened:  # noqa: A001  the tool's name
        _keep_unsaved(boards, discard)
        read = partial(Session.open, boards.folders.file(path, BOARD), ripup=ripup)
        session = await anyio.to_thread.run_sync(read)
        return opened(boards.put("board", session.path.stem, session), session)

    return open


def _keep_unsaved(boards: OpenWorks, discard: bool) -> None:
    """Raises `BoardError` when opening another board would lose work."""
    mine = boards.own("board")
    if mine is not None and mine.session.unsaved and not discard:
        count = len(mine.session.changed)
        raise BoardError(
            f"{mine.name} has unsaved changes ({count} part{'s' * (count != 1)} moved). Save it first, or pass "
            "discard=true to drop them."
        )


def _save(boards: OpenWorks) -> Callable[..., Awaitable[Saved]]:
    async def save(out: PathText | None = None, in_place: bool = False, overwrite: bool = False) -> Saved:
        board = boards.find("board")
        target = None if out is None else boards.folders.target(out, BOARD)

        def work(session: Session) -> Saved:
            if in_place:
                boards.folders.file(
                    str(session.path), BOARD
                )  # it may have become a link to elsewhere since it was opened
            if target is not None and target.exists() and target.samefile(session.path):
                raise BoardError(f"{out} is the open board itself; pass in_place=true instead of `out`.")
            written = session.save(target, in_place=in_place, overwrite=overwrite)
            backup = f"{session.path}.bak" if in_place and Path(f"{session.path}.bak").exists() else ""
            return Saved(path=str(written), changed=session.changed[:MOST_NAMES], backup=backup)

        return await board.work(work)

    return save


def _undo(boards: OpenWorks) -> Callable[..., Awaitable[Step]]:
    async def undo() -> Step:
        return await boards.find("board").work(lambda session: stepped(session, session.undo()))

    return undo


def _redo(boards: OpenWorks) -> Callable[..., Awaitable[Step]]:
    async def redo() -> Step:
        return await boards.find("board").work(lambda session: stepped(session, session.redo()))

    return redo


def stepped(session: Session, outcome: Outcome) -> Step:
    """Return the answer after the board changed."""
    return Step(outcome=outcome, changed=len(session.changed), can_undo=session.can_undo)


_NAMED = (PlaceRelative, PlaceComponent, Align, Distribute, Stack, Legalise)
_REFUSED = "Refused where parts would collide, unless allow_overlap is true."

Arrangement = Annotated[
    Rotate | Swap | ClusterAround | Decouple | MoveBlock | CopyBlock | MoveToEdge | Flip | MoveBy | Lock,
    Field(discriminator="action"),
]


def act_tools(boards: OpenWorks, *, by_handle: bool) -> list[BoardTool]:
    """The tools that change the board in memory."""
    functions = (*(_tool(boards, model) for model in _NAMED), _place_all(boards), _arrange(boards))
    return [make_tool(fn, Step, "changes", by_handle=by_handle) for fn in functions]


def _tool(boards: OpenWorks, model: type[BaseModel]) -> Callable[..., Awaitable[Step]]:
    """A function whose arguments are the model's fields."""

    async def act(**fields: Any) -> Step:
        return await _do(boards, _valid(model, fields))

    act.__doc__ = f"{inspect.getdoc(model)} {_REFUSED}"
    act.__name__ = str(model.model_fields["action"].default)
    act.__annotations__ = {"return": Step}
    act.__signature__ = signature_of(model, Step, without="action")  # pyright: ignore[reportFunctionMemberAccess]
    return act


def _place_all(boards: OpenWorks) -> Callable[..., Awaitable[Step]]:
    """As `_tool`, with its progress, and stopped when the call is given up: nothing is then carried out."""

    async def place_all(ctx: Context, **fields: Any) -> Step:
        from redraft.studios.board.placement import stoppable  # with what plans need, which takes a moment to load

        board, action = boards.find("board"), _valid(PlaceAll, fields)
        asked, count = threading.Event(), itertools.count(1)

        def tell(line: str) -> None:
            anyio.from_thread.run(ctx.report_progress, next(count), None, line)

        def work(session: Session) -> Step:
            outcome = session.do(action, notify=tell, stop=asked.is_set)
            if asked.is_set():
                session.undo()
            return stepped(session, outcome)

        return await stoppable(lambda: board.work(work), asked)

    place_all.__doc__ = f"{inspect.getdoc(PlaceAll)} {_REFUSED}"
    own = signature_of(PlaceAll, Step, without="action")
    context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Context)
    place_all.__annotations__ = {"ctx": Context, "return": Step}
    place_all.__signature__ = own.replace(parameters=[context, *own.parameters.values()])  # pyright: ignore[reportFunctionMemberAccess]
    return place_all


def _arrange(boards: OpenWorks) -> Callable[..., Awaitable[Step]]:
    async def arrange(step: Arrangement) -> Step:
        return await _do(boards, step)

    return arrange


async def _do(boards: OpenWorks, action: Action) -> Step:
    return await boards.find("board").work(lambda session: stepped(session, session.do(action)))


def _valid(model: type[BaseModel], fields: dict[str, Any]) -> Any:
    """Return the action; errors of several arguments together (two that exclude each other) get a message."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        said = "; ".join(str(problem["msg"]).removeprefix("Value error, ") for problem in error.errors())
        raise ToolError(f"{model.model_fields['action'].default}: {said}") from error


Cursor = Annotated[str | None, Field(max_length=60, description="`next_cursor` of the page before.")]


def check_tools(boards: OpenWorks, *, by_handle: bool) -> list[BoardTool]:
    """Check."""
    return [make_tool(_check(boards), Checked, "reads", by_handle=by_handle)]


def _check(boards: OpenWorks) -> Callable[..., Awaitable[Checked]]:
    async def check(
        ctx: Context,
        drc: bool = False,
        inherited: bool = False,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
        cursor: Cursor = None,
    ) -> Checked:
        board = boards.find("board")
        report = await board.work(Session.check)
        asked = ["redraft"]
        if drc:
            report = _both(report, await _kicad(board, ctx))
            asked.append("KiCad")
        return _page(report, tuple(asked), inherited, limit, cursor)

    return check


async def _kicad(board: OpenWork[Session], ctx: Context) -> Report:
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
    """Return the start of a page.

    Raises:
        BriefError: the cursor is malformed, or its list has changed.
    """
    number, _, made_for = cursor.partition("-")
    if not number.isdecimal() or int(number) > count or made_for != mark:
        raise BriefError(
            f"The cursor {cursor!r} belongs to another list: the board changed since, or other things were asked. "
            "Check again without a cursor."
        )
    return int(number)


def problem_of(issue: Issue) -> Problem:
    """Return an issue as a client gets it."""
    return Problem(
        code=issue.code,
        severity=issue.severity,
        message=issue.message,
        parts=issue.subjects,
        hint=issue.hint,
        at=exact(issue.marks[0].at)[:2] if issue.marks else None,
    )
