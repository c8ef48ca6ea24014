"""What every store of fixes does: one suite over SQLite and a real Redis server."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest
from fixes import a_fix
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from real_parts import needs
from redis_server import RedisServer

from redraft.errors import MemoryStoreError
from redraft.memory.base import Store
from redraft.memory.redis import RedisStore
from redraft.memory.sqlite import SqliteStore

Open = Callable[[], Store]

LIKE, UNLIKE = "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(needs("redis-server"), tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=pytest.mark.real)])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the same store anew, as another process would."""
    opened: list[Store] = []

    def open_() -> Store:
        if request.param == "sqlite":
            opened.append(SqliteStore(tmp_path / "fixes.sqlite"))
        else:
            opened.append(RedisStore(request.getfixturevalue("server").url))
        return opened[-1]

    if request.param == "redis":
        request.getfixturevalue("server").wipe()
    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(reopen: Open) -> Store:
    return reopen()


def test_it_is_a_store(store: Store) -> None:
    assert isinstance(store, Store)


def test_an_empty_one_holds_nothing(store: Store) -> None:
    assert store.find("glsl:undeclared_identifier", LIKE, 5) == []
    assert store.keys() == {}
    assert list(store.entries()) == []
    assert list(store.entries("glsl:undeclared_identifier")) == []
    assert store.forget() == 0
    assert store.forget("glsl:undeclared_identifier") == 0
    store.count(a_fix(), worked=True)  # of an entry that is gone, nothing
    assert store.keys() == {}


def test_what_is_added_is_found_by_its_key_alone(store: Store, reopen: Open) -> None:
    fix, other = a_fix(1), a_fix(2, key="glsl:syntax_error")
    store.add(fix, LIKE)
    store.add(other, LIKE)
    again = reopen()
    assert again.find(fix.key, UNLIKE, 5) == [fix]
    assert again.find("glsl:undeclared", LIKE, 5) == []
    assert again.keys() == {fix.key: 1, "glsl:syntax_error": 1}


def test_the_same_fix_twice_is_one_entry_and_keeps_its_counts(store: Store) -> None:
    store.add(a_fix(), LIKE)
    store.count(a_fix(), worked=True)
    store.add(a_fix(timestamp="2027-01-01T00:00:00+00:00", error_msg="another line"), LIKE)
    [kept] = store.find(a_fix().key, LIKE, 5)
    assert kept == a_fix(times_used=1, times_worked=1)


def test_counts_add_up_over_all_who_count(store: Store, reopen: Open) -> None:
    store.add(a_fix(), LIKE)
    other = reopen()
    for one, worked in ((store, True), (other, False), (other, True), (store, True)):
        one.count(a_fix(), worked=worked)
    [kept] = reopen().entries()
    assert (kept.times_used, kept.times_worked) == (4, 3)


def test_entries_come_with_the_counts_they_bring(store: Store) -> None:
    fix = a_fix(times_used=7, times_worked=5)
    store.add(fix, LIKE)
    assert list(store.entries()) == [fix]
    store.count(fix, worked=False)
    assert store.find(fix.key, LIKE, 1) == [a_fix(times_used=8, times_worked=5)]


def test_find_gives_what_is_built_alike_before_what_worked_oftenest(store: Store) -> None:
    famous, useful, alike = a_fix(1, times_used=9, times_worked=9), a_fix(2, times_used=4, times_worked=3), a_fix(3)
    for fix, shape in ((famous, UNLIKE), (useful, LIKE), (alike, LIKE)):
        store.add(fix, shape)
    assert store.find(famous.key, LIKE, 5) == [useful, alike, famous]
    assert store.find(famous.key, LIKE, 1) == [useful]
    assert store.find(famous.key, "c" * 16, 2) == [famous, useful]


