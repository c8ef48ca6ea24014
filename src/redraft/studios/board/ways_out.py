"""The smallest move that puts something right, in words that a model can act on: `move C3 0.35 mm right`."""

from __future__ import annotations

import math
from collections.abc import Collection

import shapely
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from redraft.spatial.layout import Item, Point, Port
from redraft.spatial.solver.contact import Outline, travel
from redraft.spatial.solver.problem import AXES

__all__ = ["apart", "inwards", "movable"]

WORDS = {(0, -1): "left", (0, 1): "right", (1, -1): "up", (1, 1): "down"}
"""Axis and sign → word; y grows downwards."""


def movable(a: Item, b: Item, moved: Collection[str] = ()) -> tuple[Item, Item]:
    """The one of two that rather moves (not the locked one, then the one that was moved, or the smaller), the other."""
    first, second = sorted((a, b), key=lambda i: (i.locked, i.name not in moved, i.shape.area, i.name))
    return first, second


def apart(name: str, mine: BaseGeometry | Port, other: BaseGeometry | Port, clearance: float = 0.0) -> str:
    """The shortest way along an axis after which two shapes are so far apart."""
    ways: list[tuple[float, str]] = []
    for axis in AXES:
        for sign in (-1, 1):
            shift = travel(_outline(mine), _outline(other), axis, sign, clearance)
            if shift is not None and shift * sign < 0:  # coming from afar, it would have stopped so much earlier
                ways.append((abs(shift), WORDS[axis, -sign]))
    return _words(name, *min(ways)) if ways else ""


def inwards(name: str, shape: BaseGeometry, area: BaseGeometry, clearance: float = 0.0) -> str:
    """The way along an axis that brings a shape into an area and so far from its edge; "" if none of the four does.

    Exact at edges along the axes; the nearest point of others is taken for the whole edge.
    """
    room = area.buffer(-clearance) if clearance else area
    if room.is_empty:
        return ""
    outside = shape.difference(room)
    if outside.is_empty:
        return ""
    x0, y0, x1, y1 = shape.bounds
    left, top, right, bottom = room.bounds
    wide = [(left - x0, (0, 1)), (x1 - right, (0, -1)), (top - y0, (1, 1)), (y1 - bottom, (1, -1))]
    over = [(way, direction) for way, direction in wide if way > 0]
    if over:
        return " and ".join(_words(name if n == 0 else "", way, WORDS[d]) for n, (way, d) in enumerate(over))
    dx, dy = _nearest(outside, room)
    axis = 0 if abs(dx) >= abs(dy) else 1
    way = (dx, dy)[axis]
    return _words(name, abs(way), WORDS[axis, 1 if way > 0 else -1]) if way else ""


def _outline(shape: BaseGeometry | Port) -> Outline:
    return Outline.of_ports((shape,)) if isinstance(shape, Port) else Outline.of(shape)


def _nearest(outside: BaseGeometry, room: BaseGeometry) -> Point:
    """From the outermost corner of what is outside to the room."""
    corners = [ShapelyPoint(at) for at in shapely.get_coordinates(outside)]
    worst = max(corners, key=room.distance)
    _, there = nearest_points(worst, room)
    return there.x - worst.x, there.y - worst.y


def _words(name: str, way: float, word: str) -> str:
    """Rounded up to a micrometre, so that having done it is enough."""
    micrometres = math.ceil(way * 1000 - 1e-6)
    text = f"{micrometres / 1000:.3f}".rstrip("0").rstrip(".")
    return f"move {name} {text} mm {word}" if name else f"{text} mm {word}"
