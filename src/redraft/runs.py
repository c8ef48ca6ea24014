"""One run, from its first event to its result: the loop is driven, and the best is delivered however it ends."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import anyio
from jinja2 import TemplateError
from pydantic import JsonValue, TypeAdapter

from redraft.brief import Brief
from redraft.budget import Budget, plan_cost
from redraft.config import Config
from redraft.errors import (
    AttemptError,
    ConfigError,
    ContradictionError,
    HistoryError,
    IdeaError,
    RedraftError,
    ResumeDivergedError,
    RunError,
)
from redraft.events import EffectFailed, EffectFinished, EffectStarted, Event, Noted, RunFinished, RunStarted
from redraft.files import PictureFolder, relative, slug, write_atomic
from redraft.imaging.base import ImageBackend, Tell, nobody
from redraft.journal import EVENTS_FILE, Clock, Journal, digest_of, read_events
from redraft.loop import Progress, run_loop
from redraft.memory.error_cache import ErrorCache
from redraft.models.base import Model
from redraft.report.page import write_page
from redraft.result import Report, Result, Verdict
from redraft.sandbox.pool import Sandbox
from redraft.stages.desk import Desk
from redraft.stages.ideate import SCORING
from redraft.stages.validate import Candidate, note, path_of
from redraft.studios.base import (
    Bench,
    Conversing,
    Discovering,
    Finishing,
    Guarded,
    Inspectable,
    Painting,
    Publication,
    Publishing,
    Scored,
    Studio,
    StudioSettings,
    Surveyed,
    Unjudged,
    Warming,
)
from redraft.transcript import FINISH, PICTURE, Run

__all__ = ["Job", "redeliver", "work"]

Observer = Callable[[Event], None]

IDEAS = "prompt_pipeline"
"""The phase of what happens before the first draft."""
GUARD = "protection"
UNGUARDED = (
    "Nothing keeps a model's scripts from the files and the network of this machine: the run has "
    "--unsafe-no-sandbox, or sandbox: none in its settings."
)


@dataclass(frozen=True)
class Job:
    """What a run is made of, whichever way it was started."""

    studio: Studio[Any, Any]
    settings: StudioSettings
    model: Model
    config: Config
    brief: Brief
    memory: ErrorCache = field(default_factory=ErrorCache)
    """Of fixes, across runs; one without a store remembers nothing."""
    judges: Mapping[str, Model] = field(default_factory=dict[str, Model])
    """Who scores ideas, by the judge's name, where it is not the run's own model."""
    backend: ImageBackend | None = None
    """What paints, for a studio that has its delivery painted."""
    generations: Path | None = None
    """The list of what was made."""
    notify: Tell = nobody

    @property
    def worst_case_calls(self) -> int:
        """Raises `ConfigError` when a critic is wanted of a model that takes no pictures, or where nobody judges."""
        wanted, sees = self.config.loop.critic, self.model.info.sees
        if isinstance(self.studio, Unjudged):
            if wanted:
                raise ConfigError(
                    f"loop.critic is on, but no model judges what {self.studio.name} makes. Leave it out."
                )
            sees = False
        if wanted and not sees:
            raise ConfigError(
                f"loop.critic is on, but the model {self.model.info.name!r} takes no pictures. Choose one that does, "
                "or leave loop.critic out."
            )
        return plan_cost(
            self.config.loop,
            critic=sees if wanted is None else wanted,
            looks=isinstance(self.studio, Inspectable),
            surveys=isinstance(self.studio, Surveyed),
            discovers=self.brief.reference is not None and isinstance(self.studio, Discovering),
            draft=self._draft_calls,
            ideas=self._idea_calls,
        )

    @property
    def _draft_calls(self) -> int:
        if not isinstance(self.studio, Conversing):
            return 1
        return self.studio.draft_calls(self.settings, ideas=self.config.prompt.scoring.enabled)

    @property
    def _idea_calls(self) -> int:
        """The cards, their judges, and the summary of a profile."""
        scoring = self.config.prompt.scoring
        if not scoring.enabled:
            return 0
        summary = self.brief.profile is not None and scoring.generator_profile_abstraction
        return 1 + max(1, len(scoring.judges)) + int(summary)


async def work(job: Job, folder: Path, observer: Observer | None, clock: Clock) -> Result:
    """Drive the loop in a run folder, new or interrupted, and deliver the best of it.

    Budget and model errors end the run early and stand in the result; cancellation delivers and is passed on.
    """
    base = job.studio.open(job.brief)
    worst = job.worst_case_calls
    progress = Progress[Any]()

    async def drive(desk: Desk[Any]) -> None:
        _note_target(desk)
        _note_guard(desk)
        if isinstance(desk.studio, Warming):
            desk.studio.warm(desk.bench)
        if desk.memory.kept is not None:
            store: JsonValue = {"store": desk.memory.label}
            desk.journal.note(Noted(key="memory", at=desk.journal.now, topic="memory", data=store))
        await run_loop(desk, base, progress)

    return await _recorded(job, folder, observer, clock, _start(job, folder, worst, base, clock), progress, drive)


def _note_target(desk: Desk[Any]) -> None:
    """Say in the record what the run works toward."""
    if desk.metric is not None:
        about: JsonValue = cast("Scored[Any]", desk.studio).about(desk.brief, desk.bench)
        desk.journal.note(Noted(key="target", at=desk.journal.now, topic="target", data=about))


def _note_guard(desk: Desk[Any]) -> None:
    """Say in the record what a model's programs are kept from, and warn where that is nothing."""
    if not isinstance(desk.studio, Guarded):
        return
    guard = cast("Guarded", desk.studio).guard(desk.bench.settings)
    desk.journal.note(Noted(key=GUARD, at=desk.journal.now, topic=GUARD, data=guard.model_dump(mode="json")))
    if guard.level == "worker":
        desk.warn(GUARD, UNGUARDED)


