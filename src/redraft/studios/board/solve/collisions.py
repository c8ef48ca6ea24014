"""Collisions: items that share space, or lie in a keep-out or outside the area, and how deep.

On a board components exclude each other layer by layer, through-hole ones claim both layers, and keep-outs and the
outline bound them. In a drawing one item may be in front of another: only newly covered items count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import STRtree
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds, Fixture, Item, Keepout, Layout, Point, Port
from redraft.studios.board.solve.constraints import AXES
from redraft.studios.board.solve.contact import Outline, travel

EDGE = "board edge"
"""The name of the outline among the things that one may collide with."""

MANY_ITEMS = 50
"""The number of items from which on all neighbors are found at once."""

Found = dict[tuple[str, str], float]
"""The shortest way out of each pair that collides, in units: each pair once, the item that was asked about first."""


def pad_depth(a: Item, b: Item, quantum: float) -> float:
    """Return the depth of pad in pad on a layer on which one of the components has no room."""
    return max((depth(p.shape, q.shape, quantum) for p, q in _pads_in_one_place(a, b)), default=0.0)


def _pads_in_one_place(a: Item, b: Item) -> Iterator[tuple[Port, Port]]:
    """Yield the pads of two components that share a place on a layer on which one of the components has no room."""
    if not a.ports or not b.ports:
        return
    mine, theirs = a.port_layers, b.port_layers
    if a.layer == b.layer and a.claims and b.claims:  # on this layer the rooms of both are compared
        shares = bool((mine | theirs) - {None, a.layer})
    else:
        shares = None in mine | theirs or bool(mine & theirs)
    if not shares:
        return

    cores = [np.array([port.core for port in item.ports], dtype=object) for item in (a, b)]
    boxes: list[NDArray[np.float64]] = [shapely.bounds(some) for some in cores]  # pyright: ignore[reportUnknownMemberType]
    reach = max(port.radius for port in a.ports) + max(port.radius for port in b.ports)
    # First those near the box of all others: of two large components few are.
    wholes = [np.hstack([some[:, :2].min(axis=0), some[:, 2:].max(axis=0)]) for some in boxes]
    rows = np.flatnonzero(_gaps(boxes[0], wholes[1]) <= reach)
    columns = np.flatnonzero(_gaps(boxes[1], wholes[0]) <= reach)
    left, right = np.nonzero(_gaps(boxes[0][rows, None], boxes[1][columns]) <= reach)
    for i, j in zip(rows[left].tolist(), columns[right].tolist(), strict=True):
        p, q = a.ports[i], b.ports[j]
        if _is_beyond_rooms(a, p, b, q) and p.distance(q) == 0.0:
            yield p, q


def _gaps(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distances between boxes along the axis on which they are farther apart."""
    return np.maximum(a[..., :2] - b[..., 2:], b[..., :2] - a[..., 2:]).max(axis=-1)


def _is_beyond_rooms(a: Item, p: Port, b: Item, q: Port) -> bool:
    """Return whether two pads share a layer, and not just the one where the rooms of both are compared."""
    mine, theirs = a.layer_of(p), b.layer_of(q)
    if mine is not None and theirs is not None and mine != theirs:
        return False
    only = theirs if mine is None else mine
    return a.layer != b.layer or not (a.claims and b.claims) or (only is not None and only != a.layer)


