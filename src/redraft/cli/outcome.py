"""The end of a run on the command line: lines for a person, one JSON object for a program, and the exit code."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote

import typer
from pydantic import JsonValue

from redraft.cli.failures import ENDED_EARLY, NOT_VALID
from redraft.cli.terminal import Terminal, plain
from redraft.errors import RunError
from redraft.record.history import DIRECTIONS
from redraft.record.log import MAX_LINES, issue_line, quoted, spoken, statements
from redraft.result import Outcome, Report, Result, Usage, Verdict, lacking
from redraft.text import plural

STYLES: dict[Outcome, str] = {"valid": "green", "not valid": "red", "incomplete": "yellow", "unchecked": "yellow"}
FINDING = {"severity", "code", "message", "subjects", "requirement", "hint"}
"""Fields of a finding in the JSON object."""
MAX_NOTES = 3
"""Notes on the run that are printed at its end; those of heuristics are only counted."""


def exit_code(result: Result) -> int:
    """Return 0 for valid or unchecked, 1 for delivered but not valid or incomplete, 3 for ended early."""
    if result.error is not None:
        return ENDED_EARLY
    return 0 if result.valid else NOT_VALID


def show(result: Result, terminal: Terminal, *, json_: bool, quiet: bool) -> None:
    """Print the end of a run."""
    if not quiet:
        _print_summary(result, terminal)
    for warning in result.warnings:
        terminal.warn(warning)
    if result.error is not None:
        terminal.say(("ended early:", "red"), f" {result.error['message']}", always=True)
        resume = resume_command(near(result.run))
        terminal.say(f"all finished work is kept; fix this, then run: {resume}", always=True)

    line = as_json(result) if json_ else ""
    if quiet and not json_ and (path := _main_file(result)):
        line = plain(str(path))
    if line:
        try:
            typer.echo(line)
        except BrokenPipeError:
            raise  # the reader has gone away, which is not an error
        except OSError as error:
            reason = error.strerror or error
            raise RunError(f"Standard output cannot be written: {reason}. The run is in {result.run}.") from error


def resume_command(run: Path) -> str:
    """Return the command that continues a run."""
    return f"redraft resume {quote(str(run))}"


def unfinished(studio: str, run: Path) -> list[str]:
    """Return lines on what an interrupted run left: its best so far, where it has one."""
    from redraft.record.transcript import Record

    files = Record.load(run).transcript.files
    role = next((role for role, _ in _deliverables(studio) if role in files), None)
    if role is None:
        return []
    return [f"the best so far, unfinished: {near(run / files[role])} (resume repeats the step that was stopped)"]


def _print_summary(result: Result, terminal: Terminal) -> None:
    """Print the outcome, what it cost, what is wrong or not measured, and the files."""
    from redraft.studios import open_studio

    usage, report = result.usage, result.report
    tokens = f"{usage.input_tokens + usage.output_tokens:,} tokens"
    price = "cost unknown" if usage.cost is None else f"${usage.cost:.4f}" if usage.cost else "no cost"
    spent = f"{tokens}, {price}" if usage.counted else "tokens and cost unknown"

    outcome, style, reason = result.outcome, STYLES[result.outcome], statements(report)
    if result.error is not None and not result.iterations and _main_file(result) is None:
        outcome, style, reason = "nothing was delivered", "red", ""
    elif report.heuristics == "strict":
        outcome, reason = f"{outcome}, score {result.score:.2f}", ""
    elif outcome == "unchecked":
        reason = f"{reason or 'nothing was measured'}, and no model looked at the result"
    terminal.say("")
    terminal.say((outcome, style), f"{': ' if reason else ''}{reason} ({plural(usage.calls, 'model call')}, {spent})")

    if result.outcome == "incomplete":
        terminal.say((lacking(report, result.studio), "yellow"))
    if measured := result.verdict.measured:
        many = len(measured.frames)
        frame = f", frame {measured.frame + 1} of {many} (mean {measured.mean:.4f})" if many > 1 else ""
        way = f"{DIRECTIONS[measured.metric]} is better{frame}"
        terminal.say(f"distance to the target: {measured.metric} {measured.best:.4f}, {way}")
    if result.verdict.by == "critic":
        terminal.say(f"the critic: {spoken(result.verdict)}")
    for line in (*open_studio(result.studio).details(result), *_issue_lines(report)):
        terminal.say(line)
    if report.unchecked:
        terminal.say(("not measured:", "yellow"), f" {quoted(report.unchecked)}")
    for role, word in (*_deliverables(result.studio), ("report", "report")):
        if word and (path := result.files.get(role)):
            terminal.say(f"{word + ':':<8} {near(path)}")


def _issue_lines(report: Report) -> list[str]:
    """Return the errors, a line each, the first notes of a studio, and how many other findings the report lists."""
    errors, notes = report.errors[:MAX_LINES], [note for note in report.notes if note.basis == "defect"][:MAX_NOTES]
    rest = {
        "error": report.count("error") - sum(issue.count for issue in errors),
        "warning": report.count("warning"),
        "note": report.count("note") - sum(issue.count for issue in notes),
    }
    counts = [plural(count, word) for word, count in rest.items() if count]
    more = [f"{'and ' if errors or notes else ''}{', '.join(counts)}: see the report"] if counts else []
    return [*map(issue_line, (*errors, *notes)), *more]


def _deliverables(studio: str) -> tuple[tuple[str, str], ...]:
    from redraft.studios import open_studio

    return open_studio(studio).deliverables


def near(path: Path) -> Path:
    """Return a path as one would type it: relative if it lies under the current folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _main_file(result: Result) -> Path | None:
    """Return the file that the run was for."""
    return next((result.files[role] for role, _ in _deliverables(result.studio) if role in result.files), None)


