"""Fixes in one SQLite file: the default store. It needs no server, and many processes may share it.

The file is opened when it is first needed and made by the first fix. A damaged one is never deleted or repaired here.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from pydantic import ValidationError

from redraft.errors import MemoryStoreError
from redraft.fixes.base import Fix
from redraft.limits import STORED_FIX

APPLICATION = 0x72647266
"""`rdrf` in the file's header, which marks it as redraft's."""
VERSION = 1
BUSY_SECONDS = 3.0
"""Seconds to wait for another process that writes."""

_COLUMNS = "key, error_msg, broken_snippet, fixed_snippet, timestamp, compiler, times_used, times_worked"  # as in Fix
_SCHEMA = (
    """CREATE TABLE fixes (
        id TEXT PRIMARY KEY,
        key TEXT NOT NULL,
        shape TEXT NOT NULL,
        error_msg TEXT NOT NULL,
        broken_snippet TEXT NOT NULL,
        fixed_snippet TEXT NOT NULL,
        timestamp TEXT NOT NULL,
        compiler TEXT NOT NULL,
        times_used INTEGER NOT NULL,
        times_worked INTEGER NOT NULL,
        worth INTEGER GENERATED ALWAYS AS (2 * times_worked - times_used) VIRTUAL
    )""",
    "CREATE INDEX by_worth ON fixes (key, worth DESC, timestamp DESC)",
    "CREATE INDEX by_shape ON fixes (key, shape, worth DESC, timestamp DESC)",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)
_ADD = f"""INSERT INTO fixes (id, shape, {_COLUMNS})
    VALUES (:id, :shape, :{_COLUMNS.replace(", ", ", :")}) ON CONFLICT (id) DO NOTHING"""  # noqa: S608
_ALIKE = f"""SELECT id, {_COLUMNS} FROM fixes WHERE key = ? AND shape = ? AND worth > -2
    ORDER BY worth DESC, timestamp DESC LIMIT ?"""  # noqa: S608
_BEST = f"SELECT id, {_COLUMNS} FROM fixes WHERE key = ? ORDER BY worth DESC, timestamp DESC LIMIT ?"  # noqa: S608
_COUNT = "UPDATE fixes SET times_used = times_used + 1, times_worked = times_worked + ? WHERE id = ?"
_ALL = f"SELECT id, {_COLUMNS} FROM fixes WHERE :key IS NULL OR key = :key ORDER BY key, timestamp, id"  # noqa: S608


def default_path() -> Path:
    """Under the user's data folder: `~/.local/share/redraft/fixes.sqlite` on Linux."""
    from platformdirs import user_data_path

    return user_data_path("redraft", appauthor=False) / "fixes.sqlite"


