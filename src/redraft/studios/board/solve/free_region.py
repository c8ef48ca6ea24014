"""The region of free places for one component: where its position may be so that it meets nothing.

Exact for convex rooms and pads: an obstacle forbids the positions of its shape grown by the mirrored shape of the
component (their Minkowski sum), and the free region is what all of these leave. A convex cost over it is least on its
boundary, or where nothing is in the way at all, so that the cheapest places are found without a grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree
from shapely.affinity import translate
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds, Item, Layout
from redraft.studios.board.solve.collisions import COPPER, rooms

Numbers = NDArray[np.float64]
Shapes = NDArray[Any]

ARC = 8
"""Pieces of a quarter circle; arcs run outside the true ones, so that no clearance is lost."""
OUTSIDE = 1.0 / math.cos(math.pi / (4 * ARC))
MAX_CORNERS = 16
"""Corners of a convex shape; one with more, which has round ones, is replaced by a shape around it."""
FLAT = 1e-3
"""Degrees by which an edge may turn and still count as straight on."""
MAX_PIECE = 0.5
"""The longest piece of the boundary that is searched at once, in units."""
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
GOLDEN_STEPS = 36
"""Steps of the golden section: a piece of 0.5 mm ends far below a nanometer."""
MAX_SLOPE = 2.3
"""The change of a cost for each unit, at most."""
SPARE = 0.1
"""Places that cost up to so many units more than the best are listed too."""
MAX_PLACES = 24
"""Places that are listed at most."""
TOUCHING = 1e-7
"""Copper that is too near by no more than this is far enough, in units."""
COPPER_REACH = 1.0
"""Millimeters around a pad in which other copper is looked at."""


def minkowski(fixed: BaseGeometry, mine: BaseGeometry) -> BaseGeometry:
    """Return the shifts at which `mine` meets `fixed`, by their convex hulls: the hull of all differences of points."""
    return _sums(np.array([fixed]), mine, np.zeros(1))[0]


def _sums(fixed: Shapes, mine: BaseGeometry, gaps: Numbers) -> Shapes:
    """Return `minkowski` of many convex shapes, each with the shifts that come nearer than its gap."""
    if not len(fixed):
        return fixed
    outer = np.array([_few_corners(shape) for shape in fixed], dtype=object)
    points, rows = shapely.get_coordinates(outer, return_index=True)
    own = shapely.get_coordinates(_few_corners(mine.convex_hull))
    sums = (points[:, None] - own[None]).reshape(-1, 2)
    many = shapely.multipoints(sums, indices=np.repeat(rows, len(own)), out=np.empty(len(fixed), dtype=object))
    hulls: Shapes = np.asarray(shapely.convex_hull(many), dtype=object)
    near = gaps > 0
    hulls[near] = shapely.buffer(hulls[near], gaps[near] * OUTSIDE, quad_segs=ARC)
    return hulls


@lru_cache(maxsize=8192)
def _few_corners(shape: BaseGeometry) -> BaseGeometry:
    """Return a convex shape, or one around it with the same long sides and fewer corners where it has round ones."""
    points: Numbers = shapely.get_coordinates(shape)[:-1]
    if len(points) <= MAX_CORNERS:
        return shape
    edges = np.roll(points, -1, axis=0) - points
    lengths, angles = np.hypot(*edges.T), np.degrees(np.unwrap(np.arctan2(edges[:, 1], edges[:, 0])))
    long = lengths >= 0.1 * lengths.sum()
    first, turning = int(np.argmax(lengths)), 360.0 / MAX_CORNERS
    kept = [first]
    for i in (*range(first + 1, len(points)), *range(first)):
        turned = abs(angles[i] - angles[kept[-1]]) % 360.0
        if lengths[i] > 0 and (turned >= turning or (long[i] and turned > FLAT)):
            kept.append(i)
    a, b = points[kept], edges[kept]
    c, d = np.roll(a, -1, axis=0), np.roll(b, -1, axis=0)
    far = ((c - a)[:, 0] * d[:, 1] - (c - a)[:, 1] * d[:, 0]) / (b[:, 0] * d[:, 1] - b[:, 1] * d[:, 0])
    around = Polygon(a + b * far[:, None])
    return around if around.is_valid and around.area >= shape.area * (1.0 - 1e-9) else shape


def _convex(shapes: Shapes) -> tuple[Shapes, NDArray[np.int64]]:
    """Return convex pieces that cover shapes, and the shape that each is of."""
    parts, rows = shapely.get_parts(shapes, return_index=True)
    whole = shapely.area(parts) >= shapely.area(shapely.convex_hull(parts)) * (1.0 - 1e-9)  # pyright: ignore[reportUnknownMemberType]
    cut, of = shapely.get_parts(shapely.constrained_delaunay_triangles(parts[~whole]), return_index=True)
    return np.concatenate([parts[whole], cut]), np.concatenate([rows[whole], rows[~whole][of]])


@dataclass
class _Obstacles:
    """Shapes that forbid positions, each with the component's shape that it is for, and the gap between the two."""

    fixed: list[BaseGeometry] = field(default_factory=list[BaseGeometry])
    mine: list[int] = field(default_factory=list[int])
    gaps: list[float] = field(default_factory=list[float])

    def add(self, fixed: BaseGeometry, mine: int, gap: float) -> None:
        """Add a shape that the component's shape in row `mine` must not come nearer to than the gap."""
        self.fixed.append(fixed)
        self.mine.append(mine)
        self.gaps.append(gap)

    def forbidden(
        self, shapes: Sequence[BaseGeometry], rows: Sequence[int] | None = None, window: Bounds | None = None
    ) -> BaseGeometry:
        """Return the forbidden positions for the component's shapes; by some of the obstacles only, if rows are given.

        Obstacles that forbid nothing in the window are left out.
        """
        chosen = range(len(self.fixed)) if rows is None else rows
        fixed, mine, gaps = (np.array([of[row] for row in chosen]) for of in (self.fixed, self.mine, self.gaps))
        if window is not None and len(fixed):
            own: Numbers = shapely.bounds(np.array(shapes, dtype=object))[mine]  # pyright: ignore[reportUnknownMemberType]
            theirs: Numbers = shapely.bounds(fixed)  # pyright: ignore[reportUnknownMemberType]
            kept = _meeting(theirs - own[:, [2, 3, 0, 1]], window, OUTSIDE * gaps)
            fixed, mine, gaps = fixed[kept], mine[kept], gaps[kept]
        if not len(fixed):
            return Polygon()
        pieces, of = _convex(fixed)
        sums = [_sums(pieces[mine[of] == k], own, gaps[of][mine[of] == k]) for k, own in enumerate(shapes)]
        return shapely.union_all(np.concatenate(sums))


