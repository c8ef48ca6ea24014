"""Words as they are compared: without case, accents, hyphens and invisible letters, and by what they may be forms of.

English endings are undone by rule. A word has several possible base forms ("dancing": danc, dance), and two words are
the same when they share one; so "care" and "cars" differ, which cutting off endings would not show.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import cast

from redraft.yamldata import read_yaml

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
    """Return the words that a folded word may be a form of, itself included."""
    found = {word}
    if base := _bases("plurals").get(word) or _bases("irregular").get(word):
        found.add(base)
    for step in (_of_plural, _of_verb, _of_suffix):
        found.update(*(step(form) for form in tuple(found)))
    for form in tuple(found):
        found.update(_spellings(form))
    if thing := _bases("of_things").get(word):
        found.add(thing)
    return frozenset(found)


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """The singular of a folded word, by rule; what only looks like a plural ("glass", "bus", "iris") stays."""
    if base := _bases("plurals").get(word):
        return base
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")) or is_stop(word):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "zzes", "ches", "shes", "oes")) else word[:-1]


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
    """American for British: colour, theatre, stylise."""
    if len(word) > 5 and "our" in word:
        yield word.replace("our", "or")
    if len(word) > 5 and word.endswith("tre"):
        yield word[:-2] + "er"
    if len(word) > 6 and re.search(r"[iy]s(?:e|ed|es|ing|ation)$", word):
        yield re.sub(r"s(?=(?:e|ed|es|ing|ation)$)", "z", word)


def phrase_spans(tokens: Sequence[str], phrases: frozenset[tuple[str, ...]]) -> list[range]:
    """Return the spans of the phrases."""
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
    return read_yaml(files("redraft.ideas").joinpath(name).read_text("utf-8"))


@cache
def _bases(key: str) -> dict[str, str]:
    return cast("dict[str, str]", _raw("broad_words.yaml")[key])


_DATA = "color_words.yaml"
_CODE = re.compile(
    r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b"
    r"|\b0x[0-9a-f]{6}\b"
    r"|\b(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{6}\b"
    r"|\b(?:rgb|hsl|hsv|hwb|lab|lch|oklab|oklch|cmyk)a?\s*\(\s*[\d.][^()]{0,40}\)?"
)


def color_codes(text: str) -> list[str]:
    """Colors written as numbers: `#ff8800`, `rgb(255, 136, 0)`; folded, in order."""
    return [found.group() for found in _CODE.finditer(folded(text))]


def color_spans(tokens: Sequence[str]) -> list[range]:
    """Return the spans in a text that name a color, in order. `tokens` are folded words."""
    meant_otherwise = {at for span in phrase_spans(tokens, word_list(_DATA, "idioms")) for at in span}
    together = phrase_spans(tokens, word_list(_DATA, "phrases"))
    inside = {at for span in together for at in span}
    alone = (
        range(at, at + 1)
        for at, token in enumerate(tokens)
        if at not in meant_otherwise and at not in inside and (token in _certain() or _cued(tokens, at))
    )
    return sorted((*together, *alone), key=lambda span: span.start)


@cache
def _certain() -> frozenset[str]:
    lists = word_lists(_DATA)
    return lists["css"] | lists["words"] | frozenset(form for word in lists["basic"] for form in _shades(word))


def _shades(word: str) -> Iterator[str]:
    """A basic color and its forms: red, reds, redness, reddish; blue, bluish."""
    stem = word.removesuffix("e")
    yield from (word, f"{word}s", f"{word}ness", f"{word}ish", f"{stem}ish", f"{stem}{stem[-1]}ish")


def _cued(tokens: Sequence[str], at: int) -> bool:
    """Return whether a thing stands for its color: "sand tones", "shades of sand"."""
    lists = word_lists(_DATA)
    if tokens[at] not in lists["with_cue"]:
        return False
    before = list(tokens[max(0, at - 2) : at])
    of = len(before) == 2 and before[1] in {"of", "like"} and before[0] in lists["cues_before"]
    return of or not lists["cues_after"].isdisjoint(tokens[at + 1 : at + 2])
