"""Many references in few words: `C1-C4, C7, U2`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from redraft.spatial.token_budget import clean, estimate

__all__ = ["natural", "ranges", "some"]

_NUMBERED = re.compile(r"^(.*?)(0|[1-9][0-9]{0,8})$", re.DOTALL)


def natural(name: str) -> tuple[str, int, str]:
    """A sort key under which C2 comes before C10."""
    found = _NUMBERED.match(name)
    return (found[1], int(found[2]), name) if found else (name, -1, name)


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


def _follows(before: str, after: str) -> bool:
    a, b = natural(before), natural(after)
    return a[1] >= 0 and a[0] == b[0] and b[1] == a[1] + 1


def some(words: Sequence[str], tokens: int) -> tuple[str, ...]:
    """As many of the words, from the first, as cost no more than so many tokens."""
    kept: list[str] = []
    for word in words:
        tokens -= estimate(word) + 2
        if tokens < 0:
            break
        kept.append(word)
    return tuple(kept)
