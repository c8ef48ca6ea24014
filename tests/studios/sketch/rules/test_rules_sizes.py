"""Ratios: which of two things is the larger one, what the hint does to which, and what has no area."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from redraft.layout.items import Item, Layout
from redraft.result import Heuristics, Issue
from redraft.studios.sketch.rules import SemanticValidator


def ratios(*items: Item, mode: Heuristics = "strict") -> list[Issue]:
    issues = SemanticValidator(heuristics=mode).validate(Layout(items)).issues
    return [i for i in issues if i.code in ("ratio.part", "ratio.objects")]


CART = Item("cart", "cart", box(0.4, 0.52, 0.45, 0.57))
LOAD = Item("load", "load", box(0.3, 0.1, 0.9, 0.55), "cart", layer=1)
HOUSE = Item("house", "house", box(0.1, 0.1, 0.8, 0.8))


@pytest.mark.parametrize("mode", ["strict", "default"])
def test_a_part_larger_than_its_whole_should_be_smaller(mode: Heuristics) -> None:
    (issue,) = ratios(CART, LOAD, mode=mode)
    assert issue.message == "load has 108 times the area of cart"
    assert issue.subjects == ("load", "cart")
    assert issue.hint == "make load 8 % smaller"


@pytest.mark.parametrize("mode", ["strict", "default"])
@pytest.mark.parametrize("x", [0.5, 0.8], ids=["on the house", "beside it"])
def test_a_part_too_small_to_see_should_be_larger(mode: Heuristics, x: float) -> None:
    handle = Item("handle", "handle", box(x, 0.5, x + 0.005, 0.505), "house", layer=1)
    (issue,) = ratios(HOUSE, handle, mode=mode)
    assert issue.message == "house has 19600 times the area of handle"
    assert issue.hint == "make handle 1370 % larger"


@pytest.mark.parametrize("mode", ["strict", "default"])
def test_the_smaller_of_two_objects_should_be_larger(mode: Heuristics) -> None:
    piano = Item("piano", "piano", box(0.84, 0.5, 0.89, 0.59))
    (issue,) = ratios(HOUSE, piano, mode=mode)
    assert issue.message == "house has 109 times the area of piano"
    assert issue.subjects == ("piano", "house")
    assert issue.hint == "make piano 10 % larger"


BODY = box(0.2, 0.3, 0.85, 0.95)
HEAD = box(0.5, 0.262, 0.54, 0.302)


@pytest.mark.parametrize(
    "items",
    [
        (Item("body", "body", BODY), Item("head", "head", HEAD, "body", layer=1)),
        (Item("head", "head", HEAD), Item("body", "body", BODY, "head", layer=1)),
        (
            Item("cat", "cat", Polygon()),
            Item("body", "body", BODY, "cat"),
            Item("head", "head", HEAD, "cat", layer=1),
        ),
    ],
    ids=["head of body", "body of head", "both of cat"],
)
def test_parts_of_one_object_are_components_too(items: tuple[Item, ...]) -> None:
    (issue,) = ratios(*items)
    assert (issue.code, issue.severity) == ("ratio.part", "error")
    assert issue.message == "body has 264 times the area of head"
    assert set(issue.subjects) == {"head", "body"}


def test_a_detail_on_a_larger_part_and_one_of_many_may_be_small() -> None:
    body = Item("body", "body", BODY)
    eye = Item("eye", "eye", box(0.5, 0.4, 0.54, 0.44), "body", layer=1)
    assert ratios(body, eye) == []
    hairs = [Item(f"hair_{k}", "hair", box(0.3 + k / 10, 0.262, 0.34 + k / 10, 0.302), "body") for k in range(4)]
    assert ratios(body, *hairs) == []
    assert len(ratios(body, *hairs[:3])) == 3


def test_a_part_is_held_to_its_own_whole() -> None:
    robot = Item("robot", "robot", box(0.3, 0.4, 0.6, 0.8))
    antenna = Item("antenna", "antenna", box(0.4, 0.2, 0.45, 0.4), "robot")
    bulb = Item("bulb", "bulb", box(0.41, 0.17, 0.44, 0.2), "antenna")
    assert ratios(robot, antenna, bulb) == []
    (issue,) = ratios(robot, replace(bulb, parent="robot"))
    assert issue.message == "robot has 133 times the area of bulb"


FLAT = Polygon([(0.2, 0.5), (0.8, 0.5), (0.5, 0.5)])


@pytest.mark.parametrize("mode", ["strict", "default"])
@pytest.mark.parametrize(
    "shape", [Point(0.5, 0.5), LineString([(0.2, 0.5), (0.8, 0.5)]), FLAT], ids=lambda s: s.geom_type
)
@pytest.mark.parametrize("names", [("whole", "part"), ("part", "whole")])
def test_what_has_no_area_has_no_ratio(mode: Heuristics, shape: BaseGeometry, names: tuple[str, str]) -> None:
    one, other = names
    parents = {"whole": None, "part": "whole"}
    items = (Item(one, one, shape, parents[one]), Item(other, other, box(0.4, 0.4, 0.6, 0.6), parents[other]))
    assert ratios(*items, mode=mode) == []
