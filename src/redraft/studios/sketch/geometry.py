"""The area that a drawing paints, exactly: strokes as shapely shapes, and a drawing as a `Layout`.

Shapes are the filled area (by SVG's nonzero rule) together with the ink of the pen (round joins and caps), in units
of the canvas, curves flattened to `paths.TOLERANCE`. The area of a scribble has a corner at every crossing, and
crossings grow with the square of the lines; their number is estimated from a sample first, and too many are refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree, polygonize, unary_union
from shapely.geometry import GeometryCollection, LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.drawing import glyphs
from redraft.layout.items import Item, Layout, Style
from redraft.studios.sketch import paths
from redraft.studios.sketch.paths import Subpath, arc_steps, ellipse_points
from redraft.studios.sketch.spec import Drawing, Part, Stroke
from redraft.studios.sketch.strokes import Arc, Ellipse, Line, Path, Polyline, Rect, Text

MAX_SEGMENTS = 400_000
"""Straight pieces in all, after curves are flattened; a detailed drawing of 2,000 strokes has about 50,000."""

MAX_CROSSINGS = {"of strokes with themselves": 10_000, "within one thing": 40_000}
"""A hatching of 100 by 100 lines has 10,000. The first kind costs most: some seconds at the limit."""

MAX_CROWDING = 150_000
"""Pairs of pieces of one stroke that lie within its pen's width, beyond those that any smooth line has."""

_FREE = 400
"""So few pieces cannot cross too often."""

_SAMPLE = 100
"""Pieces that are looked up to estimate the crossings of all."""

