"""Every code of the rules: a scene that has the fault, and one that just has not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from scenes import CLEAR, ball, block, looking, scene

from redraft.brief import Brief
from redraft.result import Issue
from redraft.studios.scene.rules.codes import ASKED, CODES
from redraft.studios.scene.spec import Camera, Exposure, Scene, Thing
from redraft.studios.scene.validate import check

FLOOR = block("Floor", (0, 0, -0.1), (8, 8, 0.1), materials=("Oak",), colours=("#806040",))
RED = {"materials": ("Paint",), "colours": ("#c01010",)}
GREEN = {"materials": ("Paint",), "colours": ("#10a010",)}
UNSEEN = {"pixels": 0.0, "bare": 0.0, "outside": 1.0}
BEHIND = {"pixels": 0.0, "bare": 0.05, "outside": 0.0}


def table(x: float = 0.0, y: float = 0.0) -> tuple[Thing, ...]:
    """A table 1.4 m wide and 0.75 m high, in unparented parts."""
    legs = [(-0.6, -0.3), (0.6, -0.3), (-0.6, 0.3), (0.6, 0.3)]
    top = block("Table_Top", (x, y, 0.7), (1.4, 0.8, 0.05))
    return (top, *(block(f"Table_Leg_{i}", (x + a, y + b, 0), (0.06, 0.06, 0.7)) for i, (a, b) in enumerate(legs)))


def chair(x: float, y: float = 0.0, z: float = 0.0, name: str = "Chair") -> Thing:
    return block(name, (x, y, z), (0.45, 0.45, 0.9))


@dataclass(frozen=True)
class Case:
    breaks: Scene
    holds: Scene
    brief: str = "a room"


def eye(along: tuple[float, float, float] = (0.0, 1.0, 0.0), clip: tuple[float, float] = (0.1, 100.0)) -> Camera:
    return looking(along).model_copy(update={"clip": clip})


def seen(**more: float) -> Exposure:
    return CLEAR.model_copy(update=more)


APPLE = ball("Apple", (0, 0, 0.75), 0.08, **RED)
CUBES = [block(f"Cube_{i}", (i * 1.0, 0, 0), (0.3 + 0.1 * i, 0.3 + 0.1 * i, 0.3 + 0.1 * i)) for i in range(3)]
GRID = [block(f"Cube_{i}_{j}", (i * 1.0, 0, j * 1.0), (0.4, 0.4, 0.4)) for i in range(2) for j in range(2)]

CASES: dict[str, Case] = {
    "scene.empty": Case(scene(), scene(FLOOR)),
    "scene.hidden": Case(
        scene(FLOOR, *table(), APPLE.model_copy(update={"hidden": True})),
        scene(FLOOR, *table(), APPLE),
        "an apple on a table",
    ),
    "scene.left_out": Case(scene(FLOOR, left_out=3), scene(FLOOR)),
    "scene.scale": Case(scene(ball("Bead", (0, 0, 0), 0.004)), scene(ball("Bead", (0, 0, 0), 0.02))),
    "gravity.floating": Case(
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.781), 0.08)),
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.751), 0.08)),
    ),
    "gravity.unsupported": Case(scene(FLOOR, chair(9.0, 0, 0.5)), scene(FLOOR, chair(3.0))),
    "gravity.sinking": Case(scene(FLOOR, chair(0, z=-0.06)), scene(FLOOR, chair(0, z=-0.01))),
    "gravity.buried": Case(
        scene(block("Floor", (0, 0, 0), (8, 8, 0)), chair(0), chair(2, z=-0.95, name="Chair_2")),
        scene(block("Floor", (0, 0, 0), (8, 8, 0)), chair(0), chair(2, name="Chair_2")),
    ),
    "overlap.interpenetration": Case(
        scene(FLOOR, *table(), chair(0.7)), scene(FLOOR, *table(), chair(0.93)), "a table and a chair"
    ),
    "overlap.duplicate": Case(
        scene(FLOOR, chair(0, name="Chair.001"), chair(0, name="Chair.002")),
        scene(FLOOR, chair(0, name="Chair.001"), chair(1, name="Chair.002")),
    ),
    "ratio.proportion": Case(
        scene(FLOOR, *table(), chair(1.5), ball("Apple", (0, 0, 0.75), 0.6)),
        scene(FLOOR, *table(), chair(1.5), ball("Apple", (0, 0, 0.75), 0.11)),
    ),
    "symmetry.size": Case(
        scene(
            *(ball(f"Robot_Eye_{s}", (x, 0, 1), d) for s, x, d in (("L", -0.2, 0.1), ("R", 0.2, 0.2))),
            ROBOT := block("Robot", (0, 0.2, 0), (0.8, 0.4, 1.6)),
        ),
        scene(*(ball(f"Robot_Eye_{s}", (x, 0, 1), d) for s, x, d in (("L", -0.2, 0.1), ("R", 0.2, 0.12))), ROBOT),
    ),
    "symmetry.height": Case(
        scene(*(ball(f"Robot_Eye_{s}", (x, 0, z), 0.1) for s, x, z in (("L", -0.2, 1), ("R", 0.2, 1.3))), ROBOT),
        scene(*(ball(f"Robot_Eye_{s}", (x, 0, z), 0.1) for s, x, z in (("L", -0.2, 1), ("R", 0.2, 1.01))), ROBOT),
    ),
    "camera.none": Case(scene(FLOOR, no_camera=True), scene(FLOOR)),
    "camera.unseen": Case(
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.75), 0.08, **UNSEEN)), scene(FLOOR, *table(), APPLE), "an apple"
    ),
    "camera.hidden": Case(
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.75), 0.08, **BEHIND)), scene(FLOOR, *table(), APPLE), "an apple"
    ),
    "camera.cut": Case(
        scene(FLOOR, chair(0).model_copy(update={"outside": 0.7})),
        scene(FLOOR, chair(0).model_copy(update={"outside": 0.4})),
        "a chair",
    ),
    "camera.clipped": Case(
        scene(FLOOR, chair(0), camera=eye(clip=(8.0, 100.0))), scene(FLOOR, chair(0), camera=eye()), "a chair"
    ),
    "camera.inside": Case(
        scene(FLOOR, block("Car", (0, -6, 0), (2, 4, 2), pixels=0.9)),
        scene(FLOOR, block("Car", (0, 0, 0), (2, 4, 2), pixels=0.4)),
        "a car",
    ),
    "light.none": Case(scene(FLOOR, lights=()), scene(FLOOR, lights=(), sky=0.5)),
    "light.black": Case(scene(FLOOR, exposure=seen(black=0.99, mean=0.004)), scene(FLOOR)),
    "light.dark": Case(scene(FLOOR, exposure=seen(mean=0.03)), scene(FLOOR, exposure=seen(mean=0.06))),
    "light.blown": Case(scene(FLOOR, exposure=seen(blown=0.8)), scene(FLOOR, exposure=seen(blown=0.5))),
    "light.flat": Case(scene(FLOOR, exposure=seen(spread=0.005)), scene(FLOOR, exposure=seen(spread=0.1))),
    "distance.metres": Case(
        scene(FLOOR, chair(-1.5), *table()), scene(FLOOR, chair(-1.425), *table()), "a chair 0.5 m left of a table"
    ),
    "measure.metres": Case(
        scene(FLOOR, block("Bench", (0, 0, 0), (1.5, 0.4, 0.45))),
        scene(FLOOR, block("Bench", (0, 0, 0), (2.0, 0.4, 0.45))),
        "a 2 m wide bench",
    ),
    "colour.none": Case(
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.75), 0.08)), scene(FLOOR, *table(), APPLE), "a red apple"
    ),
    "colour.other": Case(
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.75), 0.08, **GREEN)), scene(FLOOR, *table(), APPLE), "a red apple"
    ),
    "count.missing": Case(
        scene(FLOOR, chair(0)), scene(FLOOR, chair(0), chair(1, name="Chair_2")), "two chairs in a room"
    ),
    "count.surplus": Case(
        scene(FLOOR, chair(0), chair(1, name="Chair_2"), chair(2, name="Chair_3")),
        scene(FLOOR, chair(0), chair(1, name="Chair_2")),
        "two chairs",
    ),
    "relation.direction": Case(
        scene(FLOOR, *table(), chair(1.5)), scene(FLOOR, *table(), chair(-1.5)), "a chair to the left of a table"
    ),
    "relation.on": Case(
        scene(FLOOR, *table(), ball("Ball", (1.5, 0, 0), 0.2)),
        scene(FLOOR, *table(), ball("Ball", (0, 0, 0.75), 0.2)),
        "a ball on a table",
    ),
    "relation.inside": Case(
        scene(FLOOR, block("Box", (0, 0, 0), (0.4, 0.4, 0.3)), ball("Ball", (1.0, 0, 0), 0.2)),
        scene(FLOOR, block("Box", (0, 0, 0), (0.4, 0.4, 0.3)), ball("Ball", (0, 0, 0.05), 0.2)),
        "a ball in a box",
    ),
    "relation.between": Case(
        scene(FLOOR, chair(-1), chair(1, name="Chair_2"), ball("Ball", (2.5, 1, 0), 0.2)),
        scene(FLOOR, chair(-1), chair(1, name="Chair_2"), ball("Ball", (0, 0, 0), 0.2)),
        "a ball between two chairs",
    ),
    "relation.depth": Case(
        scene(FLOOR, chair(0, 0), ball("Ball", (0, 1, 0), 0.3)),
        scene(FLOOR, chair(0, 0), ball("Ball", (0, -1, 0), 0.3)),
        "a ball in front of a chair",
    ),
    "ratio.stated": Case(
        scene(FLOOR, block("House", (0, 0, 0), (5, 4, 5)), block("Tower", (6, 0, 0), (2, 2, 6))),
        scene(FLOOR, block("House", (0, 0, 0), (5, 4, 5)), block("Tower", (6, 0, 0), (2, 2, 10))),
        "a house and a tower twice as tall as the house",
    ),
    "ratio.progression": Case(
        scene(FLOOR, CUBES[0], block("Cube_1", (1, 0, 0), (0.2, 0.2, 0.2)), CUBES[2]),
        scene(FLOOR, *CUBES),
        "a row of three cubes of increasing size",
    ),
    "alignment.row": Case(
        scene(FLOOR, CUBES[0], block("Cube_1", (1, 0.8, 0.5), (0.4, 0.4, 0.4)), CUBES[2]),
        scene(FLOOR, *CUBES),
        "three cubes in a row",
    ),
    "spacing.stated": Case(
        scene(FLOOR, *(block(f"Cube_{i}", (x, x, x), (0.3, 0.3, 0.3)) for i, x in enumerate((0, 1, 2.5)))),
        scene(FLOOR, *(block(f"Cube_{i}", (x, 0, 0), (0.3, 0.3, 0.3)) for i, x in enumerate((0, 1, 2)))),
        "three cubes in a row, evenly spaced",
    ),
    "grid.shape": Case(
        scene(FLOOR, *(block(f"Cube_{i}", (i * 1.0, i * 1.0, i * 1.0), (0.4, 0.4, 0.4)) for i in range(4))),
        scene(FLOOR, *GRID),
        "a 2 by 2 grid of cubes",
    ),
    "grid.uneven": Case(
        scene(FLOOR, *GRID[:3], block("Cube_1_1", (1.0, 0.3, 1.0), (0.6, 0.6, 0.6))),
        scene(FLOOR, *GRID),
        "a 2 by 2 grid of cubes",
    ),
    "place.spot": Case(
        scene(FLOOR, *table(), ball("Ball", (0.5, 0.25, 0.75), 0.1)),
        scene(FLOOR, *table(), ball("Ball", (0, 0, 0.75), 0.1)),
        "a ball in the middle of a table",
    ),
    "distance.further": Case(
        scene(FLOOR, chair(-3.5, -3), ball("Ball", (3.5, 3, 0), 0.2), block("Pole", (0, 0, 0), (0.1, 0.1, 3.0))),
        scene(FLOOR, chair(-1), ball("Ball", (-0.4, 0, 0), 0.2), block("Pole", (2, 0, 0), (0.1, 0.1, 3.0))),
        "a ball near a chair, and a pole",
    ),
}


def found(made: Scene, brief: str) -> Sequence[Issue]:
    return check(made, None, Brief.of(brief)).issues


def test_every_code_has_a_case() -> None:
    assert set(CASES) == set(CODES) | set(ASKED)


@pytest.mark.parametrize("code", CASES)
def test_a_rule_finds_the_fault(code: str) -> None:
    case = CASES[code]
    issues = [issue for issue in found(case.breaks, case.brief) if issue.code == code]
    assert issues
    assert all(issue.message and issue.mend for issue in issues)


@pytest.mark.parametrize("code", CASES)
def test_a_rule_lets_the_right_scene_pass(code: str) -> None:
    case = CASES[code]
    assert not [issue for issue in found(case.holds, case.brief) if issue.code == code]
