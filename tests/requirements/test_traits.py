"""Counts in groups, directions, colors and texts as they are measured."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirement_layouts import (
    at,
    hand,
    measured,
    on_paper,
    outcome,
    part,
    said,
)
from shapely import Point
from shapely.geometry import GeometryCollection, LineString

from redraft import colors as colours
from redraft.layout import Item, Layout
from redraft.requirements import Requirement, kinds


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
