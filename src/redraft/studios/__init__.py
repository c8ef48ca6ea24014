"""The studios, built in or installed: found by name under the entry point group `redraft.studios`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from redraft.errors import ConfigError, MissingPartError
from redraft.extras import entry_points

if TYPE_CHECKING:  # pydantic and the settings take longer to load than a list of names may
    from pydantic import JsonValue

    from redraft.config import ConfigReport
    from redraft.studios.base import Studio
    from redraft.studios.requests import StudioSettings

GROUP = "redraft.studios"


def extension(group: str, name: str) -> Any:
    """Return what is installed under a group by this name, such as the commands of a studio; None without it.

    Raises:
        MissingPartError: what it needs is not installed.
    """
    point = next((point for point in entry_points(group=group) if point.name == name), None)
    if point is None:
        return None
    try:
        return point.load()
    except ImportError as error:
        extra = name if point.value.startswith("redraft.") else ""
        raise MissingPartError.of(f"The {name} studio", error, extra) from error


def studio_names() -> tuple[str, ...]:
    """Return the names of the installed studios, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def open_studio(name: str) -> Studio[Any, Any]:
    """Return a studio by name.

    Raises:
        ConfigError: there is none of that name. MissingPartError: a library that it needs is not installed.
    """
    refuse_unknown([name])
    return extension(GROUP, name)


def refuse_unknown(names: Iterable[str]) -> None:
    """Raise `ConfigError` for the first name that is not a studio's."""
    known = studio_names()
    for name in names:
        if name not in known:
            raise ConfigError(f"Unknown studio {name!r}; installed: {', '.join(known)}.")


def settings_of(
    studio: Studio[Any, Any], section: Mapping[str, JsonValue], report: ConfigReport | None = None
) -> StudioSettings:
    """Return a studio's own settings, checked. Raises `ConfigError`."""
    from pydantic import ValidationError

    from redraft.config import explain

    try:
        return studio.settings_model.model_validate(section)
    except ValidationError as error:
        sources = {} if report is None else report.sources
        prefix = f"studios.{studio.name}."
        known = [prefix + name for name in studio.settings_model.model_fields]
        raise ConfigError("\n".join(explain(error, sources, prefix, known))) from error
