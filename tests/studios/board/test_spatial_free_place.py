"""The free place that a refusal names: it is free, and no nearer one is on a grid of places looked at one by one."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from parts import board, chip
from shapely.affinity import translate

from redraft.errors import CollisionError
from redraft.layout.items import Layout
from redraft.studios.board.actions.registry import PlaceComponent
from redraft.studios.board.actions.workspace import Workspace

SLIVER = 1e-4
"""mm²."""

parts = st.lists(st.tuples(st.integers(5, 95), st.integers(5, 75), st.integers(2, 20), st.integers(2, 20)), max_size=8)


def free(layout: Layout, dx: float, dy: float) -> bool:
    """Whether C1, shifted, lies on the board and on nothing else."""
    shape = translate(layout["C1"].shape, dx, dy)
    assert layout.area is not None
    others = (item.shape for item in layout if item.name != "C1")
    inside = shape.difference(layout.area).area <= SLIVER
    return inside and all(shape.intersection(other).area <= SLIVER for other in others)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(parts)
@example([(5, 5, 2, 2), (45, 23, 14, 20), (50, 44, 4, 3)])
def test_the_place_named_is_taken_and_none_is_nearer(found: list[tuple[int, int, int, int]]) -> None:
    layout = board(
        chip("C1", 10, 10, 3, 2), chip("U0", 50, 40, 12, 9), *(chip(f"U{n + 1}", *p) for n, p in enumerate(found))
    )
    work = Workspace(layout)
    with pytest.raises(CollisionError) as refused:
        work.do(PlaceComponent(ref="C1", x=50.0, y=40.0))
    place = refused.value.suggestion
    if place is None:
        return
    x, y = place
    work.do(PlaceComponent(ref="C1", x=x, y=y))
    assert free(work.layout, 0.0, 0.0)
    way = math.hypot(x - 50.0, y - 40.0)
    grid = product(range(-40, 41, 2), repeat=2)
    nearer = [(dx / 2, dy / 2) for dx, dy in grid if math.hypot(dx, dy) / 2 < way - 1e-3]
    assert [at for at in nearer if free(layout, 40.0 + at[0], 30.0 + at[1])] == []


def test_no_place_is_named_where_there_is_none() -> None:
    work = Workspace(board(chip("C1", 10, 10, 3, 2), chip("U0", 50, 40, 99, 79)))
    with pytest.raises(CollisionError, match="no free place was found for C1"):
        work.do(PlaceComponent(ref="C1", x=50.0, y=40.0))
