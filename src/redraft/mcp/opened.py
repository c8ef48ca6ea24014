"""Open works of a server (a board, a scene, a drawing …), and the files that a client may name.

A connection that lasts (stdio, a session over HTTP) has one work of each studio: the one it began last. Where each call
stands alone, as over HTTP since the protocol of 2026-07-28, a call names its work by the handle that the first call
gave. Files lie inside the folders given at start; links and `..` are followed before paths are compared."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, Field

from redraft.errors import BriefError, ConfigError, RunNotFoundError
from redraft.loop.session import Session

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from redraft.result import Result

MAX_PATH = 4096
"""Characters of a path; more are refused unread."""
PathText = Annotated[str, Field(min_length=1, max_length=MAX_PATH)]
"""A path in a call."""


@dataclass(frozen=True)
class Folders:
    """The folders in which files may be read and written, resolved; never empty."""

    allowed: tuple[Path, ...]

    @classmethod
    def of(cls, folders: Sequence[Path]) -> Folders:
        """Those folders, or the current one when there are none.

        Raises:
            ConfigError: one is not a folder.
        """
        return cls(tuple(dict.fromkeys(_folder(folder) for folder in folders or [Path()])))

    def file(self, text: str, suffixes: Sequence[str]) -> Path:
        """Return the existing file that `text` names, resolved.

        Raises:
            BriefError: it is outside the folders, has another suffix, or is missing.
        """
        path = self._named(text, suffixes)
        if not path.exists():
            raise BriefError(f"The file {text!r} is missing: {path} does not exist. {self._words()}")
        if not path.is_file():
            raise BriefError(f"{text!r} is not a file. {self._words()}")
        return path

    def target(self, text: str, suffixes: Sequence[str]) -> Path:
        """Return the path of a file to write, resolved. It need not exist, its folder must.

        Raises:
            BriefError: it is outside the folders, has another suffix, or its folder does not exist.
        """
        path = self._named(text, suffixes)
        if not path.parent.is_dir():
            raise BriefError(f"{text!r} cannot be written: the folder {path.parent} does not exist.")
        if path.exists() and not path.is_file():
            raise BriefError(f"{text!r} cannot be written: a folder or device has that name.")
        return path

    def folder(self, text: str, *, overwrite: bool = False) -> Path:
        """Return the folder to write several files to, resolved. It need not exist, and is not made.

        Raises:
            BriefError: it is outside the folders, is one of them, a file, or not empty without `overwrite`.
        """
        path = self._inside(text)
        if path in self.allowed:
            raise BriefError(f"{text!r} is a folder that this server shares. Name a new one in it, as in 'export-1'.")
        if path.exists() and not path.is_dir():
            raise BriefError(f"{text!r} is a file. Name a folder for the exported files.")
        if path.is_dir() and any(path.iterdir()) and not overwrite:
            raise BriefError(f"The folder {text!r} is not empty. Name another one, or pass overwrite=true.")
        return path

    def listed(self, suffixes: Sequence[str], limit: int = 50) -> tuple[str, ...]:
        """Files directly in the folders and one below, by name; at most `limit`."""
        names = [f"{depth}*{suffix}" for suffix in suffixes for depth in ("", "*/")]
        found = [
            path
            for folder in self.allowed
            for name in names
            for path in folder.glob(name)
            if path.resolve().is_relative_to(folder)
        ]
        return tuple(str(path) for path in sorted(found)[:limit])

    def _named(self, text: str, suffixes: Sequence[str]) -> Path:
        path = self._inside(text)
        if path.suffix.lower() not in suffixes:
            raise BriefError(f"{text!r}: the name must end in {' or '.join(suffixes)}.")
        return path

    def _inside(self, text: str) -> Path:
        path = self._resolved(_readable(text))
        if not any(path.is_relative_to(folder) for folder in self.allowed):
            raise BriefError(f"{text!r} is outside the folders that this server may use. {self._words()}")
        return path

    def _resolved(self, text: str) -> Path:
        """A relative path is taken from the first folder in which it leads to something, else from the first."""
        given = Path(text)
        try:
            places = [(folder / given).resolve() for folder in self.allowed]
            return next((place for place in places if place.exists()), places[0])
        except (OSError, RuntimeError) as error:  # a loop of links, a name longer than the system takes
            raise BriefError(f"The path {_short(text)!r} cannot be followed: {error}.") from error

    def _words(self) -> str:
        return f"Files are read and written in: {', '.join(map(str, self.allowed))}."


def _folder(folder: Path) -> Path:
    resolved = folder.expanduser().resolve()
    if not resolved.is_dir():
        raise ConfigError(f"{str(folder)!r} is not a folder. Give the folders in which files may be read and written.")
    return resolved


def _readable(text: str) -> str:
    if not text.strip():
        raise BriefError("The path is empty. Give the name of a file, as in 'my.kicad_pcb'.")
    if len(text) > MAX_PATH:
        raise BriefError(f"The path {_short(text)!r} has {len(text):,} characters; at most {MAX_PATH:,} are read.")
    if not text.isprintable():
        raise BriefError(f"The path {_short(text)!r} has control characters.")
    if text.startswith("~"):
        raise BriefError(f"The path {_short(text)!r} begins with '~', which is not expanded here. Write it out.")
    return text


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"


SessionT = TypeVar("SessionT", bound=Session[Any])

LONE = "-"
"""The connection of a call that stands alone."""
MAX_OPEN = 16
"""Works open at once, of all connections."""
IDLE = 1800.0
"""Seconds without a request after which a work may be closed to make room."""

connection: ContextVar[str] = ContextVar("connection", default="")
"""The connection of a call: empty for the only one, `LONE` for none."""
_handle: ContextVar[str | None] = ContextVar("handle", default=None)


@contextmanager
def named_work(handle: str | None) -> Generator[None]:
    """While this lasts, `OpenWorks.find` means the work of that handle; None: the connection's own."""
    token = _handle.set(handle)
    try:
        yield
    finally:
        _handle.reset(token)


