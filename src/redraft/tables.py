"""CSV files that several runs append to, and people open in a spreadsheet: whole rows only, one writer at a time.

Rows are written as RFC 4180 says (CRLF, quotes doubled), every field in quotes, with one write under a lock file beside
the table; a new table is made whole and renamed into place. A row that a kill or a full disk tore off was never there:
readers leave it out, and the next writer cuts it off. Nothing else in a file is ever changed. Text stands in it as it
is, also where a spreadsheet would take it for a formula (`=…`): it must come back as it was.

People may have been at the file: other columns beside ours, in any order, line ends of Unix, a UTF-8 byte order mark
and blank lines are fine.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, Generic, TypeVar, cast

from filelock import FileLock, Timeout

from redraft.csv_tail import ROW_LIMIT, CsvTail, Line, fields_of, written
from redraft.errors import HistoryError, RunError
from redraft.files import write_atomic

__all__ = ["Table"]

RowT = TypeVar("RowT")

LOCK_SECONDS = 60.0
"""For how long an append waits for others, each of which takes milliseconds."""


@dataclass(frozen=True)
class Table(Generic[RowT]):
    """One kind of table."""

    what: str
    """Its rows, in words: `generations`."""
    columns: tuple[str, ...]
    """The last one's texts have no quotes, so that a row torn off is seen as such."""
    key: str
    """The column that tells rows apart."""
    parse: Callable[[Mapping[str, str]], RowT]
    """From fields, to a row. Raises `ValueError` with the column, the value, and what would be right."""
    fields: Callable[[RowT], Mapping[str, str]]
    """From a row, to fields."""

    def last(self, path: Path, count: int | None) -> list[RowT]:
        """The last rows, oldest first; all of them for None. No more of the file is read than that takes.

        Raises:
            HistoryError: missing, without a row, damaged, or with other columns; with the path, the line, the reason.
        """
        with self._opened(path, "rb") as file:
            rows = [self._row(file, line) for line in islice(file.lines(), count)]
            if not rows and count != 0:
                raise HistoryError(f"{path.resolve()} is empty: it has no row of {self.what} yet.")
        return rows[::-1]

    def find(self, path: Path, key: str) -> RowT | None:
        """The row of this key. Raises `HistoryError`."""
        with self._opened(path, "rb") as file:
            line = file.find(self.key, key)
            return None if line is None else self._row(file, line)

    def add(self, path: Path, key: str, make: Callable[[Mapping[str, str] | None], RowT]) -> bool:
        """Add a row; False when one of this key is there already, whatever else it says.

        `make` gives the row, from the fields of the last one that is there; it raises `ValueError` if they are no use.

        Raises:
            HistoryError: another program's columns, a damaged end, no room, no permission, a text that cannot be
                written. The file is then as it was.
        """
        path = path.resolve()  # all who come by some link meet at one lock
        if not key:
            raise HistoryError(f"A row for {path} has an empty {self.key}; each row needs one of its own.")
        with self._locked(path):
            if not path.exists() or (path.is_file() and not path.stat().st_size):
                header = ",".join(self.columns).encode() + b"\r\n"
                _create(path, header + self._written(make(None), self.columns, path))
                return True
            with self._opened(path, "r+b") as file:
                last = next(file.lines(), None)
                before = file.values(last) if last else None  # a table with a damaged end takes no further rows
                if file.find(self.key, key):
                    return False
                try:
                    row = make(before)
                except ValueError as error:
                    raise file.fault(last.offset if last else 0, str(error)) from error
                file.append(self._written(row, file.names, path))
                return True

    def _row(self, file: CsvTail, line: Line) -> RowT:
        try:
            return self.parse(file.values(line))
        except ValueError as error:
            raise file.fault(line.offset, str(error)) from error

    def _written(self, row: RowT, columns: tuple[str, ...], path: Path) -> bytes:
        fields = self.fields(row)
        try:
            data = written([fields.get(name, "") for name in columns])
        except UnicodeEncodeError as error:
            raise HistoryError(f"A row for {path} has half a character in it: {error}.") from error
        if why := _unreadable(data):
            raise HistoryError(f"A row for {path} has {why}. It begins {data[:80]!r}.")
        return data

    @contextmanager
    def _opened(self, path: Path, mode: str) -> Generator[CsvTail]:
        """The file, with our columns in it."""
        path = path.resolve()
        try:
            if not S_ISREG(path.stat().st_mode):
                raise HistoryError(f"{path} is not a file. Name a CSV file of {self.what}.")
            with path.open(mode, buffering=0) as raw:
                file = CsvTail(cast("BinaryIO", raw), path)
                self._check_columns(file, path)
                yield file
        except FileNotFoundError as error:
            raise HistoryError(f"{path}: there is no such file yet.") from error
        except OSError as error:
            raise HistoryError(f"Cannot use {path}: {error.strerror or error}.") from error

    def _check_columns(self, file: CsvTail, path: Path) -> None:
        if not file.size:
            raise HistoryError(f"{path} is empty: it has no row of {self.what} yet.")
        missing = [name for name in self.columns if name not in file.names]
        twice = [name for name in self.columns if file.names.count(name) > 1]
        if missing or twice:
            reason = f"the column {missing[0]!r} is missing" if missing else f"the column {twice[0]!r} is there twice"
            raise HistoryError(
                f"{path} is not a table of {self.what}: {reason}. Its first line has {', '.join(file.names)[:200]!r}; "
                f"expected {', '.join(self.columns)}, perhaps with more. Move it away, or name another file."
            )

    @contextmanager
    def _locked(self, path: Path) -> Generator[None]:
        """Raise `HistoryError` when the lock cannot be had."""
        lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=LOCK_SECONDS, poll_interval=0.01)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout as error:
            raise HistoryError(
                f"{path} has been locked for {LOCK_SECONDS:g} seconds by another program that writes to it "
                f"({lock.lock_file}). End that program, and go on."
            ) from error
        except OSError as error:
            raise HistoryError(f"Cannot write beside {path}: {error.strerror or error}.") from error
        try:
            yield
        finally:
            lock.release()


def _unreadable(data: bytes) -> str:
    """Why a row could not be read again."""
    if b"\x00" in data:
        return "a zero byte in it"
    if len(data) > ROW_LIMIT:
        return f"{len(data):,} bytes; {ROW_LIMIT:,} are the limit"
    try:
        fields_of(data)
    except csv.Error as error:
        return f"a {error}"
    return ""


def _create(path: Path, data: bytes) -> None:
    try:
        write_atomic(path, data)
    except RunError as error:
        raise HistoryError(str(error)) from error
