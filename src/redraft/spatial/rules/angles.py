"""Angles: a hand or needle points where the brief says, seen from its whole's centre."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely

from redraft.result import Issue
from redraft.spatial.layout import Item, Point
from redraft.spatial.reading import Angle
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import arrow, centre, found

__all__ = ["direction", "pointing"]

TOLERANCE = 2.0
"""Degrees."""


def pointing(scene: Scene, angle: Angle) -> Iterator[Issue]:
    """Degrees clockwise from up, within two."""
    for item in scene.binding.items(angle.selector):
        if item.shape.is_empty:
            continue
        pivot = _pivot(scene, item)
        degrees, tip = direction(item, pivot)
        off = (degrees - angle.degrees + 180) % 360 - 180
        if abs(off) > TOLERANCE:
            yield _issue(angle, item.name, pivot, tip, degrees, off)


def _pivot(scene: Scene, item: Item) -> Point:
    """The centre of its whole; of the canvas for a hand that is part of nothing."""
    if item.parent is None:
        return centre(scene.layout.frame.bounds)
    return centre(scene.own_box(scene.layout[item.parent]))


def direction(item: Item, pivot: Point) -> tuple[float, Point]:
    """Where the point farthest from the pivot lies: degrees clockwise from up (y down), and the point itself."""
    points = shapely.get_coordinates(item.shape)
    away = points - np.array(pivot)
    x, y = (float(v) for v in points[int(np.argmax((away**2).sum(axis=1)))])
    return math.degrees(math.atan2(x - pivot[0], pivot[1] - y)) % 360, (x, y)


def _issue(angle: Angle, name: str, pivot: Point, tip: Point, degrees: float, off: float) -> Issue:
    length = math.dist(pivot, tip)
    turn = math.radians(angle.degrees)
    want = (pivot[0] + length * math.sin(turn), pivot[1] - length * math.cos(turn))
    return found(
        "angle.hand",
        "error",
        f"{name} points to {degrees:.0f}°; {angle.degrees:.0f}° clockwise from up is asked for",
        (name,),
        numbers={"found": degrees, "expected": angle.degrees},
        mend=f"turn {name} by {-off:.1f}° clockwise about ({pivot[0]:.3f}, {pivot[1]:.3f}): tip at "
        f"({want[0]:.3f}, {want[1]:.3f})",
        marks=(arrow(pivot, tip, f"{degrees:.0f}°"), arrow(pivot, want, f"{angle.degrees:.0f}°")),
        phrase=angle.phrase,
    )
