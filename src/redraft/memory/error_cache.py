"""Cross-run memory of fixes: what an error is, which fix fits it, and what a model is shown of the past.

A store that cannot be used raises; the stage that asked turns that into one warning and goes on without. What comes
out of it is untrusted: data in a prompt, run only in the sandbox.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC

from redraft.journal import Clock, system_clock
from redraft.memory.fix import Fix
from redraft.memory.store import Store

__all__ = ["ErrorCache", "Replay"]


@dataclass(frozen=True)
class Replay:
    """A known fix, applied to the program that is broken now."""

    fix: Fix
    code: str
    """The whole program after it."""


class ErrorCache:
    """A memory of fixes by normalised error. Without a store it remembers nothing (`memory: none`)."""

    def __init__(self, store: Store | None = None, *, clock: Clock = system_clock) -> None:
        self.kept = store
        self._clock = clock

    @property
    def label(self) -> str:
        return "none" if self.kept is None else self.kept.label

    def normalize_error(self, error_msg: str) -> str:
        """The key of an error: what it is, without line numbers and names (`glsl:undeclared_identifier`)."""
        del error_msg
        return ""

    def lookup(self, error_msg: str, broken: str = "", limit: int = 20) -> list[Fix]:
        """Past fixes for this kind of error, the likeliest first. `broken` is the whole program, where there is one."""
        del error_msg, broken, limit
        return []

    def store(self, error_msg: str, broken: str, fixed: str, *, compiler: str = "") -> Fix | None:
        """Remember a fix, once the whole text has finally worked: the hunk, not the text.

        None when nothing is kept: the two texts are equal, or so different that no hunk can be told.
        """
        del error_msg, broken, fixed, compiler
        return None

    def get_few_shot_examples(self, error_msg: str, limit: int = 3, broken: str = "") -> str:
        """Past fixes as a block for the prompt; empty when there are none::

        PAST FIXES FOR SIMILAR ERRORS:
        Example 1: "Incompatible types" was fixed by changing vec3(x.xy, y.xy) → vec3(x.xy, y.z)
        """
        del error_msg, limit, broken
        return ""

    def replay(self, error_msg: str, broken: str, tried: Sequence[str] = ()) -> Replay | None:
        """The likeliest known fix that fits the broken lines, applied to the whole program; None when there is none.

        `tried` are the keys for which a fix was replayed already: for those there is no other.
        """
        del error_msg, broken, tried
        return None

    def confirm(self, fix: Fix) -> None:
        """A replayed fix worked."""
        if self.kept is not None:
            self.kept.count(fix, worked=True)

    def reject(self, fix: Fix) -> None:
        """A replayed fix did not work."""
        if self.kept is not None:
            self.kept.count(fix, worked=False)

    def close(self) -> None:
        if self.kept is not None:
            self.kept.close()

    @property
    def now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="seconds")