def depth(a: BaseGeometry, b: BaseGeometry, quantum: float = 0.0) -> float:
    """Return the shortest way out of each other; 0 for shapes that share no more than a sliver of a quantum.

    Exact for convex shapes; for others the least of the ways along the axes and that of their hulls.
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
    (a0, b0, a1, b1), (c0, d0, c1, d1) = a.bounds, b.bounds
    apart = a0 >= c1 - quantum or c0 >= a1 - quantum or b0 >= d1 - quantum or d0 >= b1 - quantum
    if apart or not a.intersects(b):
        return False
    shared = a.intersection(b)
    # A sliver of width w and length l has the area w l and the outline 2 l.
    return 2.0 * shared.area > quantum * shared.length


def _convex(shape: BaseGeometry) -> bool:
    return shape.convex_hull.area - shape.area <= 1e-12 * shape.area


def _hulls(a: BaseGeometry, b: BaseGeometry) -> float:
    """Return the least overlap of two convex hulls' shadows over the directions across their edges."""
    mine, theirs = (shapely.get_coordinates(shape.convex_hull) for shape in (a, b))
    edges = np.concatenate([np.diff(mine, axis=0), np.diff(theirs, axis=0)])
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    x, y = edges[lengths > 0, 1] / lengths[lengths > 0], -edges[lengths > 0, 0] / lengths[lengths > 0]
    # Written out: a product of so thin matrices costs more in threads than in sums.
    p, q = (points[:, :1] * x + points[:, 1:] * y for points in (mine, theirs))
    return float(np.minimum(p.max(axis=0) - q.min(axis=0), q.max(axis=0) - p.min(axis=0)).min())


def new_collisions(before: Layout, after: Layout, names: Iterable[str]) -> Found:
    """Return the collisions of moved items that are deeper than before by more than a quantum."""
    return worsened(before, after, collisions(after, names))


def worsened(before: Layout, after: Layout, found: Found) -> Found:
    """Return the collisions that are new since `before`, or deeper by more than a quantum."""
    if not found:
        return found
    was = collisions(before, {name for name, _ in found})
    was |= {(b, a): value for (a, b), value in was.items()}
    if not after.frame.solid:  # covered is covered: the depth does not matter
        return {pair: value for pair, value in found.items() if pair not in was}
    inside = {
        pair: value
        for pair, value in found.items()
        if pair[1] != EDGE and value > was.get(pair, 0.0) + after.frame.quantum
    }
    return inside | {
        (name, other): out
        for (name, other), out in found.items()
        if other == EDGE and sticks_out_more(after, before[name].shape, after[name].shape)
    }


def collisions(layout: Layout, names: Iterable[str]) -> Found:
    """Return all that these items collide with: other items, keep-outs, and the edge of the area."""
    unique = dict.fromkeys(names)
    return _on_a_board(layout, unique) if layout.frame.solid else _in_a_drawing(layout, unique)


def rooms(item: Item) -> dict[int, BaseGeometry]:
    """Return the room that an item claims on each layer; none where it is only a drawing."""
    shapes = {item.layer: item.shape} if item.claims else {}
    if item.opposite is not None:
        shapes[1 - item.layer] = item.opposite
    return {layer: shape for layer, shape in shapes.items() if not shape.is_empty}


def _on_a_board(layout: Layout, names: Mapping[str, None]) -> Found:
    found: Found = {}
    quantum, boxes = layout.frame.quantum, layout.extents
    roots = dict.fromkeys(layout.root_of(name).name for name in names)
    near = _all_near(layout) if len(roots) > MANY_ITEMS else None
    for name in roots:
        item = layout[name]

        # Other items that claim anything within the box of all that this one claims.
        if near is None:
            row = layout.rows[name]
            met = _overlapping(boxes, boxes[row], quantum)
            met[row] = False
            others = [layout.roots[i].name for i in np.flatnonzero(met)]
        else:
            others = near.get(name, [])
        own = rooms(item)
        for other in others:
            if other not in roots or (other, name) not in found:
                theirs = rooms(layout[other])
                shared = [depth(own[layer], theirs[layer], quantum) for layer in own if layer in theirs]
                if (deep := max([*shared, pad_depth(item, layout[other], quantum)])) > quantum:
                    found[name, other] = deep

        # Keep-outs that the item is in, and the edge that it sticks out over.
        for keepout in layout.barred:
            if (deep := _depth_in(keepout, item, quantum)) > quantum:
                found[name, keepout.name] = deep
        if layout.area is not None and (out := outside(item.shape, layout.area)) > quantum:
            found[name, EDGE] = out

        # Others in the keep-outs of this one; those that are asked about too are reported with the keep-out's name.
        for keepout in item.keepouts:
            for i in np.flatnonzero(_overlapping(boxes, np.array(keepout.shape.bounds), 0.0)):
                other = layout.roots[i]
                if other.name not in roots and (deep := _depth_in(keepout, other, quantum)) > quantum:
                    found[name, other.name] = max(deep, found.get((name, other.name), 0.0))
    return found


