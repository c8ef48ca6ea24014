"""The lines of a shader that a compiler complains of, quoted for the request that asks to mend them."""

from __future__ import annotations

from redraft.errors import FormatError
from redraft.memory.normalize import diagnostics
from redraft.studios.shader.parse import parse

__all__ = ["named_lines"]

MOST = 6
"""Places that are quoted; a compiler that says more has mostly lost its way."""
LONGEST = 160
"""Characters of a quoted line."""


def named_lines(message: str, reply: str) -> str:
    """Each line that a message names, marked, with the one before it; empty where it names none or the reply has none.

    ::

          26 |     return sum
        > 27 | }
    """
    try:
        code = parse(reply).code.splitlines()
    except FormatError:
        return ""
    named = [found.line for found in diagnostics(message) if found.line is not None and 1 <= found.line <= len(code)]
    marked = list(dict.fromkeys(named))[:MOST]
    shown = sorted({line for place in marked for line in (place - 1, place) if line >= 1})
    return "\n".join(_quoted(line, code[line - 1], marked=line in marked) for line in shown)


def _quoted(number: int, text: str, *, marked: bool) -> str:
    text = text.expandtabs(4).rstrip()
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return f"{'>' if marked else ' '} {number:3} | {text}".rstrip()
