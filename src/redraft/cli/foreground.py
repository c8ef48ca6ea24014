"""A run in the foreground: show it on the terminal, stop it by Ctrl-C, and end the process with its exit code."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import typer

from redraft.cli.failures import INTERRUPTED, failures, say_error
from redraft.errors import IdeaError, RedraftError

if TYPE_CHECKING:
    from redraft.cli.terminal import Terminal
    from redraft.result import Result

MAX_INPUT = 1_000_000
"""Bytes read from standard input; a longer instruction is refused for its length."""


@dataclass
class Foreground:
    """One run on the command line: its output options, and its folder once that is known."""

    studio: str
    json: bool
    quiet: bool
    folder: Path | None = None
    """Of the run, for the command that continues it."""
    _dated: bool = False

    def place(self, out: Path | None, root: str, words: str) -> Path:
        """Return the run's folder, as given or a new dated one; chosen here so that an interrupted run can be named."""
        from redraft.files import dated
        from redraft.record.journal import system_clock

        self._dated = out is None
        self.folder = dated(Path(root), system_clock(), words) if out is None else out
        return self.folder

    def carry_out(self, do: Callable[[Foreground, Terminal], Result]) -> NoReturn:
        """Carry out a run, show the result, and exit with its code. Always raises `typer.Exit`."""
        from redraft.cli.outcome import exit_code, show
        from redraft.cli.terminal import Terminal

        terminal = Terminal(errors=self.json or self.quiet, quiet=self.quiet)
        try:
            with failures():
                try:
                    with terminal, stopped_alike():
                        result = do(self, terminal)
                except KeyboardInterrupt:
                    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process ends now; a further Ctrl-C adds nothing
                    raise typer.Exit(self._interrupted(terminal)) from None
                except RedraftError as error:
                    self._answer(terminal, str(error))
                    raise
                finally:
                    self._tidy(terminal)
                show(result, terminal, json_=self.json, quiet=self.quiet)
        except typer.Exit as ended:
            self._point_to_record(ended.__cause__)
            raise
        raise typer.Exit(exit_code(result))

    def _tidy(self, terminal: Terminal) -> None:
        from redraft.files import remove_unused

        if self._dated and self.folder is not None and not terminal.started:
            remove_unused(self.folder)

    def _point_to_record(self, error: BaseException | None) -> None:
        """Name the page that has the unusable reply, and the command that asks again."""
        if isinstance(error, IdeaError) and self.folder is not None:
            from redraft.cli.outcome import near, resume_command
            from redraft.cli.terminal import plain

            page = near(self.folder / "report.html")
            typer.echo(plain(f"nothing was made. Requests and replies: {page}"), err=True)
            typer.echo(plain(f"to ask again: {resume_command(near(self.folder))}"), err=True)

    def _interrupted(self, terminal: Terminal) -> int:
        if terminal.started and self.folder is not None:
            from redraft.cli.outcome import near, resume_command, unfinished
            from redraft.cli.terminal import plain

            say_error(f"stopped. All finished work is kept; continue with: {resume_command(near(self.folder))}")
            for line in unfinished(self.studio, self.folder):
                typer.echo(plain(line), err=True)
        else:
            say_error("stopped before the run began.")
        self._answer(terminal, "interrupted")
        return INTERRUPTED

    def _answer(self, terminal: Terminal, message: str) -> None:
        """Print the JSON object of a run without a result."""
        from redraft.cli.outcome import failure_as_json

        if self.json:
            typer.echo(failure_as_json(self.studio, self.folder if terminal.started else None, message))


def _as_ctrl_c(number: int, frame: FrameType | None) -> None:
    del number, frame
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started with & by a script, where Ctrl-C has no effect
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


@contextmanager
def stopped_alike() -> Generator[None]:
    """Let SIGTERM and SIGHUP stop a run as Ctrl-C does: its workers end, its temporary folder is removed, and the best
    result so far is delivered. A signal that is ignored, as under `nohup`, stays ignored."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    asked = [number for number in map(signal.Signals.__getitem__, names) if signal.getsignal(number) is signal.SIG_DFL]
    for number in asked:
        signal.signal(number, _as_ctrl_c)
    try:
        yield
    finally:
        for number in asked:
            signal.signal(number, signal.SIG_DFL)


def standard_input() -> str:
    """Return an instruction from standard input. Raises `BriefError` if it is not UTF-8."""
    from redraft.errors import BriefError

    raw = sys.stdin.buffer.read(MAX_INPUT)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BriefError(
            f"Standard input is not valid UTF-8: byte {error.start} is {raw[error.start]:#04x}. Convert it, for "
            "example with iconv -t UTF-8."
        ) from error
