"""From what a compiler or interpreter says to a key under which a fix can be found again."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Diagnostic", "diagnostics", "key_of"]


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


def diagnostics(message: str) -> list[Diagnostic]:
    """Every complaint of a message, in its order; empty where nothing in it is an error of a kind that is known."""
    del message
    return []


def key_of(message: str) -> str:
    """The key of the first complaint; empty when there is none."""
    found = diagnostics(message)
    return found[0].key if found else ""
