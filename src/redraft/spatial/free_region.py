"""The region of free places for one component: where its position may be so that it meets nothing.

Exact for convex rooms and pads: an obstacle forbids the positions of its shape grown by the mirrored shape of the
component (their Minkowski sum), and the free region is what all of these leave. A convex cost over it is least on its
boundary, or where nothing is in the way at all, so that the cheapest places are found without a grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.affinity import translate
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.layout import Bounds, Fixture, Item, Keepout, Layout, Port
from redraft.spatial.collisions import rooms

__all__ = ["cheapest", "forbidden_by", "free_region", "minkowski"]

Numbers = NDArray[np.float64]

ARC = 8
"""Pieces of a quarter circle; arcs run outside the true ones, so that no clearance is lost."""
OUTSIDE = 1.0 / math.cos(math.pi / (4 * ARC))
STEP = 0.5
"""Units: the longest piece of the boundary that is searched at once."""
ROUNDS = 48
"""Steps of the golden section: a piece of 0.5 mm ends far below a nanometer."""
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
COPPER = {1: "F.Cu", 0: "B.Cu"}


def minkowski(fixed: BaseGeometry, mine: BaseGeometry) -> Polygon:
    """The shifts at which `mine` meets `fixed`, of their convex hulls: the hull of all differences of points."""
    sums = shapely.get_coordinates(fixed.convex_hull)[:, None] - shapely.get_coordinates(mine.convex_hull)[None]
    return shapely.convex_hull(shapely.multipoints(sums.reshape(-1, 2)))  # pyright: ignore[reportReturnType]


def free_region(
    layout: Layout, item: Item, window: Bounds, clearance: float, absent: Collection[str] = ()
) -> BaseGeometry:
    """The free positions of an item's origin in a window.

    Args:
        item: as it is turned; `origin` is (0, 0), so that a shift is a position.
        clearance: kept between its room and the rooms of others; copper keeps the layout's own clearances.
        absent: top-level items that block nothing.

    Rooms, keep-outs, the edge of the area, and pads, tracks and vias of other nets are in the way; zones are not.
    """
    domain, hull = _domain(layout, item, window)
    reach = max(map(abs, (*hull.bounds, *(v for port in item.ports for v in port.shape.bounds))))
    x0, y0, x1, y1 = window
    near = (x0 - reach, y0 - reach, x1 + reach, y1 + reach)
    rows = np.flatnonzero(_meeting(layout.extents, near, clearance + _widest(layout)))
    others = [layout.roots[row] for row in rows.tolist()]
    barred = [shape for other in others if other.name not in absent for shape in forbidden_by(layout, other, item, clearance)]
    barred += _by_keepouts(layout.barred, item)
    barred += _by_edges(layout, item, hull, near)
    barred += _by_copper(layout, item, near)
    return domain.difference(shapely.union_all([shape for shape in barred if shape.intersects(domain)]))


def _widest(layout: Layout) -> float:
    return layout.clearance if isinstance(layout.clearance, float | int) else 1.0


def _meeting(boxes: Numbers, window: Bounds, more: float) -> NDArray[np.bool_]:
    x0, y0, x1, y1 = window
    met = (boxes[:, 0] <= x1 + more) & (boxes[:, 2] >= x0 - more)
    return met & (boxes[:, 1] <= y1 + more) & (boxes[:, 3] >= y0 - more)


def _domain(layout: Layout, item: Item, window: Bounds) -> tuple[BaseGeometry, BaseGeometry]:
    """The positions in the window at which the middle of the item is on the area, and the hull of its rooms."""
    shapes = list(rooms(item).values()) or [port.shape for port in item.ports]
    hull = shapely.union_all(shapes).convex_hull
    domain: BaseGeometry = box(*window)
    if layout.area is not None:
        middle = hull.centroid
        domain = domain.intersection(translate(layout.area, -middle.x, -middle.y))
    return domain, hull


def forbidden_by(layout: Layout, other: Item, item: Item, clearance: float) -> Iterator[BaseGeometry]:
    """The positions of an item that another one forbids, by their rooms and by pads of different nets."""
    if other.name == item.name:
        return
    mine, theirs = rooms(item), rooms(other)
    for layer in mine.keys() & theirs.keys():
        yield from _grown(theirs[layer], mine[layer], clearance)
    for port in item.ports:
        for pad in other.ports:
            layers = {item.layer_of(port), other.layer_of(pad)}
            if (len(layers) == 1 or None in layers) and not (port.net and port.net == pad.net):
                gap = port.radius + pad.radius + _copper(layout, port.net, pad.net)
                yield from _grown(pad.core, port.core, gap)


def _copper(layout: Layout, a: str, b: str) -> float:
    return layout.clearance(a, b) if callable(layout.clearance) else layout.clearance


def _grown(obstacle: BaseGeometry, mine: BaseGeometry, gap: float) -> Iterator[BaseGeometry]:
    """The shifts at which a convex shape is nearer than `gap` to an obstacle, in convex pieces."""
    for piece in _convex(obstacle):
        sum_ = minkowski(piece, mine)
        yield sum_.buffer(gap * OUTSIDE, quad_segs=ARC) if gap else sum_


def _convex(shape: BaseGeometry) -> Iterable[BaseGeometry]:
    """A shape as convex pieces that cover it."""
    for part in shapely.get_parts(shape):
        if part.area >= part.convex_hull.area * (1.0 - 1e-9):
            yield part
        else:
            yield from shapely.get_parts(shapely.constrained_delaunay_triangles(part))


def _by_keepouts(barred: Sequence[Keepout], item: Item) -> Iterator[BaseGeometry]:
    claims = rooms(item)
    for keepout in barred:
        if keepout.item != item.name:
            for layer in claims if keepout.layers is None else claims.keys() & set(keepout.layers):
                yield from _grown(keepout.shape, claims[layer], 0.0)


def _by_edges(layout: Layout, item: Item, hull: BaseGeometry, near: Bounds) -> Iterator[BaseGeometry]:
    """By the outline and the cut-outs of the area: nothing hangs over, and pads keep the area's clearance."""
    if layout.area is None:
        return
    for line in shapely.get_parts(shapely.clip_by_rect(layout.area.boundary, *near)):
        points = shapely.get_coordinates(line)
        for a, b in zip(points[:-1], points[1:], strict=True):
            edge = shapely.linestrings([a, b])
            yield minkowski(edge, hull)
            for port in item.ports if layout.edge_clearance else ():
                yield from _grown(edge, port.core, port.radius + layout.edge_clearance)


