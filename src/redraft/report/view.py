"""What the page of a run says, as plain values: the template only lays it out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pydantic import JsonValue

from redraft.events import Event, RunStarted
from redraft.journal import EVENTS_FILE
from redraft.narration import statements
from redraft.report.charts import Bar, Curve, bars_of, curve_of
from redraft.report.code import Listing, listing_of
from redraft.report.exhibits import Exhibit, Frames, exhibits, frames_of, target_in
from redraft.report.ideas import IdeasView, ideas_in
from redraft.report.paintings import PROMPTING, Painting, painting_of
from redraft.report.pictures import Gallery, inside
from redraft.report.recalled import Found, MemoryView, found_in, memory_view
from redraft.report.requirements import Statements, statements_of
from redraft.report.steps import StepView, anchors, step_views
from redraft.report.turns import TurnView, turn_views
from redraft.report.words import Clipped, by_frame, clip, cost, day, plural, seconds, settings
from redraft.scoring.selection import was_no_use
from redraft.transcript import PICTURE, Run, Transcript, Validation

__all__ = ["View", "status_of", "view_of"]

BRIEF_LIMIT = 600
"""Characters of the brief in the heading; all of a longer one is one click away."""
PROMPT_LIMIT = 900
"""The same of the final prompt."""
NOTE_LIMIT = 20_000
IDEAS = "Scoring of ideas"
GUARD = "protection"
"""The note on what a model's programs were kept from."""
GUARDED = {
    "bubblewrap": "in a jail (bubblewrap)",
    "landlock": "kept from files and network (Landlock)",
    "worker": "without protection",
}


@dataclass(frozen=True)
class View:
    """Everything on the page."""

    run: str
    redraft: str
    studio: str
    date: str
    brief: Clipped
    whole_brief: str
    prompt: Clipped
    """The final prompt for an image model; empty in other studios."""
    whole_prompt: str
    wordy: bool
    """What is drafted is that prompt: there are no pictures of drafts."""
    status: str
    """`valid`, `invalid`, `unchecked`, `ended` or `unfinished`."""
    score: str
    """By the metric where there is one, how many statements hold, or the score where rules of thumb are strict."""
    beside: str
    """What there is to know about that score: which frame it is of, and whether it is near enough."""
    remark: str
    error: dict[str, str] | None
    over: bool
    """It ended for good: nobody can go on with it."""
    facts: tuple[tuple[str, str], ...]
    exhibits: tuple[Exhibit, ...]
    stated: Statements | None
    agreed: str
    """What to know about the statements."""
    warnings: tuple[str, ...]
    curve: Curve | None
    bars: tuple[Bar, ...]
    frames: Frames | None
    ideas: IdeasView | None
    ideas_trouble: str
    """Why the choice of an idea cannot be shown, when there was one."""
    found: Found | None
    turns: tuple[TurnView, ...]
    memory: MemoryView | None
    code: Listing | None
    steps: tuple[StepView, ...]
    notes: tuple[tuple[str, Clipped], ...]
    settings: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str, int], ...]
    """Role, name in the run folder, bytes."""
    transcript: str
    """The file that holds what the page leaves out."""


def view_of(run: Run) -> View:
    """The page of a run, finished or not."""
    transcript, folder = run.transcript, run.folder
    gallery = Gallery(folder)
    delivered = _delivered(transcript)
    target = target_in(transcript.notes.get("target"))
    # In the order of their weight: the room for pictures must not run out before these.
    shown = exhibits(transcript, target, delivered, gallery, folder)
    frames = frames_of(transcript, delivered, gallery)
    instruction = str(transcript.brief.get("instruction", ""))
    curve = curve_of(transcript, run.events)
    found = found_in(transcript.notes.get("discovery"))
    memory = memory_view(transcript.memory, anchors(transcript.steps))
    painting = painting_of(transcript, run.events)
    prompt = painting.prompt if painting else ""
    ideas, trouble = ideas_in(transcript.blackbox_scoring)
    views = (
        ("target", target),
        ("discovery", found),
        ("memory", memory),
        (IDEAS, ideas),
        (PICTURE, painting),
        (GUARD, _guarded(transcript)),
    )
    told = {topic for topic, view in views if view}
    return View(
        run=transcript.run,
        redraft=transcript.redraft,
        studio=transcript.studio,
        date=day(transcript.created_at),
        brief=clip(instruction, BRIEF_LIMIT),
        whole_brief=instruction,
        prompt=clip(prompt, PROMPT_LIMIT),
        whole_prompt=prompt,
        wordy=transcript.studio == PROMPTING,
        status=status_of(transcript),
        score=_score(transcript, delivered),
        beside=_beside(delivered),
        remark=_remark(transcript, delivered),
        error=None if transcript.error is None else {k: _text(v) for k, v in transcript.error.items()},
        over=was_no_use(transcript.error),
        facts=tuple(_facts(transcript, run.events, painting)),
        exhibits=shown,
        stated=statements_of(transcript),
        agreed=_agreed(transcript),
        warnings=transcript.warnings,
        curve=curve,
        bars=_bars(run.events, curve),
        frames=frames,
        ideas=ideas,
        ideas_trouble=trouble,
        found=found,
        turns=turn_views(transcript, run.events, gallery),
        memory=memory,
        code=listing_of(folder, transcript.files.get("glsl") or transcript.files.get("script", "")),
        steps=step_views(transcript.steps, run.events, folder),
        notes=tuple(_notes(transcript, told)),
        settings=tuple(settings(transcript.config)),
        files=tuple(_files(transcript, folder)),
        transcript=_transcript_file(folder),
    )


