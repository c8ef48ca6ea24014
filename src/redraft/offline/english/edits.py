"""Edits of a drawing that is there: "make the roof red", "move the tree left", "add a tree to the left of it"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from redraft.offline.english.chunks import NounPhrase
from redraft.offline.english.noun_phrases import noun_phrase
from redraft.offline.english.tokens import NUMBER, Line, number, phrase, tokenise
from redraft.offline.english.words import vocabulary

Way = Literal["left", "right", "up", "down"]


@dataclass(frozen=True)
class Recolour:
    """Paint a thing, and of its parts those that have its main color."""

    noun: str
    colour: str
    whole: str | None = None


@dataclass(frozen=True)
class Resize:
    """Scale a thing in place: `factor` is linear."""

    noun: str
    factor: float


@dataclass(frozen=True)
class Shift:
    """Move a thing, by `amount` in shares of the canvas."""

    noun: str
    way: Way
    amount: float = 0.1


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
_START = r"(?:add|remove|delete|erase|move|shift|make|turn|paint|colou?r|change|shrink|enlarge|scale|put)"
_EDIT = re.compile(
    _LEAD + r"(?:(?:add|remove|delete|erase|move|shift|recolou?r|enlarge|shrink|scale|resize|get rid of|take away)\b"
    r"|(?:make|turn|paint|colou?r|change|give|bring|put|drop|replace) (?:the|it|its|them|all|each|that|this|one)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(rf"[.;!]+(?=\s|$)|\n+|,? (?:and )?then (?=\w)|,? and (?={_START} )|, (?={_START} )")
_VERB = phrase(
    r"(?P<add>add|put in|insert|include)|(?P<remove>remove|delete|erase|get rid of|take away|drop)"
    r"|(?P<move>move|shift)|(?P<grow>enlarge)|(?P<shrink>shrink)"
    r"|make|turn|paint|colou?r|recolou?r|change|give|scale|resize"
)
_SIZE = phrase(
    rf"(?:(?P<much>much|a lot|slightly|a bit|a little|(?P<percent>{NUMBER}) (?:%|percent)) )?"
    rf"(?P<word>bigger|larger|smaller|taller)|(?P<times>twice|half|double|{NUMBER} times) (?:as \w+|its size|the size)"
)
_WAY = phrase(
    rf"(?:(?P<amount>{NUMBER}) )?(?:(?:to|towards?) the )?(?P<way>left|right|up|down)"
    rf"(?: (?:by )?(?P<amount2>{NUMBER}))?(?! of)"
)
GROW, SHRINK = 1.3, 0.75
"""How many times as large "bigger" and "smaller" are."""
_MUCH = {"much": 2.0, "a lot": 2.0, "slightly": 0.5, "a bit": 0.5, "a little": 0.5}


def is_edit(text: str) -> bool:
    """Return whether a text speaks of a drawing that is already there."""
    return bool(_EDIT.match(text))


def read_edits(text: str, nouns_present: Sequence[str]) -> tuple[Edit, ...]:
    """Return the edits that a text requests, in order.

    `nouns_present` are the nouns of the drawing, its main thing first: what "it" stands for. Clauses that are not edits
    and name something are additions; others are left out.
    """
    edits: list[Edit] = []
    about = nouns_present[0] if nouns_present else None
    for clause in _CLAUSE.split(text):
        edit = _read_clause(clause, about)
        if edit is not None:
            edits.append(edit)
            about = edit.noun if isinstance(edit, Recolour | Resize | Shift) else about
    return tuple(edits)


_SIDES = frozenset(["left", "right", "upper", "lower", "top", "bottom", "middle"])
"""Adjectives that single out one of several."""


def _read_clause(clause: str, about: str | None) -> Edit | None:
    bare = re.sub(_LEAD, "", clause, flags=re.IGNORECASE).strip(" ,")
    line = Line(bare, tokenise(bare))
    matched = line.match(_VERB, 0) if len(line) else None
    if matched is None or matched[0].group("add"):
        text = line.source(matched[1] if matched else 0, len(line))
        return Add(text) if matched or (len(line) and noun_phrase(line, 0) is not None) else None

    verb, j = matched
    thing = noun_phrase(line, j, after_relation=True)
    if thing is None and line.word(j) in {"it", "them", "that", "this"} and about is not None:
        thing = NounPhrase(j, j + 1, noun=about, determiner="the", number=1)
    if thing is None or thing.ordinal is not None or _SIDES.intersection(thing.adjectives):
        return None  # one of several: which part that is cannot be told from the words alone
    whole = thing.owner.noun if thing.owner is not None else None

    if verb.group("remove"):
        counted = thing.determiner == "a" or thing.number != 1 or line.word(thing.i) == "one"
        return Remove(thing.noun, thing.number if counted else None, whole)
    if verb.group("grow") or verb.group("shrink"):
        return Resize(thing.noun, GROW if verb.group("grow") else SHRINK)
    return _read_shift(line, thing) if verb.group("move") else _read_change(line, thing, whole)


def _read_shift(line: Line, thing: NounPhrase) -> Shift | None:
    """Return the direction that follows, with the step before or after it."""
    matched = line.match(_WAY, thing.j) if thing.j < len(line) else None
    if matched is None:
        return None
    group = matched[0].groupdict()
    amount = number(group["amount"] or group["amount2"] or "") or Shift.amount
    return Shift(thing.noun, cast("Way", group["way"]), amount)


def _read_change(line: Line, thing: NounPhrase, whole: str | None) -> Edit | None:
    """Return a color or a size, whichever follows."""
    v = vocabulary()
    for i in range(thing.j, len(line)):
        size = line.match(_SIZE, i)
        if size is not None:
            return Resize(thing.noun, _factor(size[0]))
        shade = v.has(line.word(i), "colour_modifiers") and v.has(line.word(i + 1), "colours")
        if shade or v.has(line.word(i), "colours"):
            return Recolour(thing.noun, " ".join(line.word(k) for k in range(i, i + 1 + shade)), whole)
    return None


def _factor(match: re.Match[str]) -> float:
    """Return the linear factor that words such as "much bigger", "20 % smaller" or "twice its size" ask for."""
    group = match.groupdict()
    if group["times"]:
        words = {"twice": 2.0, "double": 2.0, "half": 0.5}
        return words.get(group["times"]) or number(group["times"].split()[0]) or 1.0
    factor = SHRINK if group["word"] == "smaller" else GROW
    if group["percent"]:
        share = (number(group["percent"]) or 0.0) / 100
        return 1 + share if factor > 1 else max(0.05, 1 - share)
    return factor ** _MUCH.get(group["much"] or "", 1.0)
