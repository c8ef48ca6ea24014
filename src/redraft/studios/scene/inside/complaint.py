"""What a model reads of an exception that its script raised: its own lines, and Python's words.

Only frames of the script itself are told, the innermost last; those of Blender's modules say nothing that a writer of
scripts can mend. The words come last and exactly as Python says them: that is what the fix memory knows errors by.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from types import TracebackType

__all__ = ["SCRIPT", "Complaint", "complaint_of", "complaint_of_text", "frame_line"]

SCRIPT = "script.py"
"""What the script's file is called in frames."""
MOST = 3_000
"""Characters of a complaint."""
MOST_OF_A_LINE = 120
MOST_OF_A_NAME = 60
FIRST_FRAMES, LAST_FRAMES = 3, 5
"""Of a long chain of calls, how many are told from its outer and its inner end."""
LEAST_WORDS = 600
"""Characters of the exception's own words that always have room."""


@dataclass(frozen=True)
class Complaint:
    """What is said of an exception."""

    text: str
    line: int
    """The innermost line of the script, from 1; 0 where it has no part in it."""


def complaint_of(error: BaseException, code: str) -> Complaint:
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
    return Complaint(_with_words(parts, _words(error)), frames[-1][0] if frames else 0)


def complaint_of_text(error: BaseException) -> Complaint:
    """What is said of a script that is no Python: where, and that nothing of it was run."""
    line = (error.lineno or 0) if isinstance(error, SyntaxError) else 0
    return Complaint(_with_words(["The script is not valid Python; none of it was run."], _words(error)), line)


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
    """A complaint of bounded length that ends with an exception's words."""
    head = "\n".join(parts)
    room = max(LEAST_WORDS, MOST - len(head) - 1)
    return f"{head}\n{_cut(words, room)}" if head else _cut(words, room)


def _cut(text: str, most: int) -> str:
    """A text of at most so many characters; of a longer one both ends, the first more."""
    if len(text) <= most:
        return text
    end = most // 5
    return f"{text[: most - end - 3]} … {text[-end:]}"
