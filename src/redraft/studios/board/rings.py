"""Loose lines joined into closed rings, as a courtyard is drawn: each item apart, in any order and direction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from shapely import STRtree
from shapely.geometry import Point

from redraft.studios.board.arcs import Points

__all__ = ["rings"]

End = tuple[float, float]

_MOST = 1000
"""Open ends beyond which nothing is joined: that is a heap of lines, and comparing all pairs would take long."""


def rings(paths: Iterable[Points], tolerance: float) -> list[Points] | None:
    """Closed rings of all these lines; ends that miss each other by no more than the tolerance (mm) are joined.

    What is drawn twice counts once. None where a line stays open: such an outline encloses nothing for certain.
    """
    pieces = _distinct(paths)
    loose = [piece for piece in pieces if not _is_closed(piece)]
    joints = _joints(loose, tolerance)
    links = [(joints[a], joints[b]) for a, b in map(_ends, loose)]
    meeting: dict[End, list[int]] = {}
    for number, link in enumerate(links):
        for joint in link:
            meeting.setdefault(joint, []).append(number)
    if any(len(numbers) % 2 for numbers in meeting.values()):
        return None
    return [piece for piece in pieces if _is_closed(piece)] + _walked(loose, links, meeting)


def _distinct(paths: Iterable[Points]) -> list[Points]:
    """Without repetitions, whichever way they run, and without what has no length."""
    kept: dict[bytes, Points] = {}
    for path in paths:
        if bool((path == path[0]).all()):
            continue
        line = path + 0.0  # no negative zeros, so that equal means equal bytes
        kept.setdefault(min(line.tobytes(), line[::-1].tobytes()), line)
    return list(kept.values())


def _ends(path: Points) -> tuple[End, End]:
    (x0, y0), (x1, y1) = path[0].tolist(), path[-1].tolist()
    return (x0, y0), (x1, y1)


def _joints(loose: Sequence[Points], tolerance: float) -> dict[End, End]:
    """The point that stands for each end: itself, or the lonely one that is nearest to it when it is lonely too."""
    count: dict[End, int] = {}
    for piece in loose:
        for end in _ends(piece):
            count[end] = count.get(end, 0) + 1
    joints = {end: end for end in count}
    lonely = [end for end, number in count.items() if number % 2]
    joined: set[End] = set()
    for one, other in _near(lonely, tolerance):
        if not joined & {one, other}:
            joined |= {one, other}
            joints[other] = one
    return joints


def _near(ends: Sequence[End], tolerance: float) -> list[tuple[End, End]]:
    """Pairs within the tolerance, the nearest first."""
    if not 2 <= len(ends) <= _MOST:
        return []
    points = [Point(end) for end in ends]
    pairs: list[list[int]] = STRtree(points).query(points, predicate="dwithin", distance=tolerance).T.tolist()
    order = sorted((math.dist(ends[a], ends[b]), a, b) for a, b in pairs if a < b)
    return [(ends[a], ends[b]) for _, a, b in order]


def _walked(loose: Sequence[Points], links: Sequence[tuple[End, End]], meeting: dict[End, list[int]]) -> list[Points]:
    """Along the lines, from joint to joint, until each walk is back where it began: every joint has a way on."""
    unused = dict.fromkeys(range(len(loose)))
    found: list[Points] = []
    while unused:
        number = next(iter(unused))
        begun = at = links[number][0]
        runs: list[Points] = []
        while not runs or at != begun:
            number = _way_on(meeting[at], unused) if runs else number
            a, b = links[number]
            runs.append(loose[number] if at == a else loose[number][::-1])
            at = b if at == a else a
            del unused[number]
        found.append(np.concatenate([*runs, runs[0][:1]]))
    return found


def _way_on(numbers: list[int], unused: dict[int, None]) -> int:
    """The next line from a joint; those walked are forgotten, so that no joint is searched twice."""
    while numbers[-1] not in unused:
        numbers.pop()
    return numbers[-1]


def _is_closed(points: Points) -> bool:
    return len(points) > 2 and bool((points[0] == points[-1]).all())
