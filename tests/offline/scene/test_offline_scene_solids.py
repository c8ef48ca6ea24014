"""The things of the offline scene model: that its table holds together, and that every word has one."""

from __future__ import annotations

import pytest

from redraft.offline.lexicon import hex_of
from redraft.studios.scene.offline.reading import read
from redraft.studios.scene.offline.solids import find_solid, pieces, placeholder, solids, tables

LARGEST = 75.0
"""Meters: a mountain."""


def test_each_has_a_real_size_a_known_color_and_ground() -> None:
    assert len({solid.name for solid in solids().values()}) >= 70
    for solid in solids().values():
        assert 0.005 < max(solid.size) < LARGEST, solid.name
        assert hex_of(solid.color) is not None, solid.name
        assert solid.ground in tables()["grounds"], solid.name
        assert solid.shape in tables()["shapes"], solid.name


@pytest.mark.parametrize("name", tables()["shapes"])
def test_the_primitives_of_a_shape_fill_its_box_and_no_more(name: str) -> None:
    solid = next(solid for solid in solids().values() if solid.shape == name)
    parts = [*pieces(solid)]
    for axis in range(3):
        middle = [one.at[axis] if axis < 2 else one.at[2] + one.size[2] / 2 for one in parts]
        low = min(m - one.size[axis] / 2 for m, one in zip(middle, parts, strict=True))
        high = max(m + one.size[axis] / 2 for m, one in zip(middle, parts, strict=True))
        foot = 0.0 if axis == 2 else -solid.size[axis] / 2
        assert (low, high) == pytest.approx((foot, foot + solid.size[axis]), abs=0.06 * solid.size[axis])
    assert all(hex_of(one.color) for one in parts)


def test_nouns_are_found_as_people_write_them() -> None:
    found = [find_solid("wooden table"), find_solid("coffee mug"), find_solid("kitten"), find_solid("vase of flowers")]
    assert [solid.name for solid in found if solid is not None] == ["table", "cup", "cat", "vase"]


def test_an_unknown_word_is_a_block() -> None:
    assert find_solid("zorblatt") is None
    assert [(one.name, one.primitive) for one in pieces(placeholder("zorblatt"))] == [("body", "box")]


def test_a_part_is_painted_as_the_words_say() -> None:
    (house,) = read("a house with a blue roof").things.values()
    colors = {one.name: one.color for one in pieces(house.solid)}
    assert colors["roof"] == hex_of("blue")
    assert colors["wall"] == hex_of(house.solid.color)
