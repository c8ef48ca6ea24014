"""A run as one document, and the reader of run folders.

`transcript.json` is the journal folded and ordered by path: the same run gives the same text, clocks aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from redraft.errors import RedraftError, RunFormatError
from redraft.models.base import Message, Reply, Request
from redraft.record.events import (
    Attempted,
    Discarded,
    EffectFinished,
    EffectStarted,
    Event,
    Iterated,
    Learnt,
    Noted,
    Place,
    Recalled,
    RunFinished,
    RunStarted,
    Validated,
    Verified,
    Warned,
)
from redraft.record.journal import EVENTS_FILE, read_events, read_first
from redraft.result import IterationRecord, Measured, Outcome, Report, Result, Score, Usage, Verdict, outcome_of

EXECUTION = "execute"
"""Last segment of the keys under which executions are journalled, below the model calls they belong to."""
AUDIT = "audit"
"""The same, of the keys under which an outside judge's report is journalled."""
SCORE = "measure"
"""Of the distance to a target."""
RECALL = "recall"
"""Of the fix memory's answer to an error."""
LEARN = "learn"
"""Of the fixes that it learns."""
FINISH = "finish"
"""Of what is made for the delivery alone."""
PICTURE = "picture"
"""Topic of the note on a picture that was painted, and what it cost."""
HISTORY = "history"
"""Of what was made lately."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Step(_Part):
    """One model call."""

    name: str
    path: str
    kind: str
    prompt: tuple[Message, ...]
    pictures: tuple[str, ...] = ()
    """File names in the run folder."""
    response: str | None
    """None when the run ended before the reply came."""
    params: dict[str, JsonValue]
    """Model, temperature, seed, template digest, and what the provider said of the reply."""
    usage: Usage = Usage()
    created_at: datetime


class Validation(_Part):
    """One report within a turn, in the order they were made."""

    path: str
    iteration: int
    candidate: int | None
    index: int
    source: str
    report: Report
    picture: str
    overlay: str
    kept: bool
    next: str
    note: str
    score: Score | None = None


class NotUsed(_Part):
    """A reply or candidate that is not used, with the reason."""

    path: str
    what: str
    reason: str


class Turn(_Part):
    """One outer turn: its record, its validations, and the verdict with its answers to requirements."""

    iteration: int
    record: IterationRecord | None = None
    verdict: Verdict | None = None
    validations: tuple[Validation, ...] = ()
    discarded: tuple[NotUsed, ...] = ()
    attempts: tuple[dict[str, JsonValue], ...] = ()
    """Each with `path, kind, ran, retry_count, errors, approach, summary`."""


class Transcript(_Part):
    """All that happened in a run."""

    format: int
    redraft: str
    run: str
    studio: str
    created_at: datetime
    brief: dict[str, JsonValue]
    config: dict[str, JsonValue]
    model: dict[str, JsonValue]
    seed: int
    worst_case_calls: int
    steps: tuple[Step, ...] = ()
    turns: tuple[Turn, ...] = ()
    iterations: tuple[IterationRecord, ...] = ()
    scoring: JsonValue = None
    """Whether ideas were chosen before the draft: `enabled`, and the `config_snapshot`."""
    blackbox_scoring: JsonValue = None
    """The choice itself: a `redraft.ideas.selection.Scoring`; None without one."""
    memory: JsonValue = None
    notes: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    usage: Usage = Usage()
    templates: dict[str, str] = Field(default_factory=dict[str, str])
    """Digest of the prompt templates, by request kind."""
    warnings: tuple[str, ...] = ()
    valid: bool = False
    outcome: Outcome = "not valid"
    score: float = 0.0
    delivered: str = ""
    """Key of the turn whose artifact was delivered; empty without one."""
    report: Report = Report()
    """Of what was delivered, after the critic's answers; of an unfinished run, of the best so far."""
    requirements: tuple[Measured, ...] = ()
    """The stated requirements, each measured on the delivered artifact."""
    checked: str = ""
    """Path of the validation of what was delivered, or of the best so far."""
    files: dict[str, str] = Field(default_factory=dict[str, str])
    error: dict[str, JsonValue] | None = None
    finished: bool = False

    @property
    def verdict(self) -> Verdict:
        """On what was delivered."""
        verdicts = (t.verdict for t in self.turns if t.verdict and str(Place(t.iteration)) == self.delivered)
        return next(verdicts, Verdict(by="none", satisfied=None))


