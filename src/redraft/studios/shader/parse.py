"""From a model's reply to a shader and what is said about it; anything else is E2, with how to fix it."""

from __future__ import annotations

import re

from redraft.errors import FormatError
from redraft.fixes.normalize import diagnostics
from redraft.studios.programs import Language, approach_in, program_in
from redraft.studios.shader.contract import prepared
from redraft.studios.shader.spec import Draft

ASK = "Send one line `APPROACH: …`, then the whole shader in one ```glsl block."
_MAIN = re.compile(r"\bvoid\s+(main|mainImage)\s*\(|\bfn\s+\w+\s*\(|@fragment|\bSV_Target\b|#version")


def parse(text: str, current: str | None = None) -> Draft:
    """A reply to a draft, edit, fix or repair request.

    Args:
        current: the shader that edits apply to, and that stays where a reply changes nothing.

    Raises:
        FormatError: E2: no fenced block, several different shaders, an edit that does not fit exactly once, or what no
            shader of the contract can be.
    """
    code, _, prose = program_in(text, GLSL, current)
    if code is None:
        raise FormatError(
            f"The reply holds no shader: it begins {text.strip()[:60]!r}, and there is no ```glsl block. {ASK}"
        )
    comment = next((line.strip()[2:] for line in code.splitlines() if line.strip().startswith("//")), "")
    return Draft(approach=approach_in(prose, comment), code=checked(code))


def checked(code: str) -> str:
    """A shader, if it can be one of the contract. Raises `FormatError`."""
    prepared(code)
    return code


def as_reply(draft: Draft) -> str:
    """A draft as a model writes it."""
    return f"APPROACH: {draft.approach}\n\n```glsl\n{draft.code}\n```\n"


def _tells(code: str) -> str:
    """Return the first line that identifies a shader: not the version, not a declaration that all have."""
    lines = [line.strip() for line in code.splitlines()]
    return next((x for x in lines if x and not x.startswith(("#", "uniform", "in ", "out ", "precision"))), "")


GLSL = Language("shader", ASK, lambda code: _MAIN.search(code) is not None, _tells)


# Replies whose shader does not compile, as the request that asks for a fix quotes them

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
