"""Novelty by counting: words that recent prompts use again and again, and what a card loses for using them too.

`motifs.yaml` says what counts as one word, what is boilerplate of image prompts, and which words mean one thing to a
viewer (sunset, sunrise, dusk and golden hour are one motif). Words that are negated do not count ("no people", "avoid
neon"); how far a negation reaches is a rule of thumb: "no", "not" and the like as far as the noun they stand before,
"without" over an "and" too, "avoid" to the end of its sentence. No model is asked, and the same texts give the same
figures.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from itertools import islice, pairwise, takewhile
from math import sqrt
from typing import Any

from pydantic import BaseModel, ConfigDict

from redraft.ideas.cards import IdeaCard
from redraft.ideas.settings import NoveltySettings
from redraft.ideas.words import is_stop, singular, words
from redraft.yamldata import read_yaml

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
"""Words after the noun of a "no"."""


@dataclass(frozen=True)
class Phrases:
    """Rows of singular words, and what they are called."""

    names: Mapping[tuple[str, ...], str]

    @classmethod
    def of(cls, table: Mapping[str, Sequence[str]]) -> Phrases:
        """Read a table of names with the phrases that mean them."""
        return cls({tuple(map(singular, words(phrase))): name for name, said in table.items() for phrase in said})

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.names), default=0)

    def spotted(self, row: Sequence[str]) -> list[tuple[range, str]]:
        """Return the terms in a row of words with their places, left to right, the longest first, without overlaps."""
        found: list[tuple[range, str]] = []
        at = 0
        while at < len(row):
            sizes = range(min(self._longest, len(row) - at), 0, -1)
            size = next((size for size in sizes if tuple(row[at : at + size]) in self.names), 0)
            if size:
                found.append((range(at, at + size), self.names[tuple(row[at : at + size])]))
            at += size or 1
        return found


def clauses(text: str) -> Iterator[list[str]]:
    """Rows of words that stand together and are not negated; stop words stand in them too."""
    for sentence in _SENTENCES.split(unicodedata.normalize("NFKC", text)):
        yield from _affirmed([words(part) for part in _PARTS.split(sentence)])


def _affirmed(parts: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Return the affirmed words of the parts of one sentence."""
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
                row.append(singular(word))
        if row:
            yield row


class _Reach:
    """The reach of a negation, word by word through a sentence."""

    def __init__(self) -> None:
        self._kind = ""
        self._said = False
        """Whether what is negated has been named."""
        self._listed = 0
        """Number of further parts of the sentence that belong to a negated list."""

    def takes(self, word: str, following: str) -> bool:
        """Return whether a word is negated, or itself negates."""
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


MOST_MOTIFS = 200
MOST_SHOWN = 20
"""Motifs in the lines for a judge."""
LONGEST = 40
"""Letters; anything longer is not a word."""

