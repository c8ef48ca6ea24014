"""The contents of a window of a layout, ranked by importance, and the nearest neighbors among them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from redraft.errors import BriefError
from redraft.layout.items import Bounds, Item, Layout, Port
from redraft.studios.board.solve.arguments import known, target_of
from redraft.studios.board.views.gaps import box_gap, exact

FEW = 6
"""In a window with no more top-level things than this, their parts are shown too."""
MAX_FOCUSES = 64
"""Named things to which distances are measured."""

Boxes = NDArray[np.float64]


@dataclass(frozen=True)
class Window:
    """A window and all that meets it. `items` are the named ones, then others by distance; `boxes` is (n, 4)."""

    layout: Layout
    bounds: Bounds
    items: tuple[Item, ...]
    boxes: Boxes
    named: int = 0
    """The number of items that are named."""
    pads: dict[str, tuple[Port, ...]] = field(default_factory=dict[str, tuple[Port, ...]])
    """Pads that were named, by their item."""

    def box(self, i: int) -> Bounds:
        x0, y0, x1, y1 = self.boxes[i].tolist()
        return (x0, y0, x1, y1)


def checked(bounds: Sequence[float]) -> Bounds:
    """Return a window's corners as floats.

    Raises:
        BriefError: it has no width or height, or is not of finite numbers.
    """
    x0, y0, x1, y1 = (float(v) for v in bounds)
    if not all(map(math.isfinite, (x0, y0, x1, y1))) or x1 <= x0 or y1 <= y0:
        given = ", ".join(f"{v:g}" for v in bounds)
        raise BriefError(f"A window needs a width and a height above 0 in finite numbers; got corners ({given})")
    return (x0, y0, x1, y1)


def default_padding(layout: Layout) -> float:
    """Return 5 mm, as specified; in frames without millimeters a twentieth of the longer side."""
    x0, y0, x1, y1 = layout.frame.bounds
    return 5.0 if layout.frame.unit == "mm" else max(x1 - x0, y1 - y0) / 20


def targets_of(layout: Layout, targets: Sequence[str]) -> dict[str, tuple[Port, ...]]:
    """Return items by name, each with the pads of it that were named as `U1.4`.

    Raises:
        BriefError: an unknown name; close ones are given.
    """
    if not targets:
        raise BriefError("Name at least one part to look at")
    pads: dict[str, tuple[Port, ...]] = {}
    for target in targets:
        item, named = target_of(layout, target)
        pads[item] = (*pads.get(item, ()), *named)
    known(layout, pads)
    return pads


def around(layout: Layout, targets: Sequence[str], padding: float) -> Window:
    """Return the window of the box around targets and a padding on each side."""
    if not (math.isfinite(padding) and padding >= 0):
        raise BriefError(f"The padding must be 0 or more; got {padding:g}")
    pads = targets_of(layout, targets)
    boxes = np.array([layout.bounds(name) for name in pads])
    (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    pad = max(padding, layout.frame.grid) if x1 - x0 == 0 or y1 - y0 == 0 else padding
    return _window(layout, checked((x0 - pad, y0 - pad, x1 + pad, y1 + pad)), pads, boxes)


def region(layout: Layout, bounds: Bounds) -> Window:
    """Return a window in which nothing is named: what is nearest to its middle matters most."""
    x0, y0, x1, y1 = checked(bounds)
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return _window(layout, (x0, y0, x1, y1), {}, np.array([[x, y, x, y]]))


def _window(layout: Layout, bounds: Bounds, pads: dict[str, tuple[Port, ...]], focus: Boxes) -> Window:
    items, boxes = _inside(layout, bounds, list(pads))

    # Distances of each box to the nearest one in focus, squared, rounded so that equal ones are equal.
    focus = focus[:MAX_FOCUSES]
    low = np.maximum(focus[None, :, :2] - boxes[:, None, 2:], boxes[:, None, :2] - focus[None, :, 2:])
    far: Boxes = (np.maximum(low, 0.0) ** 2).sum(axis=2).min(axis=1, initial=np.inf).round(9)

    # What lies on another layer than all that is named counts as a quarter of the window further away.
    layers = {layout[name].layer for name in pads}
    if layout.frame.solid and layers:
        further = ((bounds[2] - bounds[0] + bounds[3] - bounds[1]) / 8) ** 2
        elsewhere = [item.layer not in layers and item.opposite is None for item in items]
        far = far + np.where(elsewhere, further, 0.0)

    place = {name: i for i, name in enumerate(pads)}
    first = np.array([place.get(item.name, len(place)) for item in items], dtype=np.int64)
    order: NDArray[np.int64] = np.lexsort((np.arange(len(items)), far, first))
    ranked = tuple(items[int(i)] for i in order)
    return Window(layout, bounds, ranked, boxes[order], len(place), {n: ports for n, ports in pads.items() if ports})


def _inside(layout: Layout, bounds: Bounds, named: Sequence[str]) -> tuple[list[Item], Boxes]:
    """Return top-level things that meet the window; their parts too where there are few, and parts that are named."""
    met = np.flatnonzero(_meets(layout.boxes, bounds))
    roots = layout.roots
    items, boxes = [roots[i] for i in met], layout.boxes[met]
    parts = [name for name in named if layout[name].parent is not None]
    if len(items) <= FEW:
        parts += [part.name for root in items for part in layout.family(root.name)[1:]]
    parts = [name for name in dict.fromkeys(parts) if not layout.whole(name).is_empty]
    if not parts:
        return items, boxes
    inner = np.array([layout.bounds(name) for name in parts])
    keep = np.flatnonzero(_meets(inner, bounds))
    return [*items, *(layout[parts[i]] for i in keep)], np.vstack([boxes, inner[keep]])


def _meets(boxes: Boxes, bounds: Bounds) -> NDArray[np.bool_]:
    x0, y0, x1, y1 = bounds
    return (boxes[:, 0] <= x1) & (boxes[:, 2] >= x0) & (boxes[:, 1] <= y1) & (boxes[:, 3] >= y0)


def meets(shape: BaseGeometry, bounds: Bounds) -> bool:
    """Return whether a shape's box meets a window."""
    x0, y0, x1, y1 = shape.bounds
    return bool(x0 <= bounds[2] and x1 >= bounds[0] and y0 <= bounds[3] and y1 >= bounds[1])


