"""A reply whose shader does not compile, and the lines that the compiler complains of, for the request that asks to fix
them."""

from __future__ import annotations

from redraft.errors import FormatError
from redraft.memory.normalize import diagnostics
from redraft.studios.shader.parse import as_reply, parse

__all__ = ["named_lines", "whole_reply"]

MOST = 6
"""Places that are quoted; a compiler that says more has mostly lost its way."""
LONGEST = 160
"""Characters of a quoted line."""


def whole_reply(reply: str, current: str | None) -> str:
    """The reply with its whole shader: as it is, or, of edits to the current one, as if it had been written out."""
    try:
        draft = parse(reply, current)
    except FormatError:
        return reply
    return reply if draft.code in reply else as_reply(draft)


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
