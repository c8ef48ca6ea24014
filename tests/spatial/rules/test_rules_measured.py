"""What the brief states a measure of is as large as it says, however thin that is."""

from __future__ import annotations

import pytest
from shapely.geometry import box

from redraft.spatial.layout import Item, Layout
from redraft.spatial.relations import read
from redraft.spatial.rules import SemanticValidator

ROOM = Item("room", "room", box(0.1, 0.1, 0.9, 0.74))
STRIP = Item("door", "door", box(0.428, 0.73, 0.572, 0.74), "room")
"""0.9 m of 5 m wide, and 350 times smaller than the room."""


@pytest.mark.parametrize(
    ("brief", "codes"),
    [
        ("a 5 m by 4 m room with a 0.9 m door", []),
        ("a room with a 0.9 m door", []),
        ("a 5 m by 4 m room with a door", []),
        ("a room with a door", ["ratio.part"]),
    ],
)
def test_a_stated_measure_excuses_ratio_and_size(brief: str, codes: list[str]) -> None:
    assert [i.code for i in SemanticValidator().validate(Layout((ROOM, STRIP)), read(brief)).errors] == codes


@pytest.mark.parametrize(("brief", "codes"), [("a 5 cm house", []), ("a house", ["size.small"])])
def test_it_excuses_only_what_it_names(brief: str, codes: list[str]) -> None:
    house = Item("house", "house", box(0.5, 0.5, 0.55, 0.55))
    assert [i.code for i in SemanticValidator().validate(Layout((house,)), read(brief)).errors] == codes
