"""CSV files that several runs append to, and people open in a spreadsheet: whole rows only, one writer at a time.

Rows are written as RFC 4180 says (CRLF, quotes doubled), every field in quotes, with one write under a lock file beside
the table; a new table is made whole and renamed into place. A row that a kill or a full disk tore off has an open quote
at the end of the file, or fewer fields than columns: readers leave it out, and the next writer cuts it off. Nothing
else in a file is ever changed. Text stands in it as it is, also where a spreadsheet would take it for a formula (`=…`).

People may have edited the file: other columns beside ours, in any order, line ends of Unix, a UTF-8 byte order mark and
blank lines are fine. Files are read from the beginning, a row at a time, so that a large one takes time and no memory.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Generic, Literal, TypeVar

from filelock import FileLock, Timeout

from redraft.errors import HistoryError, RunError
from redraft.files import write_atomic

__all__ = ["Table"]

RowT = TypeVar("RowT")

LOCK_SECONDS = 60.0
"""Seconds that an append waits for others, each of which takes milliseconds."""
ROW_LIMIT = 1 << 18
"""Bytes; a longer row is not ours, or its quotes are broken."""
_QUOTED = rb'"[^"\x00]*(?:""[^"\x00]*)*"'


@dataclass(frozen=True)
class Table(Generic[RowT]):
    """One kind of table."""

    what: str
    """Its rows, in words: `generations`."""
    columns: tuple[str, ...]
    """The last one's texts have no quotes, so that a row torn off is seen as such."""
    key: str
    """The column with a different value in each row."""
    parse: Callable[[Mapping[str, str]], RowT]
    """From fields, to a row. Raises `ValueError` with the column, the value, and what would be right."""
    fields: Callable[[RowT], Mapping[str, str]]
    """From a row, to fields."""

    def last(self, path: Path, count: int | None) -> list[RowT]:
        """The last rows, oldest first; all of them for None.

        Raises:
            HistoryError: missing, without a row, damaged, or with other columns; with the path, the line, the reason.
        """
        with self._opened(path, "rb") as file:
            rows = [self._row(file, row) for row in deque(file, maxlen=count)]
            if not rows and count != 0:
                raise HistoryError(f"{path.resolve()} is empty: it has no row of {self.what} yet.")
        return rows

    def find(self, path: Path, key: str) -> RowT | None:
        """The row of this key. Raises `HistoryError`."""
        with self._opened(path, "rb") as file:
            rows = [row for row in file if row.fields[self.key] == key]
            return self._row(file, rows[-1]) if rows else None

    def add(self, path: Path, key: str, make: Callable[[Mapping[str, str] | None], RowT]) -> bool:
        """Add a row; False when one of this key is there already, whatever else it says.

        `make` gives the row, from the fields of the last one in the file; it raises `ValueError` if they are unusable.

        Raises:
            HistoryError: another program's columns, a damaged row, no room, no permission, a text that cannot be
                written. The file is then as it was.
        """
        path = path.resolve()  # all who come by some link meet at one lock
        if not key:
            raise HistoryError(f"A row for {path} has an empty {self.key}; each row needs one of its own.")
        with self._locked(path):
            if _is_new(path):
                header = ",".join(self.columns).encode() + b"\r\n"
                _create(path, header + self._written(make(None), self.columns, path))
                return True
            with self._opened(path, "r+b") as file:
                last: _Row | None = None
                for last in file:
                    if last.fields[self.key] == key:
                        return False
                file.append(self._written(_made(make, file, last), file.names, path))
                return True

    def check(self, path: Path, make: Callable[[Mapping[str, str] | None], object]) -> None:
        """Check that a row could be added, as `add` would; nothing is written but the lock file.

        Raises:
            HistoryError: as `add`, but for the row itself.
        """
        path = path.resolve()
        with self._locked(path):
            if _is_new(path):
                return
            with self._opened(path, "r+b") as file:
                rows = deque(file, maxlen=1)
                _made(make, file, rows[0] if rows else None)

    def _row(self, file: _File, row: _Row) -> RowT:
        try:
            return self.parse(row.fields)
        except ValueError as error:
            raise file.error(str(error), row.line) from error

    def _written(self, row: RowT, columns: tuple[str, ...], path: Path) -> bytes:
        fields = self.fields(row)
        try:
            data = _as_csv([fields.get(name, "") for name in columns])
        except UnicodeEncodeError as error:
            raise HistoryError(f"A row for {path} has half a character in it: {error}.") from error
        if reason := _unreadable(data):
            raise HistoryError(f"A row for {path} has {reason}. It begins {data[:80]!r}.")
        return data

    @contextmanager
    def _opened(self, path: Path, mode: Literal["rb", "r+b"]) -> Generator[_File]:
        """The file, with our columns in it."""
        path = path.resolve()
        try:
            if not S_ISREG(path.stat().st_mode):
                raise HistoryError(f"{path} is not a file. Name a CSV file of {self.what}.")
            with path.open(mode, buffering=0) as raw:
                file = _File(raw, path)
                self._check_columns(file, path)
                yield file
        except FileNotFoundError as error:
            raise HistoryError(f"{path} does not exist yet.") from error
        except OSError as error:
            raise HistoryError(
                f"Cannot use {path}: {error.strerror or error}. Make it writable, or name another file."
            ) from error

    def _check_columns(self, file: _File, path: Path) -> None:
        if not file.size:
            raise HistoryError(f"{path} is empty: it has no row of {self.what} yet.")
        missing = [name for name in self.columns if name not in file.names]
        twice = [name for name in self.columns if file.names.count(name) > 1]
        if missing or twice:
            reason = f"the column {missing[0]!r} is missing" if missing else f"the column {twice[0]!r} occurs twice"
            raise HistoryError(
                f"{path} is not a table of {self.what}: {reason}. Its first line has "
                f"{', '.join(file.names)[:200]!r}; wanted are {', '.join(self.columns)}, and more may follow. Move it "
                "away, or name another file."
            )

    @contextmanager
    def _locked(self, path: Path) -> Generator[None]:
        """Raises `HistoryError` when the lock cannot be had."""
        lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=LOCK_SECONDS, poll_interval=0.01)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout as error:
            raise HistoryError(
                f"{path} has been locked for {LOCK_SECONDS:g} seconds by another program that writes to it "
                f"({lock.lock_file}). End that program, then try again."
            ) from error
        except OSError as error:
            raise HistoryError(
                f"Cannot write beside {path}: {error.strerror or error}. Make the folder writable, or name "
                "another file."
            ) from error
        try:
            yield
        finally:
            lock.release()


