"""The lines that a fix changed, and the same change made to another program.

What comes out is a proposal: only a run shows whether it helps.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from redraft.fixes.base import Diagnostic, Fix
from redraft.fixes.normalize import diagnostics

MOST_LINES = 12
"""Of a hunk, on either side."""
MOST_COMPARED = 4_000
"""Lines between the first and the last difference of two programs."""


@dataclass(frozen=True)
class Hunk:
    """The lines that a fix changed, as they were and as they became."""

    broken: str
    fixed: str


@dataclass(frozen=True)
class _Block:
    """Lines [start, end) of the broken text, from 0, became [start_after, end_after) of the fixed one."""

    start: int
    end: int
    start_after: int
    end_after: int


# What a fix changed


def hunk_of(broken: str, fixed: str, error: Diagnostic | None) -> Hunk | None:
    """The change nearest to where the error was; None when nothing changed, or too much for a hunk."""
    one, other = _lines(broken), _lines(fixed)
    blocks = _blocks(one, other)
    if not blocks:
        return None
    changed = sum(max(b.end - b.start, b.end_after - b.start_after) for b in blocks)
    best = _nearest(blocks, other, error)
    before, after = one[best.start : best.end], other[best.start_after : best.end_after]
    if max(len(before), len(after)) > MOST_LINES or (changed > 4 and 2 * changed > max(len(one), len(other))):
        return None
    before, after = _dedented(before, after)
    return Hunk("\n".join(before), "\n".join(after))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n")]


def _blocks(one: Sequence[str], other: Sequence[str]) -> list[_Block]:
    """Return the differences of two lists of lines; none when they are equal, or too long to compare."""
    head, tail = _ends(one, other)
    left, right = one[head : len(one) - tail], other[head : len(other) - tail]
    if max(len(left), len(right)) > MOST_COMPARED:
        return []
    codes = SequenceMatcher(None, left, right).get_opcodes()
    found = [_Block(a + head, b + head, c + head, d + head) for tag, a, b, c, d in codes if tag != "equal"]
    blank = [b for b in found if any(one[b.start : b.end]) or any(other[b.start_after : b.end_after])]
    return _joined(blank, one)


def _ends(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """Return how many lines two lists have in common, at the start and at the end."""
    head = 0
    while head < min(len(one), len(other)) and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(other)) - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return head, tail


def _joined(blocks: Sequence[_Block], one: Sequence[str]) -> list[_Block]:
    """Neighboring blocks with nothing but blank lines, or a single line, between them are one."""
    found: list[_Block] = []
    for block in blocks:
        if found and (block.start - found[-1].end <= 1 or not any(one[found[-1].end : block.start])):
            last = found.pop()
            found.append(_Block(last.start, block.end, last.start_after, block.end_after))
        else:
            found.append(block)
    return found


def _nearest(blocks: Sequence[_Block], fixed: Sequence[str], error: Diagnostic | None) -> _Block:
    """The block at the error's line; where none is, the one that names what the error is about; else the nearest."""
    line = error.line if error is not None and error.line is not None else None
    token = error.token if error is not None else ""

    def rank(block: _Block) -> tuple[int, int, int]:
        gap = 0 if line is None else max(block.start + 1 - line, line - max(block.end, block.start + 1), 0)
        names = bool(token) and any(token in text for text in fixed[block.start_after : block.end_after])
        return (0 if gap <= 1 else 1 if names else 2, gap, block.start)

    return min(blocks, key=rank)


def _dedented(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    """Both sides without the indentation that all their lines share."""
    full = [line for line in (*before, *after) if line]
    common = min((line[: len(line) - len(line.lstrip())] for line in full), key=len, default="")
    while common and not all(line.startswith(common) for line in full):
        common = common[:-1]
    return [line[len(common) :] for line in before], [line[len(common) :] for line in after]


# How alike


def shape_of(lines: str) -> str:
    """Return sixteen hexadecimal digits over the first of some lines that is not blank, without its indentation."""
    line = next((line.strip() for line in lines.split("\n") if line.strip()), "")
    return hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest()[:16]


_LIKE = re.compile(r"\w+|[^\w\s]")


def likeness(one: str, other: str) -> float:
    """Return the likeness of two texts of code or of messages, 0 to 1, by their words and signs.

    Twice what both have, over what either has (Dice's coefficient over multisets).
    """
    a, b = _bag(one[:4000]), _bag(other[:4000])
    if not a or not b:
        return float(one.strip() == other.strip())
    common = sum(min(count, b[word]) for word, count in a.items() if word in b)
    return 2 * common / (sum(a.values()) + sum(b.values()))


@lru_cache(maxsize=4096)
def _bag(text: str) -> Mapping[str, int]:
    """Words and signs with how often they occur; kept, as one text is compared with many."""
    return Counter(_LIKE.findall(text))


# The same change again

_QUOTED = re.compile(r"[`'\"‘]([A-Za-z_]\w*)['\"’`]")


def patched(code: str, error: Diagnostic, fix: Fix) -> str | None:
    """Return the whole program after a known fix; None unless the lines that it fixed stand at the error."""
    broken, fixed = fix.broken_snippet.split("\n"), fix.fixed_snippet.split("\n")
    expected = [line.strip() for line in broken]
    known = next((_named(d) for d in diagnostics(fix.error_msg) if d.key == fix.key), "")
    if not any(expected) or (_named(error) and known and _named(error) != known):
        return None
    lines = code.split("\n")
    last = min(max(error.line or len(lines), 1), len(lines))
    first = max(0, last - 1 - len(broken))  # the message may name the next line
    starts = [
        start
        for start in range(first, min(last, len(lines) - len(broken) + 1))
        if all(lines[start + k].strip() == text for k, text in enumerate(expected))
    ]
    if not starts:
        return None
    start = starts[-1]
    margin = _margin(lines[start], broken[0])
    new = [margin + line if line else "" for line in fixed] if any(fixed) else []
    text = "\n".join([*lines[:start], *new, *lines[start + len(broken) :]])
    return None if text == code else text


def _named(error: Diagnostic) -> str:
    """Return the name that an error is about, else the first one that its text quotes."""
    match = None if error.token.isidentifier() else _QUOTED.search(error.text)
    return match[1] if match else error.token if error.token.isidentifier() else ""


def _margin(line: str, remembered: str) -> str:
    """Return the indentation that the program has and the remembered line has not."""
    here, there = (text[: len(text) - len(text.lstrip())] for text in (line, remembered))
    return here[: len(here) - len(there)] if here.endswith(there) else here


def change_of(before: str, after: str) -> tuple[int, str, str]:
    """Return where two programs differ: the number of the first line, from 1, and the lines from there to the last."""
    one, other = before.split("\n"), after.split("\n")
    head, tail = _ends(one, other)
    return head + 1, "\n".join(one[head : len(one) - tail]), "\n".join(other[head : len(other) - tail])
