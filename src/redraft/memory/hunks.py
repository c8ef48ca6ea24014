"""What a fix changed, and the same change made to another program: names are generalised where that is safe."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.memory.fix import Fix
from redraft.memory.normalize import Diagnostic

__all__ = ["Hunk", "hunk_of", "likeness", "patched", "shape_of"]


@dataclass(frozen=True)
class Hunk:
    """The lines that a fix changed, as they were and as they became."""

    broken: str
    fixed: str


def hunk_of(broken: str, fixed: str, error: Diagnostic | None) -> Hunk | None:
    """The change nearest to where the error was; None when nothing changed, or so much that no hunk can be told."""
    del broken, fixed, error
    return None


def shape_of(lines: str) -> str:
    """Some lines with names and numbers taken out, as sixteen hexadecimal digits: equal for lines built alike."""
    del lines
    return ""


def likeness(one: str, other: str) -> float:
    """How alike two texts of code or of complaint are, 0 to 1, by their words and signs."""
    del one, other
    return 0.0


def patched(code: str, error: Diagnostic, fix: Fix) -> str | None:
    """A whole program after a known fix; None when the fix does not fit the lines that the error is about."""
    del code, error, fix
    return None