class Region:
    """The free positions of a component. Copper is taken out of them only where a cheap place is too near to it."""

    def __init__(self, free: BaseGeometry, shapes: Sequence[BaseGeometry], copper: _Obstacles) -> None:
        self.free = free
        self._shapes, self._copper = shapes, copper
        self._trees = [[row for row, k in enumerate(copper.mine) if k == own] for own in range(len(shapes))]
        self._index = [STRtree([copper.fixed[row] for row in rows]) for rows in self._trees]
        self._taken_out = set[int]()

    def cheapest(
        self, taken: BaseGeometry, cost: Callable[[Numbers], Numbers], tries: BaseGeometry, bound: float = math.inf
    ) -> list[tuple[float, float, float]]:
        """Return cost, x and y of the cheapest free places outside what is taken: those below the bound.

        At most `MAX_PLACES`.
        """
        while True:
            free = self.free.difference(taken)
            places = list(islice(_cheapest(free, cost, tries, bound), MAX_PLACES))
            near = sorted({row for _, x, y in places for row in self._too_near(x, y)} - self._taken_out)
            if not near:
                return places
            self._taken_out.update(near)
            self.free = self.free.difference(self._copper.forbidden(self._shapes, near))

    def _too_near(self, x: float, y: float) -> Iterator[int]:
        """Yield the copper that is nearer than it may be to a component at a place."""
        for own, tree, rows in zip(self._shapes, self._index, self._trees, strict=True):
            if rows:
                there = translate(own, x, y)
                far = max(self._copper.gaps[row] for row in rows)
                met: list[int] = tree.query(there, predicate="dwithin", distance=far).tolist()
                for i in met:
                    if float(there.distance(self._copper.fixed[rows[i]])) < self._copper.gaps[rows[i]] - TOUCHING:
                        yield rows[i]


