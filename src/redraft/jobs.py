"""What a run is made of, found and put together: studio, settings, models, memory, what paints.

Everything that is missing or cannot be honoured is said here, before any model is asked. Heavy parts are imported when
used.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue, ValidationError

from redraft.brief import Brief
from redraft.config import HIDDEN, Config, ConfigReport, explain
from redraft.errors import BriefError, ConfigError, MissingPartError
from redraft.imaging.base import Tell, nobody

if TYPE_CHECKING:
    from redraft.imaging.base import ImageBackend
    from redraft.imaging.registry import Draw
    from redraft.memory.error_cache import ErrorCache
    from redraft.models.base import Model
    from redraft.runs import Job
    from redraft.studios.base import Studio, StudioSettings

__all__ = ["generations_of", "job_of", "open_model", "open_studio", "settings_of", "studio_names"]

STUDIO_GROUP = "redraft.studios"
GENERATIONS = "generations.csv"


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


def open_model(config: Config, studio: str, *, notify: Tell = nobody, run: str = "") -> Model:
    """The model that the configuration names, for a studio's requests.

    Raises `ConfigError` or `MissingPartError` before any call.
    """
    from redraft.models.registry import resolve

    offline = ("redraft.offline.ideas.answers", open_studio(studio).offline) if config.model == "offline" else ()
    return resolve(config.model, offline=tuple(filter(None, offline)), settings=config.models, notify=notify, run=run)


def generations_of(config: Config, studio: str) -> Path | None:
    """The list of what was made: as set, or beside the runs for a studio that lists what it makes."""
    from redraft.studios.base import Publishing

    if config.prompt.generations_path is not None:
        return Path(config.prompt.generations_path)
    return Path(config.out) / GENERATIONS if isinstance(open_studio(studio), Publishing) else None


def settings_of(
    studio: Studio[Any, Any], section: Mapping[str, JsonValue], report: ConfigReport | None = None
) -> StudioSettings:
    """A studio's own settings, checked. Raises `ConfigError`."""
    try:
        return studio.settings_model.model_validate(section)
    except ValidationError as error:
        sources = {} if report is None else report.sources
        prefix = f"studios.{studio.name}."
        known = [prefix + name for name in studio.settings_model.model_fields]
        raise ConfigError("\n".join(explain(error, sources, prefix, known))) from error


def job_of(
    studio: str,
    model: Model,
    config: Config,
    brief: Brief,
    *,
    draw: Draw | None = None,
    backend: ImageBackend | None = None,
    generations: Path | None = None,
    notify: Tell = nobody,
) -> Job:
    """A run's parts. `draw` is the hand of the embedded image backend; without it, or a `backend`, nothing is painted.

    Raises:
        ConfigError, BriefError, MissingPartError: something is wrong or missing.
    """
    from redraft.memory.error_cache import ErrorCache
    from redraft.runs import Job
    from redraft.studios.base import Dialect, Discovering, Painting, Prepared, Scored

    room = open_studio(studio)
    settings = settings_of(room, config.studios.get(studio, {}))
    for name, path, able in (("target", brief.target, Scored), ("reference", brief.reference, Discovering)):
        if path is not None and not isinstance(room, able):
            raise BriefError(f"The {studio} studio takes no {name}; given {path}. Leave it out.")
    if isinstance(room, Prepared):
        settings = room.prepare(settings, brief)
    memory = _memory(config) if isinstance(room, Dialect) else ErrorCache()
    if isinstance(room, Painting) and backend is None and draw is not None:
        from redraft.imaging.registry import open_backend

        _refuse_loose_cap(config)
        backend = open_backend(config.images, draw=draw, folder=Path())
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


def _judges(config: Config, studio: str, notify: Tell) -> dict[str, Model]:
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


def _memory(config: Config) -> ErrorCache:
    """The fix memory; a password that is not in the record of a resumed run is that of REDIS_URL."""
    from redraft.memory.error_cache import open_error_cache

    return open_error_cache("auto" if HIDDEN in config.memory else config.memory)
