"""Messages about a script that failed: its own frames, Python's words, hints, and how its process ended.

Only frames of the script itself are named, the innermost last; those of Blender's modules say nothing that a writer of
scripts can fix. The exception's words are exactly Python's: the fix memory looks errors up by them.
"""

from __future__ import annotations

import ast
import errno
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from redraft.sandbox.processes import MAX_THREADS, signal_word
from redraft.studios.scene.inside.stage.watch import Ended

if TYPE_CHECKING:
    from redraft.studios.scene.inside.advice.lookup import Advice  # it needs Blender, which is not yet there

SCRIPT = "script.py"
"""The name of the script's file in frames."""
MAX_MESSAGE = 3_000
"""Characters of a message, of a line of the script in it, and of a function's name."""
MAX_LINE = 120
MAX_NAME = 60
FIRST_FRAMES, LAST_FRAMES = 3, 5
"""Frames that are shown from the outer and the inner end of a long chain of calls."""
MIN_WORDS = 600
"""Characters of the exception's own words that there is always room for."""


@dataclass(frozen=True)
class ErrorText:
    """A message about an exception."""

    text: str
    line: int
    """The innermost line of the script, from 1; 0 where it has no part in it."""


def error_text(error: BaseException, code: str) -> ErrorText:
    """Return the message for an exception that was raised while a script ran."""
    frames = _frames(error.__traceback__)
    texts = [f"  {frame_line(line, function, code.splitlines())}" for line, function in frames]
    left_out = len(texts) - FIRST_FRAMES - LAST_FRAMES
    if left_out > 0:
        calls = "1 more call" if left_out == 1 else f"{left_out:,} more calls"
        texts[FIRST_FRAMES:-LAST_FRAMES] = [f"  ({calls} between)"]
    parts = ["Traceback (most recent call last):", *texts] if texts else []

    # The exception before this one, unless the script hides it
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        earlier = _frames(before.__traceback__)
        place = f" (line {earlier[-1][0]})" if earlier else ""
        parts.append(f"  while handling: {_cut(' '.join(_words(before).split()), 2 * MAX_LINE)}{place}")
    if isinstance(error, SystemExit):
        parts.append("The script ended itself as failed; a normal end is sys.exit(0).")
    return ErrorText(_with_words(parts, _words(error)), frames[-1][0] if frames else 0)


def syntax_error_text(error: BaseException) -> ErrorText:
    """Describe a script that is not valid Python: the place, and that nothing of it ran."""
    line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
    return ErrorText(_with_words(["The script is not valid Python; none of it was run."], _words(error)), line)


def frame_line(line: int, function: str, lines: list[str]) -> str:
    """Return one frame in a line: `File "script.py", line 3, in build: cube.scale = 2`."""
    source = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    place = f'File "{SCRIPT}", line {line}, in {_cut(function, MAX_NAME)}'
    return f"{place}: {_cut(source, MAX_LINE)}" if source else place


def _frames(trace: TracebackType | None) -> list[tuple[int, str]]:
    """Return line and function of the script's own frames, the innermost last."""
    walked = traceback.walk_tb(trace)
    return [(line, frame.f_code.co_name) for frame, line in walked if frame.f_code.co_filename == SCRIPT]


def _words(error: BaseException) -> str:
    """Return `KeyError: 'Specular'`, as Python says it; for a syntax error also the place."""
    return "".join(traceback.TracebackException.from_exception(error).format_exception_only()).rstrip()


def _with_words(parts: list[str], words: str) -> str:
    """Return a message of bounded length that ends with an exception's words."""
    head = "\n".join(parts)
    room = max(MIN_WORDS, MAX_MESSAGE - len(head) - 1)
    return f"{head}\n{_cut(words, room)}" if head else _cut(words, room)


def _cut(text: str, most: int) -> str:
    """Return at most so many characters of a text: both ends of a longer one, more of the first."""
    if len(text) <= most:
        return text
    end = most // 5
    return f"{text[: most - end - 3]} … {text[-end:]}"


