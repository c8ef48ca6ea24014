"""Open work: a drawing, a scene or a board that a program changes call by call, with undo and redo.

`drafting.Drafting` is the session of a studio that drafts, `studios.board.session.Session` that of a board. A server
keeps both in one place (`mcp.opened`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import anyio
from anyio import to_thread

from redraft.errors import BriefError, RunNotFoundError

if TYPE_CHECKING:
    from redraft.config import Config
    from redraft.result import Picture

StepT = TypeVar("StepT")
T = TypeVar("T")

MAX_UNDO = 200
"""Steps that can be taken back. Each keeps about 0.1 MB on a board of 1,500 components, as measured on one."""


@dataclass
class Session(ABC, Generic[StepT]):
    """An open piece of work and its steps. Each call on it waits for the one before."""

    steps: list[StepT] = field(default_factory=list[Any], init=False)
    """Its versions, the oldest first, and those that were undone."""
    at: int = field(default=-1, init=False)
    """Index of the current step; -1 before the first."""
    studio: str = field(default="", init=False)
    name: str = field(default="", init=False)
    """Its name for the client: that of a file, or the instruction."""
    handle: str = field(default="", init=False)
    """Its name in a server; empty outside of one."""
    owner: str = field(default="", init=False)
    """The connection that opened it."""
    used: float = field(default=0.0, init=False)
    """The time of its last request, in seconds of a steady clock."""
    exported: Path | None = field(default=None, init=False)
    """Folder of the last export."""
    closed: anyio.Event = field(default_factory=anyio.Event, init=False)
    _turn: anyio.Lock = field(default_factory=anyio.Lock, init=False)

    @property
    def can_undo(self) -> int:
        """Number of steps that can be taken back."""
        return max(0, self.at)

    @property
    def unsaved(self) -> bool:
        """True if closing it would lose changes."""
        return False

    @property
    def home(self) -> Path | None:
        """The folder that its runs are recorded in; None for the server's."""
        return None

    def undo(self, *, redo: bool = False) -> Any:
        """Go one step back, or forward again.

        Raises:
            BriefError: there is no such step.
        """
        if redo and self.at + 1 >= len(self.steps):
            raise BriefError("There is nothing to redo: no step was undone since the last change.")
        if not redo and self.at < 1:
            raise BriefError("There is nothing to undo: this is the first step, or the oldest that is kept.")
        self.at += 1 if redo else -1

    def append(self, step: StepT) -> None:
        """Make a new step the current one and drop those that were undone; after `MAX_UNDO` steps the oldest too."""
        self.steps[self.at + 1 :] = [step]
        del self.steps[: -MAX_UNDO - 1]
        self.at = len(self.steps) - 1

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[Self]:
        """Wait until the calls before are done, and keep later ones waiting.

        Raises:
            RunNotFoundError: it was closed meanwhile.
        """
        async with self._turn:
            if self.closed.is_set():
                raise RunNotFoundError(f"{self.handle!r} was closed while this call waited. Nothing was changed.")
            yield self

    async def work(self, do: Callable[[Self], T]) -> T:
        """Run a function on it in a worker thread; cancellation does not stop it halfway."""
        async with self.turn():
            return await to_thread.run_sync(do, self)

    async def ended(self) -> None:
        """Wait until it is closed and the call under way is done; no later one begins."""
        await self.closed.wait()
        async with self._turn:
            return

    @abstractmethod
    def source(self) -> bytes:
        """Return the current program, or the file as it is now."""

    @abstractmethod
    async def look(self, views: Sequence[str] = ()) -> list[Picture]:
        """Return pictures of the current step; without views the usual one."""

    @abstractmethod
    def lend(self, folder: Path, config: Config) -> tuple[Config, dict[str, Any]]:
        """Return the settings and inputs of a run that goes on from the current step, and is recorded in a folder."""
