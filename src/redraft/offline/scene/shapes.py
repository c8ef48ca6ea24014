"""Where the parts of a solid are: the points that each shape covers, in metres, as the scripts build them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from redraft.offline.scene.solids import Part, Solid

__all__ = ["Points", "bounds", "points_of", "rotation", "smooth", "spots"]

Points = NDArray[np.float64]
"""N × 3, metres."""

AROUND = 24
MOST_KEPT = 512
_CLOUDS: dict[int, tuple[Solid, Points]] = {}
STEPS = 4
"""Pieces between two points of a smooth curve; the scripts' `smooth` has as many."""


def rotation(turn: Sequence[float]) -> Points:
    """Of Blender's XYZ Euler angles, in degrees."""
    x, y, z = (math.radians(a) for a in turn)
    rx = np.array([[1, 0, 0], [0, math.cos(x), -math.sin(x)], [0, math.sin(x), math.cos(x)]])
    ry = np.array([[math.cos(y), 0, math.sin(y)], [0, 1, 0], [-math.sin(y), 0, math.cos(y)]])
    rz = np.array([[math.cos(z), -math.sin(z), 0], [math.sin(z), math.cos(z), 0], [0, 0, 1]])
    return rz @ ry @ rx


def smooth(points: Sequence[Sequence[float]], *, closed: bool = False) -> list[tuple[float, ...]]:
    """A Catmull-Rom curve through the points."""
    n = len(points)
    found: list[tuple[float, ...]] = []
    for i in range(n if closed else n - 1):
        a, b, c, d = (points[(i + k) % n] if closed else points[min(max(i + k, 0), n - 1)] for k in (-1, 0, 1, 2))
        for step in range(STEPS):
            t = step / STEPS
            found.append(
                tuple(
                    q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)))
                    for p, q, r, s in zip(a, b, c, d, strict=True)
                )
            )
    return found if closed else [*found, tuple(points[-1])]


def spots(part: Part) -> list[tuple[tuple[float, float, float], tuple[float, float, float], bool]]:
    """Where each copy of a part is: place, turn, and whether it is a mirror image."""
    (x, y, z), (a, b, c) = part.at, part.turn
    if part.mirror:
        return [((x, y, z), (a, b, c), False), ((-x, y, z), (a, -b, -c), True)]
    if part.corners is not None:
        w, d = part.corners
        return [((sx * w, sy * d, z), (a, b, c), False) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    if part.ring:
        found: list[tuple[tuple[float, float, float], tuple[float, float, float], bool]] = []
        for k in range(part.ring):
            angle = math.radians(360 / part.ring * k)
            found.append(((x * math.cos(angle), x * math.sin(angle), z), (a, b, c + 360 / part.ring * k), False))
        return found
    if part.row is not None:
        count, dx, dy, dz = part.row
        offsets = [k - (count - 1) / 2 for k in range(count)]
        return [((x + k * dx, y + k * dy, z + k * dz), (a, b, c), False) for k in offsets]
    return [((x, y, z), (a, b, c), False)]


def points_of(solid: Solid) -> Points:
    """What a solid covers, in its own place."""
    known = _CLOUDS.get(id(solid))
    if known is None or known[0] is not solid:
        known = _CLOUDS[id(solid)] = (solid, _points(solid))
        if len(_CLOUDS) > MOST_KEPT:
            del _CLOUDS[next(iter(_CLOUDS))]
    return known[1]


def _points(solid: Solid) -> Points:
    clouds: list[Points] = []
    for part in solid.parts:
        own = _shape(part) / 100
        for at, turn, mirrored in spots(part):
            cloud = own * np.array([-1.0, 1.0, 1.0]) if mirrored and part.shape in {"tube", "prism"} else own
            clouds.append(cloud @ rotation(turn).T + np.array(at) / 100)
    return np.concatenate(clouds)


def bounds(points: Points) -> tuple[float, float, float, float, float, float]:
    """x0, y0, z0, x1, y1, z1."""
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1]), float(low[2]), float(high[0]), float(high[1]), float(high[2]))


def _shape(part: Part) -> Points:
    """The points of one shape, in centimetres, unplaced."""
    if part.prism is not None:
        outline = smooth(part.prism, closed=True) if part.round else part.prism
        return np.array([[x, y, z] for x, z in outline for y in (-part.depth / 2, part.depth / 2)])
    if part.tube is not None:
        return _thick(np.array(smooth(part.tube) if part.round else part.tube), part.thick)
    profile = _profile(part)
    if profile is not None:
        return _turned(profile) * np.array(part.ball or (1.0, 1.0, 1.0))
    if part.box is not None:
        w, d, h = part.box
        return np.array([[x, y, z] for x in (-w / 2, w / 2) for y in (-d / 2, d / 2) for z in (0.0, h)])
    w, h = 0.62 * part.thick * len(part.text or ""), part.thick
    return np.array([[x, y, z] for x in (-w / 2, w / 2) for y in (-0.1 * h, 0.0) for z in (0.0, 0.8 * h)])


def _profile(part: Part) -> Sequence[Sequence[float]] | None:
    """Of what is turned around z: radius and height; None for the others."""
    if part.ball is not None:
        return [(math.sin(math.pi * k / 12), -math.cos(math.pi * k / 12)) for k in range(13)]
    if part.cone is not None:
        lower, upper, height = part.cone
        return [(0.0, 0.0), (lower, 0.0), (upper, height), (0.0, height)]
    if part.cylinder is not None:
        radius, height = part.cylinder
        return [(0.0, 0.0), (radius, 0.0), (radius, height), (0.0, height)]
    return smooth(part.turned) if part.turned is not None else part.lathe


def _thick(path: Points, radius: float) -> Points:
    """The rings of a tube: a circle across the path at each of its points."""
    ways = np.gradient(path, axis=0)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True) + 1e-12
    found: list[Points] = []
    for at, way in zip(path, ways, strict=True):
        ahead = way if np.linalg.norm(way) > 0.5 else np.array([0.0, 0.0, 1.0])  # where a path turns straight back
        side = np.cross(ahead, [0.0, 0.0, 1.0] if abs(ahead[2]) < 0.9 else [1.0, 0.0, 0.0])
        side /= np.linalg.norm(side)
        up = np.cross(side, ahead)
        turns = np.linspace(0, 2 * math.pi, 12, endpoint=False)
        found.append(at + radius * (np.outer(np.cos(turns), side) + np.outer(np.sin(turns), up)))
    return np.concatenate(found)


def _turned(profile: Sequence[Sequence[float]]) -> Points:
    turns = np.linspace(0, 2 * math.pi, AROUND, endpoint=False)
    return np.array([[r * math.cos(a), r * math.sin(a), z] for r, z in profile for a in turns])
