"""The shapes of the built-in painter as numbers: where a layer covers, and how that changes with its parameters.

A layer has seven of them: middle x and y, the logarithms of its two half-sizes, its turn, its softness and its
opacity. Positions are in units of the picture's longer side, from the bottom left; turns are in radians. The GLSL
twins of these functions stand in `offline_painting.py`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["COUNT", "KINDS", "Floats", "Kind", "masks", "masks_and_slopes"]

Floats = NDArray[np.floating[Any]]
"""32 bits wide wherever many are worked on."""
Kind = Literal["blob", "disc", "box", "band", "edge"]
KINDS: tuple[Kind, ...] = ("blob", "disc", "box", "band", "edge")

COUNT = 7
"""Parameters of a layer: x, y, log half-width, log half-height, turn, softness, opacity."""

_Profile = tuple[Floats, Floats, Floats, Floats]
"""Cover, and its slopes by u, v and softness."""


def masks(kinds: Sequence[Kind], numbers: Floats, points: Floats) -> Floats:
    """How far each layer covers each point, 0 to 1: layers × points.

    `numbers` is layers × 7, `points` is points × 2.
    """
    u, v = _local(numbers, points)
    cover = np.empty_like(u)
    for kind in dict.fromkeys(kinds):
        rows = _rows(kinds, kind)
        cover[rows] = _profile(kind, u[rows], v[rows], numbers[rows, 5, None])[0]
    return cover * numbers[:, 6, None]


def masks_and_slopes(kinds: Sequence[Kind], numbers: Floats, points: Floats) -> tuple[Floats, Floats]:
    """The cover of each layer (layers × points), and its slope by each parameter (7 × layers × points)."""
    u, v = _local(numbers, points)
    cover, by_u, by_v, by_soft = (np.empty_like(u) for _ in range(4))
    for kind in dict.fromkeys(kinds):
        rows = _rows(kinds, kind)
        found = _profile(kind, u[rows], v[rows], numbers[rows, 5, None])
        cover[rows], by_u[rows], by_v[rows], by_soft[rows] = found
    opacity = numbers[:, 6, None]
    wide, high = np.exp(numbers[:, 2, None]), np.exp(numbers[:, 3, None])
    cos, sin = np.cos(numbers[:, 4, None]), np.sin(numbers[:, 4, None])
    by_u *= opacity
    by_v *= opacity
    slopes = np.empty((COUNT, *u.shape), np.float32)
    slopes[0] = by_v * (sin / high) - by_u * (cos / wide)
    slopes[1] = by_u * (-sin / wide) - by_v * (cos / high)
    slopes[2] = -u * by_u
    slopes[3] = -v * by_v
    slopes[4] = by_u * v * (high / wide) - by_v * u * (wide / high)
    slopes[5] = by_soft * opacity
    slopes[6] = cover
    return cover * opacity, slopes


def _rows(kinds: Sequence[Kind], kind: Kind) -> list[int]:
    return [i for i, k in enumerate(kinds) if k == kind]


def _local(numbers: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Points in each layer's own frame, where its half-sizes are 1."""
    dx = points[None, :, 0] - numbers[:, 0, None]
    dy = points[None, :, 1] - numbers[:, 1, None]
    cos, sin = np.cos(numbers[:, 4, None]), np.sin(numbers[:, 4, None])
    u = (cos * dx + sin * dy) / np.exp(numbers[:, 2, None])
    v = (cos * dy - sin * dx) / np.exp(numbers[:, 3, None])
    return u, v


def _profile(kind: Kind, u: Floats, v: Floats, soft: Floats) -> _Profile:
    none = np.zeros_like(u)
    if kind == "blob":
        cover = np.exp(-(u * u + v * v))
        return cover, -2 * u * cover, -2 * v * cover, none
    if kind == "disc":
        r = np.sqrt(u * u + v * v)
        cover, by_r, by_soft = _side(r, soft)
        by_r = by_r / np.maximum(r, 1e-6)
        return cover, by_r * u, by_r * v, by_soft
    across, by_u, soft_u = _side(u, soft)
    if kind == "band":
        return across, by_u, none, soft_u
    if kind == "edge":
        t = np.clip(0.5 * u + 0.5, 0, 1)
        return t * t * (3 - 2 * t), 3 * t * (1 - t), none, none
    along, by_v, soft_v = _side(v, soft)
    return across * along, by_u * along, across * by_v, soft_u * along + across * soft_v


def _side(x: Floats, soft: Floats) -> tuple[Floats, Floats, Floats]:
    """1 inside, 0 outside, and smooth from 1 − soft to 1 + soft; with its slopes by x and by softness."""
    out = np.abs(x) - 1
    t = np.clip(out / (2 * soft) + 0.5, 0, 1)
    slope = -6 * t * (1 - t)
    by_soft = slope * out / (-2 * soft * soft)
    return 1 - t * t * (3 - 2 * t), slope / (2 * soft) * np.sign(x), by_soft
