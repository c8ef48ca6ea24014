"""Reading of replies and of earlier runs: a script and what is said about it; anything else is E2, with a fix."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from redraft.errors import FormatError
from redraft.layout.requirements import agreed
from redraft.studios.base import delivered
from redraft.studios.programs import Language, approach_in, program_in
from redraft.studios.scene.spec import MAX_CHARACTERS, MAX_LINES, Change, Draft, Scene

FILE = "scene.json"


def load(folder: Path) -> Scene:
    """What the run in a folder delivered; its statements are agreed. Raises `RunNotFoundError` or `RunFormatError`."""
    scene = delivered(Scene, folder, FILE, "scene")
    return scene.model_copy(update={"requirements": agreed(scene.requirements), "changes": ()})


ASK = "Send one line `APPROACH: …`, then the whole Blender script in one ```python block."
MOST_CHANGES = 200
TEXT = 400
"""Characters that are kept of a reason or a quote."""
_WHOLE = re.compile(r"^[ \t]*(?:import\s+(?:[\w.]+\s*,\s*)*bpy\b|from\s+bpy\b)", re.MULTILINE)
_FIX = re.compile(r"^[ \t]*(?:import|from)\s")


def parse(text: str, current: str | None = None) -> Draft:
    """A reply to a draft, edit, fix or repair request.

    Args:
        current: the script that edits apply to, and that stays where a reply changes nothing.

    Raises:
        FormatError: E2: no fenced block, several different scripts, a fragment, an edit that does not fit exactly once,
            or a script that is too long to be read.
    """
    code, said, prose = program_in(text, PYTHON, current)
    if code is None:
        raise FormatError(f"The reply holds no Blender script: it begins {text.strip()[:60]!r}. {ASK}")
    return Draft(
        approach=approach_in(prose),
        code=code if code == current else checked(code),
        requirements=said.requirements,
        mismatches=said.mismatches,
        changes=_changes(said.changes),
    )


def _changes(raw: Sequence[JsonValue]) -> tuple[Change, ...]:
    """What an edit says that it changes; an entry that names no object is left out."""
    found: list[Change] = []
    for entry in raw[:MOST_CHANGES]:
        fields = entry if isinstance(entry, dict) else {"part": entry}
        part, reason, quote = (fields.get(key) for key in ("part", "reason", "quote"))
        if isinstance(part, str) and part.strip():
            texts = (value[:TEXT] if isinstance(value, str) else "" for value in (reason, quote))
            found.append(Change(part=part.strip()[:TEXT], reason=next(texts), quote=next(texts)))
    return tuple(found)


def as_reply(draft: Draft) -> str:
    """A draft as a model writes it."""
    said = draft.model_dump(mode="json", include={"requirements", "mismatches", "changes"})
    block = {name: value for name, value in said.items() if value}
    beside = f"\n```json\n{json.dumps(block, ensure_ascii=False)}\n```\n" if block else ""
    return f"APPROACH: {draft.approach}\n\n```python\n{draft.code}\n```\n{beside}"


def checked(code: str) -> str:
    """A script, if it can be one. Raises `FormatError`."""
    if not code.strip():
        raise FormatError(f"The ```python block is empty. {ASK}")
    if not _WHOLE.search(code):
        raise FormatError(
            f"The block is not a whole Blender script: it never imports bpy, and begins {_tells(code)[:60]!r}. It "
            f"replaces the one before, so leave nothing out. {ASK}"
        )
    lines = code.count("\n") + 1
    if lines > MAX_LINES or len(code) > MAX_CHARACTERS:
        raise FormatError(
            f"The script has {lines:,} lines and {len(code):,} characters; at most {MAX_LINES:,} lines and "
            f"{MAX_CHARACTERS:,} characters are run. Make repeated things in loops."
        )
    return code


def _tells(code: str) -> str:
    """Return the first line that identifies a script: neither a comment nor an import."""
    lines = [line.strip() for line in code.splitlines()]
    return next((line for line in lines if line and not line.startswith("#") and not _FIX.match(line)), "")


PYTHON = Language("Blender script", ASK, lambda code: _WHOLE.search(code) is not None, _tells)
