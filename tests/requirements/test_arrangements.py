"""Distances, sizes, ratios, proportions, spacing, alignment, symmetry and places as they are measured."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirement_layouts import (
    Raw,
    at,
    measured,
    on_paper,
    outcome,
    row,
    said,
)

from redraft.layout import Move
from redraft.requirements import reading


@pytest.mark.parametrize(("x", "wanted"), [(0.5, "met"), (0.503, "inexact"), (0.6, "broken")])
def test_equally_far_needs_no_length(x: float, wanted: str) -> None:
    layout = on_paper(at("door_1", 0.2, 0.5), at("door_2", 0.8, 0.5), at("lamp", x, 0.5))
    assert outcome(layout, said("distance", "lamp", of=["door_*"])) == wanted
    assert outcome(layout, said("distance", "door_*", of=["lamp"])) == wanted


@pytest.mark.parametrize("more", [{"of": ["door_1"]}, {"of": ["door_*"], "limit": "at_least"}])
def test_a_distance_without_length_says_what_is_missing(more: Raw) -> None:
    layout = on_paper(at("door_1", 0.2, 0.5), at("door_2", 0.8, 0.5), at("lamp", 0.5, 0.5))
    assert "length" in reading.statements([said("distance", "lamp", **more)], "", layout).set_aside[0]


@settings(max_examples=50)
@given(st.floats(-0.05, 0.3))
def test_a_distance_follows_the_move(step: float) -> None:
    before = row(0.1, 0.4)
    after = before.moved([Move.shift("tree_1", step, 0.0)])
    raw = said("distance", "tree_0", of=["tree_1"], length=0.1, axis="x")
    was, now = (measured(layout, raw)[0].numbers["found"] for layout in (before, after))
    assert now - was == pytest.approx(step, abs=1e-9)
