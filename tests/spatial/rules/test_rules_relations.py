"""Relations between real shapes: what is under an arch is below it, and what lies on other contents is inside."""

from __future__ import annotations

import pytest
from shapely.geometry import Point, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from redraft.spatial.layout import Item, Layout
from redraft.spatial.relations import read
from redraft.spatial.rules import SemanticValidator


def broken(brief: str, **shapes: BaseGeometry) -> list[str]:
    """The codes of the relations that a drawing of these things breaks; one of each, `_1` and so on left out."""
    layout = Layout(tuple(Item(name, name.split("_")[0], shape) for name, shape in shapes.items()))
    codes = [i.code for i in SemanticValidator().validate(layout, read(brief)).issues]
    return [code for code in codes if code.startswith("relation.")]


ARCH = box(0.1, 0.2, 0.9, 0.9).difference(Point(0.5, 0.9).buffer(0.3))
"""One stroke, with an opening 0.6 wide and 0.3 high."""


@pytest.mark.parametrize(
    ("car", "codes"),
    [
        (box(0.35, 0.75, 0.65, 0.9), []),
        (box(0.55, 0.75, 0.79, 0.9), []),  # a third of it before a pillar
        (box(0.66, 0.75, 0.9, 0.9), ["relation.direction"]),  # hardly in the opening
        (box(0.35, 0.3, 0.65, 0.45), ["relation.direction"]),  # on the face of the bridge
        (box(0.35, 0.05, 0.65, 0.2), ["relation.direction"]),  # upon it
    ],
)
def test_below_an_arch_is_within_its_opening(car: BaseGeometry, codes: list[str]) -> None:
    assert broken("a car below a bridge", bridge=ARCH, car=car) == codes


def test_a_man_who_holds_an_umbrella_is_below_it() -> None:
    canopy = Point(0.5, 0.4).buffer(0.3).intersection(box(0, 0, 1, 0.4))
    umbrella = unary_union([canopy, box(0.49, 0.4, 0.51, 0.65)])
    assert broken("a man below an umbrella", umbrella=umbrella, man=box(0.4, 0.45, 0.6, 0.95)) == []


def test_what_is_inside_an_arch_is_not_above_it() -> None:
    assert broken("a car above a bridge", bridge=ARCH, car=box(0.35, 0.75, 0.65, 0.9)) == ["relation.direction"]


@pytest.mark.parametrize(("top", "codes"), [(0.16, []), (0.11, ["relation.inside"])])
def test_an_apple_on_the_apples_in_a_bowl_is_in_the_bowl(top: float, codes: list[str]) -> None:
    apples = {"apple_1": Point(0.42, 0.52).buffer(0.1), "apple_2": Point(0.6, 0.52).buffer(0.1)}
    third = box(0.4, top, 0.6, top + 0.24)  # the two end at 0.42
    assert broken("three apples in a bowl", bowl=box(0.2, 0.5, 0.8, 0.9), **apples, apple_3=third) == codes
