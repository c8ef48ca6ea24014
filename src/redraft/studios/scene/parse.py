"""Reading of replies and of earlier runs: a script with its requirements; anything else is E2, with how to fix it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from redraft.errors import FormatError
from redraft.layout.requirements import agreed
from redraft.studios.base import delivered
from redraft.studios.programs import Language, approach_in, program_in
from redraft.studios.scene.spec import MAX_CHARACTERS, MAX_LINES, Change, Draft, Scene

FILE = "scene.json"


def load(folder: Path) -> Scene:
    """Return the scene that the run in a folder delivered, with its statements agreed.

    Raises:
        RunNotFoundError, RunFormatError: there is no such run, or it is damaged.
    """
    scene = delivered(Scene, folder, FILE, "scene")
    return scene.model_copy(update={"requirements": agreed(scene.requirements), "changes": ()})


ASK = "Send one line `APPROACH: …`, then the whole Blender script in one ```python block."
MAX_CHANGES = 200
"""Changes of one reply that are kept."""
MAX_TEXT = 400
"""Characters of a name, a reason or a quote that are kept."""
_WHOLE = re.compile(r"^[ \t]*(?:import\s+(?:[\w.]+\s*,\s*)*bpy\b|from\s+bpy\b)", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*(?:import|from)\s")


def parse(text: str, current: str | None = None) -> Draft:
    """Return the draft in a reply to a draft, edit, fix or repair request.

    Args:
        current: the script that edits apply to, and that stays where a reply changes nothing.

    Raises:
        FormatError: E2: no fenced block, several different scripts, a fragment, an edit that does not fit exactly once,
            or a script that is too long to be read.
    """
    code, beside, prose = program_in(text, PYTHON, current)
    if code is None:
        raise FormatError(f"The reply holds no Blender script: it begins {text.strip()[:60]!r}. {ASK}")

    # Listed changes; an entry that names no object is left out.
    changes: list[Change] = []
    for entry in beside.changes[:MAX_CHANGES]:
        fields = entry if isinstance(entry, dict) else {"part": entry}
        values = (fields.get(key) for key in ("part", "reason", "quote"))
        part, reason, quote = (value if isinstance(value, str) else "" for value in values)
        if part.strip():
            changes.append(Change(part=part.strip()[:MAX_TEXT], reason=reason[:MAX_TEXT], quote=quote[:MAX_TEXT]))
    return Draft(
        approach=approach_in(prose),
        code=code if code == current else checked(code),
        requirements=beside.requirements,
        mismatches=beside.mismatches,
        changes=tuple(changes),
    )


def as_reply(draft: Draft) -> str:
    """Return a draft as a model writes it."""
    fields = draft.model_dump(mode="json", include={"requirements", "mismatches", "changes"})
    block = {name: value for name, value in fields.items() if value}
    beside = f"\n```json\n{json.dumps(block, ensure_ascii=False)}\n```\n" if block else ""
    return f"APPROACH: {draft.approach}\n\n```python\n{draft.code}\n```\n{beside}"


def checked(code: str) -> str:
    """Return a script if it can be one. Raises `FormatError`."""
    if not code.strip():
        raise FormatError(f"The ```python block is empty. {ASK}")
    if not _WHOLE.search(code):
        raise FormatError(
            "The block is not a whole Blender script: it never imports bpy, and begins "
            f"{identifying_line(code)[:60]!r}. It replaces the one before, so leave nothing out. {ASK}"
        )
    lines = code.count("\n") + 1
    if lines > MAX_LINES or len(code) > MAX_CHARACTERS:
        raise FormatError(
            f"The script has {lines:,} lines and {len(code):,} characters; at most {MAX_LINES:,} lines and "
            f"{MAX_CHARACTERS:,} characters are run. Make repeated things in loops."
        )
    return code


def identifying_line(code: str) -> str:
    """Return the first line that identifies a script: neither a comment nor an import."""
    lines = [line.strip() for line in code.splitlines()]
    return next((line for line in lines if line and not line.startswith("#") and not _IMPORT.match(line)), "")


PYTHON = Language("Blender script", "python", ASK, lambda code: _WHOLE.search(code) is not None, identifying_line)
