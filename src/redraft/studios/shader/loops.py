"""Loops that cannot end, told from their text: those on `true` out of which nothing leads.

Where a loop ends is in general for the clock to say. But drivers treat these in ways of their own (some hang, some
leave the loop out, some stop after 65,535 turns), and what is then drawn has nothing to do with the shader.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from redraft.studios.shader.glsl import NAME

__all__ = ["Loop", "endless"]

HEAD = re.compile(r"\b(for|while)\s*(?=\()")
ALWAYS = {"for": re.compile(r"[^;]*;\s*(?:true)?\s*;[^;]*"), "while": re.compile(r"\s*true\s*")}
WAYS_OUT = frozenset({"break", "return", "discard"})
BRACKET = re.compile(r"[(){}]")
OPENER = {")": "(", "}": "{"}
DO = re.compile(r"\bdo\s*$")
HEAD_LIMIT = 80
MOST_BLANKS = 200
"""Characters between a `do` and its brace."""


@dataclass(frozen=True)
class Loop:
    """`for (…)` or `while (…)`: where it begins, its head in words, and from where to where its body goes."""

    start: int
    head: str
    body: tuple[int, int]


def endless(text: str, defined: set[str]) -> Loop | None:
    """The first loop of a bare text that never ends. Macros (`defined`) may hide a way out: those loops pass."""
    ways_out = [found.start() for found in NAME.finditer(text) if found.group() in WAYS_OUT | defined]
    for loop in _unconditional(text):
        start, end = loop.body
        if bisect_left(ways_out, start) == bisect_left(ways_out, end):
            return loop
    return None


def _unconditional(text: str) -> Iterator[Loop]:
    pairs = _pairs(text)
    openers = {end: start for start, end in pairs.items()}
    for found in HEAD.finditer(text):
        last = pairs.get(found.end())
        if last is None or not ALWAYS[found.group(1)].fullmatch(text, found.end() + 1, last):
            continue
        head = " ".join(text[found.start() : min(last + 1, found.start() + HEAD_LIMIT)].split())
        yield Loop(found.start(), head, _body(text, found.start(), last + 1, pairs, openers))


def _body(text: str, start: int, end: int, pairs: dict[int, int], openers: dict[int, int]) -> tuple[int, int]:
    """What a loop repeats: the block or statement behind its head, or the block of the `do` before it."""
    done = _done_before(text, start, openers)
    if done is not None:
        return done
    first = _skip(text, end)
    if first in pairs:
        return first, pairs[first]
    stop = text.find(";", first)
    return first, len(text) if stop < 0 or "{" in text[first:stop] else stop


def _done_before(text: str, start: int, openers: dict[int, int]) -> tuple[int, int] | None:
    """The block before a `while`, if it is that of a `do`."""
    before = start - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    opener = openers.get(before)
    if opener is None or not DO.search(text[max(0, opener - MOST_BLANKS) : opener]):
        return None
    return opener, before


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _pairs(text: str) -> dict[int, int]:
    """Where each bracket closes that does; of text in which they cross, what can be told."""
    pairs, waiting = dict[int, int](), list[int]()
    for found in BRACKET.finditer(text):
        sign = found.group()
        if sign not in OPENER:
            waiting.append(found.start())
        elif waiting and text[waiting[-1]] == OPENER[sign]:
            pairs[waiting.pop()] = found.start()
    return pairs
