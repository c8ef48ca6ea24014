"""Relations of parts as they are measured: sides, inside, on, between, in front of, touches."""

from __future__ import annotations

import pytest
from requirement_layouts import ROOM, Raw, at, on_paper, outcome, part, row, said, stack, told
from shapely import box, unary_union
from shapely.geometry import GeometryCollection, Polygon

from redraft.layout.items import Layout


@pytest.mark.parametrize(("top", "expected"), [(0.5, "met"), (0.42, "met"), (0.25, "broken")])
def test_two_people_are_under_the_one_umbrella_that_they_hold(top: float, expected: str) -> None:
    canopy = Polygon([(0.2, 0.45), (0.25, 0.3), (0.5, 0.2), (0.75, 0.3), (0.8, 0.45)])
    umbrella = part("umbrella", unary_union([canopy, box(0.495, 0.3, 0.505, 0.7)]))
    people = [part(f"person_{side}", box(x, top, x + 0.2, 0.95)) for side, x in (("left", 0.22), ("right", 0.58))]
    below = said("relation", "person_*", relation="below", of=["umbrella"])
    assert outcome(on_paper(umbrella, *people), below) == expected


def test_below_a_bridge_is_between_its_pillars() -> None:
    bridge = unary_union([box(0.1, 0.3, 0.9, 0.4), box(0.1, 0.4, 0.2, 0.8), box(0.8, 0.4, 0.9, 0.8)])
    layout = on_paper(part("bridge", bridge), at("car", 0.5, 0.7, 0.3, 0.15))
    assert outcome(layout, said("relation", "car", relation="below", of=["bridge"])) == "met"


def test_a_flower_in_a_vase_sticks_out_and_a_pile_lies_on_itself() -> None:
    vase, flower = at("vase", 0.5, 0.8, 0.2, 0.2), at("flower", 0.5, 0.5, 0.05, 0.6)
    raw = said("relation", "flower", relation="inside", of=["vase"])
    assert outcome(on_paper(flower, vase), raw) == "met"
    assert outcome(on_paper(at("flower", 0.5, 0.4, 0.05, 0.6), vase), raw) == "broken"
    apples = [at("apple_1", 0.45, 0.75), at("apple_2", 0.55, 0.75), at("apple_3", 0.5, 0.65)]
    assert outcome(on_paper(vase, *apples), said("relation", "apple_*", relation="inside", of=["vase"])) == "met"


def test_a_bench_that_is_part_of_its_shelter_is_measured_against_the_rest_of_it() -> None:
    shelter = at("shelter", 0.5, 0.5, 0.4, 0.4)
    raw = said("relation", "bench", relation="inside", of=["shelter"])
    assert outcome(on_paper(shelter, at("bench", 0.5, 0.6, parent="shelter")), raw) == "met"
    assert outcome(on_paper(shelter, at("bench", 0.9, 0.6, parent="shelter")), raw) == "broken"


def rel(part: str, relation: str, *of: str) -> Raw:
    return said("relation", part, relation=relation, of=list(of))


