"""The shortest level way out of another thing that leads into no third one and off no support.

Parts count only against parts at their own height, by the hulls of their footprints: for two convex shapes the way out
along a direction is exact, the far edge of their Minkowski difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry

from redraft.studios.scene.layout import footprint
from redraft.studios.scene.space import Flat, Space
from redraft.studios.scene.spec import Thing

__all__ = ["free_way"]

DIRECTIONS = 16
AIR = 0.002
"""Metres left between two things that were parted, at a size of the scene of 1 m; in proportion at others."""


def free_way(space: Space, movers: set[str], other: str, *, most: float) -> Flat | None:
    """The shortest step, in the world's x and y, after which the movers are clear of the other; None for none.

    Args:
        most: no longer than this, in metres.
    """
    mine = _parts(space, movers)
    ways = sorted(_ways(space, mine, _parts(space, {other})), key=lambda way: (round(math.hypot(*way), 9), way))
    others = _parts(space, {b.name for b in space.actors} - movers)
    for way in ways:
        if math.hypot(*way) <= most and not _hits(mine, others, way) and _stays_up(space, movers, way):
            return way
    return None


_Part = tuple[BaseGeometry, float, float]
"""A footprint's hull, and from where to where it reaches in height."""


def _parts(space: Space, names: set[str]) -> list[_Part]:
    return [_part(thing) for name in sorted(names) for thing in space.bodies[name].parts]


def _part(thing: Thing) -> _Part:
    assert thing.box is not None
    return footprint(thing).convex_hull, thing.box[2], thing.box[5]


def _ways(space: Space, mine: list[_Part], theirs: list[_Part]) -> Iterator[Flat]:
    """For each direction how far it is until all parts are clear."""
    air = AIR * min(space.size, 1.0)
    pairs = [_difference(a[0], b[0]) for a in mine for b in theirs if _level(a, b)]
    for number in range(DIRECTIONS):
        angle = 2 * math.pi * number / DIRECTIONS
        direction = (math.cos(angle), math.sin(angle))
        reach = max((_exit(shape, direction) for shape in pairs), default=0.0)
        if reach > 0.0:
            yield (direction[0] * (reach + air), direction[1] * (reach + air))


def _level(a: _Part, b: _Part) -> bool:
    """They are at one height, by more than a touch."""
    shared = min(a[2], b[2]) - max(a[1], b[1])
    return shared > 0.01 * min(a[2] - a[1], b[2] - b[1])


def _difference(a: BaseGeometry, b: BaseGeometry) -> BaseGeometry:
    """All steps of `a` that make it meet `b`, for convex shapes."""
    mine, theirs = (shapely.get_coordinates(shape) for shape in (a, b))
    return MultiPoint((theirs[None, :, :] - mine[:, None, :]).reshape(-1, 2)).convex_hull


def _exit(steps: BaseGeometry, direction: Flat) -> float:
    """How far along a direction the last step lies that still meets."""
    x0, y0, x1, y1 = steps.bounds
    far = 2 * (abs(x0) + abs(x1) + abs(y0) + abs(y1)) + 1.0
    ray = LineString([(0.0, 0.0), (direction[0] * far, direction[1] * far)])
    met = shapely.get_coordinates(steps.intersection(ray)) if isinstance(steps, Polygon) else np.zeros((0, 2))
    return float((met @ np.array(direction)).max()) if len(met) else 0.0


def _hits(mine: list[_Part], others: list[_Part], way: Flat) -> bool:
    """A part that was clear of another is not any more."""
    for shape, low, high in mine:
        moved = shapely.transform(shape, lambda points: points + np.array(way))
        for other in others:
            before, after = (place.intersection(other[0]).area for place in (shape, moved))
            if after > before + 1e-9 and _level((shape, low, high), other):
                return True
    return False


def _stays_up(space: Space, movers: set[str], way: Flat) -> bool:
    """The middle of each stays over what it stands on."""
    for name in movers:
        x, y = space.bodies[name].center[0] + way[0], space.bodies[name].center[1] + way[1]
        rest = space.rests.get(name)
        if rest is None or rest.on in movers or rest.on not in space.bodies:
            continue
        box = space.bodies[rest.on].box
        stands = (rest.drop or 0.0) <= space.slack(space.bodies[name])
        if stands and not (box[0] <= x <= box[3] and box[1] <= y <= box[4]):
            return False
    return True
