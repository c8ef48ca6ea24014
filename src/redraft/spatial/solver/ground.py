"""What parts on a board are among: the problem of shifting some of them, in a window around each.

Parts are boxes, layer by layer; whatever does not move, keep-outs, and the ground outside the board are covered by
boxes, which is exact for what lies along the axes and on the safe side for the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from redraft.spatial.collisions import EDGE, rooms
from redraft.spatial.layout import Bounds, Item, Layout
from redraft.spatial.solver.cover import cover
from redraft.spatial.solver.problem import Problem, Rule, scaled, unit_of, within

__all__ = ["ground"]


def ground(layout: Layout, movable: Sequence[str], reach: float, apart: Iterable[frozenset[str]] = ()) -> Problem:
    """The problem of shifting these parts by no more than `reach` (in units of the frame) along each axis.

    `apart` are pairs that may not overlap although they share no layer: holes against pads of the other side.
    """
    unit, names = unit_of(layout.frame), tuple(dict.fromkeys(movable))
    boxes = {name: scaled(_box(rooms(layout[name]).values()), unit) for name in names}
    layers = {name: _bits(layout[name]) for name in names}
    owners: dict[str, str] = {}
    for owner, mask, shape in _around(layout, names, reach):
        for piece in cover(shape):
            name = f"{owner}\n{len(owners)}"  # no part is called so: references are single lines
            boxes[name], layers[name], owners[name] = scaled(piece, unit), mask, owner
    pairs = _pieces(owners, {frozenset(pair) for pair in apart})
    own = _own(layout, owners)
    problem = Problem(unit, boxes, frozenset(owners), free_pairs=own, layers=layers, owners=owners, apart=pairs)
    rules = [_bounded(layout, problem, name, reach) for name in names]
    return replace(problem, rules=tuple(rules), reach=round(reach / unit))


def _own(layout: Layout, owners: dict[str, str]) -> frozenset[frozenset[str]]:
    """Keep-outs are no obstacle to the parts that they belong to. To all others they stay where they are now."""
    belongs = [(keepout.name, keepout.item) for keepout in layout.barred if keepout.item is not None]
    return frozenset(
        frozenset((item, piece)) for name, item in belongs for piece, owner in owners.items() if owner == name
    )


def _pieces(owners: dict[str, str], pairs: set[frozenset[str]]) -> frozenset[frozenset[str]]:
    """The pairs of parts as pairs of the boxes that they are covered by."""
    pieces: dict[str, list[str]] = {}
    for piece, owner in owners.items():
        pieces.setdefault(owner, []).append(piece)
    found = set(pairs)
    for a, b in (tuple(pair) for pair in pairs if len(pair) == 2):
        found |= {frozenset((p, q)) for p in pieces.get(a, [a]) for q in pieces.get(b, [b])}
    return frozenset(found)


def _bits(item: Item) -> int:
    return sum(1 << layer for layer in rooms(item))


def _box(shapes: Iterable[BaseGeometry]) -> Bounds:
    every = np.array([shape.bounds for shape in shapes])
    return (*every[:, :2].min(axis=0).tolist(), *every[:, 2:].max(axis=0).tolist())


def _around(layout: Layout, names: Sequence[str], reach: float) -> list[tuple[str, int, BaseGeometry]]:
    """What stays and can be met: name, on which layers, shape."""
    rows = np.array([layout.rows[name] for name in names])
    extents = layout.extents
    met = np.zeros(len(extents), dtype=bool)
    for x0, y0, x1, y1 in extents[rows]:
        near = (extents[:, 0] <= x1 + reach) & (extents[:, 2] >= x0 - reach)
        met |= near & (extents[:, 1] <= y1 + reach) & (extents[:, 3] >= y0 - reach)
    met[rows] = False
    found = [
        (layout.roots[int(row)].name, 1 << layer, shape)
        for row in np.flatnonzero(met)
        for layer, shape in rooms(layout.roots[int(row)]).items()
    ]
    every = sum(1 << layer for layer in layout.frame.layers) or -1
    for keepout in layout.barred:
        mask = every if keepout.layers is None else sum(1 << layer for layer in keepout.layers)
        found.append((keepout.name, mask, keepout.shape))
    return [*found, *((EDGE, every, shape) for shape in _off_the_board(layout, names, reach))]


def _off_the_board(layout: Layout, names: Sequence[str], reach: float) -> list[BaseGeometry]:
    """The ground that is no board, within reach of the parts and within the box of the board."""
    if layout.area is None:
        return []
    x0, y0, x1, y1 = _box(layout[name].shape for name in names)
    window = box(x0 - reach, y0 - reach, x1 + reach, y1 + reach).intersection(box(*layout.area.bounds))
    return list(shapely.get_parts(window.difference(layout.area)))


def _bounded(layout: Layout, problem: Problem, name: str, reach: float) -> Rule:
    """The part stays within reach of where it is, and within the box of the board."""
    x0, y0, x1, y1 = (v * problem.unit for v in problem.boxes[name])
    low, high = [x0 - reach, y0 - reach], [x1 + reach, y1 + reach]
    if layout.area is not None:
        a0, b0, a1, b1 = layout.area.bounds
        low, high = [max(low[0], a0), max(low[1], b0)], [min(high[0], a1), min(high[1], b1)]
    outer = scaled((low[0], low[1], high[0], high[1]), problem.unit)
    return within(problem, name, outer, f"{name} lies on the board")