async def redeliver(
    job: Job, artifact: Any, came_from: Path, folder: Path, observer: Observer | None, clock: Clock
) -> Result:
    """A run that asks nobody: the artefact of the run at `came_from`, with its report, in a folder of its own."""
    report = Run.load(came_from).transcript.report
    candidate = Candidate[Any](artifact, report, "draft", note="As it was.")
    progress = Progress[Any]()
    progress.offer(1, candidate)

    async def nothing(desk: Desk[Any]) -> None:
        note(desk, candidate, 1, "use" if report.valid else "keep_best", kept=True)

    start = _start(job, folder, 0, artifact, clock)
    return await _recorded(job, folder, observer, clock, start, progress, nothing, (came_from,))


async def _recorded(
    job: Job,
    folder: Path,
    observer: Observer | None,
    clock: Clock,
    start: RunStarted,
    progress: Progress[Any],
    drive: Callable[[Desk[Any]], Awaitable[None]],
    earlier: tuple[Path, ...] = (),
) -> Result:
    async with AsyncExitStack() as rooms:
        journal = rooms.enter_context(Journal(folder, clock=clock, observer=observer))
        scratch = rooms.enter_context(_scratch())
        journal.note(start)
        limiter = anyio.CapacityLimiter(max(1, os.cpu_count() or 2))
        shelf = PictureFolder(folder, earlier=tuple(filter(None, (job.brief.on, *earlier))))
        sandbox = await rooms.enter_async_context(Sandbox(scratch))
        size = (job.config.images.width, job.config.images.height)
        bench = Bench(
            scratch,
            job.config.seed,
            limiter,
            shelf,
            sandbox,
            job.settings,
            backend=job.backend,
            size=size,
            tell=job.notify,
            run=start.run,
        )
        budget = Budget(job.config.budget)
        rooms.callback(job.memory.close)
        desk = Desk[Any](
            job.studio,
            job.model,
            job.brief,
            job.config.loop,
            budget,
            journal,
            bench,
            job.memory,
            scoring=job.config.prompt.scoring,
            judges=job.judges,
            generations=job.generations,
            heuristics=job.config.validation.heuristics,
        )
        try:
            early = await _driven(desk, drive)
            error = await _complete(desk, progress, job.config.images.price) or early
        except IdeaError as failure:
            _finish(job, desk, progress, {"phase": IDEAS, "step": failure.step, "message": str(failure)})
            raise
        except anyio.get_cancelled_exc_class():
            _finish(job, desk, progress, _ended(folder, "interrupted"))
            raise
        return _finish(job, desk, progress, error)


