"""The fix memory by name: `auto`, `none`, `sqlite`, `sqlite:PATH`, or the URL of a Redis server."""

from __future__ import annotations

import os
from pathlib import Path

from redraft.errors import ConfigError, MissingPartError
from redraft.journal import Clock, system_clock
from redraft.memory.error_cache import ErrorCache
from redraft.memory.store import Store

__all__ = ["REDIS_SCHEMES", "REDIS_VARIABLE", "open_error_cache", "open_store"]

REDIS_VARIABLE = "REDIS_URL"
REDIS_SCHEMES = ("redis://", "rediss://", "unix://")
KNOWN = "auto, none, sqlite, sqlite:PATH, redis://HOST:PORT/DATABASE, rediss://… or unix://PATH"


def open_error_cache(name: str, *, clock: Clock = system_clock) -> ErrorCache:
    """A fix memory by name. Nothing is read, connected to or made before it is needed.

    `auto` is the Redis server of the environment variable `REDIS_URL` where that is set, else the user's SQLite file.

    Raises:
        ConfigError: no such name, or a URL that is none.
        MissingPartError: a Redis server is named and the `redis` package is not installed.
    """
    return ErrorCache(open_store(name), clock=clock)


def open_store(name: str) -> Store | None:
    """The store behind a name; None for `none`. Raises as `open_error_cache` does."""
    if name == "auto":
        return _automatic(os.environ.get(REDIS_VARIABLE, "").strip())
    if name == "none":
        return None
    if name.startswith(REDIS_SCHEMES):
        return _redis(name)
    kind, colon, path = name.partition(":")
    if kind == "sqlite" and (not colon or (path and not path.startswith("//"))):
        return _sqlite(path)
    raise ConfigError(f"memory: given {_shown(name)}; known are {KNOWN}.")


def _automatic(url: str) -> Store:
    if not url:
        return _sqlite("")
    if not url.startswith(REDIS_SCHEMES):
        raise ConfigError(
            f"memory: the environment variable {REDIS_VARIABLE} is {_shown(url)}, not the URL of a Redis server. "
            f"Correct it, or choose memory: sqlite (known are {KNOWN})."
        )
    try:
        return _redis(url)
    except (ConfigError, MissingPartError) as error:
        raise type(error)(f"{error} (The URL is that of the environment variable {REDIS_VARIABLE}.)") from error


def _redis(url: str) -> Store:
    from redraft.memory.redis import RedisStore

    return RedisStore(url)


def _sqlite(path: str) -> Store:
    from redraft.memory.sqlite import SqliteStore, default_path

    return SqliteStore(Path(path).expanduser() if path else default_path())


def _shown(name: str) -> str:
    """A name as given, or of what looks like a URL only how it begins: the rest may hold a password."""
    scheme, slashes, _ = name.partition("://")
    return repr(f"{scheme}://…" if slashes else name)
