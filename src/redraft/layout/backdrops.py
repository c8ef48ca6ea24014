"""Backdrops: items that lie behind everything in a picture, and ground that others stand on, found by geometry."""

from __future__ import annotations

from redraft.layout.items import Bounds, Item, Layout

NEAR = 0.02
"""Share of the frame within which an edge is reached."""
BACKDROP_AREA = 0.6
"""Share of the frame's area that only a backdrop covers."""
GROUND_MARGIN = 0.25
"""Share of the frame's height within which ground ends at the foot, and beyond which it begins below the head."""


def is_backdrop(layout: Layout, item: Item, bounds: Bounds | None = None) -> bool:
    """Return whether a top-level item lies behind the rest: it spans the frame, or covers most of it.

    `bounds` are those of the item with its parts, if they are known.
    """
    a, b, c, d = box = bounds or layout.bounds(item.name)
    if item.parent is not None or not a <= c:  # an empty shape has no bounds
        return False
    large = (c - a) * (d - b) > BACKDROP_AREA * layout.frame.area
    return spans(layout, box) or (large and layout.whole(item.name).area > BACKDROP_AREA * layout.frame.area)


def spans(layout: Layout, bounds: Bounds) -> bool:
    """Return whether a box reaches opposite edges of the frame."""
    x0, y0, x1, y1 = layout.frame.bounds
    a, b, c, d = bounds
    near = NEAR * max(x1 - x0, y1 - y0)
    return (a <= x0 + near and c >= x1 - near) or (b <= y0 + near and d >= y1 - near)


def is_ground(layout: Layout, bounds: Bounds) -> bool:
    """Return whether a backdrop reaches the foot of the frame, or nearly, and begins well below its head."""
    _, y0, _, y1 = layout.frame.bounds
    _, b, _, d = bounds
    return d >= y1 - GROUND_MARGIN * (y1 - y0) and b > y0 + GROUND_MARGIN * (y1 - y0)
