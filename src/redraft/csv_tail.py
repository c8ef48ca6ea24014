"""A CSV file read from its end (RFC 4180, strictly): where rows begin and end, though fields may hold line breaks.

A line break ends a row when an even number of quotes lies between it and a place that is known to be the end of a row:
quotes stand around fields, or doubled inside them, and nowhere else. So only as much is read as is asked for. Offsets
are bytes from the beginning of the file.

The end of the file is such a place, unless a row was torn off there by a kill or a full disk. redraft writes every
field in quotes, which makes that plain: whatever is left of such a row has an open quote, or fewer fields than columns
(as long as the last field has no quote in it).
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from redraft.errors import HistoryError

__all__ = ["BLOCK", "ROW_LIMIT", "CsvTail", "Line", "fields_of", "written"]

BLOCK = 1 << 16
"""Bytes read at once."""
ROW_LIMIT = 1 << 18
"""Bytes; a longer row is none of ours."""
HEADER_LIMIT = 1 << 16
"""Bytes; a longer first line is cut off there."""

_QUOTED = rb'"[^"\x00]*(?:""[^"\x00]*)*"'
_FIELD = rb"(?:" + _QUOTED + rb'|[^",\r\n\x00]*)'
_FIELDS = re.compile(_FIELD + rb"(?:," + _FIELD + rb")*")
_LINE = re.compile(_FIELDS.pattern + rb"(?:\r?\n|\r?\Z)")
_BROKEN = "broken quoting in the row that ends here: a quote is missing, or one too many"


class Line(NamedTuple):
    """One row as it stands in the file, with its line end."""

    offset: int
    data: bytes


def written(values: Sequence[str]) -> bytes:
    """A row, every field in quotes. Raises `UnicodeEncodeError` for what UTF-8 has no form for."""
    row = io.StringIO(newline="")
    csv.writer(row, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow(values)
    return row.getvalue().encode()


def fields_of(data: bytes) -> list[str]:
    """The fields of a sound row. Raises `UnicodeDecodeError`, or `csv.Error` for a field of over 131,072 characters."""
    return next(csv.reader(io.StringIO(data.decode(), newline=""), strict=True), list[str]())


class CsvTail:
    """An open CSV file: its column names, and its rows from the last to the first.

    Raises (all methods):
        HistoryError: it is damaged where it was read, or not to be read; with the file, the line and the reason.
    """

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path
        self.size = file.seek(0, io.SEEK_END)
        """When it was opened. Rows that others append later do not count."""
        self.names, self.begin = self._header()
        """The columns, and where the first row begins."""
        self.end = self._end()
        """Where the last whole row ends; less than `size` when a row was torn off there."""

    def lines(self, end: int | None = None) -> Iterator[Line]:
        """The rows before `end`, a place where a row ends; blank lines are left out."""
        stop = self.end if end is None else end
        while stop > self.begin:
            start, data = self._whole_rows(stop)
            last = len(data)
            for at in _row_begins(data):
                if data[at:last].strip(b"\r\n"):
                    yield self._sound(Line(start + at, data[at:last]))
                last = at
            stop = start

    def values(self, line: Line) -> dict[str, str]:
        """A row's fields by column."""
        try:
            fields = fields_of(line.data)
        except UnicodeDecodeError as error:
            raise self.fault(line.offset, f"{error.object[error.start]:#x} is no UTF-8") from error
        except csv.Error as error:
            raise self.fault(line.offset, str(error)) from error
        if len(fields) != len(self.names):
            raise self.fault(
                line.offset, f"a row of {len(fields)} fields, where the first line names {len(self.names)}"
            )
        return dict(zip(self.names, fields, strict=True))

    def find(self, column: str, value: str) -> Line | None:
        """The last row that has this value in a column. Where no row has, the whole file is read."""
        needle = _escaped(value)
        for offset, quotes in self._hits(needle):
            line = self._around(offset, quotes)
            if self.values(line)[column] == value:
                return line
        return None

    def append(self, data: bytes) -> None:
        """One write after the last whole row, and on to the disk; what cannot be written whole is taken back."""
        before = self.read(max(0, self.end - 1), self.end)
        data = (b"" if before == b"\n" else b"\n" if before == b"\r" else b"\r\n") + data
        why = "there is no more room"
        self._file.truncate(self.end)
        try:
            self._file.seek(self.end)
            if self._file.write(data) == len(data):
                os.fsync(self._file.fileno())
                return
        except OSError as error:
            why = error.strerror or str(error)
        self._file.truncate(self.end)
        raise HistoryError(f"Could not add a row of {len(data):,} bytes to {self._path}: {why}. It is as it was.")

    def fault(self, offset: int, reason: str) -> HistoryError:
        """What is wrong with the row at an offset."""
        return HistoryError(
            f"{self._path}, line {self._line_number(offset):,}: {reason}. Correct that row; or move the file away, and "
            "a new one is begun."
        )

    def read(self, start: int, stop: int) -> bytes:
        self._file.seek(start)
        return self._file.read(max(0, stop - start))

    def _header(self) -> tuple[tuple[str, ...], int]:
        data = self.read(0, HEADER_LIMIT)
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise self.fault(0, "the file is in UTF-16; UTF-8 is wanted")
        bom = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
        found = _LINE.match(data, bom)
        if not found:
            raise self.fault(0, f"no row of column names, but {data[:40]!r}")
        try:
            return tuple(fields_of(found[0])), found.end()
        except UnicodeDecodeError as error:
            raise self.fault(0, f"{error.object[error.start]:#x} is no UTF-8") from error

    def _end(self) -> int:
        """Tried as if the file ended inside quotes, then as if outside; what looks torn is so if the whole file agrees.

        The text of a prompt can look like what was torn off, and the other way round; the number of quotes decides.
        """
        start = max(self.begin, self.size - ROW_LIMIT)
        tail, torn = self.read(start, self.size), _torn(len(self.names))
        for odd in (True, False):
            at = _last_row_begin(tail, odd=odd)
            at = 0 if at is None and start == self.begin else at
            if at is not None and tail[at:] and torn.fullmatch(tail, at) and self._ends_in_quotes() == odd:
                return start + at
        return start + len(tail)

    def _ends_in_quotes(self) -> bool:
        return sum(block.count(b'"') for block in self._blocks(self.begin, self.size)) % 2 == 1

    def _whole_rows(self, end: int) -> tuple[int, bytes]:
        """About a block of rows before `end`, and where it begins."""
        size = BLOCK
        while True:
            start = max(self.begin, end - size)
            data = self.read(start, end)
            if start == self.begin:
                return start, data
            if at := _first_row_begin(data, odd=bool(data.count(b'"') % 2)):
                return start + at, data[at:]
            if size > ROW_LIMIT:
                raise self.fault(end - 1, _BROKEN)
            size *= 2

    def _sound(self, line: Line) -> Line:
        if line.data.count(b'"') % 2:  # where it begins cannot be told, but what follows it is sound
            raise self.fault(line.offset + len(line.data) - 1, _BROKEN)
        if len(line.data) > ROW_LIMIT:
            raise self.fault(line.offset, f"a row of {len(line.data):,} bytes; {ROW_LIMIT:,} are the limit")
        if not _LINE.fullmatch(line.data):
            raise self.fault(line.offset, _damage(line.data))
        return line

    def _hits(self, needle: bytes) -> Iterator[tuple[int, int]]:
        """Where a field may be that reads so, last first, and how many quotes come from there to the end."""
        after, stop = 0, self.end
        while stop > self.begin:
            start = max(self.begin, stop - 16 * BLOCK)
            data = self.read(start - 1, min(self.end, stop + len(needle)))  # a field may begin in one block, and end
            limit = stop - start + len(needle)  # in the next
            while (at := data.rfind(needle, 1, limit)) > 0:
                if data[at - 1] in b'",\n' and data[at + len(needle) : at + len(needle) + 1] in b'",\r\n':
                    yield start - 1 + at, after + data.count(b'"', at, stop - start + 1)
                limit = at + len(needle) - 1
            after += data.count(b'"', 1, stop - start + 1)
            stop = start

    def _around(self, offset: int, quotes: int) -> Line:
        """The row that holds an offset; `quotes` are those from there to the end of the rows."""
        data = self.read(offset, min(self.end, offset + ROW_LIMIT + 1))
        at = _first_row_begin(data, odd=bool(quotes % 2))
        return next(self.lines(offset + at if at else self.end))

    def _line_number(self, offset: int) -> int:
        return sum(block.count(b"\n") for block in self._blocks(0, offset)) + 1

    def _blocks(self, start: int, stop: int) -> Iterator[bytes]:
        for at in range(start, stop, 16 * BLOCK):
            yield self.read(at, min(stop, at + 16 * BLOCK))


