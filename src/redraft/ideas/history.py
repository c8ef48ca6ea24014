"""The generations CSV: what was made, one row each, written under a lock, whole rows only."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from pydantic import BaseModel, ConfigDict

from redraft.record.tables import Table

COLUMNS = ("generation_id", "selected_concepts", "final_image_prompt", "image_path", "created_at", "seed")


class Generation(BaseModel):
    """One row."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    generation_id: str
    selected_concepts: tuple[str, ...]
    """A JSON list in the file."""
    final_image_prompt: str
    image_path: str
    """Relative to the CSV's folder where it lies below it, else absolute."""
    created_at: str
    """ISO 8601, UTC."""
    seed: int


def read_recent(path: Path, window: int | None) -> list[Generation]:
    """The last `window` rows, oldest first; all of them for None. Columns that were
    added to ours are ignored.

    Raises:
        HistoryError: missing, empty, unreadable, broken quoting, other columns; with the path and the reason.
    """
    return _GENERATIONS.last(path, window)


def append_generation(path: Path, row: Generation) -> bool:
    """Add a row (RFC 4180), with the header where the file is new; False when this generation is there already.

    Locked against other processes. Texts stand as they are, `=…` too; columns that were added to ours stay empty.

    Raises:
        HistoryError: another program's columns, a damaged row, no room, no permission, a row that cannot be written
            (no id, a text of over 100,000 characters).
    """
    return _GENERATIONS.add(path, row.generation_id, lambda _: row)


def check_generations(path: Path) -> None:
    """Check that a row can be added, before anything is made that would be listed. Raises `HistoryError`."""
    _GENERATIONS.check(path, lambda _: None)


def unreadable_generations(path: Path) -> str:
    """Return the reason that an existing list cannot be read; empty where it can be, or is new."""
    return _GENERATIONS.unreadable(path)


def _fields(row: Generation) -> dict[str, str]:
    concepts = json.dumps(row.selected_concepts, ensure_ascii=False)
    return {**row.model_dump(), "selected_concepts": concepts, "seed": str(row.seed)}


def _generation(fields: Mapping[str, str]) -> Generation:
    """Raises `ValueError`."""
    if not re.fullmatch(r"-?[0-9]{1,40}", fields["seed"]):
        raise ValueError(f"seed is {fields['seed'][:40]!r}; expected a whole number")
    return Generation(
        generation_id=fields["generation_id"],
        selected_concepts=_concepts(fields["selected_concepts"]),
        final_image_prompt=fields["final_image_prompt"],
        image_path=fields["image_path"],
        created_at=fields["created_at"],
        seed=int(fields["seed"]),
    )


def _concepts(text: str) -> tuple[str, ...]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, list) or not all(isinstance(item, str) for item in cast("list[object]", data)):
        raise ValueError(f'selected_concepts is {text[:40]!r}; expected a JSON list of texts, as in ["storm", "oak"]')
    return tuple(cast("list[str]", data))


_GENERATIONS = Table("generations", COLUMNS, "generation_id", _generation, _fields)
