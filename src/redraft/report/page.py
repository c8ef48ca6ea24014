"""The page of one run: everything it says, as plain values, and the file `report.html`. Templates only lay it out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, JsonValue, ValidationError

from redraft.files import write_atomic
from redraft.limits import SOURCE, read_file
from redraft.record.events import EffectFinished, Event, RunStarted
from redraft.record.journal import EVENTS_FILE
from redraft.record.log import quoted, statements
from redraft.record.transcript import EXECUTION, FINISH, PICTURE, Record, Transcript, Validation
from redraft.report.calls import anchors, call_views, found_in, memory_view
from redraft.report.charts import Bar, Curve, bars_of, curve_of
from redraft.report.html import (
    Clipped,
    Values,
    by_frame,
    clip,
    day,
    money,
    render,
    seconds,
    settings,
    tokens,
)
from redraft.report.ideas import ideas_in
from redraft.report.pictures import Gallery, exhibits, frames_of, inside, target_in
from redraft.report.requirements import statements_of
from redraft.report.turns import turn_views
from redraft.result import CONCEPT, lacking
from redraft.text import plural, shorten

REPORT_FILE = "report.html"
PROMPTING = "image"
"""The studio whose drafts are prompts."""
BRIEF_LIMIT = 600
"""Characters of the brief in the heading; all of a longer one is one click away."""
PROMPT_LIMIT = 900
"""The same of the final prompt."""
NOTE_LIMIT = 20_000
IDEAS = "Scoring of ideas"
GUARD = "protection"
"""The note on what a model's programs were kept from."""
GUARDED = {
    "bubblewrap": "in a sandbox (bubblewrap)",
    "landlock": "kept from files and network (Landlock)",
    "worker": "without protection",
}
CODE_LIMIT = 60_000
"""Characters on the page; the file has all of them. A usual shader has 3,000."""

KINDS = {"Comment.Preproc": "order", "Comment": "comment", "Keyword": "keyword", "Literal.String": "text"}
"""CSS classes of the kinds of tokens that have a color, by Pygments' names; the first that fits."""


def render_page(run: Record, *, alone: bool = False) -> str:
    """The page of a run, finished or not, as one HTML document without references to anything outside it.

    Pictures are read from the run folder; one that is missing, or too much for one page, is named instead. `alone`
    leaves out the links to files beside it.
    """
    view = view_of(run, Gallery(run.folder))
    if alone:  # nothing lies beside the page
        view |= {"files": [], "steps": [{**step, "pictures": []} for step in view["steps"]]}
    return render("page.html.j2", "page.css", "ideas.css", view=view)


def view_of(run: Record, gallery: Gallery) -> Values:
    """The values of a run's page, with its pictures as the gallery hands them out."""
    transcript, folder = run.transcript, run.folder
    delivered = _delivered(transcript)
    target = target_in(transcript.notes.get("target"))
    # In the order of their weight: the room for pictures must not run out before these.
    shown = exhibits(transcript, target, delivered, gallery, folder)
    frames = frames_of(transcript, delivered, gallery)
    instruction = str(transcript.brief.get("instruction", ""))
    curve = curve_of(transcript, run.events)
    painting = painting_of(transcript, run.events)
    prompt = painting.prompt if painting else ""
    ideas, trouble = ideas_in(transcript.blackbox_scoring)
    by_topic = {
        "target": target,
        "discovery": found_in(transcript.notes.get("discovery")),
        "memory": memory_view(transcript.memory, anchors(transcript.steps)),
        IDEAS: ideas,
        PICTURE: painting,
        GUARD: _guarded(transcript),
    }
    return {
        "run": transcript.run,
        "redraft": transcript.redraft,
        "studio": transcript.studio,
        "date": day(transcript.created_at),
        "brief": clip(instruction, BRIEF_LIMIT),
        "whole_brief": instruction,
        "prompt": clip(prompt, PROMPT_LIMIT),
        "whole_prompt": prompt,
        "wordy": transcript.studio == PROMPTING,  # drafts are prompts, which have no pictures
        "status": status_of(transcript),
        # What only the viewer knows.
        "running": False,
        "more": "",
        "score": score_of(transcript),
        "beside": _beside(delivered),
        "remark": _remark(transcript, delivered),
        "not_measured": quoted(transcript.report.unchecked[:6]) if transcript.finished else "",
        "error": None if transcript.error is None else {k: _text(v) for k, v in transcript.error.items()},
        "facts": _facts(transcript, run.events, painting),
        "exhibits": shown,
        "stated": statements_of(transcript),
        "agreed": _agreed(transcript),
        "warnings": transcript.warnings,
        "curve": curve,
        "bars": _bars(run.events, curve),
        "frames": frames,
        "ideas": ideas,
        "ideas_trouble": trouble,
        "found": by_topic["discovery"],
        "turns": turn_views(transcript, run.events, gallery),
        "memory": by_topic["memory"],
        "code": listing_of(folder, transcript.files.get("glsl") or transcript.files.get("script", "")),
        "steps": call_views(transcript.steps, run.events, folder),
        "notes": _notes(transcript, {topic for topic, covered in by_topic.items() if covered}),
        "settings": settings(transcript.config),
        "files": _files(transcript, folder),
        "transcript": "transcript.json" if (folder / "transcript.json").is_file() else EVENTS_FILE,
    }


