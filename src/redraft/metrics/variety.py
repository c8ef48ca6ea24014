"""Variety of texts or pictures in figures: distinct-n, self-BLEU, and a Vendi score. They depend on no language."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from redraft.errors import MissingPartError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ORDER = 4
"""Self-BLEU counts runs of one to four words."""
REACH = 50.0
"""Words after which a word counts half as much as the first: what a text is about it says early."""
DIGITS = 6
"""Decimals of a Vendi score: beyond them processors differ."""

_BLOCK = 4096
"""Columns of one product: 2,000 texts then take 64 MB at a time."""

# Written without spaces between words (Thai to Burmese, kana, Han): there a character counts as a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")

Gram = tuple[str, ...]


@dataclass(frozen=True)
class Variety:
    """The figures of a set of texts."""

    texts: int
    distinct_1: float
    distinct_2: float
    """Different words (pairs of words) over all, 0 to 1; depends on length."""
    self_bleu: float
    """Mean BLEU of each text against the others, 0 to 1: lower is more varied."""
    vendi: float
    """The effective number of different texts, 1 to `texts`."""
    words: float
    """Mean length: figures of sets of other lengths do not compare."""


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


def distinct_n(texts: Sequence[str], n: int) -> float:
    """Different n-grams over all n-grams; 0 without any. Case and punctuation do not count.

    Li et al., "A diversity-promoting objective function for neural conversation models", 2016. Raises `ValueError` for
    n below 1.
    """
    if n < 1:
        raise ValueError(f"n is 1 for words, 2 for pairs …; given: {n!r}.")
    grams = [gram for text in texts for gram in _grams(words_of(text), n)]
    return len(set(grams)) / len(grams) if grams else 0.0


def self_bleu(texts: Sequence[str]) -> float:
    """The mean over texts of BLEU-4 with all the others as references, 0 to 1; 0 with fewer than two.

    Papineni et al., "BLEU: a method for automatic evaluation of machine translation", 2002; as self-BLEU by Zhu et al.,
    "Texygen", 2018. For single texts: of orders above 1 that share nothing the k-th counts as 1 / 2^k matches (Chen and
    Cherry, "A systematic comparison of smoothing techniques for sentence-level BLEU", 2014, number 3); texts shorter
    than four words are scored by the orders they have; a text that shares no word, or has none, scores 0. Of several
    references the one nearest in length, the shorter of two, sets the penalty for brevity.
    """
    if len(texts) < 2:
        return 0.0
    split = [words_of(text) for text in texts]
    lengths = sorted(map(len, split))
    counts = [[Counter(_grams(words, order + 1)) for words in split] for order in range(ORDER)]
    largest = [_two_largest(counted) for counted in counts]
    scores = [
        _precision([counts[order][n] for order in range(ORDER)], largest) * _brevity(len(words), lengths)
        for n, words in enumerate(split)
        if words
    ]
    return math.fsum(scores) / len(texts)


def vendi_of_texts(texts: Sequence[str]) -> float:
    """exp of the Shannon entropy of the eigenvalues of K/n, K the similarity of the texts; 0 without any.

    Friedman and Dieng, "The Vendi Score", 2023; K is `likeness_of_texts`. Texts of the same words count once, texts
    without a word in common one each. The time grows with the cube of their number: some seconds for 2,000. Raises
    `MissingPartError` without numpy.
    """
    return effective_number(likeness_of_texts(texts)) if texts else 0.0


def vendi_of_pictures(pngs: Sequence[bytes]) -> float:
    """The same over pictures of any size; K is the likeness of their colors and edges (see `likeness.py`).

    Raises:
        ValueError: one of them is not a picture, or smaller than 8 pixels a side; with its number.
        MissingPartError: numpy or Pillow is not installed.
    """
    try:
        from redraft.metrics.likeness import likeness_of_pictures
    except ImportError as error:
        raise _missing(error) from error
    return effective_number(likeness_of_pictures(pngs)) if pngs else 0.0


def effective_number(alike: NDArray[np.float64]) -> float:
    """exp(−Σ λ ln λ) over the eigenvalues of K/n, 1 to n. K is symmetric with ones on its diagonal."""
    np = _numpy()
    shares = np.linalg.eigvalsh(alike / len(alike))
    shares = shares[shares > 1e-12]
    number = float(np.exp(-(shares * np.log(shares)).sum()))
    return min(max(round(number, DIGITS), 1.0), float(len(alike)))


def likeness_of_texts(texts: Sequence[str], reach: float = REACH) -> NDArray[np.float64]:
    """Texts × texts: the cosine of their word counts, 0 (no word in common) to 1 (the same words as often).

    The word at place i, from 0, counts 1 / (1 + i / reach). Texts without words are alike, and unlike all others. The
    time grows with the square of the number of texts.

    Raises:
        ValueError: `reach` is not above 0; infinity counts every word alike.
        MissingPartError: numpy is not installed.
    """
    if not reach > 0:
        raise ValueError(f"reach is a number of words above 0; given: {reach!r}.")
    np = _numpy()
    columns: dict[str, list[tuple[int, float]]] = {}
    for row, text in enumerate(texts):
        for word, weight in _weights(words_of(text), reach).items():
            columns.setdefault(word, []).append((row, weight))
    shared = [column for column in columns.values() if len(column) > 1]
    alike = np.zeros((len(texts), len(texts)))
    for start in range(0, len(shared), _BLOCK):
        block = np.zeros((len(texts), min(_BLOCK, len(shared) - start)))
        for place, column in enumerate(shared[start : start + _BLOCK]):
            for row, weight in column:
                block[row, place] = weight
        alike += block @ block.T
    np.fill_diagonal(alike, 1.0)
    return np.clip(alike, 0.0, 1.0)


def _numpy() -> Any:
    """numpy, imported when a figure needs it. Raises `MissingPartError`."""
    try:
        import numpy as np
    except ImportError as error:
        raise _missing(error) from error
    return np


def _missing(error: ImportError) -> MissingPartError:
    return MissingPartError(
        f"Measuring the variety of texts or pictures needs numpy and Pillow, which could not be imported ({error}). "
        "Install them: pip install 'redraft[image]'"
    )


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, in order, in one case (NFKC, case-folded), without punctuation.

    A text without any, such as an emoji, is split into its characters. Empty for nothing but space.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _WORD.findall(folded) or re.findall(r"\S", folded)


def _weights(words: Sequence[str], reach: float) -> dict[str, float]:
    """Word → weight, the squares adding up to 1."""
    counted: dict[str, float] = {}
    for place, word in enumerate(words or [""]):
        counted[word] = counted.get(word, 0.0) + 1 / (1 + place / reach)
    length = math.sqrt(math.fsum(weight * weight for weight in counted.values()))
    return {word: weight / length for word, weight in counted.items()}


def _grams(words: Sequence[str], order: int) -> list[Gram]:
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def _two_largest(counts: Sequence[Counter[Gram]]) -> dict[Gram, tuple[int, int]]:
    """For each run of words the two largest counts in any two texts: without the text that has the largest, the second
    is left."""
    found: dict[Gram, tuple[int, int]] = {}
    for counted in counts:
        for gram, count in counted.items():
            first, second = found.get(gram, (0, 0))
            found[gram] = (count, first) if count > first else (first, max(second, count))
    return found


def _precision(counted: Sequence[Counter[Gram]], largest: Sequence[dict[Gram, tuple[int, int]]]) -> float:
    """The geometric mean over the orders that the text has of the share of runs that some other text has too."""
    logarithms: list[float] = []
    without = 0
    for own, everywhere in zip(counted, largest, strict=True):
        total = own.total()
        if not total:
            break
        matched = 0
        for gram, count in own.items():
            first, second = everywhere[gram]
            matched += min(count, second if count == first else first)
        if not matched and not logarithms:
            return 0.0
        without += not matched
        logarithms.append(math.log((matched or 0.5**without) / total))
    return math.exp(math.fsum(logarithms) / len(logarithms)) if logarithms else 0.0


def _brevity(length: int, lengths: Sequence[int]) -> float:
    """exp(1 − r/c) for a text of c words that is shorter than r, the nearest length among the others."""
    at = bisect_left(lengths, length)
    others = [lengths[i] for i in (at - 1, at + 1) if 0 <= i < len(lengths)]
    nearest = min(others, key=lambda other: (abs(other - length), other))
    return 1.0 if length >= nearest else math.exp(1 - nearest / length)
