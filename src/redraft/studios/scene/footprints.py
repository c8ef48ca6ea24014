"""What things cover as seen from above, made exact: the union of their triangles laid flat.

The viewer tells convex footprints itself and sends the triangles of all others. They are from a file that a script has
made, so their number and their crossings are bounded.
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

__all__ = ["Ring", "facts_of", "footprint_of"]

Ring = tuple[tuple[float, float], ...]
MOST_CROSSINGS = 500_000
"""Pairs of triangles whose boxes meet; with more of them the hull is taken."""
MOST_RINGS = 64


def facts_of(answer: Answer) -> SceneFacts | None:
    """The facts in a viewer's answer, with all footprints; None where they were not asked for.

    Raises:
        pydantic.ValidationError: the answer is not what a viewer says.
    """
    if answer.data.get("facts") is None:
        return None
    facts = SceneFacts.model_validate(answer.data["facts"])
    triangles = _triangles(answer)
    rows = cast("list[dict[str, Any]]", answer.data.get("footprints") or [])
    found = {row["name"]: footprint_of(triangles[row["first"] : row["first"] + row["count"]]) for row in rows}
    things = (
        thing.model_copy(update={"footprint": found[thing.name]}) if thing.name in found else thing
        for thing in facts.things
    )
    return facts.model_copy(update={"things": tuple(things)})


def _triangles(answer: Answer) -> NDArray[np.float64]:
    parts = cast("list[dict[str, Any]]", answer.data.get("parts") or [])
    part = next((part for part in parts if part["name"] == "triangles"), None)
    data = answer.blob[part["offset"] : part["offset"] + part["size"]] if part else b""
    return np.frombuffer(data, "<f4").reshape(-1, 3, 2).astype(np.float64)


def footprint_of(triangles: NDArray[np.float64]) -> tuple[Ring, ...]:
    """Closed rings whose union is that of the triangles (n × 3 × 2), simplified to 1 mm or a hundredth of their size.

    A ring has no hole: what has one is cut in two through it.
    """
    rounded = np.round(triangles, 5)  # so that neighbours meet exactly, with no slits between them
    flat = np.asarray(shapely.polygons(cast("Any", rounded)), dtype=object)
    union = _union(flat[np.array([polygon.area > 0 for polygon in flat], bool)])
    if union.is_empty:
        return ()
    least = max(0.001, float(np.hypot(*(np.array(union.bounds[2:]) - union.bounds[:2]))) / 100)
    simple = shapely.union_all([_without_pores(polygon, least) for polygon in _polygons(union)]).simplify(least)
    rings = [ring for polygon in _polygons(simple) for ring in _rings(polygon)]
    if len(rings) > MOST_RINGS:
        rings = _rings(cast("Polygon", union.convex_hull))
    return tuple(ring for ring in rings if len(ring) >= 3)


def _union(flat: NDArray[Any]) -> Any:
    pairs = shapely.STRtree(flat).query(flat).shape[1]
    if pairs > MOST_CROSSINGS:
        return shapely.convex_hull(shapely.geometrycollections(flat))
    return shapely.union_all(flat)


def _without_pores(polygon: Polygon, least: float) -> Polygon:
    """Without holes that are smaller than what is left out anyway."""
    return Polygon(polygon.exterior, [hole for hole in polygon.interiors if Polygon(hole).area > least**2])


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
    """A polygon as rings without holes."""
    if polygon.is_empty:
        return []
    if polygon.interiors:
        return [ring for part in _halves(polygon) for ring in _rings(part)]
    corners = [(round(x, 4) + 0.0, round(y, 4) + 0.0) for x, y in polygon.exterior.coords[:-1]]
    return [tuple(corner for index, corner in enumerate(corners) if corner != corners[index - 1])]


def _halves(polygon: Polygon) -> list[Polygon]:
    """Cut along the middle of its first hole, upright."""
    low_x, low_y, high_x, high_y = polygon.bounds
    hole = polygon.interiors[0].bounds
    middle = (hole[0] + hole[2]) / 2
    sides = (box(low_x, low_y, middle, high_y), box(middle, low_y, high_x, high_y))
    return [part for side in sides for part in _polygons(polygon.intersection(side))]
