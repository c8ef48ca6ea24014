"""The offline model's repairs: the five categories of the specification, measured again with its own severities."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import shapely
from asking import text_of
from pydantic import JsonValue
from sketches import drawing_of, house, kinds

import redraft
from redraft.layout.items import Bounds, Layout
from redraft.models.base import Request
from redraft.models.offline import OfflineModel, fenced
from redraft.result import Issue, Report
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.offline.answers import ANSWERS
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.patch import draw
from redraft.studios.sketch.rules import SemanticValidator
from redraft.studios.sketch.spec import Drawing
from redraft.studios.wording import findings_of

Json = dict[str, Any]
HEAD: Json = {"part": "head", "kind": "ellipse", "cx": 0.5, "cy": 0.5, "rx": 0.2, "ry": 0.2, "fill": "gray"}


def part(name: str, parent: str | None = None) -> Json:
    return {"name": name, "label": name.replace("_left", "").replace("_right", "").rstrip("_12"), "parent": parent}


def rect(name: str, x: float, y: float, w: float, h: float) -> Json:
    return {"part": name, "kind": "rect", "x": x, "y": y, "w": w, "h": h, "fill": "tan"}


def ear(name: str, *points: tuple[float, float]) -> Json:
    return {"part": name, "kind": "polyline", "points": [*points, points[0]], "fill": "gray"}


def cat(*ears: Json) -> Drawing:
    """A cat whose ears are parts of its head."""
    names = dict.fromkeys(each["part"] for each in ears)
    plan = [part("cat"), part("head", "cat"), *(part(name, "head") for name in names)]
    return drawing_of({"plan": plan, "strokes": [HEAD, *ears]})


def errors_of(drawing: Drawing, instruction: str = "") -> list[Issue]:
    return [*SemanticValidator().validate(layout_of(drawing), instruction or None).errors]


def repaired(drawing: Drawing, errors: Sequence[Issue], **more: JsonValue) -> Drawing:
    findings = findings_of(Report(issues=tuple(errors)))
    inputs: dict[str, JsonValue] = {"instruction": "a drawing", "current": drawing.source, "findings": findings, **more}
    request = Request(kind="sketch.repair", path="t", inputs=inputs, messages=(), seed=5)
    return draw(parse("repair", text_of(ANSWERS["sketch.repair"](request)), drawing), drawing)


def middle(box: Bounds) -> tuple[float, float]:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def corners(layout: Layout, name: str) -> set[tuple[float, float]]:
    return {(round(x, 4), round(y, 4)) for x, y in shapely.get_coordinates(layout[name].shape).tolist()}


LEFT = ((0.32, 0.38), (0.33, 0.2), (0.44, 0.32))
RIGHT = ((0.68, 0.38), (0.67, 0.2), (0.56, 0.32))


@pytest.mark.parametrize(("spot", "moved"), [(LEFT, "ear_right"), (RIGHT, "ear_left")])
def test_an_ear_on_the_other_becomes_its_mirror_image(spot: tuple[tuple[float, float], ...], moved: str) -> None:
    drawing = cat(ear("ear_left", *spot), ear("ear_right", *spot))
    found = errors_of(drawing)
    assert {issue.subjects for issue in found} == {("ear_left", "ear_right")}
    after = repaired(drawing, found)
    layout = layout_of(after)
    assert corners(layout, "ear_left") == {*LEFT}
    assert corners(layout, "ear_right") == {*RIGHT}
    assert {a.part for a, b in zip(drawing.strokes, after.strokes, strict=True) if a != b} == {moved}
    assert errors_of(after) == []


def test_numbered_ears_are_a_pair_too() -> None:
    drawing = cat(ear("ear_1", *LEFT), ear("ear_2", *LEFT))
    after = repaired(drawing, errors_of(drawing))
    assert corners(layout_of(after), "ear_2") == {*RIGHT}
    assert errors_of(after) == []


def test_ears_that_are_things_of_their_own_are_mirrored_too() -> None:
    plan = [part("head"), part("ear_left"), part("ear_right")]
    drawing = drawing_of({"plan": plan, "strokes": [HEAD, ear("ear_left", *LEFT), ear("ear_right", *LEFT)]})
    apart = Issue(code="overlap.objects", severity="error", message="", subjects=("ear_left", "ear_right"))
    sides = apart.model_copy(update={"code": "symmetry.sides"})
    assert corners(layout_of(repaired(drawing, [apart, sides])), "ear_right") == {*RIGHT}


def test_ears_on_the_middle_go_to_both_sides_and_stay_on_the_head() -> None:
    top = ((0.47, 0.31), (0.5, 0.2), (0.53, 0.31))
    drawing = cat(ear("ear_left", *top), ear("ear_right", *top))
    after = repaired(drawing, errors_of(drawing))
    layout = layout_of(after)
    left, right = (middle(layout.bounds(name)) for name in ("ear_left", "ear_right"))
    assert left[0] < 0.45
    assert left[0] + right[0] == pytest.approx(1.0, abs=1e-5)
    assert left[1] == pytest.approx(right[1], abs=1e-5)
    assert layout["ear_left"].shape.intersects(layout["head"].shape)
    assert errors_of(after) == []


def test_a_part_that_an_earlier_run_drew_is_only_moved_and_listed() -> None:
    spot = ((0.32, 0.38), (0.33, 0.2), (0.44, 0.32))
    drawing = cat(ear("ear_left", *spot), ear("ear_right", *spot))
    names = tuple(each.name for each in drawing.plan)
    base = drawing.model_copy(update={"protected": names, "asked": "a hat"})
    after = repaired(base, errors_of(drawing), on=True)
    assert after.notes == ()
    assert layout_of(after).bounds("ear_right") == pytest.approx((0.56, 0.2, 0.68, 0.38))


def boxes(**sizes: tuple[float, float, float, float]) -> Drawing:
    strokes = [rect(name, *size) for name, size in sizes.items()]
    return drawing_of({"plan": [part(name) for name in sizes], "strokes": strokes})


HELD = {"plan": [part("cart"), part("load", "cart")], "strokes": [rect("cart", 0.48, 0.8, 0.04, 0.04)]}
CASES: dict[str, tuple[Drawing, str, str]] = {
    "overlap.objects": (boxes(house=(0.2, 0.4, 0.3, 0.4), tree=(0.4, 0.45, 0.2, 0.35)), "", "tree"),
    "overlap.clash": (boxes(barn=(0.1, 0.3, 0.4, 0.5), hut=(0.01, 0.45, 0.11, 0.35)), "", "hut"),
    "spacing.hint": (boxes(dog=(0.05, 0.5, 0.2, 0.2), cat=(0.6, 0.5, 0.2, 0.2)), "a dog beside a cat", "dog"),
    "ratio.objects": (boxes(barn=(0.05, 0.1, 0.8, 0.7), mouse=(0.88, 0.72, 0.071, 0.071)), "", "mouse"),
    "ratio.part": (
        drawing_of({**HELD, "strokes": [*HELD["strokes"], rect("load", 0.1, 0.05, 0.8, 0.76)]}),
        "",
        "load",
    ),
    "size.small": (boxes(pond=(0.2, 0.5, 0.3, 0.2), bee=(0.7, 0.3, 0.06, 0.06)), "", "bee"),
    "symmetry.size": (
        cat(rect("ear_left", 0.34, 0.22, 0.1, 0.16), rect("ear_right", 0.585, 0.28, 0.05, 0.08)),
        "",
        "ear_right",
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_each_category_has_its_plain_correction(code: str) -> None:
    drawing, instruction, changed = CASES[code]
    found = errors_of(drawing, instruction)
    assert code in {issue.code for issue in found}
    after = repaired(drawing, found)
    assert {a.part for a, b in zip(drawing.strokes, after.strokes, strict=True) if a != b} == {changed}
    assert code not in {issue.code for issue in errors_of(after, instruction)}
    x0, y0, x1, y1 = layout_of(after).bounds(changed)
    assert min(x0, y0) >= 0
    assert max(x1, y1) <= 1


def test_what_has_no_plain_correction_stays() -> None:
    drawing = boxes(house=(0.2, 0.4, 0.3, 0.4))
    strange = [
        Issue(code="requirement.count", severity="error", message="", subjects=("house",)),
        Issue(code="overlap.objects", severity="error", message="", subjects=("house", "gone")),
        Issue(code="defect.empty", severity="error", message=""),
        Issue(code="mine", severity="error", message="", subjects=("house", "house")),
        Issue(code="size.small", severity="warning", message="", subjects=("house",)),
    ]
    assert repaired(drawing, strange) == drawing


@pytest.mark.slow
def test_a_run_repairs_the_specifications_example(tmp_path: Path) -> None:
    drawing = cat(ear("ear_left", *LEFT), ear("ear_right", *LEFT))
    faulty = fenced({"approach": "both ears in one place", **json.loads(drawing.source)})
    model = OfflineModel({**ANSWERS, "sketch.draft": lambda _: faulty})
    result = redraft.sketch("a cat", model=model, iterations=1, out=tmp_path / "run")
    assert result.valid
    delivered = json.loads((tmp_path / "run" / "drawing.json").read_text())
    points = {each["part"]: each.get("points") for each in delivered["strokes"]}
    assert {(x, y) for x, y in points["ear_right"]} == {*RIGHT}


CODES = ("symmetry.sides", "symmetry.height", "symmetry.size", "overlap.objects", "overlap.duplicate", "ratio.part")


@pytest.mark.slow
@pytest.mark.parametrize("drawing", [house(), kinds()], ids=["house", "kinds"])
@pytest.mark.parametrize("code", [*CODES, "spacing.hint", "size.small", "size.large"])
def test_every_correction_is_a_patch_that_can_be_drawn(code: str, drawing: Drawing) -> None:
    names = [each.name for each in drawing.plan]
    found = [(name,) for name in names] if code.startswith("size.") else [*permutations(names, 2)][::5]
    for subjects in found:
        issue = Issue(code=code, severity="error", message="", subjects=subjects, numbers={"expected": 0.1})
        assert repaired(drawing, [issue]).plan == drawing.plan
