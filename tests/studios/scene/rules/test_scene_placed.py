"""Over and beside, as the camera and the plan show them."""

from __future__ import annotations

import pytest
from scenes import ball, block, looking, scene

from redraft.brief import Brief
from redraft.studios.scene.spec import Scene, Thing
from redraft.studios.scene.validate import check

SEA = block("Sea", (0, 0, -0.1), (200, 200, 0.1))
EYE = looking(at=(0.0, -20.0, 0.0))


def directions(made: Scene, brief: str) -> list[tuple[str, ...]]:
    return [issue.subjects for issue in check(made, None, Brief.of(brief)).issues if issue.code == "relation.direction"]


def ship(height: float) -> Thing:
    """In space, 20 m before the camera."""
    return block("Spaceship", (0, 0, height), (10, 8, 2))


PLANET = ball("Planet", (0, 120, -90), 120)


def test_a_ship_before_a_planet_and_higher_in_the_picture_flies_over_it() -> None:
    brief = "a spaceship flying over a planet"
    assert not directions(scene(PLANET, ship(0.0), camera=EYE), brief)
    assert directions(scene(PLANET, ship(-8.0), camera=EYE), brief) == [("Spaceship", "Planet")]


def test_what_stands_behind_is_higher_in_the_picture_and_not_above() -> None:
    things = (SEA, block("Table", (0, 0, 0), (1.4, 0.8, 0.75)), block("Lamp", (0, 6, 0), (0.3, 0.3, 0.5)))
    steep = looking(at=(0.0, -3.0, 4.0))
    assert directions(scene(*things, camera=steep), "a lamp above a table") == [("Lamp", "Table")]


ISLAND = ball("Island", (0, 0, -0.5), 15).model_copy(update={"box": (-7.5, -7.5, -0.5, 7.5, 7.5, 1.3)})


@pytest.mark.parametrize(("place", "wrong"), [((6.5, -6.5), []), ((1.0, -1.0), [("Boat", "Island")])])
def test_beside_is_mostly_outside_the_other_s_plan(place: tuple[float, float], wrong: list[tuple[str, str]]) -> None:
    boat = block("Boat", (*place, -0.2), (3, 2.5, 4))
    assert directions(scene(SEA, ISLAND, boat), "a boat beside an island") == wrong


def test_of_a_list_only_the_last_is_certain_to_be_beside_it() -> None:
    things = (SEA, ISLAND, block("House", (0, 0, 1.3), (3, 3, 3)))
    brief = "an island with palm trees, a little house and a boat beside it"
    assert not directions(scene(*things, block("Boat", (9.5, 0, -0.2), (3, 2.5, 4))), brief)
    inland = scene(*things, block("Boat", (-3, -3, 1.0), (3, 2.5, 4)))
    assert directions(inland, brief) == [("Boat", "Island")]
