"""What goes with a script's complaint: what would help, from Blender's own API, and from how scripts run here."""

from __future__ import annotations

import ast
import traceback
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from redraft.studios.scene.inside.complaint import Complaint

if TYPE_CHECKING:
    from redraft.studios.scene.inside.advise import Advice  # it needs Blender, which is not yet there

__all__ = ["Advise", "with_advice"]

MOST_ADVICE = 900
"""Characters."""
SAVING = ("bpy.ops.wm.save_as_mainfile", "bpy.ops.wm.save_mainfile")
UNWRITTEN = ("Cannot open file", "Unable to save", "Could not write", "Couldn't write", "Read-only file system")

Mend = dict[str, object]
Advise = Callable[[BaseException, str, int], "Advice"]
"""What Blender's API has in place of what was asked for: `advise.advise`."""


def with_advice(error: BaseException, code: str, complaint: Complaint, advise: Advise) -> dict[str, Any]:
    """What to tell of a script that failed: `failed`, the complaint and the advice under it; `mends`; and `fault`, what
    went wrong with the advice itself, where something did."""
    hints, mends, fault = [*_hints(error, code, complaint.line)], _mends(error, code, complaint.line), ""
    try:
        advice = advise(error, code, complaint.line)
        hints += advice.hints
        mends += advice.mends
    except Exception as wrong:  # the script's own error is worth telling without it
        where = traceback.extract_tb(wrong.__traceback__)[-1]
        fault = f"The API look-up failed: {type(wrong).__name__}: {wrong} ({where.name}, line {where.lineno})"
    return {"failed": f"{complaint.text}{_told(hints)}", "mends": mends, "fault": fault}


def _told(hints: Iterable[str]) -> str:
    """Hints under a complaint: a heading and a line each; nothing where there are none."""
    import bpy

    lines = [f"- {' '.join(hint.split())}" for hint in dict.fromkeys(hints)]
    text = f"\n\nIn Blender {bpy.app.version_string}:\n" + "\n".join(lines)
    if len(text) > MOST_ADVICE:
        text = text[: MOST_ADVICE - 1] + "…"
    return text if lines else ""


def _hints(error: BaseException, code: str, line: int) -> Iterable[str]:
    """What follows from how scripts run here."""
    for fits, hint in _RULES:
        if fits(error, code, line):
            yield hint
            return


def _mends(error: BaseException, code: str, line: int) -> list[Mend]:
    """Leave out a saving that was refused."""
    call = _saving_call(code, line) if _is_unsaved(error, code, line) else ""
    if not call:
        return []
    return [{"line": line, "before": call, "after": "pass", "why": "redraft saves the scene itself"}]


def _saving_call(code: str, line: int) -> str:
    """A call on one line that saves the file and does nothing else."""
    for node in ast.walk(ast.parse(code)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and (node.lineno, node.end_lineno) == (line, line)
            and ast.unparse(node.value.func) in SAVING
        ):
            return ast.get_source_segment(code, node) or ""
    return ""


def _is_unsaved(error: BaseException, code: str, line: int) -> bool:
    return isinstance(error, RuntimeError | OSError) and any(name in _source(code, line) for name in SAVING)


def _is_unwritten(error: BaseException, code: str, line: int) -> bool:
    del code, line
    return isinstance(error, RuntimeError | OSError) and any(words in str(error) for words in UNWRITTEN)


def _is_full(error: BaseException, code: str, line: int) -> bool:
    del code, line
    return isinstance(error, OSError) and error.errno in (27, 28)


def _is_refused(error: BaseException, code: str, line: int) -> bool:
    del code, line
    return isinstance(error, PermissionError) or isinstance(error.__context__, PermissionError)


def _is_absent(error: BaseException, code: str, line: int) -> bool:
    del code, line
    text = str(error)
    return isinstance(error, FileNotFoundError) or (isinstance(error, RuntimeError) and "No such file" in text)


def _is_addon(error: BaseException, code: str, line: int) -> bool:
    del code, line
    return "Add-on not loaded" in str(error)


def _source(code: str, line: int) -> str:
    lines = code.splitlines()
    return lines[line - 1] if 0 < line <= len(lines) else ""


_RULES: tuple[tuple[Callable[[BaseException, str, int], bool], str], ...] = (
    (_is_unsaved, "redraft saves the scene itself: leave out bpy.ops.wm.save_as_mainfile"),
    (_is_unwritten, "files can be written only in the working folder and are thrown away: redraft saves the scene"),
    (_is_full, "files are thrown away after the script: write none, redraft saves and renders the scene itself"),
    (_is_addon, "this add-on is not there: make what it would make with Blender's own primitives or from_pydata"),
    (
        _is_refused,
        "a script cannot open other files than its own, use the network, or start programs: make it with bpy",
    ),
    (_is_absent, "there are no files but those that the script writes itself: make textures and models in the script"),
)
"""The first that fits counts."""
