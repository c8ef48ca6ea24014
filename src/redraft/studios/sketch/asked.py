"""What a brief asks a drawing for, as far as a drawing may be held to it.

A short brief is a list of what is wanted, and is meant to the letter. Prose that describes a picture ("birds cross a
storm in one broken line … pewter and ink, the sea a few curling lines") is not: read as a list, it asks for one line,
one ink, and birds inside the line. Of prose nothing is held for certain, so that it is checked, solved and repaired by
the rules that need no brief, and what it says stands under what was not checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from redraft.errors import ContradictionError
from redraft.spatial.reading import Reading
from redraft.spatial.relations import read

__all__ = ["PROSE", "is_prose", "reading_of"]

PROSE = 35
"""Words, beyond which several sentences are a description."""

_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\S)")


def reading_of(instruction: str, present: Sequence[str] = ()) -> Reading:
    """The brief as data; of prose, every constraint uncertain and no colour.

    Raises:
        ContradictionError: the words of a brief that is no prose exclude each other.
    """
    if not is_prose(instruction):
        return read(instruction, present=present)
    try:
        return _softened(read(instruction, present=present))
    except ContradictionError:
        return Reading(text=instruction, unchecked=tuple(_SENTENCES.split(instruction.strip())))


def is_prose(instruction: str) -> bool:
    """Whether a brief describes a picture: more than `PROSE` words, in two sentences or more."""
    return len(instruction.split()) > PROSE and len(_SENTENCES.split(instruction.strip())) > 1


def _softened(reading: Reading) -> Reading:
    colours = [f"{m.colour} {m.noun}" for m in reading.mentions if m.colour]
    return replace(
        reading,
        mentions=tuple(replace(mention, colour=None) for mention in reading.mentions),
        constraints=tuple(replace(constraint, certain=False) for constraint in reading.constraints),
        unchecked=tuple(dict.fromkeys((*reading.unchecked, *colours))),
    )
