"""Doors and windows of a thing seen in plan: gaps in the wall on one of its sides, as wide as stated."""

from __future__ import annotations

from redraft.offline.lexicon import Entry
from redraft.offline.planner.sizes import in_canvas
from redraft.spatial.layout import Bounds
from redraft.spatial.reading import Place, Size

__all__ = ["opening_box", "root_box", "wall_of"]

USUAL = 0.2
"""Of a wall, for an opening without a stated width."""
THICKNESS = 0.04
"""Of a wall, as a share of the room's shorter side."""


def root_box(entry: Entry | None, box: Bounds) -> Bounds:
    """What the root part of a thing in `box` covers, when it is a rectangle: the floor that the walls stand on."""
    strokes = entry.realise(box, prefix="root", label="root")[1] if entry is not None else []
    floor = next((s for s in strokes if s["part"] == "root" and s["kind"] == "rect"), None)
    if floor is None:
        return box
    x, y, w, h = (float(str(floor[k])) for k in ("x", "y", "w", "h"))
    return (x, y, x + w, y + h)


def wall_of(room: Bounds) -> float:
    """How thick the walls of a room are drawn."""
    return THICKNESS * min(room[2] - room[0], room[3] - room[1])


def opening_box(room: Bounds, where: Place, size: Size | None, metre: float, index: int, count: int) -> Bounds:
    """The box of one opening and of the quarter circle its leaf sweeps into the room. `metre` is a metre's share of
    the canvas; several on one side share it evenly."""
    x0, y0, x1, y1 = room
    low, high = (y0, y1) if where.side in {"left", "right"} else (x0, x1)
    stated = size.width if size is not None else None
    length = in_canvas(stated, metre) if stated is not None else USUAL * (high - low)
    middle = _along(where.spot, low, high, length) if count == 1 else low + (high - low) * (index + 1) / (count + 1)
    a, b = middle - length / 2, middle + length / 2
    match where.side:
        case "left":
            return (x0, a, x0 + length, b)
        case "right":
            return (x1 - length, a, x1, b)
        case "top":
            return (a, y0, b, y0 + length)
        case _:
            return (a, y1 - length, b, y1)


def _along(spot: str, low: float, high: float, length: float) -> float:
    """The middle of the opening: at the wall's middle, or near the end that is named."""
    if spot in {"left", "top", "top_left"}:
        return low + length
    if spot in {"right", "bottom", "bottom_right"}:
        return high - length
    return (low + high) / 2
