"""Collisions: items that share space, or lie in a keep-out or outside the area, and how deep.

On a board parts exclude each other layer by layer, through-hole parts claim both layers, and keep-outs and the outline
bound them. In a drawing one item may be in front of another: only newly covered items count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds, Fixture, Item, Keepout, Layout, Point, Port
from redraft.studios.board.solve.constraints import AXES
from redraft.studios.board.solve.contact import Outline, travel


def pad_depth(a: Item, b: Item, quantum: float) -> float:
    """Return the depth of pad in pad on a layer on which one of the parts has no room."""
    return max((depth(p.shape, q.shape, quantum) for p, q in _pads_in_one_place(a, b)), default=0.0)


def _pads_in_one_place(a: Item, b: Item) -> Iterator[tuple[Port, Port]]:
    """Yield the pads of two parts that share a place on a layer on which one of the parts has no room."""
    if not a.ports or not b.ports or not _shares_more(a, b):
        return
    mine, theirs = (np.array([port.core for port in item.ports], dtype=object) for item in (a, b))
    reach = max(port.radius for port in a.ports) + max(port.radius for port in b.ports)
    for i, j in _near_boxes(mine, theirs, reach):
        p, q = a.ports[i], b.ports[j]
        if _untold(a, p, b, q) and p.distance(q) == 0.0:
            yield p, q


def _near_boxes(a: NDArray[Any], b: NDArray[Any], reach: float) -> list[tuple[int, int]]:
    """Rows of the pairs of shapes whose boxes are within `reach` of each other along both axes."""
    mine: NDArray[np.float64] = shapely.bounds(a)  # pyright: ignore[reportUnknownMemberType]
    theirs: NDArray[np.float64] = shapely.bounds(b)  # pyright: ignore[reportUnknownMemberType]
    # First those near the box of all others: of two large parts few are.
    rows = np.flatnonzero(_apart(mine, np.hstack([theirs[:, :2].min(axis=0), theirs[:, 2:].max(axis=0)])) <= reach)
    columns = np.flatnonzero(_apart(theirs, np.hstack([mine[:, :2].min(axis=0), mine[:, 2:].max(axis=0)])) <= reach)
    left, right = np.nonzero(_apart(mine[rows, None], theirs[columns]) <= reach)
    pairs: list[tuple[int, int]] = list(zip(rows[left].tolist(), columns[right].tolist(), strict=True))
    return pairs


def _apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distances between boxes along the axis on which they are farther apart."""
    return np.maximum(a[..., :2] - b[..., 2:], b[..., :2] - a[..., 2:]).max(axis=-1)


def _shares_more(a: Item, b: Item) -> bool:
    """Return whether any pads of two parts may share a layer where the rooms of both are not compared."""
    mine, theirs = a.port_layers, b.port_layers
    if a.layer == b.layer and a.claims and b.claims:
        return bool((mine | theirs) - {None, a.layer})
    return None in mine | theirs or bool(mine & theirs)


def _untold(a: Item, p: Port, b: Item, q: Port) -> bool:
    """Return whether two pads share a layer, and not just the one where the rooms of both parts are compared."""
    mine, theirs = a.layer_of(p), b.layer_of(q)
    if mine is not None and theirs is not None and mine != theirs:
        return False
    only = theirs if mine is None else mine
    return a.layer != b.layer or not (a.claims and b.claims) or (only is not None and only != a.layer)


def depth(a: BaseGeometry, b: BaseGeometry, quantum: float = 0.0) -> float:
    """The shortest way out of each other; 0 for shapes that are apart or share no more than a sliver of a quantum.

    Exact for convex shapes; of others the least of the ways along the axes and that of their hulls.
    """
    if not meet(a, b, quantum):
        return 0.0
    if _convex(a) and _convex(b):
        return _hulls(a, b)
    mine, theirs = Outline.of(a), Outline.of(b)
    ways = [travel(mine, theirs, axis, sign) for axis in AXES for sign in (-1, 1)]
    return min([abs(way) for way in ways if way is not None] + [_hulls(a, b)])


