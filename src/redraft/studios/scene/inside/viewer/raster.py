"""Cells of a grid that flat triangles cover. Pure arithmetic: the result does not depend on a graphics driver."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

AT_ONCE = 2_000_000
"""Pairs of a triangle and a cell that are looked at in one go."""
EDGE = 1e-6
"""Cells by which a middle may lie beside a triangle and still count as in it: errors of rounding."""


def covered(triangles: Array, width: int, height: int) -> Array:
    """Return the cells (height × width) whose middles lie in a triangle (n × 3 × 2, in cells from the corner)."""
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
    """Return the numbers of the cells that triangles cover, of those in their boxes."""
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
    """Return triangles as a camera sees them, −1 to 1 across the picture (m × 3 × 2), without what is behind it."""
    corners = (np.concatenate([points, np.ones((len(points), 1))], axis=1) @ matrix.T)[triangles]
    ahead = corners[:, :, 2] + corners[:, :, 3] > 0
    seen = ahead.sum(axis=1)

    # A triangle with one corner ahead is cut to a smaller one, with two corners ahead to a quadrilateral.
    one, two, three = _odd_corner_first(corners[seen == 1], ahead[seen == 1].argmax(axis=1))
    tips = np.stack([one, _cut(one, two), _cut(one, three)], axis=1)
    behind, two, three = _odd_corner_first(corners[seen == 2], (~ahead[seen == 2]).argmax(axis=1))
    near_two, near_three = _cut(two, behind), _cut(three, behind)
    halves = [np.stack([two, three, near_three], axis=1), np.stack([two, near_three, near_two], axis=1)]

    parts = np.concatenate([corners[seen == 3], tips, *halves])
    return np.asarray(parts[:, :, :2] / np.maximum(parts[:, :, 3:], 1e-9))


def _odd_corner_first(corners: Array, first: Array) -> tuple[Array, Array, Array]:
    """Return the corners of each triangle in their order, from another one on."""
    order = (first[:, None] + np.arange(3)) % 3
    turned = np.take_along_axis(corners, order[:, :, None], axis=1)
    return turned[:, 0], turned[:, 1], turned[:, 2]


def _cut(inner: Array, outer: Array) -> Array:
    """Return where the line from a corner ahead to one behind meets the nearest plane."""
    a, b = inner[:, 2] + inner[:, 3], outer[:, 2] + outer[:, 3]
    share = a / np.maximum(a - b, 1e-12)
    return np.asarray(inner + (outer - inner) * share[:, None])
