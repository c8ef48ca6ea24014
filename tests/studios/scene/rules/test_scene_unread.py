"""Words that nothing checks: no more of them than there are, and colours of changes are checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from scenes import ball, block, scene

from redraft.brief import Brief
from redraft.result import Report
from redraft.studios.scene.spec import Scene, Thing
from redraft.studios.scene.validate import check

FLOOR = block("Floor", (0, 0, -0.1), (8, 8, 0.1))
TABLE = (block("Table_Top", (0, 0, 0.7), (1.4, 0.8, 0.05)), block("Table_Leg", (0, 0, 0), (0.2, 0.2, 0.7)))
PAINT = {"materials": ("Paint",)}


def bowl(colour: str = "#f0f0f0") -> Thing:
    return block("Bowl", (0, 0, 0.75), (0.3, 0.3, 0.1), closed=False, colours=(colour,), **PAINT)


def apples(y: float = 0.0) -> list[Thing]:
    places = enumerate((-0.09, 0.0, 0.09))
    return [ball(f"Apple_{i}", (x, y, 0.77), 0.08, colours=("#b01515",), **PAINT) for i, x in places]


def report(made: Scene, brief: str, base: Scene | None = None) -> Report:
    return check(made, base, Brief.of(brief))


def test_a_target_alone_leaves_nothing_unchecked() -> None:
    made = scene(FLOOR, *TABLE)
    found = check(made, None, Brief.of("", target=Path("photo.png")))
    assert found.unchecked == ()
    assert not found.errors


def test_a_guess_that_holds_is_checked() -> None:
    brief = "a wooden table with three red apples in a white bowl"
    assert "in" not in report(scene(FLOOR, *TABLE, bowl(), *apples()), brief).unchecked
    assert "in" in report(scene(FLOOR, *TABLE, bowl(), *apples(y=0.3)), brief).unchecked


def test_a_phrase_said_twice_is_unchecked_where_one_of_them_is() -> None:
    cube, box = block("Cube", (2, 0, 0), (0.2, 0.2, 0.2)), block("Box", (3, 0, 0), (0.5, 0.5, 0.4))
    brief = "a table with three red apples in a white bowl and a shelf with a cube in a box"
    assert "in" in report(scene(FLOOR, *TABLE, bowl(), *apples(), cube, box), brief).unchecked


@pytest.mark.parametrize(
    "brief",
    ["make the bowl blue", "Paint the bowl blue.", "turn the bowl blue and the apples red", "change the bowl to blue"],
)
def test_the_colour_of_a_change_is_checked(brief: str) -> None:
    base = scene(FLOOR, *TABLE, bowl(), *apples())
    right = report(scene(FLOOR, *TABLE, bowl("#1030c0"), *apples()), brief, base)
    assert right.unchecked == ()
    assert not right.errors
    wrong = report(base, brief, base)
    assert [(issue.code, issue.subjects) for issue in wrong.errors] == [("colour.other", ("Bowl",))]


@pytest.mark.parametrize("brief", ["make the bowl nicer", "make the bowl blue like the sea", "move the bowl"])
def test_another_change_stays_unchecked(brief: str) -> None:
    base = scene(FLOOR, *TABLE, bowl(), *apples())
    found = report(base, brief, base)
    assert not found.errors
    assert found.unchecked
