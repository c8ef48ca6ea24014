"""A picture's rows beside those of other runs: the generations CSV, and `titles_manifest.csv` next to it.

The manifest numbers pictures in the order they were made; each has a title of at most six words, the first of an
idea's hook or else of the prompt.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from redraft.brief import Brief
from redraft.ideas.history import Generation, append_generation, check_generations
from redraft.record.tables import Table
from redraft.studios.base import Resources
from redraft.studios.image.spec import Painting
from redraft.studios.kinds import Publication

MAX_WORDS = 6
MAX_CHARACTERS = 80
"""For scripts without spaces, and words without end."""
UNTITLED = "Untitled"
PUNCTUATION = string.punctuation + "“”„‘’«»…—–。，、！？：；"


def title_of(prompt: str, hook: str) -> str:
    """Return the first six words of an idea's hook, else of the prompt, without punctuation around them."""
    for text in (hook, prompt):
        visible = "".join(c if c.isprintable() else " " for c in text)
        words = [word for word in (word.strip(PUNCTUATION) for word in visible.split()) if word][:MAX_WORDS]
        if title := " ".join(words)[:MAX_CHARACTERS].strip():
            return title[0].upper() + title[1:]
    return UNTITLED


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


def append_title(path: Path, title: str, generation: Generation) -> None:
    """Number a picture that has no row yet: one more than the last row's number.

    Raises:
        HistoryError: as `append_generation`; or the last row has no number.
    """

    def make(last: Mapping[str, str] | None) -> Title:
        return Title(
            seq=_next(last),
            title=title,
            generation_id=generation.generation_id,
            image_path=generation.image_path,
            created_at=generation.created_at,
        )

    _TITLES.add(path, generation.generation_id, make)


def _next(last: Mapping[str, str] | None) -> int:
    """The number after that of the last row. Raises `ValueError`."""
    return _number(last["seq"]) + 1 if last else 1


def _number(text: str) -> int:
    """Raises `ValueError`."""
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise ValueError(f"seq is {text[:40]!r}; expected a whole number")
    return int(text)


def _fields(row: Title) -> dict[str, str]:
    return {**row.model_dump(), "seq": str(row.seq)}


def _title(fields: Mapping[str, str]) -> Title:
    """Raises `ValueError`."""
    texts = {name: fields[name] for name in COLUMNS[1:]}
    return Title.model_validate({"seq": _number(fields["seq"]), **texts})


_TITLES = Table("titles", COLUMNS, "generation_id", _title, _fields)


MANIFEST = "titles_manifest.csv"
"""Beside the generations CSV."""


def check_lists(generations: Path) -> None:
    """Check that a picture can be listed: both files are ours or new, and writable. Raises `HistoryError`."""
    check_generations(generations)
    _TITLES.check(generations.with_name(MANIFEST), _next)


def publish(artifact: Painting, brief: Brief, resources: Resources, where: Publication) -> dict[str, Path]:
    """List a painted picture, once. Paths of the two lists by role. Raises `HistoryError`."""
    if not artifact.picture:
        return {}
    row = Generation(
        generation_id=f"{resources.run}-{where.started:%Y%m%dT%H%M%S%f}",
        selected_concepts=brief.concepts or (brief.instruction,),
        final_image_prompt=artifact.prompt,
        image_path=_as_listed(where.folder / "image.png", where.generations.parent),
        created_at=where.started.isoformat(),
        seed=resources.seed,
    )
    titles = where.generations.with_name(MANIFEST)
    append_generation(where.generations, row)
    append_title(titles, title_of(artifact.prompt, where.hook), row)
    return {"generations": where.generations, "titles": titles}


def _as_listed(image: Path, folder: Path) -> str:
    """Relative where it lies below the list, so that both can be moved together."""
    image, folder = image.resolve(), folder.resolve()
    return image.relative_to(folder).as_posix() if image.is_relative_to(folder) else image.as_posix()
