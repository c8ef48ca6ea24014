"""What a brief and its edits ask for: the reading, made ready for three dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.english.grammar import read
from redraft.offline.scene.changes import change
from redraft.offline.scene.colours import colour_of
from redraft.offline.scene.cutout import block
from redraft.offline.scene.reading import take
from redraft.offline.scene.setting import fills, without_light
from redraft.offline.scene.wanted import Wish, Wishes

__all__ = ["wishes"]

UNKNOWN = "Nothing of the words is known: a block says them."


def wishes(brief: str, edits: Sequence[str] = ()) -> Wishes:
    """Read a brief, and what was said to it since.

    Raises:
        ContradictionError: the words exclude each other.
    """
    found = Wishes(brief, words=brief)
    take(found, read(without_light(brief)))
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
        take(found, read(f"{count} {noun}s" if count > 1 else f"a {noun}"))
        return
    solid = block(found.brief)
    found.things["words"] = Wish("words", solid.name, solid, colour=colour_of(solid.colour) or "#808080", note=UNKNOWN)