class SqliteStore:
    """A store in a file; see `Store` for what its methods promise."""

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self._wait = busy_seconds
        self._connection: sqlite3.Connection | None = None

    @property
    def label(self) -> str:
        return f"SQLite {_homely(self.path)}"

    def find(self, key: str, shape: str, limit: int, *others: str) -> list[Fix]:
        with self._trouble("read"):
            if (file := self._open()) is None:
                return []
            rows: dict[str, sqlite3.Row] = {}
            for one in (shape, *others):
                share = -(-limit // (1 + len(others)))
                rows |= {row["id"]: row for row in file.execute(_ALIKE, (key, one, share))}
            if len(rows) < limit:
                best = file.execute(_BEST, (key, limit)).fetchall()
                rows |= {row["id"]: row for row in best if row["id"] not in rows}
            return [_fix(row) for row in islice(rows.values(), limit)]

    def add(self, fix: Fix, shape: str) -> None:
        self.add_all([(fix, shape)])

    def add_all(self, fixes: Iterable[tuple[Fix, str]]) -> int:
        with self._trouble("written"):
            file = self._open() or self._make()
            rows = [{**fix.model_dump(), "id": fix.id, "shape": shape} for fix, shape in fixes]
            with _transaction(file):
                return file.executemany(_ADD, rows).rowcount

    def count(self, fix: Fix, *, worked: bool) -> None:
        with self._trouble("written"):
            if (file := self._open()) is not None:
                file.execute(_COUNT, (int(worked), fix.id))

    def keys(self) -> dict[str, int]:
        with self._trouble("read"):
            if (file := self._open()) is None:
                return {}
            return dict(file.execute("SELECT key, COUNT(*) FROM fixes GROUP BY key ORDER BY key").fetchall())

    def entries(self, key: str | None = None) -> Iterator[Fix]:
        with self._trouble("read"):
            if (file := self._open()) is not None:
                yield from (_fix(row) for row in file.execute(_ALL, {"key": key}))

    def forget(self, key: str | None = None) -> int:
        with self._trouble("written"):
            if (file := self._open()) is None:
                return 0
            return file.execute("DELETE FROM fixes WHERE :key IS NULL OR key = :key", {"key": key}).rowcount

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __del__(self) -> None:
        self.close()

    def _open(self) -> sqlite3.Connection | None:
        """The open file; None when there is none yet."""
        if self._connection is None and self.path.exists():
            self._connection = self._connect()
        return self._connection

    def _make(self) -> sqlite3.Connection:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._connection = self._connect()
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=self._wait, isolation_level=None, check_same_thread=False)
        try:
            connection.row_factory = sqlite3.Row
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, STORED_FIX.size)
            connection.execute("PRAGMA synchronous = NORMAL")
            if _version(connection) == (0, 0):
                self._lay_out(connection)
            self._refuse_others(connection)
            self._log_ahead(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _lay_out(self, connection: sqlite3.Connection) -> None:
        """Make the tables of a file that has none, once for all processes."""
        with _transaction(connection):
            if not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]:
                for statement in _SCHEMA:
                    connection.execute(statement)

    def _refuse_others(self, connection: sqlite3.Connection) -> None:
        application, version = _version(connection)
        if application != APPLICATION:
            raise MemoryStoreError(
                f"{self.path} is a database of another program, not a fix memory. It is left as it is; name another "
                "file: memory: sqlite:PATH"
            )
        if version != VERSION:
            raise MemoryStoreError(
                f"The fix memory {self.path} has layout {version}, and this redraft knows layout {VERSION}: another "
                "redraft made it. Upgrade with: pip install -U redraft; or use another file: memory: sqlite:PATH"
            )

    def _log_ahead(self, connection: sqlite3.Connection) -> None:
        """Readers do not wait for writers then. Two processes that switch at once exclude each other for a moment,
        which SQLite reports without waiting."""
        until = time.monotonic() + self._wait
        while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)

    @contextmanager
    def _trouble(self, doing: str) -> Generator[None]:
        """Raise errors of the file as `MemoryStoreError`, with the fix."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise MemoryStoreError(
                f"The fix memory {self.path} cannot be {doing}: {_reason(error)}. {_advice(error, self.path)}"
            ) from error
        except ValidationError as error:
            raise MemoryStoreError(
                f"The fix memory {self.path} contains data that redraft did not write: {_first(error)}. "
                "Move the file away; a new one begins with the next fix."
            ) from error


def _version(connection: sqlite3.Connection) -> tuple[int, int]:
    names = ("application_id", "user_version")
    application, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    return application, version


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All or nothing, and only one process at a time."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _fix(row: sqlite3.Row) -> Fix:
    return Fix.model_validate({name: row[name] for name in row.keys() if name != "id"})  # noqa: SIM118


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _advice(error: Exception, path: Path) -> str:
    text = str(error)
    if "locked" in text or "busy" in text:
        return "Another process holds it; try again when that is done, or use another file: memory: sqlite:PATH"
    if "full" in text:
        return "Free some space on its disk, or use another file: memory: sqlite:PATH"
    if isinstance(error, sqlite3.OperationalError | OSError):
        return "Make the file and its folder writable, or use another file: memory: sqlite:PATH"
    return (
        f"It is damaged and left as it is. Move it away ({path.name}-wal and -shm with it), and a new one begins with "
        "the next fix; `sqlite3 FILE .recover` saves what can be saved."
    )


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    return f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"


def _homely(path: Path) -> str:
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)
