"""What one complaint of a compiler or interpreter comes to: the noun that the rooms of the fix memory share."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Diagnostic"]


@dataclass(frozen=True)
class Diagnostic:
    """One complaint out of a message."""

    key: str
    """`glsl:<category>[:<detail>]`, `bpy:…`, `py:…`."""
    text: str
    """The complaint itself, without place and severity."""
    line: int | None = None
    """From 1, in the program; None where the message names none."""
    token: str = ""
    """The name or sign that it is about, where it names one."""