def _by_copper(layout: Layout, item: Item, near: Bounds) -> Iterator[BaseGeometry]:
    """By tracks and vias of other nets."""
    for fixture in () if layout.fixtures is None else layout.fixtures(near):
        if fixture.kind in {"track", "via"} and fixture.net:
            for port in item.ports:
                if port.net != fixture.net and _shares(item, port, fixture):
                    yield from _grown(fixture.shape, port.core, port.radius + _copper(layout, port.net, fixture.net))


def _shares(item: Item, port: Port, fixture: Fixture) -> bool:
    """Return whether a pad and a track lie on one layer; vias and holes are on all."""
    layer = item.layer_of(port)
    return layer is None or fixture.kind == "via" or COPPER[layer] in fixture.layer.split(", ")


def cheapest(
    region: BaseGeometry, cost: Callable[[Numbers], Numbers], slope: float, tries: BaseGeometry | None = None
) -> Iterator[tuple[float, float, float]]:
    """Cost, x and y of places on the boundary of a region and of those of `tries` within it, the cheapest first.

    `cost` takes points (n, 2), is convex in pieces of 0.5 units, and changes by at most `slope` for each unit.
    """
    found: list[Numbers] = []
    if tries is not None and not (inside := tries.intersection(region)).is_empty:
        found.append(shapely.get_coordinates(inside))
    shapely.prepare(region)
    rings = shapely.get_parts(shapely.segmentize(region.boundary, STEP)) if not region.is_empty else []
    pieces = [shapely.get_coordinates(ring) for ring in rings]
    if pieces:
        a, b = (np.concatenate([p[s] for p in pieces]) for s in (slice(None, -1), slice(1, None)))
        at = cost(a), cost(b)
        low = (at[0] + at[1] - slope * np.hypot(*(b - a).T)) / 2.0
        kept = low <= np.minimum(*at).min() + SPARE
        found.append(_golden(a[kept], b[kept], cost))
    if not found:
        return
    points = np.concatenate(found)
    costs = cost(points)
    for row in np.lexsort((points[:, 1], points[:, 0], np.round(costs, 9))).tolist():
        yield float(costs[row]), float(points[row, 0]), float(points[row, 1])


SPARE = 0.5
"""Places that cost up to so many units more than the best are named too."""


def _golden(a: Numbers, b: Numbers, cost: Callable[[Numbers], Numbers]) -> Numbers:
    """The cheapest point of each piece from a to b: by golden section, or one of its ends."""
    low, high = np.zeros(len(a)), np.ones(len(a))

    def at(where: Numbers) -> Numbers:
        return a + (b - a) * where[:, None]

    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    costs = cost(at(left)), cost(at(right))
    for _ in range(ROUNDS):
        less = costs[0] < costs[1]
        low, high = np.where(less, low, left), np.where(less, right, high)
        again = np.where(less, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        fresh = cost(at(again))
        left, right = np.where(less, again, right), np.where(less, left, again)
        costs = np.where(less, fresh, costs[1]), np.where(less, costs[0], fresh)
    ends = np.stack([cost(a), cost(b), cost(at((low + high) / 2))])
    best = np.argmin(ends, axis=0)
    return np.where((best == 0)[:, None], a, np.where((best == 1)[:, None], b, at((low + high) / 2)))