def _overlapping(boxes: NDArray[np.float64], box: NDArray[np.float64], slack: float) -> NDArray[np.bool_]:
    """Return which boxes overlap a box by more than the slack."""
    x0, y0, x1, y1 = box
    met = (boxes[:, 0] < x1 - slack) & (boxes[:, 2] > x0 + slack)
    return met & (boxes[:, 1] < y1 - slack) & (boxes[:, 3] > y0 + slack)


def _all_near(layout: Layout) -> dict[str, list[str]]:
    """Return for every item the others that claim anything within the box of all that it claims."""
    slack = layout.frame.quantum / 2
    inner = layout.extents + np.array([slack, slack, -slack, -slack])
    rows = [int(row) for row in np.flatnonzero(np.isfinite(inner[:, 0]))]
    boxes = [box(*inner[row].tolist()) for row in rows]
    near: dict[str, list[str]] = {}
    left, right = STRtree(boxes).query(boxes, predicate="intersects")
    for i, j in sorted((int(i), int(j)) for i, j in zip(left, right, strict=True)):
        if i != j:
            near.setdefault(layout.roots[rows[i]].name, []).append(layout.roots[rows[j]].name)
    return near


def barred(keepout: Keepout, item: Item) -> list[BaseGeometry]:
    """Return the rooms or ports of an item that may not lie in a keep-out; nothing of the item that it belongs to."""
    if keepout.item == item.name:
        return []
    claims = (
        [(item.layer_of(port), port.shape) for port in item.ports] if keepout.ports_only else list(rooms(item).items())
    )
    return [shape for layer, shape in claims if keepout.layers is None or layer is None or layer in keepout.layers]


def _depth_in(keepout: Keepout, item: Item, quantum: float) -> float:
    """Return the depth of an item in a keep-out."""
    return max((depth(shape, keepout.shape, quantum) for shape in barred(keepout, item)), default=0.0)


def outside(shape: BaseGeometry, area: BaseGeometry) -> float:
    """Return the distance by which a shape extends beyond an area."""
    shapely.prepare(area)
    if shape.is_empty or area.covers(shape):
        return 0.0
    # Of a large area only the piece around the shape matters.
    x0, y0, x1, y1 = shape.bounds
    more = x1 - x0 + y1 - y0
    around = shapely.clip_by_rect(area, x0 - more, y0 - more, x1 + more, y1 + more)
    corners = shapely.get_coordinates(shape.difference(around))
    if not len(corners):
        return 0.0
    ways = np.asarray(shapely.distance(area, shapely.points(corners)))  # pyright: ignore[reportUnknownMemberType]
    return float(ways.max())


def _in_a_drawing(layout: Layout, names: Mapping[str, None]) -> Found:
    """Return the items outside of their own family that items with their parts cover, or are covered by."""
    others = [item for item in layout if not item.shape.is_empty]
    boxes = shapely.bounds(np.array([item.shape for item in others], dtype=object)).reshape(-1, 4)  # pyright: ignore[reportUnknownMemberType]
    found: Found = {}
    for name in names:
        whole = layout.whole(name)
        own = {*layout.ancestors(name), *(item.name for item in layout.family(name))}
        for other in (others[i] for i in np.flatnonzero(_overlapping(boxes, np.array(whole.bounds), 0.0))):
            if other.name in own or (other.name, name) in found:
                continue
            if (deep := depth(whole, other.shape, layout.frame.quantum)) > layout.frame.quantum:
                found[name, other.name] = deep
    return found


def obstacles_to(layout: Layout, item: Item, box: Bounds) -> Iterator[str]:
    """Yield the names of all that a top-level item of a board would meet, `box` being around all that it claims there.

    Whatever meets nothing by this collides with nothing by `collisions`. What the item meets already where it lies
    now is in the way too.
    """
    yield from neighbors_met(layout, item, box)
    if sticks_out_more(layout, layout[item.name].shape, item.shape):
        yield EDGE


