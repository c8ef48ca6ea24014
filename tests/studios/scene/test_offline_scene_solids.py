"""The solids of the offline model: that their data holds together, and that every word has one."""

from __future__ import annotations

import numpy as np
import pytest

from redraft.errors import ConfigError
from redraft.offline.lexicon import names
from redraft.offline.scene.colours import colour_of
from redraft.offline.scene.cutout import block, cutout
from redraft.offline.scene.setting import ground_of
from redraft.offline.scene.shapes import bounds, points_of
from redraft.offline.scene.solids import find, load, solids

pytestmark = pytest.mark.slow

LARGEST = 75.0
"""Metres: a mountain."""


def test_there_are_enough_of_them() -> None:
    assert len(solids()) >= 120


@pytest.mark.parametrize("name", sorted(solids()))
def test_each_has_a_real_size_and_known_colours(name: str) -> None:
    solid = solids()[name]
    x0, y0, z0, x1, y1, z1 = bounds(points_of(solid))
    assert 0.005 < max(x1 - x0, y1 - y0, z1 - z0) < LARGEST
    assert colour_of(solid.colour) is not None
    for part in solid.parts:
        assert part.colour in {"main", "dark", "light"} or colour_of(part.colour) is not None, part.name


@pytest.mark.parametrize("name", sorted(n for n, s in solids().items() if s.top is not None))
def test_what_is_on_it_rests_within_it(name: str) -> None:
    solid = solids()[name]
    assert solid.top is not None
    x0, y0, z0, x1, y1, z1 = (v * 100 for v in bounds(points_of(solid)))
    half = solid.top.size or (2 * (solid.top.radius or 0), 2 * (solid.top.radius or 0))
    assert z0 < solid.top.z <= z1 + 1.5
    assert half[0] <= x1 - x0 + 0.1
    assert half[1] <= y1 - y0 + 0.1


@pytest.mark.parametrize("name", sorted(n for n, s in solids().items() if s.inside is not None and s.inside.profile))
def test_a_hollow_opens_upward(name: str) -> None:
    inside = solids()[name].inside
    assert inside is not None
    radii, heights = np.array(inside.profile).T
    assert radii[0] == 0
    assert (np.diff(radii) > 0).all()
    assert (np.diff(heights) >= 0).all()


@pytest.mark.parametrize("word", names())
def test_every_noun_of_the_lexicon_is_built(word: str) -> None:
    if ground_of(word) is None:
        solid = find(word) or cutout(word)
        assert solid is not None
        assert solid.parts


def test_nouns_are_found_as_people_write_them() -> None:
    table = find("wooden tables")
    assert table is not None
    assert table.name == "table"
    found = [find("table", ("round",)), find("coffee mug"), find("kittens")]
    assert [solid.name for solid in found if solid is not None] == ["round table", "cup", "cat"]


def test_company_chooses_between_two_meanings() -> None:
    beside_cat, beside_keyboard = find("mouse", (), ["cat"]), find("mouse", (), ["keyboard"])
    assert beside_cat is not None
    assert beside_keyboard is not None
    assert (beside_cat.name, beside_keyboard.name) == ("mouse animal", "computer mouse")


def test_an_unknown_word_is_a_block_that_says_it() -> None:
    assert cutout("zorblatt") is None
    assert [p.text for p in block("zorblatt").parts if p.text] == ["zorblatt"]


def test_wrong_data_is_named_by_its_path() -> None:
    with pytest.raises(ConfigError, match=r"a\.yaml: thing\.parts\.0.*two shapes|one shape"):
        load("thing: {parts: {body: {box: [1, 1, 1], ball: [1, 1, 1]}}}", "a.yaml")


@pytest.mark.parametrize("name", sorted(n for n, s in solids().items() if s.inside is not None and s.inside.profile))
def test_a_hollow_is_as_deep_as_it_looks(name: str) -> None:
    """Each corner of it lies on something that is built: else things would float over it, or sink in."""
    solid = solids()[name]
    assert solid.inside is not None
    cloud = points_of(solid) * 100
    built = np.unique(np.round(np.stack([np.hypot(cloud[:, 0], cloud[:, 1]), cloud[:, 2]], axis=1), 3), axis=0)
    highest = built[:, 1].max()
    for radius, height in solid.inside.profile:
        near = built[np.abs(built[:, 0] - radius) < max(0.6, 0.12 * radius)]
        assert len(near) == 0 or np.abs(near[:, 1] - height).min() < max(0.3, 0.03 * highest), (radius, height)
