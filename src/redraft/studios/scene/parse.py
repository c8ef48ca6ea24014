"""From a model's reply to a Blender script; what is none is E2, in words that say how to mend it."""

from __future__ import annotations

import re

from redraft.errors import FormatError
from redraft.replies import fences
from redraft.studios.programs import Language, approach_in, one_program
from redraft.studios.scene.spec import MAX_CHARACTERS, MAX_LINES, Draft

__all__ = ["as_reply", "parse"]

ASK = "Send one line `APPROACH: …`, then the whole Blender script in one ```python block."
_WHOLE = re.compile(r"^[ \t]*(?:import\s+(?:[\w.]+\s*,\s*)*bpy\b|from\s+bpy\b)", re.MULTILINE)
_FIX = re.compile(r"^[ \t]*(?:import|from)\s")


def parse(text: str) -> Draft:
    """A reply to a draft, edit, fix or repair request.

    Raises:
        FormatError: E2: no fenced block, several different scripts, a fragment, or one that is too long to be read.
    """
    blocks, prose = fences(text, ASK)
    code = one_program(blocks, prose, PYTHON)
    _refuse_fragment(code)
    _refuse_long(code)
    return Draft(approach=approach_in(prose), code=code)


def as_reply(draft: Draft) -> str:
    """A draft as a model writes it."""
    return f"APPROACH: {draft.approach}\n\n```python\n{draft.code}\n```\n"


def _refuse_fragment(code: str) -> None:
    if not code.strip():
        raise FormatError(f"The ```python block is empty. {ASK}")
    if not _WHOLE.search(code):
        raise FormatError(
            f"The block is no whole Blender script: it never imports bpy, and begins {_tells(code)[:60]!r}. It "
            f"replaces the one before, so leave nothing out. {ASK}"
        )


def _refuse_long(code: str) -> None:
    lines = code.count("\n") + 1
    if lines > MAX_LINES or len(code) > MAX_CHARACTERS:
        raise FormatError(
            f"The script has {lines:,} lines and {len(code):,} characters; at most {MAX_LINES:,} lines and "
            f"{MAX_CHARACTERS:,} characters are run. Make repeated things in loops."
        )


def _tells(code: str) -> str:
    """The first line that tells a script from another: no comment and no import."""
    lines = [line.strip() for line in code.splitlines()]
    return next((line for line in lines if line and not line.startswith("#") and not _FIX.match(line)), "")


PYTHON = Language("Blender script", "python", ASK, lambda code: _WHOLE.search(code) is not None, _tells)
