"""The room that a part claims, and its body: areas made of the graphics on the courtyard and fabrication layers."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from redraft.studios.board.arcs import Points
from redraft.studios.board.drawn import Graphic, path
from redraft.studios.board.rings import nested, plain_rings, rings

__all__ = ["TOLERANCE", "body_of", "courtyard_of", "hull_of"]

TOLERANCE = 0.02
"""How far the ends of courtyard lines may miss each other, in millimetres: as much as KiCad's own reader allows."""
_MOST = 0.5
"""Share of its drawing's box that a closed outline must fill to be the body, and not the marks of a few pins."""
_SAME = 1e-9
"""Share of an area by which sums of the same corners may differ."""


@lru_cache(maxsize=4096)
def courtyard_of(graphics: tuple[Graphic, ...]) -> BaseGeometry | None:
    """The area within closed outlines; one within another is a hole, as in KiCad. None: no outline, or a broken one.

    Lines have no width here: a courtyard's edge is the middle of its line.
    """
    closed, strays = rings(map(path, graphics), TOLERANCE)
    if strays or not all(ring.is_valid and ring.area > 0 for ring in closed):
        return None
    return nested(closed)


@lru_cache(maxsize=4096)
def body_of(graphics: tuple[Graphic, ...]) -> BaseGeometry | None:
    """The outline of what is drawn, holes filled in; the convex hull where the outline is not closed. None: nothing."""
    paths = [path(one) for one in graphics]
    hull = _hull(np.concatenate(paths)) if paths else None
    if hull is None:
        return None
    outline = _plain_outline(paths, hull)
    if outline is None:
        outline = _outline(paths)
    return outline if _box_area(outline) >= _MOST * _box_area(hull) else hull


def hull_of(*parts: BaseGeometry | None) -> BaseGeometry | None:
    """The convex hull of several areas; None where they enclose nothing."""
    given = [part for part in parts if part is not None]
    return _hull(shapely.get_coordinates(given)) if given else None


def _plain_outline(paths: list[Points], hull: BaseGeometry) -> BaseGeometry | None:
    """Where lines that meet end to end enclose all others: what `_outline` finds, far sooner. None: unsure."""
    closed, strays = plain_rings(paths)
    found = max(closed, key=lambda ring: ring.area, default=None)
    alone = len(closed) == 1 and not strays
    if found is None or not found.is_valid or not (alone or abs(found.area - hull.area) <= _SAME * hull.area):
        return None
    return found


def _outline(paths: list[Points]) -> BaseGeometry:
    """Everything that the lines enclose, wherever they meet or cross."""
    noded = shapely.union_all([LineString(line) for line in paths if len(line) > 1])
    faces = shapely.polygonize([noded]) if noded.length else Polygon()
    return shapely.union_all(shapely.get_parts(faces))


def _hull(points: Points) -> BaseGeometry | None:
    """By way of a line through all points, which is made far sooner than so many points."""
    hull = cast("LineString", shapely.linestrings(points)).convex_hull if len(points) > 2 else Polygon()
    return hull if hull.area > 0 else None


def _box_area(area: BaseGeometry) -> float:
    if area.is_empty:
        return 0.0
    x0, y0, x1, y1 = area.bounds
    return (x1 - x0) * (y1 - y0)
