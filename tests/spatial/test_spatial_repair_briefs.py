"""What is stated in numbers comes out exact from sloppy drawings: measured on the strokes, by plain arithmetic."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from redraft.layout import Layout, Move
from redraft.requirements import Requirement
from redraft.requirements.kinds import measure
from redraft.result import Report
from redraft.spatial.rules import SemanticValidator
from redraft.spatial.solve import Solution, repair
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.patch import amend
from redraft.studios.sketch.spec import Drawing

pytestmark = pytest.mark.slow

SLOPPY = Path(__file__).parent.parent / "data" / "sloppy"
SEEDS = range(4)
Box = tuple[float, float, float, float]
Strokes = Mapping[str, list[dict[str, Any]]]


def stated(kind: str, *parts: str, **more: Any) -> Requirement:
    return Requirement(kind=kind, parts=parts, **more)  # type: ignore[arg-type]


OTHERS = tuple(f"column_{i}" for i in (1, 2, 3, 5, 6, 7))
AGREED: dict[str, tuple[Requirement, ...]] = {
    "columns": (
        stated("spacing", "column_*", axis="x"),
        stated("alignment", "column_*", edge="bottom"),
        stated("proportion", *OTHERS, values=(1.0,), dimension="height"),
        stated("proportion", "column_*", values=(1.0,), dimension="width"),
        stated("ratio", "column_4", of=OTHERS, dimension="height", factor=1.2),
        stated("count", "column_*", number=7),
    ),
    "windows": (
        stated("alignment", "window_*", edge="grid", rows=3, columns=4, length=0.02),
        stated("place", "window_*", spot="center"),
    ),
    "clock": (stated("angle", "hour_hand", degrees=305.0), stated("angle", "minute_hand", degrees=60.0)),
    "floor_plan": (
        stated("size", "room", width=5.0, height=4.0, unit="real"),
        stated("size", "door", width=0.9, unit="real"),
        stated("alignment", "room", "door", edge="center_x"),
    ),
    "houses": (stated("alignment", "house_*", edge="bottom"), stated("spacing", "house_*", axis="x")),
    "cat_dog": (stated("relation", "cat", relation="left_of", of=("dog",)),),
    "ball": (stated("relation", "ball", relation="between", of=("box_*",)),),
}


def agreed(name: str) -> tuple[Requirement, ...]:
    return tuple(r.model_copy(update={"id": f"r{n}"}) for n, r in enumerate(AGREED[name], 1))


def load(name: str, seed: int) -> Drawing:
    """A sloppy drawing of a brief; seeds above 0 make it sloppier, each in its own way."""
    data = json.loads((SLOPPY / f"{name}.json").read_text("utf-8"))
    data.pop("brief")
    drawing = Drawing.model_validate_json(json.dumps(data))
    rng = random.Random(seed)
    moves: list[Move] = []
    for item in layout_of(drawing):
        x0, y0, x1, y1 = layout_of(drawing).bounds(item.name)
        if item.label in {"column", "window", "house", "room", "door", "cat", "ball"} and seed:
            moves.append(Move.shift(item.name, rng.uniform(-0.006, 0.006), rng.uniform(-0.003, 0.003)))
            if item.label not in {"cat", "ball", "house"}:
                factors = (rng.uniform(0.98, 1.02), rng.uniform(0.98, 1.02))
                moves.append(Move.scale(item.name, *factors, ((x0 + x1) / 2, (y0 + y1) / 2)))
        if item.label.endswith("hand") and seed:
            t = rng.uniform(-0.3, 0.3)
            c, s = math.cos(t), math.sin(t)
            moves.append(Move(item.name, (c, s, -s, c, 0.5 - c * 0.5 + s * 0.5, 0.5 - s * 0.5 - c * 0.5)))
    return amend(drawing, moves)


def solve(name: str, drawing: Drawing) -> Solution:
    def check(layout: Layout) -> Report:
        return SemanticValidator().validate(layout, requirements=agreed(name))

    layout = layout_of(drawing)
    return repair(
        layout, agreed(name), check(layout), check=check, apply=lambda moves: layout_of(amend(drawing, moves))
    )


def repaired(name: str, seed: int) -> tuple[Strokes, Solution]:
    """The strokes of each part after the solver, as plain data."""
    drawing = load(name, seed)
    solution = solve(name, drawing)
    strokes: dict[str, list[dict[str, Any]]] = {}
    for stroke in json.loads(amend(drawing, solution.moves).model_dump_json())["strokes"]:
        strokes.setdefault(stroke["part"], []).append(stroke)
    return strokes, solution


def box(*strokes: dict[str, Any]) -> Box:
    """The painted box of rectangles, ellipses and polylines, pens included (mitres of the latter left out)."""
    found: list[Box] = []
    for s in strokes:
        pen = 0.0 if s["stroke"] == "none" else s["width"] / 2
        if s["kind"] == "rect":
            b = (s["x"], s["y"], s["x"] + s["w"], s["y"] + s["h"])
        elif s["kind"] == "ellipse":
            b = (s["cx"] - s["rx"], s["cy"] - s["ry"], s["cx"] + s["rx"], s["cy"] + s["ry"])
        else:
            xs, ys = zip(*s["points"], strict=True)
            b = (min(xs), min(ys), max(xs), max(ys))
        found.append((b[0] - pen, b[1] - pen, b[2] + pen, b[3] + pen))
    return (min(b[0] for b in found), min(b[1] for b in found), max(b[2] for b in found), max(b[3] for b in found))


def close(value: float, off: float = 2e-6) -> Any:
    """Coordinates are kept to a millionth: a difference of two may be off by as much, of four by twice that."""
    return pytest.approx(value, abs=off, rel=0)


@pytest.mark.parametrize("seed", SEEDS)
def test_seven_columns(seed: int) -> None:
    strokes, _ = repaired("columns", seed)
    boxes = [box(*strokes[f"column_{i}"], *strokes[f"capital_{i}"]) for i in range(1, 8)]
    gaps = [b[0] - a[2] for a, b in pairwise(boxes)]
    heights = [b[3] - b[1] for b in boxes]
    assert max(gaps) - min(gaps) < 4.1e-6  # each within two quanta of their mean
    assert heights[3] / heights[0] == pytest.approx(1.2, abs=6e-6)
    assert [h for i, h in enumerate(heights) if i != 3] == [close(heights[0])] * 6
    assert [b[3] for b in boxes] == [close(boxes[0][3])] * 7
    assert min(b[0] for b in boxes) > 0
    assert min(gaps) > 0.01


@pytest.mark.parametrize("seed", SEEDS)
def test_a_grid_of_windows(seed: int) -> None:
    strokes, _ = repaired("windows", seed)
    boxes = sorted((box(*s) for s in strokes.values()), key=lambda b: (round(b[1], 3), b[0]))
    rows = [boxes[i : i + 4] for i in (0, 4, 8)]
    for row in rows:
        assert [b[0] - a[2] for a, b in pairwise(row)] == [close(0.02)] * 3
        assert [(b[1], b[3]) for b in row] == [(close(row[0][1]), close(row[0][3]))] * 4
    for upper, lower in pairwise(rows):
        assert [b[1] - a[3] for a, b in zip(upper, lower, strict=True)] == [close(0.02)] * 4
    assert boxes[0][0] + boxes[-1][2] == close(1.0)
    assert boxes[0][1] + boxes[-1][3] == close(1.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_clock(seed: int) -> None:
    strokes, _ = repaired("clock", seed)
    face = strokes["clock"][0]
    for hand, degrees in (("hour_hand", 305.0), ("minute_hand", 60.0)):
        ends = sorted(strokes[hand][0]["points"], key=lambda p: math.dist(p, (face["cx"], face["cy"])))
        (x0, y0), (x1, y1) = ends
        assert math.degrees(math.atan2(x1 - x0, y0 - y1)) % 360 == pytest.approx(degrees, abs=0.01)
        assert math.degrees(math.atan2(x1 - face["cx"], face["cy"] - y1)) % 360 == pytest.approx(degrees, abs=0.01)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_floor_plan(seed: int) -> None:
    """To scale with the room's pen or without it, whichever was nearer."""
    strokes, _ = repaired("floor_plan", seed)
    room, door = box(*strokes["room"]), box(*strokes["door"])
    pen = strokes["room"][0]["width"]
    width, height = room[2] - room[0], room[3] - room[1]
    sizes = [(width, height), (width - pen, height - pen)]
    assert [round(h / w, 5) for w, h in sizes].count(0.8) == 1
    assert [round((door[2] - door[0]) / w, 5) for w, h in sizes if round(h / w, 5) == 0.8] == [0.18]
    assert (door[0] + door[2]) / 2 == close((room[0] + room[2]) / 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_three_houses(seed: int) -> None:
    strokes, _ = repaired("houses", seed)
    boxes = [box(*strokes[f"house_{i}"], *strokes[f"roof_{i}"], *strokes[f"door_{i}"]) for i in (1, 2, 3)]
    assert boxes[1][0] - boxes[0][2] == close(boxes[2][0] - boxes[1][2])
    assert [b[3] for b in boxes] == [close(boxes[0][3])] * 3


@pytest.mark.parametrize("seed", SEEDS)
def test_a_cat_to_the_left_of_a_dog(seed: int) -> None:
    strokes, solution = repaired("cat_dog", seed)
    cat, dog = (box(*strokes[n], *strokes[f"{n}_head"], *strokes[f"{n}_tail"]) for n in ("cat", "dog"))
    assert dog[0] - cat[2] >= 0.05 - 3e-4  # round caps are polygons to the layout
    assert cat[0] >= 0
    assert dog[2] <= 1
    assert strokes["cat"][0]["rx"] == 0.13  # nothing is scaled that need not be
    assert solution.proven


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ball_between_two_boxes(seed: int) -> None:
    strokes, solution = repaired("ball", seed)
    left, ball, right = (box(*strokes[n]) for n in ("box_1", "ball", "box_2"))
    assert left[2] < ball[0] < ball[2] < right[0]
    assert solution.proven


@pytest.mark.parametrize("name", AGREED)
def test_the_result_stays_and_two_runs_agree(name: str) -> None:
    drawing = load(name, 1)
    first = solve(name, drawing)
    assert first == solve(name, drawing)
    after = amend(drawing, first.moves)
    assert [m.outcome for m in measure(agreed(name), layout_of(after))] == ["met"] * len(agreed(name))
    assert solve(name, after).moves == ()
