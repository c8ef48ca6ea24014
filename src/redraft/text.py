"""Token counts that are never too low, short and harmless text from files, and lists of references (`C1-C4, C7`).

No tokenizer is shipped. Current byte-pair encoders split text into runs of letters, of up to three digits and of
punctuation, and merge within a run; each run is counted by its least favorable merging. Words and marks that redraft
itself writes are known to be one token (a test compares with real tokenizers).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

__all__ = ["clean", "estimate", "natural", "ranges", "some"]

_RUNS = re.compile(r'[0-9]+|[ ]?[A-Za-z]+|[\]\["{}:,]+|[ ]?[\x00-\x2f\x3a-\x7f]|[^\x00-\x7f]|[ ]')
"""Digits; a word with the space before it; the marks of JSON; any other mark with the space before it."""

_VOCABULARY = {
    1: """Board Bottom Canvas Center Edge Empty IC LED Left Locked Main Right Top above aligned also among and are area
        at bbox below between board body bottom bounds box boxes canvas center complete connector count counts distance
        edge empty false fixtures free from full gap grid hole in is item items its kind layer layers left links
        location locked main max min mm more name named nearest neighbors net nets none not num objects of origin other
        out outline parent part parts placed point pos ref refs right rotation share shared shares side size switch
        test than the them to top track true type unit units vector via viewport with within without x y zone zones""",
    2: """Unplaced bead biggest crystal diode fuse gaps inductor kinds mounting neighbour neighbours overlap pads
        resistor supplies transistor unplaced""",
    3: "capacitor ferrite",
}
_WORDS = {word: tokens for tokens, words in _VOCABULARY.items() for word in words.split()}
_KNOWN = {"×": 1, "…": 1, "–": 1, "·": 1, "°": 1, "%": 1, "µ": 1}
_MARKS = frozenset('[]"{}:,')
_JOINTS = {'":[': 1, '],"': 1, '":{"': 1, '":"': 1, '","': 1, '},"': 1, '"},{"': 1, '}],"': 2, '":[{"': 2}
"""How the marks of JSON without spaces merge where they merge best; others are counted in pairs."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


@lru_cache(maxsize=8192)
def estimate(text: str) -> int:
    """Tokens of a text, for budgets: at least what the common encoders make of it."""
    return sum(_cost(run) for run in _RUNS.findall(text))


@lru_cache(maxsize=4096)
def _cost(run: str) -> int:
    word = run.removeprefix(" ")
    first = word[:1]
    if first.isascii() and first.isdigit():
        return math.ceil(len(word) / 3)
    if first.isascii() and first.isalpha():
        return _WORDS.get(word) or min(len(word), 1 + math.ceil(len(word) * 0.8))
    if first in _MARKS and word == run:
        return 1 if len(run) <= 2 else _JOINTS.get(run, math.ceil(len(run) / 2))
    return 1 if run.isascii() else _KNOWN.get(run, len(run.encode("utf-8", "surrogatepass")))


def clean(text: str, limit: int = 48) -> str:
    """Text from a file as one short line of data: nothing unseen, at most `limit` characters, the middle left out."""
    if len(text) <= limit and text.isascii() and text.isprintable() and " " not in text:
        return text
    if len(text) > 8 * limit:
        text = text[: 4 * limit] + text[-4 * limit :]
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _HIDDEN else c for c in text)
    line = " ".join(text.split())
    head = limit // 3
    return line if len(line) <= limit else f"{line[:head]}…{line[len(line) - (limit - head - 1) :]}"


def natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key under which C2 comes before C2A, and that before C10; no two names share one."""
    pieces = [part for part in re.split(r"([0-9]{1,18})", name) if part]
    return [*((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in pieces), (-1, 0, name)]


def ranges(names: Iterable[str]) -> list[str]:
    """Sorted, with runs of three or more written as `C1-C4`. Text from a file is made short and harmless."""
    runs: list[list[str]] = []
    for name in sorted(set(names), key=natural):
        if runs and _follows(runs[-1][-1], name):
            runs[-1].append(name)
        else:
            runs.append([name])
    found: list[str] = []
    for run in runs:
        found += [f"{clean(run[0])}-{clean(run[-1])}"] if len(run) > 2 else [clean(name) for name in run]
    return found


_NUMBERED = re.compile(r"^(.*?)(0|[1-9][0-9]{0,8})$", re.DOTALL)


def _follows(before: str, after: str) -> bool:
    a, b = _NUMBERED.match(before), _NUMBERED.match(after)
    return a is not None and b is not None and a[1] == b[1] and int(b[2]) == int(a[2]) + 1


def some(words: Sequence[str], tokens: int) -> tuple[str, ...]:
    """Return the first words that fit the number of tokens."""
    kept: list[str] = []
    for word in words:
        tokens -= estimate(word) + 2
        if tokens < 0:
            break
        kept.append(word)
    return tuple(kept)
