"""Defects: what cannot be intended, whatever a brief says."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from redraft.result import Issue
from redraft.spatial.layout import Layout
from redraft.spatial.rules.scene import silhouette
from redraft.spatial.rules.words import box, found

__all__ = ["defects"]

COVERED = 0.995
"""Share of the frame that the last painted part hides everything behind."""


def defects(layout: Layout) -> tuple[Issue, ...]:
    """Nothing is painted, a coordinate is not a number, everything is outside, or one part hides all the others."""
    return tuple(issue.model_copy(update={"basis": "defect"}) for issue in _defects(layout))


def _defects(layout: Layout) -> Iterator[Issue]:
    frame = shapely.box(*layout.frame.bounds)
    painted = [item for item in layout if not item.shape.is_empty]
    broken = [i for i in painted if not all(map(math.isfinite, i.shape.bounds))]
    for item in broken:
        yield found("defect.number", "error", f"{item.name} has a coordinate that is not a number", (item.name,))
    painted = [item for item in painted if item not in broken]
    if not painted and not broken:
        yield found("defect.empty", "error", "nothing is painted", ())
    elif painted and not any(item.shape.intersects(frame) for item in painted):
        names = tuple(item.name for item in painted)
        yield found("defect.outside", "error", "everything is outside of the canvas", names)
    elif len(painted) > 1:
        last = max(painted, key=lambda item: item.layer)
        hides = last.style.fills and last.shape.intersection(frame).area >= COVERED * frame.area
        plain = len(last.style.fills) == 1 and not last.style.strokes and last.lowest in (None, last.layer)
        if hides and plain and silhouette(last).equals(last.shape):
            message = f"{last.name} is painted last and covers the whole canvas: nothing else can be seen"
            x0, y0, x1, y1 = layout.frame.bounds
            yield found("defect.covered", "error", message, (last.name,), marks=(box((x0, y0, x1, y1), last.name),))