class Record:
    """A run folder, read."""

    def __init__(self, folder: Path, events: list[Event]) -> None:
        self.folder = folder
        self.events = events
        self.transcript = fold(events, folder)

    @classmethod
    def load(cls, folder: Path | str) -> Record:
        """Read a run, finished or not.

        Raises:
            RunNotFoundError: no run there. RunFormatError: its journal is damaged.
        """
        path = Path(folder)
        return cls(path, read_events(path))

    def delivered(self) -> dict[str, Path]:
        """Return the files that the run delivered, and its record, by role."""
        made = {role: self.folder / name for role, name in self.transcript.files.items()}
        own = {"transcript": "transcript.json", "events": EVENTS_FILE, "report": "report.html"}
        return made | {role: self.folder / name for role, name in own.items()}

    def result(self) -> Result:
        """Return the result of a run that has ended."""
        done = self.transcript
        return Result(
            run=self.folder,
            studio=done.studio,
            valid=done.valid,
            score=done.score,
            report=done.report,
            verdict=done.verdict,
            usage=done.usage,
            iterations=done.iterations,
            files=self.delivered(),
            warnings=done.warnings,
            error=done.error,
        )


@dataclass(frozen=True)
class Listed:
    """One run in a folder of runs."""

    folder: Path
    studio: str
    instruction: str
    started: datetime
    outcome: Outcome | Literal["unfinished"]
    score: float


def runs_in(folder: Path) -> Iterator[Listed]:
    """Yield the runs in a folder of run folders, newest first, each read when it is asked for.

    What is not a run, or is damaged, is left out.
    """
    starts: list[tuple[RunStarted, Path]] = []
    for place in folder.iterdir() if folder.is_dir() else ():
        with suppress(RedraftError):
            first = read_first(place)
            if isinstance(first, RunStarted):
                starts.append((first, place))
    for start, place in sorted(starts, key=lambda found: (found[0].at, found[1].name), reverse=True):
        with suppress(RedraftError):
            events = read_events(place)
            end = _end(events)
            done = end is not None and end.error is None and end.report is not None
            state: Outcome | Literal["unfinished"] = fold(events, place).outcome if done else "unfinished"
            words = str(start.brief.get("instruction", ""))
            yield Listed(place, start.studio, words, start.at, state, end.score if end else 0.0)


_SEGMENT = re.compile(r"^(.*?)(?:-(\d{1,9}))?$", re.DOTALL)
MAX_TURNS = 201
"""A run has at most 100 turns (`loop.iterations`), and what belongs to none counts as one."""
LOOSE = 9
"""The place of what has none of its own."""
_GROUP = {
    "blackbox_scoring": 0,
    "discover": 0,
    "iteration": 1,
    "candidate": 1,
    "draft": 2,
    "edit": 2,
    "validate": 3,
    "repair": 3,
    "verify": 4,
}
_WITHIN = {"repair": 0, "validate": 1}


def path_order(path: str) -> tuple[tuple[int, int, int, str], ...]:
    """Sorting key of a structural path: the order in which one worker alone would have done the steps."""
    return tuple(_segment_order(segment) for segment in path.split("/"))


def _segment_order(segment: str) -> tuple[int, int, int, str]:
    match = _SEGMENT.match(segment)
    assert match is not None
    name, number = match.group(1), int(match.group(2) or 0)
    return (_GROUP.get(name, LOOSE), number, _WITHIN.get(name, 0), name)


