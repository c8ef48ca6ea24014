"""Gravity: whose head is above the legs, and what a thing stands on."""

from __future__ import annotations

import pytest
from shapely.geometry import Polygon, box

from redraft.result import Issue
from redraft.spatial.layout import Item, Layout
from redraft.spatial.rules import SemanticValidator


def thing(name: str, label: str, bounds: tuple[float, float, float, float], parent: str | None = None) -> Item:
    return Item(name, label, box(*bounds), parent)


def found(code: str, *items: Item) -> list[Issue]:
    return [i for i in SemanticValidator().validate(Layout(items)).issues if i.code == code]


def creature(label: str, part: str, *, width: float = 0.2) -> list[Issue]:
    """A body, or a head, that is drawn between two legs, and lower than they are."""
    return found(
        "gravity.order",
        thing("whole", label, (0.4, 0.2, 0.4 + width, 0.3)),
        thing("part", part, (0.44, 0.5, 0.56, 0.6), "whole"),
        thing("leg_1", "leg", (0.4, 0.3, 0.44, 0.55), "whole"),
        thing("leg_2", "leg", (0.56, 0.3, 0.6, 0.55), "whole"),
    )


@pytest.mark.parametrize(
    ("label", "part", "severity"),
    [("woman", "head", "error"), ("dog", "body", "error"), ("dog", "head", "hint"), ("spider", "head", "hint")],
)
def test_a_head_over_the_legs_is_sure_of_people_alone(label: str, part: str, severity: str) -> None:
    assert {i.severity for i in creature(label, part)} == {severity}


def test_who_is_drawn_wider_than_tall_may_be_lying() -> None:
    assert {i.severity for i in creature("woman", "head", width=0.5)} == {"hint"}


@pytest.mark.parametrize(("legs", "hints"), [(4, 4), (5, 0)])
def test_many_legs_reach_where_they_like(legs: int, hints: int) -> None:
    drawn = [thing(f"leg_{i}", "leg", (0.1 * i, 0.3, 0.1 * i + 0.02, 0.5), "bug") for i in range(legs)]
    parts = [thing("bug", "bug", (0.1, 0.6, 0.5, 0.7)), thing("head", "head", (0.44, 0.5, 0.56, 0.6), "bug")]
    assert len(found("gravity.order", *parts, *drawn)) == hints


GROUND = thing("meadow", "meadow", (0.0, 0.8, 1.0, 1.0))


def bridge(foot: float) -> Item:
    """An arch that stands on its two ends alone."""
    return Item("bridge", "bridge", box(0.2, 0.3, 0.8, foot).difference(box(0.3, 0.4, 0.7, 0.9)))


@pytest.mark.parametrize(("foot", "floats"), [(0.575, False), (0.565, True)])
def test_feet_stand_on_ledges_of_the_scenery(foot: float, floats: bool) -> None:
    cliffs = [(0, 1), (0, 0.6), (0.35, 0.6), (0.35, 0.8), (0.65, 0.8), (0.65, 0.6), (1, 0.6), (1, 1)]
    hills = Item("hills", "hills", Polygon(cliffs))
    assert bool(found("gravity.floating", hills, bridge(foot))) is floats


@pytest.mark.parametrize(("foot", "floats"), [(0.575, False), (0.565, True)])
def test_a_rock_painted_as_part_of_a_backdrop_holds_too(foot: float, floats: bool) -> None:
    scenery = thing("scenery", "background", (0.0, 0.0, 1.0, 1.0))
    rock = thing("rock", "rock", (0.1, 0.6, 0.4, 0.9), "scenery")
    assert bool(found("gravity.floating", scenery, rock, GROUND, bridge(foot))) is floats


def test_what_floats_is_told_where_to_stand() -> None:
    (issue,) = found("gravity.floating", GROUND, bridge(0.7))
    assert issue.subjects == ("bridge", "meadow")
    assert issue.mend == "move bridge down by 0.100, onto meadow"
    x0, y0, x1, y1 = issue.marks[0].at
    assert x0 == x1
    assert (y0, y1) == pytest.approx((0.7, 0.8))
    assert not 0.3 < x0 < 0.7  # at a foot, not under the arch