def write_page(run: Record, out: Path | None = None) -> Path:
    """Write `report.html` into the run's folder, or a page elsewhere that names no file of the run; return its path.

    Raises:
        RunError: it cannot be written.
    """
    return write_atomic(out or run.folder / REPORT_FILE, render_page(run, alone=out is not None))


def _delivered(transcript: Transcript) -> Validation | None:
    """The validation of what was delivered; of an unfinished run, the best so far."""
    checks = (check for turn in transcript.turns for check in turn.validations)
    return next((check for check in checks if check.path == transcript.checked), None)


def status_of(transcript: Transcript) -> str:
    """`valid`, `invalid`, `incomplete`, `unchecked`, `ended` or `unfinished`."""
    if transcript.error is not None:
        return "ended"
    if not transcript.finished:
        return "unfinished"
    return {"not valid": "invalid"}.get(transcript.outcome, transcript.outcome)


def score_of(transcript: Transcript) -> str:
    """The score of what was delivered, in a few words; empty where nothing was measured."""
    delivered = _delivered(transcript)
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
        ran = "No draft ran." if transcript.finished or transcript.error else "No draft has run yet."
        return "Delivered unchanged and unchecked." if transcript.delivered else ran
    report = transcript.report
    left = f"left in it: {plural(report.count('error'), 'error')}, {plural(report.count('warning'), 'warning')}."
    if not transcript.finished:
        return f"The best so far: {left}" if report.errors else "The best so far has no error."
    if transcript.outcome == "incomplete":
        said = lacking(report, transcript.studio)
        return f"{said[:1].upper()}{said[1:]}."
    if not transcript.valid:
        worst = f" {shorten(report.errors[0].message, 300)}" if report.errors else ""
        return f"This is still the best candidate; {left}{worst}"
    if transcript.outcome == "unchecked":
        measured = "Only the prompt was measured" if report.requirements else "Nothing else was measured"
        return f"It ran without an error. {measured}, and no model looked at the result."
    warnings = report.count("warning")
    return f"No error is left; {plural(warnings, 'warning')}." if warnings else "No error is left."


def _agreed(transcript: Transcript) -> str:
    """The number of statements that hold and their origin, for a reader new to redraft."""
    report = transcript.report
    held = statements(report).partition(",")[0]
    if held and all(one.kind == CONCEPT for one in report.requirements):
        return f"{held}. Each concept of the brief is looked for in the words of the prompt, not in the picture."
    if held:
        return (
            f"{held}. With each draft the model states what must be true of it, and quotes the words of the brief "
            "that each statement comes from. redraft measured every statement on the result."
        )
    if report.heuristics == "strict":
        return "Rules read the brief and judged the result. They did not cover all of it."
    return "No statement about the result was measured."