LESS = (
    "Make it do less: fewer objects, `bmesh` or `mesh.from_pydata` instead of `bpy.ops` in a loop, copies that share "
    "one mesh (`bpy.data.objects.new(name, mesh)`), fewer subdivision levels."
)
SMALLER = (
    "Make what it holds smaller: fewer subdivision levels, fewer vertices, copies that share one mesh, smaller images."
)
FORGED = (
    "The script wrote to a file descriptor that it had not opened, so nothing is known of its end. "
    "Leave out os.write and os.close on descriptors."
)
_FRAME = re.compile(rf'^  File "{re.escape(SCRIPT)}", line (\d+) in (.+)$', re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def stopped(ended: Ended, code: str, *, seconds: float, memory: int) -> str:
    """Say which limit it broke, what it was doing, and what would help."""
    where = _where(ended, code, "It was then at")
    match ended.stopped:
        case "time":
            return f"It ran longer than {seconds:g} s and was stopped.{where}\n{LESS}"
        case "memory":
            held = f"{memory / 2**30:.3g} GiB" if memory >= 1 << 30 else f"{memory / 2**20:.3g} MiB"
            return f"It held more than {held} of memory and was stopped.{where}\n{SMALLER}"
        case "threads":
            return f"It ran more than {MAX_THREADS:,} threads at once and was stopped.{where}\nLet it start fewer."
        case _:
            return (
                f"It wrote too many files, too large ones, or folders nested too deep, and was stopped.{where}\n"
                "Write none: redraft saves and renders the scene itself."
            )


def crashed(ended: Ended, code: str) -> str:
    """Say that a crash happened again in a fresh process."""
    number = -ended.code
    where = _where(ended, code, "It was then at")
    return (
        f"Your code crashed Blender (signal {number}, {signal_word(number)}), twice.{where}\n"
        "Do that another way: do not use data that was removed, or kept from before a mode change, an undo or a reset."
    )


def no_report(ended: Ended) -> str:
    """Say how a process ended that left no report, or none that can be understood."""
    if ended.report:
        return FORGED
    how = f"exit code {ended.code}" if ended.code >= 0 else f"signal {-ended.code}, {signal_word(-ended.code)}"
    return (
        f"The script ended Blender in the middle, with {how}, so there is no scene. "
        "Leave out os._exit, os.close and signals; let it run to its last line."
    )


def too_large(size: int, most: int) -> str:
    """Say that the `.blend` is larger than is taken."""
    return (
        f"The scene takes {size / 2**20:.0f} MB as a .blend file; at most {most / 2**20:.0f} MB are taken. Leave "
        "subdivision to modifiers instead of applying them, share one mesh among copies, use fewer vertices and "
        "smaller images."
    )


def clean(text: str, folder: str) -> str:
    """Return a script's words without the scratch folder's path, control characters, and what is not text."""
    text = text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text.replace(folder, "/scratch"))


def _where(ended: Ended, code: str, words: str) -> str:
    """Return the innermost line of the script that was running, on a line of its own; empty where it is not known."""
    frame = _FRAME.search(ended.trace.decode("utf-8", "replace"))
    if frame is None:
        return ""
    return f" {words}:\n  {frame_line(int(frame[1]), frame[2], code.splitlines())}"


MAX_ADVICE = 900
"""Characters of the hints under a message."""
SAVING = ("bpy.ops.wm.save_as_mainfile", "bpy.ops.wm.save_mainfile")
UNWRITTEN = ("Cannot open file", "Unable to save", "Could not write", "Couldn't write", "Read-only file system")

CodePatch = dict[str, object]
Advise = Callable[[BaseException, str, int], "Advice"]
"""The look-up of what Blender's API has in place of what a script used: `advice.lookup.advise`."""


def with_advice(error: BaseException, code: str, told: ErrorText, advise: Advise) -> dict[str, Any]:
    """Return the report of a failed script.

    It has `failed`, the message with the advice under it; `patches`; and `fault`, an error of the advice itself, if
    there was one.
    """
    import bpy

    lines = code.splitlines()
    source = lines[told.line - 1] if 0 < told.line <= len(lines) else ""
    saves = isinstance(error, RuntimeError | OSError) and any(name in source for name in SAVING)
    hints = [SAVED] if saves else [hint for fits, hint in _RULES if fits(error)][:1]
    patches = _saving_left_out(code, told.line) if saves else []
    fault = ""
    try:
        advice = advise(error, code, told.line)
        hints += advice.hints
        patches += advice.patches
    except Exception as wrong:  # the script's own error is worth telling without it
        where = traceback.extract_tb(wrong.__traceback__)[-1]
        fault = f"The API look-up failed: {type(wrong).__name__}: {wrong} ({where.name}, line {where.lineno})"

    below = f"\n\nIn Blender {bpy.app.version_string}:\n"
    below += "\n".join(f"- {' '.join(hint.split())}" for hint in dict.fromkeys(hints))
    if len(below) > MAX_ADVICE:
        below = f"{below[: MAX_ADVICE - 1]}…"
    return {"failed": f"{told.text}{below if hints else ''}", "patches": patches, "fault": fault}


def _saving_left_out(code: str, line: int) -> list[CodePatch]:
    """Leave out a call on one line that saves the file and does nothing else."""
    for node in ast.walk(ast.parse(code)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and (node.lineno, node.end_lineno) == (line, line)
            and ast.unparse(node.value.func) in SAVING
        ):
            call = ast.get_source_segment(code, node)
            return [{"line": line, "before": call, "after": "pass", "why": "redraft saves the scene itself"}]
    return []


SAVED = "redraft saves the scene itself: leave out bpy.ops.wm.save_as_mainfile"
_RULES: tuple[tuple[Callable[[BaseException], bool], str], ...] = (
    (
        lambda e: isinstance(e, RuntimeError | OSError) and any(words in str(e) for words in UNWRITTEN),
        "files can be written only in the working folder and are thrown away: redraft saves the scene",
    ),
    (
        lambda e: isinstance(e, OSError) and e.errno in (errno.EFBIG, errno.ENOSPC),
        "files are thrown away after the script: write none, redraft saves and renders the scene itself",
    ),
    (
        lambda e: "Add-on not loaded" in str(e),
        "this add-on is not there: make what it would make with Blender's own primitives or from_pydata",
    ),
    (
        lambda e: isinstance(e, PermissionError) or isinstance(e.__context__, PermissionError),
        "a script cannot open other files than its own, use the network, or start programs: make it with bpy",
    ),
    (
        lambda e: isinstance(e, FileNotFoundError) or (isinstance(e, RuntimeError) and "No such file" in str(e)),
        "there are no files but those that the script writes itself: make textures and models in the script",
    ),
)
"""Kinds of errors, and what follows for them from how scripts run here. The first that fits counts."""
