"""What is said at the end of a run: to a person in lines, to a program as one JSON object, and as an exit code."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import typer
from pydantic import JsonValue

from redraft.cli.failures import ENDED_EARLY, NOT_VALID
from redraft.cli.terminal import Terminal, plain
from redraft.result import Result, Usage

__all__ = ["as_json", "exit_code", "failure_as_json", "show"]


def exit_code(result: Result) -> int:
    """0 valid, 1 delivered but not valid, 3 ended early."""
    if result.error is not None:
        return ENDED_EARLY
    return 0 if result.valid else NOT_VALID


def show(result: Result, terminal: Terminal, *, json_: bool, quiet: bool) -> None:
    """Print the end of a run."""
    if not quiet:
        _lines(result, terminal)
    if result.error is not None:
        terminal.say(f"ended early: {result.error['message']}", always=True)
        terminal.say(f"what was made is kept; go on with: redraft resume {result.run}", always=True)
    if json_:
        typer.echo(as_json(result))
    elif quiet and (drawing := _drawing(result)):
        typer.echo(plain(str(drawing)))


def _lines(result: Result, terminal: Terminal) -> None:
    state = "valid" if result.valid else "not valid"
    usage = result.usage
    calls = f"{usage.calls} model call{'' if usage.calls == 1 else 's'}"
    tokens = f"{usage.input_tokens + usage.output_tokens:,} tokens"
    price = "cost unknown" if usage.cost is None else f"${usage.cost:.4f}" if usage.cost else "no cost"
    terminal.say("")
    terminal.say(f"{state}, score {result.score:.2f} ({calls}, {tokens}, {price})")
    if result.report.unchecked:
        terminal.say("nobody checked: " + ", ".join(f"“{phrase}”" for phrase in result.report.unchecked))
    if drawing := _drawing(result):
        terminal.say(f"drawing: {drawing}")
    if page := result.files.get("report"):
        terminal.say(f"report:  {page}")


def _drawing(result: Result) -> Path | None:
    return result.files.get("svg") or result.files.get("png")


def as_json(result: Result) -> str:
    """The machine-readable result, on one line."""
    return _dump(
        result.studio,
        run=result.run,
        valid=result.valid,
        score=result.score,
        usage=result.usage,
        files=result.files,
        warnings=result.warnings,
        unchecked=result.report.unchecked,
        error=result.error,
    )


def failure_as_json(studio: str, run: Path | None, message: str) -> str:
    """The same object when there is no result: the request was refused (`run` is None), or the run was stopped.

    What was done until then is read from the run folder.
    """
    if run is None:
        return _dump(studio, error={"phase": "start", "step": "", "message": message})
    from redraft.transcript import Run

    done = Run.load(run).transcript
    return _dump(
        studio,
        run=run,
        valid=done.valid,
        score=done.score,
        usage=done.usage,
        files={role: run / name for role, name in done.files.items()},
        warnings=done.warnings,
        error={"phase": "loop", "step": "", "message": message},
    )


def _dump(
    studio: str,
    *,
    error: Mapping[str, JsonValue] | None,
    run: Path | None = None,
    valid: bool = False,
    score: float = 0.0,
    usage: Usage | None = None,
    files: Mapping[str, Path] | None = None,
    warnings: Sequence[str] = (),
    unchecked: Sequence[str] = (),
) -> str:
    spent = usage or Usage()
    # ASCII only: it survives every terminal encoding, and half a character too.
    return json.dumps(
        {
            "run": None if run is None else str(run),
            "studio": studio,
            "valid": valid,
            "score": score,
            "calls": spent.calls,
            "input_tokens": spent.input_tokens,
            "output_tokens": spent.output_tokens,
            "cost": spent.cost,
            "files": {role: str(path) for role, path in (files or {}).items()},
            "warnings": list(warnings),
            "unchecked": list(unchecked),
            "error": error,
        }
    )
