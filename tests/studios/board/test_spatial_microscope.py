"""The microscope: the specification's fields and numbers, true gaps, what comes first, and what it may cost."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from crowds import SEED_BOARD, crowd, pad
from hypothesis import given
from hypothesis import strategies as st
from parts import board, chip, round_part, two_pads
from shapely.affinity import rotate
from shapely.geometry import box
from token_counts import tokens

from redraft.errors import BriefError
from redraft.layout.items import Bounds, Fixture, Item, Keepout, Layout
from redraft.studios.board.views.facts import Gap, Part, View
from redraft.studios.board.views.microscope import get_json_view, inspect_components, inspect_region
from redraft.text import clean
from redraft.tokens import estimate

LIMIT = 2_000
UNKIND = "\u202eÜ\x00{kind}<&\"'\\\n{n}" + "ж" * 30


def part(view: View, ref: str) -> Part:
    return next(p for p in view.objects if p.ref == ref)


def gap(view: View, a: str, b: str) -> Gap:
    return next(g for g in view.gaps if set(g.between) == {a, b})


def test_a_pad_on_the_other_side_of_its_part_says_so() -> None:
    card = two_pads("J1", 20, 20)
    far = replace(card.ports[1], layer=0)
    view = inspect_components(board(replace(card, ports=(card.ports[0], far))), ["J1"])
    assert {pad.num: pad.layer for pad in part(view, "J1").pads} == {"1": "", "2": "Bottom"}


def test_the_value_is_told_cleaned() -> None:
    view = inspect_components(board(replace(two_pads("C1", 20, 20), value="100nF\n" + UNKIND)), ["C1"])
    assert part(view, "C1").value == clean("100nF\n" + UNKIND, 24)
    assert part(view, "C1").value.startswith("100nF")


class TestTheSpecificationsExample:
    view = inspect_region(SEED_BOARD, 105.0, 50.0, 10.0, 10.0)

    def test_has_its_fields_and_numbers(self) -> None:
        found = json.loads(self.view.text())
        assert found["viewport"] == {"center": [105.0, 50.0], "size": [10.0, 10.0], "units": "mm"}
        assert found["grid_aligned"] is True
        u1, c1 = found["objects"]
        assert u1["ref"] == "U1"
        assert u1["type"] == "IC"
        assert u1["layer"] == "Top"
        assert u1["location"] == [105.0, 50.0]
        assert u1["rotation"] == 0.0
        assert u1["bbox"] == {"min": [102.5, 47.5], "max": [107.5, 52.5]}
        assert {"num": "1", "pos": [103.0, 48.0], "net": "GND"} in u1["pads"]
        assert c1["location"] == [109.0, 50.0]
        assert c1["bbox"] == {"min": [108.5, 49.5], "max": [109.5, 50.5]}
        assert found["gaps"] == [{"between": ["U1", "C1"], "distance": 1.0, "vector": [1.0, 0.0]}]

    def test_the_box_between_corners_is_the_same_as_data(self) -> None:
        assert get_json_view(SEED_BOARD, (100.0, 45.0, 110.0, 55.0)) == json.loads(self.view.text())

    def test_around_parts_the_padding_is_added(self) -> None:
        view = inspect_components(SEED_BOARD, ["U1", "C1"], padding=5.0)
        assert view.viewport.center == (106.0, 50.0)
        assert view.viewport.size == (17.0, 15.0)
        assert inspect_components(SEED_BOARD, ["U1", "C1"]) == view

    def test_a_window_off_the_grid_says_so(self) -> None:
        assert not inspect_region(SEED_BOARD, 105.03, 50.0, 10.0, 10.0).grid_aligned

    def test_text_reads_back(self) -> None:
        assert View.model_validate_json(self.view.text()) == self.view


class TestGaps:
    def test_shapes_and_boxes_differ_where_parts_are_round(self) -> None:
        view = inspect_components(board(round_part("A", 10, 10, 2), round_part("B", 16, 14, 1)), ["A", "B"])
        found = gap(view, "A", "B")
        assert found.distance == pytest.approx(math.hypot(3, 1), abs=1e-6)
        assert found.true_distance == pytest.approx(math.hypot(6, 4) - 3, abs=0.01)
        assert found.true_vector == pytest.approx((6 / math.hypot(6, 4), 4 / math.hypot(6, 4)), abs=0.01)

    def test_a_turned_part_is_measured_by_its_shape(self) -> None:
        turned = replace(chip("B", 20, 10, 4, 4, courtyard=0), rotation=45.0)
        turned = replace(turned, shape=rotate(turned.shape, 45))
        view = inspect_components(board(chip("A", 10, 10, 4, 4, courtyard=0), turned), ["A", "B"])
        assert gap(view, "A", "B").distance == pytest.approx(10 - 2 - 2 * math.sqrt(2), abs=1e-6)

    def test_overlaps_have_a_depth(self) -> None:
        view = inspect_components(board(chip("A", 10, 10, 4, 4), chip("B", 14, 10, 4, 4)), ["A", "B"])
        assert gap(view, "A", "B").overlap == 0.5
        assert gap(view, "A", "B").distance == 0.0

    def test_touching_is_no_overlap(self) -> None:
        view = inspect_components(board(chip("A", 10, 10, 4, 4), chip("B", 14.5, 10, 4, 4)), ["A", "B"])
        assert gap(view, "A", "B").overlap == 0.0

    def test_parts_on_two_sides_do_not_collide(self) -> None:
        view = inspect_components(board(chip("A", 10, 10, 4, 4), chip("B", 11, 10, 4, 4, side=0)), ["A", "B"])
        assert gap(view, "A", "B").other_side
        assert gap(view, "A", "B").overlap == 0.0

    def test_unless_one_goes_through(self) -> None:
        view = inspect_components(board(round_part("A", 10, 10, 2), chip("B", 11, 10, 4, 4, side=0)), ["A", "B"])
        assert not gap(view, "A", "B").other_side
        assert gap(view, "A", "B").overlap > 0

    def test_the_edge_of_the_board_is_a_neighbour(self) -> None:
        found = gap(inspect_components(board(chip("A", 10, 30, 4, 4)), ["A"]), "A", "board edge")
        assert found.distance == 7.75
        assert found.vector == (-1.0, 0.0)

    def test_sticking_out_has_a_depth(self) -> None:
        found = gap(inspect_components(board(chip("A", 1, 30, 4, 4)), ["A"]), "A", "board edge")
        assert found.overlap == 1.25

    def test_all_pairs_of_named_parts_and_their_neighbours(self) -> None:
        layout = board(*(chip(f"U{i}", 10 + 6 * i, 10, 4, 4) for i in range(4)), chip("C9", 13, 15, 1, 1))
        found = {frozenset(g.between) for g in inspect_components(layout, ["U0", "U1", "U2"]).gaps}
        assert {frozenset(p) for p in (("U0", "U1"), ("U0", "U2"), ("U1", "U2"))} <= found
        assert frozenset(("U2", "U3")) in found
        assert frozenset(("U0", "C9")) in found


class TestWhatIsTold:
    def test_everything_in_the_window_not_only_what_was_named(self) -> None:
        view = inspect_components(board(chip("U1", 20, 20, 4, 4), chip("X9", 25, 20, 2, 2)), ["U1"])
        assert [p.ref for p in view.objects] == ["U1", "X9"]

    def test_nothing_outside_it(self) -> None:
        view = inspect_components(board(chip("U1", 20, 20, 4, 4), chip("X9", 60, 20, 2, 2)), ["U1"])
        assert [p.ref for p in view.objects] == ["U1"]

    def test_the_pad_that_was_asked_for_comes_first(self) -> None:
        assert part(inspect_components(SEED_BOARD, ["U1.3"]), "U1").pads[0].num == "3"

    def test_pin_one_and_the_pads_that_face_and_share_come_first(self) -> None:
        row = [pad(str(k + 1), 10 + k, 10, "SIG" if k == 13 else f"N{k}") for k in range(40)]
        long = Item("U1", "IC", box(9, 9, 50, 11), layer=1, ports=tuple(row))
        view = inspect_components(board(long, two_pads("C1", 30, 14, ("SIG", "N0"))), ["U1", "C1"])
        names = [p.num for p in part(view, "U1").pads]
        assert names[0] == "1"
        assert {"14", "40"} <= set(names)
        assert set(names) & {"20", "21", "22"}  # next to C1, which is over x = 30
        assert part(view, "U1").pad_count == 40

    def test_origin_body_and_lock_where_they_say_something(self) -> None:
        layout = board(two_pads("C1", 20, 20), locked=["C1"])
        found = part(inspect_components(layout, ["C1"]), "C1")
        assert found.locked
        assert found.origin is None
        assert found.body is not None
        assert found.body.min == (19.0, 19.5)
        assert found.location == (20.0, 20.0)

    def test_the_location_is_the_middle_of_the_box_and_not_the_origin(self) -> None:
        header = replace(two_pads("J1", 20, 20), origin=(19.3, 20.0))  # at pin 1, as headers have it
        found = part(inspect_components(board(header), ["J1"]), "J1")
        assert found.location == (20.0, 20.0)
        assert found.origin == (19.3, 20.0)
        assert found.data()["location"] == [20.0, 20.0]

    def test_what_else_is_in_the_window(self) -> None:
        tracks = [Fixture("track", box(0, 0, 1, 1), "F.Cu", f"N{k % 7}") for k in range(30)]
        keepout = Keepout("antenna", box(18, 18, 19, 19), (1,))

        def within(window: Bounds) -> list[Fixture]:
            assert window[2] > window[0]
            return tracks

        layout = replace(board(chip("U1", 20, 20, 4, 4), keepouts=[keepout]), fixtures=within)
        view = inspect_components(layout, ["U1"])
        assert view.fixtures is not None
        assert view.fixtures.kinds == {"track": 30}
        assert view.fixtures.more_nets == 3
        assert view.keepouts[0].layers == ("Top",)

    def test_what_is_left_out_is_counted(self) -> None:
        keepouts = [Keepout(f"k{n}", box(18, 18, 19, 19), (1,)) for n in range(6)]
        parts = [chip(f"U{n}", 20 + 6 * n, 20, 4, 4) for n in range(1, 13)]
        off = [two_pads(f"C{n}", -5 - 3 * n, 20) for n in range(2, 180, 2)]
        named = inspect_components(board(*parts), [f"U{n}" for n in range(1, 13)])
        assert named.gaps_left_out > 0
        described = {part.ref for part in named.objects}
        told = {frozenset(gap.between) for gap in named.gaps if set(gap.between) <= described}
        assert len(told) + named.gaps_left_out == len(described) * (len(described) - 1) // 2
        view = inspect_components(board(*parts[:1], keepouts=keepouts), ["U1"])
        assert (len(view.keepouts), view.keepouts_left_out, view.gaps_left_out, view.unplaced_count) == (4, 2, 0, 0)
        beside = inspect_region(board(*off), -250, 20, 600, 20)
        assert 0 < len(beside.unplaced) < beside.unplaced_count == len(off)

    def test_parts_outside_the_board_are_not_placed(self) -> None:
        assert inspect_components(board(chip("U1", -20, 20, 4, 4)), ["U1"]).unplaced == ("U1",)

    def test_nanometres_without_noise(self) -> None:
        found = inspect_components(board(chip("U1", 0.1 + 0.2, 20.123456, 4, 4, courtyard=0)), ["U1"])
        assert found.objects[0].bbox.min == (-1.7, 18.123456)
        assert "0000000" not in found.text()


class TestDrawings:
    head = Item("head", "head", box(0.3, 0.3, 0.7, 0.7))
    eye = Item("left_eye", "eye", box(0.4, 0.4, 0.45, 0.45), parent="head")
    other = Item("right_eye", "eye", box(0.55, 0.4, 0.6, 0.45), parent="head")
    layout = Layout((head, eye, other))

    def test_parts_are_told_where_the_window_holds_few_things(self) -> None:
        view = inspect_region(self.layout, 0.5, 0.5, 1.0, 1.0)
        assert view.viewport.units == "canvas"
        assert {p.ref for p in view.objects} == {"head", "left_eye", "right_eye"}
        assert part(view, "left_eye").parent == "head"

    def test_a_thing_has_no_gap_to_its_own_parts(self) -> None:
        pairs = {frozenset(g.between) for g in inspect_components(self.layout, ["left_eye"], 0.2).gaps}
        assert pairs == {frozenset(("left_eye", "right_eye"))}

    def test_the_padding_suits_a_canvas(self) -> None:
        assert inspect_components(self.layout, ["head"]).viewport.size == (0.5, 0.5)


class TestBudget:
    @pytest.mark.parametrize("count", [1, 2, 7, 30, 200, pytest.param(1000, marks=pytest.mark.slow)])
    @pytest.mark.parametrize("names", ["{kind}{n}", UNKIND])
    def test_no_window_costs_two_thousand_tokens(self, count: int, names: str) -> None:
        layout = crowd(count, names=names)
        x0, y0, x1, y1 = layout.frame.bounds
        refs = [item.name for item in layout]
        views = [
            inspect_region(layout, (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0),
            inspect_region(layout, x0, y0, 12.0, 12.0),
            inspect_components(layout, refs[:1]),
            inspect_components(layout, refs[:40], padding=1.0),
            inspect_components(layout, refs, padding=0.0),
        ]
        for view in views:
            assert tokens(view.text()) < LIMIT
            assert tokens(view.text()) <= estimate(view.text())

    @pytest.mark.slow
    def test_ten_thousand_parts(self) -> None:
        layout = crowd(10_000)
        view = inspect_region(layout, 400.0, 350.0, 700.0, 700.0)
        assert tokens(view.text()) < LIMIT
        assert len(view.objects) + len(view.also) + (view.left_out.count if view.left_out else 0) == 10_000

    @pytest.mark.parametrize("count", [3, 60, 400])
    def test_nothing_is_dropped_unsaid(self, count: int) -> None:
        layout = crowd(count)
        x0, y0, x1, y1 = layout.frame.bounds
        view = inspect_region(layout, (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)
        told = [p.ref for p in view.objects] + [a.ref for a in view.also]
        assert len(set(told)) == len(told)
        assert len(told) + (view.left_out.count if view.left_out else 0) == count
        assert (view.left_out is not None) == (count > 20)

    def test_what_is_told_shortly_has_its_side_in_a_window_of_two(self) -> None:
        layout = crowd(60)
        x0, y0, x1, y1 = layout.frame.bounds
        window = ((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)
        one_sided = Layout(tuple(replace(item, layer=0, ports=()) for item in layout.items), layout.frame)
        assert {also.layer for also in inspect_region(one_sided, *window).also} == {""}
        sides = {item.name: i % 2 for i, item in enumerate(layout.items)}
        both = Layout(tuple(replace(i, layer=sides[i.name], ports=()) for i in layout.items), layout.frame)
        view = inspect_region(both, *window)
        assert view.also
        assert all(also.layer == both.frame.layers[sides[also.ref]] for also in view.also)

    def test_the_budget_is_used(self) -> None:
        layout = crowd(400)
        assert tokens(inspect_components(layout, [item.name for item in layout][:10]).text()) > 1_400

    def test_the_same_window_is_the_same_text(self) -> None:
        one, other = (inspect_components(layout, [layout.items[7].name]) for layout in (crowd(90), crowd(90)))
        assert one.text() == other.text()

    @given(st.text(max_size=300))
    def test_text_is_never_counted_too_low(self, text: str) -> None:
        line = clean(text, 200)
        assert tokens(line) <= estimate(line)

    @given(st.text(max_size=500), st.integers(1, 60))
    def test_untrusted_text_becomes_one_short_line(self, text: str, limit: int) -> None:
        line = clean(text, limit)
        assert len(line) <= limit
        assert line.isprintable()
        assert line.encode().decode() == line


class TestBadInput:
    def test_an_unknown_part_names_those_that_are_close(self) -> None:
        with pytest.raises(BriefError, match=r"no item 'U11'; did you mean U1"):
            inspect_components(SEED_BOARD, ["U11"])

    def test_an_unknown_pad_names_those_that_are_there(self) -> None:
        with pytest.raises(BriefError, match=r"U1 has no pad '9'; its pads are 1, 2, 3, 4"):
            inspect_components(SEED_BOARD, ["U1.9"])

    @pytest.mark.parametrize("size", [(0.0, 1.0), (-1.0, 1.0), (math.nan, 1.0), (math.inf, 1.0)])
    def test_a_window_needs_a_size(self, size: tuple[float, float]) -> None:
        with pytest.raises(BriefError, match="above 0"):
            inspect_region(SEED_BOARD, 0.0, 0.0, *size)

    def test_a_padding_is_no_less_than_nothing(self) -> None:
        with pytest.raises(BriefError, match="0 or more; got -1"):
            inspect_components(SEED_BOARD, ["U1"], padding=-1.0)

    def test_at_least_one_part(self) -> None:
        with pytest.raises(BriefError, match="at least one"):
            inspect_components(SEED_BOARD, [])

    def test_an_empty_layout_has_an_empty_window(self) -> None:
        assert inspect_region(board(), 5.0, 5.0, 2.0, 2.0).objects == ()
