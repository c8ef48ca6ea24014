"""Gravity by what was measured: ropes and saucers are no slabs, water lets things sink, kerbs are set in."""

from __future__ import annotations

import pytest
from scenes import ball, block, scene

from redraft.brief import Brief
from redraft.result import Report
from redraft.studios.scene.solve import mend
from redraft.studios.scene.spec import Contact, Scene, Thing, Vector
from redraft.studios.scene.validate import check

FLOOR = block("Floor", (0, 0, -0.1), (8, 8, 0.1))
SEA = block("Sea", (0, 0, 0), (40, 40, 0))


def judged(made: Scene, brief: str = "a harbour") -> tuple[Report, dict[str, Vector]]:
    """The report, and the solver's moves by name."""
    asked = Brief.of(brief)
    report = check(made, None, asked)
    return report, {shift.name: shift.by for shift in mend(made, None, report, asked, 0)[0]}


def gravity(report: Report) -> list[tuple[str, str]]:
    return [(issue.severity, issue.code) for issue in report.issues if issue.category == "gravity"]


def touching(made: Scene, a: str, b: str, depth: float) -> Scene:
    """The same scene where two of its things were measured to reach so deep into each other."""
    kept = tuple(contact for contact in made.facts.contacts if {contact.a, contact.b} != {a, b})
    met = Contact(a=min(a, b), b=max(a, b), gap=0.0, depth=depth, share=0.02 if depth else 0.0)
    return made.model_copy(update={"facts": made.facts.model_copy(update={"contacts": (*kept, met)})})


def diagonal(name: str, length: float, height: float, width: float = 0.06) -> Thing:
    """What runs from corner to corner of its box, and sags."""
    box = block(name, (0, 0, 0), (length, length, height))
    half = length / 2
    ring = ((-half, -half), (-half + width, -half), (half, half - width), (half, half), (half - width, half))
    return box.model_copy(update={"footprint": ((*ring, (-half, -half + width)),)})


def test_a_rope_below_a_bollard_is_no_floor() -> None:
    bollard, rope = block("Bollard", (0, 0, 0), (0.4, 0.4, 0.6)), diagonal("Mooring", 4.0, 0.43)
    report, moves = judged(touching(scene(FLOOR, bollard, rope), "Bollard", "Mooring", 0.03))
    assert not gravity(report)
    assert not moves


def test_a_cup_in_the_well_of_a_saucer_has_not_sunk() -> None:
    saucer, cup = block("Saucer", (0, 0, 0), (0.16, 0.16, 0.02)), block("Cup", (0, 0, 0.008), (0.08, 0.08, 0.08))
    for depth in (0.0, 0.001):
        report, moves = judged(touching(scene(FLOOR, saucer, cup), "Cup", "Saucer", depth))
        assert not gravity(report)
        assert not moves
    solid, lifted = judged(touching(scene(FLOOR, saucer, cup), "Cup", "Saucer", 0.008))
    assert gravity(solid) == [("error", "gravity.sinking")]
    assert lifted == {"Cup": (0.0, 0.0, 0.012)}


def test_what_was_measured_is_the_most_that_a_thing_is_raised() -> None:
    dish, egg = block("Dish", (0, 0, 0), (1.0, 1.0, 0.2)), ball("Ball", (0, 0, 0.1), 0.3)
    report, moves = judged(touching(scene(FLOOR, dish, egg), "Ball", "Dish", 0.025))
    assert gravity(report) == [("warning", "gravity.sinking")]
    assert moves == {"Ball": (0.0, 0.0, 0.025)}


@pytest.mark.parametrize("share", [0.3, 0.65, 0.9])
def test_a_rock_may_be_under_water_as_far_as_it_likes(share: float) -> None:
    rock, tower = block("Rock", (0, 0, -6.0 * share), (9, 9, 6)), block("Lighthouse", (0, 0, 6 - 6 * share), (3, 3, 12))
    report, moves = judged(scene(SEA, rock, tower), "a lighthouse on a rock in the sea")
    assert not gravity(report)
    assert not moves


def test_a_box_that_water_covers_is_told_of_but_not_lifted() -> None:
    report, moves = judged(scene(SEA, block("Boat", (4, 0, 0), (2, 6, 2)), block("Crate", (0, 0, -3), (1, 1, 1))))
    assert gravity(report) == [("warning", "gravity.buried")]
    assert not moves


@pytest.mark.parametrize(("ground", "lifted"), [("Snow", ()), ("Sand", ()), ("Concrete_Floor", ("Crate",))])
def test_nothing_is_lifted_out_of_what_is_loose(ground: str, lifted: tuple[str, ...]) -> None:
    report, moves = judged(scene(block(ground, (0, 0, -2), (20, 20, 2)), block("Crate", (0, 0, -0.7), (1, 1, 1))))
    assert gravity(report) == [("error", "gravity.sinking")]
    assert tuple(moves) == lifted


@pytest.mark.parametrize("name", ["Kerb", "Curb_Left", "Sidewalk", "Quay", "Plinth", "Rail_2", "Road_Marking", "Path"])
def test_what_is_set_into_the_ground_has_not_sunk(name: str) -> None:
    made = scene(block("Street", (0, 0, -0.2), (20, 20, 0.2)), block(name, (0, 0, -0.08), (8, 0.3, 0.2)))
    assert not gravity(judged(made, "a street")[0])
    crate = scene(block("Street", (0, 0, -0.2), (20, 20, 0.2)), block("Crate", (0, 0, -0.08), (8, 0.3, 0.2)))
    assert gravity(judged(crate, "a street")[0]) == [("error", "gravity.sinking")]