def meet(a: BaseGeometry, b: BaseGeometry, quantum: float = 0.0) -> bool:
    """Return whether two shapes share more than a sliver of a quantum."""
    if not _boxes_meet(a.bounds, b.bounds, quantum) or not a.intersects(b):
        return False
    shared = a.intersection(b)
    # A sliver of width w and length l has the area w l and the outline 2 l.
    return 2.0 * shared.area > quantum * shared.length


def _boxes_meet(a: tuple[float, ...], b: tuple[float, ...], slack: float) -> bool:
    return a[0] < b[2] - slack and b[0] < a[2] - slack and a[1] < b[3] - slack and b[1] < a[3] - slack


def _convex(shape: BaseGeometry) -> bool:
    return shape.convex_hull.area - shape.area <= 1e-12 * shape.area


def _hulls(a: BaseGeometry, b: BaseGeometry) -> float:
    """The least overlap of two convex hulls' shadows over the directions across their edges."""
    mine, theirs = (shapely.get_coordinates(shape.convex_hull) for shape in (a, b))
    edges = np.concatenate([np.diff(mine, axis=0), np.diff(theirs, axis=0)])
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    x, y = edges[lengths > 0, 1] / lengths[lengths > 0], -edges[lengths > 0, 0] / lengths[lengths > 0]
    # Written out: a product of so thin matrices costs more in threads than in sums.
    p, q = (points[:, :1] * x + points[:, 1:] * y for points in (mine, theirs))
    return float(np.minimum(p.max(axis=0) - q.min(axis=0), q.max(axis=0) - p.min(axis=0)).min())


EDGE = "board edge"
"""The name of the outline among the things that one may collide with."""

MANY = 50
"""Items, from which on all neighbors are found at once."""

Found = dict[tuple[str, str], float]
"""Pair → the shortest way out, in units. Each pair once, the item that was asked about first."""


def new_collisions(before: Layout, after: Layout, names: Iterable[str]) -> Found:
    """Return the collisions of moved items that are deeper than before by more than a quantum."""
    return worsened(before, after, collisions(after, names))


def worsened(before: Layout, after: Layout, found: Found) -> Found:
    """Return the collisions that are new since `before`, or deeper by more than a quantum."""
    if not found:
        return found
    was = collisions(before, {name for name, _ in found})
    was |= {(b, a): value for (a, b), value in was.items()}
    if not after.frame.solid:  # covered is covered: how deep does not matter
        return {pair: value for pair, value in found.items() if pair not in was}
    worse = {pair: value for pair, value in found.items() if value > was.get(pair, 0.0) + after.frame.quantum}
    return {pair: value for pair, value in worse.items() if pair[1] != EDGE} | _over_the_edge(before, after, found)


def _over_the_edge(before: Layout, after: Layout, found: Found) -> Found:
    """What sticks out further than before. Parts that lie wholly off the board are not placed, and may go on so."""
    worse: Found = {}
    for (name, other), out in found.items():
        if other == EDGE and sticks_out_more(after, before[name].shape, after[name].shape):
            worse[name, other] = out
    return worse


def collisions(layout: Layout, names: Iterable[str]) -> Found:
    """All that these items collide with: other items, keep-outs, and the edge of the area."""
    wanted = dict.fromkeys(names)
    return _on_a_board(layout, wanted) if layout.frame.solid else _in_a_drawing(layout, wanted)


def rooms(item: Item) -> dict[int, BaseGeometry]:
    """The room that an item claims on each layer; none where it is only a drawing."""
    found = {item.layer: item.shape} if item.claims else {}
    if item.opposite is not None:
        found[1 - item.layer] = item.opposite
    return {layer: shape for layer, shape in found.items() if not shape.is_empty}


