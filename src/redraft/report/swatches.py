"""The colours that a few words name, as dots beside them: “storm grey and brass” has one, “deep teal” another."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Swatch", "swatch"]

MOST = 4
"""Colours of one text."""
LONGEST = 3
"""Words that one colour may take: “pale sky blue”."""

_BETWEEN = re.compile(r"[^a-z\s-]+")
"""What parts colours in a list: “red, green” are two, “navy blue” is one."""
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True)
class Swatch:
    """A text, and the colours in it as `#rrggbb`, in its order."""

    text: str
    colours: tuple[str, ...] = ()


def swatch(text: str, *, coloured: bool = True) -> Swatch:
    """The colours of a text. They adorn it; where the lexicon of colours is not installed there are none."""
    return Swatch(text, tuple(_colours(text))) if coloured else Swatch(text)


def _colours(text: str) -> list[str]:
    try:
        from redraft.offline.lexicon.palette import hex_of
    except ImportError:  # it comes with the studios that draw
        return []
    found: list[str] = []
    for part in _BETWEEN.split(text.lower()):
        words = _WORD.findall(part)
        while words:
            taken = next((n for n in range(min(LONGEST, len(words)), 0, -1) if hex_of(" ".join(words[:n]))), 0)
            found += [colour] if (colour := hex_of(" ".join(words[:taken]))) else []
            words = words[max(1, taken) :]
    return list(dict.fromkeys(found))[:MOST]
