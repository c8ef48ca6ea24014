"""Refusals stay cheap: how little is built on the way to the nearest free place, and that no short cut changes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import board, chip, two_pads
from shapely.geometry import LineString, Polygon

from redraft.errors import CollisionError
from redraft.layout.items import Bounds, Fixture, Item, Layout, Move, transformed
from redraft.studios.board.actions.registry import PlaceComponent
from redraft.studios.board.actions.workspace import Workspace
from redraft.studios.board.solve import collisions
from redraft.studios.board.solve.collisions import copper_under, on_copper
from redraft.studios.board.solve.greedy import FAR, ranked

TRACKS = [
    Fixture("track", LineString([(x, 0), (x + 8, 80)]).buffer(0.2), "F.Cu", f"N{x}", ((x, 0), (x + 8, 80)))
    for x in range(5, 95, 3)
]


def routed(layout: Layout) -> Layout:
    """The board with a track every 3 mm, each of its own net."""

    def fixtures(window: Bounds) -> Sequence[Fixture]:
        x0, y0, x1, y1 = window
        boxes = [track.shape.bounds for track in TRACKS]
        return [
            t for t, b in zip(TRACKS, boxes, strict=True) if b[0] <= x1 and b[2] >= x0 and b[1] <= y1 and b[3] >= y0
        ]

    return replace(layout, fixtures=fixtures, clearance=0.2)


def refused(layout: Layout, x: float, y: float) -> CollisionError:
    with pytest.raises(CollisionError) as caught:
        Workspace(layout).do(PlaceComponent(ref="C1", x=x, y=y))
    return caught.value


class TestWhatARefusalCosts:
    @pytest.fixture
    def layouts(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """A word for each layout that was built from another one."""
        built, with_items = list[str](), Layout.with_items

        def counted(self: Layout, items: Iterable[Item]) -> Layout:
            built.append("one")
            return with_items(self, items)

        monkeypatch.setattr(Layout, "with_items", counted)
        return built

    def test_no_layout_is_built_for_a_place_on_copper(self, layouts: list[str]) -> None:
        error = refused(routed(board(two_pads("C1", 10, 10, ("A", "B")), chip("U1", 50, 40, 12, 9))), 50, 40)
        assert "the nearest free place for C1" in str(error)
        assert len(layouts) == 1  # that of the refused action itself

    def test_no_layout_is_built_for_a_place_over_the_edge(self, layouts: list[str]) -> None:
        notched = Polygon([(0, 0), (100, 0), (100, 80), (52, 80), (52, 20), (48, 20), (48, 80), (0, 80)])
        crowd = [chip(f"U{n}", 50, 26 + 6 * n, 12, 5) for n in range(8)]
        refused(replace(board(chip("C1", 10, 10, 3, 2), *crowd), area=notched), 50, 50)
        assert len(layouts) == 1

    def test_what_it_collided_with_before_is_looked_up_at_most_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked, look_up = list[Layout](), collisions.collisions

        def counted(layout: Layout, names: Iterable[str]) -> dict[tuple[str, str], float]:
            asked.append(layout)
            return look_up(layout, names)

        crowd = [chip(f"U{n}", 20 + 6 * n, 40, 7, 7) for n in range(10)]
        layout = routed(board(two_pads("C1", 10, 10, ("A", "B")), *crowd))
        monkeypatch.setattr("redraft.studios.board.solve.free_places.collisions", counted)
        refused(layout, 50, 40)
        assert len(asked) <= 1


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(-40, 400), st.integers(-40, 300)), min_size=1, max_size=12))
def test_a_shift_that_is_sorted_out_lies_on_copper(shifts: list[tuple[int, int]]) -> None:
    layout = routed(board(two_pads("C1", 10, 10, ("A", "B"))))
    places = [(dx / 5, dy / 5) for dx, dy in shifts]
    for shift, met in zip(places, copper_under(layout, layout["C1"], places), strict=True):
        there = transformed(layout["C1"], (Move.shift("C1", *shift),))
        assert met == (next(on_copper(layout, there), None) is not None)


def test_shifts_come_in_order_and_free_among_more_walls_than_one_number_has_bits() -> None:
    rng = np.random.default_rng(1)
    lows = rng.integers(-200, 200, (90, 2))
    walls = np.hstack([lows, lows + rng.integers(5, 25, (90, 2))]).astype(np.float64)
    found = list(ranked((-4, -4, 4, 4), walls, 0.0, (-FAR, FAR, -FAR, FAR)))
    assert len(found) > 1000
    costs = [float(np.hypot(*shift)) for shift in found]
    assert all(a <= b for a, b in pairwise(costs))
    for dx, dy in found:
        met = (walls[:, 0] < dx + 4) & (walls[:, 2] > dx - 4) & (walls[:, 1] < dy + 4) & (walls[:, 3] > dy - 4)
        assert not met.any()
