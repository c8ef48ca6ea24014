"""Free rectangles of a window, without components, keep-outs and edges of the board, the largest first.

The window is cut into cells at the edges of all boxes in it; a rectangle is free if all its cells are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import box

from redraft.layout.items import Bounds, Layout

Cells = NDArray[np.bool_]
Lines = NDArray[np.float64]

MAX_LINES = 200
"""More lines than this in one direction become a uniform grid of so many; rectangles may then be too small."""
CURVES = 40
"""Lines added in each direction where an outline or a keep-out in the window is not a box."""
MAX_SHARED = 0.5
"""A rectangle that shares a larger part of its area with a larger one is not listed."""


def free_rectangles(
    layout: Layout,
    window: Bounds,
    layer: int,
    *,
    least: tuple[float, float] = (1.0, 1.0),
    without: Collection[str] = (),
    most: int = 3,
) -> list[Bounds]:
    """Return the largest rectangles along the axes that are free on a layer, within a window and the area.

    Components count with the box of all that they claim on the layer. Tracks do not count.

    Args:
        least: the smallest width and height of a rectangle.
        without: items that do not count, since they are to be moved.
    """
    if layout.area is None or layout.area.is_empty:
        return []
    clipped = shapely.clip_by_rect(layout.area, *window)
    if clipped.is_empty:
        return []
    view = clipped.bounds
    boxes = _claimed(layout, view, layer, without)
    odd = [
        k.shape
        for k in layout.barred
        if not k.ports_only and k.item not in without
        if (k.layers is None or layer in k.layers) and k.shape.intersects(clipped)
    ]
    curved = clipped.area < box(*view).area - 1e-9 or bool(odd)
    across, down = (_lines(view, boxes, axis, curved, [shape.bounds for shape in odd]) for axis in (0, 1))
    if len(across) < 2 or len(down) < 2:
        return []
    free = np.ones((len(down) - 1, len(across) - 1), dtype=np.bool_)
    for x0, y0, x1, y1 in boxes.tolist():
        columns = slice(*_span(across, x0, x1))
        free[slice(*_span(down, y0, y1)), columns] = False

    # Boxes lie on the lines; other shapes are compared with each cell.
    if curved:
        left, top = np.meshgrid(across[:-1], down[:-1])
        right, bottom = np.meshgrid(across[1:], down[1:])
        cells: NDArray[np.object_] = shapely.box(left, top, right, bottom)
        shapely.prepare(clipped)
        free &= shapely.covers(clipped.buffer(1e-9), cells)
        for shape in odd:
            shared: Lines = shapely.area(shapely.intersection(cells, shape))  # pyright: ignore[reportUnknownMemberType]
            free &= ~(shared > 1e-12)

    kept: list[Bounds] = []
    for one in sorted(set(_rectangles(free, across, down, least)), key=lambda r: (-round(_area(r), 6), r)):
        if len(kept) == most:
            break
        common = [(max(one[0], k[0]), max(one[1], k[1]), min(one[2], k[2]), min(one[3], k[3])) for k in kept]
        if all(_area(shared) <= MAX_SHARED * _area(one) for shared in common):
            kept.append(one)
    return kept


def _claimed(layout: Layout, view: Bounds, layer: int, without: Collection[str]) -> Lines:
    """Return the boxes (n, 4) of what claims room on the layer within the view."""
    boxes: list[Bounds] = []
    for item in layout.within(view):
        if item.name not in without and (item.claims or item.opposite is not None):
            if item.layer == layer:
                x0, y0, x1, y1 = layout.extent(item.name)
                boxes.append((x0, y0, x1, y1))
            elif item.opposite is not None and not item.opposite.is_empty:
                x0, y0, x1, y1 = item.opposite.bounds
                boxes.append((x0, y0, x1, y1))
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


def _lines(view: Bounds, boxes: Lines, axis: int, curved: bool, more: Sequence[Bounds]) -> Lines:
    """Return the coordinates at which a free rectangle may begin or end."""
    low, high = view[axis], view[axis + 2]
    ends = np.concatenate([boxes, np.array(more, dtype=np.float64).reshape(-1, 4)])[:, [axis, axis + 2]].ravel()
    inner = ends[(ends > low) & (ends < high)]
    even = np.linspace(low, high, CURVES + 1) if curved else np.array([low, high])
    lines = np.unique(np.concatenate([inner, even]).round(6))
    return lines if len(lines) <= MAX_LINES else np.linspace(low, high, MAX_LINES + 1)


def _span(lines: Lines, low: float, high: float) -> tuple[int, int]:
    """Return the first cell, and one past the last, of those that a stretch covers any part of."""
    first = int(np.searchsorted(lines, low + 1e-6, side="right")) - 1
    last = int(np.searchsorted(lines, high - 1e-6, side="left"))
    return max(first, 0), max(last, 0)


def _rectangles(free: Cells, across: Lines, down: Lines, least: tuple[float, float]) -> Iterator[Bounds]:
    """Yield all maximal free rectangles that are large enough: those that end below each row, by a stack of starts."""
    tops = np.zeros(free.shape[1], dtype=np.int64)
    for row in range(free.shape[0]):
        tops = np.where(free[row], tops, row + 1)
        if row + 1 < free.shape[0] and bool((free[row] == free[row + 1]).all()):
            continue  # a rectangle that ends here could go on
        starts: list[tuple[int, int]] = []
        for column, top in enumerate([*tops.tolist(), row + 1]):
            start = column
            while starts and starts[-1][1] < top:
                start, above = starts.pop()
                x0, y0, x1, y1 = across[start], down[above], across[column], down[row + 1]
                if x1 - x0 >= least[0] - 1e-9 and y1 - y0 >= least[1] - 1e-9:
                    yield (float(x0), float(y0), float(x1), float(y1))
            if not starts or starts[-1][1] > top:
                starts.append((start, top))


def _area(box: Bounds) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)
