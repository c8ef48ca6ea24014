"""Fixes in a Redis server, shared by many machines.

Fixes lie under the error's own key, so that `redis-cli KEYS "glsl:*"` shows it: a hash of fix id → JSON
{error_msg, broken_snippet, fixed_snippet, timestamp, compiler}. Counts and indexes lie under `redraft:`. Nothing
expires. A write adds what is missing or counts up, in one transaction, so any number of processes may write at once.

| key | holds |
|---|---|
| `redraft:keys` | set of the error keys that are ours |
| `redraft:used:KEY`, `redraft:worked:KEY` | hashes of id → count |
| `redraft:shape:KEY` | hash of id → shape of the broken lines |
| `redraft:worth:KEY` | ids, scored by how often they worked less how often they failed |
| `redraft:like:SHAPE:KEY` | the same, of one shape |
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, cast
from urllib.parse import parse_qs, quote, urlsplit

from pydantic import ValidationError

from redraft.errors import MemoryStoreError
from redraft.fixes.base import REDIS_SCHEMES, Fix

TIMEOUT = 0.5
"""Seconds to connect, and for each answer: a run must not wait for what only saves time."""
TOO_LARGE = 100_000
"""Bytes of one value; ours are at most some 30,000, and a foreign one is not even fetched."""
REASON_LIMIT = 300
AT_ONCE = 100
"""Entries in one exchange with the server."""
VALUE = ("error_msg", "broken_snippet", "fixed_snippet", "timestamp", "compiler")

_PIPELINE = re.compile(r"(?s)^Command # \d+ \(.*?\) of pipeline caused error: ")


class RedisStore:
    """A store in a Redis server; see `Store` for what its methods promise.

    The address, the `redis` package and the server are needed at the first use, which raises `MemoryStoreError` without
    one of them. `valid` says whether the address can be one.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT) -> None:
        self._url, self._timeout = url, timeout
        place = _place(url)
        self.valid = bool(place)
        self.label = f"Redis {place or 'at an address that is not valid'}"
        self._client: Any = None  # the types of the client are partly unknown
        self._errors: tuple[type[Exception], ...] = ()

    def find(self, key: str, shape: str, limit: int, *others: str) -> list[Fix]:
        with self._trouble("read"):
            shapes = (shape, *others)
            share = -(-limit // len(shapes))
            pipe = self._redis.pipeline()
            for one in shapes:
                pipe.zrevrangebyscore(f"redraft:like:{one}:{key}", "+inf", "(-2", start=0, num=share)
            pipe.zrevrange(f"redraft:worth:{key}", 0, limit - 1)
            ids = dict.fromkeys(name for names in pipe.execute() for name in names)
            return self._entries(key, [*ids][:limit])

    def add(self, fix: Fix, shape: str) -> None:
        self.add_all([(fix, shape)])

    def add_all(self, fixes: Iterable[tuple[Fix, str]]) -> int:
        added, rest = 0, iter(fixes)
        while some := list(islice(rest, AT_ONCE)):
            with self._trouble("written"):
                pipe = self._redis.pipeline()
                for fix, shape in some:
                    worth = {fix.id: 2 * fix.times_worked - fix.times_used}
                    value = json.dumps({name: getattr(fix, name) for name in VALUE}, ensure_ascii=False)
                    pipe.hsetnx(fix.key, fix.id, value)
                    pipe.sadd("redraft:keys", fix.key)
                    pipe.hsetnx(f"redraft:used:{fix.key}", fix.id, fix.times_used)
                    pipe.hsetnx(f"redraft:worked:{fix.key}", fix.id, fix.times_worked)
                    pipe.hsetnx(f"redraft:shape:{fix.key}", fix.id, shape)
                    pipe.zadd(f"redraft:worth:{fix.key}", worth, nx=True)
                    pipe.zadd(f"redraft:like:{shape}:{fix.key}", worth, nx=True)
                added += sum(pipe.execute()[::7])  # the answers to the first command of each entry
        return added

    def count(self, fix: Fix, *, worked: bool) -> None:
        with self._trouble("written"):
            shape = self._redis.hget(f"redraft:shape:{fix.key}", fix.id)
            if shape is None or not self._redis.hexists(fix.key, fix.id):
                return
            change = 1 if worked else -1
            pipe = self._redis.pipeline()
            pipe.hincrby(f"redraft:used:{fix.key}", fix.id, 1)
            pipe.hincrby(f"redraft:worked:{fix.key}", fix.id, int(worked))
            pipe.zincrby(f"redraft:worth:{fix.key}", change, fix.id)
            pipe.zincrby(f"redraft:like:{_text(shape)}:{fix.key}", change, fix.id)
            pipe.execute()

    def keys(self) -> dict[str, int]:
        with self._trouble("read"):
            names = sorted(_text(name) for name in self._redis.smembers("redraft:keys"))
            pipe = self._redis.pipeline()
            for name in names:
                pipe.hlen(name)
            counts: list[int] = pipe.execute()
            return {name: count for name, count in zip(names, counts, strict=True) if count}

    def entries(self, key: str | None = None) -> Iterator[Fix]:
        for name in self.keys() if key is None else [key]:
            with self._trouble("read"):
                ids = self._redis.hkeys(name)
                some = (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))
                found = [fix for each in some for fix in self._entries(name, each)]
            yield from sorted(found, key=lambda fix: (fix.timestamp, fix.id))

    def forget(self, key: str | None = None) -> int:
        gone = 0
        for name in self.keys() if key is None else [key]:
            with self._trouble("written"):
                if not self._redis.sismember("redraft:keys", name):
                    continue
                shapes = {_text(shape) for shape in self._redis.hvals(f"redraft:shape:{name}")}
                pipe = self._redis.pipeline()
                pipe.hlen(name)
                pipe.delete(name, *(f"redraft:{kind}:{name}" for kind in ("used", "worked", "shape", "worth")))
                for shape in shapes:
                    pipe.delete(f"redraft:like:{shape}:{name}")
                pipe.srem("redraft:keys", name)
                gone += pipe.execute()[0]
        return gone

    def close(self) -> None:
        with self._trouble("closed"):
            if self._client is not None:
                self._client.close()

    @property
    def _redis(self) -> Any:
        """The client; nothing is connected to before a command is sent."""
        if self._client is not None:
            return self._client
        if not self.valid:
            raise self._no_url()
        try:
            import redis
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        except ImportError as error:
            raise MemoryStoreError(
                f"The fix memory {self.label} needs the redis package: pip install 'redraft[redis]'; or choose "
                "memory: sqlite"
            ) from error
        self._errors = (redis.RedisError,)
        try:
            self._client = redis.Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
                self._url,
                socket_connect_timeout=self._timeout,
                socket_timeout=self._timeout,
                retry=Retry(NoBackoff(), 0),
                protocol=2,
            )
        except (ValueError, TypeError):  # its words may hold a piece of the password
            raise self._no_url() from None
        return self._client

    def _no_url(self) -> MemoryStoreError:
        return MemoryStoreError(
            f"The fix memory has no valid address of a Redis server. {EXPECTED} It is that of the setting memory or of "
            "the environment variable REDIS_URL. Correct it, or choose memory: sqlite"
        )

    def _entries(self, key: str, ids: Sequence[bytes]) -> list[Fix]:
        """Return the entries of a key that have these ids, without those that are gone."""
        if not ids:
            return []
        pipe = self._redis.pipeline()
        for name in ids:
            pipe.hstrlen(key, name)
        if max(pipe.execute()) > TOO_LARGE:
            raise ValueError(f"TOOLARGE a value under {key} is not a fix")
        pipe = self._redis.pipeline()
        for name in (key, f"redraft:used:{key}", f"redraft:worked:{key}"):
            pipe.hmget(name, ids)
        rows = zip(ids, *pipe.execute(), strict=True)
        return [
            self._fix(key, name, value, int(u or 0), int(w or 0)) for name, value, u, w in rows if value is not None
        ]

    def _fix(self, key: str, name: bytes, value: bytes, used: int, worked: int) -> Fix:
        """Return one entry as the server holds it: foreign until it is shown to be ours."""
        where = f"{self.label} has data under {key} that redraft did not write"
        remedy = f"Delete it with: redis-cli HDEL '{key}' '{name.decode('utf-8', 'replace')}'"
        try:
            data = json.loads(value)
            if not isinstance(data, dict) or set(cast("dict[str, object]", data)) != set(VALUE):
                raise ValueError("not a fix")
            fix = Fix(key=key, times_used=used, times_worked=worked, **cast("dict[str, Any]", data))
        except (ValueError, RecursionError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise MemoryStoreError(f"{where}: {reason}. {remedy}") from error
        if fix.id.encode() != name:
            raise MemoryStoreError(f"{where}: its name is not the one of its content. {remedy}")
        return fix

    @contextmanager
    def _trouble(self, doing: str) -> Generator[None]:
        """Raise errors of the server as `MemoryStoreError`, without its password, with the fix."""
        try:
            yield
        except (*self._errors, OSError, UnicodeError, ValueError, TypeError) as error:
            reason = self._reason(error)
            advice = next((advice for word, advice in _ADVICE.items() if word in reason), _CHECK)
            raise MemoryStoreError(f"The fix memory {self.label} cannot be {doing}: {reason}. {advice}") from error

    def _reason(self, error: Exception) -> str:
        """Return the client's or the server's message, without the command that it answers and the password."""
        text = _PIPELINE.sub("", str(error)) or type(error).__name__
        where: dict[str, Any] = self._client.connection_pool.connection_kwargs if self._client is not None else {}
        for secret in (where.get("password"), where.get("ssl_password")):
            for form in (str(secret), quote(str(secret), safe="")) if secret else ():
                text = text.replace(form, "***")
        return text[:REASON_LIMIT].rstrip(". ")


EXPECTED = (
    "Expected redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], rediss://… or unix://PATH[?db=N], with / ? # @ : % in "
    "a password written as %2F %3F %23 %40 %3A %25."
)


def _place(url: str) -> str:
    """Return server and database of a URL, without user and password; empty if it is not the URL of a server."""
    try:
        parts = urlsplit(url)
        port = parts.port or 6379
    except ValueError:
        return ""
    local = url.startswith("unix://")
    if not url.startswith(REDIS_SCHEMES) or not (local or re.fullmatch(r"(/\d*)?", parts.path)):
        return ""
    database = parse_qs(parts.query).get("db", ["" if local else parts.path.strip("/")])[0] or "0"
    server = parts.path if local else f"{parts.hostname or 'localhost'}:{port}"
    return f"{server}/{database}"


def _text(raw: bytes) -> str:
    return raw.decode("utf-8")


_CHECK = "Check that the server runs and its URL is right (redis-cli -u URL ping), or choose memory: sqlite"
_ADVICE = {
    "maxmemory": "The server's memory is full: raise its maxmemory, or choose memory: sqlite",
    "WRONGTYPE": "Another program uses this key: name another database in the URL (…/1), or choose memory: sqlite",
    "TOOLARGE": "Another program wrote there: name another database in the URL (…/1), or delete the value",
    "NOAUTH": "It needs a password: redis://:PASSWORD@HOST",
    "Authentication required": "It needs a password: redis://:PASSWORD@HOST",
    "unauthenticated": "It needs a password: redis://:PASSWORD@HOST",
    "WRONGPASS": "User or password in its URL are wrong: redis://USER:PASSWORD@HOST",
    "invalid username-password": "User or password in its URL are wrong: redis://USER:PASSWORD@HOST",
    "NOPERM": "Permission denied: the user needs the keys glsl:* py:* bpy:* redraft:*",
    "READONLY": "It is a read-only replica: name the primary server in the URL",
}
