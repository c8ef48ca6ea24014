"""One mesh as arrays: whether its surface is closed, which way it looks, and a coarser one where it is very fine."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from redraft.studios.scene.inside.viewer_arrays import Array

__all__ = ["Mesh", "crosses", "finite", "is_closed", "mesh_of"]

MOST_TRIANGLES = 100_000
"""Of what is measured; a finer surface is taken coarser, by at most a four-hundredth of its size."""
WELDED = 30_000
"""Points up to which a surface with open edges is looked at again, with points in one place taken as one."""
FARTHEST = 1e7
"""Metres from the origin."""


def _no_points() -> Array:
    return np.zeros((0, 3))


def _no_triangles() -> Array:
    return np.zeros((0, 3), np.int64)


@dataclass
class Mesh:
    """Points (n × 3) and triangles (m × 3), as they are and as they are measured."""

    points: Array = field(default_factory=_no_points)
    triangles: Array = field(default_factory=_no_triangles)
    slots: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """The material slot of each triangle."""
    faces: int = 0
    rough_points: Array = field(default_factory=_no_points)
    rough_triangles: Array = field(default_factory=_no_triangles)
    """Of a closed surface all look outwards."""
    closed: bool = True
    endless: bool = False
    """Some coordinate was not a number, or was endless, and has been put back."""


def mesh_of(points: Array, triangles: Array, slots: Array, faces: int) -> Mesh:
    """With what is to be known of its surface."""
    rough, corners = (points, triangles) if len(triangles) <= MOST_TRIANGLES else _coarser(points, triangles)
    closed = is_closed(rough, corners)
    if closed and len(corners) and _volume(rough, corners) < 0:
        corners = corners[:, ::-1]
    return Mesh(points, triangles, slots, faces, rough, corners, closed)


def finite(points: Array) -> Array:
    """What is no number, or farther off than any scene reaches, is put back."""
    return np.nan_to_num(points, nan=0.0, posinf=FARTHEST, neginf=-FARTHEST).clip(-FARTHEST, FARTHEST)


def is_closed(points: Array, triangles: Array) -> bool:
    """Whether a surface has an inside: every edge lies between two faces. What has no face has no edge that is open."""
    if not len(triangles):
        return True
    if _edges_meet(triangles):
        return True
    if len(points) > WELDED:
        return False
    size = max(float(np.ptp(points, axis=0).max()), 1e-9)
    _, same = np.unique(np.round(points / (size * 1e-5)).astype(np.int64), axis=0, return_inverse=True)
    welded = same.reshape(-1)[triangles]
    real = (welded != np.roll(welded, 1, axis=1)).all(axis=1)
    return _edges_meet(welded[real])


def _edges_meet(triangles: Array) -> bool:
    if not len(triangles):
        return False
    ends = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    _, counts = np.unique(ends[:, 0] * (int(ends.max()) + 1) + ends[:, 1], return_counts=True)
    return bool((counts % 2 == 0).all())


def crosses(points: Array, triangles: Array) -> Array:
    """Of each triangle the normal, as long as twice its area."""
    corners = points[triangles]
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _volume(points: Array, triangles: Array) -> float:
    """Signed: negative where faces look inwards."""
    corners = points[triangles] - points.mean(0)
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum())


def _coarser(points: Array, triangles: Array) -> tuple[Array, Array]:
    """Points in one cell of a fine grid taken as one."""
    low = np.asarray(points.min(0), np.float64)
    size = float(np.ptp(points, axis=0).max()) or 1.0
    cells = np.asarray(np.round((np.asarray(points, np.float64) - low) / (size / 200)), np.int64)
    keys = np.asarray((cells[:, 0] * 1_000 + cells[:, 1]) * 1_000 + cells[:, 2], np.int64)
    _, first, same = np.unique(keys, return_index=True, return_inverse=True)
    moved = same.reshape(-1)[triangles]
    real = (moved != np.roll(moved, 1, axis=1)).all(axis=1)
    return points[first], moved[real]
