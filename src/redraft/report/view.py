"""What the page of a run says, as plain values: the template only lays it out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import JsonValue

from redraft.events import Event, RunStarted, Validated
from redraft.journal import EVENTS_FILE
from redraft.report.pictures import Gallery, Shown, inside
from redraft.report.steps import StepView, step_views
from redraft.report.turns import TurnView, best_of, turn_views
from redraft.report.words import Clipped, clip, cost, day, plural, seconds, settings
from redraft.transcript import Run, Transcript, Validation

__all__ = ["Bar", "View", "view_of"]

BRIEF_LIMIT = 600
"""Characters of the brief in the heading; all of a longer one is one click away."""
NOTE_LIMIT = 20_000


@dataclass(frozen=True)
class Bar:
    """One validation in the chart of scores: `height` of 40 units, at `x`."""

    anchor: str
    x: int
    height: int
    valid: bool
    title: str


@dataclass(frozen=True)
class View:
    """Everything on the page."""

    run: str
    redraft: str
    studio: str
    date: str
    brief: Clipped
    whole_brief: str
    status: str
    """`valid`, `invalid`, `ended` or `unfinished`."""
    score: str
    """Empty when nothing was checked."""
    remark: str
    error: dict[str, str] | None
    facts: tuple[tuple[str, str], ...]
    picture: Shown | None
    picture_alt: str
    unchecked: tuple[str, ...]
    warnings: tuple[str, ...]
    bars: tuple[Bar, ...]
    turns: tuple[TurnView, ...]
    steps: tuple[StepView, ...]
    notes: tuple[tuple[str, Clipped], ...]
    settings: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str, int], ...]
    """Role, name in the run folder, bytes."""
    transcript: str
    """The file that holds what the page leaves out."""


def view_of(run: Run) -> View:
    """The page of a run, finished or not."""
    transcript = run.transcript
    gallery = Gallery(run.folder)
    delivered = _delivered(transcript)
    picture = _picture(transcript, delivered, gallery)  # first: the budget must not run out before it
    status = _status(transcript)
    unchecked = delivered.report.unchecked if delivered else ()
    instruction = str(transcript.brief.get("instruction", ""))
    return View(
        run=transcript.run,
        redraft=transcript.redraft,
        studio=transcript.studio,
        date=day(transcript.created_at),
        brief=clip(instruction, BRIEF_LIMIT),
        whole_brief=instruction,
        status=status,
        score=_score(transcript, delivered),
        remark=_remark(transcript, delivered),
        error=None if transcript.error is None else {k: _text(v) for k, v in transcript.error.items()},
        facts=tuple(_facts(transcript, run.events)),
        picture=picture,
        picture_alt=f"What was drawn for: {clip(instruction, 200).text}",
        unchecked=unchecked,
        warnings=transcript.warnings,
        bars=_bars(run.events),
        turns=turn_views(transcript, run.events, gallery, unchecked),
        steps=step_views(transcript.steps, run.events, run.folder),
        notes=tuple(_notes(transcript)),
        settings=tuple(settings(transcript.config)),
        files=tuple(_files(transcript, run.folder)),
        transcript=_transcript_file(run.folder),
    )


def _delivered(transcript: Transcript) -> Validation | None:
    """The validation of what was delivered; of an unfinished run, the best so far."""
    turns = [t for t in transcript.turns if transcript.delivered in ("", f"iteration-{t.iteration}")]
    return best_of(v for turn in turns for v in turn.validations)


def _picture(transcript: Transcript, delivered: Validation | None, gallery: Gallery) -> Shown | None:
    names = list(transcript.files.values())
    found = next((transcript.files[role] for role in ("svg", "png") if role in transcript.files), "")
    found = found or next((n for n in names if n.endswith((".svg", ".png"))), "")
    return gallery.show(found) or (gallery.show(delivered.picture) if delivered else None)


def _status(transcript: Transcript) -> str:
    if transcript.error is not None:
        return "ended"
    if not transcript.finished:
        return "unfinished"
    return "valid" if transcript.valid else "invalid"


def _score(transcript: Transcript, delivered: Validation | None) -> str:
    if delivered is None and not transcript.finished:
        return ""
    return f"{transcript.score if transcript.finished or delivered is None else delivered.report.score:.2f}"


def _remark(transcript: Transcript, delivered: Validation | None) -> str:
    if delivered is None:
        return "Delivered as it was; nothing was checked." if transcript.delivered else "Nothing was made that ran."
    report = delivered.report
    left = f"left in it: {plural(len(report.errors), 'error')}, {plural(len(report.warnings), 'warning')}."
    if not transcript.finished:
        return f"The best so far: {left}" if report.errors else "The best so far has no error."
    if not transcript.valid:
        return f"The best candidate was delivered all the same; {left}"
    return f"No error; {plural(len(report.warnings), 'warning')}." if report.warnings else "No rule was broken."


def _facts(transcript: Transcript, events: Sequence[Event]) -> list[tuple[str, str]]:
    usage = transcript.usage
    name, label = str(transcript.model.get("name", "")), str(transcript.model.get("label", ""))
    rows = [
        ("Model", label if label.startswith(name) else f"{name}: {label}".removesuffix(": ")),
        ("Model calls", f"{usage.calls:,} (at most {transcript.worst_case_calls:,}, as stated before the run)"),
        ("Tokens", f"{usage.input_tokens:,} in, {usage.output_tokens:,} out"),
        ("Cost", cost(usage)),
        ("Time", _duration(events)),
        ("Turns", f"{len(transcript.turns):,}"),
        ("Seed", str(transcript.seed)),
    ]
    on = transcript.brief.get("on")
    return [*rows, ("Continues", str(on))] if on else rows


def _duration(events: Sequence[Event]) -> str:
    """The time of all sittings: what lies between a kill and its resume is nobody's work."""
    sittings: list[list[Event]] = []
    for event in events:
        if isinstance(event, RunStarted):
            sittings.append([])
        sittings[-1].append(event)
    took = seconds(sum((s[-1].at - s[0].at).total_seconds() for s in sittings))
    return took if len(sittings) == 1 else f"{took} in {len(sittings)} sittings"


