"""The composition root: from a configuration to models, memory, studios and runs.

Command line, MCP and the Python API call these functions and nothing below them. Heavy parts are imported when used.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal

import anyio
from pydantic import JsonValue

from redraft.brief import Brief
from redraft.config import COMMAND_LINE, Config, ConfigReport, load, refuse_unused, with_caps
from redraft.errors import BriefError, ConfigError, ImageBackendError, MissingPartError, RunError
from redraft.events import Event
from redraft.files import dated, give_back, refuse_used, run_folder
from redraft.imaging.base import Tell, nobody
from redraft.jobs import generations_of, job_of, open_model, open_studio, settings_of, studio_names
from redraft.journal import Clock, system_clock
from redraft.recorded import came_from, recorded_brief, recorded_concepts, recorded_config, recorded_path
from redraft.result import Result
from redraft.scoring.profile import TasteProfile

if TYPE_CHECKING:
    from redraft.imaging.base import ImageBackend, ImageRequest
    from redraft.models.base import Model

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

CUSTOM_MODEL = "custom"
"""How a model given as a Python object stands in the record; only the same program can resume such a run."""


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
    sections = {name: settings_of(open_studio(name), report.config.studios.get(name, {})) for name in studio_names()}
    studios = {name: section.model_dump(mode="json") for name, section in sections.items()}
    return ConfigReport(report.config.model_copy(update={"studios": studios}), report.sources).lines()


def config_report(file: Path | None = None, overrides: Mapping[str, JsonValue] | None = None) -> ConfigReport:
    """The settings in force with where each came from, the studios' own sections checked too."""
    report = load(file, overrides)
    known = studio_names()
    for name, section in report.config.studios.items():
        if name not in known:
            raise ConfigError(f"studios.{name}: there is no such studio; installed: {', '.join(known)}.")
        settings_of(open_studio(name), section, report)
    return report


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
    notify: Tell = nobody,
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
        job = job_of(
            studio,
            model,
            settings,
            brief,
            draw=_hand(settings, notify),
            backend=backend,
            generations=generations,
            notify=notify,
        )
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
    notify: Tell = nobody,
) -> Result:
    """Go on with a run that was interrupted; no finished effect is repeated.

    `caps` replace those of the run's budget (`calls`, `tokens`, `cost`), `backend` what paints: all else is as it was.

    Raises:
        RunNotFoundError, RunFormatError, RunLockedError, ResumeDivergedError.
    """
    folder = run_folder(run)
    start, on = came_from(folder)
    open_studio(start.studio)
    from redraft.runs import work

    config = with_caps(recorded_config(start, run), caps or {})
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
    generations = recorded_path(start, "generations", folder)
    brief = recorded_brief(start, on, folder)
    job = job_of(
        start.studio,
        model,
        config,
        brief,
        draw=_hand(config, notify),
        backend=backend,
        generations=generations,
        notify=notify,
    )
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
    target, start, before = run_folder(run), *came_from(run_folder(run))
    for done in range(steps):
        if before is None:
            many = "no earlier step" if done == 0 else f"only {done} earlier step{'s' if done > 1 else ''}"
            raise RunError(f"{run} has {many}, so {steps} cannot be undone.")
        target, start, before = before, *came_from(before)
    with _folder(out, target.parent, clock(), f"undo {steps}") as folder:
        refuse_used(folder)
        artifact = open_studio(start.studio).open(Brief(instruction="undo", on=target))
        # The studio's settings are the run's own: what is made for the delivery is as large as it was.
        config = Config(model=CUSTOM_MODEL, seed=start.seed, studios=recorded_config(start, target).studios)
        brief = Brief(instruction=f"undo {steps}", on=before, concepts=recorded_concepts(start))
        job = job_of(start.studio, ScriptedModel([], name="none"), config, brief, draw=_hand(config, nobody))
        return anyio.run(redeliver, job, artifact, target, folder, observer, clock)


def _refuse_strange_program(config: Config, run: Path) -> None:
    """A run folder may be somebody else's, and names the program that paints: only one's own is started."""
    named = config.images.backend
    if named.startswith("command:") and load_config().images.backend != named:
        raise ConfigError(
            f"{run} has its picture painted by the program {named.removeprefix('command:')!r}. A record does not start "
            f"programs; if you want it, say so yourself: redraft resume {quote(str(run))} --backend {quote(named)}"
        )


def write_report(run: Path) -> Path:
    """Write `report.html` of a run, finished or not, and give its path."""
    from redraft.report.page import write_page
    from redraft.transcript import Run

    return write_page(Run.load(run_folder(run)))


def _hand(config: Config, notify: Tell) -> Callable[[ImageRequest], Awaitable[bytes]]:
    """What draws for the embedded image backend, so that no studio need know another."""

    async def draw(request: ImageRequest) -> bytes:
        return await _drawn(request, config, notify)

    return draw


async def _drawn(request: ImageRequest, config: Config, notify: Tell) -> bytes:
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
                    budget=config.budget,
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
