"""A part brought to the edge of the board: the true outline, with its arcs, slants and steps."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.errors import BriefError, InfeasibleError
from redraft.spatial.layout import Layout, Move
from redraft.spatial.solver.refs import known, movable
from redraft.spatial.solver.slide import Outline, travel
from redraft.spatial.solver.steps import Side, finite, line, outward, vector, way, whole

__all__ = ["move_to_edge"]

Numbers = NDArray[np.float64]


def move_to_edge(
    layout: Layout, ref: str, edge: Side, clearance: float = 0.0, *, center: bool = False
) -> tuple[Move, ...]:
    """Bring an item to an edge of the area: its box touches the edge from inside, or keeps `clearance` from it.

    The edge is the outline as seen from that side, at the item's own place along it, or at the area's middle.
    Where there is no area, a drawing's frame is the edge.

    Raises:
        BriefError: an unknown item or side, or a board without an outline. InfeasibleError: the item is locked, or
            the edge does not reach to where it is.
    """
    known(layout, (ref,))
    movable(layout, (ref,), "move_to_edge")
    finite("clearance", clearance)
    area = _area(layout)
    axis, positive = way(layout, edge)
    across, sign = (0 if axis else 1), (1 if positive else -1)
    bounds = layout.bounds(ref)
    x0, y0, x1, y1 = area.bounds
    level = whole(layout, line((x0, y0, x1, y1), across, "center") - line(bounds, across, "center")) if center else 0.0
    mine = Outline.of_box(bounds).shifted(*vector(axis, 0.0, level))
    rim = _rim(area, mine, axis, sign, max(clearance, 0.0))
    far = None if rim is None else travel(mine, rim, axis, sign, max(clearance, 0.0))
    if far is None:
        raise InfeasibleError(
            f"move_to_edge: the board has no {edge} edge where {ref} is; center=true takes the middle of the edge",
            (f"{ref} keeps its place along the {edge} edge", "the outline does not reach there"),
        )
    step = outward(layout, far + sign * max(-clearance, 0.0), sign)
    return (Move.shift(ref, *vector(axis, step, level), f"move_to_edge {edge}"),) if step or level else ()


def _area(layout: Layout) -> BaseGeometry:
    if layout.area is not None:
        return layout.area
    if layout.frame.solid:
        raise BriefError("The board has no closed outline, so that it has no edge to move to; draw one on Edge.Cuts")
    return box(*layout.frame.bounds)


def _rim(area: BaseGeometry, mine: Outline, axis: int, sign: int, clearance: float) -> Outline | None:
    """The outline as seen from outside in front of the item: of all edges, pieces that none other hides."""
    rings = [np.asarray(p.exterior.coords) for p in shapely.get_parts(area) if isinstance(p, Polygon)]
    edges = np.concatenate([np.stack([ring[:-1, :2], ring[1:, :2]], axis=1) for ring in rings])
    across = edges[:, :, 1 - axis]
    low = mine.box[1 - axis] - clearance
    high = mine.box[3 - axis] + clearance
    near = edges[(across.max(axis=1) >= low) & (across.min(axis=1) <= high) & (across[:, 0] != across[:, 1])]
    pieces = _envelope(near[:, :, [1 - axis, axis]] * np.array([1.0, sign]), low, high)
    if not len(pieces):
        return None
    turned = (pieces * np.array([1.0, sign]))[:, :, [1, 0] if axis == 0 else [0, 1]]
    points = turned.reshape(-1, 2)
    return Outline(points, turned, np.zeros(len(points)), np.zeros(len(turned)))


def _envelope(edges: Numbers, low: float, high: float) -> Numbers:
    """The highest of some edges (each two points, across and along) over every stretch across, as edges."""
    cuts = np.unique(np.clip(np.concatenate([edges[:, :, 0].ravel(), [low, high]]), low, high))
    found: list[Numbers] = []
    for left, right in pairwise(cuts):
        middle = (left + right) / 2
        over = edges[(edges[:, :, 0].min(axis=1) <= middle) & (edges[:, :, 0].max(axis=1) >= middle)]
        if len(over):
            top = over[np.argmax(_at(over, middle))]
            found.append(np.array([(x, _at(top[None], x)[0]) for x in (left, right)]))
    return np.array(found).reshape(-1, 2, 2)


def _at(edges: Numbers, across: float) -> Numbers:
    """Where edges are along, at a place across."""
    (x0, y0), (x1, y1) = edges[:, 0].T, edges[:, 1].T
    return y0 + (y1 - y0) * (across - x0) / (x1 - x0)
