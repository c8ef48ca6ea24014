"""The tools around the board itself: open and save, one step back, one step forth."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated

import anyio.to_thread
from pydantic import Field

from redraft.errors import BoardError
from redraft.mcp.answers import Opened, Saved, Step, exact
from redraft.mcp.desk import Desk, OpenBoard
from redraft.mcp.tool import BoardTool, make_tool
from redraft.spatial.workspace import Outcome
from redraft.studios.board.session import Session

__all__ = ["file_tools"]

MOST_NAMES = 100

PathText = Annotated[str, Field(min_length=1, max_length=4096)]


def file_tools(desk: Desk, *, by_handle: bool) -> list[BoardTool]:
    """Open, save, undo, redo."""
    folders = ", ".join(map(str, desk.folders.allowed))
    return [
        make_tool(_open(desk), Opened, "changes", by_handle=by_handle, folders=folders),
        make_tool(_save(desk), Saved, "writes", by_handle=by_handle),
        make_tool(_undo(desk), Step, "changes", by_handle=by_handle),
        make_tool(_redo(desk), Step, "changes", by_handle=by_handle),
    ]


def opened(board: OpenBoard, session: Session) -> Opened:
    """What is told of an open board."""
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
    )


def _open(desk: Desk) -> Callable[..., Awaitable[Opened]]:
    async def open(path: PathText, discard: bool = False) -> Opened:  # noqa: A001  the tool's name
        _keep_unsaved(desk, discard)
        session = await anyio.to_thread.run_sync(Session.open, desk.folders.board(path))
        return opened(desk.put(session), session)

    return open


def _keep_unsaved(desk: Desk, discard: bool) -> None:
    """Raises `BoardError` when opening another board would lose work."""
    mine = desk.own()
    if mine is not None and mine.session.unsaved and not discard:
        count = len(mine.session.changed)
        raise BoardError(
            f"{mine.name} has unsaved changes ({count} part{'s' * (count != 1)} moved). Save it first, or pass "
            "discard=true to drop them."
        )


def _save(desk: Desk) -> Callable[..., Awaitable[Saved]]:
    async def save(out: PathText | None = None, in_place: bool = False, overwrite: bool = False) -> Saved:
        board = desk.board()
        target = None if out is None else desk.folders.target(out)

        def work(session: Session) -> Saved:
            if in_place:
                desk.folders.board(str(session.path))  # it may have become a link to elsewhere since it was opened
            if target is not None and target.exists() and target.samefile(session.path):
                raise BoardError(f"{out} is the open board itself; pass in_place=true instead of `out`.")
            written = session.save(target, in_place=in_place, overwrite=overwrite)
            backup = f"{session.path}.bak" if in_place and Path(f"{session.path}.bak").exists() else ""
            return Saved(path=str(written), changed=session.changed[:MOST_NAMES], backup=backup)

        return await board.work(work)

    return save


def _undo(desk: Desk) -> Callable[..., Awaitable[Step]]:
    async def undo() -> Step:
        return await desk.board().work(lambda session: stepped(session, session.undo()))

    return undo


def _redo(desk: Desk) -> Callable[..., Awaitable[Step]]:
    async def redo() -> Step:
        return await desk.board().work(lambda session: stepped(session, session.redo()))

    return redo


def stepped(session: Session, outcome: Outcome) -> Step:
    """What is told after the board changed."""
    return Step(outcome=outcome, changed=len(session.changed), can_undo=session.can_undo)
