"""S-expressions: `Index` says where every list of a file begins and ends; `tree` reads one of them as nested lists.

A board of 70 MB holds five million lists, of which placement needs one in a hundred. The index finds quotes,
parentheses and depths in a few array passes over the bytes; text is read only where it is needed.

In `Index` a list is a number: the i-th opening parenthesis of the file. In a `Tree` it is a Python list whose first
element is its head; `first`, `require`, `is_set`, `words`, `text`, `length`, `angle` and `point` read values from it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from redraft.errors import BoardFormatError

Positions = NDArray[np.int64]
Bytes = NDArray[np.uint8]
QUOTE, OPEN, CLOSE = 34, 40, 41
BLOCK = 1 << 18
"""Bytes looked at in one go, so that they and the masks made of them fit the processor's cache."""

_STRING = rb'"((?:[^"\\]++|\\.)*+)"'
_ORPHAN = rb'(?<=\))filter_ratio\s+[^\s()"]+\s*\)'
"""What KiCad 9.0.0 writes of teardrops: `(curved_edges no)filter_ratio 0.9)`. KiCad reads it; here it is skipped."""
_ORPHANS = re.compile(_ORPHAN)
_TOKEN = re.compile(_ORPHAN + rb"|" + _STRING + rb'|([^\s()"]+)|[()]', re.DOTALL)
_OPENED = re.compile(_STRING.removesuffix(b'"') + rb'("?)', re.DOTALL)
"""A string, or what is left of one that is never closed; the second group is its closing quote."""
_SLASHED = re.compile(rb'\\(?<!\\\\)(?:\\\\)*+"', re.DOTALL)
"""A quote after an odd number of backslashes, of which the last is therefore not itself escaped."""
_HEAD = re.compile(rb'\s*([^\s()"]+)')
_ESCAPE = re.compile(rb"\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


@dataclass(frozen=True)
class Index:
    """Every list of a file, in the order in which they open.

    `start[i]` is the offset of the i-th opening parenthesis, `end[i]` one past its closing one, `depth[i]` its
    depth (the outermost list has 0), all (n,) arrays. A list's descendants follow it without a gap.
    """

    data: bytes
    start: Positions
    end: Positions
    depth: NDArray[np.int32]

    @classmethod
    def of(cls, data: bytes, where: str = "the file") -> Index:
        """Index the bytes. Linear; well under a second for 70 MB.

        Raises:
            BoardFormatError: a parenthesis that closes nothing or is never closed, or a quote that is never closed.
        """
        marks = _parentheses(data, where)
        opens = np.frombuffer(data, dtype=np.uint8)[marks] == OPEN
        level = np.cumsum(opens.astype(np.int8) * 2 - 1, dtype=np.int32)
        if len(level) and int(level.min()) < 0:
            offset = int(marks[np.argmax(level < 0)])
            raise _damaged(data, where, offset, "a parenthesis closes here that was never opened")
        if len(level) and (missing := int(level[-1])):
            last = int(np.flatnonzero(opens & (level == missing))[-1])
            what = f"the list that opens here is never closed ({missing} parentheses are missing at the end)"
            raise _damaged(data, where, int(marks[last]), what)

        # Among the parentheses of one depth, opening and closing ones take turns: sorted by depth they stand in pairs.
        level -= opens  # now a list's depth at both of its ends
        narrow = level if len(level) and int(level.max()) > 32_000 else level.astype(np.int16)  # sorted by radix then
        order = np.argsort(narrow, kind="stable")
        partners = np.zeros(len(level), dtype=np.int64)
        partners[order[0::2]] = order[1::2]
        return cls(data, marks[opens], marks[partners[opens]] + 1, level[opens])

    def __len__(self) -> int:
        return len(self.start)

    def after(self, i: int) -> int:
        """One past the last descendant of the i-th list."""
        end: np.int64 = self.end[i]
        return int(np.searchsorted(self.start, end))

    def inside(self, i: int) -> Positions:
        """The lists directly within the i-th, in order, as an array (k,)."""
        return np.flatnonzero(self.depth[i + 1 : self.after(i)] == self.depth[i] + 1) + (i + 1)

    def children(self, i: int) -> Iterator[int]:
        """The lists directly within the i-th, in order."""
        return iter(self.inside(i).tolist())

    def head(self, i: int) -> bytes:
        """The word that the i-th list begins with: `footprint` of `(footprint "R_0402" …)`; empty if it has none."""
        match = _HEAD.match(self.data, int(self.start[i]) + 1)
        return match[1] if match else b""

    def around(self, word: bytes) -> Iterator[int]:
        """Yield the lists that open last before each occurrence of these bytes, in order and each once.

        This finds what is rare in a large file: a search for bytes is far quicker than a look at every list. The
        bytes may also stand in a text, or behind the list that is given: the caller checks.
        """
        at, last = self.data.find(word), -1
        while at >= 0:
            i = int(np.searchsorted(self.start, at)) - 1
            if i > last:
                yield i
                last = i
            at = self.data.find(word, at + 1)

    def by_head(self, i: int) -> dict[bytes, list[int]]:
        """The lists directly within the i-th by their heads."""
        lists: dict[bytes, list[int]] = {}
        for child in self.children(i):
            lists.setdefault(self.head(child), []).append(child)
        return lists

    def child(self, i: int, head: bytes) -> int | None:
        """The first list directly within the i-th that begins with that word."""
        return next((child for child in self.children(i) if self.head(child) == head), None)

    def text(self, i: int) -> bytes:
        """The i-th list whole, parentheses included."""
        return self.data[self.start[i] : self.end[i]]

    def atoms(self, i: int) -> list[bytes]:
        """Return `atoms` of the i-th list, skipping the lists in it."""
        return [_atom(token) for token in self._tokens(i)]

    def words(self, i: int) -> list[tuple[int, int]]:
        """Return the spans of the words of `atoms(i)`, quotes included."""
        return [token.span() for token in self._tokens(i)]

    def _tokens(self, i: int) -> Iterator[re.Match[bytes]]:
        inner = self.inside(i)
        starts = [int(self.start[i]) + 1, *self.end[inner].tolist()]
        ends = [*self.start[inner].tolist(), int(self.end[i]) - 1]
        gaps = (_TOKEN.finditer(self.data, a, b) for a, b in zip(starts, ends, strict=True))
        return (token for gap in gaps for token in gap if token.lastindex)

    def line(self, offset: int) -> int:
        """Line number, from 1, of a byte offset; for messages."""
        return _line(self.data, offset)


def atoms(data: bytes, start: int, end: int) -> list[bytes]:
    """Return the words directly within the list at [start, end), its head first; strings unquoted, inner lists skipped.

    Escapes stand as in the file. In a word without quotes backslashes are mere letters; they are doubled here, so that
    `text_of` reads every atom alike.
    """
    listed: list[bytes] = []
    depth = 0
    for token in _TOKEN.finditer(data, start, end):
        if token.lastindex is None:
            depth += {b"(": 1, b")": -1}.get(token[0], 0)
        elif depth == 1:
            listed.append(_atom(token))
    return listed


def text_of(atom: bytes) -> str:
    """An atom as text: escapes resolved; bytes that are not UTF-8 are kept by surrogate escapes."""
    raw = _ESCAPE.sub(_escaped, atom) if b"\\" in atom else atom
    return raw.decode("utf-8", "surrogateescape")


def _atom(token: re.Match[bytes]) -> bytes:
    return token[1] if token[1] is not None else token[2].replace(b"\\", b"\\\\")


def _escaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    if code[:1] == b"x" and len(code) > 1:
        return bytes([int(code[1:], 16)])
    if code.isdigit() and code < b"8":
        return bytes([int(code, 8) & 255])
    return _ESCAPES.get(code, code)


def _parentheses(data: bytes, where: str) -> Positions:
    """Return the offsets of the parentheses that are not within strings."""
    array = np.frombuffer(data, dtype=np.uint8)
    blocks = [np.zeros(0, dtype=np.int64)]
    for at in range(0, len(array), BLOCK):
        block = array[at : at + BLOCK]
        blocks.append(np.flatnonzero((block - OPEN < 2) | (block == QUOTE)) + at)  # unsigned: 40 and 41 are below 2
    marks = np.concatenate(blocks)

    # A parenthesis is within a string where the number of quotes before it is odd.
    quotes = array[marks] == QUOTE
    if b"\\" in data:
        escaped = _escaped_quotes(data, marks, quotes)
        marks, quotes = marks[~escaped], quotes[~escaped]
    within = np.cumsum(quotes, dtype=np.uint8) & 1  # only odd or even matters, so eight bits do
    if len(within) and within[-1]:
        raise _damaged(data, where, int(marks[quotes][-1]), "a quote opens here and is never closed")
    parentheses: Positions = marks[~quotes & (within == 0)]

    if b")filter_ratio" in data:
        orphans = np.array([match.end() - 1 for match in _ORPHANS.finditer(data)], dtype=np.int64)
        parentheses = parentheses[~np.isin(parentheses, orphans)]
    return parentheses


def _escaped_quotes(data: bytes, marks: Positions, quotes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which marks are quotes within a string, behind a backslash that is not itself escaped."""
    places = [match.end() - 1 for match in _SLASHED.finditer(data)]
    escaped = np.zeros(len(marks), dtype=np.bool_)
    escaped[np.searchsorted(marks, np.array(places, dtype=np.int64))] = True
    within = np.cumsum(quotes & ~escaped, dtype=np.uint8) & 1
    if within[escaped].all():
        return escaped

    # Outside a string a backslash is a letter. Where one stands before a quote there, only reading in order tells.
    ends: list[int] = []
    for match in _OPENED.finditer(data):
        ends.extend([match.start(), match.end() - 1] if match[2] else [match.start()])
    return quotes & ~np.isin(marks, np.array(ends, dtype=np.int64))


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _damaged(data: bytes, where: str, offset: int, what: str) -> BoardFormatError:
    return BoardFormatError(
        f"{where}, line {_line(data, offset):,} (byte {offset:,}): {what}. The file is damaged or cut short after "
        f"{len(data):,} bytes; take it from a backup, or open it in KiCad and save it again."
    )


Tree: TypeAlias = "list[bytes | Tree]"
"""Words as bytes, the way `sexpr.atoms` gives them, and lists within."""

Point = tuple[float, float]

_WORD_OR_MARK = re.compile(rb'[()]|"(?:[^"\\]++|\\.)*+"|[^\s()"]+', re.DOTALL)
_NUMBER = re.compile(rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_QUOTE = ord('"')
MAX_LENGTH = 1e6
"""Millimeters. KiCad itself ends at 2,147: its coordinates are nanometers in 32 bits."""


class MalformedError(ValueError):
    """A list that does not hold what it should; the reader adds the file and the line."""


def tree(data: bytes, start: int = 0, end: int | None = None) -> Tree:
    """Read the list at [start, end), which is a span of the index, so that its parentheses match."""
    end = len(data) if end is None else end
    if data.find(b"(", start + 1, end) < 0:  # most are flat
        return [unquoted(word) for word in _WORD_OR_MARK.findall(data, start + 1, end - 1)]
    root: Tree = []
    open_lists = [root]
    for token in _WORD_OR_MARK.findall(data, start, end):
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
    """Return a word or a string of the file as `text_of` takes it."""
    if token[:1] == b'"':
        return token[1:-1]
    return token.replace(b"\\", b"\\\\") if b"\\" in token else token


def first(parent: Tree, head: bytes) -> Tree | None:
    """Return the first list in this one that begins with that word."""
    for child in parent:
        if isinstance(child, list) and child and child[0] == head:
            return child
    return None


def require(parent: Tree, head: bytes) -> Tree:
    """Return the first list in this one that begins with that word. Raises `MalformedError` where there is none."""
    child = first(parent, head)
    if child is None:
        raise MalformedError(f"({_head_text(parent)} …) has no ({head.decode()} …)")
    return child


def is_set(parent: Tree, word: bytes) -> bool:
    """Return whether a flag is set, in any of KiCad's ways: `locked`, `(locked)`, `(locked yes)`."""
    child = first(parent, word)
    if child is None:
        return word in parent[2:]
    return len(child) == 1 or child[1] in {b"yes", b"true"}


def words(parent: Tree) -> list[str]:
    """The words after the head."""
    return [text_of(atom) for atom in parent[1:] if isinstance(atom, bytes)]


def text(parent: Tree, at: int) -> str:
    """The word at a place (the head is 0). Raises `MalformedError` where there is none."""
    return text_of(_word_at(parent, at))


def length(parent: Tree, at: int = 1) -> float:
    """The number at a place, in millimeters. Raises `MalformedError` where there is none, or an absurd one."""
    value = _number_at(parent, at)
    if abs(value) > MAX_LENGTH:
        raise MalformedError(f"({_head_text(parent)} …) has {value:g}, further out than any board reaches")
    return value


def angle(parent: Tree, at: int) -> float:
    """The number at a place, in degrees, in (−180, 180]; 0 where the list has none there."""
    if len(parent) <= at or not isinstance(parent[at], bytes) or not _NUMBER.fullmatch(_word_at(parent, at)):
        return 0.0
    turned = math.fmod(_number_at(parent, at), 360.0)
    return turned - 360.0 if turned > 180.0 else turned + 360.0 if turned <= -180.0 else turned


def point(parent: Tree) -> Point:
    """`(at 1 2 …)` as millimeters."""
    return (length(parent, 1), length(parent, 2))


def _word_at(parent: Tree, at: int) -> bytes:
    atom = parent[at] if at < len(parent) else None
    if not isinstance(atom, bytes):
        raise MalformedError(f"({_head_text(parent)} …) ends before its value number {at}")
    return atom


def _number_at(parent: Tree, at: int) -> float:
    atom = _word_at(parent, at)
    value = _value(atom)
    if not math.isfinite(value):
        raise MalformedError(f"({_head_text(parent)} …) should have a number where it has {text_of(atom)[:40]!r}")
    return value


@lru_cache(maxsize=1 << 16)
def _value(atom: bytes) -> float:
    """Return the number, or NaN for anything else. Cached, because most numbers of a board occur many times."""
    return float(atom) if _NUMBER.fullmatch(atom) else math.nan


def _head_text(parent: Tree) -> str:
    return text_of(parent[0])[:40] if parent and isinstance(parent[0], bytes) else ""
