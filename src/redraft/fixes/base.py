"""Nouns of the fix memory, the seam to its stores, and the stores by name.

Stores hold entries and count; what an error is, and which fix fits, is decided above them. Many processes may share
one. They are called from worker threads, one call at a time.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from redraft.errors import ConfigError
from redraft.limits import SETTINGS, read_file
from redraft.trust import is_trusted


@dataclass(frozen=True)
class Diagnostic:
    """One error of a message."""

    key: str
    """`glsl:<category>[:<detail>]`, `bpy:…`, `py:…`."""
    text: str
    """The error's text, without place and severity."""
    line: int | None = None
    """From 1, in the program; None where the message names none."""
    token: str = ""
    """The name or sign that it is about, where it names one."""


class Fix(BaseModel):
    """One remembered fix. The first four fields after `key` are the specification's.

    It came out of a file or a server that others may write to: its texts are data, never instructions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    """Kind of error that it fixes: `glsl:undeclared_identifier`, `bpy:no_attribute`."""
    error_msg: str
    """The line of the compiler or interpreter, as it was written."""
    broken_snippet: str
    """The lines that were changed, as they were."""
    fixed_snippet: str
    """The same lines as they work; empty when they were deleted."""
    timestamp: str
    """When it was learned, ISO 8601 in UTC."""
    compiler: str = ""
    """The compiler or interpreter with its version: `Mesa 22.3.6`, `Blender 5.0.1`."""
    times_used: int = Field(default=0, ge=0)
    """Number of its replays without asking a model."""
    times_worked: int = Field(default=0, ge=0)
    """Number of replays that removed the error."""

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits over what it says: the same fix learned twice is one entry."""
        text = "\0".join((self.key, self.broken_snippet, self.fixed_snippet))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def trusted(self) -> bool:
        """Whether it is still replayed: it has not failed twice more often than it worked."""
        return self.times_used - self.times_worked < self.times_worked + 2


@dataclass(frozen=True)
class Replay:
    """A known fix, applied to the program that is broken now."""

    fix: Fix
    code: str
    """The whole program after it."""


@runtime_checkable
class Store(Protocol):
    """Fixes by key. Every method raises `MemoryStoreError` when the store is gone, slow, full or holds foreign data."""

    @property
    def label(self) -> str:
        """Its kind and place, without a password: `SQLite ~/.local/share/redraft/fixes.sqlite`."""
        ...

    def find(self, key: str, shape: str, limit: int, *others: str) -> list[Fix]:
        """Entries under a key: trusted ones whose broken lines have this shape, then those that worked most often.

        `shape` is `hunks.shape_of` of a line that may be broken now. With `others`, each of the shapes gets an equal
        share of the limit. What worked is counted less what failed.
        """
        ...

    def add(self, fix: Fix, shape: str) -> None:
        """Keep an entry. One that is already there keeps its counts."""
        ...

    def add_all(self, fixes: Iterable[tuple[Fix, str]]) -> int:
        """Keep many entries, each with its shape; how many were new."""
        ...

    def count(self, fix: Fix, *, worked: bool) -> None:
        """Count one more use of an entry, at once for all processes; a deleted entry is ignored."""
        ...

    def keys(self) -> dict[str, int]:
        """Every key with the number of its entries."""
        ...

    def entries(self, key: str | None = None) -> Iterator[Fix]:
        """All entries, or those of a key, in the order of key and time."""
        ...

    def forget(self, key: str | None = None) -> int:
        """Delete all entries, or those of a key; return their number."""
        ...

    def close(self) -> None: ...


# Stores by name

REDIS_VARIABLE = "REDIS_URL"
REDIS_SCHEMES = ("redis://", "rediss://", "unix://")
KNOWN = "auto, none, sqlite, sqlite:PATH, redis://HOST:PORT/DATABASE, rediss://… or unix://PATH"


def open_store(name: str, notify: Callable[[str], None] = lambda _: None) -> Store | None:
    """Return the store behind a name; None for `none`. Nothing is read, connected to or made before it is needed.

    `auto` is the Redis server of the environment variable `REDIS_URL` where that is set, else of the line
    `REDIS_URL=…` in the file `.env` of the current folder, if that is trusted, else the user's SQLite file;
    `notify` gets a line about one that is not trusted.

    Raises:
        ConfigError: unknown name, or not a URL. A `REDIS_URL` that is not one is an error of the first use.
    """
    from redraft.fixes.redis import EXPECTED, RedisStore
    from redraft.fixes.sqlite import SqliteStore, default_path

    if name == "none":
        return None
    if name == "auto":
        given = os.environ.get(REDIS_VARIABLE)
        url = (_dotenv(notify) if given is None else given).strip()
        return RedisStore(url) if url else SqliteStore(default_path())
    if name.startswith(REDIS_SCHEMES):
        store = RedisStore(name)
        if not store.valid:
            raise ConfigError(f"memory: {_shown(name)} is not the URL of a Redis server. {EXPECTED}")
        return store
    kind, colon, path = name.partition(":")
    if kind == "sqlite" and (not colon or (path and not path.startswith("//"))):
        return SqliteStore(Path(path).expanduser() if path else default_path())
    raise ConfigError(f"memory: given {_shown(name)!r}; known stores: {KNOWN}.")


def _dotenv(notify: Callable[[str], None]) -> str:
    """Return the `REDIS_URL` of `.env` in the current folder; empty without one. Nothing else of that file is read."""
    file = Path(".env")
    try:
        content = read_file(file, SETTINGS) if file.is_file() else b""
    except OSError as error:
        raise ConfigError(
            f"memory: cannot read {file.resolve()} for {REDIS_VARIABLE}: {error.strerror}. Choose memory: sqlite."
        ) from error
    text = content.decode("utf-8", "replace")
    values = re.findall(rf"^\s*(?:export\s+)?{REDIS_VARIABLE}\s*=\s*(['\"]?)(.*?)\1\s*$", text, re.MULTILINE)
    if values and not is_trusted(file, content):
        notify(
            f"{file.resolve()} names a server for the fix memory, and is not trusted: your own file is used. "
            "Read it; if you want that server, run: redraft trust ."
        )
        return ""
    return values[-1][1] if values else ""


def _shown(name: str) -> str:
    """Return a name as given, or only the scheme of what looks like a URL: the rest may hold a password."""
    scheme, slashes, _ = name.partition("://")
    return f"{scheme}://…" if slashes else name
