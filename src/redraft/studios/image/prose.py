"""A prompt as words: sentences, and where in them a word stands, in whichever form it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from redraft.english.numbers import number
from redraft.english.words import singular
from redraft.scoring.words import folded, forms, words

__all__ = ["PLACES", "Prose", "Sentence", "same", "value_of"]

PLACES: dict[str, frozenset[str]] = {
    name: frozenset(said.split())
    for name, said in {
        "left": "left leftmost lefthand",
        "right": "right rightmost righthand",
        "above": "above over overhead atop",
        "below": "below under beneath underneath underfoot",
        "behind": "behind beyond background backdrop back",
        "front": "front before foreground",
        "between": "between amid amidst among middle flanked",
        "beside": "beside next alongside adjacent near nearby by side sides neighbouring",
        "near": "near nearby close beside next by",
        "far": "far distant distance away remote afar",
        "inside": "inside within in into interior",
        "top": "top atop upper on upon crown crowned",
        "bottom": "bottom lower foot base",
        "center": "center centre middle central centrally midst centered centred",
    }.items()
}
"""Words of place, each with those that say the same."""

_NUMBERS = {
    "pair": 2, "couple": 2, "both": 2, "twin": 2, "twins": 2, "duo": 2, "trio": 3, "triplet": 3, "triplets": 3,
    "quartet": 4, "dozen": 12, "single": 1, "lone": 1, "solitary": 1,
}  # fmt: skip
_SPELT = {"gray": "grey", "color": "colour", "center": "centre", "theater": "theatre", "harbor": "harbour"}
_END = re.compile(r"(?<=[.!?])[\s\"'”’)]+|[\n;]")
_PART = re.compile(r"[,:()—]|\s[–-]\s")


@lru_cache(maxsize=20_000)
def _known(word: str) -> frozenset[str]:
    """Every form that a word may be one of: its own, its singular, the other spelling."""
    own = forms(word) | {singular(word)[0]}
    if len(word) > 6 and word.endswith("ic"):
        own |= {word[:-2] + "y"}  # melancholic, melancholy
    return own | {_SPELT[form] for form in own if form in _SPELT}


@lru_cache(maxsize=20_000)
def value_of(word: str) -> int | None:
    """The whole number that a word says: "three", "3", "pair"; None for any other."""
    value = number(word)
    if value is not None and value == int(value):
        return int(value)
    return _NUMBERS.get(word)


def same(a: str, b: str) -> bool:
    """Whether two words are forms of one: plural, verb, number, place, spelling."""
    value = value_of(a)
    if value is not None:
        return value == value_of(b)
    return b in PLACES.get(a, ()) or not _known(a).isdisjoint(_known(b))


@dataclass(frozen=True)
class Sentence:
    """One sentence: its words, and after which of them a comma or the like stands."""

    text: str
    words: tuple[str, ...]
    breaks: frozenset[int]

    def places(self, word: str) -> Iterator[int]:
        """Where a word stands, in any form."""
        return (at for at, own in enumerate(self.words) if same(word, own))


@dataclass(frozen=True)
class Prose:
    """A whole text."""

    text: str

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(_sentence(part) for part in _END.split(self.text) if part.strip())

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(word for sentence in self.sentences for word in sentence.words)

    @cached_property
    def folded(self) -> str:
        return folded(self.text)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(self.words)

    def says(self, word: str) -> bool:
        """Whether a word stands in it, in any form; one of a script without spaces as a part of the text."""
        if not word.isascii() and word in self.folded:
            return True
        return any(same(word, own) for own in self._vocabulary)

    def says_joined(self, written: Sequence[str]) -> bool:
        """Whether words stand in it written as one, or one word as two: "teddybear", "light house"."""
        joined = "".join(written)
        if len(written) > 1:
            return self.says(joined)
        pairs = zip(self.words, self.words[1:], strict=False)
        return any(same(joined, a + b) for a, b in pairs)


def _sentence(text: str) -> Sentence:
    found: list[str] = []
    breaks: set[int] = set()
    for part in _PART.split(text):
        found += words(part)
        breaks.add(len(found) - 1)
    return Sentence(text, tuple(found), frozenset(breaks))
