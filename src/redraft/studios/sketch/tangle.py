"""A bound on how much work a drawing's geometry may be: lines that cross each other too often are refused.

The area of a scribble has a corner at every crossing, and crossings grow with the square of the lines: a reply of
a few kilobytes could fill the memory. Their number is estimated from a sample before any area is built.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree

from redraft.studios.sketch.paths import Subpath

__all__ = ["MAX_CROSSINGS", "MAX_SEGMENTS", "TangledError", "Trace", "check_tangle"]

MAX_SEGMENTS = 400_000
"""Straight pieces in all, after curves are flattened; a detailed drawing of 2,000 strokes has about 50,000."""

MAX_CROSSINGS = {"of strokes with themselves": 10_000, "within one thing": 40_000}
"""A hatching of 100 by 100 lines has 10,000. The first kind costs most: some seconds at the limit."""

MAX_CROWDING = 150_000
"""Pairs of pieces of one stroke that lie within its pen's width, beyond those that any smooth line has."""

_FREE = 400
"""So few pieces cannot cross too often."""

_SAMPLE = 100
_SMOOTH = 8
"""Neighbours within the pen's width that a piece of a smooth line may have."""


class TangledError(ValueError):
    """The drawing's lines bend or cross so often that its shapes cannot be measured in reasonable time."""


@dataclass(frozen=True)
class Trace:
    """The lines of one stroke, the width of its pen (0 without one), and the top-level thing that it belongs to."""

    runs: Sequence[Subpath]
    width: float
    thing: str

    @property
    def pieces(self) -> int:
        return sum(len(run.points) for run in self.runs)


def check_tangle(traces: Sequence[Trace]) -> None:
    """Raises `TangledError` when there are too many pieces or, by regular samples, too many crossings."""
    total = sum(trace.pieces for trace in traces)
    if total > MAX_SEGMENTS:
        raise TangledError(
            f"The strokes have {total:,} pieces when their curves are flattened; at most {MAX_SEGMENTS:,} can be "
            "measured. Use fewer and simpler curves."
        )
    if total <= _FREE:
        return
    for where, crossings in _crossings(traces):
        if crossings > MAX_CROSSINGS[where]:
            raise TangledError(
                f"The drawing has about {crossings:,} crossings of lines {where}; at most {MAX_CROSSINGS[where]:,} "
                "can be measured. Use fewer lines, or fill an area instead of hatching it."
            )
    if sum(_met(t.runs, t.width, beyond=_SMOOTH) for t in traces if t.width and t.pieces > 20) > MAX_CROWDING:
        raise TangledError(
            "Lines run to and fro within the width of their own pen too often to be measured. Use a thinner pen or "
            "fewer points, or fill an area instead."
        )


def _crossings(traces: Sequence[Trace]) -> Iterator[tuple[str, int]]:
    """What `MAX_CROSSINGS` bounds, the dearest first."""
    own, one = MAX_CROSSINGS
    yield own, sum(_met(trace.runs, beyond=3) // 2 for trace in traces if trace.pieces > 100)
    things: dict[str, list[Subpath]] = {}
    for trace in traces:
        things.setdefault(trace.thing, []).extend(trace.runs)
    yield one, max((_met(runs, beyond=3) // 2 for runs in things.values() if _could(runs)), default=0)


def _could(runs: Sequence[Subpath]) -> bool:
    """Whether lines of so many pieces could cross each other too often at all: most have far too few."""
    return sum(len(run.points) for run in runs) ** 2 > max(MAX_CROSSINGS.values())


def _met(runs: Sequence[Subpath], distance: float | None = None, *, beyond: int) -> int:
    """Ordered pairs of pieces that meet, or lie within a distance, estimated from every n-th piece.

    `beyond` for each piece are what any line has, and do not count.
    """
    lines = np.asarray(shapely.linestrings(np.concatenate([_segments(run) for run in runs])), dtype=np.object_)
    count, sample = lines.shape[0], lines[:: max(1, lines.shape[0] // _SAMPLE)]
    tree = STRtree(list(lines))
    near = tree.query(sample, "intersects") if distance is None else tree.query(sample, "dwithin", distance)
    return round(max(0, near.shape[1] - beyond * sample.shape[0]) / sample.shape[0] * count)


def _segments(run: Subpath) -> NDArray[np.float64]:
    """Array of n × 2 points × 2 coordinates; a lone point is a piece of no length."""
    points = np.array([*run.points, run.points[0]] if run.closed or len(run.points) == 1 else run.points)
    return np.stack([points[:-1], points[1:]], axis=1)
