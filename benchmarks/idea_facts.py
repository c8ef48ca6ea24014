"""What a GenEval prompt states, and whether a longer text still states it. An independent reader: it shares nothing
with redraft's grammar or with its check of a final prompt, or a misreading would grade itself.

It reads words, not pictures, and is strict: a fact counts as kept only where the text says it in one of the forms
below, and nowhere else says the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["class", "count", "color", "position"]

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COLORS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "gray", "grey")
_NAMES = """
baseball bat, baseball glove, cell phone, computer keyboard, computer mouse, dining table, fire hydrant, hair drier,
hot dog, parking meter, potted plant, sports ball, stop sign, teddy bear, tennis racket, traffic light, tv remote,
wine glass
"""
NAMES = tuple(" ".join(name.split()) for name in _NAMES.split(","))
"""Of GenEval's objects those of two words: a teddy bear is no bear."""
IRREGULAR = {
    "knife": ("knives",),
    "mouse": ("mice",),
    "person": ("people", "persons"),
    "skis": ("ski",),
    "tv": ("tvs", "television", "televisions"),
}
PLACES: Mapping[str, tuple[str, ...]] = {
    "left of": ("left of", "left side of"),
    "right of": ("right of", "right side of"),
    "above": ("above", "over", "on top of"),
    "below": ("below", "under", "beneath", "underneath"),
}
OPPOSITE = {"left of": "right of", "right of": "left of", "above": "below", "below": "above"}
AT_IT = {
    "left of": ("to its left", "on its left", "left of it"),
    "right of": ("to its right", "on its right", "right of it"),
    "above": ("above it", "over it", "on top of it"),
    "below": ("below it", "under it", "beneath it", "underneath it"),
}
"""A cow with a laptop to its left."""
_APART = """
a an the and or but with without of in on at to from by for beside near behind under over above below between into its
their his her this that these those is are
"""
APART = frozenset(_APART.split())
"""What ends the words that belong to a noun, read backwards from it."""
SAYING = frozenset({"is", "are", "was", "were", "that", "which", "painted", "coloured", "colored", "in", "all", "both"})
"""May stand between a noun and its color behind it: "the bench is red"."""
GAP = r"(?: (?!(?:left|right|above|over|below|under|beneath|underneath|top|and|a|an|the|one|two|three|four)\b)\w+){0,5}"
"""Words between a thing and where it is said to be; no other thing and no other place among them."""
NOUN = r"(?: (?:a|an|the|its|one|two|three|four))?(?: (?!(?:and|with|of|in|on|at)\b)\w+){0,2}"
"""An article and what is said of the noun before it."""
_FURTHER = """
as it they them he she there here who what which was were be been has have had do does not no one some any each very
while up down out off then than so
"""
FUNCTION = APART | frozenset(_FURTHER.split())


@dataclass(frozen=True)
class Fact:
    """One thing that is stated: of `thing` that it is there, how often, in which color, or where from `other`."""

    kind: Kind
    thing: str
    value: str = ""
    other: str = ""


def facts_of(case: Mapping[str, Any]) -> list[Fact]:
    """The facts of a GenEval case: every class; counts from two on; colors; positions."""
    things: list[Mapping[str, Any]] = case["include"]
    found: list[Fact] = []
    for thing in things:
        name = thing["class"]
        found.append(Fact("class", name))
        if thing["count"] > 1:
            found.append(Fact("count", name, str(thing["count"])))
        if "color" in thing:
            found.append(Fact("color", name, thing["color"]))
        if "position" in thing:
            place: str = thing["position"][0]
            index: int = thing["position"][1]
            found.append(Fact("position", name, place, things[index]["class"]))
    return found


def kept(fact: Fact, text: str) -> bool:
    """Whether the text states the fact."""
    sentences = [words(sentence) for sentence in re.split(r"[.!?;:]+", text)]
    match fact.kind:
        case "class":
            return any(_mentions(sentence, fact.thing) for sentence in sentences)
        case "count":
            said = {number for s in sentences for at in _mentions(s, fact.thing) if (number := _number(s, at))}
            return said == {int(fact.value)}
        case "color":
            told = [_colors(s, at) for s in sentences for at in _mentions(s, fact.thing)]
            told_some = [colors for colors in told if colors]
            return bool(told_some) and all(_plain(fact.value) in colors for colors in told_some)
        case "position":
            there = any(_stands(s, fact.thing, fact.value, fact.other) for s in sentences)
            elsewhere = any(_stands(s, fact.thing, OPPOSITE[fact.value], fact.other) for s in sentences)
            return there and not elsewhere


