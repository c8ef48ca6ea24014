"""Style: strokes are compared with strokes of their own kind and make."""

from __future__ import annotations

import pytest
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from redraft.layout.items import Item, Layout
from redraft.studios.sketch.rules import SemanticValidator


def joints(*more: BaseGeometry) -> list[str]:
    """Seven short joint lines of a wall, and what else is painted as the same part."""
    lines = [LineString([(0.1 + 0.1 * i, 0.8), (0.1 + 0.1 * i, 0.86)]).buffer(0.003) for i in range(7)]
    stones = Item("stones", "stones", unary_union([*lines, *more]))
    return [i.code for i in SemanticValidator().validate(Layout((stones,))).issues]


ARCH = Point(0.5, 0.5).buffer(0.2).exterior.intersection(Point(0.5, 0.2).buffer(0.3))


@pytest.mark.parametrize(
    ("other", "odd"),
    [
        (LineString([(0.85, 0.7), (0.85, 0.82)]).buffer(0.003), True),
        (LineString([(0.85, 0.7), (0.85, 0.82)]).buffer(0.008), False),  # another pen
        (ARCH.buffer(0.003), False),  # bent
        (Point(0.5, 0.4).buffer(0.2).exterior.buffer(0.003), False),  # a ring
    ],
)
def test_only_strokes_of_one_make_are_compared(other: BaseGeometry, odd: bool) -> None:
    assert ("style.outlier" in joints(other)) is odd