def _delivered(transcript: Transcript) -> Validation | None:
    """The validation of what was delivered; of an unfinished run, the best so far."""
    checks = (check for turn in transcript.turns for check in turn.validations)
    return next((check for check in checks if check.path == transcript.checked), None)


def status_of(transcript: Transcript) -> str:
    """`valid`, `invalid`, `unchecked`, `ended` or `unfinished`."""
    if transcript.error is not None:
        return "ended"
    if not transcript.finished:
        return "unfinished"
    return {"not valid": "invalid"}.get(transcript.outcome, transcript.outcome)


def _score(transcript: Transcript, delivered: Validation | None) -> str:
    if delivered is not None and delivered.score is not None:
        return f"{delivered.score.metric} {delivered.score.best:.4f}"
    if delivered is not None and transcript.report.heuristics == "strict":
        return f"{transcript.report.score:.2f}"
    return statements(transcript.report).partition(",")[0]


def _beside(delivered: Validation | None) -> str:
    if delivered is None or delivered.score is None:
        return ""
    near = "near enough to the target" if delivered.score.reached else ""
    said = "; ".join(filter(None, (by_frame(delivered.score), near)))
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _remark(transcript: Transcript, delivered: Validation | None) -> str:
    if delivered is None:
        return "Delivered as it was; nothing was checked." if transcript.delivered else "Nothing was made that ran."
    report = transcript.report
    left = f"left in it: {plural(len(report.errors), 'error')}, {plural(len(report.warnings), 'warning')}."
    if not transcript.finished:
        return f"The best so far: {left}" if report.errors else "The best so far has no error."
    if not transcript.valid:
        return f"The best candidate was delivered all the same; {left}"
    if transcript.outcome == "unchecked":
        return "It ran without an error. Nothing else was measured, and no model looked at the result."
    return f"No error is left; {plural(len(report.warnings), 'warning')}." if report.warnings else "No error is left."


def _agreed(transcript: Transcript) -> str:
    """How many statements hold and how they came about, for a reader who knows nothing of redraft."""
    report = transcript.report
    if held := statements(report).partition(",")[0]:
        return (
            f"{held}. The model that drew this also stated what must be true of it, and quoted the words of the brief "
            "that each statement comes from. redraft measured every statement on the result."
        )
    if report.heuristics == "strict":
        return "Rules read the brief and judged the result. They did not understand all of it."
    return "No statement about the result was measured."


def _facts(transcript: Transcript, events: Sequence[Event], painting: Painting | None) -> list[tuple[str, str]]:
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
        *([("Painted by", painting.by)] if painting and painting.by else []),
        *_guarded(transcript),
    ]
    on = transcript.brief.get("on")
    return [*rows, ("Continues", str(on))] if on else rows


def _guarded(transcript: Transcript) -> list[tuple[str, str]]:
    """What ran the programs that the model wrote, and what it was kept from; nothing where none were run."""
    match transcript.notes.get(GUARD):
        case {"program": str(program), "level": str(level)}:
            return [("Scripts", f"{program}, {GUARDED.get(level, level)}")]
        case _:
            return []


def _duration(events: Sequence[Event]) -> str:
    """The time of all sittings: what lies between a kill and its resume is nobody's work."""
    sittings: list[list[Event]] = []
    for event in events:
        if isinstance(event, RunStarted):
            sittings.append([])
        sittings[-1].append(event)
    took = seconds(sum((s[-1].at - s[0].at).total_seconds() for s in sittings))
    return took if len(sittings) == 1 else f"{took} in {len(sittings)} sittings"


def _bars(events: Sequence[Event], curve: Curve | None) -> tuple[Bar, ...]:
    """The reports' scores where they decide; beside a curve only when they differ."""
    bars = bars_of(events)
    return bars if curve is None or len({(bar.height, bar.valid) for bar in bars}) > 1 else ()


def _notes(transcript: Transcript, told: set[str]) -> list[tuple[str, Clipped]]:
    """The notes that the page does not tell elsewhere, as they are."""
    topics: dict[str, JsonValue] = {
        **({} if IDEAS in told else {IDEAS: transcript.blackbox_scoring}),
        **({} if "memory" in told else {"Fix memory": transcript.memory}),
        **{topic: data for topic, data in transcript.notes.items() if topic not in told},
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
