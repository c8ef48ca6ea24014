"""The union of triangles laid flat, as rings without holes."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from redraft.sandbox.program import Answer
from redraft.studios.scene.footprints import Ring, facts_of, footprint_of

SQUARE = [[[0.0, 0], [2, 0], [2, 2]], [[0, 0], [2, 2], [0, 2]]]


def union(rings: tuple[Ring, ...]) -> Any:
    polygons = [shapely.Polygon(ring) for ring in rings]
    assert all(polygon.is_valid and not polygon.interiors for polygon in polygons)
    return shapely.union_all(polygons)


def annulus(inner: float, outer: float, count: int) -> NDArray[np.float64]:
    angles = [2 * math.pi * i / count for i in range(count + 1)]
    corners = [[(r * math.cos(a), r * math.sin(a)) for a in angles] for r in (inner, outer)]
    pairs = zip(corners[0], corners[0][1:], corners[1], corners[1][1:], strict=False)
    return np.array([t for a, b, c, d in pairs for t in ([a, b, c], [b, d, c])])


def test_a_square_is_its_four_corners() -> None:
    (ring,) = footprint_of(np.array(SQUARE))
    assert set(ring) == {(0, 0), (2, 0), (2, 2), (0, 2)}
    assert len(ring) == 4


def test_a_hole_stays_a_hole() -> None:
    shape = union(footprint_of(annulus(0.5, 1.0, 64)))
    assert shape.area == pytest.approx(math.pi * 0.75, rel=0.05)
    assert not shape.contains(shapely.Point(0, 0))
    assert not shape.contains(shapely.Point(0, 0.3))
    assert shape.contains(shapely.Point(0.75, 0))


def test_four_walls_are_not_the_room_between_them() -> None:
    walls = [shapely.box(*w) for w in ((-2, -2, 2, -1.9), (-2, 1.9, 2, 2), (-2, -2, -1.9, 2), (1.9, -2, 2, 2))]
    triangles = [
        [corners[0], corners[i], corners[i + 1]] for w in walls for corners in [w.exterior.coords] for i in (1, 2)
    ]
    shape = union(footprint_of(np.array(triangles)))
    assert shape.area == pytest.approx(shapely.union_all(walls).area, rel=1e-3)
    assert not shape.intersects(shapely.box(-1.8, -1.8, 1.8, 1.8))


def test_two_islands_are_two_rings() -> None:
    rings = footprint_of(np.concatenate([np.array(SQUARE), np.array(SQUARE) + 5]))
    assert len(rings) == 2
    assert union(rings).area == pytest.approx(8)


def test_which_way_triangles_turn_does_not_matter() -> None:
    assert union(footprint_of(np.array(SQUARE)[:, ::-1])).area == pytest.approx(4)


def test_it_is_simplified_by_its_size() -> None:
    small = footprint_of(annulus(0.9, 1.0, 720))
    assert sum(map(len, small)) < 100
    assert union(small).area == pytest.approx(math.pi * 0.19, rel=0.1)


@pytest.mark.slow
def test_crossings_without_end_are_the_hull() -> None:
    angles = np.linspace(0, math.pi, 1500, endpoint=False)
    ends = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    slivers = np.stack([ends, -ends, -ends + 1e-4], axis=1)
    (ring,) = footprint_of(slivers)
    assert shapely.Polygon(ring).area == pytest.approx(math.pi, rel=0.04)


def test_facts_get_the_footprints_that_came_as_triangles() -> None:
    things: list[dict[str, Any]] = [{"name": n, "kind": "MESH", "location": [0, 0, 0]} for n in ("a", "b")]
    things[0]["footprint"] = [[[0, 0], [1, 0], [1, 1]]]
    blob = b"PNG" + struct.pack("<12f", *np.array(SQUARE).reshape(-1))
    data: dict[str, Any] = {
        "facts": {"blender": "5.0.1", "things": things},
        "footprints": [{"name": "b", "first": 0, "count": 2}],
        "parts": [{"name": "front", "offset": 0, "size": 3}, {"name": "triangles", "offset": 3, "size": 48}],
    }
    facts = facts_of(Answer(data, blob))
    assert facts is not None
    assert facts.things[0].footprint == (((0, 0), (1, 0), (1, 1)),)
    assert union(facts.things[1].footprint).area == pytest.approx(4)
    assert facts_of(Answer({"facts": None, "parts": []})) is None
