"""The fix memory by name."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redraft.errors import ConfigError, MemoryStoreError
from redraft.fixes.error_cache import open_error_cache, open_store
from redraft.fixes.redis import RedisStore
from redraft.fixes.sqlite import SqliteStore


def test_none_remembers_nothing() -> None:
    memory = open_error_cache("none")
    assert (memory.kept, memory.label) == (None, "none")
    assert memory.store("0:1(1): error: `a' undeclared", "a;", "b;") is None
    assert memory.lookup("0:1(1): error: `a' undeclared", "a;") == []
    assert memory.replay("0:1(1): error: `a' undeclared", "a;") is None
    assert memory.get_few_shot_examples("0:1(1): error: `a' undeclared") == ""
    memory.close()


def test_sqlite_is_the_users_file_or_the_one_that_is_named(own_environment: Path, tmp_path: Path) -> None:
    for name, path in (
        ("sqlite", own_environment / "redraft" / "fixes.sqlite"),
        (f"sqlite:{tmp_path}/a.sqlite", tmp_path / "a.sqlite"),
        ("sqlite:~/b.sqlite", own_environment / "b.sqlite"),
        ("sqlite:c.sqlite", Path("c.sqlite")),
    ):
        store = open_store(name)
        assert isinstance(store, SqliteStore)
        assert store.path == path


def test_auto_follows_redis_url(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(open_store("auto"), SqliteStore)
    monkeypatch.setenv("REDIS_URL", "redis://localhost:6379/5")
    store = open_store("auto")
    assert isinstance(store, RedisStore)
    assert store.label == "Redis localhost:6379/5"
    monkeypatch.setenv("REDIS_URL", " ")
    assert isinstance(open_store("auto"), SqliteStore)


@pytest.mark.parametrize("url", ["https://user:hunter2@host", "hunter2:6379", "redis://:hunter2@host:port"])
def test_a_redis_url_that_is_not_one_is_an_error_of_the_first_use(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    store = open_store("auto")
    assert store is not None
    with pytest.raises(MemoryStoreError, match=r"redis://.*REDIS_URL") as caught:
        store.keys()
    assert "hunter2" not in f"{caught.value}{store.label}"


def test_a_server_without_the_package_is_an_error_of_the_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    store = open_store("redis://localhost")
    assert store is not None
    with pytest.raises(MemoryStoreError, match=r"pip install 'redraft\[redis\]'"):
        store.keys()


@pytest.mark.parametrize(
    "name", ["", "sql", "sqlite:", "sqlite:///abs.sqlite", "SQLite", "mysql://u:hunter2@h", "redis", "None"]
)
def test_other_names_are_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_error_cache(name)
    said = str(caught.value)
    assert "known stores: auto, none, sqlite, sqlite:PATH, redis://" in said
    assert "hunter2" not in said


def test_its_clock_is_the_one_given() -> None:
    memory = open_error_cache("none", clock=lambda: datetime(2026, 11, 21, 9, 30, tzinfo=UTC))
    assert memory.now == "2026-11-21T09:30:00+00:00"
