"""The composition root: from a configuration to models, memory, studios and runs.

Command line, MCP and the Python API call these functions and nothing below them. Heavy parts are imported when used.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import anyio
from pydantic import JsonValue, ValidationError

from redraft.brief import Brief
from redraft.budget import Budget, plan_cost
from redraft.config import Config, ConfigReport, explain, load
from redraft.errors import ConfigError, MissingPartError, RedraftError, RunError, RunFormatError
from redraft.events import Event, RunFinished, RunStarted
from redraft.files import write_atomic
from redraft.journal import EVENTS_FILE, Clock, Journal, digest_of, system_clock
from redraft.result import Report, Result, Verdict

if TYPE_CHECKING:
    from redraft.loop import Progress
    from redraft.models.base import Model
    from redraft.stages.desk import Desk
    from redraft.studios.base import Bench, Studio, StudioSettings

__all__ = [
    "arun",
    "available_models",
    "config_report",
    "load_config",
    "open_studio",
    "resume",
    "run",
    "studio_names",
    "undo",
    "write_report",
]

Observer = Callable[[Event], None]
STUDIO_GROUP = "redraft.studios"
CUSTOM_MODEL = "custom"
"""How a model given as a Python object stands in the record; only the same program can resume such a run."""


def load_config(file: Path | None = None, overrides: Mapping[str, JsonValue] | None = None) -> Config:
    """The settings in force. Raises `ConfigError`."""
    return config_report(file, overrides).config


def config_report(file: Path | None = None, overrides: Mapping[str, JsonValue] | None = None) -> ConfigReport:
    """The settings in force with where each came from, the studios' own sections checked too."""
    report = load(file, overrides)
    known = studio_names()
    for name, section in report.config.studios.items():
        if name not in known:
            raise ConfigError(f"studios.{name}: there is no such studio; installed: {', '.join(known)}.")
        _settings(open_studio(name), section, report)
    return report


def studio_names() -> tuple[str, ...]:
    """The installed studios, by name; they register under the entry point group `redraft.studios`."""
    return tuple(sorted({point.name for point in entry_points(group=STUDIO_GROUP)}))


def open_studio(name: str) -> Studio[Any, Any]:
    """A studio by name.

    Raises:
        ConfigError: no such studio. MissingPartError: what it needs is not installed.
    """
    for point in entry_points(group=STUDIO_GROUP):
        if point.name == name:
            try:
                return point.load()
            except ImportError as error:
                raise MissingPartError(
                    f"The {name} studio needs {error.name}, which is not installed: pip install 'redraft[{name}]'"
                ) from error
    raise ConfigError(f"There is no studio {name!r}; installed: {', '.join(studio_names())}.")


def open_model(config: Config, observer: Observer | None = None) -> Model:
    """The model that the configuration names. Raises `ConfigError` or `MissingPartError` before any call."""
    from redraft.models.registry import resolve

    answers = {kind: answer for name in studio_names() for kind, answer in _answers(name).items()}
    return resolve(config.model, answers=answers, settings=config.models)


def _answers(name: str) -> Mapping[str, Any]:
    try:
        return open_studio(name).answers
    except MissingPartError:
        return {}


def available_models(config: Config) -> list[tuple[str, str]]:
    """What can be used here: name and one line each on what it needs."""
    from redraft.models.registry import available

    return available(config.models)


def run(
    studio: str,
    instruction: str,
    *,
    config: Config | None = None,
    model: Model | None = None,
    on: Path | None = None,
    out: Path | None = None,
    observer: Observer | None = None,
    clock: Clock = system_clock,
) -> Result:
    """Work on one instruction and deliver the best of it; see `arun`. Must not be called in a running event loop."""

    async def work() -> Result:
        return await arun(
            studio, instruction, config=config, model=model, on=on, out=out, observer=observer, clock=clock
        )

    return anyio.run(work)


async def arun(
    studio: str,
    instruction: str,
    *,
    config: Config | None = None,
    model: Model | None = None,
    on: Path | None = None,
    out: Path | None = None,
    observer: Observer | None = None,
    clock: Clock = system_clock,
) -> Result:
    """Work on one instruction in a new run folder and deliver the best of it.

    `out` is the run's folder; without it a dated one is made under `config.out`. A `model` object overrides the name
    in the configuration. The result is delivered even when the run ends early: then `error` says why.

    Raises:
        ConfigError, BriefError, RunError: before any model call.
    """
    settings = config or Config()
    room = open_studio(studio)
    brief = Brief.of(instruction, on=None if on is None else _run_folder(on))
    asked = model or open_model(settings, observer)
    started = clock()
    folder = out if out is not None else _dated(Path(settings.out), started, brief.instruction)
    _refuse_used(folder)
    job = _Job(room, asked, settings if model is None else settings.model_copy(update={"model": CUSTOM_MODEL}), brief)
    return await _work(job, folder, observer, clock)