def words(text: str) -> list[str]:
    """In lower case, without punctuation and possessives; hyphens part words."""
    return re.findall(r"[a-z0-9]+", re.sub(r"['’]s\b", "", text.lower()))


def content_words(text: str) -> list[str]:
    """The words that are not function words or numbers for one."""
    return [word for word in words(text) if word not in FUNCTION]


def forms(noun: str) -> frozenset[str]:
    """A noun and its plurals, with the plain "s" that GenEval puts after everything ("four benchs")."""
    found = {noun, noun + "s", *IRREGULAR.get(noun, ())}
    if noun.endswith(("s", "x", "ch", "sh")):
        found.add(noun + "es")
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        found.add(noun[:-1] + "ies")
    return frozenset(found)


Span = tuple[int, int]


def _mentions(sentence: Sequence[str], name: str) -> list[Span]:
    """Where a thing is named, and not only as a part of another thing's name."""
    longer = [other for other in NAMES if other != name and name in other.split()]
    taken = [span for other in longer for span in _named(sentence, other)]
    return [
        (start, end)
        for start, end in _named(sentence, name)
        if not any(first <= start and end <= last for first, last in taken)
    ]


def _named(sentence: Sequence[str], name: str) -> list[Span]:
    *before, last = name.split()
    size = len(before) + 1
    return [
        (at, at + size)
        for at in range(len(sentence) - size + 1)
        if list(sentence[at : at + size - 1]) == before and sentence[at + size - 1] in forms(last)
    ]


def _own_words(sentence: Sequence[str], at: Span) -> list[str]:
    """Up to four words before a noun that belong to it."""
    found: list[str] = []
    for word in reversed(sentence[max(0, at[0] - 4) : at[0]]):
        if word in APART:
            break
        found.append(word)
    return found


def _number(sentence: Sequence[str], at: Span) -> int | None:
    """The count said of a noun, from two on."""
    for word in _own_words(sentence, at):
        number = NUMBERS.index(word) if word in NUMBERS else int(word) if word.isdigit() else 0
        if number > 1:
            return number
    return None


def _colors(sentence: Sequence[str], at: Span) -> set[str]:
    """The colors said of a noun, before it or behind it."""
    found = {_plain(word) for word in _own_words(sentence, at) if word in COLORS}
    after = list(sentence[at[1] : at[1] + 4])
    while after and after[0] in SAYING:
        after.pop(0)
        if after and after[0] in COLORS:
            found.add(_plain(after[0]))
    return found


def _plain(color: str) -> str:
    return "gray" if color == "grey" else color


def _stands(sentence: Sequence[str], thing: str, place: str, other: str) -> bool:
    """Whether the sentence puts one thing there from the other."""
    text = _marked(sentence, {"§x": thing, "§y": other})
    there, back = _any_of(PLACES[place]), _any_of(PLACES[OPPOSITE[place]])
    ways = (
        rf"§x{GAP} {there}{NOUN} §y",  # a laptop to the left of a cow
        rf"§y{GAP} {back}{NOUN} §x",
        rf"^(?:\w+ ){{0,3}}{there}{NOUN} §y{GAP}{NOUN} §x",  # left of a cow stands a laptop
        rf"^(?:\w+ ){{0,3}}{back}{NOUN} §x{GAP}{NOUN} §y",
        rf"§y{GAP}{NOUN} §x {_any_of(AT_IT[place])}",  # a cow with a laptop to its left
        rf"§x{GAP}{NOUN} §y {_any_of(AT_IT[OPPOSITE[place]])}",
    )
    return any(re.search(way, text) for way in ways)


def _marked(sentence: Sequence[str], marks: Mapping[str, str]) -> str:
    """The sentence with every naming of a thing put as its mark."""
    left = list(sentence)
    for mark, name in marks.items():
        for start, end in _mentions(sentence, name):
            left[start:end] = [mark] + [""] * (end - start - 1)
    return " ".join(word for word in left if word)


def _any_of(phrases: Sequence[str]) -> str:
    return f"(?:(?:to|on|at) the )?(?:{'|'.join(phrases)})"