@dataclass(frozen=True)
class Opener:
    """The tool that opens works of a studio from files, in place of a first draft."""

    tool: str
    suffixes: tuple[str, ...]
    take: Callable[[Any, Result], BaseModel]
    """Makes the result of a run a step of a session, and returns the outcome as clients get it."""


@dataclass
class OpenWorks:
    """The open works of a server, and its runs under way."""

    folders: Folders
    open: dict[str, Session[Any]] = field(default_factory=dict[str, Session[Any]])
    """By handle."""
    current: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """Connection and studio → handle."""
    openers: dict[str, Opener] = field(default_factory=dict[str, Opener])
    """Of the studios that have one, by name."""
    runs: dict[str, Any] = field(default_factory=dict[str, Any])
    """Runs under way, by the name that their client sends back; see `run`."""
    exports: set[Path] = field(default_factory=set[Path])
    """Folders that exports are writing to."""
    tasks: TaskGroup | None = None
    """Task group of works and of runs between two calls; set while the server runs."""
    clock: Callable[[], float] = time.monotonic

    def put(self, studio: str, name: str, session: SessionT) -> SessionT:
        """Keep a work open; it becomes the connection's own of its studio, in place of the one before.

        Raises:
            RunNotFoundError: there are too many, all in use.
        """
        owner = connection.get()
        self._close(self.current.pop((owner, studio), None))
        self._make_room()
        stem = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)[:24].strip("-")
        session.handle = f"{studio}-{stem}-{secrets.token_hex(8)}"
        session.studio, session.name, session.owner, session.used = studio, name, owner, self.clock()
        self.open[session.handle] = session
        if owner != LONE:
            self.current[owner, studio] = session.handle
        return session

    def find(self, studio: str) -> Any:
        """Return the work of a studio that this call means.

        Raises:
            RunNotFoundError: none is open, the handle is unknown, or of another studio.
        """
        handle = _handle.get() or self.current.get((connection.get(), studio))
        if handle is None:
            raise RunNotFoundError(self._none_open(studio))
        session = self.by_handle(handle)
        if session.studio != studio:
            raise RunNotFoundError(
                f"{handle!r} is a handle of the {session.studio} studio. Use the {session.studio}_… tools for it, or "
                f"pass the handle that {self._first(studio)} gave."
            )
        return session

    def by_handle(self, handle: str) -> Session[Any]:
        """Return the work of a handle, if the connection of this call opened it.

        Raises:
            RunNotFoundError: it did not, or the work was closed.
        """
        session = self.open.get(handle)
        if session is None or session.owner != connection.get():
            raise RunNotFoundError(
                f"{handle!r} is not open; it may have been closed after a time without requests. Open or draft it "
                "again, and use the handle that you get."
            )
        session.used = self.clock()
        return session

    def own(self, studio: str) -> Any:
        """Return the work that a new one of the studio would close; None where there is none."""
        named = _handle.get()
        return self.find(studio) if named else self.open.get(self.current.get((connection.get(), studio), ""))

    def any_of(self, key: str) -> bool:
        """Return whether a connection has any work open."""
        return any(session.owner == key for session in self.open.values())

    def close(self, key: str) -> None:
        """Close all works of a connection."""
        for mine in [mine for mine in self.current if mine[0] == key]:
            self._close(self.current.pop(mine))

    def close_all(self) -> None:
        """Close every work, as the server ends."""
        for handle in [*self.open]:
            self._close(handle)

    def _close(self, handle: str | None) -> None:
        closed = self.open.pop(handle or "", None)
        if closed is not None:
            closed.closed.set()

    def _first(self, studio: str) -> str:
        """The tool that opens a work of a studio."""
        return self.openers[studio].tool if studio in self.openers else f"{studio}_draft"

    def _none_open(self, studio: str) -> str:
        first = self._first(studio)
        if connection.get() == LONE:
            return (
                "This call names nothing that is open, and over HTTP each call stands alone: pass the handle that "
                f"{first} gave as `handle`."
            )
        files = self.folders.listed(self.openers[studio].suffixes, limit=8) if studio in self.openers else ()
        example = f", for example with: {', '.join(files)}" if files else ""
        return f"No {studio} is open. Call {first} first{example}."

    def _make_room(self) -> None:
        """Close the work that was idle longest when too many are open, one with unsaved changes last."""
        if len(self.open) < MAX_OPEN:
            return
        idle = [session for session in self.open.values() if self.clock() - session.used > IDLE]
        if not idle:
            raise RunNotFoundError(f"{MAX_OPEN} works are open and in use. Wait until one is idle.")
        self._close(min(idle, key=lambda session: (session.unsaved, session.used)).handle)
        self.current = {key: handle for key, handle in self.current.items() if handle in self.open}
