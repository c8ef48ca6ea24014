"""Distances, sizes, ratios, proportions, spacing, alignment, symmetry and places as they are measured."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirement_layouts import ROOM, Raw, at, bars, in_scene, measured, on_paper, outcome, pair, part, row, said, told
from shapely import box
from shapely.affinity import rotate
from shapely.geometry import Polygon

from redraft.layout.items import Layout, Move
from redraft.layout.requirements import reading


@pytest.mark.parametrize(("x", "wanted"), [(0.5, "met"), (0.503, "inexact"), (0.6, "broken")])
def test_equally_far_needs_no_length(x: float, wanted: str) -> None:
    layout = on_paper(at("door_1", 0.2, 0.5), at("door_2", 0.8, 0.5), at("lamp", x, 0.5))
    assert outcome(layout, said("distance", "lamp", of=["door_*"])) == wanted
    assert outcome(layout, said("distance", "door_*", of=["lamp"])) == wanted


@pytest.mark.parametrize("more", [{"of": ["door_1"]}, {"of": ["door_*"], "limit": "at_least"}])
def test_a_distance_without_length_says_what_is_missing(more: Raw) -> None:
    layout = on_paper(at("door_1", 0.2, 0.5), at("door_2", 0.8, 0.5), at("lamp", 0.5, 0.5))
    assert "length" in reading.statements([said("distance", "lamp", **more)], "", layout).set_aside[0]


@settings(max_examples=50)
@given(st.floats(-0.05, 0.3))
def test_a_distance_follows_the_move(step: float) -> None:
    before = row(0.1, 0.4)
    after = before.moved([Move.shift("tree_1", step, 0.0)])
    raw = said("distance", "tree_0", of=["tree_1"], length=0.1, axis="x")
    was, now = (measured(layout, raw)[0].numbers["found"] for layout in (before, after))
    assert now - was == pytest.approx(step, abs=1e-9)


@pytest.mark.parametrize(
    ("layout", "raw", "words", "deviation"),
    [
        (
            row(0.1, 0.3, 0.55),
            said("distance", "tree_0", of=["tree_1", "tree_2"], length=0.2),
            "tree_0 to tree_1, tree_2: 0.2 expected, tree_0 is 0.1 from tree_1",
            10,
        ),
        (
            row(0.3, y=0.2),
            said("distance", "tree_0", of=["canvas"], length=0.2),
            "tree_0 to canvas: 0.2 expected, tree_0 is 0.15 from canvas",
            5,
        ),
        (
            row(0.3, y=0.2),
            said("distance", "tree_0", of=["canvas"], length=0.3, axis="x"),
            "tree_0 to canvas: 0.3 expected, tree_0 is 0.25 from canvas",
            5,
        ),
        (
            row(0.3, y=0.2),
            said("distance", "tree_0", of=["canvas"], length=0.3, axis="y"),
            "tree_0 to canvas: 0.3 expected, tree_0 is 0.15 from canvas",
            15,
        ),
        (
            row(0.8, y=0.2),
            said("distance", "tree_0", of=["canvas"], length=0.3, axis="x"),
            "tree_0 to canvas: 0.3 expected, tree_0 is 0.15 from canvas",
            15,
        ),
        (
            row(0.3, 0.36),
            said("distance", "tree_0", of=["tree_1"], length=0.1, axis="x"),
            "tree_0 to tree_1: 0.1 expected, tree_0 is -0.04 from tree_1",
            14,
        ),
        (
            row(0.36, 0.3),
            said("distance", "tree_0", of=["tree_1"], length=0.1, axis="x"),
            "tree_0 to tree_1: 0.1 expected, tree_0 is -0.04 from tree_1",
            14,
        ),
        (
            row(0.1, 0.3, 0.55),
            said("distance", "tree_1", of=["tree_0", "tree_2"]),
            "tree_1: equally far from tree_0, tree_2 expected, "
            "tree_1 is 0.1 from tree_0, their mean 0.125; "
            "tree_1 is 0.15 from tree_2, their mean 0.125",
            2.5,
        ),
        (
            row(0.1, 0.3, 0.55, 0.85),
            said("distance", ["tree_0", "tree_3"], of=["tree_1", "tree_2"], axis="x"),
            "tree_0, tree_3: equally far from tree_1, tree_2 expected, "
            "tree_0 is 0.1 from tree_1, their mean 0.15; "
            "tree_3 is 0.2 from tree_2, their mean 0.15",
            5,
        ),
        (
            row(0.5),
            said("size", "tree_0", width=0.2, height=0.1),
            "tree_0: width 0.2, height 0.1 expected, tree_0 is 0.1 wide",
            10,
        ),
        (
            row(0.5),
            said("size", "tree_0", width=0.05, limit="at_most"),
            "tree_0: at most width 0.05 expected, tree_0 is 0.1 wide",
            10,
        ),
        (
            row(0.5),
            said("size", "tree_0", width=0.15, limit="at_least"),
            "tree_0: at least width 0.15 expected, tree_0 is 0.1 wide",
            5,
        ),
        (
            bars(0.2, 0.1, 0.05, 0.4),
            said("ratio", "bar_0", of=["bar_1", "bar_2", "bar_3"], dimension="height", factor=3),
            "bar_0: 3 × the height of bar_1, bar_2, bar_3 expected, bar_0 has 2",
            6.667,
        ),
        (
            bars(0.2, 0.1),
            said("ratio", "bar_0", of=["bar_1"], dimension="area", factor=3),
            "bar_0: 3 × the area of bar_1 expected, bar_0 has 2",
            6.667,
        ),
        (
            bars(0.4, 0.1),
            said("ratio", "bar_0", of=["bar_1"], factor=3),
            "bar_0: 3 × the size of bar_1 expected, bar_0 has 2",
            6.667,
        ),
        (
            bars(0.2, 0.1),
            said("ratio", "bar_0", of=["bar_1"], dimension="width", factor=2, limit="at_least"),
            "bar_0: at least 2 × the width of bar_1 expected, bar_0 has 1",
            50,
        ),
        (
            bars(0.2),
            said("ratio", "bar_0", dimension="aspect", factor=2),
            "bar_0: width 2 × its height expected, bar_0 has 0.5",
            15,
        ),
        (
            bars(0.3, 0.15, 0.2),
            said("proportion", "bar_*", values=[3, 1, 2], dimension="height"),
            "bar_*: height 3:1:2 expected, bar_1 has 1.38 for 1; bar_0 has 2.77 for 3; bar_2 has 1.85 for 2",
            4.167,
        ),
        (
            bars(0.3, 0.15, 0.2),
            said("proportion", "bar_*", values=[1], dimension="height"),
            "bar_*: height all alike expected, bar_0 has 1.38 for 1; bar_1 has 0.692 for 1; bar_2 has 0.923 for 1",
            8.333,
        ),
        (
            bars(0.3, 0.1),
            said("proportion", "bar_*", values=[2, 1], dimension="area"),
            "bar_*: area 2:1 expected, bar_1 has 0.75 for 1; bar_0 has 2.25 for 2",
            5,
        ),
        (
            bars(0.3, 0.1),
            said("proportion", "bar_*", values=[2, 1, 4]),
            "bar_*: size 2:1:4 expected, there are 2 for 3 values",
            2,
        ),
        (
            bars(0.3),
            said("proportion", "bar_*", values=[2, 1, 4]),
            "bar_*: size 2:1:4 expected, there is 1 for 3 values",
            4,
        ),
        (
            bars(0.1, 0.2, 0.2),
            said("proportion", "bar_*", order="increasing", dimension="height"),
            "bar_*: height increasing expected, bar_2 is not larger than bar_1",
            2,
        ),
        (
            bars(0.3, 0.2, 0.25),
            said("proportion", "bar_*", order="decreasing", dimension="height"),
            "bar_*: height decreasing expected, bar_2 is not smaller than bar_1",
            42,
        ),
        (
            row(0.1, 0.3, 0.55),
            said("spacing", "tree_*"),
            "tree_*: equal gaps expected, "
            "the gap from tree_0 to tree_1 is 0.1, their mean 0.125; "
            "the gap from tree_1 to tree_2 is 0.15, their mean 0.125",
            2.5,
        ),
        (
            row(0.1, 0.3, 0.55),
            said("spacing", "tree_*", length=0.1, axis="x"),
            "tree_*: gaps of 0.1 along x expected, tree_1 is 0.15 from tree_2",
            5,
        ),
        (
            row(0.1, 0.3, 0.55),
            said("spacing", "tree_*", length=0.2, limit="at_least"),
            "tree_*: gaps of at least 0.2 expected, tree_0 is 0.1 from tree_1; tree_1 is 0.15 from tree_2",
            16.67,
        ),
        (
            bars(0.1, 0.3, 0.3),
            said("alignment", "bar_*", edge="top"),
            "bar_*: top edges in line expected, bar_0 is 0.1 off",
            8.333,
        ),
        (
            bars(0.1, 0.3, 0.3),
            said("alignment", "bar_*", edge="left"),
            "bar_*: left edges in line expected, bar_0 is 0.2 off; bar_2 is 0.2 off",
            16.67,
        ),
        (
            bars(0.1, 0.3, 0.3),
            said("alignment", "bar_*", edge="column"),
            "bar_*: in a column expected, bar_0 is 0.2 off; bar_2 is 0.2 off",
            16.67,
        ),
        (
            bars(0.1, 0.3, 0.3),
            said("alignment", "bar_*", edge="center_x"),
            "bar_*: centers in a column expected, bar_0 is 0.2 off; bar_2 is 0.2 off",
            16.67,
        ),
        (
            on_paper(at("a_1", 0.1, 0.1), at("a_2", 0.3, 0.2), at("a_3", 0.6, 0.1)),
            said("alignment", "a_*", edge="center_y"),
            "a_*: centers in a row expected, a_2 is 0.1 off",
            8.333,
        ),
        (
            row(0.1, 0.3),
            said("alignment", "tree_*", edge="grid", rows=2, columns=2),
            "tree_*: a grid of 2 rows and 2 columns expected, there are 1 rows and 2 columns",
            4,
        ),
        (
            on_paper(at("a_1", 0.1, 0.1), at("a_2", 0.3, 0.1), at("a_3", 0.1, 0.3)),
            said("alignment", "a_*", edge="grid"),
            "a_*: a grid expected, there are 2 rows and 2 columns, and not all are full",
            2,
        ),
        (
            on_paper(at("a_1", 0.1, 0.1), at("a_2", 0.3, 0.1), at("a_3", 0.1, 0.3), at("a_4", 0.3, 0.3, 0.15)),
            said("alignment", "a_*", edge="grid", columns=2),
            "a_*: a grid of any rows and 2 columns expected, "
            "a_4 is 0.15 wide; "
            "the gap from a_1 to a_2 is 0.1, it should be 0.0875; "
            "the gap from a_3 to a_4 is 0.075, it should be 0.0875",
            5,
        ),
        (
            on_paper(at("a_1", 0.1, 0.2), at("a_2", 0.3, 0.2), at("a_3", 0.27, 0.5), at("a_4", 0.31, 0.5)),
            said("alignment", "a_*", edge="grid"),
            "a_*: a grid expected, there are 2 rows and 2 columns, and not all are full",
            8,
        ),
        (
            row(0.1, 0.3, 0.6),
            said("alignment", "tree_*", edge="grid", rows=1),
            "tree_*: a grid of 1 rows and any columns expected, "
            "the gap from tree_0 to tree_1 is 0.1, it should be 0.15; "
            "the gap from tree_1 to tree_2 is 0.2, it should be 0.15",
            5,
        ),
        (
            row(0.1, 0.3, 0.5),
            said("alignment", "tree_*", edge="grid", length=0.15),
            "tree_*: a grid expected, "
            "the gap from tree_0 to tree_1 is 0.1, it should be 0.15; "
            "the gap from tree_1 to tree_2 is 0.1, it should be 0.15",
            5,
        ),
        (
            pair(0.75),
            said("symmetry", "ear_*", of=["head"]),
            "ear_*: mirrored along x in the middle of head expected, "
            "ear_l is 0.1 off the mirror image of ear_r; "
            "ear_r is 0.1 off the mirror image of ear_l",
            5,
        ),
        (
            on_paper(at("w_1", 0.5, 0.2), at("w_2", 0.5, 0.7)),
            said("symmetry", "w_*", axis="y", of=["canvas"]),
            "w_*: mirrored along y in the middle of canvas expected, "
            "w_1 is 0.1 off the mirror image of w_2; "
            "w_2 is 0.1 off the mirror image of w_1",
            5,
        ),
        (
            on_paper(part("flag", Polygon([(0.2, 0.2), (0.8, 0.5), (0.2, 0.8)]))),
            said("symmetry", "flag"),
            "flag: mirrored along x expected, flag and its mirror image share 33%",
            6.667,
        ),
        (
            on_paper(part("flag", Polygon([(0.2, 0.2), (0.8, 0.5), (0.2, 0.8)]))),
            said("symmetry", "flag", axis="y"),
            "flag: mirrored along y expected, flag and its mirror image share 100%",
            0,
        ),
        (row(0.6), said("place", "tree_0", spot="center"), "tree_0: center expected, tree_0 is 0.1 off the middle", 2),
        (
            row(0.55, y=0.9),
            said("place", "tree_0", spot="bottom_left"),
            "tree_0: bottom left expected, tree_0 is -0.05 from the middle, on that side",
            1e06,
        ),
        (
            row(0.5, y=0.55),
            said("place", "tree_0", spot="bottom"),
            "tree_0: bottom expected, tree_0 is 0.05 from the middle, on that side",
            1e6,
        ),
        (
            on_paper(*(at(f"a_{n}", 0.2 + 0.2 * (n % 3), 0.2 + 0.2 * (n // 3)) for n in range(6))),
            said("alignment", "a_*", edge="grid", rows=3, columns=2),
            "a_*: a grid of 3 rows and 2 columns expected, there are 2 rows and 3 columns",
            12,
        ),
        (
            row(0.55, y=0.9),
            said("place", "tree_0", spot="right"),
            "tree_0: right expected, tree_0 is 0.05 from the middle, on that side",
            1e06,
        ),
        (
            on_paper(at("page", 0.3, 0.3, 0.4, 0.4), at("stamp", 0.45, 0.15)),
            said("place", "stamp", spot="top_left", of=["page"]),
            "stamp: top left of page expected, stamp is -0.15 from the middle, on that side",
            1e06,
        ),
        (row(0.1, 0.3), said("count", "tree_*", number=3), "tree_*: 3 expected, there are 2", 2),
    ],
)
def test_what_is_found_is_told_with_how_far_off_it_is(layout: Layout, raw: Raw, words: str, deviation: float) -> None:
    assert told(layout, raw) == (words, pytest.approx(deviation, rel=1e-3))


@pytest.mark.parametrize(
    ("layout", "raw", "words", "deviation"),
    [
        (
            ROOM,
            said("size", "table", width=1.5, depth=1, height=0.5),
            "table: width 1.5, height 0.5, depth 1 expected, table is 2 deep; table is 2 wide; table is 0.8 high",
            20,
        ),
        (
            ROOM,
            said("place", "chair", spot="top"),
            "chair: top expected, chair is -1 from the middle, on that side",
            1e06,
        ),
        (ROOM, said("place", "chair", spot="center"), "chair: center expected, chair is 3 off the middle", 6),
        (
            ROOM,
            said("place", "lamp", spot="top"),
            "lamp: top expected, lamp is 0.25 from the middle, on that side",
            1e06,
        ),
        (
            ROOM,
            said("place", "lamp", spot="bottom"),
            "lamp: bottom expected, lamp is -0.25 from the middle, on that side",
            1e06,
        ),
        (
            ROOM,
            said("alignment", ["lamp", "table", "cup"], edge="top"),
            "lamp, table, cup: top edges in line expected, lamp is 1.1 off; table is 0.1 off",
            18.33,
        ),
        (
            ROOM,
            said("alignment", ["lamp", "table", "cup"], edge="bottom"),
            "lamp, table, cup: bottom edges in line expected, table is 0.8 off; lamp is 0.7 off",
            13.33,
        ),
        (
            ROOM,
            said("alignment", ["chair", "table"], edge="center_y"),
            "chair, table: centers in a row expected, chair is 1.5 off; table is 1.5 off",
            25,
        ),
        (
            ROOM,
            said("distance", "lamp", of=["table"], length=0.1),
            "lamp to table: 0.1 expected, lamp is 0.7 from table",
            12,
        ),
        (
            ROOM,
            said("distance", "lamp", of=["table"], length=0.1, axis="z"),
            "lamp to table: 0.1 expected, lamp is 0.7 from table",
            12,
        ),
        (
            ROOM,
            said("distance", "chair", of=["table"], length=0.1, axis="y"),
            "chair to table: 0.1 expected, chair is 1.5 from table",
            28,
        ),
        (
            ROOM,
            said("spacing", ["cup", "lamp"], length=0.1),
            "cup, lamp: gaps of 0.1 expected, cup is 0.6 from lamp",
            10,
        ),
        (
            ROOM,
            said("symmetry", ["lamp", "chair"], axis="y", of=["table"]),
            "lamp, chair: mirrored along y in the middle of table expected, chair is 3.25 off the mirror image of lamp",
            32.5,
        ),
        (
            ROOM,
            said("symmetry", ["pole", "chair"], of=["table"]),
            "pole, chair: mirrored along x in the middle of table expected, pole is 4.4 off the mirror image of chair",
            44,
        ),
        (
            ROOM,
            said("proportion", ["chair", "table", "pole"], order="increasing", dimension="depth"),
            "chair, table, pole: depth increasing expected, pole is not larger than table",
            182,
        ),
        (
            ROOM,
            said("ratio", "pole", of=["table"], dimension="height", factor=2),
            "pole: 2 × the height of table expected, pole has 3.75",
            17.5,
        ),
    ],
)
def test_so_it_is_in_a_scene(layout: Layout, raw: Raw, words: str, deviation: float) -> None:
    assert told(layout, raw) == (words, pytest.approx(deviation, rel=1e-3))


@pytest.mark.parametrize(
    ("y", "spot", "expected"),
    [(0.7, "center", "broken"), (0.61, "bottom", "met"), (0.59, "bottom", "broken"), (0.39, "top", "met")],
)
def test_a_spot_is_of_the_height_too(y: float, spot: str, expected: str) -> None:
    assert outcome(row(0.5, y=y), said("place", "tree_0", spot=spot)) == expected


@pytest.mark.parametrize("turn", [0, 20, -30, 70])
def test_a_turned_thing_of_a_scene_keeps_its_size(turn: float) -> None:
    step = rotate(box(4.0, 4.0, 4.8, 4.28), turn)
    layout = in_scene(part("step", step, height=(0.0, 0.18)))
    across, deep = (0.8, 0.28) if abs(turn) < 45 else (0.28, 0.8)
    assert outcome(layout, said("size", "step", width=across, depth=deep, height=0.18)) == "met"
    assert outcome(layout, said("size", "step", width=1.3 * across)) == "broken"
    flat = on_paper(part("step", rotate(box(0.4, 0.4, 0.8, 0.5), 60)))
    assert outcome(flat, said("size", "step", width=0.4)) == "broken"
