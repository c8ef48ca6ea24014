"""Quotes: found in a brief after folding, and the stretches of it that none covers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from redraft.requirements.statement import Requirement

__all__ = ["Folded", "folded_quote", "quoted", "says", "uncovered", "unmeasured"]

_ALIKE = str.maketrans("\u2019\u2018\u201c\u201d\u201e\u00ab\u00bb\u2013\u2014\u2010\u2011\u2212", '\'\'"""""-----')


@dataclass(frozen=True)
class Folded:
    """A text, folded for comparison: letter by letter NFKD and casefolded, white space and dashes alike."""

    text: str
    folded: str
    places: tuple[tuple[int, int], ...]
    """Of each folded character, from where to where in the text the letter stands that it comes from."""

    @classmethod
    def of(cls, words: str) -> Folded:
        folded: list[str] = []
        places: list[tuple[int, int]] = []
        starts = [n for n, char in enumerate(words) if n == 0 or not unicodedata.combining(char)]
        for place in pairwise((*starts, len(words))):
            letter = words[slice(*place)]  # a character with the accents that follow it
            letter = "".join(c for c in letter if unicodedata.category(c) != "Cf")
            plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", letter).casefold())
            for char in plain.translate(_ALIKE):
                if not char.isspace():
                    folded.append(char)
                elif folded and folded[-1] != " ":
                    folded.append(" ")
                else:
                    continue
                places.append(place)
        return cls(words, "".join(folded), tuple(places))

    def find(self, quote: str) -> list[tuple[int, int]]:
        """Where a folded quote stands in the folded text; as whole words if it does anywhere."""
        spots: list[tuple[int, int]] = []
        at = self.folded.find(quote) if quote else -1
        while at >= 0:
            spots.append((at, at + len(quote)))
            at = self.folded.find(quote, at + len(quote))
        return [s for s in spots if not (_joined(self.folded, s[0]) or _joined(self.folded, s[1]))] or spots


def _joined(text: str, at: int) -> bool:
    """Whether a cut lies within a word, in a script that parts words by spaces."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if unicodedata.combining(after):
        return True
    wide = {unicodedata.east_asian_width(before), unicodedata.east_asian_width(after)} & {"W", "F"}
    return before.isalnum() and after.isalnum() and not wide


def _trimmed(text: str) -> str:
    """Without the white space, quotation marks and other punctuation around it."""
    low, high = 0, len(text)
    while low < high and unicodedata.category(text[low])[0] in "PZC":
        low += 1
    while high > low and unicodedata.category(text[high - 1])[0] in "PZC":
        high -= 1
    return text[low:high]


def folded_quote(quote: str) -> str:
    return _trimmed(Folded.of(quote).folded)


def quoted(brief: str, quote: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of a quote in a brief, in characters; none for a quote without words."""
    brief_words, words = Folded.of(brief), folded_quote(quote)
    if not any(c.isalnum() for c in words):
        return ()
    places = brief_words.places
    return tuple((places[start][0], places[end - 1][1]) for start, end in brief_words.find(words))


def says(brief: str, quote: str) -> bool:
    """Whether a brief contains a quote, which has words."""
    return bool(quoted(brief, quote))


def unmeasured(brief: str, requirements: Sequence[Requirement]) -> tuple[str, ...]:
    """The stretches of the brief that no requirement's quote covers."""
    return uncovered(brief, (r.quote for r in requirements))


_JOINING = re.compile(r"[a-z]{1,4}")


def uncovered(brief: str, quotes: Iterable[str]) -> tuple[str, ...]:
    """The stretches of the brief that no quote covers, as written.

    Punctuation is left out, and so is a short word alone between two quotes ("and", "und"), which joins them. One quote
    covers one place; the same words quoted again cover as many places as there are.
    """
    words = Folded.of(brief)
    free = bytearray(b"\1" * len(words.text))
    for quote, times in Counter(folded_quote(quote) for quote in quotes if quote).items():
        for start, end in words.find(quote)[:times]:
            low, high = words.places[start][0], words.places[end - 1][1]
            free[low:high] = bytes(high - low)
    found: list[str] = []
    for gap in re.finditer(b"\1+", free):
        stretch = " ".join(_trimmed(words.text[gap.start() : gap.end()]).split())
        inner = gap.start() > 0 and gap.end() < len(free)
        if any(c.isalnum() for c in stretch) and not (inner and _JOINING.fullmatch(stretch)):
            found.append(stretch)
    return tuple(found)
