"""The exact actions and legalisation, on hand-made layouts of rectangles."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import box

from redraft.errors import BriefError, InfeasibleError
from redraft.layout.items import Bounds, Frame, Item, Layout, Move
from redraft.studios.board.actions.registry import Align, Distribute, PlaceComponent, Stack
from redraft.studios.board.solve.constraints import Stated
from redraft.studios.board.solve.legalize import legalize
from redraft.studios.board.solve.relative import place_relative

BOARD = Frame(unit="mm", quantum=1e-6, bounds=(0.0, 0.0, 100.0, 80.0), grid=1.0)


def scene(*boxes: Bounds, frame: Frame = BOARD, locked: str = "") -> Layout:
    """Items a, b, c … with these boxes."""
    names = "abcdefghijklmnop"
    items = [Item(n, n, box(*b), locked=n in locked) for n, b in zip(names, boxes, strict=False)]
    return Layout(tuple(items), frame)


def after(layout: Layout, moves: tuple[Move, ...], name: str) -> Bounds:
    return layout.moved(moves).bounds(name)


class TestPlaceRelative:
    @pytest.mark.parametrize(
        ("side", "expected"),
        [
            ("right", (30.5, 24.0, 34.5, 26.0)),
            ("left", (15.5, 24.0, 19.5, 26.0)),
            ("above", (23.0, 17.5, 27.0, 19.5)),
            ("below", (23.0, 30.5, 27.0, 32.5)),
        ],
    )
    def test_edge_to_edge(self, side: str, expected: Bounds) -> None:
        layout = scene((0, 0, 4, 2), (20, 20, 30, 30))
        moves = place_relative(layout, "a", "b", side, 0.5)  # pyright: ignore[reportArgumentType]
        assert after(layout, moves, "a") == pytest.approx(expected, abs=1e-9)

    def test_above_follows_the_frame(self) -> None:
        layout = scene((0, 0, 4, 2), (20, 20, 30, 30), frame=replace(BOARD, up=(0.0, 1.0)))
        assert after(layout, place_relative(layout, "a", "b", "above", 1.0), "a")[1] == pytest.approx(31.0)

    def test_aligned_by_an_edge(self) -> None:
        layout = scene((0, 0, 4, 2), (20, 20, 30, 30))
        assert after(layout, place_relative(layout, "a", "b", "right", 0, "end"), "a")[3] == pytest.approx(30.0)

    def test_parts_come_along(self) -> None:
        layout = scene((0, 0, 4, 2), (20, 20, 30, 30))
        pin = Item("pin", "pin", box(4, 0, 5, 1), parent="a")
        layout = Layout((*layout.items, pin), BOARD)
        moves = place_relative(layout, "a", "b", "left", 1.0)
        assert after(layout, moves, "pin")[2] == pytest.approx(19.0)

    def test_an_unknown_item_gets_close_names(self) -> None:
        layout = Layout((Item("U10", "chip", box(0, 0, 1, 1)), Item("C1", "part", box(2, 2, 3, 3))), BOARD)
        with pytest.raises(BriefError, match=r"no item 'U11'; did you mean U10"):
            place_relative(layout, "C1", "U11")

    def test_a_locked_item_is_named(self) -> None:
        layout = scene((0, 0, 4, 2), (20, 20, 30, 30), locked="a")
        with pytest.raises(InfeasibleError, match="a is locked"):
            place_relative(layout, "a", "b")

    def test_a_locked_part_holds_the_whole(self) -> None:
        layout = scene((0, 0, 4, 2), (20, 20, 30, 30))
        pin = Item("pin", "pin", box(4, 0, 5, 1), parent="a", locked=True)
        with pytest.raises(InfeasibleError, match="pin is locked"):
            PlaceComponent(ref="a", x=1, y=1).plan(Layout((*layout.items, pin), BOARD))

    def test_not_a_number(self) -> None:
        with pytest.raises(BriefError, match="clearance must be a finite number, found nan"):
            place_relative(scene((0, 0, 1, 1), (2, 2, 3, 3)), "a", "b", "left", float("nan"))


def test_place_component_by_its_centre() -> None:
    layout = scene((0, 0, 4, 2))
    moves = PlaceComponent(ref="a", x=50.123456, y=40).plan(layout).moves
    assert after(layout, moves, "a") == pytest.approx((48.123456, 39, 52.123456, 41))


class TestRows:
    def test_align_takes_the_line_of_the_locked_one(self) -> None:
        layout = scene((0, 0, 2, 2), (5, 3, 7, 9), (10, 1, 12, 3), locked="b")
        moved = layout.moved(Align(refs=("a", "b", "c")).plan(layout).moves)
        assert [(moved.bounds(n)[1] + moved.bounds(n)[3]) / 2 for n in "abc"] == pytest.approx([6, 6, 6])

    def test_align_by_the_lower_edge(self) -> None:
        layout = scene((0, 0, 2, 2), (5, 3, 7, 9))
        assert after(layout, Align(refs=("a", "b"), edge="end").plan(layout).moves, "b")[3] == pytest.approx(2)

    def test_two_locked_ones_out_of_line(self) -> None:
        with pytest.raises(InfeasibleError, match="not in line"):
            Align(refs=("a", "b")).plan(scene((0, 0, 2, 2), (5, 3, 7, 9), locked="ab"))

    def test_equal_gaps_between_fixed_ends(self) -> None:
        layout = scene((0, 0, 2, 2), (3, 0, 6, 2), (7, 0, 8, 2), (19, 0, 20, 2))
        moved = layout.moved(Distribute(refs=tuple("dbca"), spacing=None, axis="x").plan(layout).moves)
        assert _gaps(moved, "abcd") == pytest.approx([13 / 3] * 3, abs=2e-6)
        assert (moved.bounds("a"), moved.bounds("d")) == (layout.bounds("a"), layout.bounds("d"))

    def test_a_given_gap_from_the_locked_one(self) -> None:
        layout = scene((0, 0, 2, 2), (3, 0, 6, 2), (7, 0, 8, 2), locked="b")
        moved = layout.moved(Distribute(refs=tuple("abc"), spacing=0.25, axis="x").plan(layout).moves)
        assert _gaps(moved, "abc") == pytest.approx([0.25, 0.25], abs=1e-9)
        assert moved.bounds("b") == layout.bounds("b")

    def test_a_locked_one_in_between_is_named(self) -> None:
        with pytest.raises(InfeasibleError, match="b is locked"):
            Distribute(refs=tuple("abc"), spacing=None, axis="x").plan(
                scene((0, 0, 2, 2), (3, 0, 6, 2), (17, 0, 18, 2), locked="b")
            )

    def test_stack_upwards(self) -> None:
        layout = scene((0, 20, 4, 22), (9, 9, 11, 12), (30, 1, 36, 2))
        moved = layout.moved(Stack(refs=tuple("abc"), direction="up", spacing=1.5).plan(layout).moves)
        assert moved.bounds("b") == pytest.approx((1, 15.5, 3, 18.5))
        assert moved.bounds("c") == pytest.approx((-1, 13, 5, 14))

    def test_a_part_cannot_be_placed_apart_from_its_whole(self) -> None:
        layout = scene((0, 0, 4, 2), (20, 20, 30, 30))
        pin = Item("pin", "pin", box(4, 4, 5, 5), parent="b")
        with pytest.raises(BriefError, match="pin is part of b"):
            Align(refs=("a", "b", "pin")).plan(Layout((*layout.items, pin), BOARD))


def _gaps(layout: Layout, names: str) -> list[float]:
    boxes = [layout.bounds(n) for n in names]
    return [b[0] - a[2] for a, b in pairwise(boxes)]


class TestLegalise:
    def test_what_is_legal_stays(self) -> None:
        assert legalize(scene((0, 0, 2, 2), (2, 0, 4, 2), (9, 9, 10, 10))).moves == ()

    def test_two_that_overlap_move_by_the_overlap(self) -> None:
        solution = legalize(scene((10, 10, 20, 20), (19, 12, 29, 22)))
        assert solution.proven
        assert solution.moved == pytest.approx(1.0, abs=2e-6)
        assert solution.bound == pytest.approx(1.0, abs=2e-6)

    def test_a_gap_is_kept(self) -> None:
        layout = scene((10, 10, 20, 20), (20.2, 10, 30, 20))
        assert _gaps(layout.moved(legalize(layout, gap=0.5).moves), "ab") == pytest.approx([0.5], abs=2e-6)

    def test_locked_ones_are_obstacles(self) -> None:
        layout = scene((10, 10, 20, 20), (19, 12, 29, 22), locked="b")
        moved = layout.moved(legalize(layout).moves)
        assert moved.bounds("b") == layout.bounds("b")
        assert moved.bounds("a")[2] == pytest.approx(19, abs=2e-6)

    def test_relations_hold(self) -> None:
        layout = scene((50, 10, 60, 20), (20, 12, 30, 22), (70, 60, 72, 62))
        keep = [Stated("left_of", "a", ("b",), gap=2.0, most=2.0), Stated("between", "c", ("a", "b"))]
        with pytest.raises(InfeasibleError):  # a gap of exactly 2 leaves no room for c in the same row
            legalize(layout, keep=[*keep, Stated("far", "c", ("b",), gap=90.0)])
        moved = layout.moved(legalize(layout, keep=[keep[0]]).moves)
        assert moved.bounds("b")[0] - moved.bounds("a")[2] == pytest.approx(2.0, abs=2e-6)

    def test_what_cannot_be_is_irreducible(self) -> None:
        layout = scene((10, 10, 20, 20), (19, 12, 29, 22), (40, 40, 50, 50))
        keep = [
            Stated("left_of", "a", ("b",)),
            Stated("left_of", "b", ("c",)),
            Stated("left_of", "c", ("a",)),
            Stated("above", "a", ("c",)),
        ]
        with pytest.raises(InfeasibleError) as caught:
            legalize(layout, keep=keep)
        assert set(caught.value.constraints) == {"a left of b", "b left of c", "c left of a"}

    def test_too_wide_for_the_frame(self) -> None:
        layout = scene((0, 0, 70, 80), (10, 0, 60, 80))
        with pytest.raises(InfeasibleError) as caught:
            legalize(layout)
        assert "a and b do not overlap" in " ".join(caught.value.constraints) or "b and a do not overlap" in " ".join(
            caught.value.constraints
        )
        assert len(caught.value.constraints) == 3

    @settings(max_examples=25, deadline=None)
    @given(st.lists(st.tuples(*[st.integers(0, 60)] * 2, *[st.integers(3, 12)] * 2), min_size=2, max_size=7))
    def test_never_an_overlap_and_never_below_the_bound(self, rows: list[tuple[int, int, int, int]]) -> None:
        layout = scene(*[(float(x), float(y), float(x + w), float(y + h)) for x, y, w, h in rows])
        solution = legalize(layout, effort=0.5)
        moved = layout.moved(solution.moves)
        boxes = [box(*moved.bounds(i.name)).buffer(-1e-5) for i in moved]
        assert not any(a.intersects(b) for a, b in combinations(boxes, 2))
        assert solution.bound <= solution.moved + 1e-9
        assert solution.proven == (abs(solution.bound - solution.moved) < 1e-9)
        assert solution == legalize(layout, effort=0.5)

    def test_a_conflict_in_a_crowd_names_only_what_is_stuck(self) -> None:
        boxes = [(float(x), float(y), x + 3.0, y + 3.0) for x in (60, 70, 80) for y in (5, 15, 25)]
        layout = scene((10, 10, 20, 20), (12, 10, 22, 20), *boxes)
        keep = [Stated("left_of", "a", ("b",), gap=95.0)]
        with pytest.raises(InfeasibleError) as caught:
            legalize(layout, keep=keep)
        assert set(caught.value.constraints) == {"a left of b", "a lies within the frame", "b lies within the frame"}

    @pytest.mark.slow
    def test_rigid_shapes_keep_their_exact_size_under_windows(self) -> None:
        rows = [(x * 4.0, y * 4.0, x * 4.0 + 4.5, y * 4.0 + 4.5) for x in range(7) for y in range(7)]
        names = [f"r{i:02}" for i in range(len(rows))]
        layout = Layout(tuple(Item(n, n, box(*b)) for n, b in zip(names, rows, strict=True)), BOARD)
        solution = legalize(layout, effort=0.1)
        moved = layout.moved(solution.moves)
        assert 0 < solution.bound <= solution.moved
        shapes = [moved[n].shape.buffer(-1e-5) for n in names]
        assert not any(a.intersects(b) for a, b in combinations(shapes, 2))
