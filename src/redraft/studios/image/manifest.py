"""`titles_manifest.csv`: pictures numbered in the order they were made, each with a short title made by code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from redraft.errors import HistoryError
from redraft.scoring.history import Generation
from redraft.studios.image.titles import title_of
from redraft.tables import Table

__all__ = ["COLUMNS", "Title", "append_title", "title_of"]

COLUMNS = ("seq", "title", "generation_id", "image_path", "created_at")


class Title(BaseModel):
    """One row."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seq: int
    """1, 2 …"""
    title: str
    generation_id: str
    image_path: str
    """As in the generations CSV."""
    created_at: str
    """ISO 8601, UTC."""


def append_title(path: Path, title: str, generation: Generation) -> int:
    """Number a picture, and say its number: one more than the last row's, or the one that it has already.

    Raises:
        HistoryError: as `append_generation`; or the last row has no number.
    """

    def make(last: Mapping[str, str] | None) -> Title:
        return Title(
            seq=_number(last["seq"]) + 1 if last else 1,
            title=title,
            generation_id=generation.generation_id,
            image_path=generation.image_path,
            created_at=generation.created_at,
        )

    _TITLES.add(path, generation.generation_id, make)
    row = _TITLES.find(path, generation.generation_id)
    if row is None:
        raise HistoryError(
            f"{path.resolve()}: the row of {generation.generation_id!r} was taken out by another program."
        )
    return row.seq


def _number(text: str) -> int:
    """Raises `ValueError`."""
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise ValueError(f"seq is {text[:40]!r}; a whole number is wanted")
    return int(text)


def _fields(row: Title) -> dict[str, str]:
    return {**row.model_dump(), "seq": str(row.seq)}


def _title(fields: Mapping[str, str]) -> Title:
    """Raises `ValueError`."""
    texts = {name: fields[name] for name in COLUMNS[1:]}
    return Title.model_validate({"seq": _number(fields["seq"]), **texts})


_TITLES = Table("titles", COLUMNS, "generation_id", _title, _fields)