@dataclass(frozen=True)
class _Row:
    fields: Mapping[str, str]
    """By column."""
    line: int
    """Its first byte in the file."""


class _File:
    """An open table: its column names, and its rows from the first to the last.

    Raises (all methods):
        HistoryError: it is damaged; with the file, the line and the reason.
    """

    def __init__(self, raw: io.FileIO, path: Path) -> None:
        self._raw, self._file = raw, io.BufferedReader(raw)
        self._path = path
        self.size = raw.seek(0, io.SEEK_END)
        """Bytes when it was opened. Rows that others append later do not count."""
        self.names: tuple[str, ...] = ()
        self._end = 0
        """Byte where the last whole row ends, of those read so far."""
        self._data = b""
        """The bytes read so far."""
        self._file.seek(0)
        self._reader = csv.reader(self._lines(), strict=True)
        self._began = 1
        """Line where the row begins that was read last."""
        self.names = tuple(self._next() or ())

    def __iter__(self) -> Iterator[_Row]:
        """The rows; blank lines are left out."""
        while (fields := self._next()) is not None:
            if fields:
                yield _Row(dict(zip(self.names, fields, strict=True)), self._began)

    def append(self, data: bytes) -> None:
        """One write after the last whole row, and on to the disk; what cannot be written whole is taken back."""
        self._file.seek(max(0, self._end - 1))
        before = self._file.read(1)
        data = (b"" if before == b"\n" else b"\n" if before == b"\r" else b"\r\n") + data
        reason = "the disk is full"
        try:
            self._raw.truncate(self._end)
            self._raw.seek(self._end)
            if self._raw.write(data) == len(data):
                os.fsync(self._raw.fileno())
                return
        except OSError as error:
            reason = error.strerror or str(error)
        self._raw.truncate(self._end)
        raise HistoryError(f"Could not add a row of {len(data):,} bytes to {self._path}: {reason}. It is as it was.")

    def error(self, reason: str, line: int) -> HistoryError:
        """The error for something wrong in the row that begins at a line."""
        return HistoryError(
            f"{self._path}, line {line:,}: {reason}. Correct that row; or move the file away, and a new one is begun."
        )

    def _next(self) -> list[str] | None:
        """The fields of the next row; None after the last, and for what was torn off there."""
        self._began, self._data = self._reader.line_num + 1, b""
        reason = ""
        try:
            fields = next(self._reader, None)
        except ValueError as error:
            fields, reason = [], str(error)
        except csv.Error as error:
            fields, reason = [], f"not valid CSV ({error})"
        if fields is None or self._is_torn():
            return None
        if not reason and self.names and fields and len(fields) != len(self.names):
            reason = f"a row of {len(fields)} fields, where the first line names {len(self.names)}"
        if reason:
            raise self.error(reason, self._began)
        self._end += len(self._data)
        return fields

    def _lines(self) -> Iterator[str]:
        while line := self._file.readline(min(ROW_LIMIT + 1, self.size - self._end - len(self._data))):
            if not self._end and not self._data and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise ValueError("the file is in UTF-16; expected UTF-8")
            self._data += line
            if len(self._data) > ROW_LIMIT:
                raise ValueError(f"a row of more than {ROW_LIMIT:,} bytes, or a quote that is never closed")
            if b"\0" in line:
                raise ValueError("a zero byte in the row, so this is not text, or was damaged")
            try:
                yield line.decode("utf-8" if self._end else "utf-8-sig")
            except UnicodeDecodeError as error:
                raise ValueError(f"{error.object[error.start]:#x} is not UTF-8") from error

    def _is_torn(self) -> bool:
        """Whether what was read last is the beginning of a row as it is written here, at the end of the file. Some
        file systems leave zeros after it."""
        if not self.names or self._end + len(self._data) < self.size:
            return False
        columns = len(self.names)
        started = rb'(?:%b,){0,%d}(?:"[^"\x00]*(?:""[^"\x00]*)*)?' % (_QUOTED, columns - 1)
        closed = rb"%b(?:,%b){0,%d}" % (_QUOTED, _QUOTED, max(0, columns - 2))
        return re.fullmatch(rb"(?:%b|%b)\x00*" % (started, closed), self._data) is not None


