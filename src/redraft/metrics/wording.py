"""Texts as counted words, and how alike they are: what the measures of variety share. Nothing here knows a language."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from redraft.errors import MissingPartError

__all__ = ["REACH", "likeness_of_texts", "numerics", "words_of"]

REACH = 50.0
"""Words after which a word counts half as much as the first: what a text is about it says early."""

_BLOCK = 4096
"""Columns of one product: 2,000 texts then take 64 MB at a time."""

# Written without spaces between words (Thai to Burmese, kana, Han): there a character counts as a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_SIGN = re.compile(r"\S")


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, in order, in one case (NFKC, case-folded), without punctuation.

    A text without any, such as an emoji, is split into its signs. Empty for nothing but space.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _WORD.findall(folded) or _SIGN.findall(folded)


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
    np = numerics()
    rows = [_unit(words_of(text), reach) for text in texts]
    alike = np.zeros((len(rows), len(rows)))
    columns = _shared(rows)
    for start in range(0, len(columns), _BLOCK):
        block = np.zeros((len(rows), min(_BLOCK, len(columns) - start)))
        for place, column in enumerate(columns[start : start + _BLOCK]):
            for row, weight in column:
                block[row, place] = weight
        alike += block @ block.T
    np.fill_diagonal(alike, 1.0)
    return np.clip(alike, 0.0, 1.0)


def numerics() -> Any:
    """numpy, opened when a figure needs it. Raises `MissingPartError`."""
    try:
        import numpy as np
    except ImportError as error:
        raise MissingPartError(
            f"Measuring how varied texts or pictures are needs numpy, and it could not be imported ({error}). "
            "Install it: pip install 'redraft[image]'"
        ) from error
    return np


def _unit(words: Sequence[str], reach: float) -> dict[str, float]:
    """Word → weight, the squares adding up to 1."""
    counted: dict[str, float] = {}
    for place, word in enumerate(words or [""]):
        counted[word] = counted.get(word, 0.0) + 1 / (1 + place / reach)
    length = math.sqrt(math.fsum(weight * weight for weight in counted.values()))
    return {word: weight / length for word, weight in counted.items()}


def _shared(rows: Sequence[dict[str, float]]) -> list[list[tuple[int, float]]]:
    """For each word of several texts, the texts it is in with its weight; a word of one text is like nothing."""
    found: dict[str, list[tuple[int, float]]] = {}
    for row, counted in enumerate(rows):
        for word, weight in counted.items():
            found.setdefault(word, []).append((row, weight))
    return [column for column in found.values() if len(column) > 1]
