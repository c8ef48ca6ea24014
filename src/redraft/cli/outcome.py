"""What is said at the end of a run: to a person in lines, to a program as one JSON object, and as an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from redraft.cli.failures import ENDED_EARLY, NOT_VALID
from redraft.cli.terminal import Terminal, plain
from redraft.result import Result

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
    usage = result.usage
    return _dump(
        {
            "run": str(result.run),
            "studio": result.studio,
            "valid": result.valid,
            "score": result.score,
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cost": usage.cost,
            "files": {role: str(path) for role, path in result.files.items()},
            "warnings": list(result.warnings),
            "unchecked": list(result.report.unchecked),
            "error": result.error,
        }
    )


def failure_as_json(studio: str, run: Path | None, message: str) -> str:
    """The same object when there is no result: the request was refused, or the run was stopped."""
    return _dump(
        {
            "run": None if run is None else str(run),
            "studio": studio,
            "valid": False,
            "score": 0.0,
            "calls": 0,
            "input_tokens": 0,
            "output_tokens": 0,
            "cost": 0.0,
            "files": {},
            "warnings": [],
            "unchecked": [],
            "error": {"phase": "start" if run is None else "loop", "step": "", "message": message},
        }
    )


def _dump(data: dict[str, object]) -> str:
    # ASCII only: it survives every terminal encoding, and half a character too.
    return json.dumps(data)