def _on_a_board(layout: Layout, names: Mapping[str, None]) -> Found:
    found: Found = {}
    roots = dict.fromkeys(layout.root_of(name).name for name in names)
    near = _all_near(layout) if len(roots) > MANY else None
    for name in roots:
        item = layout[name]
        for other in _near(layout, name) if near is None else near.get(name, ()):
            if other in roots and (other, name) in found:
                continue
            if (deep := _pair(item, layout[other], layout.frame.quantum)) > layout.frame.quantum:
                found[name, other] = deep
        found |= {(name, other): deep for other, deep in _forbidden(layout, item)}
        for (_, other), deep in _barred_by(layout, item).items():
            if other not in roots:  # else it is reported for the other one, by the keep-out's name
                found[name, other] = max(deep, found.get((name, other), 0.0))
    return found


def _near(layout: Layout, name: str) -> list[str]:
    """Other top-level items that claim anything within the box of all that this one claims."""
    row, boxes, slack = layout.rows[name], layout.extents, layout.frame.quantum
    x0, y0, x1, y1 = boxes[row]
    met = (boxes[:, 0] < x1 - slack) & (boxes[:, 2] > x0 + slack)
    met &= (boxes[:, 1] < y1 - slack) & (boxes[:, 3] > y0 + slack)
    met[row] = False
    return [layout.roots[i].name for i in np.flatnonzero(met)]


def _all_near(layout: Layout) -> dict[str, list[str]]:
    """As `_near`, of every item at once."""
    slack = layout.frame.quantum / 2
    inner = layout.extents + np.array([slack, slack, -slack, -slack])
    rows = [int(row) for row in np.flatnonzero(np.isfinite(inner[:, 0]))]
    boxes = [box(*inner[row].tolist()) for row in rows]
    found: dict[str, list[str]] = {}
    left, right = STRtree(boxes).query(boxes, predicate="intersects")
    for i, j in sorted((int(i), int(j)) for i, j in zip(left, right, strict=True)):
        if i != j:
            found.setdefault(layout.roots[rows[i]].name, []).append(layout.roots[rows[j]].name)
    return found


def _pair(a: Item, b: Item, quantum: float) -> float:
    """How deep two parts are in each other, on any layer; 0 where they are apart."""
    mine, theirs = rooms(a), rooms(b)
    shared = [depth(mine[layer], theirs[layer], quantum) for layer in mine if layer in theirs]
    return max([*shared, pad_depth(a, b, quantum)])


def _forbidden(layout: Layout, item: Item) -> list[tuple[str, float]]:
    """Keep-outs that the item is in, and how far it sticks out of the area."""
    quantum = layout.frame.quantum
    found: list[tuple[str, float]] = []
    for keepout in layout.barred:
        deep = _within(keepout, item, quantum)
        if deep > quantum:
            found.append((keepout.name, deep))
    if layout.area is not None and (out := outside(item.shape, layout.area)) > quantum:
        found.append((EDGE, out))
    return found


def barred(keepout: Keepout, item: Item) -> list[BaseGeometry]:
    """What of an item may not lie in a keep-out: its rooms or its ports; nothing of the item that it belongs to."""
    if keepout.item == item.name:
        return []
    claims = (
        [(item.layer_of(port), port.shape) for port in item.ports] if keepout.ports_only else list(rooms(item).items())
    )
    return [shape for layer, shape in claims if keepout.layers is None or layer is None or layer in keepout.layers]


def _within(keepout: Keepout, item: Item, quantum: float) -> float:
    """How deep an item is in a keep-out."""
    return max((depth(shape, keepout.shape, quantum) for shape in barred(keepout, item)), default=0.0)


def _barred_by(layout: Layout, item: Item) -> Found:
    """Other items that are in the keep-outs of this one."""
    found: Found = {}
    for keepout in item.keepouts:
        x0, y0, x1, y1 = keepout.shape.bounds
        b = layout.extents
        met = (b[:, 0] < x1) & (b[:, 2] > x0) & (b[:, 1] < y1) & (b[:, 3] > y0)
        for other in (layout.roots[i] for i in np.flatnonzero(met)):
            deep = max(found.get((item.name, other.name), 0.0), _within(keepout, other, layout.frame.quantum))
            if deep > layout.frame.quantum:
                found[item.name, other.name] = deep
    return found


