"""`inbox:DIR`: requests as readable files, answered by whoever reads them: a person, a chat window, an agent.

The run writes `NNNN.request.md` and waits for `NNNN.reply.md`. A request outlives the run that made it: after a kill,
the resumed run finds it, and the answer that came meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import anyio.lowlevel

from redraft.errors import ConfigError
from redraft.files import write_atomic
from redraft.models.base import ModelInfo, Reply, Request
from redraft.models.letters import Letter, Look, UnfitReply, find, look, post, read_reply
from redraft.models.renames import Renames
from redraft.result import Usage

__all__ = ["InboxModel"]

POLL = 0.2
"""Seconds between two looks at the folder."""

_LABEL = (
    "inbox: answered through files in a folder, by a person or a program that redraft does not know. Tokens and cost "
    "are not known either."
)


def _quiet(path: Path) -> None:
    """Tells nobody."""


class InboxModel:
    """Asks through a folder, which is made when it is missing.

    A request that was asked before, was not answered and is waited for by nobody is not asked again; with `run`, a
    name for the header, only those of this run count. `on_wait` is called with the request's file when a wait begins.

    Raises on construction:
        ConfigError: the folder cannot be made or written.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        run: str = "",
        sees: bool = True,
        on_wait: Callable[[Path], None] = _quiet,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = Path(folder).expanduser()
        self._run = run
        self._on_wait = on_wait
        self._sleep = sleep
        self._clock = clock
        self._info = ModelInfo(name="inbox", sees=sees, label=_LABEL)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"The inbox {str(folder)!r} cannot be used: {error.strerror}. Give a folder, as in inbox:mail."
            ) from error

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def ask(self, request: Request) -> Reply:
        """Write the request, unless this run already did, and wait for its reply for as long as it takes.

        Raises:
            RunError: the folder cannot be written.
        """
        await anyio.lowlevel.checkpoint()
        # Watched before the request is there, so that no answer can be renamed into place unseen.
        with Renames(self._folder) as renames:
            letter = find(self._folder, request, self._run) or post(self._folder, request, self._run)
            try:
                self._on_wait(letter.request)
                text = await self._wait(letter, renames)
            finally:
                letter.release()
        return Reply(text=text, model=self._info.name, usage=Usage(calls=1, cost=None))

    async def _wait(self, letter: Letter, renames: Renames) -> str:
        seen = inherited = look(letter.reply)
        refused: Look | None = None
        since = self._clock()
        while True:
            now = look(letter.reply)
            if now != seen:
                seen, since = now, self._clock()
            if now is not None and now != refused:
                try:
                    text = _take(letter, now, renames, still=self._clock() - since, inherited=now == inherited)
                except (UnfitReply, PermissionError) as error:
                    _complain(letter, str(error))
                    renames.forget(letter.reply.name)
                    refused, text = now, None
                if text is not None:
                    return text
            await self._sleep(POLL)


def _take(letter: Letter, seen: Look, renames: Renames, *, still: float, inherited: bool) -> str | None:
    renamed = renames.saw(letter.reply.name)
    try:
        text = read_reply(letter.reply, seen, still=still, renamed=renamed, inherited=inherited)
    except FileNotFoundError:  # removed or renamed away since it was looked at
        return None
    if text is not None:
        letter.problem.unlink(missing_ok=True)
        write_atomic(letter.taken, "")
    return text


def _complain(letter: Letter, problem: str) -> None:
    note = f"# {letter.reply.name} was not taken\n\n{problem}\n\nThe run goes on waiting for a better one.\n"
    if not letter.problem.exists() or letter.problem.read_text(encoding="utf-8") != note:
        write_atomic(letter.problem, note)
