"""Things and their parts from names, parents, contacts and collections; the plan as the camera sees it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scenes import ball, block, looking, scene

from redraft.spatial.compass import compass
from redraft.spatial.microscope import inspect_components
from redraft.spatial.token_budget import estimate
from redraft.studios.scene.elevation import Elevation, above, front
from redraft.studios.scene.layout import layout_of, to_world
from redraft.studios.scene.naming import label_of, named, typical_size
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Scene, Thing


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Apple.002", "apple"),
        ("apple_red_2", "red apple"),
        ("RedApple", "red apple"),
        ("table_leg_left", "table leg"),
        ("TableTop", "table top"),
        ("Äpfel", "apfel"),
        ("wine_glass", "wine glass"),
        ("Orange", "orange"),
        ("SM_Chair_01", "chair"),
        ("Table_Round", "round table"),
        ("Campfire_Stone_4", "campfire stone"),
        ("BackWall", "wall"),
        ("Chair_Back", "chair back"),
        ("Wheel_Back_L", "wheel"),
        ("桌子", "桌子"),
        ("001", "001"),
    ],
)
def test_a_label_is_the_noun_of_a_name(name: str, label: str) -> None:
    assert label_of(name) == label


def test_a_side_is_read_from_words_and_from_letters() -> None:
    assert [named(n).side for n in ("Ear_Left", "Ear.R", "ear_l", "Lamp")] == ["left", "right", "left", ""]
    assert named("Ear_Left").role == named("Ear_Right").role != named("Eye_Right").role


def test_every_usual_size_is_a_range_of_positive_lengths() -> None:
    for noun in ("apple", "dining table", "coffee table", "house"):
        low, high = typical_size(noun) or (0.0, 0.0)
        assert 0 < low < high
    assert typical_size("table leg") is None


def labels(made: Scene) -> dict[str, str]:
    return {body.name: body.label for body in Space(made.facts).bodies.values()}


def test_parts_without_a_parent_are_one_thing_when_they_touch_and_begin_alike() -> None:
    top = block("Table_Top", (0, 0, 0.7), (1.4, 0.8, 0.05))
    legs = [block(f"Table_Leg_{i}", (x, 0, 0), (0.06, 0.06, 0.7)) for i, x in enumerate((-0.6, 0.6))]
    apart = block("Table_Leg_9", (3, 0, 0), (0.06, 0.06, 0.7))
    found = Space(scene(top, *legs, apart).facts).bodies
    assert found["Table_Top"].label == "table"
    assert found["Table_Top"].roots == ("Table_Leg_0", "Table_Leg_1", "Table_Top")
    assert found["Table_Leg_9"].label == "table leg"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Table_Top", "Table_Lamp"),  # a lamp is a thing of its own
        ("Coffee_Table", "Coffee_Cup"),
        ("Apple_Red", "Apple_Green"),
        ("Chair_1_Seat", "Chair_2_Leg"),
        ("Kitchen_Counter_Top", "Kitchen_Tap"),
        ("Desk_Top", "Desk_Lamp_Base"),
    ],
)
def test_what_only_begins_alike_stays_apart(one: str, other: str) -> None:
    made = scene(block(one, (0, 0, 0), (1, 1, 0.5)), block(other, (0, 0, 0.5), (0.2, 0.2, 0.3)))
    assert len(labels(made)) == 2


def test_a_collection_named_as_a_thing_holds_its_parts() -> None:
    top = block("top", (0, 0, 0.7), (1, 1, 0.05), collection="Table")
    leg = block("column", (0, 0, 0), (0.1, 0.1, 0.7), collection="Table")
    apple = ball("Apple", (0, 0, 0.75), 0.08, collection="Table")
    assert labels(scene(top, leg, apple)) == {"Apple": "apple", "top": "table"}
    loose = [thing.model_copy(update={"collection": "Tables"}) for thing in (top, leg)]
    assert len(labels(scene(*loose))) == 2


def test_an_empty_that_says_nothing_stands_for_its_members() -> None:
    members = [block(n, (i * 2.0, 0, 0), (1, 1, 1), parent="Furniture") for i, n in enumerate(("Sofa", "Bed"))]
    group = Thing(name="Furniture", kind="EMPTY", location=(0, 0, 0))
    assert labels(scene(group, *members)) == {"Sofa": "sofa", "Bed": "bed"}
    robot = [block(n, (i * 0.1, 0, 0), (1, 1, 1), parent="Robot") for i, n in enumerate(("Body", "Head"))]
    assert labels(scene(Thing(name="Robot", kind="EMPTY", location=(0, 0, 0)), *robot)) == {"Robot": "robot"}


def test_scenery_is_told_by_its_name_or_by_lying_under_everything() -> None:
    made = scene(
        block("Plane", (0, 0, 0), (9, 9, 0)),
        block("Wall_Back", (0, 3, 0), (9, 0.1, 3)),
        block("Table", (0, 0, 0), (1, 1, 0.7)),
    )
    space = Space(made.facts)
    assert [body.name for body in space.actors] == ["Table"]
    assert not Space(scene(block("Table", (0, 0, 0), (9, 9, 0.7)), ball("Apple", (0, 0, 0.7), 0.1)).facts).grounds


def test_the_plan_turns_with_the_camera() -> None:
    things = (block("Cube", (2, 0, 0), (1, 1, 1)), block("Box", (0, 3, 0), (1, 1, 1)))
    ahead = layout_of(scene(*things))
    assert ahead.bounds("Cube") == pytest.approx((1.5, -0.5, 2.5, 0.5))
    assert ahead.bounds("Box") == pytest.approx((-0.5, -3.5, 0.5, -2.5))  # farther is up the sheet
    turned = layout_of(scene(*things, camera=looking((-1.0, 0.0, 0.0))))  # right is +y, away is −x
    assert turned.bounds("Cube") == pytest.approx((-0.5, 1.5, 0.5, 2.5))
    assert turned["Cube"].height == pytest.approx((0.0, 1.0))


def test_steps_in_the_plan_are_steps_in_the_world() -> None:
    space = Space(scene(block("Cube", (0, 0, 0), (1, 1, 1)), camera=looking((-1.0, 0.0, 0.0))).facts)
    assert to_world(space, 1.0, 0.0) == pytest.approx((0.0, 1.0))
    assert to_world(space, 0.0, -2.0) == pytest.approx((-2.0, 0.0))


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


def test_an_elevation_is_as_wide_as_the_footprints_seen_from_there() -> None:
    beam = block("Beam", (0, 0, 0), (4, 0.2, 1))
    ahead, aslant = (front(Space(scene(beam, camera=looking(way)).facts)) for way in ((0, 1, 0), (1, 0, 0)))
    (x0, y0, x1, y1), (u0, _, u1, _) = ahead.layout.bounds("Beam"), aslant.layout.bounds("Beam")
    assert (x1 - x0) * ahead.metres == pytest.approx(4.0)
    assert (y1 - y0) * ahead.metres == pytest.approx(1.0)
    assert (u1 - u0) * aslant.metres == pytest.approx(0.2)


def test_what_is_nearer_is_painted_later() -> None:
    made = scene(block("Near", (0, -2, 0), (1, 1, 1)), block("Far", (0, 2, 0), (1, 1, 1)))
    assert [item.name for item in front(Space(made.facts)).layout] == ["Far", "Near"]


@pytest.mark.parametrize("view", [front, above])
def test_a_step_on_an_elevation_is_one_in_the_world(view: Callable[[Space], Elevation]) -> None:
    things = [block("A", (0, 0, 0), (1, 1, 1)), block("B", (3, 1, 2), (1, 1, 1))]
    made = view(Space(scene(*things, camera=looking((1.0, 1.0, 0.0))).facts))
    a, b = (made.layout.bounds(name) for name in ("A", "B"))
    step = made.step(b[0] - a[0], b[1] - a[1])
    right = made.across
    assert step[0] * right[0] + step[1] * right[1] == pytest.approx(3 * right[0] + right[1])
    assert step[2] == pytest.approx(0.0 if view is above else 2.0)
