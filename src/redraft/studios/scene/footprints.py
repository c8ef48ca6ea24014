"""Facts in a viewer's answer, and footprints: the union of triangles as seen from above, as rings without holes.

The viewer recognizes convex footprints itself and sends the triangles of all others, whose union is made here. They are
from a file that a script has made, so their number and their crossings are bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import MultiPolygon, Polygon, box

from redraft.sandbox.program import Answer
from redraft.studios.scene.spec import SceneFacts

Ring = tuple[tuple[float, float], ...]
MAX_CROSSINGS = 500_000
"""Pairs of triangles whose boxes meet; with more of them the hull is taken."""
MAX_RINGS = 64
"""Rings of one footprint; with more of them the hull is taken."""


def facts_of(answer: Answer) -> SceneFacts | None:
    """Return the facts in a viewer's answer, with all footprints; None where they were not requested.

    Raises:
        pydantic.ValidationError: the answer is not what a viewer says.
    """
    if answer.data.get("facts") is None:
        return None
    facts = SceneFacts.model_validate(answer.data["facts"])

    parts = cast("list[dict[str, Any]]", answer.data.get("parts") or [])
    part = next((part for part in parts if part["name"] == "triangles"), None)
    data = answer.blob[part["offset"] : part["offset"] + part["size"]] if part else b""
    triangles = np.frombuffer(data, "<f4").reshape(-1, 3, 2).astype(np.float64)
    rows = cast("list[dict[str, Any]]", answer.data.get("footprints") or [])
    footprints = {row["name"]: footprint_of(triangles[row["first"] : row["first"] + row["count"]]) for row in rows}

    things = (
        thing.model_copy(update={"footprint": footprints[thing.name]}) if thing.name in footprints else thing
        for thing in facts.things
    )
    return facts.model_copy(update={"things": tuple(things)})


def footprint_of(triangles: NDArray[np.float64]) -> tuple[Ring, ...]:
    """Return closed rings whose union is that of triangles (n × 3 × 2), to 1 mm or a hundredth of their size.

    A ring has no hole: a polygon that has one is cut in two through it.
    """
    rounded = np.round(triangles, 5)  # so that neighbors meet exactly, with no slits between them
    flat = np.asarray(shapely.polygons(cast("Any", rounded)), dtype=object)
    flat = flat[np.array([polygon.area > 0 for polygon in flat], bool)]
    if shapely.STRtree(flat).query(flat).shape[1] > MAX_CROSSINGS:
        union: Any = shapely.convex_hull(shapely.geometrycollections(flat))
    else:
        union = shapely.union_all(flat)
    if union.is_empty:
        return ()

    # Holes that are smaller than what is left out anyway are left out first.
    least = max(0.001, float(np.hypot(*(np.array(union.bounds[2:]) - union.bounds[:2]))) / 100)
    solid = [
        Polygon(polygon.exterior, [hole for hole in polygon.interiors if Polygon(hole).area > least**2])
        for polygon in _polygons(union)
    ]
    simple = shapely.union_all(solid).simplify(least)
    rings = [ring for polygon in _polygons(simple) for ring in _rings(polygon)]
    if len(rings) > MAX_RINGS:
        rings = _rings(cast("Polygon", union.convex_hull))
    return tuple(ring for ring in rings if len(ring) >= 3)


def _polygons(shape: Any) -> Sequence[Polygon]:
    if isinstance(shape, Polygon):
        return [shape]
    return [
        part
        for part in getattr(shape, "geoms", ())
        if isinstance(part, Polygon | MultiPolygon)
        for part in _polygons(part)
    ]


def _rings(polygon: Polygon) -> list[Ring]:
    """Return a polygon as rings without holes."""
    if polygon.is_empty:
        return []
    if polygon.interiors:  # cut it along the middle of its first hole, upright
        x0, y0, x1, y1 = polygon.bounds
        hole = polygon.interiors[0].bounds
        middle = (hole[0] + hole[2]) / 2
        halves = (polygon.intersection(side) for side in (box(x0, y0, middle, y1), box(middle, y0, x1, y1)))
        return [ring for half in halves for part in _polygons(half) for ring in _rings(part)]
    corners = [(round(x, 4) + 0.0, round(y, 4) + 0.0) for x, y in polygon.exterior.coords[:-1]]
    return [tuple(corner for index, corner in enumerate(corners) if corner != corners[index - 1])]
