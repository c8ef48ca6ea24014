"""Token counts that are never too low.

No tokenizer is shipped. Current byte-pair encoders split text into runs of letters, of up to three digits and of
punctuation, and merge within a run; each run is counted by its least favorable merging. Words and marks that redraft
itself writes are known to be one token (a test compares with real tokenizers).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

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


def some(words: Sequence[str], tokens: int) -> tuple[str, ...]:
    """Return the first words that fit the number of tokens."""
    kept: list[str] = []
    for word in words:
        tokens -= estimate(word) + 2
        if tokens < 0:
            break
        kept.append(word)
    return tuple(kept)
