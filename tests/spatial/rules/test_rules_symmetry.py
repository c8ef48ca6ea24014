"""Symmetry of what is drawn aslant: a pair is mirrored in the long axis of its whole."""

from __future__ import annotations

import pytest
from shapely.affinity import rotate
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry

from redraft.spatial.layout import Item, Layout
from redraft.spatial.rules import SemanticValidator


def rocket(angle: float, *, slip: float = 0.0, tall: float = 0.6) -> list[str]:
    """The codes for a rocket with two fins, turned; `slip` shifts one fin along its axis."""

    def turned(shape: BaseGeometry) -> BaseGeometry:
        return rotate(shape, angle, origin=(0.5, 0.5))

    hull = Item("rocket", "rocket", turned(box(0.4, 0.5 - tall / 2, 0.6, 0.5 + tall / 2)))
    fins = [
        Item("fin_left", "fin", turned(box(0.32, 0.6, 0.4, 0.7)), "rocket"),
        Item("fin_right", "fin", turned(box(0.6, 0.6 + slip, 0.68, 0.7 + slip)), "rocket"),
    ]
    codes = [i.code for i in SemanticValidator().validate(Layout((hull, *fins))).issues]
    return [code for code in codes if code.startswith("symmetry.")]


@pytest.mark.parametrize("angle", [0.0, 20.0, 45.0, -60.0])
def test_a_slanting_rocket_has_its_fins_on_both_sides(angle: float) -> None:
    assert rocket(angle) == []


@pytest.mark.parametrize(("slip", "right"), [(0.01, True), (0.1, False)])
def test_fins_are_mirrored_in_the_axis(slip: float, right: bool) -> None:
    assert (rocket(45.0, slip=slip) == []) is right


def test_what_has_no_long_axis_is_not_aslant() -> None:
    assert "symmetry.height" in rocket(45.0, tall=0.4)


@pytest.mark.parametrize(("angle", "right"), [(30.0, True), (60.0, True), (90.0, False)])
def test_the_rails_of_a_leaning_ladder_lie_along_each_other(angle: float, right: bool) -> None:
    rails = (box(0.44, 0.2, 0.46, 0.8), box(0.54, 0.2, 0.56, 0.8))
    left, second = (rotate(rail, angle, origin=(0.5, 0.5)) for rail in rails)
    ladder = (
        Item("ladder", "ladder", rotate(box(0.44, 0.48, 0.56, 0.52), angle, origin=(0.5, 0.5))),
        Item("rail_left", "rail", left, "ladder"),
        Item("rail_right", "rail", second, "ladder"),
    )
    codes = [i.code for i in SemanticValidator().validate(Layout(ladder)).issues if i.code.startswith("symmetry.")]
    assert (codes == []) is right
