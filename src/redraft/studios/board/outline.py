"""The board's edge: lines on Edge.Cuts joined into rings, and the area that they enclose.

Lines come in any order and direction. A ring within another one is a cut-out, one within that is board again, and
several side by side are a panel. Lengths are millimetres.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import STRtree
from shapely.geometry import LineString, MultiLineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.validation import explain_validity

from redraft.studios.board.arcs import Points

__all__ = ["TOLERANCE", "Outline", "joined"]

TOLERANCE = 0.01
"""How far the ends of two lines may miss each other and still meet, in millimetres: KiCad's own."""
SHORTEST = 1e-6
"""A line that stays within a nanometre draws nothing."""
SPECK = 1e-3
"""Square millimetres by which two rings may differ and yet be the same one, drawn twice."""
TWICE = -1
"""In place of a depth: the ring is there already."""
MOST = 500
"""Loose ends of which the gaps are looked for."""
TOLD = 3
"""Gaps that a warning names; of more, the number."""


@dataclass(frozen=True)
class Outline:
    """The board's area in millimetres, None where there is none for certain, and why in words."""

    area: BaseGeometry | None
    warnings: tuple[str, ...] = ()


def joined(curves: Sequence[Points]) -> Outline:
    """The area that lines enclose, in any order and direction; ends within `TOLERANCE` of each other meet.

    Open lines within closed rings are told and left out; where they reach beyond all rings, or there are none, the
    outline itself is open, and there is no area.
    """
    kept = _distinct(curves)
    if not kept:
        return Outline(None)
    faces, strays = _faces([curve for curve in kept if not _is_closed(curve)])
    rings = [Polygon(curve) for curve in kept if _is_closed(curve)] + faces
    area = _nested([part for ring in rings for part in _sound(ring)])
    if area is not None and strays and not _within(strays, area):
        area = None
    return Outline(area, (*_crossings(rings), *_gaps(strays, area is None)))


def _distinct(curves: Sequence[Points]) -> list[Points]:
    """Without those that draw nothing, and without repetitions, whichever way they run."""
    found: dict[bytes, Points] = {}
    for curve in curves:
        if len(curve) >= 2 and float(np.ptp(curve, axis=0).max()) > SHORTEST:
            rounded = np.round(curve, 6) + 0.0  # no negative zeros, so that equal means equal bytes
            found.setdefault(min(rounded.tobytes(), rounded[::-1].tobytes()), rounded)
    return list(found.values())


def _is_closed(curve: Points) -> bool:
    return len(curve) > 3 and bool((curve[0] == curve[-1]).all())


def _faces(lines: Sequence[Points]) -> tuple[list[Polygon], list[Points]]:
    """What lines between them enclose, by the outer rings, and those that enclose nothing."""
    strings = [LineString(line) for line in _met(lines)]
    if not strings:
        return [], []
    faces, cuts, dangles, crossed = shapely.polygonize_full(strings)
    rings = [Polygon(face.exterior) for face in _polygons(faces.geoms)]
    rings += [Polygon(shapely.get_coordinates(line)) for line in crossed.geoms]
    return rings, [shapely.get_coordinates(line) for bundle in (cuts, dangles) for line in bundle.geoms]


def _met(lines: Sequence[Points]) -> list[Points]:
    """The lines with their loose ends brought together, the nearest ones first."""
    if not lines:
        return []
    places, lonely = _loose(lines)
    where = {tuple(place): i for i, place in enumerate(places.tolist())}
    ends = [(where[tuple(line[0].tolist())], where[tuple(line[-1].tolist())]) for line in lines]
    short = {(min(pair), max(pair)) for pair, line in zip(ends, lines, strict=True) if _is_short(line)}
    for a, b, _ in _partners(places, lonely, TOLERANCE, short):
        places[b] = places[a]
    met = [np.vstack((places[a], line[1:-1], places[b])) for (a, b), line in zip(ends, lines, strict=True)]
    return [line for line in met if float(np.ptp(line, axis=0).max()) > SHORTEST]


def _is_short(line: Points) -> bool:
    return float(np.ptp(line, axis=0).max()) <= 2 * TOLERANCE


