"""Mending: what an interpreter itself knows to help is tried before a model is asked.

Blender can be asked what its objects really have. A change that it is sure of is made to the line that failed, and the
program is run again: that costs a moment and no model call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from redraft.result import Failure, Mend

__all__ = ["MOST", "mended", "told"]

MOST = 16
"""Mends of one attempt: an old script has a handful of mistakes, and each run may show the next."""
_BLOCK = re.compile(r"\s*")


def mended(code: str, mends: Sequence[Mend]) -> str | None:
    """A program with the changes made; None when one of them does not fit it, or they change nothing.

    A line that is left out becomes `pass`, so that the lines below keep their numbers and its block is not empty.
    """
    lines = code.split("\n")
    for mend in mends:
        if not 1 <= mend.line <= len(lines) or not mend.before or mend.before not in lines[mend.line - 1]:
            return None
        line = lines[mend.line - 1].replace(mend.before, mend.after, 1)
        if not line.strip():
            indent = _BLOCK.match(lines[mend.line - 1])
            line = f"{indent.group() if indent else ''}pass"
        lines[mend.line - 1] = line
    changed = "\n".join(lines)
    return None if changed == code else changed


def told(failure: Failure) -> list[str]:
    """The changes in words, a line each."""
    return [
        f"line {mend.line} was changed: {mend.before!r:.120} became {mend.after!r:.120}"
        f"{f' ({mend.why})' if mend.why else ''}."
        for mend in failure.mends
    ]
