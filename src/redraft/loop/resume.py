"""The start of a run, read back from its record, to resume the run or to undo its edits."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path

from pydantic import ValidationError

from redraft.brief import Brief
from redraft.config import GENERATIONS_FILE, Config, compared, explain, untrusted_in, value_at
from redraft.errors import RunFormatError
from redraft.ideas.profile import TasteProfile
from redraft.options import section_of
from redraft.record.events import RunStarted
from redraft.record.journal import EVENTS_FILE, read_events, refuse_links
from redraft.trust import Untrusted, is_harmless, is_inside, is_trusted, trust

PATHS = ("on", "source", "target", "reference", "generations")
"""Files that the brief of a record names."""


def read_start(folder: Path) -> tuple[RunStarted, Path | None]:
    """Return the start of a run, and the run that it continues. Raises `RunError` for a folder with links."""
    refuse_links(folder)
    events = read_events(folder)
    if not events or not isinstance(events[0], RunStarted):
        raise RunFormatError(f"{folder}: {EVENTS_FILE} does not begin with the start of a run. Start it anew.")
    return events[0], recorded_path(events[0], "on", folder)


def recorded_brief(start: RunStarted, on: Path | None, folder: Path) -> Brief:
    """Return the brief of a run. Raises `RunFormatError` for a record that was changed."""
    instruction = start.brief.get("instruction")
    if not isinstance(instruction, str):
        raise RunFormatError(f"{folder}: its record has no instruction. The file {EVENTS_FILE} was changed.")
    profile = start.brief.get("profile")
    try:
        return Brief.of(
            instruction,
            on=on,
            source=recorded_path(start, "source", folder),
            target=recorded_path(start, "target", folder),
            reference=recorded_path(start, "reference", folder),
            concepts=recorded_concepts(start),
            profile=None if profile is None else TasteProfile.model_validate_json(json.dumps(profile)),
            described=start.brief.get("described") is True,
        )
    except ValidationError as error:
        raise RunFormatError(f"{folder}: the profile in its record cannot be read ({error}).") from error


def recorded_concepts(start: RunStarted) -> tuple[str, ...]:
    """Return the concepts of an image."""
    concepts = start.brief.get("concepts")
    return tuple(map(str, concepts)) if isinstance(concepts, list) else ()


def recorded_path(start: RunStarted, key: str, folder: Path) -> Path | None:
    """Return a file that the brief names; the record has its path relative to the run's folder."""
    path = start.brief.get(key)
    return (folder / path).resolve() if isinstance(path, str) else None


def config_to_resume(
    start: RunStarted, run: Path, own: Config, *, chosen: Collection[str] = (), as_recorded: bool = False
) -> tuple[Config, list[Untrusted]]:
    """Return the settings that a run goes on with, and those of its record that do not count.

    Settings that shape the result come from the record. Those marked `Trusted` are the person's own, unless they are
    harmless, or the person started the run on this machine.

    Args:
        start: the first line of the record.
        run: the run's folder.
        own: the person's own settings.
        chosen: keys of `own` that were given for this run.
        as_recorded: the person has read the record's settings, and wants them.

    Raises:
        RunFormatError: the record has settings that this redraft does not know.
    """
    data, untrusted = recorded_config(start, run).model_dump(mode="json"), list[Untrusted]()
    started_here = is_trusted(run, _content(start))
    for setting in compared(data, own, section_of):
        key = setting.key
        if key not in chosen:
            if is_harmless(setting.mark, setting.value, setting.own, None):
                continue
            if setting.value not in (setting.own, setting.default):
                if as_recorded or (started_here and not setting.mark.each_time):
                    continue
                untrusted.append(Untrusted(key, setting.value, setting.mark.does))

        # The person's own value takes its place; `setting.own` would hide a password.
        section, _, name = key.rpartition(".")
        value = value_at(own, key)
        (value_at(data, section) if section else data)[name] = setting.own if value is None else value
    if not (started_here or as_recorded):
        untrusted += _files_elsewhere(start, run)
    return Config.model_validate(data), untrusted


def _files_elsewhere(start: RunStarted, run: Path) -> Iterator[Untrusted]:
    """Yield the files of a record's brief outside of its folder, other than its neighbors in a folder of runs."""
    runs = run.resolve().parent
    for name in PATHS:
        path = recorded_path(start, name, run)
        if path is None or is_inside(path, run):
            continue
        if path != runs / GENERATIONS_FILE and (name, path.parent) != ("on", runs):
            yield Untrusted(f"brief.{name}", str(path), "is outside of the run's folder")


def remember(run: Path) -> None:
    """Remember a run that the person started, so that it can be resumed as it is. Raises `ConfigError`."""
    start, _ = read_start(run)
    if [*untrusted_in(start.config, Config(), None, section_of), *_files_elsewhere(start, run)]:
        trust(run, _content(start))


def _content(start: RunStarted) -> bytes:
    """Return the bytes that stand for a run in the list of runs that the person trusts."""
    data = {"studio": start.studio, "brief": start.brief, "config": start.config}
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


def recorded_config(start: RunStarted, run: Path) -> Config:
    """Return the settings of a run. Raises `RunFormatError` for those that this redraft does not know."""
    try:
        return Config.model_validate(start.config)
    except ValidationError as error:
        raise RunFormatError(
            f"{run}: this redraft does not know its settings ({'; '.join(explain(error))}). "
            f"It was made by redraft {start.redraft}."
        ) from error
