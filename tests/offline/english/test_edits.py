"""Edits in words."""

from __future__ import annotations

import pytest

from redraft.offline.english.edits import Add, Edit, Recolour, Remove, Resize, Shift, read_edits

PRESENT = ("house", "tree", "sun")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("make the roof red", (Recolour("roof", "red"),)),
        ("Please paint the door dark blue.", (Recolour("door", "dark blue"),)),
        ("make the roof of the house red", (Recolour("roof", "red", "house"),)),
        ("make it yellow", (Recolour("house", "yellow"),)),
        ("remove the sun", (Remove("sun", None),)),
        ("remove one tree", (Remove("tree", 1),)),
        ("make the house bigger", (Resize("house", 1.3),)),
        ("make the tree twice as tall", (Resize("tree", 2.0),)),
        ("make the tree 50 % smaller", (Resize("tree", 0.5),)),
        ("move the sun up", (Shift("sun", "up", 0.1),)),
        ("move the tree 0.2 to the left", (Shift("tree", "left", 0.2),)),
        ("now add a tree to the left of it", (Add("a tree to the left of it"),)),
        ("make the roof red and remove the sun", (Recolour("roof", "red"), Remove("sun", None))),
    ],
)
def test_edits(text: str, expected: tuple[Edit, ...]) -> None:
    assert read_edits(text, PRESENT) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "...", "hm", "make the house nicer", "move the tree to the left of the house"),
        *("make the second tree blue", "make the left tree bigger", "remove the last tree"),
    ],
)
def test_what_is_no_edit_yields_none(text: str) -> None:
    assert [e for e in read_edits(text, PRESENT) if not isinstance(e, Add)] == []
