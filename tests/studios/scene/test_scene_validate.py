"""The report on a scene: precision on right scenes by hand, what a base had, what is unchecked; and real scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from anyio.from_thread import start_blocking_portal
from real_parts import needs
from scene_scripts import Script, built, scripts
from scenes import ball, block, looking, scene

from redraft.brief import Brief
from redraft.result import Report
from redraft.sandbox import Sandbox
from redraft.studios.scene.solve import mend, with_shifts, without_shifts
from redraft.studios.scene.spec import Scene, Shift, Thing
from redraft.studios.scene.validate import check, nouns_of

FLOOR = block("Floor", (0, 0, -0.1), (8, 8, 0.1))
PAINT = {"materials": ("Paint",)}


def report(made: Scene, brief: str, base: Scene | None = None) -> Report:
    return check(made, base, Brief.of(brief))


def codes(found: Report) -> list[str]:
    return [issue.code for issue in found.issues if issue.severity != "hint"]


def bowl() -> Thing:
    return block("Bowl", (0, 0, 0.75), (0.3, 0.3, 0.1), closed=False)


def table() -> tuple[Thing, Thing]:
    return block("Table_Top", (0, 0, 0.7), (1.4, 0.8, 0.05)), block("Table_Leg", (0, 0, 0), (0.2, 0.2, 0.7))


def test_apples_in_a_bowl_on_a_table_are_right() -> None:
    apples = [
        ball(f"Apple_{i}", (x, 0, 0.77), 0.09, colours=("#b01515",), **PAINT) for i, x in enumerate((-0.07, 0.07))
    ]
    brief = "two red apples in a bowl on a table"
    assert not codes(report(scene(FLOOR, *table(), bowl(), *apples), brief))
    beside = apples[0].model_copy(update={"box": (0.5, 0, 0.75, 0.59, 0.09, 0.84), "footprint": ()})
    assert codes(report(scene(FLOOR, *table(), bowl(), beside, apples[1]), brief)) == ["relation.inside"]


@pytest.mark.parametrize(
    ("name", "brief"),
    [
        ("Lamp", "a lamp hanging from above"),
        ("Cloud", "a cloud"),
        ("Bird_Flying", "a garden"),
        ("Crate", "a crate floating above the floor"),
        ("Ball", "a boy throwing a ball"),
        ("Box", "boxes in outer space"),
    ],
)
def test_what_hangs_flies_or_is_thrown_needs_nothing_under_it(name: str, brief: str) -> None:
    assert "gravity.floating" not in codes(report(scene(FLOOR, block(name, (0, 0, 1), (0.4, 0.4, 0.4))), brief))


def test_a_brief_that_lets_one_thing_hang_does_not_let_the_others() -> None:
    things = (FLOOR, *table(), block("Lamp", (0, 0, 1.6), (0.3, 0.3, 0.3)), ball("Bowl", (0.3, 0, 0.95), 0.2))
    found = report(scene(*things), "a lamp hanging above a table with a bowl")
    assert [i.subjects for i in found.issues if i.code == "gravity.floating"] == [("Bowl", "Table_Top")]


def test_what_is_held_by_what_stands_does_not_float() -> None:
    shelf = block("Board", (0, 0.9, 1.0), (1, 0.2, 0.03))
    wall = block("Wall", (0, 1.05, 0), (4, 0.1, 2.5))
    assert not codes(report(scene(FLOOR, wall, shelf, block("Vase", (0, 0.9, 1.03), (0.1, 0.1, 0.2))), "a wall"))


@pytest.mark.parametrize("times", [0.1, 1.0, 10.0, 100.0])
def test_a_scene_may_be_at_any_scale(times: float) -> None:
    def at(name: str, x: float, w: float, h: float) -> Thing:
        return block(name, (x * times, 0, 0), (w * times, w * times, h * times))

    things = (at("Table", 0, 1.2, 0.75), at("Chair", 1.5, 0.45, 0.9), at("Sofa", -3, 2.0, 0.8))
    assert "ratio.proportion" not in codes(report(scene(*things), "a room"))
    odd = report(scene(*things, at("Apple", 4, 0.7, 0.7)), "a room")
    assert [i.subjects[0] for i in odd.issues if i.code == "ratio.proportion"] == ["Apple"]


def test_what_the_brief_wants_large_is_not_out_of_proportion() -> None:
    things = (FLOOR, *table(), block("Chair", (1.5, 0, 0), (0.45, 0.45, 0.9)), ball("Apple", (-2, 0, 0), 0.9))
    assert "ratio.proportion" in codes(report(scene(*things), "an apple, a chair and a table"))
    assert "ratio.proportion" not in codes(report(scene(*things), "a giant apple, a chair and a table"))


@pytest.mark.parametrize(
    ("small", "large"),
    [("Tree", "Hill"), ("Coffee", "Cup"), ("Cushion", "Sofa"), ("Rock", "Ground"), ("Flower", "Vase")],
)
def test_what_grows_fills_or_is_soft_may_reach_into_things(small: str, large: str) -> None:
    things = (block(large, (0, 0, 0), (1, 1, 1)), block(small, (0, 0, 0.6), (0.3, 0.3, 1.0)))
    found = report(scene(*things), f"a {small.lower()} and a {large.lower()}")
    assert not [i for i in found.issues if i.code in {"overlap.interpenetration", "gravity.sinking"}]


def test_left_is_the_camera_s_left() -> None:
    things = (FLOOR, block("Chair", (-2, 0, 0), (0.5, 0.5, 0.9)), block("Table", (0.5, 0, 0), (1, 1, 0.75)))
    brief = "a chair to the left of a table"
    assert not codes(report(scene(*things), brief))
    behind = report(scene(*things, camera=looking((0, -1, 0), (0, 6, 1.5))), brief)
    assert codes(behind) == ["relation.direction"]
    (issue,) = behind.errors
    assert issue.numbers["dx"] > 2.0  # from behind, the camera's left is +x


def test_beside_may_be_before_or_behind() -> None:
    chair, desk = block("Chair", (0, -1.5, 0), (0.5, 0.5, 0.9)), block("Desk", (0, 0, 0), (1.4, 0.7, 0.75))
    assert not codes(report(scene(FLOOR, chair, desk), "a chair beside a desk"))


def test_issues_of_the_base_are_inherited() -> None:
    base = scene(FLOOR, block("Chair", (0, 0, 0.4), (0.45, 0.45, 0.9)))
    more = scene(*base.facts.things, block("Table", (2, 0, 0.3), (1, 1, 0.75)))
    found = report(more, "now add a table", base)
    assert [i.subjects[0] for i in found.issues] == ["Table"]
    assert [i.subjects[0] for i in found.inherited] == ["Chair"]


def test_it_is_the_main_thing_of_the_base() -> None:
    base = scene(FLOOR, block("Car", (0, 0, 0), (2, 4, 1.5), pixels=0.3), ball("Ball", (3, 0, 0), 0.3))
    assert nouns_of(base)[0] == "car"
    assert nouns_of(None) == ()


def test_words_that_no_rule_understands_are_unchecked() -> None:
    found = report(scene(FLOOR, *table()), "a cosy table in the style of the seventies")
    assert "cosy" in " ".join(found.unchecked)
    german = "ein Tisch mit drei Stühlen"
    assert report(scene(FLOOR, *table()), german).unchecked == (german,)


def test_missing_scenery_and_joined_parts_are_no_errors() -> None:
    found = report(scene(FLOOR, block("Cup", (0, 0, 0), (0.1, 0.1, 0.1))), "a cup with a handle in the snow")
    assert not found.errors


def test_a_part_that_is_no_child_of_its_whole_is_not_missing() -> None:
    house, door = block("House", (0, 0, 0), (6, 5, 4)), block("Door", (0, -2.5, 0), (1, 0.1, 2))
    assert not [i for i in report(scene(FLOOR, house, door), "a house with a door").issues if i.category == "count"]


def test_an_unread_colour_is_not_held_against_a_thing() -> None:
    for colour, expected in (("#e7e7e7", []), ("#10a010", ["colour.other"])):
        made = scene(FLOOR, ball("Ball", (0, 0, 0), 0.3, colours=(colour,), **PAINT))
        assert codes(report(made, "a red ball")) == expected


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Scene]]:
    """Runs scripts, all in the same warm workers."""
    needs("blender")
    needs("bwrap")
    with start_blocking_portal() as portal:
        box = Sandbox(tmp_path_factory.mktemp("sandbox"))
        with portal.wrap_async_context_manager(box):
            yield lambda text: portal.call(built, text, box)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("script", scripts("good"), ids=lambda script: script.name)
def test_a_good_script_has_no_fault(script: Script, build: Callable[[str], Scene]) -> None:
    made = build(script.text)
    found = report(made, script.brief)
    assert not codes(found), [issue.message for issue in found.issues]


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("script", scripts("faulty"), ids=lambda script: script.name)
def test_a_planted_fault_is_found_and_nothing_else(script: Script, build: Callable[[str], Scene]) -> None:
    made = build(script.text)
    found = report(made, script.brief)
    assert set(codes(found)) == set(script.codes), [issue.message for issue in found.issues]
    assert set(script.subjects) <= {name for issue in found.issues for name in issue.subjects}


SOLVED = ("chair_in_desk", "far_mug", "floating_chair", "floating_mug", "sunk_chair", "sunk_mug")
"""Faulty scripts that geometry alone puts right."""


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("script", [s for s in scripts("faulty") if s.name in SOLVED], ids=lambda script: script.name)
def test_the_solver_puts_a_script_right_in_one_pass(script: Script, build: Callable[[str], Scene]) -> None:
    brief = Brief.of(script.brief)
    made = build(script.text)
    shifts, _ = mend(made, None, check(made, None, brief), brief, 0)
    code = with_shifts(script.text, shifts)
    again = build(code)
    assert not codes(check(again, None, brief))
    assert mend(again, None, check(again, None, brief), brief, 0)[0] == ()
    assert without_shifts(code) == script.text


PARENTED = """
import bpy
from math import radians

group = bpy.data.objects.new("Group", None)
bpy.context.scene.collection.objects.link(group)
group.location, group.rotation_euler, group.scale = (1, 2, 3), (0.3, radians(90), 0.5), (2, 3, 0.5)
for i, turned in enumerate((False, True)):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(i * 3.0, 0, 0))
    cube = bpy.context.object
    cube.name = 'Cube "Ä" ' + str(i)
    if turned:
        cube.parent = group
        cube.delta_location = (0.1, 0.2, 0.3)
        cube.rotation_euler = (0.1, 0.2, 0.3)
"""


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_block_moves_things_in_the_world_whatever_holds_them(build: Callable[[str], Scene]) -> None:
    shifts = [Shift(name=f'Cube "Ä" {i}', by=(0.5, -0.25, 0.125)) for i in range(2)]
    before, moved = build(PARENTED), build(with_shifts(PARENTED, shifts))
    for one, two in zip(before.facts.things, moved.facts.things, strict=True):
        by = (0.5, -0.25, 0.125) if one.kind == "MESH" else (0.0, 0.0, 0.0)
        assert [b - a for a, b in zip(one.location, two.location, strict=True)] == pytest.approx(by, abs=2e-4)
    assert "no object" not in moved.printed