class Footing:
    """The shapes that a component claims, as it is turned, with its origin at (0, 0): a shift of it is a position."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.rooms = rooms(item)
        self.shapes = (*self.rooms.values(), *(port.core for port in item.ports))
        solid = [*self.rooms.values(), *(port.shape for port in item.ports)]
        self.hull = shapely.union_all(list(self.rooms.values()) or solid).convex_hull
        self.reach = float(np.abs(shapely.total_bounds(np.array(solid, dtype=object))).max())  # pyright: ignore[reportUnknownMemberType]
        self.outlines = (*self.shapes, self.hull)
        numbers = [np.round(shapely.get_coordinates(shape), 6) + 0.0 for shape in self.shapes]
        nets = tuple((port.net, item.layer_of(port), port.radius) for port in item.ports)
        self.key = (tuple(self.rooms), nets, np.concatenate(numbers).tobytes())
        """A key that components share which fit in the same places."""

    def region(self, layout: Layout, window: Bounds, clearance: float, absent: Collection[str]) -> Region:
        """Return the free positions in a window.

        Args:
            clearance: kept between rooms; copper keeps the layout's own clearances.
            absent: top-level items that block nothing.

        Rooms, keep-outs, the edge of the area, and pads, tracks and vias of other nets are in the way; zones are not.
        """
        near = self._around(window)
        domain: BaseGeometry = box(*window)
        if layout.area is not None:
            middle = self.hull.centroid
            domain = domain.intersection(translate(layout.area, -middle.x, -middle.y))
        solid, copper = _Obstacles(), _Obstacles()
        for other in self.near(layout, window, clearance):
            if other.name not in absent and other.name != self.item.name:
                self._meet(solid, copper, layout, other, near, clearance)

        claims = [(layer, 0.0) for layer in self.rooms]
        ports = [(self.item.layer_of(port), port.radius) for port in self.item.ports]
        first_port = len(self.rooms)
        for keepout in layout.barred:
            shapes = enumerate(ports, first_port) if keepout.ports_only else enumerate(claims)
            for k, (layer, radius) in shapes:
                barred = keepout.layers is None or layer is None or layer in keepout.layers
                if keepout.item != self.item.name and barred:
                    solid.add(keepout.shape, k, radius)
        self._stay_in(solid, copper, layout, near)
        for fixture in () if layout.fixtures is None else layout.fixtures(near):
            if fixture.kind in {"track", "via"} and fixture.net:
                for k, port in enumerate(self.item.ports, first_port):
                    layer = self.item.layer_of(port)
                    on_layer = layer is None or fixture.kind == "via" or COPPER[layer] in fixture.layer.split(", ")
                    if port.net != fixture.net and on_layer:
                        copper.add(fixture.shape, k, port.radius + layout.clearance_between(port, fixture))
        return Region(domain.difference(solid.forbidden(self.outlines, window=window)), self.outlines, copper)

    def near(self, layout: Layout, window: Bounds, clearance: float) -> list[Item]:
        """Return the items that may forbid a position in a window, this one too."""
        met = _meeting(layout.extents, self._around(window), max(clearance, COPPER_REACH))
        return [layout.roots[row] for row in np.flatnonzero(met).tolist()]

    def _around(self, window: Bounds) -> Bounds:
        """Return the box of all that the component may cover while its position is in a window."""
        x0, y0, x1, y1 = window
        return (x0 - self.reach, y0 - self.reach, x1 + self.reach, y1 + self.reach)

    def taken(self, layout: Layout, other: Item, clearance: float) -> BaseGeometry:
        """Return the positions that another item forbids."""
        obstacles = _Obstacles()
        self._meet(obstacles, obstacles, layout, other, layout.extent(other.name), clearance)
        return obstacles.forbidden(self.outlines)

    def _meet(
        self, solid: _Obstacles, copper: _Obstacles, layout: Layout, other: Item, near: Bounds, clearance: float
    ) -> None:
        """Add the rooms of another item, and its pads of other nets, as obstacles."""
        theirs = rooms(other)
        for k, layer in enumerate(self.rooms):
            if layer in theirs:
                solid.add(theirs[layer], k, clearance)
        for k, port in enumerate(self.item.ports, start=len(self.rooms)):
            mine = self.item.layer_of(port)
            for pad in other.ports:
                layer = other.layer_of(pad)
                if (layer == mine or layer is None or mine is None) and not (port.net and port.net == pad.net):
                    gap = pad.radius + layout.clearance_between(port, pad)
                    (x, y), (x0, y0, x1, y1), more = pad.at, near, gap + COPPER_REACH
                    if x0 - more <= x <= x1 + more and y0 - more <= y <= y1 + more:
                        (copper if port.radius + gap else solid).add(pad.core, k, port.radius + gap)

    def _stay_in(self, solid: _Obstacles, copper: _Obstacles, layout: Layout, near: Bounds) -> None:
        """Add the outline and the cut-outs of the area: nothing hangs over, and pads keep the area's clearance."""
        if layout.area is None:
            return
        lines = shapely.get_parts(shapely.clip_by_rect(layout.area.boundary, *near))
        points, rows = shapely.get_coordinates(lines, return_index=True)
        ends = np.stack([points[:-1], points[1:]], axis=1)[rows[1:] == rows[:-1]]
        for edge in map(LineString, ends):
            solid.add(edge, len(self.shapes), 0.0)
            for k, port in enumerate(self.item.ports, start=len(self.rooms)):
                if layout.edge_clearance:
                    copper.add(edge, k, port.radius + layout.edge_clearance)


