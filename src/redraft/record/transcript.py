"""A run as one document, and the reader of run folders.

`transcript.json` is the journal folded and ordered by path: the same run gives the same text, clocks aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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

# Last segments of the keys of effects other than model calls
EXECUTION = "execute"
AUDIT = "audit"
"""The report of an outside judge."""
SCORE = "measure"
"""The distance from a target."""
RECALL = "recall"
"""The fix memory's answer to an error."""
LEARN = "learn"
"""A fix that the memory keeps."""
FINISH = "finish"
"""The last step before the delivery."""
HISTORY = "history"
"""The list of recent generations."""

PICTURE = "picture"
"""Topic of the note about a painted picture, with its cost."""


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
    """Model, temperature, seed, template digest, and the provider's facts about the reply."""
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
    """A whole run."""

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
    """The settings of the choice among ideas: `enabled`, and the `config_snapshot`."""
    blackbox_scoring: JsonValue = None
    """The choice itself, a `redraft.ideas.selection.Scoring`; None without one."""
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
    """The report on the delivery, after the critic's answers; of an unfinished run, that on the best version so far."""
    requirements: tuple[Measured, ...] = ()
    """The requirements, each measured on the delivered artifact."""
    checked: str = ""
    """Path of the validation of the delivery, or of the best version so far."""
    files: dict[str, str] = Field(default_factory=dict[str, str])
    error: dict[str, JsonValue] | None = None
    finished: bool = False

    @property
    def verdict(self) -> Verdict:
        """The verdict on the delivered turn."""
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
        own = {"transcript": "transcript.json", "events": EVENTS_FILE, "report": "report.html"}
        return {role: self.folder / name for role, name in {**self.transcript.files, **own}.items()}

    def result(self) -> Result:
        """Return the result of a run that has ended."""
        run = self.transcript
        return Result(
            run=self.folder,
            studio=run.studio,
            valid=run.valid,
            score=run.score,
            report=run.report,
            verdict=run.verdict,
            usage=run.usage,
            iterations=run.iterations,
            files=self.delivered(),
            warnings=run.warnings,
            error=run.error,
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
    for run in folder.iterdir() if folder.is_dir() else ():
        with suppress(RedraftError):
            first = read_first(run)
            if isinstance(first, RunStarted):
                starts.append((first, run))
    for start, run in sorted(starts, key=lambda each: (each[0].at, each[1].name), reverse=True):
        with suppress(RedraftError):
            events = read_events(run)
            end = _end(events)
            finished = end is not None and end.error is None and end.report is not None
            outcome: Outcome | Literal["unfinished"] = fold(events, run).outcome if finished else "unfinished"
            instruction = str(start.brief.get("instruction", ""))
            yield Listed(run, start.studio, instruction, start.at, outcome, end.score if end else 0.0)


_SEGMENT = re.compile(r"^(.*?)(?:-(\d{1,9}))?$", re.DOTALL)
MAX_TURNS = 201
"""Turns of a record: a run has at most 100 (`loop.iterations`), and events that belong to none count as one."""
UNORDERED = 9
"""Order of segments that are not in the table."""
_ORDER = {
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
    """Return the sorting key of a structural path: the order in which a single worker would have done the steps."""
    return tuple(_segment_order(segment) for segment in path.split("/"))


def _segment_order(segment: str) -> tuple[int, int, int, str]:
    match = _SEGMENT.match(segment)
    assert match is not None
    name, number = match.group(1), int(match.group(2) or 0)
    return (_ORDER.get(name, UNORDERED), number, _WITHIN.get(name, 0), name)


def fold(events: Iterable[Event], folder: Path) -> Transcript:
    """Return the transcript of the events of a run.

    Raises:
        RunFormatError: they do not begin with the start of a run, or a request or reply is damaged.
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

    # The validation of the delivery; of an unfinished run, the last one that was kept.
    checks = [check for turn in turns for check in turn.validations]
    if end is None:
        best = next((check for check in reversed(checks) if check.kept), None)
    else:
        best = next((check for check in checks if check.path == end.validation), None)
    report = (end and end.report) or (best.report if best else Report())

    match start.config.get("prompt"):
        case {"scoring": {"enabled": bool(enabled)} as snapshot}:
            scoring: JsonValue = {"enabled": enabled, "config_snapshot": snapshot}
        case _:  # the run is older than ideas
            scoring = None
    match notes.get(PICTURE):
        case {"cost": float(cost) | int(cost)}:
            painting = Usage(cost=float(cost))
        case {"cost": None}:
            painting = Usage(cost=None)
        case _:
            painting = Usage()

    transcript = Transcript(
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
        scoring=scoring,
        blackbox_scoring=notes.pop("blackbox_scoring", None),
        memory=_memory(notes.pop("memory", None), ordered),
        notes=notes,
        usage=sum((s.usage for s in steps), painting),
        templates={s.kind: str(s.params.get("template", "")) for s in steps},
        warnings=tuple(dict.fromkeys(e.message for e in ordered if isinstance(e, Warned))),
        valid=bool(end and end.valid),
        score=end.score if end else 0.0,
        delivered=end.delivered if end else "",
        report=report,
        requirements=report.requirements,
        checked=best.path if best else "",
        files=ends[-1].files if ends else {},  # also of a run that is being resumed
        error=end.error if end else None,
        finished=end is not None and end.error is None,
    )
    return transcript.model_copy(update={"outcome": outcome_of(report, transcript.verdict, valid=transcript.valid)})


def _end(events: Sequence[Event]) -> RunFinished | None:
    """Return the end of a run; None while it goes on, also after it ended early and was resumed."""
    resumed = False
    for event in reversed(events):
        if isinstance(event, RunFinished):
            return None if resumed and event.error is not None else event
        resumed = resumed or isinstance(event, RunStarted)
    return None


def drafted(events: Iterable[Event], candidate: int) -> tuple[JsonValue, Report] | None:
    """Return the recorded artifact of one of several first drafts, and its first report; None if it did not run."""
    first, artifact = Place(1, candidate), None
    for event in events:
        if isinstance(event, EffectFinished) and event.key.startswith(f"{first}/") and event.key.endswith(EXECUTION):
            artifact = event.result
        if isinstance(event, Validated) and event.key == str(first.at("validate-0")) and artifact is not None:
            return artifact, event.report
    return None


def _steps(events: list[Event]) -> tuple[Step, ...]:
    """Return the model calls in the order of `path_order`; those that it does not order, by when they began."""
    started: dict[str, EffectStarted] = {}
    replies: dict[str, Reply] = {}
    begun: dict[str, int] = {}
    for event in events:
        if isinstance(event, EffectStarted) and event.asks_model:
            started.setdefault(event.key, event)
            for place in _places(event.key):
                begun.setdefault(place, len(begun))
        elif isinstance(event, EffectFinished) and event.key in started:
            replies[event.key] = Reply.model_validate(event.result)

    def order(step: Step) -> tuple[tuple[int, ...], ...]:
        orders = zip(path_order(step.path), _places(step.path), strict=True)
        return tuple((*o[:3], begun[place] if o[0] == UNORDERED else 0) for o, place in orders)

    return tuple(sorted((_step(event, replies.get(key)) for key, event in started.items()), key=order))


def _places(path: str) -> list[str]:
    """Return a path and those above it, the shortest first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _step(event: EffectStarted, reply: Reply | None) -> Step:
    """Return a model call, with its reply if there is one."""
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


def _memory(store: JsonValue, events: list[Event]) -> JsonValue:
    """Return the look-ups and additions of the fix memory beside its `store`; None for a run without one."""
    if not isinstance(store, dict):
        return None
    ordered = sorted(events, key=lambda e: path_order(e.key))
    recalled = [e for e in ordered if isinstance(e, Recalled)]
    learnt = [e for e in ordered if isinstance(e, Learnt)]
    off = [e.data for e in ordered if isinstance(e, Noted) and e.topic == "memory off"]
    return {
        **store,
        "recalled": [{"path": e.key, **e.model_dump(mode="json", exclude={"event", "key", "at"})} for e in recalled],
        "learnt": [{"path": e.key, "error": e.error, "fix": e.fix} for e in learnt],
        "off": off[-1] if off else None,
    }


def _turns(events: list[Event]) -> tuple[Turn, ...]:
    """Return the turns of a run. Raises `RunFormatError` for more than a run can have."""
    by_turn: dict[int, list[Event]] = {}
    for event in events:
        place = Place.of(event.key)
        by_turn.setdefault(0 if place is None else place.turn, []).append(event)
    if len(by_turn) > MAX_TURNS:
        raise RunFormatError(f"The record has {len(by_turn):,} turns, and a run at most {MAX_TURNS}. It was changed.")

    turns: list[Turn] = []
    shared = Validation.model_fields.keys() - {"path"}
    for number in sorted(by_turn.keys() - {0}):
        turn = Turn(iteration=number)
        validations, discarded, attempts = list[Validation](), list[NotUsed](), list[dict[str, JsonValue]]()
        for event in sorted(by_turn[number], key=lambda e: path_order(e.key)):
            match event:
                case Validated():
                    facts = {name: getattr(event, name) for name in shared}
                    validations.append(Validation(path=event.key, **facts))
                case Discarded():
                    discarded.append(NotUsed(path=event.key, what=event.what, reason=event.reason))
                case Attempted():
                    facts = event.model_dump(mode="json", exclude={"event", "key", "at", "index"})
                    attempts.append({"path": event.key, **facts})
                case Verified():
                    turn = turn.model_copy(update={"verdict": event.verdict})
                case Iterated():
                    turn = turn.model_copy(update={"record": event.record})
                case _:
                    pass
        parts = {"validations": (*validations,), "discarded": (*discarded,), "attempts": (*attempts,)}
        turns.append(turn.model_copy(update=parts))
    return tuple(turns)
