"""The SQLite store: when its file is made, and what is said of one that cannot be used."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from redraft.errors import MemoryStoreError
from redraft.fixes.sqlite import SqliteStore, default_path
from redraft.testing import a_fix

KEY = "glsl:undeclared_identifier"
SHAPE = "a" * 16


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "fixes.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path, busy_seconds=0.2)
    yield store
    store.close()


def trouble(store: SqliteStore) -> str:
    """What reading says."""
    with pytest.raises(MemoryStoreError) as caught:
        store.find(KEY, SHAPE, 5)
    return str(caught.value)


def test_no_file_is_made_before_there_is_a_fix(store: SqliteStore, path: Path) -> None:
    store.find(KEY, SHAPE, 5)
    store.count(a_fix(), worked=True)
    store.forget()
    assert (store.keys(), list(store.entries())) == ({}, [])
    assert not path.parent.exists()
    store.add(a_fix(), SHAPE)
    assert path.is_file()


def test_the_default_file_is_the_users_own(own_environment: Path) -> None:
    store = SqliteStore(default_path())
    store.add(a_fix(), SHAPE)
    assert store.path == own_environment / "redraft" / "fixes.sqlite"
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    assert store.label == f"SQLite {Path('~/redraft/fixes.sqlite')}"
    store.close()


def test_readers_do_not_wait_for_writers(store: SqliteStore, path: Path) -> None:
    store.add(a_fix(), SHAPE)
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE fixes SET times_used = 5")
        assert SqliteStore(path).find(KEY, SHAPE, 5) == [a_fix()]
        writer.rollback()


def test_a_writer_that_never_ends(store: SqliteStore, path: Path) -> None:
    store.add(a_fix(1), SHAPE)
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(MemoryStoreError, match=r"locked\. Another process holds it"):
            store.add(a_fix(2), SHAPE)
        writer.rollback()
    store.add(a_fix(2), SHAPE)
    assert store.keys() == {KEY: 2}


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to be looked at", b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_what_is_no_database_is_said_and_left(store: SqliteStore, path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    said = trouble(store)
    assert str(path) in said
    assert "Move it away" in said
    with pytest.raises(MemoryStoreError, match="Move it away"):
        store.add(a_fix(), SHAPE)
    assert path.read_bytes() == content


def test_a_damaged_file_is_said_and_left(store: SqliteStore, path: Path) -> None:
    store.add_all((a_fix(n), SHAPE) for n in range(500))
    store.close()
    raw = bytearray(path.read_bytes())
    raw[4096:] = os.urandom(len(raw) - 4096)
    path.write_bytes(raw)
    assert "damaged" in trouble(store)
    assert path.read_bytes() == raw


def test_an_empty_file_is_begun(store: SqliteStore, path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    assert store.find(KEY, SHAPE, 5) == []
    store.add(a_fix(), SHAPE)
    assert store.keys() == {KEY: 1}


def test_the_database_of_another_program_is_left_alone(store: SqliteStore, path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE fixes (x)")
    before = path.read_bytes()
    assert "another program" in trouble(store)
    with pytest.raises(MemoryStoreError, match="another program"):
        store.add(a_fix(), SHAPE)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_redraft(store: SqliteStore, path: Path) -> None:
    store.add(a_fix(), SHAPE)
    store.close()
    with closing(sqlite3.connect(path)) as newer, newer:
        newer.execute("PRAGMA user_version = 2")
    assert "layout 2" in trouble(store)
    assert "pip install -U redraft" in trouble(store)


@pytest.mark.parametrize("change", ["times_used = -1", "timestamp = x'ff'", "times_worked = 'often'"])
def test_rows_that_redraft_did_not_write(store: SqliteStore, path: Path, change: str) -> None:
    store.add(a_fix(), SHAPE)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(f"UPDATE fixes SET {change}")
    assert "did not write" in trouble(store)
    with pytest.raises(MemoryStoreError, match="did not write"):
        list(store.entries())


def test_a_table_that_somebody_dropped(store: SqliteStore, path: Path) -> None:
    store.add(a_fix(), SHAPE)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DROP TABLE fixes")
    assert "no such table" in trouble(store)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert str(tmp_path) in trouble(SqliteStore(tmp_path))


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = SqliteStore(tmp_path / "file" / "fixes.sqlite")
    with pytest.raises(MemoryStoreError, match="writable, or use another file"):
        store.add(a_fix(), SHAPE)


def test_a_full_disk(store: SqliteStore, path: Path) -> None:
    """The system refuses to let the file grow, as a full disk does."""
    store.add(a_fix(1), SHAPE)
    store.close()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    former = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, limits[1]))
        with pytest.raises(MemoryStoreError, match="cannot be written"):
            store.add_all((a_fix(n, fixed_snippet="x" * 4000), SHAPE) for n in range(2, 100))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, former)
    store.close()
    assert list(store.entries()) == [a_fix(1)]  # all of it or nothing


READ_ONLY = """
import sys
from pathlib import Path
from redraft.errors import MemoryStoreError
from redraft.fixes.sqlite import SqliteStore
from redraft.testing import a_fix
store = SqliteStore(Path(sys.argv[1]))
for use in (lambda: store.add(a_fix(2), "a" * 16), store.keys):
    try:
        use()
    except MemoryStoreError as error:
        print(error)
"""


@pytest.mark.slow
def test_a_folder_where_nothing_may_be_written(store: SqliteStore, path: Path) -> None:
    store.add(a_fix(1), SHAPE)
    store.close()
    command = [sys.executable, "-c", READ_ONLY, str(path)]
    path.chmod(0o444)
    path.parent.chmod(0o555)
    if os.geteuid() == 0:  # who may do everything gives that up first
        if shutil.which("setpriv") is None:
            pytest.skip("setpriv (of util-linux) is missing")
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--", *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    path.parent.chmod(0o755)
    path.chmod(0o644)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert len(said) == 2
    assert all(str(path) in line and "Make the file and its folder writable" in line for line in said)
    assert list(store.entries()) == [a_fix(1)]
