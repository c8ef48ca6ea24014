"""Counts in groups, directions, colors and texts as they are measured."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirement_layouts import (
    Raw,
    at,
    hand,
    in_scene,
    measured,
    on_paper,
    outcome,
    painted,
    part,
    row,
    said,
    solid,
    told,
)
from shapely import Point, box
from shapely.geometry import GeometryCollection, LineString

from redraft.layout import colors as colours
from redraft.layout.items import Item, Layout, Style
from redraft.layout.requirements import Requirement, kinds


def test_a_part_belongs_to_what_it_is_part_of_lies_on_or_stands_on() -> None:
    planks = [at("shelf_1", 0.5, 0.3, 0.8, 0.02), at("shelf_2", 0.5, 0.6, 0.8, 0.02)]
    books = [at(f"book_{n}", 0.2 * n, 0.24 if n < 3 else 0.54) for n in range(1, 5)]
    assert outcome(on_paper(*planks, *books), said("count", "book_*", each=["shelf_*"], number=2)) == "met"
    lines = [at("line_a", 0.5, 0.5, 0.9, 0.02), at("line_b", 0.5, 0.5, 0.02, 0.9)]
    spots = [part(f"stop_{n}", Point(p).buffer(0.02)) for n, p in enumerate([(0.5, 0.5), (0.2, 0.5), (0.5, 0.8)])]
    assert outcome(on_paper(*lines, *spots), said("count", "stop_*", each=["line_*"], number=2)) == "met"


def test_flowers_that_stick_out_of_a_vase_are_counted_in_it_and_each_once() -> None:
    vases = [at(f"vase_{n}", 0.2 + 0.3 * n, 0.7, 0.12, 0.2) for n in range(3)]
    stems = [at(f"tulip_{n}_{k}", 0.16 + 0.3 * n + 0.04 * k, 0.5, 0.02, 0.36) for n in range(3) for k in range(3)]
    count = said("count", "tulip_*", each=["vase_*"], number=3)
    assert outcome(on_paper(*vases, *stems), count) == "met"
    assert outcome(on_paper(*vases, *stems[1:]), count) == "broken"
    nested = [
        at("ring_1", 0.5, 0.5, 0.6, 0.6),
        at("ring_2", 0.5, 0.5, 0.3, 0.3),
        at("dot_1", 0.5, 0.5),
        at("dot_2", 0.25, 0.5),
    ]
    assert outcome(on_paper(*nested), said("count", "dot_*", each=["ring_*"], number=1)) == "met"


def test_what_lies_on_its_own_whole_does_not_stand_on_the_one_below() -> None:
    upper, lower = at("tray_top", 0.5, 0.3, 0.4, 0.2), at("tray_low", 0.5, 0.51, 0.4, 0.2)
    cups = [at("cup_1", 0.5, 0.36, 0.06, 0.06, "tray_top"), at("cup_2", 0.5, 0.55, 0.06, 0.06, "tray_low")]
    layout = on_paper(upper, lower, *cups)
    assert outcome(layout, said("count", "cup_*", each=["tray_low"], number=1)) == "met"
    assert outcome(layout, said("count", "cup_*", each=["tray_top"], number=1)) == "met"
    loose = on_paper(upper, lower, replace(cups[0], parent=None), cups[1])
    assert outcome(loose, said("count", "cup_*", each=["tray_low"], number=2)) == "met"


@settings(max_examples=50)
@given(st.floats(-180, 180), st.floats(-180, 180))
def test_an_angle_follows_the_turn(degrees: float, wanted: float) -> None:
    found = measured(hand(degrees), said("angle", "hand", degrees=wanted))[0]
    off = abs((degrees - wanted + 180) % 360 - 180)
    assert abs(found.numbers["found"] - found.numbers["expected"]) == pytest.approx(off, abs=0.2)


def test_a_clock_hand_with_a_flat_end_points_along_its_middle() -> None:
    found = measured(hand(40), said("angle", "hand", degrees=40))[0]
    assert found.numbers["found"] == pytest.approx(40, abs=0.01)


def test_a_rectangle_leans_by_its_sides_and_a_compact_part_lies_where_its_center_is() -> None:
    tile = on_paper(at("tile", 0.2, 0.4, 0.1, 0.2))
    assert [outcome(tile, said("angle", "tile", degrees=to)) for to in (0, 90, 63.4)] == ["met", "broken", "broken"]
    cabin = on_paper(at("hook", 0.5, 0.3, 0.02, 0.02), at("cabin", 0.5, 0.4, 0.1, 0.1))
    assert outcome(cabin, said("angle", "cabin", degrees=180, of=["hook"])) == "met"
    assert outcome(cabin, said("angle", "cabin", degrees=190, of=["hook"])) == "broken"


def test_what_rests_on_a_row_and_is_part_of_the_next_one_is_not_counted_in_it() -> None:
    rows = [part(f"row_{n}", GeometryCollection()) for n in (4, 5)]
    low = [replace(at(f"orange_{n}", 0.2 + 0.1 * n, 0.6, 0.1, 0.1), parent="row_5") for n in range(5)]
    high = [replace(at(f"orange_{5 + n}", 0.25 + 0.1 * n, 0.51, 0.1, 0.1), parent="row_4") for n in range(4)]
    layout = on_paper(*rows, *low, *high)
    assert outcome(layout, said("count", "orange_*", each=["row_5"], number=5)) == "met"
    assert outcome(on_paper(*rows, *low[1:], *high), said("count", "orange_*", each=["row_5"], number=5)) == "broken"


def test_color_terms() -> None:
    assert all(colours.known(term) for term in colours.TERMS)
    assert colours.known("#12aBcF")
    assert not colours.known("#12")
    assert not colours.known("grue")
    assert colours.matches("#808000", "olive")
    assert not colours.matches("none", "red")


def test_a_long_part_beside_its_pivot_leans_as_it_is() -> None:
    turn = math.radians(20)
    up = (math.sin(turn) * 0.6, -math.cos(turn) * 0.6)

    def rail(name: str, x: float) -> Item:
        return Item(name, "rail", LineString([(x, 0.8), (x + up[0], 0.8 + up[1])]).buffer(0.01), parent="ladder")

    layout = Layout((Item("ladder", "ladder", GeometryCollection()), rail("rail_1", 0.3), rail("rail_2", 0.45)))
    [leaning] = kinds.measure([Requirement(kind="angle", parts=("rail_*",), degrees=20.0)], layout)
    [upright] = kinds.measure([Requirement(kind="angle", parts=("rail_*",), degrees=0.0)], layout)
    assert (leaning.outcome, upright.outcome) == ("met", "broken")


@pytest.mark.parametrize(
    ("layout", "raw", "words", "deviation"),
    [
        (
            hand(115),
            said("angle", "hand", degrees=110),
            "hand: 110° clockwise from up expected, hand points to 115.0°",
            2.5,
        ),
        (
            hand(115),
            said("angle", "hand", degrees=-10),
            "hand: -10° clockwise from up expected, hand points to 115.0°",
            62.5,
        ),
        (
            hand(355),
            said("angle", "hand", degrees=10, of=["dial"]),
            "hand: 10° clockwise from up expected, hand points to 355.0°",
            7.5,
        ),
        (
            hand(5),
            said("angle", "hand", degrees=350, of=["dial"]),
            "hand: 350° clockwise from up expected, hand points to 5.0°",
            7.5,
        ),
        (
            on_paper(part("pole", box(0.1, 0.48, 0.3, 0.52))),
            said("angle", "pole", degrees=0),
            "pole: 0° clockwise from up expected, pole points to 270.0°",
            45,
        ),
        (
            on_paper(at("ladder", 0.5, 0.5, 0.02, 0.6)),
            said("angle", "ladder", degrees=90),
            "ladder: 90° clockwise from up expected, ladder points to 0.0°",
            45,
        ),
        (
            on_paper(at("stub", 0.5, 0.2, 0.1, 0.3)),
            said("angle", "stub", degrees=90),
            "stub: 90° clockwise from up expected, stub points to 0.0°",
            45,
        ),
        (
            on_paper(at("stub", 0.5, 0.2, 0.1, 0.39)),
            said("angle", "stub", degrees=90),
            "stub: 90° clockwise from up expected, stub points to 0.0°",
            45,
        ),
        (
            on_paper(at("arrow", 0.5, 0.1, 0.4, 0.05)),
            said("angle", "arrow", degrees=90),
            "arrow: 90° clockwise from up expected, arrow points to 90.0°",
            0,
        ),
        (
            painted("#1e1ec8", "#ffffff"),
            said("color", "bus", color="red"),
            "bus: red expected, bus is painted #1e1ec8, #ffffff",
            1e06,
        ),
        (painted(), said("color", "bus", color="red"), "bus: red expected, bus is painted in nothing", 1e06),
        (
            painted("#1e1ec8", "#ffffff", "#000000", "#00ff00", "#ffff00"),
            said("color", "bus", color="red"),
            "bus: red expected, bus is painted #1e1ec8, #ffffff, #000000, #00ff00",
            1e06,
        ),
        (
            on_paper(at("bus", 0.5, 0.5, 0.4, 0.2, style=Style(strokes=("#1e1ec8",)))),
            said("color", "bus", color="red"),
            "bus: red expected, bus is painted #1e1ec8",
            1e06,
        ),
        (
            on_paper(at("bus", 0.5, 0.5, 0.4, 0.2, style=Style(strokes=("#c81e1e",)))),
            said("color", "bus", color="red"),
            "bus: red expected, bus is painted #c81e1e",
            0,
        ),
        (
            on_paper(
                at("bus", 0.5, 0.5, 0.4, 0.2),
                at("side", 0.4, 0.5, 0.2, 0.2, "bus", style=Style(fills=("#1e1ec8",))),
                at("roof", 0.6, 0.5, 0.1, 0.1, "bus", style=Style(fills=("#c81e1e",))),
            ),
            said("color", "bus", color="red"),
            "bus: red expected, bus is painted #c81e1e, #1e1ec8",
            1e06,
        ),
        (
            on_paper(
                at("bus", 0.5, 0.5, 0.4, 0.2),
                at("side", 0.4, 0.5, 0.2, 0.2, "bus", style=Style(fills=("#1e1ec8",))),
                at("roof", 0.6, 0.5, 0.18, 0.1, "bus", style=Style(fills=("#c81e1e",))),
            ),
            said("color", "bus", color="red"),
            "bus: red expected, bus is painted #c81e1e, #1e1ec8",
            0,
        ),
        (
            on_paper(at("sign", 0.5, 0.5, texts=("EXIT", "A", "B", "C", "D"))),
            said("text", "sign", text="12 CITY"),
            'sign: the text "12 CITY" expected, sign shows "EXIT", "A", "B", "C"',
            2,
        ),
        (
            on_paper(at("sign", 0.5, 0.5)),
            said("text", "sign", text="12 CITY"),
            'sign: the text "12 CITY" expected, sign shows no text',
            2,
        ),
        (
            on_paper(at("sign", 0.5, 0.5, texts=("12",)), at("line", 0.5, 0.55, 0.1, 0.05, "sign", texts=("City",))),
            said("text", "sign", text="12 CITY"),
            'sign: the text "12 CITY" expected, sign shows "12", "City"',
            0,
        ),
        (row(0.1), said("count", "tree_*", number=2), "tree_*: 2 expected, there is 1", 2),
        (
            on_paper(*row(0.1, 0.3).items, *[at(f"tree_{n}", 1.5, 0.5) for n in range(2, 7)]),
            said("count", "tree_*", number=3),
            "tree_*: 3 expected, there are 2 (tree_2, tree_3, tree_4 cannot be seen)",
            2,
        ),
        (
            on_paper(
                at("shelf_1", 0.3, 0.5, 0.3, 0.3),
                at("shelf_2", 0.7, 0.5, 0.3, 0.3),
                at("b_1", 0.3, 0.5),
                at("b_2", 0.7, 0.5),
                at("b_3", 0.62, 0.5),
            ),
            said("count", "b_*", each=["shelf_*"], number=1),
            "b_* within each of shelf_*: 1 expected, shelf_2 has 2 (b_3, b_2)",
            2,
        ),
    ],
)
def test_what_is_found_is_told_with_how_far_off_it_is(layout: Layout, raw: Raw, words: str, deviation: float) -> None:
    assert told(layout, raw) == (words, pytest.approx(deviation, rel=1e-3))


@pytest.mark.parametrize(("middle", "expected"), [(0.5, "broken"), (1.5, "met")])
def test_boards_above_each_other_are_told_apart_by_height(middle: float, expected: str) -> None:
    boards = [solid(f"board_{n}", 5, 5, n, n + 1.0, 2.0) for n in (0, 1)]
    books = [solid("book_1", 4.8, 5, 0.3, 0.7, 0.2), solid("book_2", 5.2, 5, middle - 0.2, middle + 0.2, 0.2)]
    assert outcome(in_scene(*boards, *books), said("count", "book_*", each=["board_*"], number=1)) == expected


@pytest.mark.parametrize(
    ("x", "y", "held"),
    [(0.5, 0.43, 1), (0.5, 0.2, 0), (0.95, 0.45, 0), (0.05, 0.45, 0), (0.5, 0.48, 1), (0.83, 0.6, 1)],
)
def test_only_what_stands_on_it_or_touches_it_is_on_a_shelf(x: float, y: float, held: int) -> None:
    layout = on_paper(at("shelf_1", 0.5, 0.6, 0.6, 0.2), at("book_1", x, y, 0.08, 0.1))
    assert told(layout, said("count", "book_*", each=["shelf_*"], number=9))[0].endswith(
        ["shelf_1 has 0", "shelf_1 has 1 (book_1)"][held]
    )


@pytest.mark.parametrize("of", [[], ["dial"]])
def test_a_hand_turns_about_the_middle_of_its_dial_wherever_that_is(of: list[str]) -> None:
    layout = on_paper(at("dial", 0.3, 0.7, 0.4, 0.4), part("hand", box(0.3, 0.69, 0.45, 0.71), "dial"))
    found = measured(layout, said("angle", "hand", degrees=90, of=of))[0]
    assert found.numbers["found"] == pytest.approx(90, abs=0.1)