def _meeting(boxes: Numbers, window: Bounds, more: float | Numbers) -> NDArray[np.bool_]:
    """Return which boxes come within a distance of a window."""
    x0, y0, x1, y1 = window
    met = (boxes[:, 0] <= x1 + more) & (boxes[:, 2] >= x0 - more)
    return met & (boxes[:, 1] <= y1 + more) & (boxes[:, 3] >= y0 - more)


def _cheapest(
    region: BaseGeometry, cost: Callable[[Numbers], Numbers], tries: BaseGeometry, bound: float
) -> Iterator[tuple[float, float, float]]:
    """Yield cost, x and y of places on the boundary of a region and of those of `tries` within it, the cheapest first.

    Only those that cost less than `bound`. `cost` takes points (n, 2), is convex in pieces of 0.5 units, and changes by
    at most `MAX_SLOPE` for each unit.
    """
    points: list[Numbers] = []
    if not (inside := tries.intersection(region)).is_empty:
        points.append(shapely.get_coordinates(inside))
    shapely.prepare(region)
    rings: Shapes = shapely.get_parts(shapely.segmentize(region.boundary, MAX_PIECE))
    pieces = [shapely.get_coordinates(ring) for ring in rings]
    if pieces:
        # Of the pieces of the boundary only those that may hold a place about as cheap as the best end of one.
        a, b = (np.concatenate([p[s] for p in pieces]) for s in (slice(None, -1), slice(1, None)))
        at = cost(a), cost(b)
        low = (at[0] + at[1] - MAX_SLOPE * np.hypot(*(b - a).T)) / 2.0
        kept = (low <= np.minimum(*at).min() + SPARE) & (low < bound)
        points.append(_golden(a[kept], b[kept], cost))
    if not points:
        return
    places = np.concatenate(points)
    costs = cost(places)
    places, costs = places[costs < bound], costs[costs < bound]
    for row in np.lexsort((places[:, 1], places[:, 0], np.round(costs, 9))).tolist():
        yield float(costs[row]), float(places[row, 0]), float(places[row, 1])


def _golden(a: Numbers, b: Numbers, cost: Callable[[Numbers], Numbers]) -> Numbers:
    """Return the cheapest point of each piece from a to b: by golden section, or one of its ends."""
    if not len(a):
        return a
    low, high = np.zeros(len(a)), np.ones(len(a))

    def at(where: Numbers) -> Numbers:
        return a + (b - a) * where[:, None]

    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    costs = cost(at(left)), cost(at(right))
    for _ in range(GOLDEN_STEPS):
        less = costs[0] < costs[1]
        low, high = np.where(less, low, left), np.where(less, right, high)
        again = np.where(less, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        fresh = cost(at(again))
        left, right = np.where(less, again, right), np.where(less, left, again)
        costs = np.where(less, fresh, costs[1]), np.where(less, costs[0], fresh)
    ends = np.stack([cost(a), cost(b), cost(at((low + high) / 2))])
    best = np.argmin(ends, axis=0)
    return np.where((best == 0)[:, None], a, np.where((best == 1)[:, None], b, at((low + high) / 2)))
