"""Which things in a window are each other's neighbours: the nearest by their boxes, on one layer before another."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from redraft.spatial.gaps import box_gap, exact
from redraft.spatial.window import Window

__all__ = ["Neighbours"]

ELSEWHERE = 1e6
"""Added to the distance of what lies on another layer."""


class Neighbours:
    """Items are named by their place in the window. Linear in its items for each that is asked about."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self._found: dict[tuple[int, int], list[int]] = {}

    def gap(self, a: int, b: int) -> float:
        """The distance of two boxes, in units."""
        return exact(box_gap(self.window.box(a), self.window.box(b))[0], self.window.layout.frame.quantum)

    def to(self, i: int, count: int) -> list[int]:
        """Up to four of the first so many items that are nearest to one, the nearest first; its own parts left out."""
        if (i, count) not in self._found:
            boxes, mine = self.window.boxes[:count], self.window.boxes[i]
            low = np.maximum(np.maximum(mine[:2] - boxes[:, 2:], boxes[:, :2] - mine[2:]), 0.0)
            far: NDArray[np.float64] = np.hypot(low[:, 0], low[:, 1])
            far = (far + ELSEWHERE * (self._layers[:count] != self._layers[i])).round(9)
            far[[k for k in (i, *self.kin.get(i, ())) if k < count]] = np.inf
            order: list[int] = np.argsort(far, kind="stable")[:4].tolist()
            self._found[i, count] = [k for k in order if far[k] < np.inf]
        return self._found[i, count]

    @cached_property
    def _layers(self) -> NDArray[np.int64]:
        solid = self.window.layout.frame.solid
        return np.array([item.layer if solid else 0 for item in self.window.items], dtype=np.int64)

    @cached_property
    def kin(self) -> dict[int, list[int]]:
        """For items that are part of others in the window, and for these, each other's places."""
        layout = self.window.layout
        place = {item.name: i for i, item in enumerate(self.window.items)}
        found: dict[int, list[int]] = {}
        for i, item in enumerate(self.window.items):
            parent = item.parent
            while parent is not None:
                if parent in place:
                    found.setdefault(i, []).append(place[parent])
                    found.setdefault(place[parent], []).append(i)
                parent = layout[parent].parent
        return found
