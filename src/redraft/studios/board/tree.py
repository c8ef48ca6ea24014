"""One list of a board file as nested Python lists: for the few that are read whole, such as a pad."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TypeAlias

from redraft.studios.board.sexpr import text_of

__all__ = [
    "MalformedError",
    "Point",
    "Tree",
    "angle",
    "first",
    "found",
    "length",
    "point",
    "said",
    "text",
    "tree",
    "unquoted",
    "words",
]

Tree: TypeAlias = "list[bytes | Tree]"
"""Words as bytes, the way `sexpr.atoms` gives them, and lists within."""

Point = tuple[float, float]

_TOKEN = re.compile(rb'[()]|"(?:[^"\\]++|\\.)*+"|[^\s()"]+', re.DOTALL)
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_QUOTE = ord('"')
_FURTHEST = 1e6
"""Millimetres. KiCad itself ends at 2,147."""


class MalformedError(ValueError):
    """A list that does not hold what it should; the reader adds the file and the line."""


def tree(data: bytes, start: int = 0, end: int | None = None) -> Tree:
    """The list at [start, end), a span of the index: so its parentheses match."""
    end = len(data) if end is None else end
    if data.find(b"(", start + 1, end) < 0:  # most are flat
        return [unquoted(word) for word in _TOKEN.findall(data, start + 1, end - 1)]
    root: Tree = []
    open_lists = [root]
    for token in _TOKEN.findall(data, start, end):
        if token == b"(":
            inner: Tree = []
            open_lists[-1].append(inner)
            open_lists.append(inner)
        elif token == b")":
            open_lists.pop()
        else:
            open_lists[-1].append(unquoted(token) if token[0] == _QUOTE or b"\\" in token else token)
    whole = root[0]
    assert isinstance(whole, list)
    return whole


def unquoted(token: bytes) -> bytes:
    """A word or a string of the file, as `sexpr.text_of` takes it."""
    if token[:1] == b'"':
        return token[1:-1]
    return token.replace(b"\\", b"\\\\") if b"\\" in token else token


def first(parent: Tree, head: bytes) -> Tree | None:
    """The first list in this one that begins with that word."""
    for child in parent:
        if isinstance(child, list) and child and child[0] == head:
            return child
    return None


def found(parent: Tree, head: bytes) -> Tree:
    """As `first`, for what must be there. Raises `MalformedError`."""
    child = first(parent, head)
    if child is None:
        raise MalformedError(f"({_head(parent)} …) has no ({head.decode()} …)")
    return child


def said(parent: Tree, word: bytes) -> bool:
    """A flag, in any of KiCad's ways to set one: `locked`, `(locked)`, `(locked yes)`."""
    child = first(parent, word)
    if child is None:
        return word in parent[2:]
    return len(child) == 1 or child[1] in {b"yes", b"true"}


def words(parent: Tree) -> list[str]:
    """The words after the head."""
    return [text_of(atom) for atom in parent[1:] if isinstance(atom, bytes)]


def text(parent: Tree, at: int) -> str:
    """The word at a place (the head is 0). Raises `MalformedError` where there is none."""
    return text_of(_word(parent, at))


def length(parent: Tree, at: int = 1) -> float:
    """The number at a place, in millimetres. Raises `MalformedError` where there is none, or an absurd one."""
    value = _number(parent, at)
    if abs(value) > _FURTHEST:
        raise MalformedError(f"({_head(parent)} …) has {value:g}, further out than any board reaches")
    return value


def angle(parent: Tree, at: int) -> float:
    """The number at a place, in degrees, in (−180, 180]; 0 where the list is shorter."""
    if len(parent) <= at or not isinstance(parent[at], bytes) or not _NUMBER.fullmatch(_word(parent, at)):
        return 0.0
    turned = math.fmod(_number(parent, at), 360.0)
    return turned - 360.0 if turned > 180.0 else turned + 360.0 if turned <= -180.0 else turned


def point(parent: Tree) -> Point:
    """`(at 1 2 …)` as millimetres."""
    return (length(parent, 1), length(parent, 2))


def _word(parent: Tree, at: int) -> bytes:
    atom = parent[at] if at < len(parent) else None
    if not isinstance(atom, bytes):
        raise MalformedError(f"({_head(parent)} …) ends before its value number {at}")
    return atom


def _number(parent: Tree, at: int) -> float:
    atom = _word(parent, at)
    value = _value(atom)
    if not math.isfinite(value):
        raise MalformedError(f"({_head(parent)} …) should have a number where it has {text_of(atom)[:40]!r}")
    return value


@lru_cache(maxsize=1 << 16)
def _value(atom: bytes) -> float:
    """NaN for what is no number. Cached, for most numbers of a board are there many times."""
    return float(atom) if _NUMBER.fullmatch(atom) else math.nan


def _head(parent: Tree) -> str:
    return text_of(parent[0])[:40] if parent and isinstance(parent[0], bytes) else ""
