"""Obstacles around the parts that move on a board, as boxes in layers.

Parts are boxes, layer by layer; whatever does not move, keep-outs, and the area outside the board are covered by boxes:
exactly where edges lie along the axes, and by slightly more than the shape elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Bounds, Item, Layout
from redraft.studios.board.solve.collisions import EDGE, rooms
from redraft.studios.board.solve.constraints import Rule, ShiftProblem, scaled, unit_of, within

STRIPS = 48
"""The most strips that one area is cut into: the accuracy of a curve, and the number of boxes in a solver."""


def cover(shape: BaseGeometry, strips: int = STRIPS) -> list[Bounds]:
    """Boxes that together hold all of a shape: horizontal strips between the heights of its vertices."""
    return [box for part in shapely.get_parts(shape) if part.area > 0 for box in _strips(part, strips)]


def _strips(part: Polygon, strips: int) -> list[Bounds]:
    x0, y0, x1, y1 = part.bounds
    if (x1 - x0) * (y1 - y0) - part.area <= 1e-12 * part.area:
        return [(x0, y0, x1, y1)]
    found: list[Bounds] = []
    for low, high in pairwise(_heights(part, strips)):
        pieces = shapely.get_parts(shapely.clip_by_rect(part, x0 - 1.0, low, x1 + 1.0, high))
        found += [(a, low, c, high) for a, _, c, _ in (piece.bounds for piece in pieces if piece.area > 0)]
    return found


def _heights(part: Polygon, strips: int) -> list[float]:
    """Of the vertices, from the lowest to the highest, those left out that would make strips too thin.

    The last one before a long way without any is kept: what ends there does not reach along that way.
    """
    every = np.unique(shapely.get_coordinates(part)[:, 1]).tolist()
    step = (every[-1] - every[0]) / strips
    if len(every) <= strips:
        return every
    found = [every[0]]
    for height, after in pairwise(every[1:]):
        if (height - found[-1] >= step or after - height >= step) and every[-1] - height >= step / 2:
            found.append(height)
    return [*found, every[-1]]


PART = 12
"""The most strips that a part which stays is covered by: a circle by a tenth more than it is."""


PADS = 8
"""The bit of the pads on layer 0, where pads are listed besides the room of parts."""

MANY = 100
"""Pads of one part from which on they become one box."""


def ground(layout: Layout, movable: Sequence[str], reach: float, *, pads: bool = False) -> ShiftProblem:
    """The problem of shifting these parts by no more than `reach` (in units of the frame) along each axis.

    With `pads` these exclude each other too, whatever side their parts lie on: holes against pads of the other side.
    """
    unit, names = unit_of(layout.frame), tuple(dict.fromkeys(movable))
    boxes = {
        n: scaled(layout.extent(n) if pads else _box(rooms(layout[n]).values() or [layout[n].shape]), unit)
        for n in names
    }
    layers = {name: _bits(layout[name]) | (_metal(layout[name]) if pads else 0) for name in names}
    owners: dict[str, str] = {}
    for owner, mask, pieces in _around(layout, names, reach, pads):
        for piece in pieces:
            name = f"{owner}\n{len(owners)}"  # no part is called so: references are single lines
            boxes[name], layers[name], owners[name] = scaled(piece, unit), mask, owner
    own = _own(layout, owners)
    problem = ShiftProblem(unit, boxes, frozenset(owners), free_pairs=own, layers=layers, owners=owners)
    rules = [_bounded(layout, problem, name, reach) for name in names]
    return replace(problem, rules=tuple(rules), reach=round(reach / unit))


def _own(layout: Layout, owners: dict[str, str]) -> frozenset[frozenset[str]]:
    """Keep-outs are not an obstacle to the parts that they belong to. To all others they stay where they are now."""
    belongs = [(keepout.name, keepout.item) for keepout in layout.barred if keepout.item is not None]
    return frozenset(
        frozenset((item, piece)) for name, item in belongs for piece, owner in owners.items() if owner == name
    )


def _bits(item: Item) -> int:
    return sum(1 << layer for layer in rooms(item))


def _metal(item: Item) -> int:
    """The layers of its pads."""
    layers = item.port_layers
    every = {0, 1} if None in layers else set[int]()
    return sum(1 << (PADS + layer) for layer in every | {layer for layer in layers if layer is not None})


def _pads(item: Item) -> list[tuple[str, int, list[Bounds]]]:
    """The boxes of a part's pads, by the layers that they lie on."""
    found: list[tuple[str, int, list[Bounds]]] = []
    for layer in sorted(item.port_layers, key=str):
        mask = sum(1 << (PADS + n) for n in ((0, 1) if layer is None else (layer,)))
        boxes = [_box([port.shape]) for port in item.ports if item.layer_of(port) == layer]
        found.append((item.name, mask, boxes if len(boxes) < MANY else [_box(box(*b) for b in boxes)]))
    return found


