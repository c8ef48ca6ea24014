"""Where the camera stands so that all things are seen, whole, with a margin: worked out, not guessed."""

from __future__ import annotations

import math

import numpy as np

from redraft.offline.scene.shapes import Points

__all__ = ["LENS", "framed"]

LENS = 50.0
SENSOR = 36.0
ASPECT = 4 / 3
MARGIN = 0.86
"""Share of the picture that the things may take."""


def framed(points: Points, elevation: float, aspect: float = ASPECT) -> tuple[Points, Points]:
    """Place and aim of a camera that looks along +y and down by `elevation` degrees at all the points."""
    tilt = math.radians(elevation)
    ahead = np.array([0.0, math.cos(tilt), -math.sin(tilt)])
    up = np.array([0.0, math.sin(tilt), math.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    wide = MARGIN * SENSOR / 2 / LENS * min(1.0, aspect / ASPECT * 1.0 if aspect < 1 else 1.0)
    high = wide / aspect
    target = (points.min(axis=0) + points.max(axis=0)) / 2
    away = 1.0
    for _ in range(12):
        rest = points - target
        u, v, w = rest @ right, rest @ up, rest @ ahead
        away = float(max((np.abs(u) / wide - w).max(), (np.abs(v) / high - w).max()))
        across, along = u / (away + w), v / (away + w)
        target = target + right * (across.min() + across.max()) / 2 * away + up * (along.min() + along.max()) / 2 * away
    return target - ahead * away, target
