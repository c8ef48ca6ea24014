"""What things cover as seen from above.

The plan of a thing is the union of its triangles laid flat. Where that is as good as convex (within 1 %), it is told as
one ring here; where it is not, the triangles are handed on, and `footprints.py` on redraft's side makes their union.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mathutils.geometry import convex_hull_2d

from redraft.studios.scene.inside.measure import length
from redraft.studios.scene.inside.viewer_arrays import Array
from redraft.studios.scene.inside.viewer_raster import covered
from redraft.studios.scene.inside.viewer_shapes import Shape

__all__ = ["add_plans", "hull", "plan_of"]

MOST_TRIANGLES = 20_000
"""Of one thing's plan; beyond it the hull is told."""
MOST_IN_ALL = 300_000
CELLS = 64
CONVEX = 0.99


def add_plans(shapes: list[Shape], things: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], bytes]:
    """Fill `footprint` where the plan is one convex ring; a table of the others, and their triangles.

    The table has name, first triangle and count; a triangle is six little-endian floats of 32 bits, x and y in turn.
    """
    table: list[dict[str, Any]] = []
    found: list[Array] = []
    count = 0
    for shape, thing in zip(shapes, things, strict=True):
        ring, flat = plan_of(shape)
        if count + len(flat) > MOST_IN_ALL:
            flat = flat[:0]
        thing["footprint"] = [ring] if ring and not len(flat) else []
        if len(flat):
            table.append({"name": shape.name, "first": count, "count": len(flat)})
            found.append(flat)
            count += len(flat)
    return table, b"".join(flat.astype("<f4").tobytes() for flat in found)


def plan_of(shape: Shape) -> tuple[list[list[float]], Array]:
    """The hull of a thing's plan, and its triangles (n × 3 × 2) where it is not convex."""
    none = np.zeros((0, 3, 2))
    if not len(shape.triangles):
        return [], none
    ring = hull(shape.points[:, :2])
    flat = _flat(shape)
    if len(ring) < 3 or not len(flat):
        return [], none
    if len(flat) > MOST_TRIANGLES or _fills(flat, ring):
        return [[length(x), length(y)] for x, y in _simpler(ring)], none
    return [[length(x), length(y)] for x, y in _simpler(ring)], flat


def hull(points: Array) -> Array:
    """The corners of the convex hull of points in a plane, counter-clockwise."""
    unique = np.unique(np.round(points, 5), axis=0)
    if len(unique) < 3:
        return unique
    order = convex_hull_2d(unique.tolist())
    return np.asarray(unique[order])


def _flat(shape: Shape) -> Array:
    """A thing's triangles laid flat, without those on edge; of a closed surface those that look up are enough."""
    corners = shape.rough_points[shape.rough_triangles][:, :, :2]
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    least = 1e-9 * max(shape.extent, 1e-6) ** 2
    return np.asarray(corners[areas > least if shape.closed else np.abs(areas) > least])


def _fills(flat: Array, ring: Array) -> bool:
    """Whether triangles cover as good as all of their hull, tried on a grid."""
    low, side = ring.min(0), np.maximum(np.ptp(ring, axis=0), 1e-9)
    fan = np.stack([np.repeat(ring[:1], len(ring) - 2, 0), ring[1:-1], ring[2:]], axis=1)
    whole = covered((fan - low) / side * CELLS, CELLS, CELLS)
    own = covered((flat - low) / side * CELLS, CELLS, CELLS)
    return bool((own & whole).sum() >= CONVEX * whole.sum())


def _simpler(ring: Array) -> Array:
    """A convex ring without corners that stand out by less than 1 mm or a hundredth of its size."""
    least = max(0.001, 0.01 * float(np.linalg.norm(np.ptp(ring, axis=0)))) / 2
    while len(ring) > 4:
        before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        along = after - before
        away = np.abs(along[:, 0] * (ring - before)[:, 1] - along[:, 1] * (ring - before)[:, 0])
        away = away / np.maximum(np.linalg.norm(along, axis=1), 1e-12)
        last = int(away.argmin())
        if away[last] > least:
            break
        ring = np.delete(ring, last, axis=0)
    return ring
