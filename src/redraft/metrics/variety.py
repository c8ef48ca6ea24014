"""How varied texts (or pictures) are among each other, in figures: distinct-n, self-BLEU, and a Vendi score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redraft.metrics.bleu import self_bleu_of
from redraft.metrics.wording import likeness_of_texts, numerics, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Variety",
    "distinct_n",
    "effective_number",
    "self_bleu",
    "variety_of",
    "vendi_of_pictures",
    "vendi_of_texts",
]

DIGITS = 6
"""Decimals of a Vendi score: beyond them processors differ."""


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
    """Different n-grams over all n-grams; 0 without any. Case and punctuation do not count.

    Li et al., "A diversity-promoting objective function for neural conversation models", 2016. Raises `ValueError` for
    n below 1.
    """
    if n < 1:
        raise ValueError(f"n is 1 for words, 2 for pairs …; given: {n!r}.")
    split = [words_of(text) for text in texts]
    grams = [tuple(words[i : i + n]) for words in split for i in range(len(words) - n + 1)]
    return len(set(grams)) / len(grams) if grams else 0.0


def self_bleu(texts: Sequence[str]) -> float:
    """Mean BLEU-4 (smoothed) of each text against the others; 0 with fewer than two. How: see `bleu.py`."""
    return self_bleu_of([words_of(text) for text in texts])


def vendi_of_texts(texts: Sequence[str]) -> float:
    """exp of the Shannon entropy of the eigenvalues of K/n, K the similarity of the texts; 0 without any.

    Friedman and Dieng, "The Vendi Score", 2023; K is the cosine of word counts in which early words count more (see
    `wording.py`). Texts of the same words count once, texts without a word in common one each. The time grows with the
    cube of their number: some seconds for 2,000. Raises `MissingPartError` without numpy.
    """
    return effective_number(likeness_of_texts(texts)) if texts else 0.0


def vendi_of_pictures(pngs: Sequence[bytes]) -> float:
    """The same over pictures of any size; K is how alike their colours and edges are (see `thumbnails.py`).

    Raises:
        ValueError: one of them is no picture, or smaller than 8 pixels a side; with its number.
        MissingPartError: numpy or Pillow is not installed.
    """
    numerics()
    try:
        from redraft.metrics.thumbnails import likeness_of_pictures
    except ImportError as error:
        from redraft.errors import MissingPartError

        raise MissingPartError(
            f"Measuring how varied pictures are needs Pillow, and it could not be imported ({error}). "
            "Install it: pip install 'redraft[image]'"
        ) from error
    return effective_number(likeness_of_pictures(pngs)) if pngs else 0.0


def effective_number(alike: NDArray[np.float64]) -> float:
    """exp(−Σ λ ln λ) over the eigenvalues of K/n, 1 to n. K is symmetric with ones on its diagonal."""
    np = numerics()
    shares = np.linalg.eigvalsh(alike / len(alike))
    shares = shares[shares > 1e-12]
    number = float(np.exp(-(shares * np.log(shares)).sum()))
    return min(max(round(number, DIGITS), 1.0), float(len(alike)))


def variety_of(texts: Sequence[str]) -> Variety:
    """All figures of a set of texts. Raises `MissingPartError` without numpy."""
    words = sum(len(words_of(text)) for text in texts)
    return Variety(
        texts=len(texts),
        distinct_1=distinct_n(texts, 1),
        distinct_2=distinct_n(texts, 2),
        self_bleu=self_bleu(texts),
        vendi=vendi_of_texts(texts),
        words=words / len(texts) if texts else 0.0,
    )
