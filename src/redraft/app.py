"""The composition root: from a configuration to models, memory, studios and runs.

Command line, MCP and the Python API call these functions and nothing below them. Heavy parts are imported when used.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import anyio
from pydantic import JsonValue, ValidationError

from redraft.blackbox_scoring.profile import TasteProfile
from redraft.brief import Brief
from redraft.config import COMMAND_LINE, HIDDEN, Config, ConfigReport, explain, load, refuse_unused, with_caps
from redraft.errors import BriefError, ConfigError, ImageBackendError, MissingPartError, RunError, RunFormatError
from redraft.events import Event, RunStarted
from redraft.folders import dated, give_back, refuse_used, run_folder
from redraft.journal import EVENTS_FILE, Clock, read_events, system_clock
from redraft.result import Result

if TYPE_CHECKING:
    from redraft.imaging.base import ImageBackend, ImageRequest
    from redraft.memory.error_cache import ErrorCache
    from redraft.models.base import Model
    from redraft.runs import Job
    from redraft.studios.base import Studio, StudioSettings

__all__ = [
    "arun",
    "available_models",
    "config_report",
    "generations_of",
    "load_config",
    "open_model",
    "open_studio",
    "resume",
    "run",
    "serve_mcp",
    "settings_in_force",
    "studio_names",
    "undo",
    "write_report",
]

Observer = Callable[[Event], None]
Notify = Callable[[str], None]
"""Told in one line that, and why, a reply takes long."""

STUDIO_GROUP = "redraft.studios"
GENERATIONS = "generations.csv"
CUSTOM_MODEL = "custom"
"""How a model given as a Python object stands in the record; only the same program can resume such a run."""


def _nobody(line: str) -> None:
    """Tells nobody."""


def load_config(file: Path | None = None, overrides: Mapping[str, JsonValue] | None = None) -> Config:
    """The settings of a run. Raises `ConfigError`, also for settings that were given and cannot be honoured."""
    report = config_report(file, overrides)
    refuse_unused(report)
    _refuse_idle_scoring(report)
    return report.config


def _refuse_idle_scoring(report: ConfigReport) -> None:
    """How ideas are chosen, said with a run that has none, was meant to have an effect. In a file it may lie ready."""
    given = {key for key, source in report.sources.items() if source.place == COMMAND_LINE}
    idle = sorted(key for key in given if key.startswith("prompt.scoring."))
    if idle and not report.config.prompt.scoring.enabled and "prompt.scoring.enabled" not in given:
        raise ConfigError(
            f"{idle[0]} is for choosing among ideas, and this run has none: say how many (--ideas N), or set "
            "prompt.scoring.enabled."
        )


def settings_in_force(file: Path | None = None) -> list[str]:
    """Every setting with its value and where it was set, the studios' own among them. Raises `ConfigError`."""
    report = config_report(file)
    sections = {name: _settings(open_studio(name), report.config.studios.get(name, {})) for name in studio_names()}
    studios = {name: section.model_dump(mode="json") for name, section in sections.items()}
    return ConfigReport(report.config.model_copy(update={"studios": studios}), report.sources).lines()


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


def open_model(config: Config, studio: str, *, notify: Notify = _nobody, run: str = "") -> Model:
    """The model that the configuration names, for a studio's requests.

    Raises `ConfigError` or `MissingPartError` before any call.
    """
    from redraft.models.registry import resolve

    answers: Mapping[str, Any] = _answers(config, studio) if config.model == "offline" else {}
    return resolve(config.model, answers=answers, settings=config.models, notify=notify, run=run)


def _answers(config: Config, studio: str) -> Mapping[str, Any]:
    """What the offline model says. Nobody else needs it, and it brings the lexicon along."""
    answers: Mapping[str, Any] = open_studio(studio).answers
    if not config.prompt.scoring.enabled:
        return answers
    from redraft.blackbox_scoring.offline import ANSWERS

    return {**ANSWERS, **answers}


def serve_mcp(
    folders: Sequence[Path],
    *,
    transport: Literal["stdio", "http"] = "stdio",
    host: str = "127.0.0.1",
    port: int = 8765,
    allow_origins: Sequence[str] = (),
    config: Path | None = None,
) -> None:
    """Serve the board tools to MCP clients until the client hangs up, or Ctrl-C. Raises `MissingPartError`."""
    settings = load_config(config)
    try:  # the server alone, not the studio: who starts it waits for it
        from redraft.mcp.server import serve
    except ImportError as error:
        raise MissingPartError(
            f"The MCP server needs {error.name}, which is not installed: pip install 'redraft[board,mcp]'"
        ) from error
    serve(folders, transport=transport, host=host, port=port, allow_origins=allow_origins, config=settings)


