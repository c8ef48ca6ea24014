"""Names of objects cut into words: `apple_red_2`, `RedApple.001`, `table_leg_left`. Plain string work, no lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

__all__ = ["common_start", "label_of", "side_of", "words_of"]

_COPY = re.compile(r"\.\d{3,}$")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+")
_SIDES = {"left": "left", "l": "left", "right": "right", "r": "right"}
"""Blender's own suffixes of the two of a pair: `Arm.L`, `Arm_Right`."""


@lru_cache(maxsize=65536)
def words_of(name: str) -> tuple[str, ...]:
    """All words of a name in order, lower case, numbers too; the number that Blender gives a copy is left out."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return tuple(w.lower() for w in _WORD.findall(_HUMPS.sub(" ", _COPY.sub("", plain))))


def label_of(name: str) -> str:
    """A name without its numbers: `Apple 2` and `Apple.003` are both an `apple`."""
    return " ".join(w for w in words_of(name) if not w.isdigit()) or " ".join(words_of(name)) or name


def side_of(name: str) -> tuple[str, str]:
    """`left` or `right`, where the name says so, and the name without it: alike for the two of a pair."""
    words = words_of(name)
    side = next((_SIDES[w] for w in words if w in _SIDES), "")
    return side, " ".join("*" if w in _SIDES else w for w in words)


def common_start(names: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The words that several names begin with alike."""
    shared: list[str] = []
    for words in zip(*names, strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return tuple(shared)
