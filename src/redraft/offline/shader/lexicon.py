"""Every phrase that the offline model for shaders knows, and what each stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from redraft.offline.shader.palette import colour_words, palette_words
from redraft.offline.shader.snippets import snippets
from redraft.spatial.yamldata import read_yaml

__all__ = ["LONGEST", "Sense", "phrases"]

LONGEST = 5
"""Words in the longest phrase that is looked for."""

NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
DYES = ("palette", "colors", "colours", "tones", "shades", "hues", "theme", "color scheme", "colour scheme")


@dataclass(frozen=True)
class Sense:
    """What a phrase stands for: its kind, and a value of that kind."""

    kind: str
    value: Any = None
    text: str = ""


@cache
def phrases() -> Mapping[str, Sense]:
    """Phrase to sense. Where one phrase has several, things go before manners, manners before colours, moods last."""
    found: dict[str, Sense] = {}
    for phrase, sense in (*_layers(), *_manners(), *_colours(), *_moods(), *_rest()):
        found.setdefault(phrase, sense)
    return found


def _layers() -> Iterator[tuple[str, Sense]]:
    for name in palette_words().values():
        for dye in DYES:
            yield f"{name} {dye}", Sense("palette", name)
    for snippet in snippets().values():
        for word in snippet.words:
            yield word, Sense("layer", snippet.name)


def _manners() -> Iterator[tuple[str, Sense]]:
    data = _data()
    for kind in ("speed", "shade", "size", "density"):
        yield from _each(data[kind], kind, float)
    for kind in ("heading", "place"):
        yield from _each(data[kind], kind, _pair)
    yield from _each(data["finish"], "finish", _amount)
    yield from _each(data["flag"], "flag", str)
    yield from ((word, Sense("count", i + 2)) for i, word in enumerate(NUMBERS))


def _pair(text: Any) -> tuple[float, float]:
    x, y = str(text).split()
    return float(x), float(y)


def _amount(text: Any) -> tuple[str, float]:
    name, amount = str(text).split()
    return name, float(amount)


def _each(table: Mapping[Any, Sequence[str]], kind: str, read: Callable[[Any], Any]) -> Iterator[tuple[str, Sense]]:
    for value, words in table.items():
        for word in words:
            yield word, Sense(kind, read(value))


def _colours() -> Iterator[tuple[str, Sense]]:
    for name, value in colour_words().items():
        yield name, Sense("colour", value)


def _moods() -> Iterator[tuple[str, Sense]]:
    for word, name in palette_words().items():
        yield word, Sense("palette", name)


def _rest() -> Iterator[tuple[str, Sense]]:
    data = _data()
    yield from _each(data["relation"], "relation", str)
    for kind in ("without", "replace", "more", "less", "whole"):
        yield from ((word, Sense(kind)) for word in data[kind])
    for word in data["motion_of_itself"]:
        yield word, Sense("nothing")
    for word in ("and", "but", "in", "with", "by", "into", "to", "for"):
        yield word, Sense(word)
    for word in ("a", "an", "the"):
        yield word, Sense("article")
    for word in data["nothing"].split():
        yield word, Sense("nothing")


@cache
def _data() -> dict[str, Any]:
    return read_yaml((resources.files("redraft.offline.shader") / "words.yaml").read_text(encoding="utf-8"))