def available_models(config: Config) -> list[tuple[str, str]]:
    """What can be used here: name and one line each on what it needs."""
    from redraft.models.registry import available

    return available(config.models)


def run(studio: str, instruction: str, **given: Any) -> Result:
    """Work on one instruction and deliver the best of it; see `arun`. Must not be called in a running event loop."""

    async def work() -> Result:
        return await arun(studio, instruction, **given)

    return anyio.run(work)


async def arun(
    studio: str,
    instruction: str,
    *,
    config: Config | None = None,
    model: Model | None = None,
    on: Path | None = None,
    source: Path | None = None,
    target: Path | None = None,
    reference: Path | None = None,
    concepts: Sequence[str] = (),
    profile: TasteProfile | None = None,
    described: bool = False,
    backend: ImageBackend | None = None,
    out: Path | None = None,
    observer: Observer | None = None,
    notify: Notify = _nobody,
    clock: Clock = system_clock,
) -> Result:
    """Work on one instruction in a new run folder and deliver the best of it.

    `on` is an earlier run that this one continues, `source` a file that it works on, such as a board, `target` a
    picture to work toward, `reference` a file to learn from before anything is drafted, `concepts` what an image is to
    hold, `profile` whom it is for. The words of a picture that is `described` are not held to the letter. `out` is the
    run's folder; without it a dated one is made under `config.out`. A `model` or `backend` object overrides the name in
    the configuration. The result is delivered even when the run ends early: then `error` says why.

    Raises:
        ConfigError, BriefError, RunError, MissingPartError: before any model call.
        IdeaError: ideas or their scores are no use; the record is written, and nothing was made.
    """
    open_studio(studio)  # says which extra is missing, if one is, before anything else asks for its parts
    settings = config or Config()
    on = None if on is None else run_folder(on)
    brief = Brief.of(
        instruction,
        on=on,
        source=source,
        target=target,
        reference=reference,
        concepts=concepts,
        profile=profile,
        described=described,
    )
    from redraft.runs import work

    with _folder(out, Path(settings.out), clock(), brief.instruction) as folder:
        refuse_used(folder)
        if model is None:
            model = open_model(settings, studio, notify=notify, run=folder.name)
        else:
            settings = settings.model_copy(update={"model": CUSTOM_MODEL})
        if backend is not None:
            custom = settings.images.model_copy(update={"backend": CUSTOM_MODEL})
            settings = settings.model_copy(update={"images": custom})
        generations = generations_of(settings, studio)
        job = _job(studio, model, settings, brief, backend=backend, generations=generations, notify=notify)
        return await work(job, folder, observer, clock)


@contextmanager
def _folder(out: Path | None, root: Path, now: datetime, words: str) -> Generator[Path]:
    """A run's folder: as given, or a new dated one, which goes again when no run begins in it. Raises `RunError`."""
    folder = dated(root, now, words) if out is None else out
    try:
        yield folder
    finally:
        if out is None:
            give_back(folder)


def resume(
    run: Path,
    *,
    model: Model | None = None,
    backend: ImageBackend | str | None = None,
    caps: Mapping[str, JsonValue] | None = None,
    observer: Observer | None = None,
    notify: Notify = _nobody,
) -> Result:
    """Go on with a run that was interrupted; no finished effect is repeated.

    `caps` replace those of the run's budget (`calls`, `tokens`, `cost`), `backend` what paints: all else is as it was.

    Raises:
        RunNotFoundError, RunFormatError, RunLockedError, ResumeDivergedError.
    """
    folder = run_folder(run)
    start, on = _came_from(folder)
    open_studio(start.studio)
    from redraft.runs import work

    config = with_caps(_recorded_config(start, run), caps or {})
    if model is None:
        if config.model == CUSTOM_MODEL:
            raise ConfigError(f"{run} was made with a model object of a Python program; resume it there, with model=….")
        model = open_model(config, start.studio, notify=notify, run=folder.name)
    if isinstance(backend, str):
        config = config.model_copy(update={"images": config.images.model_copy(update={"backend": backend})})
        backend = None
    elif backend is None:
        _refuse_strange_program(config, run)
    if backend is None and config.images.backend == CUSTOM_MODEL:
        raise ConfigError(f"{run} was made with an image backend of a Python program; resume it there, with backend=….")
    generations = _recorded_path(start, "generations", folder)
    brief = _recorded_brief(start, on, folder)
    job = _job(start.studio, model, config, brief, backend=backend, generations=generations, notify=notify)
    return anyio.run(work, job, folder, observer, system_clock)


