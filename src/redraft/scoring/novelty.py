"""Novelty by counting: which words recent prompts use again and again, and what a card loses for using them too.

What counts as one word, what is boilerplate of image prompts, and which words mean one thing to a viewer (sunset,
sunrise, dusk and golden hour are one motif) is in `motifs.yaml`. Words that are negated do not count. No model is
asked, and the same texts give the same figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import Any

from pydantic import BaseModel, ConfigDict

from redraft.scoring.cards import IdeaCard
from redraft.scoring.terms import Phrases, clauses
from redraft.scoring.word_forms import is_stop
from redraft.spatial.yamldata import read_yaml

__all__ = ["MOST_MOTIFS", "Motif", "Recent", "penalty", "recent_motifs", "summary"]

MOST_MOTIFS = 200
MOST_SHOWN = 20
"""Motifs that a judge is told."""
LONGEST = 40
"""Letters; what is longer is no word."""

Term = tuple[str] | tuple[str, str]
"""A word or the name of a motif; or two words."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Motif(_Part):
    """A word, or a pair of words, and in how many of the prompts it stands."""

    term: str
    prompts: int


class Recent(_Part):
    """What recent prompts have in common."""

    prompts: int
    """How many were looked at."""
    motifs: tuple[Motif, ...]
    """Those in several of them, most frequent first, then by alphabet."""


def recent_motifs(prompts: Sequence[str], concepts: Sequence[str] = ()) -> Recent:
    """Words beyond stop words that stand in at least three of the prompts (two, of five or fewer). What is asked for
    now, `concepts`, is no motif: it must not count against a card that keeps it.

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
    """For a judge: a few lines on what is overused; empty when nothing is."""
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
    """What each of a card's words and pairs counts, in an order that is always the same."""
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
    return read_yaml(files("redraft.scoring").joinpath("motifs.yaml").read_text("utf-8"))


@cache
def _phrases() -> Phrases:
    """What is one motif, by its name; boilerplate has none."""
    return Phrases.of({"": _table()["boilerplate"], **_table()["groups"]})


@cache
def _names() -> frozenset[str]:
    return frozenset(_table()["groups"])


@cache
def _stop() -> frozenset[str]:
    return frozenset(_table()["stop"].split())
