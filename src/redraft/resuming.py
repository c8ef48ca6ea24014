"""The start of a run, read back from its record: to resume it, and to undo edits."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from redraft.brief import Brief
from redraft.config import Config, explain
from redraft.errors import RunFormatError
from redraft.events import RunStarted
from redraft.journal import EVENTS_FILE, read_events
from redraft.scoring.profile import TasteProfile

__all__ = ["came_from", "recorded_brief", "recorded_concepts", "recorded_config", "recorded_path"]


def came_from(folder: Path) -> tuple[RunStarted, Path | None]:
    """The start of a run, and the run that it continues."""
    events = read_events(folder)
    if not events or not isinstance(events[0], RunStarted):
        raise RunFormatError(f"{folder}: {EVENTS_FILE} does not begin with the start of a run. Start it anew.")
    return events[0], recorded_path(events[0], "on", folder)


def recorded_brief(start: RunStarted, on: Path | None, folder: Path) -> Brief:
    """The brief of a run. Raises `RunFormatError` for a record that was changed."""
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
    """The concepts of an image."""
    concepts = start.brief.get("concepts")
    return tuple(map(str, concepts)) if isinstance(concepts, list) else ()


def recorded_path(start: RunStarted, key: str, folder: Path) -> Path | None:
    """A path that the brief names, relative to the run's folder as it is written."""
    path = start.brief.get(key)
    return (folder / path).resolve() if isinstance(path, str) else None


def recorded_config(start: RunStarted, run: Path) -> Config:
    """The settings of a run. Raises `RunFormatError` for those that this redraft does not know."""
    try:
        return Config.model_validate(start.config)
    except ValidationError as error:
        raise RunFormatError(
            f"{run}: this redraft does not know its settings ({'; '.join(explain(error))}). "
            f"It was made by redraft {start.redraft}."
        ) from error