def unplaced_in(layout: Layout, boxes: Boxes) -> NDArray[np.bool_]:
    """Return the boxes that lie wholly outside the layout's area; none without an area."""
    area = layout.area
    if area is None or area.is_empty or not len(boxes):
        return np.zeros(len(boxes), dtype=np.bool_)
    x0, y0, x1, y1 = area.bounds
    off = ~_meets(boxes, (x0, y0, x1, y1))
    near = np.flatnonzero(~off)
    shapely.prepare(area)
    untyped: Any = shapely
    off[near] = ~untyped.intersects(area, untyped.box(*boxes[near].T))
    return off


ELSEWHERE = 1e6
"""Added to the distance of what lies on another layer, so that it comes last."""


class Neighbours:
    """The nearest neighbors in a window. Items are named by their place in it; each query is linear in their number."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self._nearest: dict[tuple[int, int], list[int]] = {}

    def gap(self, a: int, b: int) -> float:
        """Return the distance of two boxes, in units."""
        return exact(box_gap(self.window.box(a), self.window.box(b))[0], self.window.layout.frame.quantum)

    def to(self, i: int, count: int) -> list[int]:
        """Return the up to four nearest of the first `count` items, the nearest first; not its own parts."""
        if (i, count) not in self._nearest:
            boxes, mine = self.window.boxes[:count], self.window.boxes[i]
            low = np.maximum(np.maximum(mine[:2] - boxes[:, 2:], boxes[:, :2] - mine[2:]), 0.0)
            far: NDArray[np.float64] = np.hypot(low[:, 0], low[:, 1])
            far = (far + ELSEWHERE * (self._layers[:count] != self._layers[i])).round(9)
            far[[k for k in (i, *self.kin.get(i, ())) if k < count]] = np.inf
            order: list[int] = np.argsort(far, kind="stable")[:4].tolist()
            self._nearest[i, count] = [k for k in order if far[k] < np.inf]
        return self._nearest[i, count]

    @cached_property
    def _layers(self) -> NDArray[np.int64]:
        solid = self.window.layout.frame.solid
        return np.array([item.layer if solid else 0 for item in self.window.items], dtype=np.int64)

    @cached_property
    def kin(self) -> dict[int, list[int]]:
        """Return, for parts and wholes in the window, each other's places."""
        layout = self.window.layout
        place = {item.name: i for i, item in enumerate(self.window.items)}
        kin: dict[int, list[int]] = {}
        for i, item in enumerate(self.window.items):
            parent = item.parent
            while parent is not None:
                if parent in place:
                    kin.setdefault(i, []).append(place[parent])
                    kin.setdefault(place[parent], []).append(i)
                parent = layout[parent].parent
        return kin
