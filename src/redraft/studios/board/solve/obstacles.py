"""Obstacles around the components that move on a board, as boxes in layers.

Components are boxes, layer by layer. Whatever does not move, keep-outs, and the area outside the board are covered by
boxes: exactly where edges lie along the axes, and by slightly more than the shape elsewhere.
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

from redraft.layout.items import Bounds, Layout
from redraft.studios.board.solve.collisions import EDGE, rooms
from redraft.studios.board.solve.constraints import Rule, ShiftProblem, scaled, unit_of, within

MAX_STRIPS = 48
"""Strips that one area is cut into at most: the accuracy of a curve, and the number of boxes in a solver."""

MAX_PART_STRIPS = 12
"""Strips that cover a component which stays, at most: a circle by a tenth more than it is."""

PADS = 8
"""The bit of the pads on layer 0, where pads are listed besides the room of components."""

MAX_PADS = 100
"""A component of so many pads or more has one box for all of them."""


def cover(shape: BaseGeometry, strips: int = MAX_STRIPS) -> list[Bounds]:
    """Return boxes that together hold all of a shape: horizontal strips between the heights of its vertices."""
    boxes: list[Bounds] = []
    for part in shapely.get_parts(shape):
        if not part.area > 0:
            continue
        x0, y0, x1, y1 = part.bounds
        if (x1 - x0) * (y1 - y0) - part.area <= 1e-12 * part.area:
            boxes.append((x0, y0, x1, y1))
            continue
        for low, high in pairwise(_heights(part, strips)):
            pieces = shapely.get_parts(shapely.clip_by_rect(part, x0 - 1.0, low, x1 + 1.0, high))
            boxes += [(a, low, c, high) for a, _, c, _ in (piece.bounds for piece in pieces if piece.area > 0)]
    return boxes


def _heights(part: Polygon, strips: int) -> list[float]:
    """Return the heights of vertices in order, without those that would make strips too thin.

    The last one before a long way without any is kept: what ends there does not reach along that way.
    """
    every = np.unique(shapely.get_coordinates(part)[:, 1]).tolist()
    step = (every[-1] - every[0]) / strips
    if len(every) <= strips:
        return every
    heights = [every[0]]
    for height, after in pairwise(every[1:]):
        if (height - heights[-1] >= step or after - height >= step) and every[-1] - height >= step / 2:
            heights.append(height)
    return [*heights, every[-1]]


def ground(layout: Layout, movable: Sequence[str], reach: float, *, pads: bool = False) -> ShiftProblem:
    """Return the problem of shifting components by no more than `reach` (in units of the frame) along each axis.

    With `pads` these exclude each other too, whatever side their components lie on: holes against pads of the other
    side.
    """
    unit, names = unit_of(layout.frame), tuple(dict.fromkeys(movable))
    boxes: dict[str, Bounds] = {}
    layers: dict[str, int] = {}
    for name in names:
        item = layout[name]
        room = layout.extent(name) if pads else _box(rooms(item).values() or [item.shape])
        boxes[name] = scaled(room, unit)
        layers[name] = sum(1 << layer for layer in rooms(item))
        if pads:
            layers[name] |= _pad_bits({0, 1} if None in item.port_layers else item.port_layers)

    owners: dict[str, str] = {}
    for owner, mask, pieces in _around(layout, names, reach, pads):
        for piece in pieces:
            name = f"{owner}\n{len(owners)}"  # no component is called so: references are single lines
            boxes[name], layers[name], owners[name] = scaled(piece, unit), mask, owner

    # Keep-outs are no obstacle to the components that they belong to. To all others they stay where they are now.
    belongs = [(keepout.name, keepout.item) for keepout in layout.barred if keepout.item is not None]
    own = frozenset(
        frozenset((item, piece)) for name, item in belongs for piece, owner in owners.items() if owner == name
    )
    problem = ShiftProblem(unit, boxes, frozenset(owners), free_pairs=own, layers=layers, owners=owners)

    # All stay within reach of where they are, and within the box of the board.
    rules: list[Rule] = []
    for name in names:
        x0, y0, x1, y1 = (v * unit for v in boxes[name])
        low, high = [x0 - reach, y0 - reach], [x1 + reach, y1 + reach]
        if layout.area is not None:
            a0, b0, a1, b1 = layout.area.bounds
            low, high = [max(low[0], a0), max(low[1], b0)], [min(high[0], a1), min(high[1], b1)]
        outer = scaled((low[0], low[1], high[0], high[1]), unit)
        rules.append(within(problem, name, outer, f"{name} lies on the board"))
    return replace(problem, rules=tuple(rules), reach=round(reach / unit))


def _pad_bits(layers: Iterable[int | None]) -> int:
    """Return the bits of pads on some layers."""
    return sum(1 << (PADS + layer) for layer in layers if layer is not None)


def _box(shapes: Iterable[BaseGeometry]) -> Bounds:
    every = np.array([shape.bounds for shape in shapes])
    return (*every[:, :2].min(axis=0).tolist(), *every[:, 2:].max(axis=0).tolist())


def _around(layout: Layout, names: Sequence[str], reach: float, pads: bool) -> list[tuple[str, int, list[Bounds]]]:
    """Return what stays and can be met: name, bits of its layers, boxes that cover it."""
    rows = np.array([layout.rows[name] for name in names])
    extents = layout.extents
    met = np.zeros(len(extents), dtype=bool)
    for x0, y0, x1, y1 in extents[rows]:
        near = (extents[:, 0] <= x1 + reach) & (extents[:, 2] >= x0 - reach)
        met |= near & (extents[:, 1] <= y1 + reach) & (extents[:, 3] >= y0 - reach)
    met[rows] = False
    others = [layout.roots[int(row)] for row in np.flatnonzero(met)]
    obstacles = [(o.name, 1 << layer, _covered(shape)) for o in others for layer, shape in rooms(o).items()]
    for other in others if pads else ():
        for layer in sorted(other.port_layers, key=str):
            boxes = [_box([port.shape]) for port in other.ports if other.layer_of(port) == layer]
            boxes = boxes if len(boxes) < MAX_PADS else [_box(box(*b) for b in boxes)]
            obstacles.append((other.name, _pad_bits((0, 1) if layer is None else (layer,)), boxes))

    every = sum(1 << layer for layer in layout.frame.layers) or -1
    for keepout in layout.barred:
        mask = every if keepout.layers is None else sum(1 << layer for layer in keepout.layers)
        if keepout.ports_only:
            mask = mask << PADS if pads else 0
        obstacles.append((keepout.name, mask, _covered(keepout.shape)))

    # The area outside of the board, within reach of the components and within the box of the board.
    if layout.area is not None:
        x0, y0, x1, y1 = _box(layout[name].shape for name in names)
        window = box(x0 - reach, y0 - reach, x1 + reach, y1 + reach).intersection(box(*layout.area.bounds))
        obstacles += [(EDGE, every, cover(shape)) for shape in shapely.get_parts(window.difference(layout.area))]
    return obstacles


@lru_cache(maxsize=4096)
def _covered(shape: BaseGeometry) -> list[Bounds]:
    """Cover a shape; the answer is kept, for it is needed again and again as windows grow."""
    return cover(shape, MAX_PART_STRIPS)
