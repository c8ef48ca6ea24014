"""Angles and spots that the brief states: a clock's hand turned about its pivot, a thing put in the middle."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Bounds, Move, Point
from redraft.spatial.reading import Angle, Place
from redraft.spatial.solver.site import Site, Step, around, centre, effective

__all__ = ["axis_of", "placed", "turned"]


def turned(site: Site) -> Iterator[Step]:
    """Hands point as stated: their own axis through the pivot, the pivot end kept."""
    for rule in (c for c in site.reading.constraints if isinstance(c, Angle) and c.certain):
        for name in site.names(rule.selector):
            move = _turn(site, name, rule)
            if real := effective(site, (move,)):
                yield Step(f"{name}: {rule.phrase} ({rule.degrees:g}°)", (real,))


def _turn(site: Site, name: str, rule: Angle) -> Move:
    item = site.layout[name]
    pivot = centre(site.layout.frame.bounds if item.parent is None else site.own(item.parent))
    middle, (ux, uy) = axis_of(item.shape, pivot)
    off = (pivot[0] - middle[0]) * -uy + (pivot[1] - middle[1]) * ux
    turn = math.radians(rule.degrees) - math.atan2(ux, -uy)
    c, s = math.cos(turn), math.sin(turn)
    # First across its own axis, until that goes through the pivot; then round the pivot (clockwise: y points down).
    x, y = -uy * off - pivot[0], ux * off - pivot[1]
    return Move(name, (c, s, -s, c, pivot[0] + c * x - s * y, pivot[1] + s * x + c * y), rule.phrase)


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


def placed(site: Site) -> Iterator[Step]:
    """Centred things exactly in the middle; others as far as it takes to be at their spot."""
    for rule in (c for c in site.reading.constraints if isinstance(c, Place) and c.certain):
        names = site.names(rule.selector)
        groups = [names] if rule.group else [(n,) for n in names]
        for group in (g for g in groups if g):
            moves = _placed(site, rule, group)
            if real := effective(site, moves):
                yield Step(f"{', '.join(group)}: {rule.phrase}", (real,))


def _placed(site: Site, rule: Place, group: tuple[str, ...]) -> list[Move]:
    frame = _frame(site, rule, group[0])
    box = around([site.layout.bounds(n) for n in group])
    dx, dy = (0.0, 0.0) if frame is None else _shift(site, rule, group, box, frame)
    return [Move.shift(n, dx, dy, rule.phrase) for n in group]


def _frame(site: Site, rule: Place, name: str) -> Bounds | None:
    if rule.within is None:
        return site.layout.frame.bounds
    holders = site.names(rule.within)
    family = [h for h in holders if name in {i.name for i in site.layout.family(h)}]
    return site.own((family or list(holders))[0]) if holders else None


def _shift(site: Site, rule: Place, group: tuple[str, ...], box: Bounds, frame: Bounds) -> Point:
    """The exact middle where that is asked for; elsewhere only what a report found to be missing."""
    (x, y), (mx, my) = centre(box), centre(frame)
    if rule.side is not None:
        return _along(rule, box, frame, mx - x, my - y)
    if rule.spot == "center":
        return (mx - x, my - y)
    for issue in site.coded("place.spot"):
        if issue.subjects[0] in group and issue.phrase == rule.phrase:
            return (issue.numbers["dx"], issue.numbers["dy"])
    return (0.0, 0.0)


def _along(rule: Place, box: Bounds, frame: Bounds, dx: float, dy: float) -> Point:
    """On a side: in its middle, or at one of its ends; and onto it, where the thing does not reach it."""
    ends = {"left": (0, frame[0] - box[0]), "top": (1, frame[1] - box[1])}
    ends |= {"right": (0, frame[2] - box[2]), "bottom": (1, frame[3] - box[3])}
    axis, onto = ends[rule.side or "bottom"]
    reaches = box[axis] <= frame[axis + (2 if rule.side in {"right", "bottom"} else 0)] <= box[axis + 2]
    onto = 0.0 if reaches else onto
    along = ends[rule.spot][1] if rule.spot in ends and ends[rule.spot][0] != axis else (dy if axis == 0 else dx)
    return (onto, along) if axis == 0 else (along, onto)