def _facts(transcript: Transcript, events: Sequence[Event], painting: Painting | None) -> list[tuple[str, str]]:
    usage = transcript.usage
    name, label = str(transcript.model.get("name", "")), str(transcript.model.get("label", ""))
    rows = [
        ("Model", label if label.startswith(name) else f"{name}: {label}".removesuffix(": ")),
        ("Model calls", f"{usage.calls:,} (at most {transcript.worst_case_calls:,}, as stated before the run)"),
        ("Tokens", tokens(usage)),
        ("Cost", money(usage.cost)),
        ("Time", _duration(events)),
        ("Turns", f"{len(transcript.turns):,}"),
        ("Seed", str(transcript.seed)),
        *([("Painted by", painting.by)] if painting and painting.by else []),
        *_guarded(transcript),
    ]
    on = transcript.brief.get("on")
    return [*rows, ("Continues", str(on))] if on else rows


def _guarded(transcript: Transcript) -> list[tuple[str, str]]:
    """Return the program that ran the model's code, and its confinement; empty where none ran."""
    match transcript.notes.get(GUARD):
        case {"program": str(program), "level": str(level)}:
            return [("Scripts", f"{program}, {GUARDED.get(level, level)}")]
        case _:
            return []


def _duration(events: Sequence[Event]) -> str:
    """The time of all sittings, without the time between a kill and its resume."""
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


def _notes(transcript: Transcript, covered: set[str]) -> list[tuple[str, Clipped]]:
    """The notes that the page does not cover elsewhere, as they are."""
    topics: dict[str, JsonValue] = {
        **({} if IDEAS in covered else {IDEAS: transcript.blackbox_scoring}),
        **({} if "memory" in covered else {"Fix memory": transcript.memory}),
        **{topic: data for topic, data in transcript.notes.items() if topic not in covered},
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


class Painting(BaseModel):
    """Facts of a prompt and its picture; the record may have more."""

    prompt: str
    picture: str = ""
    width: int = 0
    height: int = 0
    backend: str = ""

    @property
    def by(self) -> str:
        """`openai:gpt-image-1, 1024 × 1024`; empty until it is painted."""
        return (
            f"{self.backend}, {self.width}\u00a0×\u00a0{self.height}" if self.backend and self.width else self.backend
        )


def painting_of(transcript: Transcript, events: Sequence[Event]) -> Painting | None:
    """The delivered prompt with its picture, else the last one that was written; None in other studios."""
    if transcript.studio != PROMPTING:
        return None
    done = [event for event in events if isinstance(event, EffectFinished)]
    for last in (FINISH, EXECUTION):
        for event in reversed(done):
            if event.key.rpartition("/")[2].startswith(last) and (found := _as_painting(event.result)):
                return found
    return None


def _as_painting(result: JsonValue) -> Painting | None:
    try:
        return Painting.model_validate(result)
    except ValidationError:
        return None


def listing_of(folder: Path, name: str) -> Values | None:
    """A program of the run folder as the page lists it: its lines in pieces, and the characters left out; None when
    the file is missing."""
    from pygments.lexers.graphics import GLShaderLexer
    from pygments.lexers.python import PythonLexer
    from pygments.token import string_to_tokentype

    path = inside(folder, name)
    if path is None:
        return None
    text = read_file(path, SOURCE).decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n")
    shown = clip(text, CODE_LIMIT)
    lines: list[list[tuple[str, str]]] = [[]]
    lexer = PythonLexer() if path.suffix == ".py" else GLShaderLexer()
    for _, token, piece in lexer.get_tokens_unprocessed(shown.text):
        kind = next((kind for name, kind in KINDS.items() if token in string_to_tokentype(name)), "")
        first, *rest = piece.split("\n")
        lines[-1].append((kind, first))
        lines += [[(kind, part)] for part in rest]
    whole = [[piece for piece in line if piece[1]] for line in lines]
    return {"name": name, "count": text.count("\n") + 1, "lines": whole, "left_out": shown.left_out}
