"""Work in one studio without the loop: a program drafts, call by call, and redraft executes, measures and shows.

Each call that changes something is a step, recorded as a turn of a run. See `redraft.api.drafting`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anyio import to_thread
from pydantic import BaseModel, JsonValue

from redraft.brief import Brief
from redraft.config import Config
from redraft.errors import AttemptError, BriefError, ConfigError, RedraftError, RunError
from redraft.loop.attempt import Attempt, Retries, note_attempt, try_reply
from redraft.loop.check import candidate_of, note_validation
from redraft.loop.deliver import deliver, finish
from redraft.loop.keep import Candidate, Progress, Turn
from redraft.loop.recall import Lessons, learn
from redraft.loop.run import Run
from redraft.loop.session import Session
from redraft.loop.turns import note_turn
from redraft.record.events import Event, Place, Source, Warned
from redraft.result import Failure, Picture, Report, Verdict, gist
from redraft.studios import settings_of
from redraft.studios.kinds import PaintingStudio, ProgramStudio, Publication, TargetStudio, code_of
from redraft.studios.programs import replaced
from redraft.studios.requests import Kind

MAX_STEPS = 1_000
"""Steps of one piece of work. Each keeps its pictures on disk."""


class Edit(BaseModel, extra="forbid", use_attribute_docstrings=True):
    """Lines of the current program, and those that take their place."""

    before: str
    """Lines exactly as they are, enough of them to fit once."""
    after: str


@dataclass(frozen=True)
class Step:
    """The outcome of a call: a candidate, or the failure of a draft that did not run."""

    number: int
    candidate: Candidate | None
    failure: Failure | None = None
    changed: tuple[str, ...] = ()
    """Fixes of its program that were made without a model, a line each."""


@dataclass
class Drafting(Session[Turn]):
    """A piece of work in a studio that drafts."""

    run: Run
    """The run that records the work, within its `recording()`."""
    events: list[Event] = field(default_factory=list[Event])
    """Events recorded since the last call began."""
    progress: Progress = field(default_factory=Progress)
    failed: str = ""
    """The program that failed last, which edits then apply to; empty after one that ran."""
    _adjusted: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    _count: int = 0
    _finished: set[int] = field(default_factory=set[int])
    _lessons: Lessons = field(default_factory=Lessons)
    _spec: Any = None
    """The draft that failed last."""

    @property
    def current(self) -> Candidate | None:
        """The candidate of the current step."""
        return self.steps[self.at].candidate if self.at >= 0 else None

    @property
    def can_undo(self) -> int:
        """Number of steps that can be taken back, a draft that failed included."""
        return super().can_undo + bool(self.failed)

    @property
    def code(self) -> str:
        """The program that edits apply to: the one that failed last, or the current one."""
        return self.failed or ("" if self.current is None else str(getattr(self.current.artifact, "source", "")))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings of the last call: defaults taken, and things left out."""
        return tuple(event.message for event in self.events if isinstance(event, Warned))

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """Things of the brief for which the current step has placeholders only."""
        return () if self.current is None else self.run.studio.stand_ins(self.current.artifact, self.run.brief)

    async def draft(self, text: str, kind: Kind = "draft") -> Step:
        """Execute a reply, as a model would write it, and measure the result.

        An `edit` changes the current artifact. A failure leaves the current step as it is.

        Raises:
            BriefError: there is nothing to edit, or too many steps. InfrastructureError: the machinery failed twice.
        """
        text = text.encode("utf-8", "replace").decode()  # a client may send half of a surrogate pair
        place = self._next(kind)
        current = None if self.current is None or kind == "draft" else self.current.artifact
        tried = await try_reply(self.run, text, kind, current, place, self._lessons, self._spec)
        failure = tried.failure
        errors = () if failure is None else (f"{failure.failure_class}: {gist(failure.message)}",)
        attempt = Attempt(place, kind, tried.artifact, tried.approach, failure, errors=errors, patched=tried.changed)
        note_attempt(self.run, attempt, 0)
        if tried.artifact is None:
            if tried.spec is not None:
                self._spec, self.failed = tried.spec, code_of(self.run.studio, tried.spec)
            self._remember(Turn(place.turn, None), attempt)
            return Step(place.turn, None, failure, tried.changed)
        await learn(self.run, self._lessons, code_of(self.run.studio, tried.spec), str(place))
        source: Source = "draft" if kind == "draft" else "edit"
        candidate = await candidate_of(self.run, tried.artifact, place, source, approach=tried.approach)
        note_validation(self.run, candidate, "use" if candidate.report.valid else "keep_best", kept=True)
        self.append(Turn(place.turn, candidate))
        self._remember(self.steps[self.at], attempt)
        return Step(place.turn, candidate, None, tried.changed)

    def edited(self, edits: Sequence[Edit]) -> str:
        """Return the current program after edits, each applied to what the one before left.

        Raises:
            BriefError: there is none. FormatError: an edit fits nowhere, or more than once.
        """
        if not self.code:
            raise BriefError(f"There is no {self.run.studio.name} to edit yet. Draft one first.")
        code = self.code
        for count, edit in enumerate(edits, start=1):
            before, after = edit.before.strip("\n").split("\n"), edit.after.strip("\n")
            code = replaced(code, before, after.split("\n") if after else [], f"Edit {count}", "program")
        return code

    async def aim(self, target: Path) -> Step:
        """Measure from now on how far each step is from a picture, the current one first, executed at its shape.

        Raises:
            BriefError: the studio takes no target, the picture cannot be used, or nothing was drafted.
        """
        run, current = self.run, self._current("compare")
        if "target" not in run.studio.takes:
            raise BriefError(f"The {run.studio.name} studio takes no target.")
        self._prepare(run.brief.model_copy(update={"target": target}))
        raw = await to_thread.run_sync(target.read_bytes)
        copy = run.resources.pictures.put(raw, target.suffix)  # the file itself may change, or go away
        run.brief = run.brief.model_copy(update={"target": run.folder / copy})
        return await self.draft(self.reply(str(getattr(current.artifact, "source", "")), current.approach), "edit")

    def adjust(self, settings: Mapping[str, JsonValue]) -> None:
        """Change settings of the studio from the next draft on.

        Raises:
            ConfigError: a value is not allowed, or an agent may not set it.
        """
        studio = self.run.studio
        if unknown := [name for name in settings if name not in studio.adjustable]:
            raise ConfigError(f"{unknown[0]} cannot be set here; {studio.name} takes {', '.join(studio.adjustable)}.")
        if not settings:
            return
        before, self._adjusted = self._adjusted, {**self._adjusted, **settings}
        try:
            self._prepare(self.run.brief)
        except RedraftError:
            self._adjusted = before
            raise

    def _prepare(self, brief: Brief) -> None:
        """Put a brief and the adjusted settings in force, unless the studio refuses them."""
        run = self.run
        section = {**run.config.studios.get(run.studio.name, {}), **self._adjusted}
        run.settings = run.studio.prepare(settings_of(run.studio, section), brief)
        run.brief = brief

    def reply(self, code: str, approach: str, beside: Mapping[str, JsonValue] | None = None) -> str:
        """Return a program as a model writes it in a reply, with the data `beside` it; `code` may be empty."""
        language = self.run.studio.language.lower() if isinstance(self.run.studio, ProgramStudio) else ""
        first_line = f"APPROACH: {' '.join(approach.split())[:300]}\n" if approach.strip() else ""
        fence = "`" * max(4, 1 + max((len(ticks) for ticks in re.findall("`+", code)), default=0))
        program = f"\n{fence}{language}\n{code}\n{fence}\n" if code else ""
        block = "" if beside is None else f"\n```json\n{json.dumps(beside)}\n```\n"
        return f"{first_line}{program}{block}"

    def undo(self, *, redo: bool = False) -> Step:
        """Go one step back, or forward again; a failed draft is dropped first.

        Raises:
            BriefError: there is no such step.
        """
        if redo or not self.failed:
            super().undo(redo=redo)
            self.progress.best = self.steps[self.at]
        self._forget()
        return Step(self.steps[self.at].number, self.current) if self.at >= 0 else Step(0, None)

    def source(self) -> bytes:
        """Return the program that edits apply to."""
        return self.code.encode()

    async def look(self, views: Sequence[str] = ()) -> list[Picture]:
        """Return pictures of the current step; see the studio's `views`.

        Raises:
            BriefError: a view is unknown, or nothing was drafted.
        """
        current = self._current("look")
        try:
            return await self.run.studio.render(current.artifact, tuple(views), self.run.resources)
        except (ValueError, AttemptError) as error:
            raise BriefError(f"look: {error}") from error

    async def beside_target(self) -> list[Picture]:
        """Return the target with the current step beside it; nothing without a target."""
        run, current = self.run, self._current("compare")
        if run.brief.target is None or not isinstance(run.studio, TargetStudio):
            return []
        return await run.studio.shown(current.artifact, current.score, run.brief, run.resources)

    async def export(self, folder: Path) -> dict[str, Path]:
        """Finish the current step and write its files to a folder. Paths by role.

        Raises:
            BriefError: nothing was drafted. RunError: a file cannot be written. ImageBackendError: it was not painted.
        """
        run, artifact, number = self.run, self._current("export").artifact, self.steps[self.at].number
        self.events.clear()
        if number not in self._finished:
            error = await finish(run, self.progress)
            if error is not None:
                raise RunError(str(error["message"]))
            assert self.progress.best is not None, "the current step is the best"
            self.steps[self.at] = self.progress.best
            self._finished.add(number)
            artifact = self._current("export").artifact
        self.exported = folder

        def write() -> dict[str, Path]:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                reason = error.strerror or error
                raise RunError(f"Cannot make the folder {folder}: {reason}. Name another one.") from error
            files = run.studio.deliver(artifact, folder, run.resources)
            if run.generations is not None and isinstance(run.studio, PaintingStudio):
                where = Publication(run.generations, folder, run.journal.now)
                files |= run.studio.publish(artifact, run.brief, run.resources, where)
            return files

        return await to_thread.run_sync(write)

    def lend(self, folder: Path, config: Config) -> tuple[Config, dict[str, Any]]:
        """Write the current step's files to the record's folder, for a run that goes on from it.

        Raises:
            BriefError: nothing was drafted. RunError: a file cannot be written.
        """
        del folder
        self.run.studio.deliver(self._current("continue").artifact, self.run.folder, self.run.resources)
        return config, {"on": self.run.folder}

    def adopt(self, artifact: BaseModel, report: Report) -> Step:
        """Make an artifact of another run the first step."""
        place = self._next("draft")
        candidate = Candidate(artifact, report, "draft", place)
        self.append(Turn(place.turn, candidate))
        return Step(place.turn, candidate)

    def close(self) -> bool:
        """Write the record, as a run does at its end; return whether there is anything to record."""
        self.run.generations = None  # an export lists what it painted; the record is not listed again
        if self._count:
            deliver(self.run, self.progress, None)
        return bool(self._count)

    def _next(self, kind: str) -> Place:
        """Return the place of the next step. Raises `BriefError` after too many."""
        if self._count >= MAX_STEPS:
            raise BriefError(f"This work has {MAX_STEPS:,} steps; export it and begin a new one.")
        self._count += 1
        self.events.clear()
        return Place(self._count, step=kind)

    def _current(self, verb: str) -> Candidate:
        """Return the candidate of the current step. Raises `BriefError` if there is none."""
        if self.current is None:
            raise BriefError(f"There is nothing to {verb} yet: no draft has run. Draft one first.")
        return self.current

    def append(self, step: Turn) -> None:
        """Make a new step the current one, in place of those that were undone, and of a draft that failed."""
        self._forget()
        super().append(step)
        self.progress.turns[step.number] = self.progress.best = step

    def _forget(self) -> None:
        """Drop the draft that failed, and the lessons of its fixes."""
        self._lessons, self._spec, self.failed = Lessons(), None, ""

    def _remember(self, turn: Turn, attempt: Attempt) -> None:
        self.progress.turns.setdefault(turn.number, turn)
        note_turn(self.run, self.progress, turn.number, [attempt], Verdict(by="none", satisfied=None), Retries(0))
