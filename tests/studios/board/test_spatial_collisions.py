"""Collisions on boards and in drawings, and how deep they are."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parts import board, chip, round_part, two_pads
from shapely.affinity import rotate
from shapely.geometry import Point, Polygon, box

from redraft.layout.items import Item, Keepout, Layout, Move
from redraft.studios.board.solve.collisions import EDGE, collisions, depth, new_collisions

SLANT = math.sqrt(0.5)


class TestDepth:
    def test_boxes_by_the_shortest_way(self) -> None:
        assert depth(box(0, 0, 4, 4), box(3, 1, 9, 9)) == pytest.approx(1)

    def test_touching_is_none(self) -> None:
        assert depth(box(0, 0, 4, 4), box(4, 0, 9, 9), 1e-6) == 0
        assert depth(box(0, 0, 4, 4), box(4 - 1e-12, 0, 9, 9), 1e-6) == 0

    def test_a_turned_square_by_its_slanted_side(self) -> None:
        turned = rotate(box(-1, -1, 1, 1), 45)  # its right corner at √2
        # Out along the slant: the corner of the box at (1, 1) lies √2 − 1 within the side x + y = √2.
        assert depth(turned, box(-3, -3, -SLANT / 2, -SLANT / 2)) == pytest.approx(1 - SLANT**2, abs=1e-9)

    def test_a_notch_counts_by_the_way_out_of_it(self) -> None:
        notched = box(0, 0, 10, 10).difference(box(4, 0, 6, 9))
        assert depth(notched, box(4.5, -5, 5.5, 9.2)) == pytest.approx(0.2)

    @given(st.floats(0.1, 3), st.floats(0.1, 3), st.floats(-2, 2), st.floats(-2, 2))
    def test_a_move_so_far_is_enough(self, w: float, h: float, x: float, y: float) -> None:
        a, b = box(-1, -1, 1, 1), box(x - w, y - h, x + w, y + h)
        deep = depth(a, b)
        ways = [(-deep, 0), (deep, 0), (0, -deep), (0, deep)]
        left = [depth(box(-1 + dx, -1 + dy, 1 + dx, 1 + dy), b) for dx, dy in ways]
        assert min(left) <= 1e-9


class TestOnABoard:
    def test_parts_on_one_side_exclude_each_other(self) -> None:
        layout = board(chip("U1", 20, 20, 4, 4), chip("U2", 23, 20, 4, 4), chip("U3", 23, 20, 4, 4, side=0))
        assert collisions(layout, ["U1"]) == {("U1", "U2"): pytest.approx(1.5)}

    def test_a_part_through_the_board_claims_both_sides(self) -> None:
        layout = board(round_part("J1", 20, 20, 3), chip("U3", 23, 20, 4, 4, side=0))
        assert ("J1", "U3") in collisions(layout, ["J1"])

    def test_a_hole_in_a_pad_of_the_other_side(self) -> None:
        hole = replace(round_part("H1", 20, 20, 3), opposite=None)
        near, far = two_pads("C1", 20, 20, side=0), two_pads("C2", 30, 20, side=0)
        assert collisions(board(hole, near, far), ["H1", "C2"]).keys() == {("H1", "C1")}

    @pytest.mark.parametrize("side", [0, 1])
    def test_a_pad_on_the_other_side_of_its_part_meets_the_pads_there(self, side: int) -> None:
        card, there = two_pads("J1", 20, 20), two_pads("C1", 20, 20.7, side=side)
        ports = tuple(replace(port, layer=0) for port in card.ports)
        bare = replace(there, shape=there.ports[0].shape.union(there.ports[1].shape), body=None)
        bare = replace(bare, ports=tuple(replace(port, layer=0) for port in bare.ports))
        small = replace(card, shape=Point(20, 20).buffer(0.1), ports=ports)
        # pads of 0.6 × 0.8 mm, 0.7 mm apart: 0.1 mm in each other; the rooms are apart on either side
        assert collisions(board(small, bare), ["J1"]) == {("J1", "C1"): pytest.approx(0.1)}
        assert collisions(board(replace(small, ports=card.ports), bare), ["J1"]) == {}

    def test_keepouts_by_layer(self) -> None:
        keepouts = (Keepout("antenna", box(10, 10, 20, 20), (1,)),)
        layout = board(chip("U1", 20, 15, 2, 2), chip("U2", 20, 15, 2, 2, side=0), keepouts=keepouts)
        assert collisions(layout, ["U1"]) == {("U1", "antenna"): pytest.approx(1.25)}
        assert collisions(layout, ["U2"]) == {}

    def test_a_keep_out_goes_with_its_part_and_is_in_the_way_of_all_others(self) -> None:
        antenna = Keepout("antenna", box(22, 18, 26, 22), item="U1")
        layout = board(replace(chip("U1", 20, 20, 6, 4), keepouts=(antenna,)), chip("R1", 40, 20, 2, 1))
        assert collisions(layout, ["U1", "R1"]) == {}
        there = layout.moved([Move.shift("U1", 15, 0)])  # the keep-out up to x = 41, the chip up to 38.25
        assert collisions(there, ["U1"]) == {("U1", "R1"): pytest.approx(41 - 38.75)}
        assert collisions(there, ["R1"]) == {("R1", "antenna"): pytest.approx(41 - 38.75)}
        assert collisions(there, ["U1", "R1"]) == {("R1", "antenna"): pytest.approx(41 - 38.75)}
        assert new_collisions(layout, there, ["U1"]).keys() == {("U1", "R1")}

    def test_over_the_edge_and_over_a_hole(self) -> None:
        area = box(0, 0, 100, 80).difference(Point(50, 40).buffer(5))
        layout = board(chip("U1", 99, 40, 4, 4), chip("U2", 50, 40, 1, 1), area=area)
        found = collisions(layout, ["U1", "U2"])
        assert found["U1", EDGE] == pytest.approx(1.25)
        # Its corners, 0.75 mm aside, are the nearest points to the rim of the hole; the circle is a polygon.
        assert found["U2", EDGE] == pytest.approx(5 - 0.75 * math.sqrt(2), abs=0.01)

    def test_many_at_once_find_the_same_as_one_by_one(self) -> None:
        items = [chip(f"R{i}", 5 + (i % 12) * 2.7, 5 + i // 12 * 1.2, 2.4, 1.0) for i in range(60)]
        layout = board(*items)
        together = {frozenset(pair): deep for pair, deep in collisions(layout, [i.name for i in items]).items()}
        single = {frozenset(p): d for item in items for p, d in collisions(layout, [item.name]).items()}
        assert together == pytest.approx(single)
        assert len(together) > 20


class TestNew:
    def test_what_was_no_better_before_is_not_new(self) -> None:
        before = board(chip("U1", 20, 20, 4, 4), chip("U2", 22, 20, 4, 4))
        out = before.moved((Move.shift("U1", -1.0, 0.0),))
        deeper = before.moved((Move.shift("U1", 1.0, 0.0),))
        assert new_collisions(before, out, ["U1"]) == {}
        assert new_collisions(before, deeper, ["U1"]) == {("U1", "U2"): pytest.approx(3.5)}

    def test_a_connector_over_the_edge_may_stay_so(self) -> None:
        before = board(chip("J1", 99, 40, 4, 4))
        assert new_collisions(before, before.moved((Move.shift("J1", 0, 5),)), ["J1"]) == {}
        assert new_collisions(before, before.moved((Move.shift("J1", 0.5, 0),)), ["J1"]).keys() == {("J1", EDGE)}

    def test_parts_off_the_board_are_not_placed_yet(self) -> None:
        before = board(chip("U1", 150, 40, 4, 4))
        assert new_collisions(before, before.moved((Move.shift("U1", 10, 0),)), ["U1"]) == {}
        assert new_collisions(before, before.moved((Move.shift("U1", -51, 0),)), ["U1"]).keys() == {("U1", EDGE)}
        onto = board(chip("U1", 50, 40, 4, 4))
        assert new_collisions(onto, onto.moved((Move.shift("U1", 100, 0),)), ["U1"]).keys() == {("U1", EDGE)}


def test_in_a_drawing_only_what_is_newly_covered() -> None:
    head = Item("head", "head", Point(0.5, 0.5).buffer(0.2))
    eye = Item("eye", "eye", Point(0.45, 0.45).buffer(0.03), parent="head")
    sun = Item("sun", "sun", Polygon([(0.1, 0.1), (0.2, 0.1), (0.15, 0.2)]))
    before = Layout((head, eye, sun))
    assert collisions(before, ["eye"]) == {}  # it is part of what it lies on
    after = before.moved((Move.shift("sun", 0.3, 0.3),))
    assert new_collisions(before, after, ["sun"]).keys() >= {("sun", "head")}
    deeper = after.moved((Move.shift("sun", 0.02, 0.02),))
    assert new_collisions(after, deeper, ["sun"]).keys() <= {("sun", "eye")}