def _row_begins(data: bytes) -> Iterator[int]:
    """Where rows begin in bytes that hold whole rows, the last first."""
    odd, stop = False, len(data)
    at = data.rfind(b"\n", 0, stop - 1)
    while at >= 0:
        odd ^= bool(data.count(b'"', at + 1, stop) % 2)
        if not odd:
            yield at + 1
        stop = at
        at = data.rfind(b"\n", 0, stop)
    yield 0


def _first_row_begin(data: bytes, *, odd: bool) -> int:
    """Where the first row begins after a line break, not counting one at the very end; 0 when none does.

    `odd`: the number of quotes from the beginning of these bytes to the end of a row is.
    """
    start, at = 0, data.find(b"\n", 0, len(data) - 1)
    while at >= 0:
        odd ^= bool(data.count(b'"', start, at) % 2)
        if not odd:
            return at + 1
        start, at = at, data.find(b"\n", at + 1, len(data) - 1)
    return 0


def _last_row_begin(tail: bytes, *, odd: bool) -> int | None:
    """After the last line break with an odd, or even, number of quotes behind it."""
    quotes, stop = 0, len(tail)
    at = tail.rfind(b"\n")
    while at >= 0:
        quotes += tail.count(b'"', at + 1, stop)
        if quotes % 2 == odd:
            return at + 1
        stop, at = at, tail.rfind(b"\n", 0, at)
    return None


@lru_cache(maxsize=8)
def _torn(columns: int) -> re.Pattern[bytes]:
    """The beginning of a row as it is written here, but not all of it. Some file systems leave zeros behind it."""
    started = rb'(?:%b,){0,%d}(?:"[^"\x00]*(?:""[^"\x00]*)*)?' % (_QUOTED, columns - 1)
    closed = rb"%b(?:,%b){0,%d}" % (_QUOTED, _QUOTED, max(0, columns - 2))
    return re.compile(rb"(?:%b|%b)\x00*" % (started, closed))


def _escaped(value: str) -> bytes:
    return value.replace('"', '""').encode("utf-8", "surrogatepass")


def _damage(data: bytes) -> str:
    if b"\x00" in data:
        return "a zero byte in the row, so this is no text, or was damaged"
    stop = cast("re.Match[bytes]", _FIELDS.match(data)).end()
    if data[stop : stop + 1] == b"\r":
        return "a carriage return outside quotes that ends no line"
    return "broken quoting: a quote stands in a field without being doubled, or without quotes around the field"
