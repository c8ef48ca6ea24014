"""What a brief asks a drawing for, as far as a drawing may be held to it.

What a person asks for is meant to the letter. A description of a picture, such as an image prompt ("birds cross a storm
in one broken line … pewter and ink, the sea a few curling lines"), is not: read as a list, it asks for one line, one
ink, and birds inside the line. Of that nothing is held for certain: a drawing of it is checked, solved and repaired by
the rules that need no brief, and what it says stands under what was not checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from redraft.brief import Brief
from redraft.errors import ContradictionError
from redraft.spatial.reading import Reading
from redraft.spatial.relations import read

__all__ = ["reading_of"]

_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\S)")


def reading_of(brief: Brief, present: Sequence[str] = ()) -> Reading:
    """The brief as data; of a description every constraint uncertain, and no colour.

    Raises:
        ContradictionError: the words of a brief that is no description exclude each other.
    """
    if not brief.described:
        return read(brief.instruction, present=present)
    try:
        return _softened(read(brief.instruction, present=present))
    except ContradictionError:
        return Reading(text=brief.instruction, unchecked=tuple(_SENTENCES.split(brief.instruction)))


def _softened(reading: Reading) -> Reading:
    colours = [f"{m.colour} {m.noun}" for m in reading.mentions if m.colour]
    return replace(
        reading,
        mentions=tuple(replace(mention, colour=None) for mention in reading.mentions),
        constraints=tuple(replace(constraint, certain=False) for constraint in reading.constraints),
        unchecked=tuple(dict.fromkeys((*reading.unchecked, *colours))),
    )