def _box(shapes: Iterable[BaseGeometry]) -> Bounds:
    every = np.array([shape.bounds for shape in shapes])
    return (*every[:, :2].min(axis=0).tolist(), *every[:, 2:].max(axis=0).tolist())


def _around(layout: Layout, names: Sequence[str], reach: float, pads: bool) -> list[tuple[str, int, list[Bounds]]]:
    """What stays and can be met: name, on which layers, boxes that cover it."""
    rows = np.array([layout.rows[name] for name in names])
    extents = layout.extents
    met = np.zeros(len(extents), dtype=bool)
    for x0, y0, x1, y1 in extents[rows]:
        near = (extents[:, 0] <= x1 + reach) & (extents[:, 2] >= x0 - reach)
        met |= near & (extents[:, 1] <= y1 + reach) & (extents[:, 3] >= y0 - reach)
    met[rows] = False
    others = [layout.roots[int(row)] for row in np.flatnonzero(met)]
    found = [(o.name, 1 << layer, _covered(shape)) for o in others for layer, shape in rooms(o).items()]
    if pads:
        found += [each for other in others for each in _pads(other)]
    every = sum(1 << layer for layer in layout.frame.layers) or -1
    for keepout in layout.barred:
        mask = every if keepout.layers is None else sum(1 << layer for layer in keepout.layers)
        if keepout.ports_only:
            mask = mask << PADS if pads else 0
        found.append((keepout.name, mask, _covered(keepout.shape)))
    return [*found, *((EDGE, every, cover(shape)) for shape in _off_the_board(layout, names, reach))]


@lru_cache(maxsize=4096)
def _covered(shape: BaseGeometry) -> list[Bounds]:
    """Asked for again and again, as windows grow."""
    return cover(shape, PART)


def _off_the_board(layout: Layout, names: Sequence[str], reach: float) -> list[BaseGeometry]:
    """The area outside of the board, within reach of the parts and within the box of the board."""
    if layout.area is None:
        return []
    x0, y0, x1, y1 = _box(layout[name].shape for name in names)
    window = box(x0 - reach, y0 - reach, x1 + reach, y1 + reach).intersection(box(*layout.area.bounds))
    return list(shapely.get_parts(window.difference(layout.area)))


def _bounded(layout: Layout, problem: ShiftProblem, name: str, reach: float) -> Rule:
    """The part stays within reach of where it is, and within the box of the board."""
    x0, y0, x1, y1 = (v * problem.unit for v in problem.boxes[name])
    low, high = [x0 - reach, y0 - reach], [x1 + reach, y1 + reach]
    if layout.area is not None:
        a0, b0, a1, b1 = layout.area.bounds
        low, high = [max(low[0], a0), max(low[1], b0)], [min(high[0], a1), min(high[1], b1)]
    outer = scaled((low[0], low[1], high[0], high[1]), problem.unit)
    return within(problem, name, outer, f"{name} lies on the board")
