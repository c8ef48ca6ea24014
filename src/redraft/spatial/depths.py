"""How deep two shapes, or the pads of two parts, are in each other, and whether they are at all."""

from __future__ import annotations

import numpy as np
import shapely
from shapely import STRtree
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Item, Port
from redraft.spatial.solver.problem import AXES
from redraft.spatial.solver.slide import Outline, travel

__all__ = ["depth", "meet", "pad_depth"]


def pad_depth(a: Item, b: Item, quantum: float) -> float:
    """How deep a pad of one is in a pad of the other on a layer where one of the parts does not lie."""
    if not a.ports or not b.ports or not _shares_more(a, b):
        return 0.0
    reach = max(port.radius for port in a.ports) + max(port.radius for port in b.ports)
    cores = [port.core for port in a.ports]
    left, right = STRtree(cores).query([port.core for port in b.ports], predicate="dwithin", distance=reach)
    met = [(a.ports[int(i)], b.ports[int(j)]) for j, i in zip(left, right, strict=True)]
    shared = [(p, q) for p, q in met if _untold(a, p, b, q) and p.distance(q) == 0.0]
    return max((depth(p.shape, q.shape, quantum) for p, q in shared), default=0.0)


def _shares_more(a: Item, b: Item) -> bool:
    """Whether any pads of two parts may share a layer where one of the parts does not lie."""
    mine, theirs = a.port_layers, b.port_layers
    if a.layer == b.layer:
        return bool((mine | theirs) - {None, a.layer})
    return None in mine | theirs or bool(mine & theirs)


def _untold(a: Item, p: Port, b: Item, q: Port) -> bool:
    """Whether two pads share a layer, and not just the one where the rooms of both parts are compared."""
    mine, theirs = a.layer_of(p), b.layer_of(q)
    if mine is not None and theirs is not None:
        return mine == theirs and not mine == a.layer == b.layer
    only = theirs if mine is None else mine
    return a.layer != b.layer or (only is not None and only != a.layer)


def depth(a: BaseGeometry, b: BaseGeometry, quantum: float = 0.0) -> float:
    """The shortest way out of each other; 0 for shapes that are apart or share no more than a sliver of a quantum.

    Exact for convex shapes; of others the least of the ways along the axes and that of their hulls.
    """
    if not meet(a, b, quantum):
        return 0.0
    if _convex(a) and _convex(b):
        return _hulls(a, b)
    mine, theirs = Outline.of(a), Outline.of(b)
    ways = [travel(mine, theirs, axis, sign) for axis in AXES for sign in (-1, 1)]
    return min([abs(way) for way in ways if way is not None] + [_hulls(a, b)])


def meet(a: BaseGeometry, b: BaseGeometry, quantum: float = 0.0) -> bool:
    """Whether two shapes share more than a sliver of a quantum."""
    if not _boxes_meet(a.bounds, b.bounds, quantum) or not a.intersects(b):
        return False
    shared = a.intersection(b)
    # A sliver of width w and length l has the area w l and the outline 2 l.
    return 2.0 * shared.area > quantum * shared.length


def _boxes_meet(a: tuple[float, ...], b: tuple[float, ...], slack: float) -> bool:
    return a[0] < b[2] - slack and b[0] < a[2] - slack and a[1] < b[3] - slack and b[1] < a[3] - slack


def _convex(shape: BaseGeometry) -> bool:
    return shape.convex_hull.area - shape.area <= 1e-12 * shape.area


def _hulls(a: BaseGeometry, b: BaseGeometry) -> float:
    """The least overlap of two convex hulls' shadows over the directions across their edges."""
    mine, theirs = (shapely.get_coordinates(shape.convex_hull) for shape in (a, b))
    edges = np.concatenate([np.diff(mine, axis=0), np.diff(theirs, axis=0)])
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    x, y = edges[lengths > 0, 1] / lengths[lengths > 0], -edges[lengths > 0, 0] / lengths[lengths > 0]
    # Written out: a product of so thin matrices costs more in threads than in sums.
    p, q = (points[:, :1] * x + points[:, 1:] * y for points in (mine, theirs))
    return float(np.minimum(p.max(axis=0) - q.min(axis=0), q.max(axis=0) - p.min(axis=0)).min())
