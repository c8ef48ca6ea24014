"""How many tokens a text costs a model, never counted too low; and untrusted text made short and harmless.

No tokenizer is shipped. Byte-pair encoders of today split text into runs of letters, of up to three digits and of
punctuation, and merge within a run; so a run is counted by what the least favourable merging gives. Words and marks
that redraft itself writes are known to be one token (a test asks real tokenizers).
"""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache

__all__ = ["clean", "estimate"]

_RUNS = re.compile(r'[0-9]+|[A-Za-z]+|[\]\["{}:,]+|[ ](?=[A-Za-z(])|[\x00-\x7f]|[^\x00-\x7f]')

_VOCABULARY = """
    viewport center size units mm grid_aligned grid aligned objects ref type layer location rotation bbox min max
    pads num pos net gaps between distance vector true false true_distance true_vector origin locked body
    edge track via zone kind kinds count counts refs left out board Board Top Bottom Left Right Center Edge
    top bottom left right above below in of is are at and parts part shares share nets with named name main zones
    layers fixtures overlap parent also other side canvas area empty full box bounds unit items item
    connector IC free none more than the from to not placed
"""
_WORDS = frozenset(_VOCABULARY.split())
_KNOWN = {"×": 1, "…": 1, "–": 1, "·": 1, "°": 1, "%": 1, "µ": 1}
_MARKS = frozenset('[]"{}:,')
_JOINTS = {'":[': 1, '],"': 1, '":{"': 1, '":"': 1, '","': 1, '},"': 1, '"},{"': 1, '}],"': 2, '":[{"': 2}
"""How the marks of JSON without spaces merge where they merge best; others are counted in pairs."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def estimate(text: str) -> int:
    """Tokens of a text, for budgets: at least what the common encoders make of it."""
    return sum(_cost(run) for run in _RUNS.findall(text))


@lru_cache(maxsize=4096)
def _cost(run: str) -> int:
    first = run[0]
    if first.isascii() and first.isdigit():
        return math.ceil(len(run) / 3)
    if first.isascii() and first.isalpha():
        return 1 if run in _WORDS else min(len(run), 1 + math.ceil(len(run) * 0.8))
    if first in _MARKS:
        return 1 if len(run) <= 2 else _JOINTS.get(run, math.ceil(len(run) / 2))
    if first == " " or first.isascii():
        return 1
    return _KNOWN.get(run, len(run.encode("utf-8", "surrogatepass")))


def clean(text: str, limit: int = 48) -> str:
    """Text from a file as one short line of data: nothing unseen, at most `limit` characters, the middle left out."""
    if len(text) > 8 * limit:
        text = text[: 4 * limit] + text[-4 * limit :]
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _HIDDEN else c for c in text)
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit // 3]}…{line[-(limit - limit // 3 - 1) :]}"
