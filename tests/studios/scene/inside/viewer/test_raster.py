"""Covered cells and projected triangles, against what another library and plain geometry say."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.studios.scene.inside.viewer.raster import covered, projected

pytestmark = pytest.mark.slow

LENS = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1.002, -0.2002], [0, 0, -1, 0]])
"""A camera in the origin that looks along −z, 90° wide, from 0.1 m."""


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.floats(-8, 24, allow_subnormal=False)] * 6), max_size=6))
def test_covered_cells_are_those_whose_middles_lie_in_a_triangle(rows: list[tuple[float, ...]]) -> None:
    triangles = np.array(rows, float).reshape(-1, 3, 2)
    grid = covered(triangles, 16, 12)
    assert grid.shape == (12, 16)
    shapes = [shapely.Polygon(triangle) for triangle in triangles]
    for y in range(12):
        for x in range(16):
            middle = shapely.Point(x + 0.5, y + 0.5)
            inside = any(shape.distance(middle) == 0 for shape in shapes)
            clear = all(shape.exterior.distance(middle) > 1e-3 for shape in shapes if not shape.is_empty)
            assert grid[y, x] == inside or not clear


def test_what_is_looked_at_in_goes_is_the_same_as_at_once() -> None:
    large = np.tile(np.array([[[0.0, 0], [2000, 0], [0, 2000]]]), (3, 1, 1))
    assert covered(large, 2000, 2000).mean() == np.float64(0.5 + 0.5 / 2000)


def test_a_triangle_ahead_is_where_the_lens_puts_it() -> None:
    points = np.array([[-1.0, -1, -2], [1, -1, -2], [0, 1, -2]])
    flat = projected(points, np.array([[0, 1, 2]]), LENS)
    np.testing.assert_allclose(flat, [[[-0.5, -0.5], [0.5, -0.5], [0, 0.5]]])


def test_nothing_behind_the_camera_is_seen() -> None:
    points = np.array([[-1.0, -1, 2], [1, -1, 2], [0, 1, 2]])
    assert projected(points, np.array([[0, 1, 2]]), LENS).shape == (0, 3, 2)


def test_a_ground_that_runs_on_behind_the_camera_fills_the_picture_up_to_the_horizon() -> None:
    points = np.array([[-1e4, -1.0, 1e4], [1e4, -1, 1e4], [1e4, -1, -1e4], [-1e4, -1, -1e4]])
    for triangles in ([[0, 1, 2], [0, 2, 3]], [[3, 1, 0], [3, 2, 1]]):
        grid = covered((projected(points, np.array(triangles), LENS) + 1) * 32, 64, 64)
        assert grid[:31].all()
        assert not grid[33:].any()
