"""Past fixes as a model is shown them: a short block of quoted data that cannot break out of its place in a prompt.

The texts came out of a file or a server that others may write to. Every line of theirs is quoted or stands behind a
sign, so none of them begins a line of the prompt; fences and control characters are taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from redraft.fixes.base import Fix
from redraft.fixes.normalize import diagnostics

HEADING = "PAST FIXES FOR SIMILAR ERRORS:"
BLOCK_LIMIT = 1_500
"""Characters of the whole block."""
MESSAGE_LIMIT = 120
ONE_LINE = 72
"""Characters up to which the two sides of a fix stand in one line, each."""
LINES = 6
LINE_LIMIT = 96

_WORDS = re.compile(r"[\w.]+|\s+")
"""Names, numbers and spaces: fixes that differ in nothing else are alike."""
_FENCE = re.compile(r"[`~]{3,}")
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control characters, and those that cannot be seen or reorder what is read."""


def format_examples(fixes: Iterable[Fix], limit: int = 3) -> str:
    """The block of the specification, empty for no fixes; at most `limit`, no two of them alike::

    PAST FIXES FOR SIMILAR ERRORS:
    Example 1: "Incompatible types" was fixed by changing vec3(x.xy, y.xy) → vec3(x.xy, y.z)
    Example 2: "syntax error, unexpected '}'" was fixed by changing
      - float d = length(p)
      - }
    into
      + float d = length(p);
      + }
    """
    block, shown = HEADING, set[tuple[str, str]]()
    for fix in fixes:
        outlines = (_WORDS.sub("n", fix.broken_snippet), _WORDS.sub("n", fix.fixed_snippet))
        if len(shown) >= limit or outlines in shown:
            continue
        example = f"\nExample {len(shown) + 1}: {_example(fix)}"
        if len(block) + len(example) <= BLOCK_LIMIT:
            block += example
            shown.add(outlines)
    return block if shown else ""


def _example(fix: Fix) -> str:
    head = f'"{_message(fix)}" was fixed by'
    before, after = _code(fix.broken_snippet), _code(fix.fixed_snippet)
    if not before:
        return f"{head} adding {_side(after, '+')}"
    if not after:
        return f"{head} taking away {_side(before, '-')}"
    if _short(before) and _short(after):
        return f"{head} changing {before[0].strip()} → {after[0].strip()}"
    return f"{head} changing{_block(before, '-')}\ninto{_block(after, '+')}"


def _side(lines: list[str], sign: str) -> str:
    return lines[0].strip() if _short(lines) else f"these lines:{_block(lines, sign)}"


def _short(lines: list[str]) -> bool:
    return len(lines) == 1 and len(lines[0].strip()) <= ONE_LINE


def _block(lines: list[str], sign: str) -> str:
    cut = [line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…" for line in lines[:LINES]]
    if len(lines) > LINES:
        cut[-1] = "…"
    return "".join(f"\n  {sign} {line}" for line in cut)


def _message(fix: Fix) -> str:
    """The complaint without its place, in one line."""
    found = diagnostics(fix.error_msg)
    text = " ".join(_harmless(found[0].text if found else fix.error_msg).split()).replace('"', "'")
    return text if len(text) <= MESSAGE_LIMIT else text[: MESSAGE_LIMIT - 1] + "…"


def _code(text: str) -> list[str]:
    """Its lines that are not empty, without their common indentation."""
    lines = [line.rstrip() for line in _harmless(text.expandtabs(4)).split("\n")]
    lines = [line for line in lines if line]
    indent = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return [line[indent:] for line in lines]


def _harmless(text: str) -> str:
    return _FENCE.sub("'''", _OBEYED.sub("\ufffd", text.replace("\r\n", "\n")))
