"""What is in a hollow: side by side on its floor, or leaning on its round sides, touching it and nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from redraft.offline.scene.shapes import Points, points_of, rotation
from redraft.offline.scene.solids import Inside, Solid
from redraft.offline.scene.stood import Stood

__all__ = ["nested"]

LARGER = 1.3
"""Contents are drawn so much larger than life at most, so that they are seen in their bowl."""
CLEAR = 1.04
"""Room that each takes, against its own radius."""
AIR = 0.0004
"""Metres over the exact contact: the meshes' facets lie a little inside the round shapes."""


def nested(solid: Solid, size: float, units: Sequence[Stood]) -> tuple[list[tuple[float, float, float]], float]:
    """A place for each unit in the hollow of a solid, and the factor by which all of them are made smaller for it."""
    hollow = solid.inside
    if hollow is None:
        raise ValueError(f"{solid.name} has no inside")
    clouds = [points_of(u.solid) * u.size @ rotation((0, 0, u.turn)).T + np.array([0, 0, u.at[2]]) for u in units]
    factor = LARGER
    for _ in range(36):
        found = _tried(hollow, size, [c * factor for c in clouds])
        if found is not None:
            return found, factor
        factor *= 0.93
    return [(0.0, 0.0, _floor(hollow, size)) for _ in units], factor


def _floor(hollow: Inside, size: float) -> float:
    return (hollow.profile[0][1] if hollow.profile else hollow.floor) / 100 * size + AIR


def _tried(hollow: Inside, size: float, clouds: Sequence[Points]) -> list[tuple[float, float, float]] | None:
    if hollow.size is not None:
        return _on_floor(hollow, hollow.size, size, clouds)
    profile = np.array(hollow.profile) / 100 * size
    rim, depth = float(profile[-1, 0]), float(profile[-1, 1] - profile[0, 1])
    low, whole = (max(_radius(c, d) for c in clouds) for d in (depth, math.inf))
    for spread in (1.0, 0.8, 0.62) if whole > 1.6 * low else (1.0,):  # blossoms over a rim may meet, stems may not
        places = _ring(len(clouds), whole * CLEAR * spread)
        if max(math.hypot(x, y) for x, y in places) + 0.86 * low <= rim:
            break
    else:
        return None
    return [
        (x, y, _dropped(cloud + np.array([x, y, 0.0]), profile)) for cloud, (x, y) in zip(clouds, places, strict=True)
    ]


def _radius(points: Points, depth: float) -> float:
    """Of its lowest part, as high as the hollow is deep."""
    low = points[points[:, 2] <= points[:, 2].min() + depth]
    return float(np.hypot(low[:, 0], low[:, 1]).max())


def _ring(count: int, radius: float) -> list[tuple[float, float]]:
    """One in the middle, a ring, or a ring around one, and so on: circles that do not meet."""
    if count == 1:
        return [(0.0, 0.0)]
    if count <= 5:
        away = radius / math.sin(math.pi / count)
        return [
            (away * math.cos(math.tau * k / count - math.pi / 2), away * math.sin(math.tau * k / count - math.pi / 2))
            for k in range(count)
        ]
    found: list[tuple[float, float]] = [(0.0, 0.0)]
    ring = 1
    while len(found) < count:
        for k in range(6 * ring):
            side, step = divmod(k, ring)
            a, b = math.radians(60 * side), math.radians(60 * side + 120)
            found.append(
                (
                    2 * radius * (ring * math.cos(a) + step * math.cos(b)),
                    2 * radius * (ring * math.sin(a) + step * math.sin(b)),
                )
            )
        ring += 1
    return found[:count]


def _dropped(points: Points, profile: Points) -> float:
    """How high it must be lifted so that it just touches the hollow."""
    reach = np.hypot(points[:, 0], points[:, 1])
    over = reach <= profile[-1, 0]
    radii = np.maximum.accumulate(profile[:, 0] + 1e-9 * np.arange(len(profile)))
    floor = np.interp(reach[over], radii, profile[:, 1])
    return float((floor - points[over, 2]).max()) + AIR


def _on_floor(
    hollow: Inside, room: tuple[float, float], size: float, clouds: Sequence[Points]
) -> list[tuple[float, float, float]] | None:
    """In rows on a flat floor."""
    w, d = (v / 100 * size for v in room)
    spans = [np.ptp(c, axis=0) for c in clouds]
    wide, deep = (max(float(s[k]) for s in spans) * CLEAR for k in (0, 1))
    columns = max(1, min(len(clouds), int(w / wide)))
    rows = math.ceil(len(clouds) / columns)
    if wide > w or rows * deep > d:
        return None
    found: list[tuple[float, float, float]] = []
    for k, cloud in enumerate(clouds):
        row, column = divmod(k, columns)
        inrow = min(columns, len(clouds) - row * columns)
        middle = (cloud.min(axis=0) + cloud.max(axis=0)) / 2
        x = hollow.at[0] / 100 * size + (column - (inrow - 1) / 2) * wide - middle[0]
        y = hollow.at[1] / 100 * size + (row - (rows - 1) / 2) * deep - middle[1]
        found.append((float(x), float(y), _floor(hollow, size)))
    return found
