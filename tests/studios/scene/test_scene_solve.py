"""The solver: what floats comes down by its drop, what sinks comes up, what meets is parted, what was stated holds."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue
from scenes import ball, block, looking, scene

from redraft.brief import Brief
from redraft.layout import Move
from redraft.result import Report
from redraft.studios.scene.shifts import moved_scene, shifted
from redraft.studios.scene.solve import prepare, repair
from redraft.studios.scene.spec import Change, Scene, Thing, Vector
from redraft.studios.scene.validate import check

FLOOR = block("Floor", (0, 0, -0.1), (8, 8, 0.1))


def solved(
    made: Scene, brief: str = "a room", stated: Sequence[JsonValue] = ()
) -> tuple[dict[str, Vector], Report, Report]:
    """Prepared shifts by object, the report before, and the one after them."""
    made, asked = made.model_copy(update={"requirements": (*stated,)}), Brief.of(brief)
    before = check(made, None, asked)
    moves = list[Move]()
    for issue in before.questions:
        found = prepare(made, None, before, asked, 0, issue)
        assert bool(found.note) == bool(found.moves)
        assert prepare(made, None, before, asked, 7, issue) == found
        moves += found.moves
    by = by_name(moves)
    return by, before, check(after(made, by), None, asked)


def by_name(moves: Sequence[Move]) -> dict[str, Vector]:
    found: dict[str, Vector] = {}
    for move in moves:
        x, y, z = found.get(move.item, (0.0, 0.0, 0.0))
        found[move.item] = (x + move.matrix[4], y + move.matrix[5], z + (move.lift or 0.0))
    return {name: (round(x, 6), round(y, 6), round(z, 6)) for name, (x, y, z) in found.items()}


def after(made: Scene, by: dict[str, Vector]) -> Scene:
    """The scene, built again with its things moved."""
    things = [shifted(thing, by.get(thing.name, (0.0, 0.0, 0.0))) for thing in made.facts.things]
    return scene(*things, camera=made.facts.camera).model_copy(update={"requirements": made.requirements})


def table(x: float = 0.0, y: float = 0.0) -> Thing:
    return block("Table", (x, y, 0.7), (1.4, 0.8, 0.05))


def foot(x: float = 0.0) -> Thing:
    return block("Table_Leg", (x, 0, 0), (0.1, 0.1, 0.7))


def test_what_floats_comes_down_by_its_drop() -> None:
    by, before, later = solved(scene(FLOOR, table(), foot(), ball("Apple", (0.3, 0, 0.781), 0.08)))
    assert by == {"Apple": (0.0, 0.0, -0.031)}
    assert [(i.code, i.severity) for i in before.issues] == [("gravity.floating", "question")]
    assert not later.issues


def test_what_is_stated_to_stand_on_something_comes_down_onto_it() -> None:
    on = {"kind": "relation", "quote": "an apple on the table", "parts": ["Apple"], "relation": "on", "of": ["Table"]}
    made = scene(FLOOR, table(), foot(), ball("Apple", (0.3, 0, 0.781), 0.08)).model_copy(
        update={"requirements": (on,)}
    )
    asked = Brief.of("an apple on the table")
    report = check(made, None, asked)
    (issue,) = (issue for issue in report.questions if issue.basis == "requirement")
    found = prepare(made, None, report, asked, 0, issue)
    assert by_name(found.moves) == {"Apple": (0.0, 0.0, -0.031)}
    assert found.note == "lower Apple by 3.1 cm onto Table"
    assert not check(after(made, by_name(found.moves)), None, asked).issues


def test_parts_that_float_together_come_down_together() -> None:
    lamp = [block("Vase", (0, 0, 0.9), (0.1, 0.1, 0.2)), block("Flower", (0, 0, 1.1), (0.05, 0.05, 0.3))]
    by, _, later = solved(scene(FLOOR, table(), foot(), *lamp))
    assert by == {"Vase": (0.0, 0.0, -0.15), "Flower": (0.0, 0.0, -0.15)}
    assert not [i for i in later.issues if i.category == "gravity"]


def test_what_floats_takes_along_what_floats_above_it() -> None:
    things = (block("Box", (0, 0, 0.2), (0.5, 0.5, 0.3)), block("Book", (0, 0, 0.54), (0.2, 0.3, 0.05)))
    by, _, later = solved(scene(FLOOR, *things))
    assert by == {"Box": (0.0, 0.0, -0.2), "Book": (0.0, 0.0, -0.2)}
    assert [issue.subjects for issue in later.questions] == [("Book", "Box")]
    assert solved(after(scene(FLOOR, *things), by))[0] == {"Book": (0.0, 0.0, -0.04)}


def test_what_sinks_comes_up_with_what_stands_on_it() -> None:
    things = (block("Stool", (0, 0, -0.1), (0.4, 0.4, 0.5)), block("Book", (0, 0, 0.4), (0.2, 0.2, 0.03)))
    by, before, later = solved(scene(FLOOR, *things))
    assert [i.code for i in before.issues] == ["gravity.sinking"]
    assert by == {"Stool": (0.0, 0.0, 0.1), "Book": (0.0, 0.0, 0.1)}
    assert not later.issues


def test_the_smaller_of_two_slides_out_the_short_way_and_takes_along_what_it_carries() -> None:
    chair, book = block("Chair", (0.84, 0, 0), (0.5, 0.5, 0.9)), block("Book", (0.84, 0, 0.9), (0.2, 0.2, 0.03))
    by, before, later = solved(scene(FLOOR, block("Desk", (0, 0, 0), (1.4, 0.8, 0.75)), chair, book))
    assert [i.code for i in before.questions] == ["overlap.interpenetration"]
    assert set(by) == {"Chair", "Book"}
    assert by["Chair"] == by["Book"]
    x, y, z = by["Chair"]
    assert 0.11 < x < 0.12
    assert (y, z) == (0.0, 0.0)
    assert not later.issues


LEFT: JsonValue = {"kind": "relation", "parts": ["Chair"], "relation": "left_of", "of": ["Desk"]}
NEAR: JsonValue = {"kind": "distance", "parts": ["Chair"], "of": ["Table"], "length": 0.5, "axis": "x"}


def test_a_stated_side_is_not_left_for_a_shorter_way() -> None:
    desk = block("Desk", (0, 0, 0), (1.4, 0.8, 0.75))
    chair = block("Chair", (-0.5, 0.2, 0), (0.5, 0.5, 0.9))
    by, before, later = solved(scene(FLOOR, desk, chair, block("Sofa", (0, 1.4, 0), (2, 0.8, 0.8))), stated=[LEFT])
    assert "overlap.interpenetration" in [i.code for i in before.questions]
    assert not by or not [i for i in later.issues if i.basis == "requirement"]


def test_a_stated_distance_is_made_exact_along_the_camera_s_right() -> None:
    for side in (1.0, -1.0):
        things = (FLOOR, table(), foot(), block("Chair", (-1.6 * side, 0, 0), (0.45, 0.45, 0.9)))
        by, before, later = solved(scene(*things, camera=looking((0.0, side, 0.0))), stated=[NEAR])
        assert [i.code for i in before.issues] == ["requirement.distance"]
        # Edge to edge: the chair's near edge at 0.7 + 0.5 from the table's middle.
        assert by == {"Chair": (round((1.6 - 1.425) * side, 6), 0.0, 0.0)}
        assert not later.issues


def test_what_cannot_be_solved_is_left() -> None:
    two: JsonValue = {"kind": "count", "parts": ["Table*"], "number": 5}
    by, before, _ = solved(scene(FLOOR, table(), foot()), stated=[two])
    assert not by
    assert [i.code for i in before.questions] == ["requirement.count"]


def test_a_fix_that_makes_something_else_worse_is_not_prepared() -> None:
    mug, shelf = ball("Mug", (0, 0, 0.05), 0.1), block("Shelf", (0, 0, 0.15), (1, 1, 0.03))
    high: JsonValue = {"kind": "relation", "parts": ["Mug"], "relation": "touches", "of": ["Shelf"]}
    by, before, _ = solved(scene(FLOOR, mug, shelf, block("Post", (0.45, 0, 0), (0.1, 0.1, 0.15))), stated=[high])
    assert "requirement.relation" not in [i.code for i in before.issues]
    assert "Mug" not in by


def test_a_right_scene_is_left_as_it_is() -> None:
    by, before, _ = solved(scene(FLOOR, table(), foot(), ball("Apple", (0.3, 0, 0.75), 0.08)))
    assert not by
    assert not before.issues


def test_nothing_is_moved_unasked_but_what_is_certain() -> None:
    asked = Brief.of("a chair beside a table")
    made = scene(FLOOR, table(), foot(), ball("Apple", (0.3, 0, 0.781), 0.08), block("Chair", (-1.6, 0, 0), (1, 1, 1)))
    made = made.model_copy(update={"requirements": (NEAR,)})
    report = check(made, None, asked)
    assert {i.severity for i in report.issues} == {"question"}
    assert not repair(made, None, report, asked, 0).moves
    strict = check(made, None, asked, "strict")
    assert by_name(repair(made, None, strict, asked, 0).moves) == {"Apple": (0.0, 0.0, -0.031)}


def test_what_an_edit_moved_unasked_goes_back_with_what_stands_elsewhere_left() -> None:
    things = (FLOOR, table(), foot(), block("Chair", (-1.6, 0, 0), (0.5, 0.5, 0.9)), ball("Ball", (2, 0, 0), 0.3))
    base, asked = scene(*things), Brief.of("move the ball")
    moved = moved_scene(base, {"Chair": (0.2, 0.1, 0.0), "Ball": (0.5, 0.0, 0.0)})
    edited = moved.model_copy(update={"changes": (Change(part="Ball", reason="asked for"),)})
    report = check(edited, base, asked)
    assert [(i.code, i.subjects) for i in report.errors] == [("edit.unlisted", ("Chair",))]
    assert by_name(repair(edited, base, report, asked, 0).moves) == {"Chair": (-0.2, -0.1, 0.0)}
