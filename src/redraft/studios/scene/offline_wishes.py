"""What a brief and its edits ask for: the reading, made ready for three dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.spatial import relations
from redraft.studios.scene.offline_changes import change
from redraft.studios.scene.offline_reading import take
from redraft.studios.scene.offline_setting import without_light
from redraft.studios.scene.offline_wanted import Wishes

__all__ = ["wishes"]


def wishes(brief: str, edits: Sequence[str] = ()) -> Wishes:
    """Read a brief, and what was said to it since.

    Raises:
        ContradictionError: the words exclude each other.
    """
    found = Wishes(brief, words=brief)
    take(found, relations.read(without_light(brief)))
    for text in edits:
        found.words += f"\n{text}"
        change(found, text)
    return found
