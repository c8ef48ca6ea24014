"""A text as rows of words that can be counted: singular, folded, parted where phrases end, without what is negated.

"No people", "avoid neon" and "not a photograph" say what a picture is not; those words are left out. How far a negation
reaches is a rule of thumb: "no", "not" and the like as far as the noun they stand before, "without" over an "and" too,
"avoid" to the end of its sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from redraft.english.words import singular
from redraft.scoring.word_forms import is_stop, words

__all__ = ["Phrases", "clauses", "one"]

LONGEST_LIST = 20
"""Things that one "no" may stand before."""

_SENTENCES = re.compile(r"[.!?](?=\s|$)|[;\n\r。！？；]")
_PARTS = re.compile(r"[,:()\[\]{}|/…、，：•]|\s[-–—]+\s|—|[.](?=\s|$)")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NO = _set("no not never neither nor non dont doesnt isnt arent wont cant cannot nothing")
_WITHOUT = _set("without lacking minus")
_OF = {("instead", "of"), ("rather", "than"), ("free", "of"), ("devoid", "of"), ("lack", "of"), ("absence", "of")}
_AVOID = _set("avoid avoids avoiding exclude excludes excluding omit omitting")
_NOT_ONLY = _set("only just merely simply but even least less")
_TURNS = _set("but yet however although")
_ENDS = _set(
    "in on at under with against during amid above below beside near behind before after through over along across "
    "while as which that where inside around beneath beyond within for from"
)
"""What follows the noun that "no" stands before."""


@dataclass(frozen=True)
class Phrases:
    """Rows of singular words, and what they are called."""

    names: Mapping[tuple[str, ...], str]

    @classmethod
    def of(cls, table: Mapping[str, Sequence[str]]) -> Phrases:
        """From names with the phrases that mean them."""
        return cls({tuple(map(one, words(phrase))): name for name, said in table.items() for phrase in said})

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.names), default=0)

    def spotted(self, row: Sequence[str]) -> list[tuple[range, str]]:
        """Which of them stand in a row, and where: from left to right, the longest first, none within another."""
        found: list[tuple[range, str]] = []
        at = 0
        while at < len(row):
            sizes = range(min(self._longest, len(row) - at), 0, -1)
            size = next((size for size in sizes if tuple(row[at : at + size]) in self.names), 0)
            if size:
                found.append((range(at, at + size), self.names[tuple(row[at : at + size])]))
            at += size or 1
        return found


@lru_cache(maxsize=50_000)
def one(word: str) -> str:
    """The singular of a folded word."""
    return word if is_stop(word) else singular(word)[0]


def clauses(text: str) -> Iterator[list[str]]:
    """Rows of words that stand together and are not negated; stop words stand in them too."""
    for sentence in _SENTENCES.split(unicodedata.normalize("NFKC", text)):
        yield from _affirmed([words(part) for part in _PARTS.split(sentence)])


def _affirmed(parts: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """What the parts of one sentence say there is."""
    reach = _Reach()
    for number, part in enumerate(parts):
        if reach.goes_on(parts, number):
            continue
        row: list[str] = []
        for at, word in enumerate(part):
            following = part[at + 1] if at + 1 < len(part) else ""
            if word == "free" and following != "of" and row:  # "neon-free"
                row.pop()
            elif reach.takes(word, following):
                if row:
                    yield row
                row = []
            else:
                row.append(one(word))
        if row:
            yield row


class _Reach:
    """How far a negation goes, word by word through a sentence."""

    def __init__(self) -> None:
        self._kind = ""
        self._said = False
        """Whether what is negated has been named."""
        self._listed = 0
        """How many further parts of the sentence belong to a list that was negated."""

    def takes(self, word: str, following: str) -> bool:
        """Whether a word is negated, or itself negates."""
        kind = _kind_of(word, following)
        if kind:
            self._kind, self._said = kind, False
        elif self._ends(word):
            self._kind = ""
        elif self._kind:
            self._said = self._said or not is_stop(word)
        return bool(self._kind)

    def goes_on(self, parts: Sequence[Sequence[str]], number: int) -> bool:
        """At the beginning of a part: whether all of it is negated by what came before ("no people, cars, or text")."""
        if self._kind == "avoid":
            return False  # its own words are taken one by one
        if self._listed:
            self._listed -= 1
            return True
        if not self._kind:
            return False
        self._kind = ""
        short = list(takewhile(lambda part: 0 < len(part) <= 3, islice(parts, number, number + LONGEST_LIST)))
        ends = [n for n, part in enumerate(short) if {"or", "nor"} & set(part)]
        self._listed = ends[0] if ends else 0
        return bool(ends)

    def _ends(self, word: str) -> bool:
        if self._kind == "avoid":
            return word in _TURNS
        return word in _TURNS or (self._said and (word in _ENDS or (word == "and" and self._kind == "no")))


def _kind_of(word: str, following: str) -> str:
    if word in _AVOID:
        return "avoid"
    if word in _WITHOUT or (word, following) in _OF:
        return "without"
    return "no" if word in _NO and following not in _NOT_ONLY else ""
