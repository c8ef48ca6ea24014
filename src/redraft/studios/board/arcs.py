"""Round things as points: arcs, circles and Bézier curves, flattened finely enough for a board.

Lengths are millimetres, y grows downwards, and every answer is an array (n, 2) whose first and last rows are the
curve's own ends, bit for bit. No point of a curve is further than `CHORD` from the line through its points, and the
points where an arc is furthest left, right, up and down are among them, so that boxes are exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["CHORD", "MOST", "Points", "arc_from_centre", "arc_points", "bezier", "circle"]

Points = NDArray[np.float64]
Pair = Sequence[float]

CHORD = 0.0002
"""How far a curve and the line that stands for it may be apart: 0.2 µm."""
MOST = 4096
"""Pieces to a quarter turn, or to a curve, whatever its size: enough for a radius of 1.3 m within `CHORD`."""
QUARTER = math.pi / 2


def arc_points(start: Pair, mid: Pair, end: Pair) -> Points:
    """The arc from start over mid to end, as KiCad 6 and later write it.

    Three points in a line are that line. An arc that ends where it begins is the whole circle, mid opposite.
    """
    if tuple(start) == tuple(end):
        return _pinned(_swept(_between(start, mid), start, 2 * math.pi), start, end)
    centre = _centre(start, mid, end)
    if centre is None:
        return np.array([start, end], dtype=np.float64)
    return _pinned(_swept(centre, start, _sweep(centre, start, mid, end)), start, end)


def arc_from_centre(centre: Pair, start: Pair, degrees: float) -> Points:
    """The arc about a centre, from start, over so many degrees, as KiCad 4 and 5 write it.

    Positive angles go clockwise as seen, y growing downwards. More than a whole turn is one turn.
    """
    sweep = math.radians(max(-360.0, min(360.0, degrees)))
    return _swept(centre, start, sweep)


def circle(centre: Pair, radius: float) -> Points:
    """A closed circle: the last point is the first one."""
    x, y = centre
    return arc_from_centre(centre, (x + radius, y), 360.0)


def bezier(start: Pair, first: Pair, second: Pair, end: Pair) -> Points:
    """A cubic Bézier curve with its two control points."""
    p = np.array([start, first, second, end], dtype=np.float64)
    bend = float(np.abs(p[:-2] - 2 * p[1:-1] + p[2:]).sum(axis=1).max())  # |B''| is at most six times that
    steps = _count(math.sqrt(0.75 * bend / CHORD))
    t = np.linspace(0.0, 1.0, steps + 1)[:, None]
    u = 1 - t
    return _pinned(u**3 * p[0] + 3 * u**2 * t * p[1] + 3 * u * t**2 * p[2] + t**3 * p[3], start, end)


def _between(a: Pair, b: Pair) -> tuple[float, float]:
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def _centre(start: Pair, mid: Pair, end: Pair) -> tuple[float, float] | None:
    """The middle of the circle through three points; None where they lie in a line."""
    ax, ay = mid[0] - start[0], mid[1] - start[1]
    bx, by = end[0] - start[0], end[1] - start[1]
    twice = 2 * (ax * by - ay * bx)
    a, b = ax * ax + ay * ay, bx * bx + by * by
    if abs(twice) <= 1e-9 * max(a, b):  # bent by less than the files' own rounding can tell
        return None
    return (start[0] + (by * a - ay * b) / twice, start[1] + (ax * b - bx * a) / twice)


def _angle(centre: Pair, at: Pair) -> float:
    return math.atan2(at[1] - centre[1], at[0] - centre[0])


def _sweep(centre: Pair, start: Pair, mid: Pair, end: Pair) -> float:
    """Radians from start to end, by way of mid: positive is clockwise as seen."""
    first = _angle(centre, start)
    over = (_angle(centre, mid) - first) % (2 * math.pi)
    whole = (_angle(centre, end) - first) % (2 * math.pi)
    return whole if over <= whole else whole - 2 * math.pi


def _swept(centre: Pair, start: Pair, sweep: float) -> Points:
    """Points about a centre from start on, each quarter of the circle divided evenly."""
    radius, first = math.dist(centre, start), _angle(centre, start)
    angles = _angles(first, first + sweep, radius)
    found = np.empty((len(angles), 2))
    found[:, 0] = centre[0] + radius * np.cos(angles)
    found[:, 1] = centre[1] + radius * np.sin(angles)
    found[0] = start
    if abs(sweep) == 2 * math.pi:
        found[-1] = start
    return found


def _angles(first: float, last: float, radius: float) -> NDArray[np.float64]:
    """From first to last, by way of the quarter turns between them, in steps as fine as `CHORD` asks for."""
    low, high = sorted((first, last))
    quarters = [n * QUARTER for n in range(math.floor(low / QUARTER) + 1, math.ceil(high / QUARTER))]
    fine = math.sqrt(8 * CHORD / radius) if radius > 0 else QUARTER  # below the exact 2 acos(1 − CHORD / radius)
    angles = np.array([*(at for a, b in pairwise((low, *quarters, high)) for at in _steps(a, b, fine)), high])
    return angles if first <= last else angles[::-1]


def _steps(low: float, high: float, fine: float) -> list[float]:
    """Evenly from low, up to high and without it. Most are so few that an array would take longer."""
    count = _count((high - low) / fine)
    step = (high - low) / count
    return [low + step * n for n in range(count)]


def _count(pieces: float) -> int:
    return min(MOST, math.ceil(pieces)) or 1


def _pinned(points: Points, start: Pair, end: Pair) -> Points:
    """Its two ends where they are said to be: the circle through three rounded points misses them by a little."""
    points[0], points[-1] = start, end
    return points