@pytest.mark.parametrize(
    ("layout", "raw", "words", "deviation"),
    [
        (
            row(0.3, 0.1),
            rel("tree_0", "left_of", "tree_1"),
            "tree_0: to the left of tree_1 expected, tree_0 has to be 0.2 farther to the left",
            40,
        ),
        (
            row(0.1, 0.3),
            rel("tree_0", "left_of", "tree_1"),
            "tree_0: to the left of tree_1 expected, tree_0 is farther to the left",
            0,
        ),
        (
            row(0.1, 0.12),
            rel("tree_0", "left_of", "tree_1"),
            "tree_0: to the left of tree_1 expected, tree_0 has to be 0.03 farther to the left",
            6,
        ),
        (
            row(0.1, 0.3, 0.5),
            rel("tree_0", "right_of", "tree_1", "tree_2"),
            "tree_0: to the right of tree_1, tree_2 expected, tree_0 has to be 0.3 farther to the right",
            60,
        ),
        (
            row(0.3, 0.1, 0.5),
            rel("tree_0", "right_of", "tree_1", "tree_2"),
            "tree_0: to the right of tree_1, tree_2 expected, tree_0 has to be 0.05 farther to the right",
            10,
        ),
        (stack(0), rel("table", "above", "bowl"), "table: above bowl expected, table has to be 0.1 farther up", 20),
        (stack(0), rel("bowl", "beside", "table"), "bowl: beside table expected, bowl is not beside it", 20),
        (
            row(0.01),
            rel("tree_0", "inside", "canvas"),
            "tree_0: inside canvas expected, tree_0 reaches 0.04 over the edge",
            4,
        ),
        (
            row(0.7, y=1.0),
            rel("tree_0", "inside", "canvas"),
            "tree_0: inside canvas expected, tree_0 reaches 0.05 over the edge",
            5,
        ),
        (
            on_paper(at("box", 0.5, 0.5, 0.4, 0.4), at("toy", 0.7, 0.5, 0.2)),
            rel("toy", "inside", "box"),
            "toy: inside box expected, 50% of toy is inside",
            1e06,
        ),
        (
            on_paper(at("p_1", 0.3, 0.5), at("p_2", 0.7, 0.5), at("cat", 0.5, 0.5)),
            rel("cat", "inside", "p_*"),
            "cat: inside p_* expected, 100% of cat is inside",
            0,
        ),
        (
            on_paper(at("box", 0.5, 0.5, 0.4, 0.4), at("toy", 0.5, 0.3, 0.2, 0.2)),
            rel("toy", "inside", "box"),
            "toy: inside box expected, 100% of toy is inside",
            0,
        ),
        (stack(0.1), rel("bowl", "on", "table"), "bowl: on table expected, bowl is 0.1 away from table", 3.333),
        (
            on_paper(at("table", 0.4, 0.7, 0.2, 0.1), at("bowl", 0.8, 0.6, 0.2, 0.1)),
            rel("bowl", "on", "table"),
            "bowl: on table expected, bowl is 0.2 away from table",
            10,
        ),
        (stack(0.02), rel("bowl", "on", "table"), "bowl: on table expected, bowl is 0.02 off", 0.6667),
        (stack(-0.2), rel("bowl", "on", "table"), "bowl: on table expected, bowl is below the top of table", 6.667),
        (
            on_paper(at("table", 0.5, 0.3, 0.6, 0.2), at("foot", 0.5, 0.45, 0.1, 0.1)),
            rel("foot", "on", "table"),
            "foot: on table expected, foot is below the top of table",
            10,
        ),
        (
            row(0.1, 0.3, 0.5),
            rel("tree_2", "between", "tree_0", "tree_1"),
            "tree_2: between tree_0, tree_1 expected, tree_2 is 0.2 outside",
            40,
        ),
        (
            row(0.1, 0.3, 0.2),
            rel("tree_2", "between", "tree_0", "tree_1"),
            "tree_2: between tree_0, tree_1 expected, tree_2 is between them",
            0,
        ),
        (
            on_paper(at("a", 0.1, 0.1), at("b", 0.2, 0.7), at("c", 0.9, 0.8)),
            rel("c", "between", "a", "b"),
            "c: between a, b expected, c is 0.1 outside",
            20,
        ),
        (
            row(0.5, 0.55),
            rel("tree_0", "in_front_of", "tree_1"),
            "tree_0: in front of tree_1 expected, tree_0 is behind tree_1",
            1e06,
        ),
        (
            row(0.5, 0.55),
            rel("tree_1", "behind", "tree_0"),
            "tree_1: behind tree_0 expected, tree_1 is in front of tree_0",
            1e06,
        ),
        (
            row(0.1, 0.55),
            rel("tree_1", "behind", "tree_0"),
            "tree_1: behind tree_0 expected, tree_1 overlaps none of them",
            0,
        ),
        (
            stack(0.02),
            rel("bowl", "touches", "table"),
            "bowl: touching table expected, bowl is 0.02 away from table",
            2,
        ),
        (
            stack(0.005),
            rel("bowl", "touches", "table"),
            "bowl: touching table expected, bowl is 0.005 away from table",
            0.5,
        ),
        (
            row(0.1, 0.2, 0.4),
            rel("tree_0", "touches", "tree_1", "tree_2"),
            "tree_0: touching tree_1, tree_2 expected, tree_0 is 0.2 away from tree_2",
            20,
        ),
        (
            row(0.1),
            rel("tree_0", "touches", "canvas"),
            "tree_0: touching canvas expected, tree_0 is 0.05 away from canvas",
            5,
        ),
    ],
)
def test_what_is_found_is_told_with_how_far_off_it_is(layout: Layout, raw: Raw, words: str, deviation: float) -> None:
    assert told(layout, raw) == (words, pytest.approx(deviation, rel=1e-3))