def as_json(result: Result) -> str:
    """Return the machine-readable result, on one line."""
    from redraft.studios import open_studio

    return _dump(
        result.studio,
        run=result.run,
        outcome=result.outcome,
        score=result.score,
        report=result.report,
        usage=result.usage,
        files=result.files,
        warnings=result.warnings,
        verdict=result.verdict,
        error=result.error,
        details=open_studio(result.studio).data(result),
    )


def failure_as_json(studio: str, run: Path | None, message: str) -> str:
    """Return the same object without a result: the request was refused (`run` is None), or the run was stopped.

    The part of the run that was recorded is read from its folder.
    """
    if run is None:
        return _dump(studio, error={"phase": "start", "step": "", "message": message})
    from redraft.record.transcript import Record

    done = Record.load(run).transcript
    return _dump(
        studio,
        run=run,
        outcome=done.outcome,
        score=done.score,
        report=done.report,
        usage=done.usage,
        files={role: run / name for role, name in done.files.items()},
        warnings=done.warnings,
        verdict=done.verdict,
        error={"phase": "loop", "step": "", "message": message},
    )


def _dump(
    studio: str,
    *,
    error: Mapping[str, JsonValue] | None,
    run: Path | None = None,
    outcome: Outcome = "not valid",
    score: float = 0.0,
    report: Report | None = None,
    usage: Usage | None = None,
    files: Mapping[str, Path] | None = None,
    warnings: Sequence[str] = (),
    verdict: Verdict | None = None,
    details: Mapping[str, JsonValue] | None = None,
) -> str:
    spent, findings = usage or Usage(), report or Report()
    # ASCII only: it survives every terminal encoding, and half a character too.
    return json.dumps(
        {
            "run": None if run is None else str(run),
            "studio": studio,
            "outcome": outcome,
            "valid": outcome in ("valid", "unchecked"),
            "score": score,
            "requirements": [one.model_dump(mode="json") for one in findings.requirements],
            "set_aside": list(findings.set_aside),
            "not_measured": list(findings.unchecked),
            "stand_ins": list(findings.stand_ins),
            "findings": [
                issue.model_dump(mode="json", include=FINDING)
                for issue in (*findings.errors, *findings.warnings, *findings.notes)
            ],
            "verdict": None if verdict is None or verdict.by == "none" else verdict.model_dump(mode="json"),
            "calls": spent.calls,
            "input_tokens": spent.input_tokens if spent.counted else None,
            "output_tokens": spent.output_tokens if spent.counted else None,
            "cost": spent.cost,
            "files": {role: str(path) for role, path in (files or {}).items()},
            "warnings": list(warnings),
            "details": dict(details or {}),
            "error": error,
        }
    )
