"""Every code of the rules: a scene that has the fault, and one that just has not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from scenes import CLEAR, ball, block, looking, scene

from redraft.brief import Brief
from redraft.result import Heuristics, Issue
from redraft.studios.scene.check import check
from redraft.studios.scene.rules.issues import CODES
from redraft.studios.scene.spec import Camera, Exposure, Scene, Thing

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


def robot(left: float, right: float) -> tuple[Thing, ...]:
    eyes = (("L", -0.2, left), ("R", 0.2, right))
    return (
        block("Robot", (0, 0.2, 0), (0.8, 0.4, 1.6)),
        *(ball(f"Eye.{side}", (x, 0, 1), size, parent="Robot") for side, x, size in eyes),
    )


@dataclass(frozen=True)
class Case:
    breaks: Scene
    holds: Scene
    parts: tuple[str, ...] = ()
    """What a requirement speaks of."""


def eye(along: tuple[float, float, float] = (0.0, 1.0, 0.0), clip: tuple[float, float] = (0.1, 100.0)) -> Camera:
    return looking(along).model_copy(update={"clip": clip})


def seen(**more: float) -> Exposure:
    return CLEAR.model_copy(update=more)


APPLE = ball("Apple", (0, 0, 0.75), 0.08, **RED)
CUBES = [block(f"Cube_{i}", (i * 1.0, 0, 0), (0.3 + 0.1 * i, 0.3 + 0.1 * i, 0.3 + 0.1 * i)) for i in range(3)]
GRID = [block(f"Cube_{i}_{j}", (i * 1.0, 0, j * 1.0), (0.4, 0.4, 0.4)) for i in range(2) for j in range(2)]

CASES: dict[str, Case] = {
    "scene.empty": Case(scene(), scene(FLOOR)),
    "scene.left_out": Case(scene(FLOOR, left_out=3), scene(FLOOR)),
    "scene.scale": Case(scene(ball("Bead", (0, 0, 0), 0.004)), scene(ball("Bead", (0, 0, 0), 0.02))),
    "scene.endless": Case(
        scene(FLOOR, ball("Ball", (0, 0, 0), 0.3, endless=True)), scene(FLOOR, ball("Ball", (0, 0, 0), 0.3))
    ),
    "gravity.floating": Case(
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.781), 0.08)),
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.751), 0.08)),
    ),
    "gravity.unsupported": Case(scene(FLOOR, chair(9.0, 0, 0.5)), scene(FLOOR, chair(3.0))),
    "gravity.sinking": Case(scene(FLOOR, chair(0, z=-0.1)), scene(FLOOR, chair(0, z=-0.06))),
    "gravity.buried": Case(
        scene(block("Floor", (0, 0, 0), (8, 8, 0)), chair(0), chair(2, z=-0.95, name="Chair_2")),
        scene(block("Floor", (0, 0, 0), (8, 8, 0)), chair(0), chair(2, name="Chair_2")),
    ),
    "overlap.interpenetration": Case(scene(FLOOR, *table(), chair(0.7)), scene(FLOOR, *table(), chair(0.93))),
    "overlap.duplicate": Case(
        scene(FLOOR, chair(0, name="Chair.001"), chair(0, name="Chair.002")),
        scene(FLOOR, chair(0, name="Chair.001"), chair(1, name="Chair.002")),
    ),
    "ratio.proportion": Case(
        scene(FLOOR, *(chair(float(i), name=f"Chair_{i}") for i in range(3)), ball("Chair_9", (5, 0, 0), 0.2)),
        scene(FLOOR, *(chair(float(i), name=f"Chair_{i}") for i in range(3)), ball("Chair_9", (5, 0, 0), 0.5)),
    ),
    "symmetry.size": Case(scene(*robot(0.1, 0.2)), scene(*robot(0.1, 0.12))),
    "camera.none": Case(scene(FLOOR, no_camera=True), scene(FLOOR)),
    "camera.unseen": Case(
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.75), 0.08, **UNSEEN)), scene(FLOOR, *table(), APPLE), ("Apple",)
    ),
    "camera.hidden": Case(
        scene(FLOOR, *table(), ball("Apple", (0, 0, 0.75), 0.08, **BEHIND)), scene(FLOOR, *table(), APPLE), ("Apple",)
    ),
    "camera.cut": Case(
        scene(FLOOR, chair(0).model_copy(update={"outside": 0.7})),
        scene(FLOOR, chair(0).model_copy(update={"outside": 0.4})),
        ("Chair",),
    ),
    "camera.blind": Case(
        scene(FLOOR, chair(0).model_copy(update=UNSEEN)),
        scene(FLOOR, chair(0).model_copy(update=UNSEEN), chair(2, name="Chair_2")),
    ),
    "camera.clipped": Case(scene(FLOOR, chair(0), camera=eye(clip=(8.0, 100.0))), scene(FLOOR, chair(0), camera=eye())),
    "camera.inside": Case(
        scene(FLOOR, block("Car", (0, -6, 0), (2, 4, 2), pixels=0.9)),
        scene(FLOOR, block("Car", (0, 0, 0), (2, 4, 2), pixels=0.4)),
    ),
    "light.none": Case(
        scene(FLOOR, lights=(), exposure=seen(black=1.0, mean=0.0)), scene(FLOOR, lights=(), exposure=seen(mean=0.2))
    ),
    "light.black": Case(
        scene(FLOOR, exposure=seen(black=1.0, mean=0.001)), scene(FLOOR, exposure=seen(black=0.98, mean=0.01))
    ),
    "light.white": Case(scene(FLOOR, exposure=seen(blown=1.0)), scene(FLOOR, exposure=seen(blown=0.9))),
    "light.dark": Case(scene(FLOOR, exposure=seen(mean=0.03)), scene(FLOOR, exposure=seen(mean=0.06))),
    "light.blown": Case(scene(FLOOR, exposure=seen(blown=0.8)), scene(FLOOR, exposure=seen(blown=0.5))),
    "light.flat": Case(scene(FLOOR, exposure=seen(spread=0.005)), scene(FLOOR, exposure=seen(spread=0.1))),
}

DEFECTS = {
    "scene.empty", "scene.endless", "camera.none", "camera.blind", "light.none", "light.black", "light.white",
}  # fmt: skip


def found(made: Scene, parts: tuple[str, ...], heuristics: Heuristics = "default") -> Sequence[Issue]:
    stated = {"kind": "count", "parts": [f"{part}*" for part in parts], "number": len(parts)}
    told = made.model_copy(update={"requirements": (stated,) if parts else ()})
    return check(told, None, Brief.of("a room"), heuristics).issues


def test_every_code_has_a_case() -> None:
    assert set(CASES) == set(CODES) - {"edit.unlisted"}


@pytest.mark.parametrize("code", CASES)
def test_a_rule_finds_the_fault(code: str) -> None:
    case = CASES[code]
    issues = [issue for issue in found(case.breaks, case.parts) if issue.code == code]
    assert issues
    assert all(issue.message and issue.hint for issue in issues)
    expected = ("defect", "error") if code in DEFECTS else ("heuristic", "note")
    assert {(issue.basis, issue.severity) for issue in issues} == {expected}


@pytest.mark.parametrize("code", CASES)
def test_a_rule_lets_the_right_scene_pass(code: str) -> None:
    case = CASES[code]
    assert not [issue for issue in found(case.holds, case.parts) if issue.code == code]


@pytest.mark.parametrize("code", sorted(set(CASES) - DEFECTS))
def test_rules_of_thumb_judge_where_they_are_strict_and_are_silent_where_they_are_off(code: str) -> None:
    case = CASES[code]
    strict = [issue for issue in found(case.breaks, case.parts, "strict") if issue.code == code]
    assert {issue.severity for issue in strict} <= {"error", "warning", "note"}
    assert strict
    assert not [issue for issue in found(case.breaks, case.parts, "off") if issue.code == code]
