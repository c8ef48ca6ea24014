"""Relations of parts as they are measured: sides, inside, on, between, in front of, touches."""

from __future__ import annotations

import pytest
from requirement_layouts import (
    at,
    on_paper,
    outcome,
    part,
    said,
)
from shapely import box, unary_union
from shapely.geometry import Polygon


@pytest.mark.parametrize(("top", "expected"), [(0.5, "met"), (0.42, "met"), (0.25, "broken")])
def test_two_people_are_under_the_one_umbrella_that_they_hold(top: float, expected: str) -> None:
    canopy = Polygon([(0.2, 0.45), (0.25, 0.3), (0.5, 0.2), (0.75, 0.3), (0.8, 0.45)])
    umbrella = part("umbrella", unary_union([canopy, box(0.495, 0.3, 0.505, 0.7)]))
    people = [part(f"person_{side}", box(x, top, x + 0.2, 0.95)) for side, x in (("left", 0.22), ("right", 0.58))]
    below = said("relation", "person_*", relation="below", of=["umbrella"])
    assert outcome(on_paper(umbrella, *people), below) == expected


def test_below_a_bridge_is_between_its_pillars() -> None:
    bridge = unary_union([box(0.1, 0.3, 0.9, 0.4), box(0.1, 0.4, 0.2, 0.8), box(0.8, 0.4, 0.9, 0.8)])
    layout = on_paper(part("bridge", bridge), at("car", 0.5, 0.7, 0.3, 0.15))
    assert outcome(layout, said("relation", "car", relation="below", of=["bridge"])) == "met"


def test_a_flower_in_a_vase_sticks_out_and_a_pile_lies_on_itself() -> None:
    vase, flower = at("vase", 0.5, 0.8, 0.2, 0.2), at("flower", 0.5, 0.5, 0.05, 0.6)
    raw = said("relation", "flower", relation="inside", of=["vase"])
    assert outcome(on_paper(flower, vase), raw) == "met"
    assert outcome(on_paper(at("flower", 0.5, 0.4, 0.05, 0.6), vase), raw) == "broken"
    apples = [at("apple_1", 0.45, 0.75), at("apple_2", 0.55, 0.75), at("apple_3", 0.5, 0.65)]
    assert outcome(on_paper(vase, *apples), said("relation", "apple_*", relation="inside", of=["vase"])) == "met"


def test_a_bench_that_is_part_of_its_shelter_is_measured_against_the_rest_of_it() -> None:
    shelter = at("shelter", 0.5, 0.5, 0.4, 0.4)
    raw = said("relation", "bench", relation="inside", of=["shelter"])
    assert outcome(on_paper(shelter, at("bench", 0.5, 0.6, parent="shelter")), raw) == "met"
    assert outcome(on_paper(shelter, at("bench", 0.9, 0.6, parent="shelter")), raw) == "broken"
