"""Gravity by what was measured: ropes and saucers are not slabs, what hangs high may fly, small gaps are small."""

from __future__ import annotations

from scenes import ball, block, scene

from redraft.brief import Brief
from redraft.result import Report
from redraft.studios.scene.check import check
from redraft.studios.scene.spec import Contact, Scene, Thing

FLOOR = block("Floor", (0, 0, -0.1), (8, 8, 0.1))
SEA = block("Sea", (0, 0, 0), (40, 40, 0))


def judged(made: Scene) -> Report:
    return check(made, None, Brief.of("a harbour"), "strict")


def gravity(report: Report) -> list[tuple[str, str, float]]:
    """Code, thing and meters of what floats or sinks."""
    issues = [issue for issue in report.issues if issue.category == "gravity" and issue.severity != "note"]
    return [(issue.code, issue.subjects[0], round(issue.numbers["found"], 4)) for issue in issues]


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
    assert not gravity(judged(touching(scene(FLOOR, bollard, rope), "Bollard", "Mooring", 0.03)))


def test_a_cup_in_the_well_of_a_saucer_has_not_sunk() -> None:
    saucer, cup = block("Saucer", (0, 0, 0), (0.16, 0.16, 0.02)), block("Cup", (0, 0, 0.008), (0.08, 0.08, 0.08))
    for depth in (0.0, 0.001):
        assert not gravity(judged(touching(scene(FLOOR, saucer, cup), "Cup", "Saucer", depth)))
    solid = judged(touching(scene(FLOOR, saucer, cup), "Cup", "Saucer", 0.008))
    assert gravity(solid) == [("gravity.sinking", "Cup", 0.012)]


def test_a_thing_has_sunk_no_deeper_than_was_measured() -> None:
    dish, egg = block("Dish", (0, 0, 0), (1.0, 1.0, 0.2)), ball("Ball", (0, 0, 0.1), 0.3)
    assert gravity(judged(touching(scene(FLOOR, dish, egg), "Ball", "Dish", 0.025))) == [
        ("gravity.sinking", "Ball", 0.025)
    ]


def test_what_hangs_high_above_everything_is_not_asked_about() -> None:
    high, low = scene(FLOOR, ball("Moon", (0, 0, 3), 0.5)), scene(FLOOR, ball("Ball", (0, 0, 0.3), 0.5))
    assert not gravity(judged(high))
    assert gravity(judged(low)) == [("gravity.floating", "Ball", 0.3)]


def test_what_the_picture_does_not_show_is_not_asked_about() -> None:
    assert not gravity(judged(scene(FLOOR, ball("Ball", (0, 0, 0.3), 0.5, pixels=0.0))))


def test_what_is_set_into_the_ground_a_little_has_not_sunk() -> None:
    assert not gravity(judged(scene(FLOOR, block("Kerb", (0, 0, -0.01), (6, 0.3, 0.2)))))
    sunk = judged(scene(FLOOR, block("Crate", (0, 0, -0.05), (0.5, 0.5, 0.5))))
    assert gravity(sunk) == [("gravity.sinking", "Crate", 0.05)]


def test_what_a_sheet_covers_is_buried() -> None:
    report = judged(scene(SEA, block("Boat", (4, 0, 0), (2, 6, 2)), block("Crate", (0, 0, -3), (1, 1, 1))))
    assert gravity(report) == [("gravity.buried", "Crate", 3.0)]
