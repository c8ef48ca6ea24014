"""Colour names against painted colours, and what counts as scenery."""

from __future__ import annotations

import pytest
from shapely.geometry import box

from redraft.spatial.colours import is_called, known
from redraft.spatial.layout import Item, Layout
from redraft.spatial.scenery import is_backdrop, is_kind


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
    ("label", "bounds", "behind"),
    [
        ("sky", (0, 0, 1, 0.6), True),
        ("night sky", (0, 0, 1, 1), True),
        ("pond", (0.3, 0.3, 0.6, 0.6), False),
        ("canvas cloth", (0.0, 0.7, 1.0, 1.0), True),  # a band along the whole bottom edge, whatever it is called
        ("branch", (0.0, 0.4, 1.0, 0.5), False),
        ("wall", (0, 0, 1, 0.8), True),
        ("wall", (0.2, 0.2, 0.8, 0.8), False),
    ],
)
def test_scenery_is_told_by_label_and_by_geometry(
    label: str, bounds: tuple[float, float, float, float], behind: bool
) -> None:
    item = Item("it", label, box(*bounds))
    assert is_backdrop(Layout((item,)), item) is behind


def test_kinds_look_at_the_last_words() -> None:
    assert is_kind("potted flowers", "scattered")
    assert not is_kind("flower pot", "scattered")
