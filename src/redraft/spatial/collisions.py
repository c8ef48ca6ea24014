"""What lies where something else is, or where it may not be.

On a board parts exclude each other layer by layer, through holes go through both, and keep-outs and the outline bound
them. In a drawing one thing may be in front of another: there only what is newly covered counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import shapely
from shapely import STRtree
from shapely.geometry import Point, box
from shapely.geometry.base import BaseGeometry

from redraft.spatial.depths import depth, pad_depth
from redraft.spatial.layout import Item, Keepout, Layout

__all__ = ["EDGE", "collisions", "new_collisions", "outside", "rooms", "worsened"]

EDGE = "board edge"
"""The name of the outline among the things that one may collide with."""

MANY = 50
"""Items, from which on all neighbours are found at once."""

Found = dict[tuple[str, str], float]
"""Pair → the shortest way out, in units. Each pair once, the item that was asked about first."""


def new_collisions(before: Layout, after: Layout, names: Iterable[str]) -> Found:
    """Of items that were moved: what they collide with now by more than a quantum more than before."""
    return worsened(before, after, collisions(after, names))


def worsened(before: Layout, after: Layout, found: Found) -> Found:
    """Of what collides now, what did not `before`, or by more than a quantum less."""
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
        if other == EDGE:
            was, shape = before[name].shape, after[name].shape
            unplaced = not _on(before, was)
            least = 0.0 if unplaced or before.area is None else outside(was, before.area)
            if out > least + after.frame.quantum and not (unplaced and not _on(after, shape)):
                worse[name, other] = out
    return worse


def _on(layout: Layout, shape: BaseGeometry) -> bool:
    return layout.area is not None and layout.area.intersects(shape)


def collisions(layout: Layout, names: Iterable[str]) -> Found:
    """All that these items collide with: other items, keep-outs, and the edge of the area."""
    wanted = dict.fromkeys(names)
    return _on_a_board(layout, wanted) if layout.frame.solid else _in_a_drawing(layout, wanted)


def rooms(item: Item) -> dict[int, BaseGeometry]:
    """The room that an item claims on each layer."""
    found = {item.layer: item.shape}
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
            if other not in roots:  # else it is told of the other one, by the keep-out's name
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


def _within(keepout: Keepout, item: Item, quantum: float) -> float:
    """How deep an item is in a keep-out; 0 for the one that it belongs to."""
    if keepout.item == item.name:
        return 0.0
    claims = rooms(item)
    layers = claims if keepout.layers is None else claims.keys() & set(keepout.layers)
    return max((depth(claims[layer], keepout.shape, quantum) for layer in layers), default=0.0)


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
    """How far a shape sticks out of an area."""
    shapely.prepare(area)
    if shape.is_empty or area.covers(shape):
        return 0.0
    rest = shapely.get_coordinates(shape.difference(_around(area, shape.bounds)))
    return max((float(area.distance(Point(at))) for at in rest), default=0.0)


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
        own, whole = _lineage(layout, name), layout.whole(name)
        x0, y0, x1, y1 = whole.bounds
        met = (boxes[:, 0] < x1) & (boxes[:, 2] > x0) & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)
        for other in (others[i] for i in np.flatnonzero(met)):
            if other.name in own or (other.name, name) in found:
                continue
            if (deep := depth(whole, other.shape, layout.frame.quantum)) > layout.frame.quantum:
                found[name, other.name] = deep
    return found


def _lineage(layout: Layout, name: str) -> set[str]:
    """The item, its parts, and what it is part of."""
    found = {item.name for item in layout.family(name)}
    at = layout[name].parent
    while at is not None:
        found.add(at)
        at = layout[at].parent
    return found
