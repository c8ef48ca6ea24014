"""CSV files that several runs append to, and people open in a spreadsheet: one writer at a time, under a lock.

Rows are written as RFC 4180 says, each with one write. People may edit the file: more columns in any order, another
quoting, line ends of Unix, a UTF-8 byte order mark and blank lines are fine. Text is not escaped, even if a spreadsheet
takes it for a formula (`=…`). Files are read a row at a time, so that a large one takes time and no memory.
"""

from __future__ import annotations

import csv
import io
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TextIO, TypeVar

from filelock import FileLock, Timeout

from redraft.errors import HistoryError

RowT = TypeVar("RowT")

LOCK_SECONDS = 60.0
"""Seconds that an append waits for others, each of which takes milliseconds."""
MAX_FIELD = 100_000
"""Characters of one field; the csv module reads no more than 131,072."""
MAX_LINE = 1 << 18
"""Characters of one line: two and a half fields of the longest kind."""


@dataclass(frozen=True)
class Table(Generic[RowT]):
    """One kind of table."""

    what: str
    """Its rows, in words: `generations`."""
    columns: tuple[str, ...]
    key: str
    """The column with a different value in each row."""
    parse: Callable[[Mapping[str, str]], RowT]
    """Makes a row of fields. Raises `ValueError` with the column, the value, and what is allowed."""
    fields: Callable[[RowT], Mapping[str, str]]
    """Makes fields of a row."""

    def last(self, path: Path, count: int | None) -> list[RowT]:
        """Return the last rows, oldest first; all of them for None.

        Raises:
            HistoryError: missing, without a row, damaged, or with other columns; with the path, the line, the reason.
        """
        path = path.resolve()
        with self._reader(path) as reader:
            rows = deque(self._rows(reader), maxlen=count)
        if not rows and count != 0:
            raise HistoryError(f"{path} is empty: it has no row of {self.what} yet.")
        return [_checked(path, line, self.parse, row) for line, row in rows]

    def add(self, path: Path, key: str, make: Callable[[Mapping[str, str] | None], RowT]) -> bool:
        """Add a row; return False if the file has one with this key already.

        `make` returns the row, from the fields of the last one in the file; it raises `ValueError` if they are
        unusable.

        Raises:
            HistoryError: another program's columns, a damaged row, no room, no permission, a text that cannot be
                written. The file is then as it was.
        """
        path = _resolved(path)
        if not key:
            raise HistoryError(f"A row for {path} has an empty {self.key}; each row needs one of its own.")
        with self._locked(path):
            line, last, names = 1, None, self.columns
            if not _is_new(path):
                with self._reader(path) as reader:
                    names = tuple(reader.fieldnames or ())
                    for line, last in self._rows(reader):  # noqa: B007
                        if last[self.key] == key:
                            return False
            fields = self.fields(_checked(path, line, make, last))
            if max(map(len, fields.values())) > MAX_FIELD:
                raise HistoryError(f"A row for {path} has a text of more than {MAX_FIELD:,} characters.")

            text = io.StringIO(newline="")
            if _is_new(path):
                text.write(",".join(names) + "\r\n")
            csv.DictWriter(text, names, restval="", quoting=csv.QUOTE_ALL).writerow(fields)
            try:
                data = text.getvalue().encode()
            except UnicodeEncodeError as error:
                raise HistoryError(f"A row for {path} has half a character in it: {error}.") from error
            _append(path, data)
            return True

    def check(self, path: Path, make: Callable[[Mapping[str, str] | None], object]) -> None:
        """Check that `add` could add a row; nothing is written but the lock file.

        Raises:
            HistoryError: as `add`, but for the row itself.
        """
        path = _resolved(path)
        with self._locked(path):
            if _is_new(path):
                return
            with self._reader(path) as reader:
                path.open("r+b").close()
                rows = deque(self._rows(reader), maxlen=1)
            line, last = rows[0] if rows else (1, None)
            _checked(path, line, make, last)

    def unreadable(self, path: Path) -> str:
        """Return the reason that an existing table cannot be read; empty if it can be, or is new."""
        path = path.resolve()
        try:
            if not _is_new(path):
                with self._reader(path) as reader:
                    deque(self._rows(reader), maxlen=0)
        except (HistoryError, OSError) as error:
            return str(error)
        return ""

    @contextmanager
    def _reader(self, path: Path) -> Generator[csv.DictReader[str]]:
        """Open a table, checked to have all columns. Raises `HistoryError`, also for errors while it is read."""

        def lines(file: TextIO) -> Iterator[str]:
            while line := file.readline(MAX_LINE):
                if len(line) == MAX_LINE:
                    raise ValueError(f"a line of more than {MAX_LINE:,} characters")
                yield line

        line = 0
        try:
            if path.exists() and not path.is_file():
                raise HistoryError(f"{path} is not a file. Name a CSV file of {self.what}.")
            with path.open(encoding="utf-8-sig", newline="") as file:
                reader = csv.DictReader(lines(file), strict=True)
                try:
                    self._check_columns(path, reader.fieldnames or ())
                    yield reader
                finally:
                    line = reader.reader.line_num
        except FileNotFoundError as error:
            raise HistoryError(f"{path} does not exist yet.") from error
        except OSError as error:
            reason = error.strerror or error
            raise HistoryError(f"Cannot use {path}: {reason}. Make it writable, or name another file.") from error
        except csv.Error as error:
            raise _wrong(path, line, f"not valid CSV ({error})") from error
        except ValueError as error:  # while the next line was read
            raise _wrong(path, line + 1, f"not text in UTF-8 ({error})") from error

    def _check_columns(self, path: Path, names: Sequence[str]) -> None:
        """Raise `HistoryError` unless a file has each column of the table once."""
        if not names:
            raise HistoryError(f"{path} is empty: it has no row of {self.what} yet.")
        missing = [name for name in self.columns if names.count(name) != 1]
        if missing:
            reason = "occurs twice" if missing[0] in names else "is missing"
            raise HistoryError(
                f"{path} is not a table of {self.what}: the column {missing[0]!r} {reason}. Its first line has "
                f"{', '.join(names)[:200]!r}; expected are {', '.join(self.columns)}, and more may follow. Move it "
                "away, or name another file."
            )

    def _rows(self, reader: csv.DictReader[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Yield each row with the line at which it ends."""
        for row in reader:
            if None in row or None in row.values():
                raise csv.Error(f"a row has more or fewer fields than the {len(reader.fieldnames or ())} columns")
            yield reader.line_num, row

    @contextmanager
    def _locked(self, path: Path) -> Generator[None]:
        """Hold the lock of a table. Raises `HistoryError` if another program keeps it."""
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


def _resolved(path: Path) -> Path:
    """Return the path by which all processes lock a table. Raises `HistoryError` for a link."""
    if path.is_symlink():
        raise HistoryError(f"{path} is a link, to {str(path.readlink())!r}. Name the file itself.")
    return path.resolve()


def _is_new(path: Path) -> bool:
    return not path.exists() or (path.is_file() and not path.stat().st_size)


def _append(path: Path, data: bytes) -> None:
    """Add a row on a line of its own and sync it to the disk; a row that cannot be written whole is taken back."""
    with path.open("ab+", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            data = data if file.read(1) in b"\r\n" else b"\r\n" + data
        try:
            if file.write(data) != len(data):
                raise OSError("the disk is full")
            os.fsync(file.fileno())
        except OSError as error:
            file.truncate(end)
            raise HistoryError(
                f"Could not add a row of {len(data):,} bytes to {path}: {error.strerror or error}. It is as it was."
            ) from error


T = TypeVar("T")
FieldsT = TypeVar("FieldsT")


def _checked(path: Path, line: int, work: Callable[[FieldsT], T], fields: FieldsT) -> T:
    """Return the result of `work` for the fields of a row. Raises `HistoryError` if they are unusable."""
    try:
        return work(fields)
    except ValueError as error:
        raise _wrong(path, line, str(error)) from error


def _wrong(path: Path, line: int, reason: str) -> HistoryError:
    """Return the error for something wrong in the row that ends at a line."""
    return HistoryError(
        f"{path}, line {line:,}: {reason}. Correct that row; or move the file away, and a new one is begun."
    )
