"""Stated angles and spots: a clock's hand turned about its pivot, a thing put in the middle."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from redraft.requirements import CANVAS, KINDS, Requirement, Space, checks_of
from redraft.spatial.layout import Bounds, Move, Point
from redraft.spatial.solver.site import Site, around, center, flat

__all__ = ["axis_of", "placed", "turned"]

BESIDE = 0.03
"""Of the canvas: a hand whose axis passes its pivot by less is meant to go through it."""


def turned(site: Site, read: Requirement) -> Iterator[Move]:
    """Hands point as stated: their own axis through the pivot, where it nearly is; else turned about it."""
    space = site.view(read)
    for name in site.names(read.parts):
        parent = site.layout[name].parent
        others = site.names(read.of) or ((parent,) if parent is not None else (CANVAS,))
        pivot = center(flat(space, others[0]))
        one = read.model_copy(update={"parts": (name,)})
        check = next(KINDS["angle"].measure(one, space), None)
        if check is None:  # hidden where it is now
            continue
        straight = _through(site, name, space.shape(name), pivot, read.degrees or 0.0)
        about = Move.turn(name, check.found - check.expected, pivot, "turned to where it should point")
        yield straight if straight is not None and _exact(site, one, straight) else about


def _exact(site: Site, read: Requirement, move: Move) -> bool:
    return all(check.error <= check.exact for check in checks_of(read, site.layout.moved((move,))))


def _through(site: Site, name: str, shape: BaseGeometry, pivot: Point, degrees: float) -> Move | None:
    """First across its own axis, until that goes through the pivot; then about the pivot."""
    middle, (ux, uy) = axis_of(shape, pivot)
    off = (pivot[0] - middle[0]) * -uy + (pivot[1] - middle[1]) * ux
    if abs(off) > BESIDE:
        return None
    turn = math.radians(degrees) - math.atan2(ux, -uy)
    c, s = math.cos(turn), math.sin(turn)
    x, y = -uy * off - pivot[0], ux * off - pivot[1]
    matrix = (c, s, -s, c, pivot[0] + c * x - s * y, pivot[1] + s * x + c * y)
    return Move(name, matrix, "turned to where it should point")


def axis_of(shape: BaseGeometry, pivot: Point) -> tuple[Point, Point]:
    """The centroid of a shape, and the unit vector along its long axis away from a pivot.

    The axis is the principal one of the area's second moments: for a hand that is its line of symmetry, exactly.
    """
    centroid = shape.centroid
    xx, yy, xy = _moments(shape, (centroid.x, centroid.y))
    angle = math.atan2(2 * xy, xx - yy) / 2
    ux, uy = math.cos(angle), math.sin(angle)
    points = shapely.get_coordinates(shape) - np.array(pivot)
    tip = points[int(np.argmax((points**2).sum(axis=1)))]
    sign = 1.0 if tip[0] * ux + tip[1] * uy >= 0 else -1.0
    return (centroid.x, centroid.y), (sign * ux, sign * uy)


def _moments(shape: BaseGeometry, about: Point) -> tuple[float, float, float]:
    """Second moments of area ∫x², ∫y², ∫xy about a point, by Green's theorem over the rings; holes count negative."""
    total = np.zeros(3)
    for polygon in shapely.get_parts(shape):
        rings = shapely.get_rings(polygon)
        for index, ring in enumerate(rings):
            value = _ring_moments(shapely.get_coordinates(ring) - np.array(about))
            total += value if index == 0 else -value
    return float(total[0]), float(total[1]), float(total[2])


def _ring_moments(
    points: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    x0, y0 = points[:-1].T
    x1, y1 = points[1:].T
    cross = x0 * y1 - x1 * y0
    sums = np.array(
        [
            (cross * (x0 * x0 + x0 * x1 + x1 * x1)).sum() / 12,
            (cross * (y0 * y0 + y0 * y1 + y1 * y1)).sum() / 12,
            (cross * (x0 * y1 + 2 * x0 * y0 + 2 * x1 * y1 + x1 * y0)).sum() / 24,
        ]
    )
    return sums * np.sign(cross.sum())


def placed(site: Site, read: Requirement) -> Iterator[Move]:
    """In the exact middle; or just as far to a side as it takes. Each part, or all together, as is nearer."""
    space, names, spot = site.view(read), site.names(read.parts), read.spot or "center"
    others = site.names(read.of)
    frame = around([flat(space, n) for n in others]) if others else flat(space, CANVAS)
    boxes = {name: flat(space, name) for name in names}
    if not names or (site.layout.frame.plan and ("top" in spot or "bottom" in spot)):
        return
    together = around(list(boxes.values()))
    steps = {name: _to_spot(box, frame, spot, space) for name, box in boxes.items()}
    if len(names) > 1:
        shift = _to_spot(together, frame, spot, space)
        if math.hypot(*shift) * len(names) <= sum(math.hypot(*step) for step in steps.values()):
            steps = dict.fromkeys(names, shift)
    for name in site.tops(names):
        yield Move.shift(name, *steps[name], f"put at the {spot.replace('_', ' ')}")


def _to_spot(box: Bounds, frame: Bounds, spot: str, space: Space) -> Point:
    (x, y), (mx, my) = center(box), center(frame)
    if spot == "center":
        return (mx - x, my - y)
    across, down = int("right" in spot) - int("left" in spot), int("bottom" in spot) - int("top" in spot)
    wanted = [0.1 * (frame[i + 2] - frame[i]) + space.exact for i in (0, 1)]
    lacks = [s * max(w - s * off, 0.0) for s, w, off in zip((across, down), wanted, (x - mx, y - my), strict=True)]
    return (lacks[0], lacks[1])
