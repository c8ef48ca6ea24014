"""Runs one piece of work under the terminal's eyes, and ends the process as it ended: sketch, resume, undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from redraft.cli.failures import INTERRUPTED, failures, say_error
from redraft.errors import RedraftError

if TYPE_CHECKING:
    from redraft.cli.terminal import Terminal
    from redraft.result import Result

__all__ = ["Work"]


@dataclass
class Work:
    """One run: how it is shown, and where it is once that is known."""

    studio: str
    json: bool
    quiet: bool
    folder: Path | None = None
    """Of the run, for the command that goes on with it."""

    def carry_out(self, do: Callable[[Work, Terminal], Result]) -> NoReturn:
        """Do it, show it, and exit with its code. Raises `typer.Exit`, always."""
        from redraft.cli.outcome import exit_code, show
        from redraft.cli.terminal import Terminal

        terminal = Terminal(errors=self.json or self.quiet, quiet=self.quiet)
        with failures():
            try:
                with terminal:
                    result = do(self, terminal)
            except KeyboardInterrupt:
                raise typer.Exit(self._interrupted(terminal)) from None
            except RedraftError as error:
                self._answer(terminal, str(error))
                raise
            show(result, terminal, json_=self.json, quiet=self.quiet)
        raise typer.Exit(exit_code(result))

    def _interrupted(self, terminal: Terminal) -> int:
        if terminal.started:
            say_error(f"stopped. Nothing that was made is lost; go on with: redraft resume {self.folder}")
        else:
            say_error("stopped before the run began.")
        self._answer(terminal, "interrupted")
        return INTERRUPTED

    def _answer(self, terminal: Terminal, message: str) -> None:
        """The one JSON object of a run without a result."""
        from redraft.cli.outcome import failure_as_json

        if self.json:
            typer.echo(failure_as_json(self.studio, self.folder if terminal.started else None, message))
