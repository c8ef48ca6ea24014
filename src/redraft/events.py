"""All that can be written in a run's `events.jsonl`, one JSON object a line, told apart by `event`.

Keys are structural paths (`iteration-2/candidate-1/draft/fix-1`): the same run writes the same keys whatever arrives
first, so a resumed run finds what is done and the transcript can be put in order.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from redraft.errors import FailureClass
from redraft.result import IterationRecord, Report, Verdict

__all__ = [
    "FORMAT_VERSION",
    "Attempted",
    "EffectFailed",
    "EffectFinished",
    "EffectStarted",
    "Event",
    "Iterated",
    "Noted",
    "RunFinished",
    "RunStarted",
    "TurnStarted",
    "Validated",
    "Verified",
    "Warned",
    "event_adapter",
    "narrate",
    "spoken",
]

FORMAT_VERSION = 1


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    at: datetime
    """When it was written; the only thing in a run that a second run may have otherwise."""


class RunStarted(_Event):
    """The first line: everything that the run's outcome depends on."""

    event: Literal["run_started"] = "run_started"
    format: int = FORMAT_VERSION
    redraft: str
    run: str
    studio: str
    brief: dict[str, JsonValue]
    config: dict[str, JsonValue]
    model: dict[str, JsonValue]
    seed: int
    worst_case_calls: int


class TurnStarted(_Event):
    """An outer turn after the first begins."""

    event: Literal["turn_started"] = "turn_started"
    iteration: int
    kind: str
    """`edit`, or `draft` when nothing has run yet."""
    reason: str


class EffectStarted(_Event):
    """An effect (a model call, an execution) is about to happen; a request is on disk before it is sent."""

    event: Literal["effect_started"] = "effect_started"
    digest: str
    inputs: JsonValue


class EffectFinished(_Event):
    """The effect's result. It is never repeated in this run."""

    event: Literal["effect_finished"] = "effect_finished"
    digest: str
    result: JsonValue


class EffectFailed(_Event):
    """The effect's result was a failed attempt (E0, E1, E2), which is an answer too."""

    event: Literal["effect_failed"] = "effect_failed"
    digest: str
    failure_class: FailureClass
    message: str


class Attempted(_Event):
    """An attempt ended, with its fast retries."""

    event: Literal["attempted"] = "attempted"
    kind: str
    index: int = 0
    """For a repair: the index of the validation that follows."""
    ran: bool
    retry_count: int
    errors: tuple[str, ...]
    approach: str
    summary: str
    """What it made, in a few words: `6 strokes`."""


class Validated(_Event):
    """One validation within a turn."""

    event: Literal["validated"] = "validated"
    iteration: int
    candidate: int | None
    """None when there is only one."""
    index: int
    """Counts validations within the turn (of one candidate), from 0."""
    source: Literal["draft", "edit", "solver", "repair"]
    report: Report
    picture: str
    """File name of the plain rendering, in the run folder; empty when it could not be rendered."""
    overlay: str = ""
    """The same picture with the issues drawn on it."""
    kept: bool = True
    """It is the best of this turn so far."""
    next: Literal["use", "solver", "repair", "keep_best", "rank"] = "use"
    """What the loop does next."""
    repair: int = 0
    """Number of the coming model repair, from 1."""
    repairs: int = 0
    """How many are allowed."""
    note: str = ""
    """For the solver: what it did, and whether it is proven nearest."""


class Verified(_Event):
    """Somebody or something looked."""

    event: Literal["verified"] = "verified"
    iteration: int
    verdict: Verdict


class Iterated(_Event):
    """One outer turn ended."""

    event: Literal["iterated"] = "iterated"
    record: IterationRecord
    best: bool
    """It is the best turn so far."""


class Warned(_Event):
    """A default was taken because something failed; said on the screen too."""

    event: Literal["warned"] = "warned"
    message: str


class Noted(_Event):
    """Anything a stage wants in the transcript under a name of its own."""

    event: Literal["noted"] = "noted"
    topic: str
    data: JsonValue


class RunFinished(_Event):
    """The run ended, well or early; a resumed run has several, the last one counts."""

    event: Literal["run_finished"] = "run_finished"
    valid: bool
    score: float
    delivered: str
    """Key of the turn whose artefact was delivered; empty when there was none."""
    files: dict[str, str]
    error: dict[str, JsonValue] | None = None
    """`{phase, step, message}`."""


Event = Annotated[
    RunStarted
    | TurnStarted
    | EffectStarted
    | EffectFinished
    | EffectFailed
    | Attempted
    | Validated
    | Verified
    | Iterated
    | Warned
    | Noted
    | RunFinished,
    Field(discriminator="event"),
]

event_adapter: TypeAdapter[Event] = TypeAdapter(Event)


def spoken(verdict: Verdict) -> str:
    """A critic's verdict in a line: `not satisfied (0.4): the tail does not touch the body`."""
    word = {True: "satisfied", False: "not satisfied", None: "no opinion"}[verdict.satisfied]
    score = "" if verdict.score is None else f" ({verdict.score:.1f})"
    return f"{word}{score}: {verdict.summary}" if verdict.summary else f"{word}{score}"


def narrate(event: Event) -> list[str]:
    """The lines of the specification for the terminal; empty for events it says nothing about."""
    match event:
        case Attempted():
            return _attempt_lines(event)
        case Validated():
            return _validation_lines(event)
        case TurnStarted():
            return [f"[TURN {event.iteration}] {event.kind}ing: {event.reason}"]
        case Verified(verdict=Verdict(by="critic")):
            said = [f"  {difference}" for difference in event.verdict.differences]
            return [f"[CRITIC] {spoken(event.verdict)}", *said]
        case Warned():
            return [f"[WARNING] {event.message}"]
        case _:
            return []


def _attempt_lines(event: Attempted) -> list[str]:
    if event.kind == "repair":
        said = f"generated {event.summary}" if event.ran else f"did not run ({event.errors[-1]})"
        return [f"[ITERATION {event.index}] Repair {said}"]
    fixes = f"{event.retry_count} fix{'' if event.retry_count == 1 else 'es'}"
    if event.ran:
        return (
            [f"[{event.kind.upper()}] ran after {fixes}", *(f"  {error}" for error in event.errors)]
            if fixes[0] != "0"
            else []
        )
    return [f"[{event.kind.upper()}] did not run after {fixes}: {event.errors[-1]}"]


def _validation_lines(event: Validated) -> list[str]:
    head = f"[ITERATION {event.index}]"
    if event.candidate is not None:
        head = f"[CANDIDATE {event.candidate}] {head}"
    lines = [f"{head} {event.note}"] if event.note else []
    lines.append(f"{head} Validation score: {event.report.score:.2f}, valid: {event.report.valid}")
    lines += [f"  {issue.line()}" for issue in (*event.report.errors, *event.report.warnings)]
    match event.next:
        case "use":
            lines.append(f"{head} Validation PASSED - using this response")
        case "repair":
            lines.append(f"{head} Validation FAILED - attempting repair (iteration {event.repair}/{event.repairs})")
        case "keep_best":
            lines.append(f"{head} Validation FAILED - using the best candidate")
        case "solver":
            lines.append(f"{head} Validation {_word(event)} - the solver has moves that make it better")
        case "rank":
            pass
    return lines


def _word(event: Validated) -> str:
    return "PASSED" if event.report.valid else "FAILED"
