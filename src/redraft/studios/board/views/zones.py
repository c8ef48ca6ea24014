"""The nine zones and four edges of a layout, by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import box

from redraft.layout.items import Bounds, Layout

ZONES = (
    "Top-Left",
    "Top-Center",
    "Top-Right",
    "Center-Left",
    "Center",
    "Center-Right",
    "Bottom-Left",
    "Bottom-Center",
    "Bottom-Right",
)
EDGES = ("Left-Edge", "Top-Edge", "Right-Edge", "Bottom-Edge")


def in_depth(name: str) -> str:
    """Return the name of a zone, edge or side on a plan seen from its lower edge: `Top-Left` is `Far-Left` there."""
    words = {"Top": "Far", "Bottom": "Near", "above": "behind", "below": "in front"}
    first, dash, rest = name.partition("-")
    return words.get(first, first) + dash + rest


NEAR = 0.02
"""The distance, as a share of the shorter side, up to which something is at an edge."""

Boxes = NDArray[np.float64]


@dataclass(frozen=True)
class Zones:
    """The nine zones of a box, row by row from the top."""

    bounds: Bounds
    upward: bool = False
    """The frame's y grows upwards."""

    def of(self, boxes: Boxes) -> NDArray[np.int64]:
        """Return for each box the index in `ZONES` of its center's zone, or of the nearest one if it lies outside."""
        x0, y0, x1, y1 = self.bounds
        across = _third((boxes[:, 0] + boxes[:, 2]) / 2, x0, x1)
        down = _third((boxes[:, 1] + boxes[:, 3]) / 2, y0, y1)
        return across + 3 * (2 - down if self.upward else down)

    def edges(self, boxes: Boxes) -> NDArray[np.int64]:
        """Return for each box the index in `EDGES` of the edge it is at, the nearest if several; −1 for none."""
        x0, y0, x1, y1 = self.bounds
        top, bottom = boxes[:, 1] - y0, y1 - boxes[:, 3]
        gaps = np.stack(
            [boxes[:, 0] - x0, bottom if self.upward else top, x1 - boxes[:, 2], top if self.upward else bottom]
        )
        at = gaps.round(9).argmin(axis=0)
        return np.where(gaps.min(axis=0) <= NEAR * min(x1 - x0, y1 - y0), at, -1)

    def cells(self) -> list[Bounds]:
        """Return the boxes of the zones."""
        x0, y0, x1, y1 = self.bounds
        w, h = (x1 - x0) / 3, (y1 - y0) / 3
        rows = (2, 1, 0) if self.upward else (0, 1, 2)
        return [(x0 + i * w, y0 + j * h, x0 + (i + 1) * w, y0 + (j + 1) * h) for j in rows for i in range(3)]

    def crowding(self, layout: Layout, boxes: Boxes) -> list[float]:
        """Return the share of each zone that boxes cover: the sum of their areas over the zone's area."""
        shares: list[float] = []
        for x0, y0, x1, y1 in self.cells():
            wide = np.minimum(boxes[:, 2], x1) - np.maximum(boxes[:, 0], x0)
            high = np.minimum(boxes[:, 3], y1) - np.maximum(boxes[:, 1], y0)
            covered = float((np.maximum(wide, 0.0) * np.maximum(high, 0.0)).sum())
            cell = (x1 - x0) * (y1 - y0)
            room = cell if layout.area is None else layout.area.intersection(box(x0, y0, x1, y1)).area
            shares.append(covered / room if room > cell * 1e-6 else 0.0)
        return shares


def _third(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.int64]:
    return np.clip(np.floor(3 * (values - low) / (high - low)), 0, 2).astype(np.int64)


def zones_of(layout: Layout) -> Zones:
    """Return the zones of the layout's area, or of its frame where it has none."""
    if layout.area is not None and not layout.area.is_empty:
        shapely.prepare(layout.area)
        x0, y0, x1, y1 = layout.area.bounds
    else:
        x0, y0, x1, y1 = layout.frame.bounds
    # A frame around a single thing may have no extent.
    x1, y1 = max(x1, x0 + layout.frame.grid), max(y1, y0 + layout.frame.grid)
    return Zones((x0, y0, x1, y1), layout.frame.up[1] > 0)


def zone_named(layout: Layout, word: str) -> Bounds | None:
    """Return the box of one of the nine zones by its name, in any case; None where there is no such zone."""
    cells = dict(zip((name.casefold() for name in ZONES), zones_of(layout).cells(), strict=True))
    return cells.get(word.strip().casefold())
