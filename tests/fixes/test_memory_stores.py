"""The contract of stores of fixes, kept by SQLite and a real Redis server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest
from real_parts import needs
from redis_server import RedisServer

from redraft.fixes.base import Store
from redraft.fixes.redis import RedisStore
from redraft.fixes.sqlite import SqliteStore
from redraft.testing import StoreContract

Open = Callable[[], Store]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(needs("redis-server"), tmp_path_factory.mktemp("redis")) as server:
        yield server


class SharedStoreContract(StoreContract):
    """What holds of the stores that are built in besides: processes may write at once."""

    @pytest.mark.slow
    def test_many_processes_lose_nothing(self, store: Store, reopen: Open) -> None:
        """Four processes add 50 fixes of their own and 50 that all of them add, and count each 50 times at once."""
        name = f"sqlite:{store.path}" if isinstance(store, SqliteStore) else _url(store)
        command = [sys.executable, str(Path(__file__).parent.parent / "helpers" / "store_worker.py"), name]
        workers = [
            subprocess.Popen([*command, str(n)], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) for n in range(4)
        ]
        try:
            for worker in workers:
                assert worker.stdout is not None
                assert worker.stdout.readline() == "ready\n"
            for worker in workers:
                assert worker.stdin is not None
                worker.stdin.write("go\n")
                worker.stdin.flush()
            for worker in workers:
                _, said = worker.communicate(timeout=100)
                assert worker.returncode == 0, said
        finally:
            for worker in workers:
                with suppress(ProcessLookupError):
                    worker.kill()
        kept = {fix.id: fix for fix in reopen().entries()}
        assert len(kept) == 4 * 50 + 50
        assert sum(fix.times_used for fix in kept.values()) == 4 * 100
        assert sum(fix.times_worked for fix in kept.values()) == 4 * 50
        shared = [fix for fix in kept.values() if fix.error_msg == "shared"]
        assert {(fix.times_used, fix.times_worked) for fix in shared} == {(4, 4)}


class TestSqlite(SharedStoreContract):
    @pytest.fixture
    def reopen(self, tmp_path: Path) -> Iterator[Open]:
        yield from opened(lambda: SqliteStore(tmp_path / "fixes.sqlite"))


@pytest.mark.real
class TestRedis(SharedStoreContract):
    @pytest.fixture
    def reopen(self, server: RedisServer) -> Iterator[Open]:
        server.wipe()
        yield from opened(lambda: RedisStore(server.url))


def opened(open_: Open) -> Iterator[Open]:
    """Yield a function that opens a store; what it opened is closed afterwards."""
    stores: list[Store] = []

    def reopen() -> Store:
        stores.append(open_())
        return stores[-1]

    yield reopen
    for store in stores:
        store.close()


def _url(store: Store) -> str:
    assert isinstance(store, RedisStore)
    return "redis://" + store.label.removeprefix("Redis ")