_SMOOTH = 8
"""Neighbors within the pen's width that a piece of a smooth line may have."""


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
    """Check that the lines can be measured in reasonable time.

    Raises:
        TangledError: there are too many pieces or, by regular samples, too many crossings.
    """
    total = sum(trace.pieces for trace in traces)
    if total > MAX_SEGMENTS:
        raise TangledError(
            f"The strokes have {total:,} pieces when their curves are flattened; at most {MAX_SEGMENTS:,} can be "
            "measured. Use fewer and simpler curves."
        )
    if total <= _FREE:
        return

    # The first kind of crossings costs most, so it is counted first.
    own, one = MAX_CROSSINGS
    crossings = sum(_count_meetings(trace.runs, beyond=3) // 2 for trace in traces if trace.pieces > 100)
    _check_crossings(own, crossings)
    things: dict[str, list[Subpath]] = {}
    for trace in traces:
        things.setdefault(trace.thing, []).extend(trace.runs)
    # Most things have so few pieces that they could not cross too often at all.
    many = [r for r in things.values() if sum(len(run.points) for run in r) ** 2 > max(MAX_CROSSINGS.values())]
    _check_crossings(one, max((_count_meetings(runs, beyond=3) // 2 for runs in many), default=0))
    penned = [t for t in traces if t.width and t.pieces > 20]
    if sum(_count_meetings(t.runs, t.width, beyond=_SMOOTH) for t in penned) > MAX_CROWDING:
        raise TangledError(
            "Lines run to and fro within the width of their own pen too often to be measured. Use a thinner pen or "
            "fewer points, or fill an area instead."
        )


def _check_crossings(where: str, crossings: int) -> None:
    if crossings > MAX_CROSSINGS[where]:
        raise TangledError(
            f"The drawing has about {crossings:,} crossings of lines {where}; at most {MAX_CROSSINGS[where]:,} "
            "can be measured. Use fewer lines, or fill an area instead of hatching it."
        )


def _count_meetings(runs: Sequence[Subpath], distance: float | None = None, *, beyond: int) -> int:
    """Count ordered pairs of pieces that meet, or lie within a distance, estimated from every n-th piece.

    `beyond` for each piece are what any line has, and do not count.
    """
    pieces: list[NDArray[np.float64]] = []
    for run in runs:
        # A lone point is a piece of no length.
        points = np.array([*run.points, run.points[0]] if run.closed or len(run.points) == 1 else run.points)
        pieces.append(np.stack([points[:-1], points[1:]], axis=1))
    lines = np.asarray(shapely.linestrings(np.concatenate(pieces)), dtype=np.object_)
    count, sample = lines.shape[0], lines[:: max(1, lines.shape[0] // _SAMPLE)]
    tree = STRtree(list(lines))
    near = tree.query(sample, "intersects") if distance is None else tree.query(sample, "dwithin", distance)
    return round(max(0, near.shape[1] - beyond * sample.shape[0]) / sample.shape[0] * count)


_EMPTY = GeometryCollection()


def layout_of(drawing: Drawing) -> Layout:
    """Return the drawing as items in painting order; a part that only groups others has an empty shape.

    Raises:
        TangledError: its lines bend or cross so often that measuring it would take too long.
    """
    parents = {part.name: part.parent for part in drawing.plan}
    ancestry: dict[str, list[str]] = {}  # each part and what it is a part of, up to the top
    for name in parents:
        ancestry[name] = [name]
        while (parent := parents[ancestry[name][-1]]) is not None:
            ancestry[name].append(parent)
    check_tangle(
        [
            Trace(subpaths_of(s), s.width if s.has_pen else 0.0, ancestry[s.part][-1])
            for s in drawing.strokes
            if not isinstance(s, Text)
        ]
    )

    by_part: dict[str, list[Stroke]] = {name: [] for name in parents}
    top: dict[str, int] = {}
    lowest: dict[str, int] = {}
    for rank, stroke in enumerate(drawing.painted):
        by_part[stroke.part].append(stroke)
        top[stroke.part] = rank
        lowest.setdefault(stroke.part, rank)

    # A part without strokes stands where its topmost part does, before it.
    groups = {name for name in parents if name not in top}
    ranks = dict.fromkeys(groups, 0) | top
    for name, line in ancestry.items():
        for group in groups.intersection(line):
            ranks[group] = max(ranks[group], top.get(name, 0))
    items = [_item(part, by_part[part.name], ranks[part.name], lowest.get(part.name)) for part in drawing.plan]
    return Layout(tuple(sorted(items, key=lambda item: (ranks[item.name], len(ancestry[item.name])))))


def _item(part: Part, strokes: Sequence[Stroke], rank: int, lowest: int | None) -> Item:
    shape = _union([painted(stroke) for stroke in strokes])
    pens = [s for s in strokes if s.has_pen]
    letters = [ink for s in strokes if isinstance(s, Text) and not (ink := painted(s)).is_empty]

    # The box of the strokes without the width of their pens.
    bare: BaseGeometry | None = None
    if pens:
        spots = [p for s in strokes if not isinstance(s, Text) for run in subpaths_of(s) for p in run.points]
        spots += [corner for ink in letters for corner in (ink.bounds[:2], ink.bounds[2:])]
        if spots:
            corners = np.array(spots)
            bare = box(*corners.min(axis=0), *corners.max(axis=0))

    return Item(
        name=part.name,
        label=part.label,
        shape=shape,
        parent=part.parent,
        layer=rank,
        is_line=bool(strokes) and not any(s.has_fill or isinstance(s, Text) for s in strokes),
        style=Style(
            fills=tuple(dict.fromkeys(s.fill for s in strokes if s.has_fill)),
            strokes=tuple(dict.fromkeys(s.stroke for s in pens)),
            widths=tuple(dict.fromkeys(s.width for s in pens)),
        ),
        outline=outline_of(shape),
        texts=tuple(s.text for s in strokes if isinstance(s, Text)),
        bare=bare,
        letters=tuple(letters),
        lowest=lowest,
    )


def outline_of(shape: BaseGeometry) -> BaseGeometry | None:
    """Return the silhouette, holes filled in; None where that is the shape itself."""
    polygons = [g for g in getattr(shape, "geoms", [shape]) if isinstance(g, Polygon)]
    if not any(p.interiors for p in polygons):
        return None
    return unary_union([Polygon(p.exterior) for p in polygons])


def painted(stroke: Stroke) -> BaseGeometry:
    """Return the area that one stroke paints. Remembered: the rules look at the same strokes again and again."""
    return _painted(stroke)


def _paint(stroke: Stroke) -> BaseGeometry:
    pen = stroke.width / 2 if stroke.has_pen else 0.0
    if isinstance(stroke, Text):
        x0, y0, x1, y1 = glyphs.ink_box(stroke.text, stroke.x, stroke.y, stroke.size, stroke.anchor)
        return box(x0 - pen, y0 - pen, x1 + pen, y1 + pen) if x1 > x0 else _EMPTY
    if isinstance(stroke, Ellipse) and stroke.rx == stroke.ry:
        # A circle and its pen need no approximation by buffers: both edges are circles.
        center, inner = (stroke.cx, stroke.cy), 0.0 if stroke.has_fill else stroke.rx - pen
        hole = [ellipse_points(center, inner, inner)] if inner > 0 else []
        return Polygon(ellipse_points(center, stroke.rx + pen, stroke.rx + pen), hole)

    runs = subpaths_of(stroke)
    fill = nonzero([run.points for run in runs]) if stroke.has_fill and not isinstance(stroke, Line) else _EMPTY
    ink: list[BaseGeometry] = []
    for run in runs if stroke.has_pen else ():
        points = (*run.points, run.points[0]) if run.closed else run.points
        line = LineString(points) if len(set(points)) > 1 else Point(points[0])  # a round cap paints a dot
        ink.append(line.buffer(pen, quad_segs=arc_steps(pen, math.pi / 2)))
    return _union([g for g in (fill, _union(ink)) if not g.is_empty])


_painted = cast("Callable[[Stroke], BaseGeometry]", lru_cache(maxsize=2048)(_paint))


def subpaths_of(stroke: Line | Polyline | Path | Rect | Ellipse | Arc) -> tuple[Subpath, ...]:
    """Return the stroke's own lines, flattened."""
    match stroke:
        case Line() | Polyline():
            return (Subpath(stroke.points, closed=False),)
        case Path():
            return paths.flatten(paths.parse(stroke.d))
        case Rect():
            return (Subpath(tuple(rect_points(stroke)), closed=True),)
        case Ellipse():
            center, angle = (stroke.cx, stroke.cy), math.radians(stroke.angle)
            return (Subpath(tuple(ellipse_points(center, stroke.rx, stroke.ry, angle)), closed=True),)
        case Arc():
            return (Subpath(tuple(arc_points(stroke)), closed=False),)


def rect_points(rect: Rect) -> list[tuple[float, float]]:
    """Return the corners, or the rounded outline; a radius over half the shorter side is cut to it, as SVG does."""
    x0, y0, x1, y1 = rect.x, rect.y, rect.x + rect.w, rect.y + rect.h
    r = min(rect.r, rect.w / 2, rect.h / 2)
    if r == 0:
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    centers = [(x1 - r, y0 + r), (x1 - r, y1 - r), (x0 + r, y1 - r), (x0 + r, y0 + r)]
    points: list[tuple[float, float]] = []
    for quarter, center in enumerate(centers):
        arc = paths.Arc(center, r, r, 0.0, (quarter - 1) * math.pi / 2, math.pi / 2)
        steps = arc_steps(r, math.pi / 2)
        points += [arc.at(i / steps) for i in range(steps + 1)]
    return points


def arc_points(arc: Arc) -> list[tuple[float, float]]:
    """Return points from start to end, both included."""
    steps = arc_steps(max(arc.rx, arc.ry), math.radians(arc.sweep))
    return [arc.at(i / steps) for i in range(steps + 1)]


def nonzero(rings: Sequence[Sequence[tuple[float, float]]]) -> BaseGeometry:
    """Return the area that SVG's nonzero rule fills: where the rings' windings do not cancel."""
    rings = [ring for ring in rings if len(set(ring)) > 2]
    simple = [Polygon(ring) for ring in rings]
    if all(p.is_valid for p in simple) and _cannot_cancel(simple):
        return _union(simple)
    lines = unary_union([LineString([*ring, ring[0]]) for ring in rings])
    faces = list(polygonize([lines]).geoms)
    if not faces:  # all points on one line
        return _EMPTY

    # Winding numbers around a point in each face: signed crossings of a ray to the right (Sunday, 2001).
    x, y = np.array([(p.x, p.y) for p in (face.representative_point() for face in faces)]).T
    winding = np.zeros(len(faces), dtype=np.int64)
    for ring in rings:
        for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
            side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
            winding += ((y0 <= y) & (y1 > y) & (side > 0)).astype(np.int64)
            winding -= ((y1 <= y) & (y0 > y) & (side < 0)).astype(np.int64)
    return _union([face for face, turns in zip(faces, winding, strict=True) if turns != 0])


def _cannot_cancel(polygons: Sequence[Polygon]) -> bool:
    """Return whether all are clockwise, all counter-clockwise, or apart."""
    if len({p.exterior.is_ccw for p in polygons}) <= 1:
        return True
    pairs = STRtree(polygons).query(polygons, predicate="intersects")
    return bool((pairs[0] == pairs[1]).all())


def _union(shapes: Sequence[BaseGeometry]) -> BaseGeometry:
    if not shapes:
        return _EMPTY
    return shapes[0] if len(shapes) == 1 else unary_union(shapes)
