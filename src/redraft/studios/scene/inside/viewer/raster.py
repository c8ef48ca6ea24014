"""Cells of a grid that flat triangles cover. Pure arithmetic: the result does not depend on a graphics driver."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


AT_ONCE = 2_000_000
"""Pairs of a triangle and a cell that are looked at in one go."""
EDGE = 1e-6


def covered(triangles: Array, width: int, height: int) -> Array:
    """The cells (height × width) whose middles lie in one of the triangles (n × 3 × 2, in cells from the corner)."""
    grid = np.zeros(width * height, bool)
    if not len(triangles):
        return grid.reshape(height, width)
    low = np.ceil(triangles.min(axis=1) - 0.5 - EDGE).clip(0, [width, height]).astype(np.int64)
    high = np.floor(triangles.max(axis=1) - 0.5 + EDGE).clip(-1, [width - 1, height - 1]).astype(np.int64)
    size = np.maximum(high - low + 1, 0)
    counts = size[:, 0] * size[:, 1]
    keep = np.flatnonzero(counts)
    start = 0
    while start < len(keep):
        stop = start + max(1, int(np.searchsorted(np.cumsum(counts[keep[start:]]), AT_ONCE)))
        chosen = keep[start:stop]
        grid[_cells(triangles[chosen], low[chosen], size[chosen], width)] = True
        start = stop
    return grid.reshape(height, width)


def _cells(triangles: Array, low: Array, size: Array, width: int) -> Array:
    """The numbers of the cells that triangles cover, of those in their boxes."""
    counts = size[:, 0] * size[:, 1]
    which = np.repeat(np.arange(len(triangles)), counts)
    order = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    x = low[which, 0] + order % size[which, 0]
    y = low[which, 1] + order // size[which, 0]
    corners = triangles[which]
    turns = np.empty((3, len(which)))
    for index in range(3):
        a, b = corners[:, index], corners[:, (index + 1) % 3]
        turns[index] = (b[:, 0] - a[:, 0]) * (y + 0.5 - a[:, 1]) - (b[:, 1] - a[:, 1]) * (x + 0.5 - a[:, 0])
    inside = (turns >= -EDGE).all(axis=0) | (turns <= EDGE).all(axis=0)
    return np.asarray((y * width + x)[inside])


def projected(points: Array, triangles: Array, matrix: Array) -> Array:
    """Triangles as a camera sees them, −1 to 1 across the picture (m × 3 × 2); cut off in front of the camera."""
    corners = (np.concatenate([points, np.ones((len(points), 1))], axis=1) @ matrix.T)[triangles]
    ahead = corners[:, :, 2] + corners[:, :, 3] > 0
    seen = ahead.sum(axis=1)
    whole = corners[seen == 3]
    parts = [whole, _one_ahead(corners[seen == 1], ahead[seen == 1]), _two_ahead(corners[seen == 2], ahead[seen == 2])]
    found = np.concatenate(parts)
    return np.asarray(found[:, :, :2] / np.maximum(found[:, :, 3:], 1e-9))


def _turned(corners: Array, first: Array) -> Array:
    """Each triangle with another of its corners first."""
    order = (first[:, None] + np.arange(3)) % 3
    return np.asarray(np.take_along_axis(corners, order[:, :, None], axis=1))


def _cut(inner: Array, outer: Array) -> Array:
    """Where the line from a corner ahead to one behind meets the nearest plane."""
    a, b = inner[:, 2] + inner[:, 3], outer[:, 2] + outer[:, 3]
    share = a / np.maximum(a - b, 1e-12)
    return np.asarray(inner + (outer - inner) * share[:, None])


def _one_ahead(corners: Array, ahead: Array) -> Array:
    turned = _turned(corners, ahead.argmax(axis=1))
    one, two, three = turned[:, 0], turned[:, 1], turned[:, 2]
    return np.stack([one, _cut(one, two), _cut(one, three)], axis=1)


def _two_ahead(corners: Array, ahead: Array) -> Array:
    turned = _turned(corners, (~ahead).argmax(axis=1))
    behind, two, three = turned[:, 0], turned[:, 1], turned[:, 2]
    near_two, near_three = _cut(two, behind), _cut(three, behind)
    return np.concatenate([np.stack([two, three, near_three], axis=1), np.stack([two, near_three, near_two], axis=1)])
