"""Closed rings from loose lines: outlines and courtyards are drawn line by line, in any order and direction.

`rings` works in two steps. Nearly all drawings are lines that share their ends exactly, two at each: `plain_rings`
walks along those. The others are joined where ends nearly meet, and shapely finds the faces between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple, cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from redraft.studios.board.kicad.graphics import Points

_End = tuple[float, ...]
_Ends = tuple[_End, _End]


def chains(lines: Sequence[Points]) -> tuple[list[Points], list[Points]]:
    """Return closed rings of lines, and the lines of no such ring, in their order.

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
        if not walk:
            continue

        # The points of the lines that follow each other, whichever way each runs.
        at, parts = ends[i][0], list[Points]()
        for j in walk:
            along = lines[j] if ends[j][0] == at else lines[j][::-1]
            parts.append(along[:-1])
            at = ends[j][1] if ends[j][0] == at else ends[j][0]
        ring = np.concatenate((*parts, parts[0][:1]))
        if len(ring) > 3 and polygon(ring).is_valid:
            rings.append(ring)
            used.update(walk)
    return rings, [line for i, line in enumerate(lines) if i not in used]


def polygon(ring: Points, holes: Sequence[Points] | None = None) -> Polygon:
    """Return the area within a closed line, which may cross itself. Twice as fast as `Polygon`."""
    return cast("Polygon", shapely.polygons(ring, holes))


def _walk(start: int, ends: Sequence[_Ends], meeting: Mapping[_End, Sequence[int]], seen: set[int]) -> list[int]:
    """Return the lines from one on until its beginning; none where the way stops, forks, or was walked before."""
    home, here = ends[start]
    walk, i = list[int](), start
    while i not in seen:
        seen.add(i)
        walk.append(i)
        both = meeting[here]
        if len(both) != 2:
            return []
        if here == home:
            return walk
        i = both[1] if both[0] == i else both[0]
        here = ends[i][1] if ends[i][0] == here else ends[i][0]
    return []


MIN_EXTENT = 1e-6
"""Millimeters. A line that stays within a nanometer draws nothing."""
SPECK = 1e-3
"""Square millimeters by which two rings may differ and yet be the same one, drawn twice."""
TWICE = -1
"""In place of a depth: the ring is there already."""
MAX_LOOSE = 1000
"""Loose ends beyond which none are brought together: that is a heap of lines, and comparing all pairs takes long."""
MAX_GAPS = 500
"""Loose ends whose gaps are looked for."""


class Rings(NamedTuple):
    """The areas that lines enclose, in millimeters, and the other lines."""

    closed: list[Polygon]
    """Without holes, in no order; one that crosses itself is not valid."""
    strays: list[Points]
    """Lines that enclose nothing."""


class Gap(NamedTuple):
    """Two loose ends, and how far apart they are."""

    one: tuple[float, float]
    other: tuple[float, float]
    apart: float


def rings(curves: Iterable[Points], tolerance: float) -> Rings:
    """Return the rings of all these lines; loose ends that miss each other by `tolerance` or less are joined.

    Lines that are drawn twice count once.
    """
    closed, loose = plain_rings(curves)
    faces, strays = _faces(loose, tolerance)
    return Rings(closed + faces, strays)


def plain_rings(curves: Iterable[Points]) -> Rings:
    """Return the rings that are closed curves, or lines that meet exactly and only each other; strays are the rest."""
    # Without curves that draw nothing, and without repetitions, whichever way they run.
    distinct: dict[object, Points] = {}
    for curve in curves:
        if len(curve) >= 2 and _extent(curve) > MIN_EXTENT:
            distinct.setdefault(_either_way(curve), curve)
    kept = list(distinct.values())
    linked, loose = chains([curve for curve in kept if not _is_closed(curve)])
    return Rings([polygon(ring) for ring in (*filter(_is_closed, kept), *linked)], loose)


def gaps(strays: Sequence[Points]) -> list[Gap]:
    """Return the loose ends of lines that enclose nothing, each with the nearest other one."""
    if not strays:
        return []
    places, lonely = _loose(strays)
    pairs = _partners(places, lonely[:MAX_GAPS], math.inf)
    return [Gap(_point(places[a]), _point(places[b]), apart) for a, b, apart in pairs]


def _point(place: Points) -> tuple[float, float]:
    return float(place[0]), float(place[1])


def nested(rings: Sequence[Polygon]) -> BaseGeometry | None:
    """Return the area of rings: those within an odd number of others are holes. None where there is no ring."""
    if len(rings) < 2:
        return rings[0] if rings else None
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


