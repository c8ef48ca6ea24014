"""Shapes covered by boxes: exact where their edges lie along the axes, a little more than the shape elsewhere."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Bounds

__all__ = ["STRIPS", "cover"]

STRIPS = 48
"""The most strips that one area is cut into: what is told of a curve, and how many boxes a solver is given."""


def cover(shape: BaseGeometry, strips: int = STRIPS) -> list[Bounds]:
    """Boxes that together hold all of a shape: horizontal strips between the heights of its vertices."""
    return [box for part in shapely.get_parts(shape) if part.area > 0 for box in _boxes(part, strips)]


def _boxes(part: Polygon, strips: int) -> list[Bounds]:
    x0, y0, x1, y1 = part.bounds
    if (x1 - x0) * (y1 - y0) - part.area <= 1e-12 * part.area:
        return [(x0, y0, x1, y1)]
    found: list[Bounds] = []
    for low, high in pairwise(_heights(part, strips)):
        pieces = shapely.get_parts(shapely.clip_by_rect(part, x0 - 1.0, low, x1 + 1.0, high))
        found += [(a, low, c, high) for a, _, c, _ in (piece.bounds for piece in pieces if piece.area > 0)]
    return found


def _heights(part: Polygon, strips: int) -> list[float]:
    """Of the vertices, from the lowest to the highest, those left out that would make strips too thin."""
    every = np.unique(shapely.get_coordinates(part)[:, 1]).tolist()
    step = (every[-1] - every[0]) / strips
    if len(every) <= strips:
        return every
    found = [every[0]]
    for height in every[1:-1]:
        if height - found[-1] >= step and every[-1] - height >= step / 2:
            found.append(height)
    return [*found, every[-1]]
