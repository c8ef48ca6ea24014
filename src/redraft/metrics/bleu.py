"""Self-BLEU: how much each text repeats what some other one says, run of words by run of words."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence

__all__ = ["ORDER", "self_bleu_of"]

ORDER = 4
"""Runs of one to four words."""

Gram = tuple[str, ...]


def self_bleu_of(texts: Sequence[Sequence[str]]) -> float:
    """The mean over texts (lists of words) of BLEU-4 with all the others as references, 0 to 1.

    Papineni et al., "BLEU: a method for automatic evaluation of machine translation", 2002; as self-BLEU by Zhu et al.,
    "Texygen", 2018. For single texts: of orders above 1 that share nothing the k-th counts as 1 / 2^k matches (Chen and
    Cherry, "A systematic comparison of smoothing techniques for sentence-level BLEU", 2014, number 3); texts shorter
    than four words are scored by the orders they have; a text that shares no word, or has none, scores 0. Of several
    references the one nearest in length, the shorter of two, sets the penalty for brevity.
    """
    if len(texts) < 2:
        return 0.0
    counts = [[_grams(words, order) for order in range(1, ORDER + 1)] for words in texts]
    most = [_two_largest([counted[order] for counted in counts]) for order in range(ORDER)]
    lengths = sorted(len(words) for words in texts)
    scores = [
        _precision(counted, most) * _brevity(len(words), lengths)
        for words, counted in zip(texts, counts, strict=True)
        if words
    ]
    return math.fsum(scores) / len(texts)


def _grams(words: Sequence[str], order: int) -> Counter[Gram]:
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def _two_largest(counts: Sequence[Mapping[Gram, int]]) -> dict[Gram, tuple[int, int]]:
    """For each run the two largest counts in any two texts: without the text that has the largest, the second is
    left."""
    found: dict[Gram, tuple[int, int]] = {}
    for counted in counts:
        for gram, count in counted.items():
            first, second = found.get(gram, (0, 0))
            found[gram] = (count, first) if count > first else (first, max(second, count))
    return found


def _precision(counted: Sequence[Mapping[Gram, int]], most: Sequence[Mapping[Gram, tuple[int, int]]]) -> float:
    """The geometric mean over the orders that the text has of the share of runs that some other text has too."""
    logarithms: list[float] = []
    without = 0
    for own, everywhere in zip(counted, most, strict=True):
        total = sum(own.values())
        if not total:
            break
        matched = sum(min(count, _elsewhere(count, everywhere[gram])) for gram, count in own.items())
        if not matched and not logarithms:
            return 0.0
        without += not matched
        logarithms.append(math.log((matched or 0.5**without) / total))
    return math.exp(math.fsum(logarithms) / len(logarithms)) if logarithms else 0.0


def _elsewhere(own: int, largest: tuple[int, int]) -> int:
    """The largest count of a run in the other texts."""
    first, second = largest
    return second if own == first else first


def _brevity(length: int, lengths: Sequence[int]) -> float:
    """exp(1 − r/c) for a text of c words that is shorter than r, the nearest length among the others."""
    at = bisect_left(lengths, length)
    others = [lengths[i] for i in (at - 1, at + 1) if 0 <= i < len(lengths)]
    nearest = min(others, key=lambda other: (abs(other - length), other))
    return 1.0 if length >= nearest else math.exp(1 - nearest / length)