def resume(run: Path, *, model: Model | None = None, observer: Observer | None = None) -> Result:
    """Go on with a run that was interrupted; no finished effect is repeated.

    Raises:
        RunNotFoundError, RunFormatError, RunLockedError, ResumeDivergedError.
    """
    from redraft.journal import read_events

    start = read_events(run)[0:1]
    if not start or not isinstance(start[0], RunStarted):
        raise RunFormatError(f"{run}: {EVENTS_FILE} does not begin with the start of a run; nothing can be resumed.")
    config = _recorded_config(start[0], run)
    if model is None and config.model == CUSTOM_MODEL:
        raise ConfigError(f"{run} was made with a model object of a Python program; resume it there, with model=….")
    brief = _brief_from(start[0], run)
    room = open_studio(start[0].studio)
    job = _Job(room, model or open_model(config, observer), config, brief)
    return anyio.run(_work, job, run, observer, system_clock)


def undo(run: Path, steps: int = 1, *, out: Path | None = None, clock: Clock = system_clock) -> Result:
    """Deliver what a run's artefact was `steps` edits before, in a new run folder.

    Raises:
        RunError: the run has fewer earlier steps.
    """
    if steps < 1:
        raise ConfigError(f"undo {steps}: give the number of edits to take back, from 1.")
    from redraft.transcript import Run

    target, done = _run_folder(run), 0
    while done < steps:
        before = Run.load(target).transcript.brief.get("on")
        if not isinstance(before, str):
            raise RunError(f"{run} has {done} earlier step{'s' if done != 1 else ''}; cannot undo {steps}.")
        target, done = _run_folder(target / before), done + 1
    return _redeliver(target, f"undo {steps}", out, clock)


def write_report(run: Path) -> Path:
    """Write `report.html` of a run, finished or not, and give its path."""
    from redraft.report.page import write_page
    from redraft.transcript import Run

    return write_page(Run.load(_run_folder(run)))


@dataclass(frozen=True)
class _Job:
    """What a run is made of, whichever way it was started."""

    studio: Studio[Any, Any]
    model: Model
    config: Config
    brief: Brief

    @property
    def critic(self) -> bool:
        wanted, sees = self.config.loop.critic, self.model.info.sees
        if wanted and not sees:
            raise ConfigError(
                f"loop.critic is on, but the model {self.model.info.name!r} takes no pictures. Choose one that does, "
                "or leave loop.critic out."
            )
        return sees if wanted is None else wanted


async def _work(job: _Job, folder: Path, observer: Observer | None, clock: Clock) -> Result:
    from redraft.loop import Progress, run_loop
    from redraft.stages.desk import Desk
    from redraft.studios.base import Spatial

    worst = plan_cost(job.config.loop, critic=job.critic)
    settings = _settings(job.studio, job.config.studios.get(job.studio.name, {}))
    base = job.studio.open(job.brief)
    if isinstance(job.studio, Spatial):
        cast("Spatial[Any]", job.studio).reading(job.brief)  # words that contradict each other stop the run here
    with Journal(folder, clock=clock, observer=observer) as journal, tempfile.TemporaryDirectory() as scratch:
        journal.note(_started(job, folder, journal, worst, base))
        bench = _bench(Path(scratch), job.config.seed)
        desk = Desk(job.studio, job.model, job.brief, job.config.loop, Budget(job.config.budget), journal, bench)
        progress = Progress[Any]()
        error: dict[str, JsonValue] | None = None
        try:
            await run_loop(desk, base, progress)
        except RedraftError as failure:
            error = {"phase": "loop", "step": _last_key(folder), "message": str(failure)}
        except anyio.get_cancelled_exc_class():
            _finish(desk, folder, settings, progress, {"phase": "loop", "step": "", "message": "interrupted"})
            raise
        return _finish(desk, folder, settings, progress, error)


def _finish(
    desk: Desk[Any],
    folder: Path,
    settings: StudioSettings,
    progress: Progress[Any],
    error: dict[str, JsonValue] | None,
) -> Result:
    """Deliver the best so far and write the record; called however the run ends."""
    from redraft.transcript import Run

    best = progress.best
    candidate = None if best is None else best.candidate
    files: dict[str, Path] = {}
    if candidate is not None:
        files = desk.studio.deliver(candidate.artifact, folder, desk.bench, settings)
    report = Report() if candidate is None else candidate.report
    valid = candidate is not None and report.valid
    score = 0.0 if candidate is None else report.score
    journal = desk.journal
    journal.note(
        RunFinished(
            key="run",
            at=journal.now,
            valid=valid,
            score=score,
            delivered="" if best is None else f"iteration-{best.number}",
            files={role: _relative(path, folder) for role, path in files.items()},
            error=error,
        )
    )
    record = Run.load(folder)
    transcript = write_atomic(folder / "transcript.json", record.transcript.model_dump_json(indent=2) + "\n")
    page = write_report(folder)
    return Result(
        run=folder,
        studio=desk.studio.name,
        valid=valid,
        score=score,
        report=report,
        verdict=Verdict(by="none", satisfied=None) if best is None else best.verdict,
        usage=record.transcript.usage,
        iterations=record.transcript.iterations,
        files={**files, "transcript": transcript, "report": page, "events": folder / EVENTS_FILE},
        warnings=record.transcript.warnings,
        error=error,
    )