def _partners(
    places: Points, lonely: Sequence[int], reach: float, never: Set[tuple[int, int]] = frozenset()
) -> list[tuple[int, int, float]]:
    """Pairs of places no further apart than that, and how far, the nearest first, each place in one pair at most."""
    if len(lonely) < 2:
        return []
    points = [Point(places[i]) for i in lonely]
    pairs: list[tuple[int, int]] = STRtree(points).query(points, predicate="dwithin", distance=reach).T.tolist()
    near = sorted((points[a].distance(points[b]), lonely[a], lonely[b]) for a, b in pairs if a < b)
    free = set(lonely)
    found: list[tuple[int, int, float]] = []
    for apart, a, b in near:
        if a in free and b in free and (a, b) not in never:
            free -= {a, b}
            found.append((a, b, apart))
    return found


def _polygons(shapes: Iterable[BaseGeometry]) -> list[Polygon]:
    return [shape for shape in shapes if isinstance(shape, Polygon) and shape.area > 0]


def _sound(ring: Polygon) -> list[Polygon]:
    """A ring as areas that do not cross themselves, together what is painted inside."""
    if ring.is_valid:
        return _polygons([ring])
    faces = shapely.polygonize([shapely.union_all([ring.exterior])])
    return _polygons(faces.geoms)


def _nested(rings: Sequence[Polygon]) -> BaseGeometry | None:
    """Rings within an odd number of others taken out of the rest. None: no ring."""
    if not rings:
        return None
    shapes = sorted(rings, key=lambda ring: -ring.area)
    levels: dict[int, list[Polygon]] = {}
    for shape, depth in zip(shapes, _depths(shapes), strict=True):
        levels.setdefault(depth, []).append(shape)
    levels.pop(TWICE, None)
    area: BaseGeometry | None = None
    for depth in sorted(levels):
        layer = shapely.union_all(levels[depth])
        area = layer if area is None else area.difference(layer) if depth % 2 else area.union(layer)
    return area


def _depths(shapes: Sequence[Polygon]) -> list[int]:
    """Within how many others each lies, by a point in it; the largest come first."""
    inner = [shape.representative_point() for shape in shapes]
    depths = [0] * len(shapes)
    pairs: list[tuple[int, int]] = STRtree(shapes).query(inner, predicate="within").T.tolist()
    for i, j in sorted(pairs):
        if j < i and TWICE not in {depths[i], depths[j]}:
            depths[i] = TWICE if _same(shapes[i], shapes[j]) else depths[i] + 1
    return depths


def _same(one: Polygon, other: Polygon) -> bool:
    return one.area > 0.99 * other.area and one.symmetric_difference(other).area < SPECK


def _within(strays: Sequence[Points], area: BaseGeometry) -> bool:
    """Whether all these lines lie in the board or its cut-outs."""
    outer = [Polygon(part.exterior) for part in _polygons(shapely.get_parts(area))]
    return shapely.union_all(outer).buffer(TOLERANCE).covers(MultiLineString(strays))


def _crossings(rings: Sequence[Polygon]) -> Iterator[str]:
    for ring in rings:
        if not ring.is_valid:
            place = re.sub(r".*\[(\S+) (\S+)\].*", r"(\1, \2)", explain_validity(ring))
            yield (
                f"The board's outline on Edge.Cuts crosses or touches itself at {place} mm; its area is taken as "
                "all that it surrounds. Mend the outline in KiCad's board editor, which refuses it."
            )


def _gaps(strays: Sequence[Points], unknown: bool) -> Iterator[str]:
    """What is open, by its loose ends, each with the nearest other one."""
    if not strays:
        return
    what = "is not closed, so the board's area is unknown" if unknown else "has lines that bound nothing, left out"
    places, lonely = _loose(strays)
    pairs = _partners(places, lonely[:MOST], math.inf)  # all pairs of them
    told = [f"{apart:.6g} mm from {_at(places[a])} to {_at(places[b])}" for a, b, apart in pairs[:TOLD]]
    more = f" and {len(pairs) - TOLD} more" if len(pairs) > TOLD else ""
    gaps = f"; gaps: {', '.join(told)}{more}" if told else ""
    yield f"The outline on Edge.Cuts {what}{gaps}. Mend the outline in KiCad's board editor."


def _loose(lines: Sequence[Points]) -> tuple[Points, list[int]]:
    """The places where these lines end, and which of them an odd number of lines does."""
    ends = np.array([(line[0], line[-1]) for line in lines]).reshape(-1, 2)
    places, count = np.unique(ends, axis=0, return_counts=True)
    return places, np.flatnonzero(count % 2).tolist()


def _at(place: Points) -> str:
    return f"({place[0]:.6g}, {place[1]:.6g})"
