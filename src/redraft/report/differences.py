"""Where two texts differ, word by word, and where two sets of settings do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TypeVar

__all__ = ["Piece", "TextPair", "compared", "differing"]

LONGEST = 8_000
"""Characters of each text that are compared; a final prompt has half of that at most."""
_TOKEN = re.compile(r"([぀-ヿ㐀-鿿가-힯]|\w+(?:['’\-]\w+)*|[^\w\s])(\s*)")
"""A word, a sign, or one character of a script without spaces; and the room after it."""

_TELLING = re.compile(r"\w{4}|[぀-ヿ㐀-鿿가-힯]")
"""What makes common words worth showing as such: “of the” between two changes only breaks them up."""

T = TypeVar("T")
Token = tuple[str, str]
"""A word and the room after it."""


@dataclass(frozen=True)
class Piece:
    """Some words of one text; `same` when the other has them too."""

    text: str
    same: bool
    room: str = ""
    """After it; it is neither the same nor another."""


@dataclass(frozen=True)
class TextPair:
    """Two texts in pieces. Joined with their room, they are the texts again."""

    first: tuple[Piece, ...]
    second: tuple[Piece, ...]
    left_out: int
    """Characters of both that were not compared, and are not there."""
    alike: float
    """The share of words that both have in the same order, 0 to 1."""


def compared(first: str, second: str) -> TextPair:
    """What two texts have in common; case and punctuation count, room between words does not."""
    texts = [text.strip()[:LONGEST] for text in (first, second)]
    left_out = sum(len(text.strip()) for text in (first, second)) - sum(len(text) for text in texts)
    one, two = ([(str(word), str(room)) for word, room in _TOKEN.findall(text)] for text in texts)
    matcher = SequenceMatcher(None, [word for word, _ in one], [word for word, _ in two], autojunk=False)
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    common = 0
    for kind, a0, a1, b0, b1 in matcher.get_opcodes():
        within = a0 > 0 and b0 > 0 and a1 < len(one) and b1 < len(two)
        same = kind == "equal" and not (within and not _tells(one[a0:a1]))
        common += (a1 - a0) * same
        for pieces, tokens in zip(sides, (one[a0:a1], two[b0:b1]), strict=True):
            _add(pieces, tokens, same=same)
    every = len(one) + len(two)
    return TextPair(tuple(sides[0]), tuple(sides[1]), left_out, 2 * common / every if every else 1.0)


def _tells(tokens: Sequence[Token]) -> bool:
    return any(_TELLING.search(word) for word, _ in tokens)


def _add(pieces: list[Piece], tokens: Sequence[Token], *, same: bool) -> None:
    """Add words to the last piece when they are of its kind, else as a piece of their own."""
    if not tokens:
        return
    whole = "".join(word + room for word, room in tokens)
    if pieces and pieces[-1].same == same:
        before = pieces.pop()
        whole = before.text + before.room + whole
    text = whole.rstrip()
    pieces.append(Piece(text, same, whole[len(text) :]))


def differing(first: Mapping[str, T], second: Mapping[str, T]) -> list[tuple[str, T | None, T | None]]:
    """The names under which two mappings hold other values, in the order of the first; None where one has none."""
    names = dict.fromkeys([*first, *second])
    return [(name, first.get(name), second.get(name)) for name in names if first.get(name) != second.get(name)]
