"""Free rectangles: nothing is in them, none is larger, and one that is asked for fits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from crowds import crowd
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import board, chip
from shapely.geometry import Point, box

from redraft.layout.items import Bounds, Keepout
from redraft.studios.board.views.free import free_rectangles


def test_the_largest_first_and_none_within_another() -> None:
    layout = board(chip("U1", 50, 40, 20, 20, courtyard=0))
    found = free_rectangles(layout, (0, 0, 100, 80), 1)
    assert found[:2] == [(0.0, 0.0, 40.0, 80.0), (60.0, 0.0, 100.0, 80.0)]
    assert free_rectangles(layout, (0, 0, 100, 80), 1, without=["U1"]) == [(0.0, 0.0, 100.0, 80.0)]


def test_the_other_side_keep_outs_and_the_edge() -> None:
    under = chip("U1", 50, 40, 20, 20, courtyard=0, side=0)
    layout = board(under, keepouts=[Keepout("k", box(60, 0, 100, 80), (1,))])
    assert free_rectangles(layout, (0, 0, 100, 80), 1)[0] == (0.0, 0.0, 60.0, 80.0)
    round_one = board(area=Point(50, 40).buffer(30))
    (found, *_) = free_rectangles(round_one, (0, 0, 100, 80), 1)
    assert round_one.area is not None
    assert round_one.area.buffer(1e-6).covers(box(*found))
    assert box(*found).area > 0.85 * 2 * 30**2  # the largest square in a circle


@pytest.mark.parametrize(("least", "count"), [((5.0, 5.0), 1), ((11.0, 5.0), 0)])
def test_it_is_as_large_as_is_asked_for(least: tuple[float, float], count: int) -> None:
    layout = replace(board(chip("U1", 50, 40, 20, 20)), area=box(0, 0, 10, 10))
    assert len(free_rectangles(layout, (0, 0, 100, 80), 1, least=least)) == count


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), st.tuples(st.floats(100, 140), st.floats(50, 90)), st.floats(2, 30))
def test_nothing_is_in_a_free_rectangle(count: int, corner: tuple[float, float], side: float) -> None:
    layout = crowd(count)
    window: Bounds = (corner[0], corner[1], corner[0] + side, corner[1] + side)
    for layer in (0, 1):
        for found in free_rectangles(layout, window, layer):
            inside = box(*found).buffer(-1e-5)
            assert not [i.name for i in layout.items if i.layer == layer and i.shape.intersects(inside)]
