"""Where fixes are kept: the seam between the fix memory and SQLite, Redis, or anything else.

Stores hold entries and count; what an error is, and which fix fits, is decided above them. Many processes may share
one. They are called from worker threads, one call at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from redraft.memory.fix import Fix

__all__ = ["Store"]


@runtime_checkable
class Store(Protocol):
    """Fixes by key. Every method raises `MemoryStoreError` when the store is gone, slow, full or holds foreign data."""

    @property
    def label(self) -> str:
        """What and where it is, without a password: `SQLite ~/.local/share/redraft/fixes.sqlite`."""
        ...

    def find(self, key: str, shape: str, limit: int, *others: str) -> list[Fix]:
        """Entries under a key: trusted ones whose broken lines have this shape, then those that worked oftenest.

        `shape` is `hunks.shape_of` of the lines that are broken now. With `others`, each of the shapes gets an equal
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
        """One more use of an entry, at once for all processes; of an entry that is gone, nothing."""
        ...

    def keys(self) -> dict[str, int]:
        """Every key with the number of its entries."""
        ...

    def entries(self, key: str | None = None) -> Iterator[Fix]:
        """All entries, or those of a key, in the order of key and time."""
        ...

    def forget(self, key: str | None = None) -> int:
        """Take away all entries, or those of a key; how many there were."""
        ...

    def close(self) -> None: ...
