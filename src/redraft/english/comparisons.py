"""Sizes against each other: "twice as wide as the house", "the fourth 20 % taller", "bigger than"."""

from __future__ import annotations

import re
from typing import Literal

from redraft.english.chunks import Chunk, Comparison
from redraft.english.numbers import NUMBER, factor_of, number
from redraft.english.tokens import Line, phrase
from redraft.spatial.reading import Dimension

__all__ = ["compared", "dimension_of"]

Reference = Literal["phrase", "others"]

_DIMENSIONS: dict[str, Dimension] = {
    "tall": "height",
    "high": "height",
    "short": "height",
    "low": "height",
    "wide": "width",
    "narrow": "width",
    "long": "width",
    "broad": "width",
    "height": "height",
    "width": "width",
    "length": "width",
    "size": "size",
}
_COMPARATIVE = r"(?P<comparative>taller|higher|shorter|lower|wider|narrower|longer|broader|bigger|larger|smaller)"
_PERCENT = phrase(rf"(?:is |are )?(?:by )?(?P<percent>{NUMBER}) ?(?:%|percent|per cent) {_COMPARATIVE}(?P<than> than)?")
_AS = phrase(
    rf"(?:is |are )?(?:exactly )?(?P<factor>half|twice|double|thrice|{NUMBER} times|a third|"
    r"a quarter)? ?as (?P<adjective>tall|high|wide|big|large|long|broad|small) as|(?:is |"
    rf"are )?(?:exactly )?(?P<factor2>half|twice|double|thrice|{NUMBER} times|a third|a quarter)"
    r"(?: of)? the (?P<noun>height|width|size|length) of|(?:of |is |are )?the same (?P<same>height|"
    r"width|size|length) as"
)
_ALONE = phrase(
    rf"(?:is |are )?(?P<factor>half|twice|double|thrice|{NUMBER} times) as (?P<adjective>tall|"
    r"high|wide|big|large|long|broad)(?! as)|(?:is |are )?(?P<factor2>twice|double|half|"
    rf"{NUMBER} times) the (?P<noun>height|width|size)(?! of)"
)
_THAN = phrase(rf"(?:is |are )?(?:much |slightly |a bit |a little |a lot |far )?{_COMPARATIVE}(?P<than> than)?")


def compared(line: Line, i: int) -> Chunk | None:
    found = line.match(_PERCENT, i)
    if found is not None:
        share = (number(found[0].group("percent")) or 0.0) / 100
        word = found[0].group("comparative")
        factor = 1 - share if word in _SMALLER else 1 + share
        return Comparison(
            i, found[1], dimension=dimension_of(word), factor=factor, reference=_reference(found[0].group("than"))
        )
    for pattern, reference in ((_AS, "phrase"), (_ALONE, "others")):
        found = line.match(pattern, i)
        if found is not None:
            return _ratio(found[0], i, found[1], "phrase" if reference == "phrase" else "others")
    found = line.match(_THAN, i)
    if found is None or (not found[0].group("than") and not _stands_alone(line, found[1])):
        return None
    word = found[0].group("comparative")
    return Comparison(
        i,
        found[1],
        dimension=dimension_of(word),
        factor=0.95 if word in _SMALLER else 1.05,
        at_least=True,
        reference=_reference(found[0].group("than")),
    )


_SMALLER = frozenset({"shorter", "lower", "narrower", "smaller"})


def dimension_of(word: str) -> Dimension:
    """What an adjective, its comparative or its superlative is about: "wider" is width, "smaller" size."""
    stems = (word, word.removesuffix("er"), word.removesuffix("r"), word.removesuffix("est"), word.removesuffix("st"))
    found: list[Dimension] = [_DIMENSIONS[s] for s in stems if s in _DIMENSIONS]
    return found[0] if found else "size"


def _stands_alone(line: Line, j: int) -> bool:
    """Not before a noun: "a smaller dog" describes, "the second one taller" compares."""
    return line.word(j) in {"", ",", ".", ";", "and", "but", ")"}


def _reference(than: str | None) -> Reference:
    return "phrase" if than else "others"


def _ratio(match: re.Match[str], i: int, j: int, reference: Reference) -> Comparison | None:
    group = match.groupdict()
    words = group.get("factor") or group.get("factor2") or ""
    factor = factor_of(words.strip()) if words else 1.0
    noun = group.get("adjective") or group.get("noun") or group.get("same") or "size"
    if factor is None:
        return None
    return Comparison(i, j, dimension=_DIMENSIONS.get(noun, "size"), factor=factor, reference=reference)