async def _driven(desk: Desk[Any], drive: Callable[[Desk[Any]], Awaitable[None]]) -> dict[str, JsonValue] | None:
    """Why the loop ended early, None when it did not. What a delivery cannot follow is raised: ideas that are no use,
    and a run that is not what it was before this resume, and stays so."""
    try:
        await drive(desk)
    except (ContradictionError, IdeaError, ResumeDivergedError):
        raise
    except RedraftError as failure:
        return _ended(desk.journal.folder, str(failure))
    return None


async def _complete(desk: Desk[Any], progress: Progress[Any], price: float | None) -> dict[str, JsonValue] | None:
    """Make of the best one what only a delivery needs; the error that it ends with, if it cannot be had. `price` is a
    picture's, where it is known."""
    best, studio = progress.best, desk.studio
    if best is None or best.candidate is None or not isinstance(studio, Finishing):
        return None
    if isinstance(studio, Painting) and (refusal := desk.budget.money_spent(price or 0.0)):
        return {"phase": "finish", "step": f"iteration-{best.number}/{FINISH}", "message": refusal}
    artifact, finishing = best.candidate.artifact, cast("Finishing[Any]", studio)
    key, result = f"iteration-{best.number}/{FINISH}", TypeAdapter[Any](studio.artifact_model)
    inputs: JsonValue = {"kind": f"{studio.name}.finish", "by": "redraft", "artifact": artifact.model_dump(mode="json")}
    try:
        done = await desk.journal.once(key, inputs, lambda: finishing.finish(artifact, desk.bench), result)
    except AttemptError as error:
        desk.warn(key, f"What only the delivery has is missing: {error}")
        return None
    except ResumeDivergedError:
        raise
    except RedraftError as error:
        return {"phase": "finish", "step": key, "message": str(error)}
    progress.best = replace(best, candidate=replace(best.candidate, artifact=done))
    if isinstance(studio, Painting) and done != artifact:  # what is delivered again was painted, and paid for, before
        data: JsonValue = cast("Painting", studio).painted(done)
        desk.journal.note(Noted(key=key, at=desk.journal.now, topic=PICTURE, data=data))
    return None


def _ended(folder: Path, message: str) -> dict[str, JsonValue]:
    """Why a run ended early, and in the middle of what."""
    step = _under_way(folder)
    return {"phase": IDEAS if step.startswith(f"{SCORING}/") else "loop", "step": step, "message": message}


@contextmanager
def _scratch() -> Generator[Path]:
    """A temporary folder for the bench. Raises `RunError` when there is no room for one."""
    try:
        place = tempfile.TemporaryDirectory(prefix="redraft-", ignore_cleanup_errors=True)
    except OSError as error:
        raise RunError(
            f"Cannot make a temporary folder: {error.strerror or error}. Free some space, or set TMPDIR to a folder "
            "that can be written."
        ) from error
    with place as name:
        yield Path(name)