Term = tuple[str] | tuple[str, str]
"""A word or the name of a motif; or two words."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Motif(_Part):
    """A word, or a pair of words, and in how many of the prompts it stands."""

    term: str
    prompts: int


class Recent(_Part):
    """The motifs of recent prompts."""

    prompts: int
    """Number of prompts."""
    motifs: tuple[Motif, ...]
    """Those in several of them, most frequent first, then by alphabet."""


def recent_motifs(prompts: Sequence[str], concepts: Sequence[str] = ()) -> Recent:
    """Words beyond stop words that stand in at least three of the prompts (two, of five or fewer). What is asked for
    now, `concepts`, is not a motif: it must not count against a card that keeps it.

    A pair is two such words side by side. A word that stands in none of the prompts without its pair is left to the
    pair: where every one has "clockwork gulls", "gulls" alone is nothing that was overused.
    """
    least = 2 if len(prompts) <= 5 else 3
    counts = Counter(term for prompt in prompts for term in _terms(prompt))
    asked = {word for concept in concepts for term in _terms(concept) for word in term}
    often = {term: n for term, n in counts.items() if n >= least and not asked.intersection(term)}
    paired = {(word,) for term, n in often.items() if len(term) == 2 for word in term if counts[word,] == n}
    ranked = sorted((-n, " ".join(term)) for term, n in often.items() if term not in paired)[:MOST_MOTIFS]
    return Recent(prompts=len(prompts), motifs=tuple(Motif(term=term, prompts=-n) for n, term in ranked))


def summary(recent: Recent) -> str:
    """Return a few lines for a judge on overused words; empty when there are none."""
    shown = recent.motifs[:MOST_SHOWN]
    if not shown:
        return ""
    lines = [f"- “{motif.term}” in {motif.prompts}" for motif in shown]
    more = len(recent.motifs) - len(shown)
    further = [f"- and {more:,} more in fewer"] if more else []
    return "\n".join([f"Of the last {recent.prompts} prompts, these words stand in several:", *lines, *further])


def penalty(card: IdeaCard, recent: Recent, most: float) -> float:
    """Points that a card loses, 0 to `most`: how much of what it says is overused.

        most × √(u / (u + f))

    u: the sum, over the card's different words that a motif covers, of w × the share of prompts that the motif stands
    in; f: the sum of w over all its other words. w is 1 for a word of the hook or narrative; a word in c of k
    alternatives of an option counts c / (k + 1), at most 1, since one of them is taken, or none. A card without an
    overused word loses 0, one made of nothing else `most`. Every further overused word, and every motif more frequent,
    costs more; every fresh word, less. By the root, the first repetitions cost most: of a card of 50 words, five that
    stand in half of the prompts take a fifth of `most`. Stop words, boilerplate and what a card avoids do not count.
    """
    shares = {motif.term: motif.prompts / recent.prompts for motif in recent.motifs}
    weights = _weights(card)
    covered: dict[str, float] = {}
    for term in weights:
        if share := shares.get(" ".join(term)):
            covered.update((word, max(share, covered.get(word, 0.0))) for word in term)
    words = {term[0]: weight for term, weight in weights.items() if len(term) == 1}
    used = sum(weight * covered[word] for word, weight in words.items() if word in covered)
    fresh = sum(weight for word, weight in words.items() if word not in covered)
    return most * sqrt(used / (used + fresh)) if used else 0.0


def _weights(card: IdeaCard) -> dict[Term, float]:
    """The weight of each of a card's words and pairs, in a fixed order."""
    certain = _terms(card.hook) | _terms(card.narrative)
    weights = dict.fromkeys(certain, 1.0)
    for texts in card.options.values():
        said = Counter(term for text in texts for term in _terms(text))
        for term, n in said.items():
            weights[term] = min(1.0, weights.get(term, 0.0) + n / (len(texts) + 1))
    return dict(sorted(weights.items()))


def _terms(text: str) -> frozenset[Term]:
    """The words and pairs of words of a text that count."""
    rows = [_counted(clause) for clause in clauses(text)]
    words = {(word,) for row in rows for word in row if word}
    names = _names()
    pairs = {(a, b) for row in rows for a, b in pairwise(row) if a and b and a != b and not names & {a, b}}
    return frozenset(words | pairs)


def _counted(clause: Sequence[str]) -> list[str]:
    """A row of words with several of one motif as its name, and nothing where a word does not count."""
    row = ["" if _says_nothing(word) else word for word in clause]
    for span, name in _phrases().spotted(clause):
        row[span.start : span.stop] = [name] + [""] * (len(span) - 1)
    return row


def _says_nothing(word: str) -> bool:
    return is_stop(word) or word in _stop() or word.isdecimal() or len(word) > LONGEST


@cache
def _table() -> dict[str, Any]:
    return read_yaml(files("redraft.ideas").joinpath("motifs.yaml").read_text("utf-8"))


@cache
def _phrases() -> Phrases:
    """Spellings of one motif, by its name; boilerplate has none."""
    return Phrases.of({"": _table()["boilerplate"], **_table()["groups"]})


@cache
def _names() -> frozenset[str]:
    return frozenset(_table()["groups"])


@cache
def _stop() -> frozenset[str]:
    return frozenset(_table()["stop"].split())


@dataclass(frozen=True)
class Weighed:
    """Penalties for a selection, and lines for a judge."""

    penalties: Mapping[str, float] = field(default_factory=dict[str, float])
    """Points by card id, 0 to `max_penalty`."""
    motifs: tuple[Motif, ...] = ()
    summary: str = ""
    """For a judge: what is overused, in a few lines."""


def weighed(
    cards: Sequence[IdeaCard], prompts: Sequence[str], asked: Sequence[str], settings: NoveltySettings
) -> Weighed:
    """Weigh cards against `prompts`, the recent ones with the newest last; words of `asked` never count."""
    recent = recent_motifs(prompts, asked)
    points = {card.id: penalty(card, recent, settings.max_penalty) for card in cards}
    return Weighed(points, recent.motifs, summary(recent))
