"""Messages about a script that failed: its own frames, Python's words, hints, and how its process ended.

Only frames of the script itself are named, the innermost last; those of Blender's modules say nothing that a writer of
scripts can fix. The exception's words are exactly Python's: the fix memory looks errors up by them.
"""

from __future__ import annotations

import ast
import re
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any

from redraft.sandbox.processes import MAX_THREADS, signal_word
from redraft.studios.scene.inside.stage.watch import Ended

if TYPE_CHECKING:
    from redraft.studios.scene.inside.advice.lookup import Advice  # it needs Blender, which is not yet there

SCRIPT = "script.py"
"""What the script's file is called in frames."""
MOST = 3_000
"""Characters of a message."""
MOST_OF_A_LINE = 120
MOST_OF_A_NAME = 60
FIRST_FRAMES, LAST_FRAMES = 3, 5
"""Of a long chain of calls, how many are shown from its outer and its inner end."""
LEAST_WORDS = 600
"""Characters of the exception's own words that always have room."""


@dataclass(frozen=True)
class ErrorText:
    """What is said of an exception."""

    text: str
    line: int
    """The innermost line of the script, from 1; 0 where it has no part in it."""


def error_text(error: BaseException, code: str) -> ErrorText:
    """What is said of an exception that was raised while a script ran."""
    lines = code.splitlines()
    frames = _frames(error.__traceback__)
    told = _told(frames, lines)
    while_handling = _handled(error)
    parts = [
        *(["Traceback (most recent call last):", *told] if told else []),
        *([while_handling] if while_handling else []),
        *_way_out(error),
    ]
    return ErrorText(_with_words(parts, _words(error)), frames[-1][0] if frames else 0)


def syntax_error_text(error: BaseException) -> ErrorText:
    """Describe a script that is not valid Python: the place, and that nothing of it ran."""
    line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
    return ErrorText(_with_words(["The script is not valid Python; none of it was run."], _words(error)), line)


def frame_line(line: int, function: str, lines: list[str]) -> str:
    """One frame in a line: `File "script.py", line 3, in build: cube.scale = 2`."""
    source = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    place = f'File "{SCRIPT}", line {line}, in {_cut(function, MOST_OF_A_NAME)}'
    return f"{place}: {_cut(source, MOST_OF_A_LINE)}" if source else place


def _frames(trace: TracebackType | None) -> list[tuple[int, str]]:
    """Line and function of the script's own frames, the innermost last."""
    walked = traceback.walk_tb(trace)
    return [(line, frame.f_code.co_name) for frame, line in walked if frame.f_code.co_filename == SCRIPT]


def _told(frames: list[tuple[int, str]], lines: list[str]) -> list[str]:
    """The frames in lines; of what goes on and on, both ends."""
    texts = [f"  {frame_line(line, function, lines)}" for line, function in frames]
    left_out = len(texts) - FIRST_FRAMES - LAST_FRAMES
    if left_out <= 0:
        return texts
    calls = "1 more call" if left_out == 1 else f"{left_out:,} more calls"
    return [*texts[:FIRST_FRAMES], f"  ({calls} between)", *texts[-LAST_FRAMES:]]


def _handled(error: BaseException) -> str:
    """The exception before this one, in a line; empty where there is none, or where the script hides it."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is None:
        return ""
    frames = _frames(before.__traceback__)
    place = f" (line {frames[-1][0]})" if frames else ""
    return f"  while handling: {_cut(' '.join(_words(before).split()), 2 * MOST_OF_A_LINE)}{place}"


def _way_out(error: BaseException) -> list[str]:
    return ["The script ended itself as failed; a normal end is sys.exit(0)."] if isinstance(error, SystemExit) else []


def _words(error: BaseException) -> str:
    """`KeyError: 'Specular'`, as Python says it; of a syntax error also the place."""
    return "".join(traceback.TracebackException.from_exception(error).format_exception_only()).rstrip()


def _with_words(parts: list[str], words: str) -> str:
    """A message of bounded length that ends with an exception's words."""
    head = "\n".join(parts)
    room = max(LEAST_WORDS, MOST - len(head) - 1)
    return f"{head}\n{_cut(words, room)}" if head else _cut(words, room)


