"""The solids of the offline model: that their data holds together, and that every word has one."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from redraft.offline.lexicon import hex_of
from redraft.offline.scene.reading import read
from redraft.offline.scene.solids import block, bounds, find, load, solids

pytestmark = pytest.mark.slow

LARGEST = 75.0
"""Metres: a mountain."""


def test_there_are_enough_of_them() -> None:
    assert len(solids()) >= 90


@pytest.mark.parametrize("name", sorted(solids()))
def test_each_has_a_real_size_and_known_colours(name: str) -> None:
    solid = solids()[name]
    x0, y0, z0, x1, y1, z1 = bounds(solid.points)
    assert 0.005 < max(x1 - x0, y1 - y0, z1 - z0) < LARGEST
    assert hex_of(solid.color) is not None
    for part in solid.parts:
        assert part.color in {"main", "dark", "light"} or hex_of(part.color) is not None, part.name


@pytest.mark.parametrize("name", sorted(n for n, s in solids().items() if s.top is not None))
def test_what_is_on_it_rests_within_it(name: str) -> None:
    solid = solids()[name]
    assert solid.top is not None
    x0, y0, z0, x1, y1, z1 = (v * 100 for v in bounds(solid.points))
    half = solid.top.size or (2 * (solid.top.radius or 0), 2 * (solid.top.radius or 0))
    assert z0 < solid.top.z <= z1 + 1.5
    assert half[0] <= x1 - x0 + 0.1
    assert half[1] <= y1 - y0 + 0.1


def test_nouns_are_found_as_people_write_them() -> None:
    found = [find("wooden table"), find("coffee mug"), find("kitten"), find("vase of flowers")]
    assert [solid.name for solid in found if solid is not None] == ["table", "cup", "cat", "vase"]


def test_an_unknown_word_is_a_block_that_says_it() -> None:
    assert find("zorblatt") is None
    assert [p.text for p in block("zorblatt").parts if p.text] == ["zorblatt"]


def test_a_part_is_painted_as_the_words_say() -> None:
    (house,) = read("a house with a red roof").things.values()
    assert {part.name: part.color for part in house.solid.parts}["roof"] == "red"


def test_a_part_has_one_shape() -> None:
    with pytest.raises(ValidationError, match="one shape"):
        load("thing: {parts: {body: {box: [1, 1, 1], ball: [1, 1, 1]}}}")
