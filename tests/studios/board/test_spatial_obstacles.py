"""What is in the way of a part where it might lie: all that it would collide with there, by name."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from parts import board, chip, round_part, two_pads
from shapely.geometry import box

from redraft.layout.items import Keepout, Layout, Move, transformed
from redraft.studios.board.solve.collisions import collisions, obstacles_to

BARRED = Keepout("keep-out", box(60, 30, 70, 50), (1,))


def crowd(x: float, y: float, side: int) -> Layout:
    """A part under test, which bars the room beside it, among parts on both sides, a hole, and a keep-out."""
    own = Keepout("antenna", box(x + 1, y - 1, x + 3, y + 1), None, "C1")
    part = replace(two_pads("C1", x, y, side=side), keepouts=(own,))
    others = chip("U1", 50, 40, 10, 10), chip("U2", 30, 40, 8, 4, side=0), round_part("J1", 40, 40, 2)
    return board(part, *others, two_pads("C2", 45, 30), keepouts=(BARRED,))


def found(layout: Layout, dx: float, dy: float) -> set[str]:
    moved = transformed(layout["C1"], (Move.shift("C1", dx, dy),))
    x0, y0, x1, y1 = layout.extents[layout.rows["C1"]].tolist()
    return set(obstacles_to(layout, moved, (x0 + dx, y0 + dy, x1 + dx, y1 + dy)))


def test_each_kind_is_named() -> None:
    layout = crowd(10, 10, 1)
    assert found(layout, 0, 0) == set()
    assert found(layout, 40, 30) == {"U1"}
    assert found(layout, 30, 30) == {"J1"}
    assert found(layout, 20, 30) == {"U2"}  # on the other side: only what C1 bars on both meets it
    assert found(layout, 55, 30) == {"keep-out"}
    assert found(layout, 32.5, 20) == {"C2"}  # within the room that C1 bars
    assert found(layout, -9, 0) == {"board edge"}


@given(st.integers(0, 90), st.integers(0, 70), st.sampled_from([0, 1]))
def test_all_that_would_collide_is_in_the_way(x: int, y: int, side: int) -> None:
    layout = crowd(5, 5, side)
    there = layout.moved((Move.shift("C1", x, y),))
    assert {other for _, other in collisions(there, ("C1",))} <= found(layout, x, y)


def test_what_is_not_placed_yet_may_stay_off_the_board() -> None:
    layout = crowd(-40, 10, 1)
    assert found(layout, -5, 0) == set()
    assert found(layout, 40, 0) == {"board edge"}