def neighbors_met(layout: Layout, item: Item, box: Bounds) -> Iterator[str]:
    """Yield those of `obstacles_to` that are items or keep-outs."""
    # Others that claim anything within the box, or within the item's own keep-outs.
    extents, quantum = layout.extents, layout.frame.quantum
    near = np.zeros(len(extents), dtype=np.bool_)
    for some in (box, *(keepout.shape.bounds for keepout in item.keepouts)):
        near |= _overlapping(extents, np.array(some), quantum)
    near[layout.rows[item.name]] = False
    yield from (other.name for i in np.flatnonzero(near) if _meets(layout, item, other := layout.roots[i]))
    for keepout in layout.barred:
        if any(meet(shape, keepout.shape, quantum) for shape in barred(keepout, item)):
            yield keepout.name


def _meets(layout: Layout, item: Item, other: Item) -> bool:
    """Return whether two items share room, a keep-out of the first, or the place of pads."""
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


MIN_REACH = 1.0
"""Units around a pad in which copper is looked at, at least."""
TOLERANCE = 1e-6
"""A distance that is too small by no more than this is enough, in units."""
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
        far = max(layout.clearance_between(port, port), MIN_REACH) + port.radius
        x0, y0, x1, y1 = port.core.bounds
        for track in layout.fixtures((x0 - far, y0 - far, x1 + far, y1 + far)):
            if track.kind not in {"track", "via"} or track.net in {"", port.net} or not _on_one(item, port, track):
                continue
            clearance = layout.clearance_between(port, track)
            actual = max(float(port.core.distance(track.shape)) - port.radius, 0.0)
            if actual < clearance - TOLERANCE or actual == 0.0:
                yield port, track, actual, clearance


def copper_under(layout: Layout, item: Item, shifts: Sequence[Point]) -> list[bool]:
    """Return for each shift whether one of the item's first pads lies on a track or via, as `on_copper` would yield it.

    All shifts at once, and only certain ones: pads keep the clearance that their own nets ask for, as polygons within
    the true shapes.
    """
    ports = item.ports[:MAX_PADS]
    if layout.fixtures is None or not ports or not shifts:
        return [False] * len(shifts)
    reach = [port.radius + layout.clearance_between(port, port) - TOLERANCE for port in ports]
    grown = [port.core.buffer(far, quad_segs=8) for port, far in zip(ports, reach, strict=True)]
    (left, low), (right, high) = np.min(shifts, axis=0).tolist(), np.max(shifts, axis=0).tolist()
    x0, y0, x1, y1 = shapely.total_bounds(grown).tolist()  # pyright: ignore[reportUnknownMemberType]
    window = (x0 + left, y0 + low, x1 + right, y1 + high)
    tracks = [track for track in layout.fixtures(window) if track.kind in {"track", "via"} and track.net]
    tree = STRtree([track.shape for track in tracks])
    on_track = np.zeros(len(shifts), dtype=np.bool_)
    for port, shape in zip(ports, grown, strict=True):
        open_ = np.flatnonzero(~on_track)
        steps = np.repeat(np.array(shifts)[open_], len(shapely.get_coordinates(shape)), axis=0)
        there = shapely.transform(np.repeat(np.array([shape]), len(open_)), lambda xy, steps=steps: xy + steps)
        places, rows = tree.query(there, predicate="intersects")
        under = [tracks[int(row)] for row in rows]
        met = [track.net != port.net and _on_one(item, port, track) for track in under]
        on_track[open_[places[met]]] = True
    return on_track.tolist()


MAX_PADS = 8
"""Pads that are looked at first: of most components these are all."""


def _on_one(item: Item, port: Port, track: Fixture) -> bool:
    """Return whether a pad and a track lie on one layer; vias and through holes are on all."""
    layer = item.layer_of(port)
    return layer is None or track.kind == "via" or COPPER[layer] in track.layer.split(", ")
