"""Prompts as sentences, for the offline model: what to leave out, and what to shorten last."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from redraft.studios.image.distaste import found_disliked
from redraft.studios.image.prose import Prose

__all__ = ["MOST", "fitted", "sentences", "without"]

MOST = 120
"""Words of a prompt."""
_END = re.compile(r"(?<=[.!?])\s+(?=[\"“A-Z0-9])")


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line and with its stop."""
    found = [part.strip() for part in _END.split(" ".join(text.split())) if part.strip()]
    return [part if part[-1] in '.!?"”' else f"{part}." for part in found]


def without(text: str, disliked: Sequence[str], concepts: Sequence[str]) -> str:
    """The text without the parts of sentences in which something disliked stands, unless it was asked for."""
    kept = [_without(sentence, disliked, concepts) for sentence in sentences(text)]
    return " ".join(sentence for sentence in kept if sentence)


def _without(sentence: str, disliked: Sequence[str], concepts: Sequence[str]) -> str:
    """A list loses the entries that are disliked; a sentence in which nothing else is left goes whole."""
    if not found_disliked(disliked, Prose(sentence), concepts):
        return sentence
    parts = re.split(r",\s+(?:and\s+)?", sentence.rstrip("."))
    left = [part for part in parts if not found_disliked(disliked, Prose(part), concepts)]
    if not left or left[0] != parts[0]:
        return ""
    return (", ".join(left[:-1]) + ", and " + left[-1] if len(left) > 1 else left[0]) + "."


def fitted(text: str, *, keep: Callable[[str], bool]) -> str:
    """At most `MOST` words: sentences are left out from the end, but none without which `keep` no longer holds."""
    parts = sentences(text)
    for at in range(len(parts) - 1, 0, -1):
        if sum(len(part.split()) for part in parts) <= MOST:
            break
        shorter = parts[:at] + parts[at + 1 :]
        if keep(" ".join(shorter)):
            parts = shorter
    return " ".join(parts)
