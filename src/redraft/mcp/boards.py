"""Open boards of a server, and the files that a client may name.

A connection that lasts (stdio, a session over HTTP) has a board of its own: the one it opened last. Where each call
stands alone, as over HTTP since the protocol of 2026-07-28, a call names its board by the handle that `open` gave.
Boards lie inside the folders given at start; links and `..` are followed before paths are compared."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from redraft.errors import BoardError, ConfigError

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from redraft.studios.board.session import Session

__all__ = ["LONE", "SUFFIX", "Folders", "OpenBoard", "OpenBoards", "connection", "named_board"]


SUFFIX = ".kicad_pcb"
LONGEST = 4096
"""Characters of a path; more are refused unread."""


@dataclass(frozen=True)
class Folders:
    """The folders whose boards may be opened and saved, resolved; never empty."""

    allowed: tuple[Path, ...]

    @classmethod
    def of(cls, folders: Sequence[Path]) -> Folders:
        """Those folders, or the current one when there are none.

        Raises:
            ConfigError: one is not a folder.
        """
        return cls(tuple(dict.fromkeys(_folder(folder) for folder in folders or [Path()])))

    def board(self, text: str) -> Path:
        """The board that `text` names, resolved.

        Raises:
            BoardError: it is outside the folders, without a board's suffix, or missing.
        """
        path = self._inside(text)
        if not path.exists():
            raise BoardError(f"The board {text!r} is missing: {path} does not exist. {self._words()}")
        if not path.is_file():
            raise BoardError(f"{text!r} is not a file. {self._words()}")
        return path

    def target(self, text: str) -> Path:
        """Return the path to write a board to, resolved. The file need not exist, its folder must.

        Raises:
            BoardError: it is outside the folders, without a board's suffix, or in a folder that does not exist.
        """
        path = self._inside(text)
        if not path.parent.is_dir():
            raise BoardError(f"{text!r} cannot be written: the folder {path.parent} does not exist.")
        if path.exists() and not path.is_file():
            raise BoardError(f"{text!r} cannot be written: a folder or device has that name.")
        return path

    def boards(self, limit: int = 50) -> tuple[str, ...]:
        """Boards directly in the folders and one below, by name; at most `limit`."""
        found = [path for folder in self.allowed for path in _listed(folder)]
        return tuple(str(path) for path in sorted(found)[:limit])

    def _inside(self, text: str) -> Path:
        path = self._resolved(_readable(text))
        if not any(path.is_relative_to(folder) for folder in self.allowed):
            raise BoardError(f"{text!r} lies outside the folders that this server may use. {self._words()}")
        if path.suffix != SUFFIX:
            raise BoardError(f"{text!r} is not a board: the name must end in {SUFFIX}.")
        return path

    def _resolved(self, text: str) -> Path:
        """A relative path is taken from the first folder in which it leads to something, else from the first."""
        given = Path(text)
        try:
            places = [(folder / given).resolve() for folder in self.allowed]
            return next((place for place in places if place.exists()), places[0])
        except (OSError, RuntimeError) as error:  # a loop of links, a name longer than the system takes
            raise BoardError(f"The path {_short(text)!r} cannot be followed: {error}.") from error

    def _words(self) -> str:
        return f"Boards are read and written in: {', '.join(map(str, self.allowed))}."


def _folder(folder: Path) -> Path:
    resolved = folder.expanduser().resolve()
    if not resolved.is_dir():
        raise ConfigError(f"{str(folder)!r} is not a folder. Give the folders in which boards may be read and written.")
    return resolved


def _readable(text: str) -> str:
    if not text.strip():
        raise BoardError("The path is empty. Give the name of a board, as in 'my.kicad_pcb'.")
    if len(text) > LONGEST:
        raise BoardError(f"The path {_short(text)!r} has {len(text):,} characters; at most {LONGEST:,} are read.")
    if not text.isprintable():
        raise BoardError(f"The path {_short(text)!r} has control characters.")
    if text.startswith("~"):
        raise BoardError(f"The path {_short(text)!r} begins with '~', which is not expanded here. Write it out.")
    return text


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


def _listed(folder: Path) -> list[Path]:
    names = (f"*{SUFFIX}", f"*/*{SUFFIX}")
    return [path for name in names for path in folder.glob(name) if path.resolve().is_relative_to(folder)]


T = TypeVar("T")

LONE = "-"
"""The connection of a call that stands alone."""
MOST_BOARDS = 16
IDLE = 1800.0
"""Seconds without a request after which a board may be closed to make room."""

connection: ContextVar[str] = ContextVar("connection", default="")
"""The connection of a call: empty for the only one, `LONE` for none."""
_handle: ContextVar[str | None] = ContextVar("handle", default=None)


@contextmanager
def named_board(handle: str | None) -> Generator[None]:
    """While this lasts, `OpenBoards.board` means the board of that handle; None: the connection's own."""
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
    """The time of its last request, in seconds of a steady clock."""
    turn: anyio.Lock = field(default_factory=anyio.Lock)

    async def work(self, do: Callable[[Session], T]) -> T:
        """Run something on the board in a worker thread; it is not stopped halfway."""
        async with self.turn:
            return await anyio.to_thread.run_sync(do, self.session)


@dataclass
class OpenBoards:
    """The boards of a server, and its runs under way."""

    folders: Folders
    open: dict[str, OpenBoard] = field(default_factory=dict[str, OpenBoard])
    current: dict[str, str] = field(default_factory=dict[str, str])
    """Connection → handle."""
    runs: dict[str, object] = field(default_factory=dict[str, object])
    """Runs under way, by the name that their client sends back; see `run`."""
    tasks: TaskGroup | None = None
    """Task group of runs between two calls; set while the server runs."""
    clock: Callable[[], float] = time.monotonic

    def put(self, session: Session) -> OpenBoard:
        """Keep a board open; it becomes the connection's own, in place of the one before.

        Raises:
            BoardError: there are too many, all in use.
        """
        self.close(connection.get())
        self._make_room()
        stem = session.path.stem[:40]
        opened = OpenBoard(f"{stem}-{secrets.token_hex(4)}", session.path.name, session, self.clock())
        self.open[opened.handle] = opened
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
        found = self.open.get(handle)
        if found is None:
            raise BoardError(
                f"No board is open as {handle!r}; it may have been closed for lack of use. Call open again."
            )
        found.used = self.clock()
        return found

    def own(self) -> OpenBoard | None:
        """The board that opening another one would close."""
        return self.open.get(self.current.get(connection.get(), ""))

    def close(self, key: str) -> None:
        """Close the own board of a connection, if it has one."""
        handle = self.current.pop(key, None)
        if handle is not None:
            self.open.pop(handle, None)

    def _none_open(self) -> str:
        if connection.get() == LONE:
            return (
                "This call names no board, and over HTTP each call stands alone: pass the handle "
                "that `open` gave as `board`."
            )
        boards = ", ".join(self.folders.boards(limit=8))
        return f"No board is open. Call open with the path of one{f', such as: {boards}' if boards else ''}."

    def _make_room(self) -> None:
        """Close idle boards when too many are open."""
        if len(self.open) < MOST_BOARDS:
            return
        for board in [board for board in self.open.values() if self.clock() - board.used > IDLE]:
            del self.open[board.handle]
        self.current = {key: handle for key, handle in self.current.items() if handle in self.open}
        if len(self.open) >= MOST_BOARDS:
            raise BoardError(f"{MOST_BOARDS} boards are open and in use; no more are opened until one is idle.")
