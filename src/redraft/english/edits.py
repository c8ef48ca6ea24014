"""Edits of a drawing that is there: "make the roof red", "move the tree closer", "add a tree to the left of it"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.english.chunks import NounPhrase
from redraft.english.noun_phrases import noun_phrase
from redraft.english.tokens import NUMBER, Line, number, phrase, tokenise
from redraft.english.words import singular, vocabulary

__all__ = ["Add", "Edit", "Recolour", "Remove", "Resize", "Shift", "is_edit", "read_edits"]


Way = Literal["left", "right", "up", "down", "closer", "away", "to"]


@dataclass(frozen=True)
class Recolour:
    """Paint a thing, and of its parts those that have its main colour."""

    noun: str
    colour: str
    whole: str | None = None


@dataclass(frozen=True)
class Resize:
    """Scale a thing in place: `factor` is linear; `dimension` None is both."""

    noun: str
    factor: float
    dimension: Literal["width", "height"] | None = None
    whole: str | None = None


@dataclass(frozen=True)
class Shift:
    """Move a thing. `to` is where, in words that `grammar.read` reads ("the tree to the left of the house")."""

    noun: str
    way: Way
    amount: float = 0.1
    """In shares of the canvas."""
    to: str = ""
    toward: str | None = None
    """For "closer" and "away": of what, when it is said."""


@dataclass(frozen=True)
class Remove:
    """Take a thing away; `number` of them, None for all."""

    noun: str
    number: int | None = None
    whole: str | None = None


@dataclass(frozen=True)
class Add:
    """Draw something more. `text` is what, in words that `grammar.read` reads."""

    text: str


Edit = Recolour | Resize | Shift | Remove | Add

_LEAD = r"^\W*(?:(?:now|then|next|please|and|also|ok|okay|can you|could you|finally|let's|just)\b[ ,]*)*"
_EDIT = re.compile(
    _LEAD + r"(?:(?:add|remove|delete|erase|move|shift|slide|nudge|push|recolou?r|enlarge|shrink|"
    r"scale|resize|get rid of|take away)\b"
    r"|(?:make|turn|paint|colou?r|change|give|bring|put|drop|swap|replace|raise|lower) (?:the|"
    r"it|its|them|all|both|every|each|that|this|one|everything)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[.;!]+(?=\s|$)|\n+|,? (?:and )?then (?=\w)|,? and (?=(?:add|remove|delete|erase|move|shift|"
    r"make|turn|paint|colou?r|change|shrink|enlarge|scale|put) )"
    r"|, (?=(?:add|remove|delete|erase|move|shift|make|turn|paint|colou?r|change|shrink|enlarge|scale|put) )"
)
_VERB = phrase(
    r"(?P<add>add|put in|insert|include)|(?P<remove>remove|delete|erase|get rid of|take away|"
    r"drop)|(?P<move>move|shift|slide|nudge|push|bring|put|raise|lower)"
    r"|(?P<paint>make|turn|paint|colou?r|recolou?r|change|give)|(?P<grow>enlarge)|(?P<shrink>shrink)"
    r"|(?P<scale>scale|resize)"
)
_BIGGER = phrase(
    rf"(?:to be |by )?(?P<much>much |a lot |way |slightly |a bit |a little |(?P<percent>{NUMBER})"
    r" ?(?:%|percent) )?(?P<word>bigger|larger|smaller|taller|shorter|wider|narrower|higher)"
    rf"|(?P<times>twice|half|double|{NUMBER} times) (?:as (?P<as>big|large|tall|wide|high)"
    rf"|its size|the size)|(?:by a factor of |to |by )?(?P<share>{NUMBER}) ?(?P<sign>%|percent)"
)
_WAY = phrase(
    rf"(?P<much>much |a lot |far |slightly |a bit |a little )?(?:(?P<amount>{NUMBER}) )?(?:(?:to|"
    r"towards?) the )?(?P<way>left|right|up|upwards?|down|downwards?|higher|lower|closer|"
    rf"nearer|away|apart|further|farther)(?: away)?(?: (?:by )?(?P<amount2>{NUMBER}))?(?! of)"
    r"(?: (?:to|from|towards?) (?=the |it|a ))?"
)
_GROWS = {
    "bigger": 1.3, "larger": 1.3, "taller": 1.3, "wider": 1.3, "higher": 1.3, "smaller": 0.75, "shorter": 0.75,
    "narrower": 0.75,
}  # fmt: skip
_ALONG: dict[str, Literal["width", "height"]] = {
    "taller": "height", "shorter": "height", "higher": "height", "tall": "height", "high": "height",
    "wider": "width", "narrower": "width", "wide": "width",
}  # fmt: skip
_WAYS: dict[str, Way] = {
    "up": "up", "upward": "up", "upwards": "up", "higher": "up", "down": "down", "downward": "down",
    "downwards": "down", "lower": "down",
    "left": "left", "right": "right", "closer": "closer", "nearer": "closer", "away": "away", "apart": "away",
    "further": "away",
    "farther": "away",
}  # fmt: skip
_SHADES = {"much ": 2.0, "a lot ": 2.0, "way ": 2.0, "far ": 2.0, "slightly ": 0.5, "a bit ": 0.5, "a little ": 0.5}


def is_edit(text: str) -> bool:
    """Whether a text speaks of a drawing that is already there."""
    return bool(_EDIT.match(text))


def read_edits(text: str, nouns_present: Sequence[str]) -> tuple[Edit, ...]:
    """The edits that a text asks for, in order.

    `nouns_present` are the nouns of the drawing, its main thing first: what "it" stands for.
    Clauses that are no edit and name something are additions; others are left out.
    """
    found: list[Edit] = []
    about = nouns_present[0] if nouns_present else None
    for clause in _CLAUSE.split(text):
        edit = _clause(clause, about)
        if edit is not None:
            found.append(edit)
            about = edit.noun if isinstance(edit, Recolour | Resize | Shift) else about
    return tuple(found)


def _clause(clause: str, about: str | None) -> Edit | None:
    bare = re.sub(_LEAD, "", clause, flags=re.IGNORECASE).strip(" ,")
    line = Line(bare, tokenise(bare))
    found = line.match(_VERB, 0) if len(line) else None
    if found is None:
        return Add(bare) if len(line) and noun_phrase(line, 0) is not None else None
    match, j = found
    if match.group("add"):
        return Add(line.source(j, len(line)))
    target = _target(line, j, about)
    if target is None:
        return None
    thing, k = target
    if match.group("remove"):
        return Remove(thing.noun, thing.number if thing.determiner == "a" or thing.number != 1 else None, _whole(thing))
    if match.group("move"):
        return _moved(line, k, thing, match.group("move"))
    return _changed(line, k, thing, grow=bool(match.group("grow")), shrink=bool(match.group("shrink")))


def _target(line: Line, j: int, about: str | None) -> tuple[NounPhrase, int] | None:
    if line.word(j) in {"it", "them", "that", "this"} and about is not None and noun_phrase(line, j) is None:
        return NounPhrase(j, j + 1, noun=about, determiner="the", number=1), j + 1
    thing = _without_way(line, j)
    return (thing, thing.j) if thing is not None else None


def _without_way(line: Line, j: int) -> NounPhrase | None:
    """The thing, cut before a colour that follows it ("the roof red")."""
    return noun_phrase(line, j, after_relation=True)


def _whole(thing: NounPhrase) -> str | None:
    return thing.owner.noun if thing.owner is not None else None


def _changed(line: Line, k: int, thing: NounPhrase, *, grow: bool, shrink: bool) -> Edit | None:
    """A colour or a size, whichever follows."""
    if grow or shrink:
        return Resize(thing.noun, 1.3 if grow else 0.75, None, _whole(thing))
    for i in range(k, len(line)):
        bigger = line.match(_BIGGER, i)
        if bigger is not None:
            return _resized(bigger[0], thing)
        colour = _colour(line, i)
        if colour is not None:
            return Recolour(thing.noun, colour, _whole(thing))
    return None


def _colour(line: Line, i: int) -> str | None:
    v, word = vocabulary(), line.word(i)
    if v.has(word, "colour_modifiers") and v.has(line.word(i + 1), "colours"):
        return f"{word} {line.word(i + 1)}"
    return word if v.has(word, "colours") else None


def _resized(match: re.Match[str], thing: NounPhrase) -> Resize:
    group = match.groupdict()
    word = group["word"] or group["as"] or ""
    factor = _GROWS.get(word, 1.3)
    if group["percent"]:
        share = (number(group["percent"]) or 0.0) / 100
        factor = 1 + share if factor > 1 else max(0.05, 1 - share)
    elif group["share"]:
        factor = max(0.05, (number(group["share"]) or 100.0) / 100)
    elif group["times"]:
        factor = (
            {"twice": 2.0, "double": 2.0, "half": 0.5}.get(group["times"]) or number(group["times"].split()[0]) or 1.0
        )
    elif group["much"]:
        factor = factor ** _SHADES.get(group["much"], 1.0)
    return Resize(thing.noun, factor, _ALONG.get(word), _whole(thing))


def _moved(line: Line, k: int, thing: NounPhrase, verb: str) -> Edit | None:
    if k >= len(line):
        way: Way | None = {"raise": "up", "lower": "down"}.get(verb)  # type: ignore[assignment]
        return Shift(thing.noun, way) if way else None
    found = line.match(_WAY, k)
    if found is None:
        return Shift(thing.noun, "to", to=f"the {thing.noun} {line.source(k, len(line))}")
    group = found[0].groupdict()
    amount = number(group["amount"] or group["amount2"] or "") or 0.1 * _SHADES.get(group["much"] or "", 1.0)
    toward = noun_phrase(line, found[1], after_relation=True) if found[1] < len(line) else None
    return Shift(thing.noun, _WAYS[group["way"]], amount, toward=toward.noun if toward is not None else None)


def nouns_of(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels of a drawing's top-level things, singular, each once."""
    return tuple(dict.fromkeys(singular(label.lower())[0] for label in labels))