def outside(shape: BaseGeometry, area: BaseGeometry) -> float:
    """Return how far a shape extends beyond an area."""
    shapely.prepare(area)
    if shape.is_empty or area.covers(shape):
        return 0.0
    rest = shapely.get_coordinates(shape.difference(_around(area, shape.bounds)))
    if not len(rest):
        return 0.0
    ways = np.asarray(shapely.distance(area, shapely.points(rest)))  # pyright: ignore[reportUnknownMemberType]
    return float(ways.max())


def _around(area: BaseGeometry, bounds: tuple[float, ...]) -> BaseGeometry:
    """The piece of a large area that matters to what lies in a box."""
    x0, y0, x1, y1 = bounds
    more = x1 - x0 + y1 - y0
    return shapely.clip_by_rect(area, x0 - more, y0 - more, x1 + more, y1 + more)


def _in_a_drawing(layout: Layout, names: Mapping[str, None]) -> Found:
    """What the items with their parts cover, or are covered by, of all that is not of their own family."""
    others = [item for item in layout if not item.shape.is_empty]
    boxes = shapely.bounds(np.array([item.shape for item in others], dtype=object)).reshape(-1, 4)  # pyright: ignore[reportUnknownMemberType]
    found: Found = {}
    for name in names:
        whole = layout.whole(name)
        own = {*layout.ancestors(name), *(item.name for item in layout.family(name))}
        x0, y0, x1, y1 = whole.bounds
        met = (boxes[:, 0] < x1) & (boxes[:, 2] > x0) & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)
        for other in (others[i] for i in np.flatnonzero(met)):
            if other.name in own or (other.name, name) in found:
                continue
            if (deep := depth(whole, other.shape, layout.frame.quantum)) > layout.frame.quantum:
                found[name, other.name] = deep
    return found


def obstacles_to(layout: Layout, item: Item, box: Bounds) -> Iterator[str]:
    """What a top-level item of a board would meet, `box` being around all that it claims there.

    Whoever meets nothing by this collides with nothing by `collisions`. What the item meets already where it lies
    now is in the way too.
    """
    yield from neighbors_met(layout, item, box)
    if sticks_out_more(layout, layout[item.name].shape, item.shape):
        yield EDGE


def neighbors_met(layout: Layout, item: Item, box: Bounds) -> Iterator[str]:
    """Yield those of `obstacles_to` that are items or keep-outs."""
    met = [layout.roots[row] for row in _rows_near(layout, item, box)]
    yield from (other.name for other in met if _meets(layout, item, other))
    for keepout in layout.barred:
        if any(meet(shape, keepout.shape, layout.frame.quantum) for shape in barred(keepout, item)):
            yield keepout.name


def _rows_near(layout: Layout, item: Item, box: Bounds) -> list[int]:
    """Rows of the others that claim anything within the box, or within the item's own keep-outs."""
    slack, extents = layout.frame.quantum, layout.extents
    near = np.zeros(len(extents), dtype=np.bool_)
    for x0, y0, x1, y1 in (box, *(keepout.shape.bounds for keepout in item.keepouts)):
        met = (extents[:, 0] < x1 - slack) & (extents[:, 2] > x0 + slack)
        near |= met & (extents[:, 1] < y1 - slack) & (extents[:, 3] > y0 + slack)
    near[layout.rows[item.name]] = False
    found: list[int] = np.flatnonzero(near).tolist()
    return found


def _meets(layout: Layout, item: Item, other: Item) -> bool:
    mine, theirs, quantum = rooms(item), rooms(other), layout.frame.quantum
    if any(meet(mine[layer], theirs[layer], quantum) for layer in mine if layer in theirs):
        return True
    kept = ((k.shape, shape) for k in item.keepouts for shape in barred(k, other))
    if any(meet(one, another, quantum) for one, another in kept):
        return True
    return any(meet(p.shape, q.shape, quantum) for p, q in _pads_in_one_place(item, other))