def _started(job: _Job, folder: Path, journal: Journal, worst: int, base: Any) -> RunStarted:
    on = job.brief.on
    brief: dict[str, JsonValue] = {
        "instruction": job.brief.instruction,
        "on": None if on is None else _relative(on, folder),
        "base": None if base is None else digest_of(base.model_dump(mode="json")),
    }
    return RunStarted(
        key="run",
        at=journal.now,
        redraft=version("redraft"),
        run=f"{_slug(job.brief.instruction)}-{digest_of([brief['instruction'], brief['base'], job.config.seed])[:6]}",
        studio=job.studio.name,
        brief=brief,
        config=job.config.model_dump(mode="json", exclude={"out"}),
        model=job.model.info.model_dump(mode="json"),
        seed=job.config.seed,
        worst_case_calls=worst,
    )


def _redeliver(source: Path, instruction: str, out: Path | None, clock: Clock) -> Result:
    """A new run folder with the artefact of an earlier run, no model asked."""
    from redraft.loop import Progress, Turn
    from redraft.models.scripted import ScriptedModel
    from redraft.stages.desk import Desk
    from redraft.stages.validate import Candidate
    from redraft.transcript import Run

    earlier = Run.load(source).transcript
    room = open_studio(earlier.studio)
    artifact = room.open(Brief(instruction=instruction, on=source))
    folder = out if out is not None else _dated(source.parent, clock(), instruction)
    _refuse_used(folder)
    on = earlier.brief.get("on")
    brief = Brief(instruction=instruction, on=(source / on).resolve() if isinstance(on, str) else None)
    config = Config(model="none", seed=earlier.seed)
    job = _Job(room, ScriptedModel([]), config, brief)
    with Journal(folder, clock=clock) as journal, tempfile.TemporaryDirectory() as scratch:
        journal.note(_started(job, folder, journal, 0, artifact))
        bench = _bench(Path(scratch), config.seed)
        desk = Desk(room, job.model, brief, config.loop, Budget(config.budget), journal, bench)
        report = Report()
        progress = Progress({0: Turn(0, Candidate(artifact, report, "draft"))})
        return _finish(desk, folder, _settings(room, {}), progress, None)


def _bench(scratch: Path, seed: int) -> Bench:
    from redraft.studios.base import Bench

    return Bench(scratch, seed, anyio.CapacityLimiter(max(1, (os.cpu_count() or 2))))


def _settings(
    studio: Studio[Any, Any], section: Mapping[str, JsonValue], report: ConfigReport | None = None
) -> StudioSettings:
    try:
        return studio.settings_model.model_validate(section)
    except ValidationError as error:
        sources = {} if report is None else report.sources
        raise ConfigError("\n".join(explain(error, sources, f"studios.{studio.name}."))) from error


def _recorded_config(start: RunStarted, run: Path) -> Config:
    try:
        return Config.model_validate(start.config)
    except ValidationError as error:
        raise RunFormatError(
            f"{run}: its settings are not ones this redraft knows ({'; '.join(explain(error))}). "
            f"It was made by redraft {start.redraft}."
        ) from error


def _brief_from(start: RunStarted, run: Path) -> Brief:
    on = start.brief.get("on")
    return Brief.of(str(start.brief["instruction"]), on=(run / on).resolve() if isinstance(on, str) else None)


def _run_folder(path: Path) -> Path:
    """A run's folder, given as itself or as a file in it."""
    folder = path if path.is_dir() or not path.exists() else path.parent
    return folder.resolve()


def _refuse_used(folder: Path) -> None:
    try:
        used = folder.exists() and any(folder.iterdir())
    except NotADirectoryError:
        used = True
    if used and (folder / EVENTS_FILE).exists():
        raise RunError(
            f"{folder} already holds a run. Go on with it by: redraft resume {folder}\nor choose another --out."
        )
    if used:
        raise RunError(f"{folder} is not empty, and nothing there shall be overwritten. Choose another --out.")


def _dated(root: Path, now: datetime, instruction: str) -> Path:
    stem = f"{now:%Y-%m-%d-%H%M%S}-{_slug(instruction)}"
    folder, number = root / stem, 2
    while folder.exists():
        folder, number = root / f"{stem}-{number}", number + 1
    return folder


def _slug(text: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return words[:40].rstrip("-") or "run"


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()


def _last_key(folder: Path) -> str:
    """Path of the effect under way when a run ended."""
    from redraft.events import EffectFailed, EffectFinished, EffectStarted
    from redraft.journal import read_events

    events = read_events(folder)
    done = {e.key for e in events if isinstance(e, EffectFinished | EffectFailed)}
    return next((e.key for e in reversed(events) if isinstance(e, EffectStarted) and e.key not in done), "")
