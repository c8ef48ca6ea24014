"""Lines put end to end where that is plain: each end is exactly one other line's, as in most outlines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import shapely
from shapely.geometry import Polygon

from redraft.studios.board.arcs import Points

__all__ = ["chains", "polygon"]

_End = tuple[float, ...]
_Ends = tuple[_End, _End]


def chains(lines: Sequence[Points]) -> tuple[list[Points], list[Points]]:
    """Closed rings of lines, and the lines of no such ring, in their order.

    A ring's lines share their ends with each other only, two at each, exactly; it does not cross itself. Its points are
    those of its lines, the last the first.
    """
    ends = [(tuple(line[0].tolist()), tuple(line[-1].tolist())) for line in lines]
    meeting: dict[_End, list[int]] = {}
    for i, (one, other) in enumerate(ends):
        meeting.setdefault(one, []).append(i)
        meeting.setdefault(other, []).append(i)
    rings, used, seen = list[Points](), set[int](), set[int]()
    for i in range(len(lines)):
        walk = _walk(i, ends, meeting, seen) if i not in seen else []
        ring = _joined([lines[j] for j in walk])
        if ring is not None:
            rings.append(ring)
            used.update(walk)
    return rings, [line for i, line in enumerate(lines) if i not in used]


def polygon(ring: Points, holes: Sequence[Points] | None = None) -> Polygon:
    """The area within a closed line, which may cross itself. Made in less than half the time `Polygon` takes."""
    return cast("Polygon", shapely.polygons(ring, holes))


def _walk(start: int, ends: Sequence[_Ends], meeting: Mapping[_End, Sequence[int]], seen: set[int]) -> list[int]:
    """The lines from one on until its beginning; none where the way stops, forks, or was gone before."""
    home, here = ends[start]
    found, i = list[int](), start
    while i not in seen:
        seen.add(i)
        found.append(i)
        both = meeting[here]
        if len(both) != 2:
            return []
        if here == home:
            return found
        i = both[1] if both[0] == i else both[0]
        here = ends[i][1] if ends[i][0] == here else ends[i][0]
    return []


def _joined(lines: Sequence[Points]) -> Points | None:
    """The points of lines that follow each other, whichever way each runs; None where that is no sound ring."""
    if not lines:
        return None
    at, parts = lines[0][0].tolist(), list[Points]()
    for line in lines:
        along = line if line[0].tolist() == at else line[::-1]
        parts.append(along[:-1])
        at = along[-1].tolist()
    ring = np.concatenate((*parts, parts[0][:1]))
    return ring if len(ring) > 3 and polygon(ring).is_valid else None
