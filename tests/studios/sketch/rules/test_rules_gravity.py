"""Gravity: what a thing stands on."""

from __future__ import annotations

import pytest
from shapely.geometry import Polygon, box

from redraft.layout.items import Item, Layout
from redraft.result import Issue
from redraft.studios.sketch.rules import SemanticValidator


def thing(name: str, label: str, bounds: tuple[float, float, float, float], parent: str | None = None) -> Item:
    return Item(name, label, box(*bounds), parent)


def found(code: str, *items: Item) -> list[Issue]:
    return [i for i in SemanticValidator().validate(Layout(items)).issues if i.code == code]


GROUND = thing("meadow", "meadow", (0.0, 0.8, 1.0, 1.0))


def bridge(foot: float) -> Item:
    """An arch that stands on its two ends alone."""
    return Item("bridge", "bridge", box(0.2, 0.3, 0.8, foot).difference(box(0.3, 0.4, 0.7, 0.9)))


@pytest.mark.parametrize(("foot", "floats"), [(0.575, False), (0.565, True)])
def test_feet_stand_on_ledges_of_the_scenery(foot: float, floats: bool) -> None:
    cliffs = [(0, 1), (0, 0.6), (0.35, 0.6), (0.35, 0.8), (0.65, 0.8), (0.65, 0.6), (1, 0.6), (1, 1)]
    hills = Item("hills", "hills", Polygon(cliffs))
    assert bool(found("gravity.floating", hills, bridge(foot))) is floats


@pytest.mark.parametrize(("foot", "floats"), [(0.68, True), (0.66, False)])
def test_what_is_far_above_the_ground_is_up_in_the_air(foot: float, floats: bool) -> None:
    kite = thing("kite", "anything", (0.4, 0.3, 0.6, foot))
    assert bool(found("gravity.floating", GROUND, kite)) is floats


def test_one_of_several_that_stand_in_line_may_float_higher() -> None:
    sheep = [thing(f"sheep_{k}", "sheep", (0.25 * k, 0.6, 0.25 * k + 0.15, 0.82)) for k in range(3)]
    (issue,) = found("gravity.floating", GROUND, *sheep, thing("sheep_3", "sheep", (0.75, 0.2, 0.9, 0.42)))
    assert issue.subjects == ("sheep_3",)
    assert issue.numbers["found"] == pytest.approx(0.4)


def test_what_floats_is_told_where_to_stand() -> None:
    (issue,) = found("gravity.floating", GROUND, bridge(0.7))
    assert issue.subjects == ("bridge", "meadow")
    assert issue.hint == "move bridge down by 0.100, onto meadow"
    x0, y0, x1, y1 = issue.marks[0].at
    assert x0 == x1
    assert (y0, y1) == pytest.approx((0.7, 0.8))
    assert not 0.3 < x0 < 0.7  # at a foot, not under the arch