def fold(events: Iterable[Event], folder: Path) -> Transcript:
    """The transcript of some events.

    Raises:
        RunFormatError: they do not begin with the start of a run, or hold a request or reply that is none.
    """
    ordered = list(events)
    if not ordered or not isinstance(ordered[0], RunStarted):
        raise RunFormatError(f"{folder}: events.jsonl does not begin with a run_started event.")
    start = ordered[0]
    try:
        steps = _steps(ordered)
    except ValidationError as error:
        raise RunFormatError(
            f"{folder}: a request or reply in its record cannot be read ({error}). The file {EVENTS_FILE} was changed."
        ) from error
    end = _end(ordered)
    ends = [e for e in ordered if isinstance(e, RunFinished)]
    notes = {e.topic: e.data for e in ordered if isinstance(e, Noted) and e.topic != "memory off"}
    turns = _turns(ordered)
    delivered = end.delivered if end else ""
    best = _best(turns, end)
    report = (end and end.report) or (best.report if best else Report())
    folded = Transcript(
        format=start.format,
        redraft=start.redraft,
        run=start.run,
        studio=start.studio,
        created_at=start.at,
        brief=start.brief,
        config=start.config,
        model=start.model,
        seed=start.seed,
        worst_case_calls=start.worst_case_calls,
        steps=steps,
        turns=turns,
        iterations=tuple(t.record for t in turns if t.record is not None),
        scoring=_scoring(start.config),
        blackbox_scoring=notes.pop("blackbox_scoring", None),
        memory=_memory(notes.pop("memory", None), ordered),
        notes=notes,
        usage=sum((s.usage for s in steps), _painting(notes.get(PICTURE))),
        templates={s.kind: str(s.params.get("template", "")) for s in steps},
        warnings=tuple(dict.fromkeys(e.message for e in ordered if isinstance(e, Warned))),
        valid=bool(end and end.valid),
        score=end.score if end else 0.0,
        delivered=delivered,
        report=report,
        requirements=report.requirements,
        checked=best.path if best else "",
        files=ends[-1].files if ends else {},  # of an earlier sitting too
        error=end.error if end else None,
        finished=end is not None and end.error is None,
    )
    return folded.model_copy(update={"outcome": outcome_of(report, folded.verdict, valid=folded.valid)})


def _end(events: Sequence[Event]) -> RunFinished | None:
    """The end of a run; None while it goes on, also after it ended early and was resumed."""
    resumed = False
    for event in reversed(events):
        if isinstance(event, RunFinished):
            return None if resumed and event.error is not None else event
        resumed = resumed or isinstance(event, RunStarted)
    return None


def drafted(events: Iterable[Event], candidate: int) -> tuple[JsonValue, Report] | None:
    """The artifact of one of several first drafts, as it was recorded, and its first report; None where it did not
    run."""
    first, artifact = Place(1, candidate), None
    for event in events:
        if isinstance(event, EffectFinished) and event.key.startswith(f"{first}/") and event.key.endswith(EXECUTION):
            artifact = event.result
        if isinstance(event, Validated) and event.key == str(first.at("validate-0")) and artifact is not None:
            return artifact, event.report
    return None


def _best(turns: Iterable[Turn], end: RunFinished | None) -> Validation | None:
    """The validation of what was delivered; of an unfinished run, the last one that was kept."""
    checks = [check for turn in turns for check in turn.validations]
    if end is None:
        return next((check for check in reversed(checks) if check.kept), None)
    return next((check for check in checks if check.path == end.validation), None)


def _scoring(config: dict[str, JsonValue]) -> JsonValue:
    """From the recorded settings; None in a run that is older than ideas."""
    match config.get("prompt"):
        case {"scoring": {"enabled": bool(enabled)} as snapshot}:
            return {"enabled": enabled, "config_snapshot": snapshot}
        case _:
            return None


def _painting(noted: JsonValue) -> Usage:
    """The cost of a picture."""
    match noted:
        case {"cost": float(cost) | int(cost)}:
            return Usage(cost=float(cost))
        case {"cost": None}:
            return Usage(cost=None)
        case _:
            return Usage()


def _steps(events: list[Event]) -> tuple[Step, ...]:
    started: dict[str, EffectStarted] = {}
    replies: dict[str, Reply] = {}
    for event in events:
        if isinstance(event, EffectStarted) and event.asks_model:
            started.setdefault(event.key, event)
        elif isinstance(event, EffectFinished) and event.key in started:
            replies[event.key] = Reply.model_validate(event.result)
    steps = [_step(event, replies.get(key)) for key, event in started.items()]
    begun = _begun(started)
    return tuple(sorted(steps, key=lambda s: _step_order(s.path, begun)))


