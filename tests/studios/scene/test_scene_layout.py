"""Things and their parts, scenery by what it covers, and the plan as the camera sees it."""

from __future__ import annotations

import pytest
from scenes import ball, block, looking, scene

from redraft.studios.board.views.compass import compass
from redraft.studios.board.views.microscope import inspect_components
from redraft.studios.scene.bodies import Space, label_of, side_of
from redraft.studios.scene.layout import layout_of
from redraft.studios.scene.spec import Rest, Scene, Thing
from redraft.tokens import estimate


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Apple.002", "apple"),
        ("apple_red_2", "apple red"),
        ("RedApple", "red apple"),
        ("table_leg_left", "table leg left"),
        ("TableTop2", "table top"),
        ("Äpfel 3", "apfel"),
        ("桌子", "桌子"),
        ("001", "001"),
    ],
)
def test_a_label_is_a_name_without_its_numbers(name: str, label: str) -> None:
    assert label_of(name) == label


def test_a_side_is_read_from_words_and_from_letters() -> None:
    assert [side_of(n)[0] for n in ("Ear_Left", "Ear.R", "ear_l", "Lamp")] == ["left", "right", "left", ""]
    assert side_of("Ear_Left")[1] == side_of("Ear_Right")[1] != side_of("Eye_Right")[1]


def labels(made: Scene) -> dict[str, str]:
    return {body.name: body.label for body in Space(made.facts).bodies.values()}


def test_a_thing_is_a_top_level_object_with_its_parts() -> None:
    robot = [block(n, (i * 0.1, 0, 0), (1, 1, 1), parent="Robot") for i, n in enumerate(("Body", "Head"))]
    made = scene(Thing(name="Robot", kind="EMPTY", location=(0, 0, 0)), *robot, block("Ball", (3, 0, 0), (1, 1, 1)))
    assert labels(made) == {"Robot": "robot", "Ball": "ball"}
    assert [part.name for part in Space(made.facts).bodies["Robot"].parts] == ["Body", "Head"]
    assert {item.name: item.parent for item in layout_of(made)} == {
        "Ball": None, "Robot": None, "Body": "Robot", "Head": "Robot",
    }  # fmt: skip


def test_an_empty_that_holds_the_whole_scene_is_not_a_thing() -> None:
    members = [block(n, (i * 2.0, 0, 0), (1, 1, 1), parent="Root") for i, n in enumerate(("Sofa", "Bed"))]
    rests = tuple(Rest(name=name) for name in ("Sofa", "Bed"))  # as the viewer measures what hangs under a holder
    made = scene(Thing(name="Root", kind="EMPTY", location=(0, 0, 0)), *members, rests=rests)
    assert labels(made) == {"Sofa": "sofa", "Bed": "bed"}


def test_parts_of_one_thing_are_known_by_how_their_names_begin() -> None:
    names = ("Table_Top", "Table_Leg_1", "Table_Leg_2", "Apple_1", "Apple_2")
    space = Space(scene(*(block(name, (i * 2.0, 0, 0), (1, 1, 1)) for i, name in enumerate(names))).facts)
    assert space.akin("Table_Top", "Table_Leg_1")
    assert space.akin("Table_Leg_1", "Table_Leg_2")
    assert not space.akin("Apple_1", "Apple_2")
    assert not space.akin("Table_Top", "Apple_1")


def test_scenery_is_what_covers_the_floor_or_a_wall() -> None:
    made = scene(
        block("Plane", (0, 0, 0), (9, 9, 0)),
        block("Paper", (0, 3, 0), (9, 0.1, 3)),
        block("Table", (0, 0, 0), (1, 1, 0.7)),
        block("Floor Lamp", (2, 0, 0), (0.3, 0.3, 1.5)),
        block("Wall Clock", (2, 2.9, 1), (0.3, 0.2, 0.3)),
    )
    space = Space(made.facts)
    assert {body.name for body in space.actors} == {"Table", "Floor Lamp", "Wall Clock"}
    assert [body.name for body in space.grounds] == ["Plane"]


def test_the_plan_turns_with_the_camera() -> None:
    things = (block("Cube", (2, 0, 0), (1, 1, 1)), block("Box", (0, 3, 0), (1, 1, 1)))
    ahead = layout_of(scene(*things))
    assert ahead.bounds("Cube") == pytest.approx((1.5, -0.5, 2.5, 0.5))
    assert ahead.bounds("Box") == pytest.approx((-0.5, -3.5, 0.5, -2.5))  # farther is up the sheet
    turned = layout_of(scene(*things, camera=looking((-1.0, 0.0, 0.0))))  # right is +y, away is −x
    assert turned.bounds("Cube") == pytest.approx((-0.5, 1.5, 0.5, 2.5))
    assert turned["Cube"].height == pytest.approx((0.0, 1.0))


def test_the_compass_speaks_of_near_and_far() -> None:
    made = scene(
        block("Floor", (0, 0, -0.1), (9, 9, 0.1)), block("Sofa", (0, 3, 0), (2, 1, 1)), ball("Ball", (1, -3, 0), 0.4)
    )
    said = compass(layout_of(made))
    assert said.startswith("Scene 2.2 × 6.7 m")
    assert "Sofa (sofa, thing, 2 × 1 m) is in Far-Center zone, at Far-Edge" in said.replace("Left-Edge", "Far-Edge")
    assert "in front Ball" in said
    assert not any(word in said for word in ("Top", "Bottom", "above", "below", "anvas", "oard", "nets"))
    assert estimate(said) < 1000


def test_the_microscope_gives_metres() -> None:
    made = scene(block("Sofa", (0, 3, 0), (2, 1, 1)), ball("Ball", (1.4, 3, 0), 0.4))
    view = inspect_components(layout_of(made), ["Sofa"], 1.0).data()
    assert view["viewport"]["units"] == "m"
    (gap,) = view["gaps"]
    assert gap["distance"] == pytest.approx(0.2)
