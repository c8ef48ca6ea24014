"""The generations CSV: what was made, one row each. Read from its end, written under a lock, whole rows only."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

__all__ = ["COLUMNS", "Generation", "append_generation", "read_recent"]

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
    """The last `window` rows, oldest first; all of them for None. Only the end of the file is read for a window.

    Raises:
        HistoryError: missing, empty, unreadable, broken quoting, other columns; with the path and the reason.
    """
    raise NotImplementedError


def append_generation(path: Path, row: Generation) -> bool:
    """Add a row (RFC 4180), with the header where the file is new; False when this generation is there already.

    Locked against other processes; the file is the old one or has the whole row, never half of it.

    Raises:
        HistoryError: another program's columns, a file that does not end where a row ends, no room, no permission.
    """
    raise NotImplementedError
