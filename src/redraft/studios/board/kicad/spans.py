"""Changes to a board file as new text for single spans: what no span covers stays byte for byte.

A span is a pair of offsets into the bytes of an `Index`. `SpanEdits` has three layers: `put`, `drop` and `add_after`
change text; `length`, `number` and `words` read and write the values in a list; `map_point` and `map_points` move the
points that a list holds. Edits are only collected; everything is read from the bytes as they were, so that the order of
edits does not matter. `result` puts the file together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from redraft.errors import BoardFormatError
from redraft.studios.board.kicad.model import is_number, millimeters, nanometers
from redraft.studios.board.kicad.sexpr import Index

POINTS = frozenset({b"xy", b"start", b"mid", b"end", b"center"})
"""Heads of the lists that are a point: `(xy 1 2)`."""

Span = tuple[int, int]
PointMap = Callable[[int, int], tuple[int, int]]


class SpanEdits:
    """The spans of a file that get new text."""

    def __init__(self, index: Index, where: str) -> None:
        self.index = index
        self.where = where
        self._changes: dict[Span, bytes] = {}

    def put(self, span: Span, new: bytes) -> None:
        """Replace a span; an empty one is a place to insert at."""
        if self.text(span) != new:
            self._changes[span] = new

    def drop(self, i: int) -> None:
        """Remove a list, with the white space before it."""
        self.put((self._gap_before(i), int(self.index.end[i])), b"")

    def add_after(self, i: int, text: bytes) -> None:
        """Add another list behind the i-th, with the same white space before it."""
        end = int(self.index.end[i])
        gap = self.text((self._gap_before(i), int(self.index.start[i])))
        self.put((end, end), (gap or b" ") + text)

    def _gap_before(self, i: int) -> int:
        """Return where the white space before a list begins."""
        start = int(self.index.start[i])
        while self.index.data[start - 1 : start].isspace():
            start -= 1
        return start

    def length(self, span: Span, nm: int) -> None:
        """Write a length, unless it already stands there: other ways of writing the same number are kept."""
        if self.nanometers(span) != nm:
            self.put(span, millimeters(nm))

    def nanometers(self, span: Span) -> int:
        text = self.text(span)
        if not is_number(text):
            raise self.broken(span[0], f"{text[:40]!r} stands where a length is expected")
        try:
            return nanometers(text)
        except ValueError as error:
            raise self.broken(span[0], str(error)) from None

    def number(self, span: Span) -> float:
        text = self.text(span)
        if not is_number(text):
            raise self.broken(span[0], f"{text[:40]!r} stands where a number is expected")
        return float(text)

    def text(self, span: Span) -> bytes:
        return self.index.data[span[0] : span[1]]

    def words(self, i: int, least: int) -> list[Span]:
        """Return the spans of the words of a list. Raises `BoardFormatError` where they are fewer than `least`."""
        spans = self.index.words(i)
        if len(spans) < least:
            short = self.index.text(i)[:60].decode("utf-8", "replace")
            raise self.broken(int(self.index.start[i]), f"{short!r} has {len(spans)} words, {least} are expected")
        return spans

    def map_point(self, i: int, to: PointMap) -> None:
        """Change the point that the i-th list is."""
        x, y = self.words(i, 3)[1:3]
        new_x, new_y = to(self.nanometers(x), self.nanometers(y))
        self.length(x, new_x)
        self.length(y, new_y)

    def map_points(self, i: int, to: PointMap) -> None:
        """Change all points in the i-th list, at any depth."""
        for j in self.below(i, POINTS):
            self.map_point(j, to)

    def below(self, i: int, heads: Iterable[bytes]) -> list[int]:
        """Return the lists in the i-th, at any depth, that begin with one of these words."""
        return [j for j in range(i + 1, self.index.after(i)) if self.index.head(j) in heads]

    def result(self) -> bytes:
        """Return the file with all changes."""
        data, parts, at = self.index.data, [b""], 0
        for (start, end), new in sorted(self._changes.items()):
            parts += [data[at:start], new]
            at = end
        return b"".join([*parts, data[at:]])

    def broken(self, offset: int, what: str) -> BoardFormatError:
        return BoardFormatError(f"{self.where}, line {self.index.line(offset):,} (byte {offset:,}): {what}")