def undo(
    run: Path,
    steps: int = 1,
    *,
    out: Path | None = None,
    observer: Observer | None = None,
    clock: Clock = system_clock,
) -> Result:
    """Deliver what a run's artefact was `steps` edits before, in a new run folder.

    Raises:
        RunError: the run has fewer earlier steps.
    """
    from redraft.models.scripted import ScriptedModel
    from redraft.runs import redeliver

    if steps < 1:
        raise ConfigError(f"undo {steps}: give the number of edits to take back, from 1.")
    target, start, before = run_folder(run), *_came_from(run_folder(run))
    for done in range(steps):
        if before is None:
            many = "no earlier step" if done == 0 else f"only {done} earlier step{'s' if done > 1 else ''}"
            raise RunError(f"{run} has {many}, so {steps} cannot be undone.")
        target, start, before = before, *_came_from(before)
    with _folder(out, target.parent, clock(), f"undo {steps}") as folder:
        refuse_used(folder)
        artifact = open_studio(start.studio).open(Brief(instruction="undo", on=target))
        # The studio's settings are the run's own: what is made for the delivery is as large as it was.
        config = Config(model=CUSTOM_MODEL, seed=start.seed, studios=_recorded_config(start, target).studios)
        brief = Brief(instruction=f"undo {steps}", on=before, concepts=_recorded_concepts(start))
        job = _job(start.studio, ScriptedModel([], name="none"), config, brief)
        return anyio.run(redeliver, job, artifact, target, folder, observer, clock)


def _came_from(folder: Path) -> tuple[RunStarted, Path | None]:
    """How a run started, and the run it went on from."""
    events = read_events(folder)
    if not events or not isinstance(events[0], RunStarted):
        raise RunFormatError(f"{folder}: {EVENTS_FILE} does not begin with the start of a run. Start it anew.")
    return events[0], _recorded_path(events[0], "on", folder)


def _refuse_strange_program(config: Config, run: Path) -> None:
    """A run folder may be somebody else's, and names the program that paints: only one's own is started."""
    named = config.images.backend
    if named.startswith("command:") and load_config().images.backend != named:
        raise ConfigError(
            f"{run} has its picture painted by the program {named.removeprefix('command:')!r}. A record does not start "
            f"programs; if you want it, say so yourself: redraft resume {run} --backend {json.dumps(named)}"
        )


def _recorded_brief(start: RunStarted, on: Path | None, folder: Path) -> Brief:
    """What a run was asked for. Raises `RunFormatError` for a record that was changed."""
    given = {name: _recorded_path(start, name, folder) for name in ("source", "target", "reference")}
    profile = start.brief.get("profile")
    try:
        return Brief.of(
            str(start.brief["instruction"]),
            on=on,
            **given,
            concepts=_recorded_concepts(start),
            profile=None if profile is None else TasteProfile.model_validate_json(json.dumps(profile)),
            described=start.brief.get("described") is True,
        )
    except ValidationError as error:
        raise RunFormatError(f"{folder}: the profile in its record cannot be read ({error}).") from error


def _recorded_concepts(start: RunStarted) -> tuple[str, ...]:
    concepts = start.brief.get("concepts")
    return tuple(map(str, concepts)) if isinstance(concepts, list) else ()


def _recorded_path(start: RunStarted, key: str, folder: Path) -> Path | None:
    """A path that the brief names, relative to the run's folder as it is written."""
    path = start.brief.get(key)
    return (folder / path).resolve() if isinstance(path, str) else None


def write_report(run: Path) -> Path:
    """Write `report.html` of a run, finished or not, and give its path."""
    from redraft.report.page import write_page
    from redraft.transcript import Run

    return write_page(Run.load(run_folder(run)))


def generations_of(config: Config, studio: str) -> Path | None:
    """The list of what was made: as set, or beside the runs for a studio that lists what it makes."""
    from redraft.studios.base import Publishing

    if config.prompt.generations_path is not None:
        return Path(config.prompt.generations_path)
    return Path(config.out) / GENERATIONS if isinstance(open_studio(studio), Publishing) else None


