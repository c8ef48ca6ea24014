"""The events of a run, as `events.jsonl` has them: one JSON object a line, with its kind in `event`.

Keys are structural paths (`iteration-2/candidate-1/draft/fix-1`): the same run writes the same keys whatever arrives
first, so that a resumed run finds the results it has, and the transcript can be put in order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from redraft.errors import FailureClass
from redraft.result import CodePatch, IterationRecord, Report, Score, Verdict

FORMAT_VERSION = 3
"""Version of the journal's format; others are refused."""


_PLACE = re.compile(r"iteration-(\d{1,9})(?:/candidate-(\d{1,9}))?(?:/(.*))?", re.DOTALL)


@dataclass(frozen=True)
class Place:
    """A spot in the record: a turn, one of several candidates if there are any, and a step within.

    As a key: `iteration-2/candidate-1/draft/fix-1`.
    """

    turn: int
    candidate: int | None = None
    step: str = ""

    def __str__(self) -> str:
        among = "" if self.candidate is None else f"/candidate-{self.candidate}"
        return f"iteration-{self.turn}{among}" + (f"/{self.step}" if self.step else "")

    def at(self, step: str) -> Place:
        """Return the place of a step within this one."""
        return replace(self, step=f"{self.step}/{step}" if self.step else step)

    @classmethod
    def of(cls, key: str) -> Place | None:
        """Return the place that a key names; None where it belongs to no turn."""
        match = _PLACE.fullmatch(key)
        if match is None:
            return None
        turn, candidate, step = match.groups()
        return cls(int(turn), None if candidate is None else int(candidate), step or "")


MAX_KEY = 300
"""Characters of a key; the longest of a run, a judge's second try beside a candidate's fix, has about 80."""


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str = Field(max_length=MAX_KEY)
    at: datetime
    """The time of writing; the only value of a run that may differ when it is repeated."""


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

    @property
    def asks_model(self) -> bool:
        """Model calls are the effects whose inputs are messages; executions and the like have others."""
        return isinstance(self.inputs, dict) and "messages" in self.inputs


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
    by: str = ""
    """The compiler or interpreter that reported it, with its version."""
    patches: tuple[CodePatch, ...] = ()
    """Fixes that the compiler or interpreter itself suggests."""
    subjects: tuple[str, ...] = ()
    """The components that caused it."""


class Recalled(_Event):
    """The fix memory was asked about an error."""

    event: Literal["recalled"] = "recalled"
    error: str
    """Its key: `glsl:undeclared_identifier`."""
    fixes: int
    """Number of past fixes for it."""
    examples: int
    """Number of them in the model's request."""
    replayed: str = ""
    """Id of the fix that was tried without asking a model; empty when none fitted."""
    worked: bool | None = None
    """True if that fix made the error vanish; None without one."""


class Learnt(_Event):
    """A fix was kept for later runs."""

    event: Literal["learnt"] = "learnt"
    error: str
    fix: str
    """Its id."""


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
    """The artifact in a few words: `6 strokes`."""
    patched: tuple[str, ...] = ()
    """Fixes without a model in replies that did not run, a line each."""


Source = Literal["draft", "edit", "solver", "repair"]
"""What made a candidate."""
Next = Literal["use", "solver", "repair", "keep_best", "rank"]
"""The loop's step after a validation."""


class Validated(_Event):
    """One validation within a turn."""

    event: Literal["validated"] = "validated"
    iteration: int
    candidate: int | None
    """None when there is only one."""
    index: int
    """Number of the validation within the turn, or of one candidate in it, from 0."""
    source: Source
    report: Report
    picture: str
    """File name of the plain rendering, in the run folder; empty when it could not be rendered."""
    overlay: str = ""
    """The same picture with the issues drawn on it."""
    kept: bool = True
    """It is the best of this turn so far."""
    next: Next = "use"
    repair: int = 0
    """Number of the coming model repair, from 1."""
    repairs: int = 0
    """Number of allowed repairs."""
    note: str = ""
    """For the solver: what it did, and whether it is proven nearest."""
    score: Score | None = None
    """Distance from the target, if any."""


class Discarded(_Event):
    """A candidate that is not used."""

    event: Literal["discarded"] = "discarded"
    iteration: int
    what: str
    """In words: `the repair`, `the edit`, `the first draft`."""
    reason: str


class Verified(_Event):
    """A critic or a metric judged a turn."""

    event: Literal["verified"] = "verified"
    iteration: int
    verdict: Verdict
    compared: tuple[str, ...] = ()
    """File names of the pictures of the earlier and the later candidate, where both were shown."""


class Iterated(_Event):
    """One outer turn ended."""

    event: Literal["iterated"] = "iterated"
    record: IterationRecord
    best: bool
    """It is the best turn so far."""


class Warned(_Event):
    """Something failed, and the run continued without it; the terminal shows it too."""

    event: Literal["warned"] = "warned"
    message: str


class Noted(_Event):
    """A fact for the transcript, under a topic of its own."""

    event: Literal["noted"] = "noted"
    topic: str
    data: JsonValue


class RunFinished(_Event):
    """The run ended, well or early; a resumed run has several, the last one counts."""

    event: Literal["run_finished"] = "run_finished"
    valid: bool
    score: float
    delivered: str
    """Key of the turn whose artifact was delivered; empty without one."""
    validation: str = ""
    """Key of the validation of the delivery."""
    report: Report | None = None
    """Report on the delivery."""
    files: dict[str, str]
    error: dict[str, JsonValue] | None = None
    """`{phase, step, message}`."""


Event = Annotated[
    RunStarted
    | TurnStarted
    | EffectStarted
    | EffectFinished
    | EffectFailed
    | Recalled
    | Learnt
    | Attempted
    | Validated
    | Discarded
    | Verified
    | Iterated
    | Warned
    | Noted
    | RunFinished,
    Field(discriminator="event"),
]

event_adapter: TypeAdapter[Event] = TypeAdapter(Event)
