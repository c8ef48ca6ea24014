"""What a thing is called: from `Apple.002`, `apple_red_2`, `RedApple` or `table_leg_left` to nouns as a brief has them.

Plain string work. A name is cut into words; numbers, sides and technical words are put aside, colours and adjectives
go before the noun. Whether a word names a part (`leg`) or a thing of its own (`lamp`) is said by the word lists.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import cast

from redraft.spatial.grammar.words import vocabulary
from redraft.spatial.labels import CHIEF, same_noun
from redraft.spatial.lexicon.index import find, part_nouns
from redraft.spatial.lexicon.words import singulars
from redraft.spatial.yamldata import read_yaml
from redraft.studios.scene.words import listed

__all__ = ["Named", "common_start", "is_generic", "is_part_word", "label_of", "named", "typical_size"]

_COPY = re.compile(r"\.\d{3,}$")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Named:
    """A name, read."""

    words: tuple[str, ...]
    """All of its words in order, lower case, numbers too."""
    label: str
    """Its noun, with colours and adjectives before it: `red apple`."""
    side: str = ""
    """`left` or `right`, where the name says so."""
    role: str = ""
    """The name without its side: alike for the two of a pair."""


@lru_cache(maxsize=65536)
def named(name: str) -> Named:
    """Read an object's name."""
    words = _listed(name)
    side = next((s for w in words if (s := _SIDE_OF.get(w))), "")
    role = " ".join("*" if w in _SIDE_OF else w for w in words)
    return Named(words, _label(words), side, role)


_SIDE_OF = {"left": "left", "l": "left", "right": "right", "r": "right"}


def label_of(name: str) -> str:
    """The noun of a name: `apple_red_2` is a `red apple`, `TableLeg.001` a `table leg`."""
    return named(name).label


def _listed(name: str) -> tuple[str, ...]:
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return tuple(w.lower() for w in _WORD.findall(_HUMPS.sub(" ", _COPY.sub("", plain))))


def _label(words: tuple[str, ...]) -> str:
    """The words without numbers, sides and technical words; what describes goes before the noun."""
    aside = listed("sides") | listed("quarters") | listed("technical")
    kept = [w for w in words if not w.isdigit() and w not in aside]
    kept = [w for w in kept if len(w) > 1] or kept
    nouns = [w for i, w in enumerate(kept) if not _describes(w, kept, i)]
    describing = [w for i, w in enumerate(kept) if _describes(w, kept, i)]
    if not nouns:  # an orange, a square: the word for a colour or shape is all there is
        nouns, describing = describing[-1:], describing[:-1]
    nouns = _without_place(nouns)
    return " ".join([*describing, *nouns]) or " ".join(words)


def _describes(word: str, words: list[str], place: int) -> bool:
    """A colour anywhere; a size or another adjective unless it ends the name and is a noun, too (`wine_glass`)."""
    v, last = vocabulary(), place == len(words) - 1
    if v.has(word, "colours"):
        return len(words) > 1 and not (last and all(v.has(w, "adjectives", "colours") for w in words))
    entry = find(word)
    thing = entry is not None and entry.name not in listed("shapes")
    noun = last and (thing or is_part_word(word) or typical_size(word) is not None)
    return word in v.sizes or (v.has(word, "adjectives") and not noun)


def _without_place(nouns: list[str]) -> list[str]:
    """`wheel back` is a wheel; `chair back` the back of a chair; `front door` was a door before."""
    if len(nouns) > 1 and nouns[-1] in listed("places") and is_part_word(nouns[-2]) and not typical_size(nouns[-2]):
        return nouns[:-1]
    return nouns[1:] if len(nouns) > 1 and nouns[0] in listed("places") else nouns


def common_start(names: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The words that several names begin with alike."""
    shared: list[str] = []
    for words in zip(*names, strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return tuple(shared)


def is_part_word(noun: str) -> bool:
    """Whether a noun names parts of things: leg, top, handle. Things of their own may be parts elsewhere: then not."""
    forms = set(singulars(noun))
    return not typical_size(noun) and not forms.isdisjoint(CHIEF | part_nouns() | listed("parts") | listed("places"))


def is_generic(name: str) -> bool:
    """Whether a name says nothing about what it is of: `Empty`, `Group.001`, `Furniture`, `Scene_Root`."""
    return all(w.isdigit() or w in listed("technical") or w in listed("generic") for w in named(name).words)


@cache
def _sizes() -> dict[str, tuple[float, float]]:
    text = files("redraft.studios.scene").joinpath("typical_sizes.yaml").read_text(encoding="utf-8")
    table = cast("dict[str, list[float]]", read_yaml(text))
    return {noun: (float(low), float(high)) for noun, (low, high) in table.items()}


@lru_cache(maxsize=4096)
def typical_size(label: str) -> tuple[float, float] | None:
    """Least and greatest longest extent of what a label names, in metres; None for what is not in the table."""
    words = label.split()
    ends = (" ".join(words[start:]) for start in range(len(words)))
    return next((size for end in ends for noun, size in _sizes().items() if same_noun(end, noun)), None)