def sticks_out_more(layout: Layout, was: BaseGeometry, now: BaseGeometry) -> bool:
    """Return whether an item sticks out of the area further than it did.

    What was wholly off the area is not placed yet: it may go on so, and must not lie across the edge.
    """
    area = layout.area
    if area is None or (out := outside(now, area)) <= layout.frame.quantum:
        return False
    if not area.intersects(was):
        return area.intersects(now)
    return out > outside(was, area) + layout.frame.quantum


NEAR = 1.0
"""Units around a pad in which copper is looked at, at least."""
SAME = 1e-6
"""Units: what is nearer by no more than this is as far as it has to be."""
COPPER = {1: "F.Cu", 0: "B.Cu"}
"""Names of the copper on the sides of a board."""


def on_copper(layout: Layout, item: Item) -> Iterator[tuple[Port, Fixture, float, float]]:
    """Yield the pads of an item that lie on tracks or vias of other nets, or too near to them.

    Each with the track or via, the distance, and the clearance that the two need. Zones do not count: they are filled
    anew.
    """
    if layout.fixtures is None:
        return
    for port in item.ports:
        far = max(layout.clearance_between(port, port), NEAR) + port.radius
        x0, y0, x1, y1 = port.core.bounds
        for track in layout.fixtures((x0 - far, y0 - far, x1 + far, y1 + far)):
            if track.kind not in {"track", "via"} or track.net in {"", port.net} or not _on_one(item, port, track):
                continue
            wanted = layout.clearance_between(port, track)
            actual = max(float(port.core.distance(track.shape)) - port.radius, 0.0)
            if actual < wanted - SAME or actual == 0.0:
                yield port, track, actual, wanted


def copper_under(layout: Layout, item: Item, shifts: Sequence[Point]) -> list[bool]:
    """Return at which shifts one of the item's first pads lies on a track or via, as `on_copper` would yield it.

    All shifts at once, and only certain ones: pads keep the clearance that their own nets ask for, as polygons within
    the true shapes.
    """
    ports = item.ports[:PADS]
    if layout.fixtures is None or not ports or not shifts:
        return [False] * len(shifts)
    reach = [port.radius + layout.clearance_between(port, port) - SAME for port in ports]
    grown = [port.core.buffer(far, quad_segs=8) for port, far in zip(ports, reach, strict=True)]
    (left, low), (right, high) = np.min(shifts, axis=0).tolist(), np.max(shifts, axis=0).tolist()
    x0, y0, x1, y1 = shapely.total_bounds(grown).tolist()  # pyright: ignore[reportUnknownMemberType]
    window = (x0 + left, y0 + low, x1 + right, y1 + high)
    tracks = [track for track in layout.fixtures(window) if track.kind in {"track", "via"} and track.net]
    tree = STRtree([track.shape for track in tracks])
    found = np.zeros(len(shifts), dtype=np.bool_)
    for port, shape in zip(ports, grown, strict=True):
        open_ = np.flatnonzero(~found)
        steps = np.repeat(np.array(shifts)[open_], len(shapely.get_coordinates(shape)), axis=0)
        there = shapely.transform(np.repeat(np.array([shape]), len(open_)), lambda xy, steps=steps: xy + steps)
        places, rows = tree.query(there, predicate="intersects")
        under = [tracks[int(row)] for row in rows]
        met = [track.net != port.net and _on_one(item, port, track) for track in under]
        found[open_[places[met]]] = True
    return found.tolist()


PADS = 8
"""Pads that are looked at first: of most components these are all."""


def _on_one(item: Item, port: Port, track: Fixture) -> bool:
    """Whether a pad and a track lie on one layer; vias and through holes are on all."""
    layer = item.layer_of(port)
    return layer is None or track.kind == "via" or COPPER[layer] in track.layer.split(", ")