def _cut(text: str, most: int) -> str:
    """A text of at most so many characters; of a longer one both ends, the first more."""
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
    """Which limit it broke, what it was doing, and what would help."""
    where = _where(ended, code, "It was then at")
    match ended.stopped:
        case "time":
            return f"It ran longer than {seconds:g} s and was stopped.{where}\n{LESS}"
        case "memory":
            return f"It held more than {_size(memory)} of memory and was stopped.{where}\n{SMALLER}"
        case "threads":
            return f"It ran more than {MAX_THREADS:,} threads at once and was stopped.{where}\nLet it start fewer."
        case _:
            return (
                f"It wrote too many files, too large ones, or folders nested too deep, and was stopped.{where}\n"
                "Write none: redraft saves and renders the scene itself."
            )


def crashed(ended: Ended, code: str) -> str:
    """A crash that happened again in a fresh process."""
    number = -ended.code
    where = _where(ended, code, "It was then at")
    return (
        f"Your code crashed Blender (signal {number}, {signal_word(number)}), twice.{where}\n"
        "Do that another way: do not use data that was removed, or kept from before a mode change, an undo or a reset."
    )


def no_report(ended: Ended) -> str:
    """It ended by itself and said nothing, or nothing that can be understood."""
    if ended.report:
        return FORGED
    how = f"exit code {ended.code}" if ended.code >= 0 else f"signal {-ended.code}, {signal_word(-ended.code)}"
    return (
        f"The script ended Blender in the middle, with {how}, so there is no scene. "
        "Leave out os._exit, os.close and signals; let it run to its last line."
    )


def too_large(size: int, most: int) -> str:
    """The `.blend` is larger than is taken."""
    return (
        f"The scene takes {size / 2**20:.0f} MB as a .blend file; at most {most / 2**20:.0f} MB are taken. Leave "
        "subdivision to modifiers instead of applying them, share one mesh among copies, use fewer vertices and "
        "smaller images."
    )


def clean(text: str, folder: str) -> str:
    """A script's words without our folder's path, control characters, and what is not text."""
    text = text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text.replace(folder, "/scratch"))


def _where(ended: Ended, code: str, words: str) -> str:
    """The innermost line of the script that was running, on a line of its own; nothing where it is not known."""
    found = _FRAME.search(ended.trace.decode("utf-8", "replace"))
    if found is None:
        return ""
    return f" {words}:\n  {frame_line(int(found[1]), found[2], code.splitlines())}"


def _size(count: int) -> str:
    return f"{count / 2**30:.3g} GiB" if count >= 1 << 30 else f"{count / 2**20:.3g} MiB"


MOST_ADVICE = 900
"""Characters."""
SAVING = ("bpy.ops.wm.save_as_mainfile", "bpy.ops.wm.save_mainfile")
UNWRITTEN = ("Cannot open file", "Unable to save", "Could not write", "Couldn't write", "Read-only file system")

CodePatch = dict[str, object]
Advise = Callable[[BaseException, str, int], "Advice"]
"""What Blender's API has in place of what was asked for: `advise.advise`."""


def with_advice(error: BaseException, code: str, told: ErrorText, advise: Advise) -> dict[str, Any]:
    """Return the report of a failed script: `failed`, the message with the advice under it; `patches`; and `fault`,
    an error of the advice itself, if there was one."""
    hints, patches, fault = [*_hints(error, code, told.line)], _patches(error, code, told.line), ""
    try:
        advice = advise(error, code, told.line)
        hints += advice.hints
        patches += advice.patches
    except Exception as wrong:  # the script's own error is worth telling without it
        where = traceback.extract_tb(wrong.__traceback__)[-1]
        fault = f"The API look-up failed: {type(wrong).__name__}: {wrong} ({where.name}, line {where.lineno})"
    return {"failed": f"{told.text}{_with_hints(hints)}", "patches": patches, "fault": fault}


def _with_hints(hints: Iterable[str]) -> str:
    """Hints under a message: a heading and a line each; nothing where there are none."""
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


def _patches(error: BaseException, code: str, line: int) -> list[CodePatch]:
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
