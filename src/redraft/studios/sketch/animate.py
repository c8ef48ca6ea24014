"""An SVG that draws itself: each stroke's line runs out after the last one's, then its fill fades in.

Pure SVG and CSS. Where the viewer asks for reduced motion, and in programs without animation, the finished drawing
stands there from the beginning.
"""

from __future__ import annotations

from itertools import pairwise

from redraft.studios.sketch.geometry import subpaths_of
from redraft.studios.sketch.spec import Drawing, Stroke, Text
from redraft.studios.sketch.svg import document, strokes

__all__ = ["animated"]

SPEED = 1.6
"""Canvas widths a second, as long as the whole stays under `LONGEST`."""

SHORTEST_STROKE, LONGEST_STROKE = 0.12, 1.2
"""Seconds."""

LONGEST = 20.0
FADE = 0.4

# A dash of the whole path's length is pushed out of the way and let in, and taken off at the end, where the drawing is
# the still one again. With round caps a dash of length 0 would show as a dot: the pen is invisible until it starts.
_STYLE = """
@keyframes line {
  from { stroke-dasharray: 1; stroke-dashoffset: 1; stroke-opacity: 0 }
  1% { stroke-dasharray: 1; stroke-opacity: 1 }
  99.9% { stroke-dasharray: 1; stroke-dashoffset: 0.001 }
  to { stroke-dasharray: none; stroke-dashoffset: 0; stroke-opacity: 1 }
}
@keyframes fill { from { fill-opacity: 0 } to { fill-opacity: 1 } }
@keyframes show { from { opacity: 0 } to { opacity: 1 } }
.pen { animation: line var(--t) var(--at) linear both, fill var(--f) var(--on) ease-out both }
.fade { animation: show var(--f) var(--on) ease-out both }
@media (prefers-reduced-motion: reduce) { .pen, .fade { animation: none } }
"""


def animated(drawing: Drawing) -> str:
    """The drawing as a self-drawing SVG."""
    painted = drawing.painted
    lengths = [_seconds(stroke) for stroke in painted]
    pace = min(1.0, LONGEST / sum(lengths)) if lengths else 1.0
    starts: list[float] = [0.0]
    for seconds in lengths:
        starts.append(starts[-1] + seconds * pace)

    def timing(rank: int, stroke: Stroke) -> dict[str, str]:
        start, end = starts[rank], starts[rank + 1]
        if not _has_line(stroke):
            return {"class": "fade", "style": f"{_kept(stroke)}--f:{_time(end - start)};--on:{_time(start)}"}
        when = f"--at:{_time(start)};--t:{_time(end - start)};--on:{_time(end)};--f:{_time(FADE * pace)}"
        return {"class": "pen", "pathLength": "1", "style": when}

    return document(drawing, strokes(drawing, timing), style=_STYLE)


def _has_line(stroke: Stroke) -> bool:
    return stroke.has_pen and not isinstance(stroke, Text)


def _kept(stroke: Stroke) -> str:
    """A text's own style, which an extra attribute of the same name would replace."""
    return "font-kerning:none;font-variant-ligatures:none;" if isinstance(stroke, Text) else ""


def _seconds(stroke: Stroke) -> float:
    if not _has_line(stroke) or isinstance(stroke, Text):
        return FADE
    length = 0.0
    for run in subpaths_of(stroke):
        points = (*run.points, run.points[0]) if run.closed else run.points
        length += sum(_distance(a, b) for a, b in pairwise(points))
    return min(LONGEST_STROKE, max(SHORTEST_STROKE, length / SPEED))


def _distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def _time(seconds: float) -> str:
    return f"{seconds:.3f}s"
