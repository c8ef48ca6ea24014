"""Words as they are compared: without case, accents, hyphens and invisible letters, and by what they may be forms of.

English endings are undone by rule. A word has several possible base forms ("dancing": danc, dance), and two words are
the same when they share one; so "care" and "cars" differ, which cutting endings off would not tell.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import cast

from redraft.spatial.yamldata import read_yaml

__all__ = ["folded", "forms", "is_stop", "phrase_spans", "word_list", "word_lists", "words"]

_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})
_POSSESSIVE = re.compile(r"(?<=\w)['’ʼ`´]s\b")
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ`´](?=\w)")
_HAN, _HIRAGANA, _KATAKANA = r"\u3005\u3400-\u4dbf\u4e00-\u9fff", r"\u3041-\u309f", r"\u30a0-\u30ff"
"""Written without spaces, so that a change of script is where a word ends."""
_WORD = re.compile(rf"[{_HAN}]+|[{_HIRAGANA}]+|[{_KATAKANA}]+|(?:(?![{_HAN}{_HIRAGANA}{_KATAKANA}])[^\W_])+|[^\w\s]")
_PARTICLES = re.compile(rf"[{_HIRAGANA}]+")
_VOWEL = re.compile(r"[aeiouy]+")
_SHORT_STEM = re.compile(r"[^aeiou]*[aeiou][^aeiouywx]")
"""One vowel, then one consonant that English doubles before -ing and -ed: "star", starring; but "stare", staring."""


def folded(text: str) -> str:
    """Text for comparing: full-width letters made narrow, lower case, no accents, nothing invisible."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS)
    apart = unicodedata.normalize("NFKD", plain)
    return "".join(c for c in apart if unicodedata.category(c) not in {"Mn", "Cf", "Me"})


def words(text: str) -> list[str]:
    """The words of a text, folded. Hyphens, underscores and punctuation part them; an emoji is a word of its own."""
    joined = _APOSTROPHE.sub("", _POSSESSIVE.sub("", folded(text)))
    return [word for word in _WORD.findall(joined) if word[0].isalnum() or unicodedata.category(word) == "So"]


def is_stop(word: str) -> bool:
    """Whether a folded word says nothing by itself: an article, a preposition, a single letter or digit, kana."""
    alone = len(word) == 1 and word.isascii()
    return alone or word in word_lists("broad_words.yaml")["stop"] or _PARTICLES.fullmatch(word) is not None


@lru_cache(maxsize=20_000)
def forms(word: str) -> frozenset[str]:
    """What a folded word may be a form of, itself included."""
    found = {word}
    if base := _irregular().get(word):
        found.add(base)
    for step in (_of_plural, _of_verb, _of_suffix):
        found.update(*(step(form) for form in tuple(found)))
    for form in tuple(found):
        found.update(_spellings(form))
    if thing := _things().get(word):
        found.add(thing)
    return frozenset(found)


def _of_plural(word: str) -> Iterator[str]:
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return
    yield word[:-1]
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        yield word[:-2]


def _of_verb(word: str) -> Iterator[str]:
    """Of -ing and -ed: "sailing" sail, "dancing" dance, "napping" nap, "carried" carry."""
    if word.endswith("ied") and len(word) > 4:
        yield word[:-3] + "y"
    stem = word[:-3] if word.endswith("ing") else word[:-2] if word.endswith("ed") else ""
    if len(stem) < 3 or not _VOWEL.search(stem) or word.endswith("eed"):
        return
    yield stem + "e"
    if not _SHORT_STEM.fullmatch(stem):
        yield stem
    if stem[-1] == stem[-2] and stem[-1] not in "aeiou":
        yield stem[:-1]


def _of_suffix(word: str) -> Iterator[str]:
    for ending, shortest in (("like", 3), ("esque", 3), ("ian", 4), ("ness", 4), ("ly", 4)):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= shortest:
            yield stem
            if stem.endswith("i"):
                yield stem[:-1] + "y"
    if word.endswith("y") and len(word) > 2 and word not in word_lists("broad_words.yaml")["no_adjectives"]:
        yield from _of_y(word[:-1])


def _of_y(stem: str) -> Iterator[str]:
    """Of what is of a thing: "misty" mist, "foggy" fog, "icy" ice."""
    yield stem + "e"
    if len(stem) > 2:
        yield stem
        if stem[-1] == stem[-2]:
            yield stem[:-1]


def _spellings(word: str) -> Iterator[str]:
    """American for British: colour, theatre, stylise, grey."""
    if len(word) > 5 and "our" in word:
        yield word.replace("our", "or")
    if len(word) > 5 and word.endswith("tre"):
        yield word[:-2] + "er"
    if len(word) > 6 and re.search(r"[iy]s(?:e|ed|es|ing|ation)$", word):
        yield re.sub(r"s(?=(?:e|ed|es|ing|ation)$)", "z", word)


def phrase_spans(tokens: Sequence[str], phrases: frozenset[tuple[str, ...]]) -> list[range]:
    """Where one of the phrases stands."""
    longest = max(map(len, phrases), default=0)
    return [
        range(at, at + size)
        for at in range(len(tokens))
        for size in range(1, longest + 1)
        if tuple(tokens[at : at + size]) in phrases
    ]


@cache
def word_lists(name: str) -> dict[str, frozenset[str]]:
    """The lists of plain words in one of the YAML files beside this module."""
    raw = _raw(name)
    return {key: frozenset(value.split()) for key, value in raw.items() if isinstance(value, str)}


@cache
def word_list(name: str, key: str) -> frozenset[tuple[str, ...]]:
    """A list of phrases in one of those files, each as its words."""
    return frozenset(tuple(words(phrase)) for phrase in cast("list[str]", _raw(name)[key]))


@cache
def _raw(name: str) -> dict[str, object]:
    return read_yaml(files("redraft.scoring").joinpath(name).read_text("utf-8"))


def _irregular() -> dict[str, str]:
    return cast("dict[str, str]", _raw("broad_words.yaml")["irregular"])


def _things() -> dict[str, str]:
    return cast("dict[str, str]", _raw("broad_words.yaml")["of_things"])
