"""Colour names against painted colours, and what counts as scenery."""

from __future__ import annotations

import pytest
from shapely.geometry import box

from redraft.layout.backdrops import is_backdrop
from redraft.layout.colors import is_called, known
from redraft.layout.items import Item, Layout


@pytest.mark.parametrize(
    ("painted", "name"),
    [
        ("#e74c3c", "red"),
        ("#8b0000", "dark red"),
        ("#f39c12", "orange"),
        ("#f1c40f", "yellow"),
        ("#2ecc71", "green"),
        ("#3498db", "light blue"),
        ("#9b59b6", "violet"),
        ("#ff9ec4", "pink"),
        ("#795548", "brown"),
        ("#222222", "black"),
        ("#fdfefe", "white"),
        ("#95a5a6", "gray"),
    ],
)
def test_colours_bear_their_names(painted: str, name: str) -> None:
    assert known(name)
    assert is_called(painted, name)


@pytest.mark.parametrize(
    ("painted", "name"),
    [("#3498db", "red"), ("#e74c3c", "blue"), ("#2ecc71", "red"), ("#222222", "white"), ("#ffffff", "black")],
)
def test_other_colours_do_not(painted: str, name: str) -> None:
    assert not is_called(painted, name)


def test_unknown_colour_words_are_not_checked() -> None:
    assert not known("rainbow-coloured")


@pytest.mark.parametrize(
    ("bounds", "behind"),
    [
        ((0, 0, 1, 0.6), True),
        ((0, 0.4, 1, 0.5), True),  # from left to right
        ((0.4, 0, 0.5, 1), True),  # from top to bottom
        ((0.1, 0.1, 0.95, 0.95), True),  # most of it
        ((0.3, 0.3, 0.6, 0.6), False),
        ((0.0, 0.0, 0.6, 0.6), False),  # a corner
    ],
)
def test_backdrops_are_told_by_geometry_alone(bounds: tuple[float, float, float, float], behind: bool) -> None:
    item = Item("it", "anything", box(*bounds))
    assert is_backdrop(Layout((item,)), item) is behind


def test_a_part_is_no_backdrop() -> None:
    whole, part = Item("a", "a", box(0.2, 0.2, 0.4, 0.4)), Item("b", "b", box(0, 0, 1, 1), "a")
    assert not is_backdrop(Layout((whole, part)), part)