def _begun(paths: Iterable[str]) -> dict[str, int]:
    """The order in which the places of a run were first reached, which is that of a conversation's steps."""
    begun: dict[str, int] = {}
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            begun.setdefault("/".join(parts[:end]), len(begun))
    return begun


def _step_order(path: str, begun: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    """As `path_order`, and what has no place there by when it began."""
    parts = path.split("/")
    places = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    orders = [_segment_order(part) for part in parts]
    return tuple((*o[:3], begun[place] if o[0] == LOOSE else 0) for o, place in zip(orders, places, strict=True))


def _step(event: EffectStarted, reply: Reply | None) -> Step:
    assert isinstance(event.inputs, dict)
    pictures = event.inputs.get("pictures")
    request = Request.model_validate({**event.inputs, "pictures": ()})
    params: dict[str, JsonValue] = {
        "temperature": request.temperature,
        "seed": request.seed,
        "template": request.template,
    }
    if reply is not None:
        params |= {"model": reply.model, **reply.params}
    return Step(
        name=event.key.rpartition("/")[2],
        path=event.key,
        kind=request.kind,
        prompt=request.messages,
        pictures=tuple(str(p) for p in pictures) if isinstance(pictures, list) else (),
        response=None if reply is None else reply.text,
        params=params,
        usage=Usage() if reply is None else reply.usage,
        created_at=event.at,
    )


def _memory(noted: JsonValue, events: list[Event]) -> JsonValue:
    """The fix memory's look-ups and additions; None for a run without one."""
    if not isinstance(noted, dict):
        return None
    ordered = sorted(events, key=lambda e: path_order(e.key))
    recalled = [e for e in ordered if isinstance(e, Recalled)]
    learnt = [e for e in ordered if isinstance(e, Learnt)]
    off = [e.data for e in ordered if isinstance(e, Noted) and e.topic == "memory off"]
    return {
        **noted,
        "recalled": [{"path": e.key, **e.model_dump(mode="json", exclude={"event", "key", "at"})} for e in recalled],
        "learnt": [{"path": e.key, "error": e.error, "fix": e.fix} for e in learnt],
        "off": off[-1] if off else None,
    }


def _turns(events: list[Event]) -> tuple[Turn, ...]:
    turns: dict[int, list[Event]] = {}
    for event in events:
        place = Place.of(event.key)
        turns.setdefault(0 if place is None else place.turn, []).append(event)
    if len(turns) > MAX_TURNS:
        raise RunFormatError(f"The record has {len(turns):,} turns, and a run at most {MAX_TURNS}. It was changed.")
    return tuple(_turn(number, turns[number]) for number in sorted(turns.keys() - {0}))


def _turn(number: int, events: list[Event]) -> Turn:
    ordered = sorted(events, key=lambda e: path_order(e.key))
    records = [e.record for e in ordered if isinstance(e, Iterated)]
    verdicts = [e.verdict for e in ordered if isinstance(e, Verified)]
    return Turn(
        iteration=number,
        record=records[-1] if records else None,
        verdict=verdicts[-1] if verdicts else None,
        validations=tuple(_validation(e) for e in ordered if isinstance(e, Validated)),
        discarded=tuple(NotUsed(path=e.key, what=e.what, reason=e.reason) for e in ordered if isinstance(e, Discarded)),
        attempts=tuple(
            {"path": e.key, **e.model_dump(mode="json", exclude={"event", "key", "at", "index"})}
            for e in ordered
            if isinstance(e, Attempted)
        ),
    )


def _validation(event: Validated) -> Validation:
    names = (
        "iteration",
        "candidate",
        "index",
        "source",
        "report",
        "picture",
        "overlay",
        "kept",
        "next",
        "note",
        "score",
    )
    return Validation(path=event.key, **{name: getattr(event, name) for name in names})