@pytest.mark.parametrize(
    ("layout", "raw", "words", "deviation"),
    [
        (ROOM, rel("cup", "on", "table"), "cup: on table expected, cup is 0 off table", 0),
        (ROOM, rel("lamp", "on", "table"), "lamp: on table expected, lamp is 0.7 off table", 28),
        (ROOM, rel("chair", "on", "table"), "chair: on table expected, chair is 1.5 off table", 30),
        (ROOM, rel("lamp", "below", "table"), "lamp: below table expected, lamp has to be 1.35 farther down", 54),
        (ROOM, rel("cup", "above", "lamp"), "cup: above lamp expected, cup has to be 0.9 farther up", 36),
        (
            ROOM,
            rel("chair", "behind", "table"),
            "chair: behind table expected, chair has to be 3 farther to the back",
            120,
        ),
        (
            ROOM,
            rel("table", "in_front_of", "chair"),
            "table: in front of chair expected, table has to be 3 farther to the front",
            120,
        ),
        (ROOM, rel("lamp", "beside", "table"), "lamp: beside table expected, lamp is not beside it", 10),
        (ROOM, rel("pole", "beside", "table"), "pole: beside table expected, pole is farther to the right", 0),
        (ROOM, rel("cup", "between", "table", "lamp"), "cup: between table, lamp expected, cup is between them", 0),
        (
            ROOM,
            rel("chair", "between", "table", "lamp"),
            "chair: between table, lamp expected, chair is between them",
            0,
        ),
        (ROOM, rel("cup", "inside", "table"), "cup: inside table expected, 100% of cup is inside", 0),
        (ROOM, rel("lamp", "inside", "table"), "lamp: inside table expected, 0% of lamp is inside", 1e06),
        (ROOM, rel("lamp", "touches", "table"), "lamp: touching table expected, lamp is 0.7 away from table", 14),
    ],
)
def test_so_it_is_in_a_scene(layout: Layout, raw: Raw, words: str, deviation: float) -> None:
    assert told(layout, raw) == (words, pytest.approx(deviation, rel=1e-3))


@pytest.mark.parametrize(("right", "expected"), [(0.57, "broken"), (0.61, "met")])
def test_below_is_where_most_of_the_width_has_ink_above_it(right: float, expected: str) -> None:
    """A shelf over a part of the sofa, with a leg beside it; where nothing is above or below, nothing is compared."""
    shelf = unary_union([box(0.1, 0.2, right, 0.25), box(0.1, 0.25, 0.15, 0.9)])
    layout = on_paper(part("shelf", shelf), part("sofa", box(0.3, 0.4, 0.8, 0.7)))
    assert outcome(layout, rel("sofa", "below", "shelf")) == expected


def test_a_coin_on_a_thin_shelf_may_reach_below_it() -> None:
    shelf = part("shelf", box(0.1, 0.69, 0.9, 0.7))
    assert outcome(on_paper(shelf, at("coin", 0.5, 0.705, 0.02, 0.02)), rel("coin", "on", "shelf")) == "met"
    assert outcome(on_paper(shelf, at("coin", 0.5, 0.745, 0.02, 0.02)), rel("coin", "on", "shelf")) == "broken"


@pytest.mark.parametrize(("x", "expected"), [(0.22, "met"), (0.78, "met"), (0.12, "broken"), (0.88, "broken")])
def test_what_hangs_over_the_edge_is_on_it(x: float, expected: str) -> None:
    layout = on_paper(part("table", box(0.25, 0.6, 0.75, 0.7)), at("book", x, 0.55, 0.16))
    assert outcome(layout, rel("book", "on", "table")) == expected


def test_a_part_may_be_behind_its_own_whole() -> None:
    tail = at("tail", 0.75, 0.5, 0.4, 0.1, parent="cat", layer=0)
    layout = Layout((at("cat", 0.5, 0.5, 0.4, 0.4, layer=1), tail))
    assert outcome(layout, rel("tail", "behind", "cat")) == "met"
    assert outcome(layout, rel("tail", "in_front_of", "cat")) == "broken"


def test_a_part_called_canvas_is_that_part() -> None:
    layout = on_paper(at("canvas", 0.5, 0.5, 0.4, 0.4), at("bee", 0.85, 0.5))
    assert outcome(layout, rel("bee", "inside", "canvas")) == "broken"
    assert outcome(layout, rel("bee", "right_of", "canvas")) == "met"
    assert outcome(layout, said("distance", "bee", of=["canvas"], length=0.1, axis="x")) == "met"
    assert outcome(layout, said("distance", "bee", of=["canvas"], length=0.1)) == "met"


def test_a_thing_of_several_parts_is_in_front_by_all_of_them() -> None:
    parts = [at(f"cat_{n}", 0.2 * n, 0.5, 0.2, parent="cat") for n in (1, 2, 3)]
    layout = on_paper(part("wall", box(0.05, 0.3, 0.75, 0.7)), part("cat", GeometryCollection()), *parts)
    assert outcome(layout, rel("cat", "in_front_of", "wall")) == "met"
    assert outcome(layout, rel("cat", "behind", "wall")) == "broken"
