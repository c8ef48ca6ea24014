"""A prompt as words: sentences, and where in them a word stands, in whichever form it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from redraft.ideas.words import folded, forms, singular, words

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
    name: value
    for value, names in enumerate(
        (
            *("zero", "one single lone solitary", "two pair couple both twin twins duo"),
            *("three trio triplet triplets", "four quartet", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
            *("twelve dozen", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
            "twenty",
        )
    )
    for name in names.split()
}
_SPELLINGS = {"gray": "grey", "color": "colour", "center": "centre", "theater": "theatre", "harbor": "harbour"}
_SENTENCE_END = re.compile(r"(?<=[.!?])[\s\"'”’)]+|[\n;]")
_CLAUSE_END = re.compile(r"[,:()—]|\s[–-]\s")


@lru_cache(maxsize=20_000)
def _known(word: str) -> frozenset[str]:
    """Every form that a word may be one of: its own, its singular, the other spelling."""
    own = forms(word) | {singular(word)}
    if len(word) > 6 and word.endswith("ic"):
        own |= {word[:-2] + "y"}  # melancholic, melancholy
    return own | {_SPELLINGS[form] for form in own if form in _SPELLINGS}


def value_of(word: str) -> int | None:
    """The whole number that a word says: "three", "3", "pair"; None for any other."""
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 10 else _NUMBERS.get(word)


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
        """Indices of a word, in any form."""
        return (at for at, own in enumerate(self.words) if same(word, own))


@dataclass(frozen=True)
class Prose:
    """A whole text."""

    text: str

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        return tuple(sentence_of(part) for part in _SENTENCE_END.split(self.text) if part.strip())

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


def sentence_of(text: str) -> Sentence:
    found: list[str] = []
    breaks: set[int] = set()
    for part in _CLAUSE_END.split(text):
        found += words(part)
        breaks.add(len(found) - 1)
    return Sentence(text, tuple(found), frozenset(breaks))
