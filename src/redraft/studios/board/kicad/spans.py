"""Changes to a board file as new text for single spans: what is not changed stays byte for byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from redraft.errors import BoardFormatError
from redraft.studios.board.kicad.model import is_number, millimetres, nanometres
from redraft.studios.board.kicad.sexpr import Index

POINTS = frozenset({b"xy", b"start", b"mid", b"end", b"center"})
"""Heads of the lists that are a point: `(xy 1 2)`."""
_SPACE = re.compile(rb"\s*")

Span = tuple[int, int]
PointMap = Callable[[int, int], tuple[int, int]]


class SpanEdits:
    """What is to be replaced in the bytes of an index."""

    def __init__(self, index: Index, where: str) -> None:
        self.index = index
        self.where = where
        self._changes: dict[Span, bytes] = {}

    def put(self, span: Span, new: bytes) -> None:
        """Replace a span; an empty one is a place to insert at."""
        if self.index.data[span[0] : span[1]] != new:
            self._changes[span] = new

    def drop(self, i: int) -> None:
        """Take a list away, with the white space before it."""
        start = int(self.index.start[i])
        while self.index.data[start - 1 : start].isspace():
            start -= 1
        self.put((start, int(self.index.end[i])), b"")

    def add_after(self, i: int, text: bytes) -> None:
        """A further list behind the i-th, set off as that one is."""
        start, end = int(self.index.start[i]), int(self.index.end[i])
        before = start
        while self.index.data[before - 1 : before].isspace():
            before -= 1
        self.put((end, end), (self.index.data[before:start] or b" ") + text)

    def length(self, span: Span, nm: int) -> None:
        """Write a length, unless it is the one that stands there: other ways of writing it are kept."""
        if self.nanometres(span) != nm:
            self.put(span, millimetres(nm))

    def nanometres(self, span: Span) -> int:
        text = self.text(span)
        if not is_number(text):
            raise self.broken(span[0], f"{text[:40]!r} stands where a length is expected")
        try:
            return nanometres(text)
        except ValueError as wrong:
            raise self.broken(span[0], str(wrong)) from None

    def number(self, span: Span) -> float:
        text = self.text(span)
        if not is_number(text):
            raise self.broken(span[0], f"{text[:40]!r} stands where a number is expected")
        return float(text)

    def text(self, span: Span) -> bytes:
        return self.index.data[span[0] : span[1]]

    def words(self, i: int, least: int) -> list[Span]:
        """Spans of the words of a list that has at least so many."""
        found = self.index.words(i)
        if len(found) < least:
            short = self.index.text(i)[:60].decode("utf-8", "replace")
            raise self.broken(int(self.index.start[i]), f"{short!r} has {len(found)} words, {least} are expected")
        return found

    def map_point(self, i: int, to: PointMap) -> None:
        """Change the point that the i-th list is."""
        x, y = self.words(i, 3)[1:3]
        new = to(self.nanometres(x), self.nanometres(y))
        self.length(x, new[0])
        self.length(y, new[1])

    def map_points(self, i: int, to: PointMap) -> None:
        """Change all points in the i-th list, at any depth."""
        for j in self.below(i, POINTS):
            self.map_point(j, to)

    def below(self, i: int, heads: Iterable[bytes]) -> list[int]:
        """The lists in the i-th, at any depth, that begin with one of these words."""
        return [j for j in range(i + 1, self.index.after(i)) if self.index.head(j) in heads]

    def result(self) -> bytes:
        """The file with all changes."""
        data, parts, at = self.index.data, [b""], 0
        for (start, end), new in sorted(self._changes.items()):
            parts += [data[at:start], new]
            at = end
        return b"".join([*parts, data[at:]])

    def broken(self, offset: int, what: str) -> BoardFormatError:
        return BoardFormatError(f"{self.where}, line {self.index.line(offset):,} (byte {offset:,}): {what}")