def _bars(events: Sequence[Event]) -> tuple[Bar, ...]:
    found = sorted((e for e in events if isinstance(e, Validated)), key=_chart_order)
    return tuple(
        Bar(
            anchor=e.key.replace("/", "-"),
            x=10 * n,
            height=max(2, round(40 * e.report.score)),
            valid=e.report.valid,
            title=f"Turn {e.iteration}, {e.source}: {e.report.score:.2f}, {'valid' if e.report.valid else 'not valid'}",
        )
        for n, e in enumerate(found)
    )


def _chart_order(event: Validated) -> tuple[int, int, int]:
    """Candidates beside each other first, then what became of the chosen one: the order of ideas, not of clocks."""
    return (event.iteration, event.index, event.candidate or 0)


def _notes(transcript: Transcript) -> list[tuple[str, Clipped]]:
    topics: dict[str, JsonValue] = {
        "Scoring of ideas": transcript.blackbox_scoring,
        "Fix memory": transcript.memory,
        **transcript.notes,
    }
    return [(topic, clip(_text(data), NOTE_LIMIT)) for topic, data in topics.items() if data is not None]


def _text(data: JsonValue) -> str:
    return data if isinstance(data, str) else json.dumps(data, indent=2, ensure_ascii=False)


def _files(transcript: Transcript, folder: Path) -> list[tuple[str, str, int]]:
    names = {**transcript.files, "journal": EVENTS_FILE, "transcript": "transcript.json"}
    rows: list[tuple[str, str, int]] = []
    for role, name in names.items():
        path = inside(folder, name)
        if path is not None and role != "report":
            rows.append((role, PurePosixPath(path.relative_to(folder.resolve())).as_posix(), path.stat().st_size))
    return rows


def _transcript_file(folder: Path) -> str:
    return "transcript.json" if (folder / "transcript.json").is_file() else EVENTS_FILE