def _finish(job: Job, desk: Desk[Any], progress: Progress[Any], error: dict[str, JsonValue] | None) -> Result:
    """Deliver the best so far and write the record.

    What cannot be written ends the run early as anything else does: the rest is written, and `error` says what is not.
    """
    journal, folder, best = desk.journal, desk.journal.folder, progress.best
    candidate = None if best is None else best.candidate
    files: dict[str, Path] = {}
    if candidate is not None:
        try:
            files = job.studio.deliver(candidate.artifact, folder, desk.bench)
            if error is None:
                files |= _published(job, desk, progress, candidate.artifact)
        except (RunError, HistoryError) as failure:
            error = error or _undelivered(failure)
    report = Report() if candidate is None else candidate.report
    valid = candidate is not None and report.valid
    score = 0.0 if candidate is None else report.score
    finished = RunFinished(
        key="run",
        at=journal.now,
        valid=valid,
        score=score,
        delivered="" if best is None else f"iteration-{best.number}",
        validation="" if best is None or candidate is None else path_of(best.number, candidate),
        report=None if candidate is None else report,
        files={role: relative(path, folder) for role, path in sorted(files.items())},
        error=error,
    )
    try:
        journal.note(finished)
        run = Run.load(folder)
        files["transcript"] = write_atomic(folder / "transcript.json", run.transcript.model_dump_json(indent=2) + "\n")
    except RunError as failure:
        run = Run.load(folder)
        error = error or _undelivered(failure)
    page, complaint = _page(run)
    return Result(
        run=folder,
        studio=job.studio.name,
        valid=valid,
        score=score,
        report=report,
        verdict=Verdict(by="none", satisfied=None) if best is None else best.verdict,
        usage=run.transcript.usage,
        iterations=run.transcript.iterations,
        files={**files, "events": folder / EVENTS_FILE, **page},
        warnings=(*run.transcript.warnings, *complaint),
        error=error,
    )


def _published(job: Job, desk: Desk[Any], progress: Progress[Any], artifact: Any) -> dict[str, Path]:
    """The lists that a delivery now stands in, by role."""
    if not isinstance(job.studio, Publishing) or job.generations is None:
        return {}
    folder = desk.journal.folder
    hook = "" if progress.idea is None else progress.idea.hook
    where = Publication(job.generations, folder, read_events(folder)[0].at, hook)
    return cast("Publishing[Any]", job.studio).publish(artifact, job.brief, desk.bench, where)


def _undelivered(failure: RunError | HistoryError) -> dict[str, JsonValue]:
    return {"phase": "deliver", "step": "", "message": str(failure)}


def _page(run: Run) -> tuple[dict[str, Path], tuple[str, ...]]:
    """The report page; what was delivered is not lost because nobody can paint it."""
    try:
        return {"report": write_page(run)}, ()
    except (TemplateError, RunError) as error:
        return {}, (f"The report page could not be made ({error}); try: redraft report {run.folder}",)


def _start(job: Job, folder: Path, worst: int, base: Any, clock: Clock) -> RunStarted:
    on, source = job.brief.on, job.brief.source
    brief: dict[str, JsonValue] = {
        "instruction": job.brief.instruction,
        "on": None if on is None else relative(on, folder),
        "source": None if source is None else relative(source, folder),
        "base": None if base is None else digest_of(base.model_dump(mode="json")),
    }
    given = {"target": job.brief.target, "reference": job.brief.reference}
    given["generations"] = job.generations
    brief |= {name: relative(path, folder) for name, path in given.items() if path is not None}
    if job.brief.concepts:
        brief["concepts"] = list(job.brief.concepts)
    if job.brief.described:
        brief["described"] = True
    if job.brief.profile is not None:
        brief["profile"] = job.brief.profile.model_dump(mode="json")
    digest = digest_of([brief["instruction"], brief["base"], job.config.seed])[:6]
    return RunStarted(
        key="run",
        at=clock(),
        redraft=version("redraft"),
        run=f"{slug(job.brief.instruction)}-{digest}",
        studio=job.studio.name,
        brief=brief,
        config=job.config.model_dump(mode="json", exclude={"out"}),
        model=job.model.info.model_dump(mode="json"),
        seed=job.config.seed,
        worst_case_calls=worst,
    )


def _under_way(folder: Path) -> str:
    """Key of the effect that was under way when a run ended; empty when there was none."""
    events = read_events(folder)
    done = {e.key for e in events if isinstance(e, EffectFinished | EffectFailed)}
    return next((e.key for e in reversed(events) if isinstance(e, EffectStarted) and e.key not in done), "")
