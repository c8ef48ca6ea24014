"""The boards that are open, and whose they are.

A connection that lasts (stdio, a session over HTTP) has a board of its own: the one it opened last. Where each call
stands alone, as over HTTP since the protocol of 2026-07-28, a call names its board by the handle that `open` gave.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from redraft.errors import BoardError
from redraft.mcp.paths import Folders

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from redraft.studios.board.session import Session

__all__ = ["LONE", "Desk", "OpenBoard", "connection", "named_board"]

T = TypeVar("T")

LONE = "-"
"""The connection of a call that stands alone."""
MOST_BOARDS = 16
IDLE = 1800.0
"""Seconds after which a board that nobody asks for may be closed to make room."""

connection: ContextVar[str] = ContextVar("connection", default="")
"""Which connection a call came by: empty for the only one, `LONE` for none."""
_handle: ContextVar[str | None] = ContextVar("handle", default=None)


@contextmanager
def named_board(handle: str | None) -> Generator[None]:
    """While this lasts, `Desk.board` means the board of that handle; None: the connection's own."""
    token = _handle.set(handle)
    try:
        yield
    finally:
        _handle.reset(token)


@dataclass
class OpenBoard:
    """One open board. Calls on it run one after another, in the order in which they came."""

    handle: str
    name: str
    """As the client knows it: the file's name."""
    session: Session
    used: float = 0.0
    """When it was last asked for, in seconds of a steady clock."""
    turn: anyio.Lock = field(default_factory=anyio.Lock)

    async def work(self, do: Callable[[Session], T]) -> T:
        """Run something on the board in a worker thread; it is not stopped halfway."""
        async with self.turn:
            return await anyio.to_thread.run_sync(do, self.session)


@dataclass
class Desk:
    """What a server remembers between calls."""

    folders: Folders
    boards: dict[str, OpenBoard] = field(default_factory=dict[str, OpenBoard])
    current: dict[str, str] = field(default_factory=dict[str, str])
    """Connection → handle."""
    runs: dict[str, object] = field(default_factory=dict[str, object])
    """Runs under way, by the name that their client sends back; `tools_run` knows what they are."""
    tasks: TaskGroup | None = None
    """Where runs go on between two calls; there while the server runs."""
    clock: Callable[[], float] = time.monotonic

    def put(self, session: Session) -> OpenBoard:
        """Lay a board on the desk; it becomes the connection's own, in place of the one before.

        Raises:
            BoardError: there are too many, all in use.
        """
        self._clear(connection.get())
        self._make_room()
        stem = session.path.stem[:40]
        opened = OpenBoard(f"{stem}-{secrets.token_hex(4)}", session.path.name, session, self.clock())
        self.boards[opened.handle] = opened
        if connection.get() != LONE:
            self.current[connection.get()] = opened.handle
        return opened

    def board(self) -> OpenBoard:
        """The board that this call means.

        Raises:
            BoardError: none is open, or the handle is unknown.
        """
        handle = _handle.get() or self.current.get(connection.get())
        if handle is None:
            raise BoardError(self._none_open())
        found = self.boards.get(handle)
        if found is None:
            raise BoardError(
                f"No board is open as {handle!r}; it may have been closed for lack of use. Call open again."
            )
        found.used = self.clock()
        return found

    def own(self) -> OpenBoard | None:
        """The board that opening another one would close."""
        return self.boards.get(self.current.get(connection.get(), ""))

    def _none_open(self) -> str:
        if connection.get() == LONE:
            return (
                "This call does not say which board it means, and over HTTP no call knows of another: pass the handle "
                "that `open` gave as `board`."
            )
        boards = ", ".join(self.folders.boards(limit=8))
        return f"No board is open. Call open with the path of one{f', such as: {boards}' if boards else ''}."

    def _clear(self, key: str) -> None:
        handle = self.current.pop(key, None)
        if handle is not None:
            self.boards.pop(handle, None)

    def _make_room(self) -> None:
        """Close boards that nobody asks for, where there are too many."""
        if len(self.boards) < MOST_BOARDS:
            return
        for board in [board for board in self.boards.values() if self.clock() - board.used > IDLE]:
            del self.boards[board.handle]
        self.current = {key: handle for key, handle in self.current.items() if handle in self.boards}
        if len(self.boards) >= MOST_BOARDS:
            raise BoardError(f"{MOST_BOARDS} boards are open and in use; no more are opened until one is idle.")
