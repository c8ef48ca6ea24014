"""Cross-run memory of fixes: the seam, and the memory that remembers nothing.

A store raises when it cannot be reached; the stage that uses it turns that into one warning and goes on without.
What it returns is untrusted input: data in a prompt, never an instruction.
"""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict

__all__ = ["ErrorCache", "Fix", "NoErrorCache"]


class Fix(BaseModel):
    """One remembered fix: the hunk that was broken and what it became."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    error_msg: str
    broken_snippet: str
    fixed_snippet: str
    timestamp: str


class ErrorCache(Protocol):
    """A memory of fixes by normalised error."""

    def normalize_error(self, error_msg: str) -> str:
        """The key of an error: what it is, without line numbers and names (`glsl:undeclared_identifier`)."""
        ...

    def lookup(self, error_msg: str) -> list[Fix]:
        """Past fixes for this kind of error, the likeliest first."""
        ...

    def store(self, error_msg: str, broken: str, fixed: str) -> None:
        """Remember a fix, once the whole text has finally worked."""
        ...

    def get_few_shot_examples(self, error_msg: str, limit: int = 3) -> str:
        """Past fixes as a block for the prompt; empty when there are none."""
        ...

    def confirm(self, fix: Fix) -> None:
        """A replayed fix worked."""
        ...

    def reject(self, fix: Fix) -> None:
        """A replayed fix did not work."""
        ...


class NoErrorCache:
    """`memory: none`."""

    def normalize_error(self, error_msg: str) -> str:
        return ""

    def lookup(self, error_msg: str) -> list[Fix]:
        return []

    def store(self, error_msg: str, broken: str, fixed: str) -> None:
        return None

    def get_few_shot_examples(self, error_msg: str, limit: int = 3) -> str:
        return ""

    def confirm(self, fix: Fix) -> None:
        return None

    def reject(self, fix: Fix) -> None:
        return None
