"""The solver: what floats comes down by its drop, what sinks comes up, what meets is parted, distances are kept."""

from __future__ import annotations

from scenes import ball, block, looking, scene

from redraft.brief import Brief
from redraft.result import Report
from redraft.studios.scene.solve import mend
from redraft.studios.scene.spec import Scene, Shift, Thing, Vector
from redraft.studios.scene.validate import check

FLOOR = block("Floor", (0, 0, -0.1), (8, 8, 0.1))


def solved(made: Scene, brief: str = "a room") -> tuple[dict[str, Vector], Report, Report]:
    """Shifts by object, the report before, and the one after them."""
    asked = Brief.of(brief)
    before = check(made, None, asked)
    shifts, note = mend(made, None, before, asked, 0)
    assert bool(note) == bool(shifts)
    assert mend(made, None, before, asked, 7) == (shifts, note)
    return {s.name: s.by for s in shifts}, before, check(after(made, shifts), None, asked)


def after(made: Scene, shifts: tuple[Shift, ...]) -> Scene:
    """The scene, built again with its things moved."""
    by = {shift.name: shift.by for shift in shifts}
    things = [_moved(thing, by.get(thing.name, (0.0, 0.0, 0.0))) for thing in made.facts.things]
    return scene(*things, camera=made.facts.camera)


def _moved(thing: Thing, by: Vector) -> Thing:
    assert thing.box is not None
    x, y, z = by
    a = thing.box
    rings = tuple(tuple((px + x, py + y) for px, py in ring) for ring in thing.footprint)
    return thing.model_copy(
        update={"box": (a[0] + x, a[1] + y, a[2] + z, a[3] + x, a[4] + y, a[5] + z), "footprint": rings}
    )


def table(x: float = 0.0, y: float = 0.0) -> Thing:
    return block("Table", (x, y, 0.7), (1.4, 0.8, 0.05))


def foot(x: float = 0.0) -> Thing:
    return block("Table_Leg", (x, 0, 0), (0.1, 0.1, 0.7))


def test_what_floats_comes_down_by_its_drop() -> None:
    by, before, later = solved(scene(FLOOR, table(), foot(), ball("Apple", (0.3, 0, 0.781), 0.08)))
    assert by == {"Apple": (0.0, 0.0, -0.031)}
    assert not before.valid or before.warnings
    assert not later.issues


def test_parts_that_float_together_come_down_together() -> None:
    lamp = [block("Vase", (0, 0, 0.9), (0.1, 0.1, 0.2)), block("Flower", (0, 0, 1.1), (0.05, 0.05, 0.3))]
    by, _, later = solved(scene(FLOOR, table(), foot(), *lamp), "a vase with a flower on a table")
    assert by == {"Vase": (0.0, 0.0, -0.15), "Flower": (0.0, 0.0, -0.15)}
    assert not [i for i in later.issues if i.category == "gravity"]


def test_what_floats_above_what_floats_falls_by_both() -> None:
    things = (block("Box", (0, 0, 0.4), (0.5, 0.5, 0.3)), block("Book", (0, 0, 0.9), (0.2, 0.3, 0.05)))
    by, _, later = solved(scene(FLOOR, *things))
    assert by == {"Box": (0.0, 0.0, -0.4), "Book": (0.0, 0.0, -0.6)}
    assert not later.issues


def test_what_sinks_comes_up_with_what_stands_on_it() -> None:
    things = (block("Stool", (0, 0, -0.1), (0.4, 0.4, 0.5)), block("Book", (0, 0, 0.4), (0.2, 0.2, 0.03)))
    by, before, later = solved(scene(FLOOR, *things))
    assert [i.code for i in before.issues] == ["gravity.sinking"]
    assert by == {"Stool": (0.0, 0.0, 0.1), "Book": (0.0, 0.0, 0.1)}
    assert not later.issues


def test_the_smaller_of_two_slides_out_the_short_way_and_takes_along_what_it_carries() -> None:
    chair, book = block("Chair", (0.84, 0, 0), (0.5, 0.5, 0.9)), block("Book", (0.84, 0, 0.9), (0.2, 0.2, 0.03))
    by, before, later = solved(scene(FLOOR, block("Desk", (0, 0, 0), (1.4, 0.8, 0.75)), chair, book))
    assert [i.code for i in before.errors] == ["overlap.interpenetration"]
    assert set(by) == {"Chair", "Book"}
    assert by["Chair"] == by["Book"]
    x, y, z = by["Chair"]
    assert 0.11 < x < 0.12
    assert (y, z) == (0.0, 0.0)
    assert not later.issues


def test_a_stated_side_is_not_left_for_a_shorter_way() -> None:
    desk = block("Desk", (0, 0, 0), (1.4, 0.8, 0.75))
    chair = block("Chair", (0.5, 0.2, 0), (0.5, 0.5, 0.9))
    brief = "a chair to the right of a desk"
    by, _, later = solved(scene(FLOOR, desk, chair, block("Sofa", (0, 1.4, 0), (2, 0.8, 0.8))), brief)
    if by:
        assert not [i for i in later.errors if i.code == "relation.direction"]


def test_a_stated_distance_is_made_exact_along_the_camera_s_right() -> None:
    for way in ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0)):
        side = way[1]
        things = (FLOOR, table(), foot(), block("Chair", (-1.6 * side, 0, 0), (0.45, 0.45, 0.9)))
        by, before, later = solved(scene(*things, camera=looking(way)), "a chair 0.5 m left of a table")
        assert [i.code for i in before.issues] == ["distance.metres"]
        # Edge to edge: the chair's near edge at 0.7 + 0.5 from the table's middle.
        assert by == {"Chair": (round((1.6 - 1.425) * side, 6), 0.0, 0.0)}
        assert not later.issues


def test_scenery_stays_and_what_cannot_be_solved_is_left() -> None:
    by, before, _ = solved(scene(FLOOR, table(), foot()), "two tables")
    assert not by
    assert [i.code for i in before.errors] == ["count.missing"]


def test_a_right_scene_is_left_as_it_is() -> None:
    by, before, _ = solved(scene(FLOOR, table(), foot(), ball("Apple", (0.3, 0, 0.75), 0.08)))
    assert not by
    assert not before.issues