def test_what_failed_too_often_comes_last_however_alike(store: Store) -> None:
    failed, fresh = a_fix(1), a_fix(2)
    store.add(failed, LIKE)
    store.add(fresh, UNLIKE)
    store.count(failed, worked=False)
    assert [fix.id for fix in store.find(failed.key, LIKE, 5)] == [failed.id, fresh.id]
    store.count(failed, worked=False)
    found = store.find(failed.key, LIKE, 5)
    assert [fix.id for fix in found] == [fresh.id, failed.id]
    assert [fix.trusted for fix in found] == [True, False]


def test_entries_are_in_the_order_of_key_and_time(store: Store) -> None:
    fixes = [a_fix(3), a_fix(1), a_fix(2, key="bpy:no_attribute:fcurves"), a_fix(4, key="glsl:syntax_error")]
    assert store.add_all((fix, LIKE) for fix in fixes) == 4
    assert list(store.entries()) == [fixes[2], fixes[3], fixes[1], fixes[0]]
    assert list(store.entries("glsl:undeclared_identifier")) == [fixes[1], fixes[0]]


def test_many_at_once_say_how_many_were_new(store: Store) -> None:
    fixes = [a_fix(n) for n in range(250)]
    assert store.add_all((fix, LIKE) for fix in fixes[:100]) == 100
    assert store.add_all((fix, LIKE) for fix in fixes) == 150
    assert store.add_all([]) == 0
    assert store.keys() == {fixes[0].key: 250}
    assert {fix.id for fix in store.entries()} == {fix.id for fix in fixes}


def test_forget_takes_one_key_or_all(store: Store, reopen: Open) -> None:
    for n in range(3):
        store.add(a_fix(n), LIKE)
    other = a_fix(4, key="glsl:undeclared_identifier:pi")
    store.add(other, LIKE)
    assert store.forget("glsl:undeclared_identifier") == 3
    assert store.keys() == {other.key: 1}
    assert store.find("glsl:undeclared_identifier", LIKE, 5) == []
    assert reopen().forget() == 1
    assert store.keys() == {}


def test_what_was_forgotten_can_be_learnt_anew(store: Store) -> None:
    store.add(a_fix(), LIKE)
    store.count(a_fix(), worked=False)
    store.forget(a_fix().key)
    store.add(a_fix(), UNLIKE)
    assert store.find(a_fix().key, UNLIKE, 5) == [a_fix()]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(texts=st.lists(st.text(max_size=200), min_size=4, max_size=4))
def test_any_text_comes_back_as_it_was(store: Store, texts: list[str]) -> None:
    fix = a_fix(error_msg=texts[0], broken_snippet=texts[1], fixed_snippet=texts[2], compiler=texts[3])
    store.forget()
    store.add(fix, LIKE)
    assert store.find(fix.key, LIKE, 1) == [fix]
    assert list(store.entries()) == [fix]


def test_it_is_used_from_other_threads(store: Store) -> None:
    faults: list[MemoryStoreError] = []

    def work(number: int) -> None:
        try:
            store.add(a_fix(number), LIKE)
            store.count(a_fix(number), worked=True)
        except MemoryStoreError as error:
            faults.append(error)

    store.keys()
    for number in range(4):
        thread = threading.Thread(target=work, args=(number,))
        thread.start()
        thread.join()
    assert faults == []
    assert [fix.times_worked for fix in store.entries()] == [1, 1, 1, 1]


def test_closing_twice_does_no_harm(store: Store) -> None:
    store.add(a_fix(), LIKE)
    store.close()
    store.close()
    assert store.keys() == {a_fix().key: 1}  # opened again when needed


@pytest.mark.slow
@pytest.mark.usefixtures("as_installed")
def test_many_processes_lose_nothing(store: Store, reopen: Open) -> None:
    """Four processes add 50 fixes of their own and 50 that all of them add, and count each 50 times at once."""
    name = f"sqlite:{store.path}" if isinstance(store, SqliteStore) else _url(store)
    command = [sys.executable, str(Path(__file__).parent.parent / "helpers" / "store_worker.py"), name]
    workers = [subprocess.Popen([*command, str(n)], stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) for n in range(4)]
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


def _url(store: Store) -> str:
    assert isinstance(store, RedisStore)
    return "redis://" + store.label.removeprefix("Redis ")
