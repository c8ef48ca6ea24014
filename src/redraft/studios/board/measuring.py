"""Measuring a finished layout, for checking what was asked: from the shapes and pads alone, by no action's code."""

from __future__ import annotations

import math
from itertools import product

from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from redraft.spatial.actions import Measured, Side
from redraft.spatial.layout import Bounds, Layout, Point, Port

__all__ = ["box_gap", "distance_of", "edge_gap", "middle_of", "shape_of", "side_gaps"]

_FAR = 1e6


def shape_of(layout: Layout, target: str, measure: Measured) -> BaseGeometry:
    """The shape that a distance is measured from: of a pad ("U1.4"), or of a part's room, body or pads."""
    owner, _, port = target.rpartition(".")
    if target not in layout:
        return unary_union([p.shape for p in layout[owner].ports_named(port)])
    item = layout[target]
    if measure == "pad" and item.ports:
        return unary_union([p.shape for p in item.ports])
    if measure == "body" and item.body is not None:
        return item.body
    return layout.whole(target)


def distance_of(layout: Layout, a: str, b: str, measure: Measured) -> float:
    """The clear distance of two parts or pads; of pads with their round ends exact."""
    first, second = _ports(layout, a, measure), _ports(layout, b, measure)
    if first and second:
        return min(p.distance(q) for p, q in product(first, second))
    return float(shape_of(layout, a, measure).distance(shape_of(layout, b, measure)))


def _ports(layout: Layout, target: str, measure: Measured) -> tuple[Port, ...]:
    if target in layout:
        return layout[target].ports if measure == "pad" else ()
    owner, _, port = target.rpartition(".")
    return layout[owner].ports_named(port)


def side_gaps(mine: Bounds, other: Bounds, side: Side) -> tuple[float, float]:
    """How far a box lies beyond another one on a side (negative: it reaches into it), and how far past it across."""
    x0, y0, x1, y1 = mine
    u0, v0, u1, v1 = other
    along = {"left": u0 - x1, "right": x0 - u1, "top": v0 - y1, "bottom": y0 - v1}[side]
    across = max(v0 - y1, y0 - v1) if side in {"left", "right"} else max(u0 - x1, x0 - u1)
    return along, across


def box_gap(a: Bounds, b: Bounds, axis: str) -> float:
    """From the end of the first to the beginning of the second, along an axis."""
    return b[0] - a[2] if axis == "x" else b[1] - a[3]


def middle_of(layout: Layout, ref: str) -> Point:
    """Of its box."""
    x0, y0, x1, y1 = layout.bounds(ref)
    return ((x0 + x1) / 2, (y0 + y1) / 2)


def edge_gap(layout: Layout, ref: str, side: Side) -> float:
    """From a part's box to the board's outline on a side, straight out; negative where it hangs over.

    Infinite where there is no outline on that side.
    """
    if layout.area is None:
        return math.inf
    x0, y0, x1, y1 = layout.bounds(ref)
    xm, ym = (x0 + x1) / 2, (y0 + y1) / 2
    strip = {
        "left": box(-_FAR, y0, xm, y1), "right": box(xm, y0, _FAR, y1),
        "top": box(x0, -_FAR, x1, ym), "bottom": box(x0, ym, x1, _FAR),
    }[side]  # fmt: skip
    met = unary_union(_outlines(layout.area)).intersection(strip)
    if met.is_empty:
        return math.inf
    u0, v0, u1, v1 = met.bounds
    return {"left": x0 - u1, "right": u0 - x1, "top": y0 - v1, "bottom": v0 - y1}[side]


def _outlines(area: BaseGeometry) -> list[BaseGeometry]:
    """The outer edges: cut-outs are no edge that a part is put to."""
    parts = area.geoms if isinstance(area, MultiPolygon) else [area]
    return [part.exterior for part in parts if isinstance(part, Polygon)]
