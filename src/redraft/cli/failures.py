"""Errors on the command line: a message and an exit code, never a traceback unless asked for.

Exit codes: 0 valid, 1 delivered but not valid, 2 wrong use or settings, 3 ended early, 4 an internal error,
130 Ctrl-C.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import typer

from redraft.errors import BudgetError, IdeaError, ImageBackendError, ModelError, RedraftError

NOT_VALID = 1
WRONG_USE = 2
ENDED_EARLY = 3
FAULT = 4
INTERRUPTED = 130


@contextmanager
def failures() -> Generator[None]:
    """Turn a `RedraftError` into a message on standard error and an exit code."""
    try:
        yield
    except RedraftError as error:
        say_error(str(error))
        _say_traceback()
        raise typer.Exit(code_of(error)) from error


def code_of(error: RedraftError) -> int:
    """Return 3 for a run that ended early (a model out of reach, a cap reached, unusable ideas), else 2."""
    return ENDED_EARLY if isinstance(error, ModelError | BudgetError | IdeaError | ImageBackendError) else WRONG_USE


def say_error(message: str) -> None:
    """Print `error: …` on standard error, without control characters."""
    from redraft.cli.terminal import plain

    typer.secho("error: ", err=True, fg="red", bold=True, nl=False)
    typer.echo(plain(message), err=True)


def say_fault(error: Exception) -> int:
    """Print an unexpected exception as an internal error of redraft, and return its exit code."""
    inner: BaseException = error
    while isinstance(inner, BaseExceptionGroup):  # task groups wrap what is raised in them
        inner = cast("BaseExceptionGroup[BaseException]", inner).exceptions[0]
    place = traceback.extract_tb(inner.__traceback__)[-1]
    say_error(
        f"Internal error in redraft: {type(inner).__name__}: {inner} (in {Path(place.filename).name}, line "
        f"{place.lineno}). Finished work is kept: see `redraft runs`. Please report it with what you typed and "
        "with what REDRAFT_DEBUG=1 prints."
    )
    _say_traceback()
    return FAULT


def _say_traceback() -> None:
    if os.environ.get("REDRAFT_DEBUG", "") not in ("", "0"):
        typer.echo(traceback.format_exc(), err=True)


def steady_streams() -> None:
    """Print characters that the terminal's encoding lacks as their codes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def open_page(page: Path) -> None:
    """Open a page in the browser. Raises `MissingPartError` when none could be started."""
    import webbrowser

    from redraft.errors import MissingPartError

    if not webbrowser.open(page.resolve().as_uri()):
        raise MissingPartError(f"Cannot start a browser for {page}. Open that file yourself.")
