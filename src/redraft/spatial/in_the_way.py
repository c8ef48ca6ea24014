"""What is in the way of a part where it might lie: names and no depths, so that many places cost little."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from redraft.spatial.collisions import EDGE, outside, rooms
from redraft.spatial.depths import meet, pad_depth
from redraft.spatial.layout import Bounds, Item, Layout

__all__ = ["in_the_way"]


def in_the_way(layout: Layout, item: Item, box: Bounds) -> Iterator[str]:
    """What a top-level item of a board would meet, `box` being around all that it claims there.

    Whoever meets nothing by this collides with nothing by `collisions`. What the item meets already where it lies
    now is in the way too.
    """
    met = [layout.roots[row] for row in _near(layout, item, box)]
    yield from (other.name for other in met if _meets(layout, item, other))
    claims, quantum = rooms(item), layout.frame.quantum
    for keepout in layout.barred:
        layers = claims if keepout.layers is None else claims.keys() & set(keepout.layers)
        if keepout.item != item.name and any(meet(claims[layer], keepout.shape, quantum) for layer in layers):
            yield keepout.name
    if _over_the_edge(layout, item):
        yield EDGE


def _near(layout: Layout, item: Item, box: Bounds) -> list[int]:
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
    kept = (
        (k.shape, theirs[layer]) for k in item.keepouts for layer in theirs if k.layers is None or layer in k.layers
    )
    return any(meet(one, another, quantum) for one, another in kept) or pad_depth(item, other, quantum) > quantum


def _over_the_edge(layout: Layout, item: Item) -> bool:
    """Whether it sticks out further than where it lies now; what is wholly off the board is not placed yet."""
    area, was = layout.area, layout[item.name].shape
    if area is None or (out := outside(item.shape, area)) <= layout.frame.quantum:
        return False
    if not area.intersects(was):
        return area.intersects(item.shape)
    return out > outside(was, area) + layout.frame.quantum
