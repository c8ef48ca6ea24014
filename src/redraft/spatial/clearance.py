"""How far moved things are from their neighbours: true shapes, layer by layer."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from shapely.geometry.base import BaseGeometry

from redraft.spatial.collisions import rooms
from redraft.spatial.layout import Layout

__all__ = ["MOST", "clearances", "distance"]

MOST = 8
"""How many are told: the tightest."""

NEAR = 12
"""Neighbours whose true shapes are measured, the nearest by their boxes."""


def clearances(layout: Layout, names: Iterable[str]) -> list[tuple[tuple[str, str], float]]:
    """The clear distances from items to their nearest neighbours, each pair once, the tightest first."""
    found: dict[frozenset[str], tuple[tuple[str, str], float]] = {}
    for name in dict.fromkeys(layout.root_of(n).name for n in names):
        for other in _nearest(layout, name):
            if frozenset((name, other)) not in found and (far := distance(layout, name, other)) is not None:
                found[frozenset((name, other))] = ((name, other), far)
    return sorted(found.values(), key=lambda pair: (pair[1], pair[0]))[:MOST]


def distance(layout: Layout, a: str, b: str) -> float | None:
    """The clear distance of what two items claim on the same layer; None where they share none."""
    mine, theirs = _claimed(layout, a), _claimed(layout, b)
    return min((float(mine[layer].distance(theirs[layer])) for layer in mine if layer in theirs), default=None)


def _claimed(layout: Layout, name: str) -> dict[int, BaseGeometry]:
    return rooms(layout[name]) if layout.frame.solid else {0: layout.whole(name)}


def _nearest(layout: Layout, name: str) -> list[str]:
    """The nearest other items by their boxes."""
    row, boxes = layout.rows[name], layout.boxes
    x0, y0, x1, y1 = boxes[row]
    aside = np.maximum(np.maximum(boxes[:, 0] - x1, x0 - boxes[:, 2]), 0.0)
    along = np.maximum(np.maximum(boxes[:, 1] - y1, y0 - boxes[:, 3]), 0.0)
    far = aside * aside + along * along
    far[row] = np.nan
    order = np.argsort(far, kind="stable")[:NEAR]
    return [layout.roots[int(i)].name for i in order if np.isfinite(far[i])]