def polygons(shapes: Iterable[BaseGeometry]) -> list[Polygon]:
    """Return those of several shapes that are polygons and enclose anything."""
    return [shape for shape in shapes if isinstance(shape, Polygon) and shape.area > 0]


def _either_way(curve: Points) -> object:
    """Return a key that is the same for two curves through the same points, whichever way they run."""
    if len(curve) == 2:  # nearly all are, and numbers of Python's are quicker than arrays of four
        (x0, y0), (x1, y1) = curve.tolist()
        return frozenset(((x0, y0), (x1, y1)))
    line = curve + 0.0  # no negative zeros, so that equal means equal bytes
    return min(line.tobytes(), line[::-1].tobytes())


def _extent(curve: Points) -> float:
    if len(curve) == 2:
        (x0, y0), (x1, y1) = curve.tolist()
        return max(abs(x1 - x0), abs(y1 - y0))
    return float((curve.max(axis=0) - curve.min(axis=0)).max())


def _is_closed(curve: Points) -> bool:
    return len(curve) > 3 and curve[0].tolist() == curve[-1].tolist()


def _faces(lines: Sequence[Points], tolerance: float) -> tuple[list[Polygon], list[Points]]:
    """Return the outer rings of what lines enclose between them, and the lines that enclose nothing."""
    strings = [LineString(line) for line in _with_ends_met(lines, tolerance)]
    if not strings:
        return [], []
    faces, cuts, dangles, crossed = shapely.polygonize_full(strings)
    rings = [Polygon(face.exterior) for face in polygons(faces.geoms)]
    rings += [Polygon(shapely.get_coordinates(line)) for line in crossed.geoms]
    return rings, [shapely.get_coordinates(line) for bundle in (cuts, dangles) for line in bundle.geoms]


def _with_ends_met(lines: Sequence[Points], tolerance: float) -> list[Points]:
    """Return the lines with their loose ends brought together, the nearest first, at the end that comes first."""
    if not lines:
        return []
    places, lonely = _loose(lines)
    if not lonely:
        return list(lines)
    where = {tuple(place): i for i, place in enumerate(places.tolist())}
    ends = [(where[tuple(line[0].tolist())], where[tuple(line[-1].tolist())]) for line in lines]
    short = {(min(pair), max(pair)) for pair, line in zip(ends, lines, strict=True) if _extent(line) <= 2 * tolerance}
    for a, b, _ in _partners(places, lonely, tolerance, short):
        places[b] = places[a]
    met = [np.vstack((places[a], line[1:-1], places[b])) for (a, b), line in zip(ends, lines, strict=True)]
    return [line for line in met if _extent(line) > MIN_EXTENT]


def _partners(
    places: Points, lonely: Sequence[int], reach: float, never: Set[tuple[int, int]] = frozenset()
) -> list[tuple[int, int, float]]:
    """Return pairs of places within `reach`, with their distance, the nearest first; each place is in one at most."""
    if not 2 <= len(lonely) <= MAX_LOOSE:
        return []
    at = places[np.asarray(lonely)]
    points = np.array(list(map(Point, at)), dtype=object)
    a, b = STRtree(points).query(points, predicate="dwithin", distance=reach)
    a, b = a[a < b], b[a < b]
    apart: NDArray[np.float64] = np.hypot(*(at[a] - at[b]).T)
    free, pairs = set(lonely), list[tuple[int, int, float]]()
    for n in np.lexsort((b, a, apart)).tolist():
        one, other = lonely[int(a[n])], lonely[int(b[n])]
        if one in free and other in free and (one, other) not in never:
            free -= {one, other}
            pairs.append((one, other, float(apart[n])))
    return pairs


def _loose(lines: Sequence[Points]) -> tuple[Points, list[int]]:
    """Return the places where these lines end, in order, and the indices of those where an odd number of lines ends."""
    ends = np.array([(line[0], line[-1]) for line in lines]).reshape(-1, 2)
    places, begun, count = np.unique(ends, axis=0, return_index=True, return_counts=True)
    order = np.argsort(begun)
    return places[order], np.flatnonzero(count[order] % 2).tolist()


def _depths(shapes: Sequence[Polygon]) -> list[int]:
    """Return for each shape the number of others that a point of it lies in. The largest come first."""
    inner = [shape.representative_point() for shape in shapes]
    depths = [0] * len(shapes)
    pairs: list[tuple[int, int]] = STRtree(shapes).query(inner, predicate="within").T.tolist()
    for i, j in sorted(pairs):
        if j < i and TWICE not in {depths[i], depths[j]}:
            one, other = shapes[i], shapes[j]
            same = one.area > 0.99 * other.area and one.symmetric_difference(other).area < SPECK
            depths[i] = TWICE if same else depths[i] + 1
    return depths
