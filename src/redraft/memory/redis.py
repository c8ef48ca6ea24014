"""Fixes in a Redis server, shared by many machines.

Fixes lie under the error's own key, so that `redis-cli KEYS "glsl:*"` shows it: a hash of fix id → JSON
{error_msg, broken_snippet, fixed_snippet, timestamp, compiler}. Counts and indexes lie under `redraft:`. Nothing
expires. Every change is one script on the server, so any number of processes may make them at once.

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
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, cast
from urllib.parse import quote, urlsplit

from pydantic import ValidationError

from redraft.errors import ConfigError, MemoryStoreError, MissingPartError
from redraft.memory.base import Fix

__all__ = ["RedisStore"]

# Scripts, each one indivisible step on the server. KEYS are always: the error's key, then its `worth`, `used`, `worked`
# and `shape`, then what the script names.

_ROWS = """
local function rows(ids, most)
  local out = {}
  if #ids == 0 then return out end
  for _, id in ipairs(ids) do
    if redis.call('HSTRLEN', KEYS[1], id) > most then
      return redis.error_reply('TOOLARGE a value under ' .. KEYS[1] .. ' is not a fix')
    end
  end
  local values = redis.call('HMGET', KEYS[1], unpack(ids))
  local uses, works = redis.call('HMGET', KEYS[3], unpack(ids)), redis.call('HMGET', KEYS[4], unpack(ids))
  for n, id in ipairs(ids) do
    local value = values[n]
    if value then
      local used, worked = tonumber(uses[n] or '0'), tonumber(works[n] or '0')
      if not used or not worked then
        return redis.error_reply('WRONGTYPE a count of ' .. KEYS[1] .. ' is not a number')
      end
      out[#out + 1] = {id, value, used, worked}
    end
  end
  return out
end
"""

FIND = (
    _ROWS
    + """
local limit, seen, ids = tonumber(ARGV[1]), {}, {}
local function take(some)
  for _, id in ipairs(some) do
    if #ids < limit and not seen[id] then
      seen[id] = true
      ids[#ids + 1] = id
    end
  end
end
local share = math.ceil(limit / (#KEYS - 5))
for n = 6, #KEYS do take(redis.call('ZREVRANGEBYSCORE', KEYS[n], '+inf', '(-2', 'LIMIT', 0, share)) end
if #ids < limit then take(redis.call('ZREVRANGE', KEYS[2], 0, limit - 1)) end
return rows(ids, tonumber(ARGV[2]))
"""
)
"""KEYS[6] and on: `like` of each shape; limit, largest value. Trusted entries of the shapes, then the best of all."""

FETCH = (
    _ROWS
    + """
local ids = {}
for n = 2, #ARGV do ids[#ids + 1] = ARGV[n] end
return rows(ids, tonumber(ARGV[1]))
"""
)
"""Largest value, ids."""

_CLEAR = """
local function clear()
  for _, shape in ipairs(redis.call('HVALS', KEYS[5])) do
    redis.call('DEL', 'redraft:like:' .. shape .. ':' .. KEYS[1])
  end
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[4], KEYS[5])
end
"""

ADD = (
    _CLEAR
    + """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 0 end
if redis.call('EXISTS', KEYS[1]) == 0 then clear() end
local used, worked = tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('SADD', KEYS[7], KEYS[1])
redis.call('HSET', KEYS[5], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[3], ARGV[1], used)
redis.call('HSET', KEYS[4], ARGV[1], worked)
redis.call('ZADD', KEYS[2], 2 * worked - used, ARGV[1])
redis.call('ZADD', KEYS[6], 2 * worked - used, ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""
)
"""KEYS[6] `like`, KEYS[7] `keys`; id, value, shape, used, worked. 1 when it is new.

If the key was deleted by hand, its indexes are cleared first. The value comes last: an index that turns out
to be another program's leaves no entry without counts.
"""

COUNT = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local change = ARGV[2] == '1' and 1 or -1
redis.call('HINCRBY', KEYS[3], ARGV[1], 1)
redis.call('HINCRBY', KEYS[4], ARGV[1], ARGV[2])
redis.call('ZINCRBY', KEYS[2], change, ARGV[1])
local shape = redis.call('HGET', KEYS[5], ARGV[1])
if shape then redis.call('ZINCRBY', 'redraft:like:' .. shape .. ':' .. KEYS[1], change, ARGV[1]) end
return 1
"""
"""Id, 1 if it worked."""

FORGET = (
    _CLEAR
    + """
if redis.call('SREM', KEYS[6], KEYS[1]) == 0 then return 0 end
local gone = redis.call('HLEN', KEYS[1])
clear()
redis.call('DEL', KEYS[1])
return gone
"""
)
"""KEYS[6] `keys`. How many entries there were; a key that is not ours stays."""


# The store

TIMEOUT = 0.5
"""Seconds to connect, and for each answer: a run must not wait for what only saves time."""
TOO_LARGE = 100_000
"""Bytes of one value; ours are at most some 30,000, and a foreign one is not even fetched."""
REASON_LIMIT = 300
AT_ONCE = 100
"""Entries in one exchange with the server."""
_WRAPPING = re.compile(r"(?s)^Command # \d+ \(.*?\) of pipeline caused error: | script: [0-9a-f]{40}.*$")
VALUE = ("error_msg", "broken_snippet", "fixed_snippet", "timestamp", "compiler")


class RedisStore:
    """A store in a Redis server; see `Store` for what its methods promise. Nothing connects before it is needed.

    Raises:
        MissingPartError: the `redis` package is not installed. ConfigError: not the URL of a server.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT) -> None:
        self._redis, self._errors = _client(url, timeout)
        self._where: dict[str, Any] = self._redis.connection_pool.connection_kwargs

    @property
    def label(self) -> str:
        where, database = self._where, self._where.get("db", 0)
        if "path" in where:
            return f"Redis {where['path']}/{database}"
        return f"Redis {where.get('host', 'localhost')}:{where.get('port', 6379)}/{database}"

    def find(self, key: str, shape: str, limit: int, *others: str) -> list[Fix]:
        with self._trouble("read"):
            likes = (f"redraft:like:{one}:{key}" for one in (shape, *others))
            rows = self._run(FIND, (key, *_names(key), *likes), limit, TOO_LARGE)
            return [self._fix(key, *row) for row in rows]

    def add(self, fix: Fix, shape: str) -> None:
        self.add_all([(fix, shape)])

    def add_all(self, fixes: Iterable[tuple[Fix, str]]) -> int:
        added, rest = 0, iter(fixes)
        while some := list(islice(rest, AT_ONCE)):
            with self._trouble("written"):
                pipe = self._redis.pipeline(transaction=False)
                script = self._redis.register_script(ADD)
                for fix, shape in some:
                    names = [fix.key, *_names(fix.key), f"redraft:like:{shape}:{fix.key}", "redraft:keys"]
                    value = json.dumps({name: getattr(fix, name) for name in VALUE}, ensure_ascii=False)
                    script(names, [fix.id, value, shape, fix.times_used, fix.times_worked], client=pipe)
                added += sum(pipe.execute())
        return added

    def count(self, fix: Fix, *, worked: bool) -> None:
        with self._trouble("written"):
            self._run(COUNT, (fix.key, *_names(fix.key)), fix.id, int(worked))

    def keys(self) -> dict[str, int]:
        with self._trouble("read"):
            names = sorted(_text(name) for name in self._redis.smembers("redraft:keys"))
            pipe = self._redis.pipeline(transaction=False)
            for name in names:
                pipe.hlen(name)
            counts: list[int] = pipe.execute() if names else []
            return {name: count for name, count in zip(names, counts, strict=True) if count}

    def entries(self, key: str | None = None) -> Iterator[Fix]:
        for name in self.keys() if key is None else [key]:
            with self._trouble("read"):
                found = {fix.id: fix for fix in self._under(name)}  # a scan may give an entry twice
            yield from sorted(found.values(), key=lambda fix: (fix.timestamp, fix.id))

    def forget(self, key: str | None = None) -> int:
        gone = 0
        for name in self.keys() if key is None else [key]:
            with self._trouble("written"):
                gone += self._run(FORGET, (name, *_names(name), "redraft:keys"))
        return gone

    def close(self) -> None:
        with self._trouble("closed"):
            self._redis.close()

    def _under(self, key: str) -> Iterator[Fix]:
        """Everything under one key, some at a time."""
        ids = [_text(name) for name in self._redis.hkeys(key)]
        for start in range(0, len(ids), AT_ONCE):
            rows = self._run(FETCH, (key, *_names(key)), TOO_LARGE, *ids[start : start + AT_ONCE])
            yield from (self._fix(key, *row) for row in rows)

    def _run(self, script: str, names: tuple[str, ...], *arguments: str | int) -> Any:
        return self._redis.register_script(script)(keys=list(names), args=list(arguments))

    def _fix(self, key: str, name: bytes, value: bytes, used: int, worked: int) -> Fix:
        """One entry as the server holds it: foreign until it is shown to be ours."""
        where = f"{self.label} has data under {key} that redraft did not write"
        try:
            data = json.loads(value)
            if not isinstance(data, dict) or set(cast("dict[str, object]", data)) != set(VALUE):
                raise ValueError("no fix")
            fix = Fix(key=key, times_used=used, times_worked=worked, **cast("dict[str, Any]", data))
        except (ValueError, RecursionError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise MemoryStoreError(f"{where}: {reason}. {_take_away(key, name)}") from error
        if fix.id.encode() != name:
            raise MemoryStoreError(f"{where}: its name is not the one of its content. {_take_away(key, name)}")
        return fix

    @contextmanager
    def _trouble(self, doing: str) -> Generator[None]:
        """Raise errors of the server as `MemoryStoreError`, without its password, with the fix."""
        try:
            yield
        except (self._errors, OSError, UnicodeError, ValueError, TypeError) as error:
            reason = self._reason(error)
            raise MemoryStoreError(
                f"The fix memory {self.label} cannot be {doing}: {reason}. {_advice(reason)}"
            ) from error

    def _reason(self, error: Exception) -> str:
        """Return the client's or the server's message, without the command that it answers and the password."""
        text = _WRAPPING.sub("", str(error)) or type(error).__name__
        for secret in (self._where.get("password"), self._where.get("ssl_password")):
            for form in (str(secret), quote(str(secret), safe="")) if secret else ():
                text = text.replace(form, "***")
        return text[:REASON_LIMIT].rstrip(". ")


def _client(url: str, timeout: float) -> tuple[Any, type[Exception]]:
    """The client (its own types are partly unknown, so it is taken as it is) and the root of its exceptions."""
    try:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError as error:
        raise MissingPartError(
            "The fix memory in a Redis server needs the redis package: pip install 'redraft[redis]'; or choose "
            "memory: sqlite"
        ) from error
    try:
        if not re.fullmatch(r"(/\d*)?", urlsplit(url).path) and not url.startswith("unix://"):
            raise ValueError("the database is not a number")
        server: Any = redis.Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            url,
            socket_connect_timeout=timeout,
            socket_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
    except (ValueError, TypeError):  # its words may hold a piece of the password
        raise ConfigError(
            f"memory: {url.partition('://')[0]}://… is not the URL of a Redis server. Expected "
            "redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], rediss://… or unix://PATH[?db=N], with / ? # @ : % in "
            "a password written as %2F %3F %23 %40 %3A %25."
        ) from None
    return server, redis.RedisError


def _names(key: str) -> tuple[str, str, str, str]:
    return f"redraft:worth:{key}", f"redraft:used:{key}", f"redraft:worked:{key}", f"redraft:shape:{key}"


def _text(raw: bytes) -> str:
    return raw.decode("utf-8")


def _take_away(key: str, name: bytes) -> str:
    return f"Delete it with: redis-cli HDEL '{key}' '{name.decode('utf-8', 'replace')}'"


def _advice(reason: str) -> str:
    for word, advice in _ADVICE.items():
        if word in reason:
            return advice
    return "Check that the server runs and its URL is right (redis-cli -u URL ping), or choose memory: sqlite"


_ADVICE = {
    "maxmemory": "The server's memory is full: raise its maxmemory, or choose memory: sqlite",
    "WRONGTYPE": "Another program uses this key: name another database in the URL (…/1), or choose memory: sqlite",
    "TOOLARGE": "Another program wrote there: name another database in the URL (…/1), or delete the value",
    "NOAUTH": "It needs a password: redis://:PASSWORD@HOST",
    "unauthenticated": "It needs a password: redis://:PASSWORD@HOST",
    "WRONGPASS": "User or password in its URL are wrong: redis://USER:PASSWORD@HOST",
    "invalid username-password": "User or password in its URL are wrong: redis://USER:PASSWORD@HOST",
    "NOPERM": "Permission denied: the user needs scripts and the keys glsl:* py:* bpy:* redraft:*",
    "READONLY": "It is a read-only replica: name the primary server in the URL",
}
