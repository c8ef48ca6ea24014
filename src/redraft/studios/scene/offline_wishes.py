"""What a brief and its edits ask for: the reading, made ready for three dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.spatial import relations
from redraft.studios.scene.offline_changes import change
from redraft.studios.scene.offline_colours import colour_of
from redraft.studios.scene.offline_cutout import block
from redraft.studios.scene.offline_reading import take
from redraft.studios.scene.offline_setting import fills, without_light
from redraft.studios.scene.offline_wanted import Wish, Wishes

__all__ = ["wishes"]

UNKNOWN = "Nothing of the words is known: a block says them."


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
    if not found.things and not edits:
        _filled(found)
    return found


def _filled(found: Wishes) -> None:
    """Of a place alone what it is full of; of words that name nothing a block that says them."""
    there = fills(found.words)
    if there is not None:
        noun, count = there
        take(found, relations.read(f"{count} {noun}s" if count > 1 else f"a {noun}"))
        return
    solid = block(found.brief)
    found.things["words"] = Wish("words", solid.name, solid, colour=colour_of(solid.colour) or "#808080", note=UNKNOWN)
