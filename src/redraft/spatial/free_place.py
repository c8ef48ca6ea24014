"""The nearest place where a thing fits: found among the boxes around it, verified with the true shapes."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from redraft.spatial.collisions import new_collisions, rooms
from redraft.spatial.layout import Bounds, Layout, Move, Point
from redraft.spatial.solver.problem import Axis, scaled
from redraft.spatial.solver.spots import FAR, Limits, ranked

__all__ = ["Line", "limits", "middle", "nearest_free", "walls"]

TRIES = 40
"""Places that are looked at with true shapes before the search gives up."""

DETOUR = 4.0
"""Along the line that was asked for a place may be so many times as far as the nearest anywhere."""

Line = tuple[Axis, int]
"""An axis, and the side of it to which a thing may give way without leaving what was asked."""


def nearest_free(before: Layout, after: Layout, name: str, line: Line | None = None) -> Point | None:
    """The middle of the item's box at the nearest free place from where it would be; None when none is found.

    A place on the line that the action asked for goes before a somewhat nearer one off it. Free is what collides no
    more than the item did `before`.
    """
    around = walls(after, name) / after.frame.quantum
    anywhere = _first(before, after, name, limits(after, name), around)
    if line is None or anywhere is None:
        return anywhere
    axis = line[0]
    along = _first(before, after, name, _on(line, limits(after, name)), around)
    home = middle(after.bounds(name))
    if along is None or abs(along[axis] - home[axis]) > DETOUR * np.hypot(anywhere[0] - home[0], anywhere[1] - home[1]):
        return anywhere
    return along


def middle(box: Bounds) -> Point:
    x0, y0, x1, y1 = box
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def _on(line: Line, bounds: Limits) -> Limits:
    axis, sign = line
    low, high = (max(0, bounds[2 * axis]), bounds[2 * axis + 1]) if sign > 0 else (bounds[2 * axis], 0)
    return (low, high, 0, 0) if axis == 0 else (0, 0, low, high)


def _first(before: Layout, after: Layout, name: str, limit: Limits, around: NDArray[np.float64]) -> Point | None:
    """As `nearest_free` within limits; the walls around in quanta."""
    quantum = after.frame.quantum
    box = scaled(_extent(after, name), quantum)
    for dx, dy in islice(ranked(box, around, 0.0, limit), TRIES):
        move = Move.shift(name, dx * quantum, dy * quantum)
        there = after.moved((move,))
        if not new_collisions(before, there, (name,)):
            return middle(there.bounds(name))
    return None


def _extent(layout: Layout, name: str) -> Bounds:
    if name not in layout.rows:
        return layout.bounds(name)
    x0, y0, x1, y1 = (float(v) for v in layout.extents[layout.rows[name]])
    return (x0, y0, x1, y1)


def walls(layout: Layout, name: str, but: frozenset[str] = frozenset()) -> NDArray[np.float64]:
    """Boxes (n, 4) of what an item may not lie on: other top-level items that claim room on its layers, keep-outs."""
    item = layout[layout.root_of(name).name]
    layers = rooms(item).keys()
    met = [
        row
        for row, other in enumerate(layout.roots)
        if other.name not in but
        and other is not item
        and not (layout.frame.solid and other.opposite is None and other.layer not in layers)
    ]
    keepouts = [
        k.shape.bounds
        for k in layout.barred
        if k.item != item.name and (k.layers is None or any(n in layers for n in k.layers))
    ]
    boxes = np.concatenate([layout.extents[met], np.array(keepouts).reshape(-1, 4)])
    return boxes[np.isfinite(boxes[:, 0])]


def limits(layout: Layout, name: str) -> Limits:
    """Shifts in quanta that keep an item within the box of the area, or of a drawing's frame."""
    quantum, area = layout.frame.quantum, layout.area
    if area is None and layout.frame.solid:
        return (-FAR, FAR, -FAR, FAR)
    outer = scaled(layout.frame.bounds if area is None else _bounds(area.bounds), quantum)
    box = scaled(layout.bounds(name), quantum)
    low = [int(np.ceil(outer[a] - box[a] - 1e-3)) for a in (0, 1)]
    high = [int(np.floor(outer[a + 2] - box[a + 2] + 1e-3)) for a in (0, 1)]
    return (low[0], high[0], low[1], high[1])


def _bounds(found: tuple[float, ...]) -> Bounds:
    x0, y0, x1, y1 = found
    return (x0, y0, x1, y1)
