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
