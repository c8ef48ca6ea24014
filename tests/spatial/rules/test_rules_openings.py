"""Windows and doors of one building keep clear of each other, unless one is set in or beside the other."""

from __future__ import annotations

import pytest
from shapely.geometry import box

from redraft.spatial.layout import Item, Layout
from redraft.spatial.rules import SemanticValidator


@pytest.mark.parametrize(
    ("window", "wrong"),
    [
        ((0.30, 0.40, 0.43, 0.60), True),  # over the door's corner
        ((0.30, 0.40, 0.42, 0.51), True),  # against its corner
        ((0.30, 0.40, 0.41, 0.60), False),  # clear of it
        ((0.45, 0.55, 0.55, 0.65), False),  # a pane in it
        ((0.36, 0.50, 0.42, 0.90), False),  # a side light
        ((0.42, 0.42, 0.58, 0.50), False),  # a transom
    ],
)
@pytest.mark.parametrize("label", ["house", "bus"])
def test_a_window_beside_a_door(window: tuple[float, float, float, float], wrong: bool, label: str) -> None:
    whole = Item("whole", label, box(0.2, 0.3, 0.8, 0.9))
    parts = [Item("door", "door", box(0.42, 0.5, 0.58, 0.9), "whole"), Item("window", "window", box(*window), "whole")]
    codes = [i.code for i in SemanticValidator().validate(Layout((whole, *parts))).issues]
    assert ("overlap.openings" in codes) is (wrong and label == "house")
