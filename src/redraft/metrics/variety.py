"""How varied texts (or pictures) are among each other, in figures: distinct-n, self-BLEU, and a Vendi score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Variety", "distinct_n", "self_bleu", "variety_of", "vendi_of_pictures", "vendi_of_texts"]


@dataclass(frozen=True)
class Variety:
    """Of a set of texts."""

    texts: int
    distinct_1: float
    distinct_2: float
    """Different words (pairs of words) over all, 0 to 1; depends on length."""
    self_bleu: float
    """Mean BLEU of each text against the others, 0 to 1: lower is more varied."""
    vendi: float
    """How many different texts there are in effect, 1 to `texts`."""
    words: float
    """Mean length: figures of sets of other lengths do not compare."""


def distinct_n(texts: Sequence[str], n: int) -> float:
    """Different n-grams over all n-grams; 0 without any."""
    raise NotImplementedError


def self_bleu(texts: Sequence[str]) -> float:
    """Mean BLEU-4 (smoothed) of each text against the others; 0 with fewer than two."""
    raise NotImplementedError


def vendi_of_texts(texts: Sequence[str]) -> float:
    """exp of the Shannon entropy of the eigenvalues of K/n, K the similarity of the texts; 0 without any."""
    raise NotImplementedError


def vendi_of_pictures(pngs: Sequence[bytes]) -> float:
    """The same over pictures of any size. Raises `ValueError` for what is no picture."""
    raise NotImplementedError


def variety_of(texts: Sequence[str]) -> Variety:
    """All figures of a set of texts."""
    raise NotImplementedError