def _job(
    studio: str,
    model: Model,
    config: Config,
    brief: Brief,
    *,
    backend: ImageBackend | None = None,
    generations: Path | None = None,
    notify: Notify = _nobody,
) -> Job:
    from redraft.memory.error_cache import ErrorCache
    from redraft.runs import Job
    from redraft.studios.base import Dialect, Discovering, Painting, Prepared, Scored, Spatial

    room = open_studio(studio)
    settings = _settings(room, config.studios.get(studio, {}))
    for name, path, able in (("target", brief.target, Scored), ("reference", brief.reference, Discovering)):
        if path is not None and not isinstance(room, able):
            raise BriefError(f"The {studio} studio takes no {name}; given {path}. Leave it out.")
    if isinstance(room, Prepared):
        settings = room.prepare(settings, brief)
    if isinstance(room, Spatial):
        cast("Spatial[Any]", room).reading(brief)  # words that contradict each other stop the run here
    memory = _memory(config) if isinstance(room, Dialect) else ErrorCache()
    if isinstance(room, Painting) and backend is None:
        _refuse_loose_cap(config)
        backend = _backend(config, notify)
    return Job(
        room,
        settings,
        model,
        config,
        brief,
        memory,
        judges=_judges(config, studio, notify),
        backend=backend,
        generations=generations,
        notify=notify,
    )


def _judges(config: Config, studio: str, notify: Notify) -> dict[str, Model]:
    """The models of judges that are not the run's own, by the judge's name."""
    from redraft.stages.ideate import SOLE

    scoring = config.prompt.scoring
    if not scoring.enabled:
        return {}
    named = {judge.name: judge.model or scoring.judge_model for judge in scoring.judges}
    wanted = named or {SOLE: scoring.judge_model}
    return {
        judge: open_model(config.model_copy(update={"model": name}), studio, notify=notify)
        for judge, name in wanted.items()
        if name is not None
    }


def _refuse_loose_cap(config: Config) -> None:
    """A cap on money that a picture cannot be held to is no cap. What the sketch studio draws is counted as it goes."""
    cap, painter, price = config.budget.cost, config.images.backend, config.images.price
    if cap is None or painter == "sketch":
        return
    if price is None:
        raise ConfigError(
            f"budget.cost is {cap} US dollars, but what a picture by {painter} costs is not known beforehand, so the "
            "cap cannot be kept. Set images.price (0 if it costs nothing), or drop the cap."
        )
    if price > cap:
        raise ConfigError(f"budget.cost is {cap} US dollars, and a picture by {painter} costs {price} (images.price).")


def _backend(config: Config, notify: Notify) -> ImageBackend:
    """What paints. Raises `ConfigError` or `MissingPartError`."""
    from redraft.imaging.registry import open_backend

    async def draw(request: ImageRequest) -> bytes:
        return await _drawn(request, config, notify)

    return open_backend(config.images, draw=draw, folder=Path())


async def _drawn(request: ImageRequest, config: Config, notify: Notify) -> bytes:
    """A prompt as the sketch studio draws it, in a run of its own that leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="redraft-drawing-", ignore_cleanup_errors=True) as place:
        try:
            result = await arun(
                "sketch",
                request.prompt,
                config=Config(
                    model=config.images.sketch_model,
                    models=config.models,
                    seed=request.seed,
                    studios={"sketch": {"size": min(request.width, request.height)}},
                ),
                described=True,
                out=Path(place) / "drawing",
                notify=notify,
            )
        except BriefError as error:
            raise ImageBackendError(
                f"The sketch studio cannot draw this prompt: {error} Have something else paint it: redraft resume RUN "
                "--backend NAME."
            ) from error
        if "png" not in result.files:
            said = "nothing ran" if result.error is None else str(result.error["message"])
            raise ImageBackendError(f"The sketch studio drew nothing: {said}")
        return result.files["png"].read_bytes()


def _memory(config: Config) -> ErrorCache:
    """The fix memory; a password that is not in the record of a resumed run is that of REDIS_URL."""
    from redraft.memory.registry import open_error_cache

    return open_error_cache("auto" if HIDDEN in config.memory else config.memory)


def _settings(
    studio: Studio[Any, Any], section: Mapping[str, JsonValue], report: ConfigReport | None = None
) -> StudioSettings:
    try:
        return studio.settings_model.model_validate(section)
    except ValidationError as error:
        sources = {} if report is None else report.sources
        prefix = f"studios.{studio.name}."
        known = [prefix + name for name in studio.settings_model.model_fields]
        raise ConfigError("\n".join(explain(error, sources, prefix, known))) from error


def _recorded_config(start: RunStarted, run: Path) -> Config:
    try:
        return Config.model_validate(start.config)
    except ValidationError as error:
        raise RunFormatError(
            f"{run}: its settings are not ones this redraft knows ({'; '.join(explain(error))}). "
            f"It was made by redraft {start.redraft}."
        ) from error
