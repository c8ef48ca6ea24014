"""The Redis store against a real server: its key layout, and every way in which a server can fail it."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from real_parts import needs
from redis_server import RedisServer, free_port

from redraft.errors import ConfigError, MemoryStoreError
from redraft.fixes.base import open_store
from redraft.fixes.redis import RedisStore
from redraft.testing import a_fix

pytestmark = pytest.mark.timed

KEY = "glsl:undeclared_identifier"
SHAPE = "a" * 16
PASSWORD = "s3cr3t/p@ss:word"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(needs("redis-server"), tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def server(shared: RedisServer) -> RedisServer:
    shared.wipe()
    return shared


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RedisServer]:
    """One that a test may kill or fill."""
    with RedisServer(needs("redis-server"), tmp_path) as server:
        yield server


@pytest.fixture
def store(server: RedisServer) -> Iterator[RedisStore]:
    store = RedisStore(server.url)
    yield store
    store.close()


def trouble(store: RedisStore) -> str:
    """What reading says."""
    with pytest.raises(MemoryStoreError) as caught:
        store.find(KEY, SHAPE, 5)
    return str(caught.value)


@pytest.mark.real
def test_the_layout_is_the_one_of_the_specification(store: RedisStore, server: RedisServer) -> None:
    fix = a_fix(key="glsl:incompatible_types", times_used=0)
    store.add(fix, SHAPE)
    store.count(fix, worked=True)
    client = server.client()
    assert client.keys("glsl:*") == ["glsl:incompatible_types"]
    assert client.type("glsl:incompatible_types") == "hash"
    [(name, value)] = client.hgetall("glsl:incompatible_types").items()
    assert name == fix.id
    assert json.loads(value) == {
        "error_msg": "0:5(12): error: `tone0' undeclared",
        "broken_snippet": "float a = tone0;",
        "fixed_snippet": "float a = tune0;",
        "timestamp": "2026-11-20T00:00:00+00:00",
        "compiler": "Mesa 22.3.6",
    }
    others = [key for key in client.keys("*") if not key.startswith("glsl:")]
    assert others
    assert all(key.startswith("redraft:") for key in others)
    assert {client.ttl(key) for key in client.keys("*")} == {-1}  # nothing expires


@pytest.mark.real
def test_redis_cli_sees_it(store: RedisStore, server: RedisServer) -> None:
    store.add(a_fix(), SHAPE)
    command = [needs("redis-server").replace("redis-server", "redis-cli"), "-p", str(server.port), "KEYS", "glsl:*"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout
    assert said.split() == [KEY]


@pytest.mark.real
def test_forgetting_leaves_nothing_behind(store: RedisStore, server: RedisServer) -> None:
    for n in range(3):
        store.add(a_fix(n), f"{n:016x}")
    assert store.forget() == 3
    assert server.client().keys("*") == []


@pytest.mark.real
def test_forgetting_touches_no_key_of_others(store: RedisStore, server: RedisServer) -> None:
    server.client().set("glsl:of_another_program", "text")
    store.add(a_fix(), SHAPE)
    assert store.forget("glsl:of_another_program") == 0
    assert store.forget() == 1
    assert server.client().keys("*") == ["glsl:of_another_program"]


@pytest.mark.real
def test_a_key_deleted_by_hand_is_gone_and_learnt_anew(store: RedisStore, server: RedisServer) -> None:
    store.add(a_fix(1, times_used=3, times_worked=3), SHAPE)
    server.client().delete(KEY)
    assert store.find(KEY, SHAPE, 5) == []
    assert store.keys() == {}
    store.add(a_fix(2), SHAPE)
    assert store.find(KEY, SHAPE, 5) == [a_fix(2)]
    assert store.keys() == {KEY: 1}


@pytest.mark.real
def test_over_a_local_socket_and_in_another_database(server: RedisServer) -> None:
    store = RedisStore(f"unix://{server.socket}?db=3")
    store.add(a_fix(), SHAPE)
    assert store.label == f"Redis {server.socket}/3"
    assert RedisStore(f"{server.url[:-1]}3").keys() == {KEY: 1}
    assert RedisStore(server.url).keys() == {}
    store.close()


def test_no_server_at_the_start() -> None:
    port = free_port()
    store = RedisStore(f"redis://:{'hunter2'}@127.0.0.1:{port}/2")
    said = trouble(store)
    assert f"127.0.0.1:{port}/2 cannot be read" in said
    assert "refused" in said
    assert "redis-cli" in said
    assert "hunter2" not in said
    for use in (lambda: store.add(a_fix(), SHAPE), lambda: store.count(a_fix(), worked=True), store.forget, store.keys):
        with pytest.raises(MemoryStoreError):
            use()
    with pytest.raises(MemoryStoreError):
        list(store.entries())
    store.close()


@pytest.mark.real
def test_killed_in_the_middle_and_back_again(own_server: RedisServer) -> None:
    store = RedisStore(own_server.url)
    store.add(a_fix(), SHAPE)
    own_server.kill()
    assert "cannot be read" in trouble(store)
    with pytest.raises(MemoryStoreError, match="cannot be written"):
        store.count(a_fix(), worked=True)
    own_server.start()
    assert store.keys() == {}  # it kept nothing on disk; the store works again
    store.close()


def test_a_server_that_accepts_and_never_answers() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        store = RedisStore(f"redis://127.0.0.1:{silent.getsockname()[1]}", timeout=0.1)
        start = time.monotonic()
        said = trouble(store)
        assert time.monotonic() - start < 2.0
        assert "imeout" in said or "timed out" in said
        store.close()


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"+OK\r\n:5\r\n", b"\xff\xfe\x00", b"$-1\r\n", b""]
)
def test_a_server_that_is_no_redis(answer: bytes) -> None:
    def serve(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        store = RedisStore(f"redis://127.0.0.1:{listener.getsockname()[1]}", timeout=0.2)
        assert "cannot be read" in trouble(store)
        store.close()
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)


@pytest.mark.real
def test_a_full_server(own_server: RedisServer) -> None:
    store = RedisStore(own_server.url)
    store.add(a_fix(1), SHAPE)
    own_server.client().config_set("maxmemory-policy", "noeviction")
    own_server.client().config_set("maxmemory", "1")
    with pytest.raises(MemoryStoreError, match=r"(?s)cannot be written: .*maxmemory.*raise its maxmemory"):
        store.add(a_fix(2), SHAPE)
    with pytest.raises(MemoryStoreError, match="memory is full"):
        store.count(a_fix(1), worked=True)
    own_server.client().config_set("maxmemory", "0")
    assert list(store.entries()) == [a_fix(1)]  # nothing was kept by half
    store.close()


@pytest.mark.real
@pytest.mark.parametrize("key", [KEY, f"redraft:worth:{KEY}", f"redraft:like:{SHAPE}:{KEY}", f"redraft:used:{KEY}"])
def test_a_key_of_the_wrong_type(store: RedisStore, server: RedisServer, key: str) -> None:
    store.add(a_fix(1), SHAPE)
    server.client().delete(key)
    server.client().set(key, "of another program")
    said = trouble(store)
    assert "WRONGTYPE" in said
    assert "another database" in said
    with pytest.raises(MemoryStoreError, match="WRONGTYPE"):
        store.add(a_fix(2), SHAPE)


VALUE = {
    name: getattr(a_fix(), name) for name in ("error_msg", "broken_snippet", "fixed_snippet", "timestamp", "compiler")
}


@pytest.mark.real
@pytest.mark.parametrize(
    "value",
    [
        "{",
        "",
        "null",
        "[" * 20_000,
        '"text"',
        "{}",
        json.dumps({**VALUE, "error_msg": 5}),
        json.dumps({**VALUE, "times_used": 3}),
        json.dumps({**VALUE, "fixed_snippet": "float a = other;"}),
        json.dumps({**VALUE, "fixed_snippet": "\ud800"}),
        b"\xff\xfe",
    ],
    ids=lambda value: repr(value)[:24],
)
def test_a_value_that_is_not_ours(store: RedisStore, server: RedisServer, value: str | bytes) -> None:
    store.add(a_fix(), SHAPE)
    server.client().hset(KEY, a_fix().id, value)
    said = trouble(store)
    assert "that redraft did not write" in said
    assert f"redis-cli HDEL '{KEY}' '{a_fix().id}'" in said
    with pytest.raises(MemoryStoreError, match="did not write"):
        list(store.entries())


@pytest.mark.real
def test_a_huge_value_is_not_even_fetched(store: RedisStore, server: RedisServer) -> None:
    store.add(a_fix(), SHAPE)
    server.client().hset(KEY, a_fix().id, json.dumps({**VALUE, "error_msg": "x" * 10_000_000}))
    sent = server.client().info("stats")["total_net_output_bytes"]
    assert "TOOLARGE" in trouble(store)
    assert server.client().info("stats")["total_net_output_bytes"] - sent < 100_000
    with pytest.raises(MemoryStoreError, match="TOOLARGE"):
        list(store.entries())


@pytest.mark.real
@pytest.mark.parametrize("count", ["many", "-3"])
def test_a_count_that_is_none(store: RedisStore, server: RedisServer, count: str) -> None:
    store.add(a_fix(), SHAPE)
    server.client().hset(f"redraft:used:{KEY}", a_fix().id, count)
    assert "cannot be read" in trouble(store) or "did not write" in trouble(store)


@pytest.mark.real
def test_foreign_names_in_the_list_of_keys(store: RedisStore, server: RedisServer) -> None:
    server.client().sadd("redraft:keys", b"\xff\xfe")
    with pytest.raises(MemoryStoreError, match="cannot be read"):
        store.keys()


@pytest.mark.real
def test_a_password_works_and_is_never_said(tmp_path: Path) -> None:
    with RedisServer(needs("redis-server"), tmp_path, password=PASSWORD) as server:
        good = RedisStore(f"redis://:{'s3cr3t%2Fp%40ss%3Aword'}@127.0.0.1:{server.port}/0")
        good.add(a_fix(), SHAPE)
        assert good.keys() == {KEY: 1}
        said = [good.label, repr(good), trouble(RedisStore(f"redis://:wrong{PASSWORD[:6]}@127.0.0.1:{server.port}"))]
        said.append(trouble(RedisStore(f"redis://127.0.0.1:{server.port}?password=wrongs3cr3t")))
        said.append(trouble(RedisStore(f"redis://127.0.0.1:{server.port}")))
        assert "its URL are wrong" in said[2]
        assert "needs a password" in said[4]
        assert not any("s3cr3t" in text or "p@ss" in text for text in said)
        good.close()


@pytest.mark.parametrize(
    "url",
    [
        "redis://:pa/ss@127.0.0.1:6379/0",
        "redis://:pass#word@127.0.0.1/0",
        "redis://:pa?ss@127.0.0.1/0",
        "redis://:pass@127.0.0.1:port/0",
        "redis://:pass@127.0.0.1/first",
        "redis://:pass@127.0.0.1:99999/0",
        "redis://:pass@[::1/0",
    ],
)
def test_a_url_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_store(url)
    said = str(caught.value)
    assert said.startswith("memory: redis://… is not the URL")
    assert "pa" not in said.replace("password", "").replace("PASSWORD", "")
    assert caught.value.__cause__ is None


def test_an_option_that_the_client_does_not_take() -> None:
    store = RedisStore("redis://:pass@127.0.0.1/0?socket_timeout=soon")
    assert "pass@" not in trouble(store)


def test_an_option_that_the_client_does_not_know() -> None:
    store = RedisStore("redis://127.0.0.1:1/0?colour=red")
    assert "colour" in trouble(store)


def test_the_label_names_server_and_database() -> None:
    urls: dict[str, Any] = {
        "redis://": "Redis localhost:6379/0",
        "redis://user:secret@cache.example:7000/3": "Redis cache.example:7000/3",
        "rediss://:secret@cache.example/1": "Redis cache.example:6379/1",
        "unix:///run/redis.sock": "Redis /run/redis.sock/0",
    }
    assert {url: RedisStore(url).label for url in urls} == urls