def _is_new(path: Path) -> bool:
    return not path.exists() or (path.is_file() and not path.stat().st_size)


def _made(make: Callable[[Mapping[str, str] | None], RowT], file: _File, last: _Row | None) -> RowT:
    """What `make` gives after the last row. Raises `HistoryError` where that row is unusable."""
    try:
        return make(last.fields if last else None)
    except ValueError as error:
        raise file.error(str(error), last.line if last else 1) from error


def _as_csv(values: Sequence[str]) -> bytes:
    """A row, every field in quotes. Raises `UnicodeEncodeError` for what UTF-8 has no form for."""
    row = io.StringIO(newline="")
    csv.writer(row, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow(values)
    return row.getvalue().encode()


def _unreadable(data: bytes) -> str:
    """The reason that a row could not be read again; empty when it can be."""
    if b"\x00" in data:
        return "a zero byte in it"
    if len(data) > ROW_LIMIT:
        return f"{len(data):,} bytes; {ROW_LIMIT:,} are the limit"
    try:
        next(csv.reader(io.StringIO(data.decode(), newline="")))
    except csv.Error as error:
        return f"a {error}"
    return ""


def _create(path: Path, data: bytes) -> None:
    try:
        write_atomic(path, data)
    except RunError as error:
        raise HistoryError(str(error)) from error
