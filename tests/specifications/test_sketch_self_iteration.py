"""What the specification of the sketch studio states, tried as written; what other tests run is not repeated."""

from __future__ import annotations

import inspect
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from shapely.geometry import Polygon, box

import redraft
from redraft.layout.items import SKETCH, Item, Layout
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Event
from redraft.record.log import log_lines
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.rules import SemanticValidator
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.studio import build_repair_prompt

Json = dict[str, Any]
Place = tuple[float, float]
APART: tuple[Place, Place] = ((0.36, 0.36), (0.64, 0.36))
SAME: tuple[Place, Place] = ((0.5, 0.32), (0.5, 0.32))
LEVEL: tuple[Place, Place] = ((0.42, 0.5), (0.58, 0.5))


def ellipse(part: str, place: Place, rx: float, ry: float, fill: str = "#d98c4a") -> Json:
    return {"part": part, "kind": "ellipse", "cx": place[0], "cy": place[1], "rx": rx, "ry": ry, "fill": fill}


def cat(ears: tuple[Place, Place] = APART, eyes: tuple[Place, Place] = LEVEL, names: str = "left right") -> Json:
    one, two = names.split()
    parts = [f"{part}_{side}" for part in ("ear", "eye") for side in (one, two)]
    plan = [{"name": name, "label": name[:3], "parent": "head"} for name in parts]
    drawn = [ellipse(name, place, 0.06, 0.1) for name, place in zip(parts[:2], ears, strict=True)]
    drawn += [ellipse(name, place, 0.035, 0.03, "#222222") for name, place in zip(parts[2:], eyes, strict=True)]
    head = ellipse("head", (0.5, 0.55), 0.22, 0.2)
    return {"plan": [{"name": "head", "label": "head", "parent": None}, *plan], "strokes": [head, *drawn]}


def drawn(folder: Path, *replies: Json, **options: Any) -> tuple[redraft.Result, list[str], ScriptedModel]:
    """A run by the specification's rules: what it made, its lines, and what it asked."""
    model = ScriptedModel([f"```json\n{json.dumps(reply)}\n```" for reply in replies])
    seen: list[Event] = []
    options = {"heuristics": "strict", "iterations": 1, **options}
    result = redraft.sketch("Draw a cat", model=model, out=folder / "run", observer=seen.append, **options)
    return result, [line for event in seen for line in log_lines(event)], model


def test_the_parameters_have_their_defaults() -> None:
    defaults = {name: p.default for name, p in inspect.signature(SemanticValidator).parameters.items()}
    assert (defaults["min_spacing"], defaults["max_overlap_ratio"]) == (0.05, 0.1)
    assert redraft.Config().loop.repairs == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_spacing", 0.05),
        ("max_overlap_ratio", 0.1),
        ("min_size", 0.005),
        ("max_size", 0.8),
        ("max_ratio", 100),
        ("pair_size", 2),
        ("beside", 0.1),
        ("directional", 0.15),
        ("much_further", 0.3),
    ],
)
def test_the_numbers_of_the_rules(name: str, value: float) -> None:
    assert asdict(SKETCH.thresholds)[name] == value


def thing(name: str, x0: float, y0: float, x1: float, y1: float) -> Item:
    return Item(name, name.partition("_")[0], box(x0, y0, x1, y1))


@pytest.mark.parametrize(
    ("category", "items"),
    [
        ("overlap", (thing("house", 0.1, 0.3, 0.5, 0.7), thing("piano", 0.15, 0.35, 0.55, 0.75))),
        ("spacing", (thing("house", 0.1, 0.3, 0.4, 0.7), thing("tree", 0.43, 0.3, 0.7, 0.7))),
        ("ratio", (thing("body", 0.1, 0.2, 0.9, 0.9), thing("head", 0.47, 0.14, 0.53, 0.2))),
        ("symmetry", (thing("ear_left", 0.3, 0.3, 0.4, 0.4), thing("ear_right", 0.6, 0.5, 0.7, 0.6))),
        ("size", (thing("house", 0.03, 0.03, 0.94, 0.94),)),
        ("size", (thing("house", 0.1, 0.3, 0.5, 0.7), thing("tree", 0.7, 0.66, 0.74, 0.7))),
    ],
)
def test_each_category_of_issue_is_found_under_its_name(category: str, items: tuple[Item, ...]) -> None:
    assert category in {issue.category for issue in SemanticValidator().validate(Layout(items)).issues}


def test_the_example_of_the_cat(tmp_path: Path) -> None:
    result, lines, model = drawn(tmp_path, cat(((0.36, 0.36), (0.36, 0.3))), cat())
    heads = [line for line in lines if line.startswith("[ITERATION")]
    score = heads[0].removeprefix("[ITERATION 0] Validation score: ").removesuffix(", valid: False")
    assert float(score) < 0.7
    assert any(line.startswith("  [ERROR] symmetry: ear_left and ear_right ") for line in lines)
    assert heads[1:] == [
        "[ITERATION 0] Validation FAILED - attempting repair (iteration 1/2)",
        "[ITERATION 1] Repair generated 5 strokes",
        "[ITERATION 1] Validation score: 1.00, valid: True",
        "[ITERATION 1] Validation PASSED - using this response",
    ]
    assert [request.kind for request in model.requests] == ["sketch.draft", "sketch.repair"]
    assert (result.valid, result.score) == (True, 1.0)


def test_without_a_valid_one_the_best_is_used_after_two_repairs(tmp_path: Path) -> None:
    bad, better = cat(SAME, ((0.42, 0.5), (0.58, 0.58))), cat(eyes=((0.42, 0.5), (0.58, 0.58)))
    result, lines, model = drawn(tmp_path, bad, better, bad)
    assert [request.kind for request in model.requests] == ["sketch.draft", *["sketch.repair"] * 2]
    assert lines[-1] == "[ITERATION 2] Validation FAILED - using the best candidate"
    (error,) = result.report.errors
    assert (error.category, error.subjects) == ("symmetry", ("eye_left", "eye_right"))
    assert not result.valid


def test_two_ears_at_one_place_are_an_error_by_default_too(tmp_path: Path) -> None:
    result, _, model = drawn(tmp_path, cat(SAME), cat(), heuristics="default")
    assert [request.kind for request in model.requests] == ["sketch.draft", "sketch.repair"]
    assert "symmetry.stacked" in model.requests[1].messages[-1].text
    assert result.valid


@pytest.mark.parametrize("text", ["Draw a cat", "draw two flowers", "two flowers to the left of a house",
                                  "a house, and a tree much further right", "a dog beside a house",
                                  "a ball next to a box"])  # fmt: skip
def test_its_sentences_are_drawn_as_they_say(text: str, tmp_path: Path) -> None:
    result = redraft.sketch(text, model="offline", heuristics="strict", out=tmp_path / "run")
    assert (result.outcome, result.report.errors) == ("valid", ())


def test_the_repair_prompt_shows_the_attempt_and_its_issues() -> None:
    drawing = Drawing.model_validate(cat(SAME, names="1 2"), strict=False)
    report = SemanticValidator().validate(layout_of(drawing))
    prompt = build_repair_prompt("Draw a cat", drawing, report)
    assert "Draw a cat" in prompt
    assert '"part":"ear_1"' in prompt
    assert report.errors
    assert all(issue.message in prompt for issue in report.errors)
    assert "The plan stays: the same parts with the same names, labels and parents. Correct coordinates" in prompt


def test_strokes_as_data_and_the_instruction_as_text() -> None:
    strokes = cat(SAME, names="1 2")["strokes"]
    report = redraft.SemanticValidator().validate(strokes, "Draw a cat")
    assert ("symmetry", "error") in {(i.category, i.severity) for i in report.issues}
    prompt = redraft.build_repair_prompt("Draw a cat", strokes, report)
    assert '"part":"ear_1"' in prompt
    assert all(issue.message in prompt for issue in report.errors)


def test_a_tiny_head_on_a_massive_body_is_an_error_of_the_ratio() -> None:
    """As parts of one cat, too: 260 times."""
    body, head = box(0.2, 0.3, 0.85, 0.95), box(0.5, 0.26, 0.54, 0.3005)
    for parents in ((None, None), (None, "body"), ("cat", "cat")):
        whole = [Item("cat", "cat", Polygon())] if parents[0] else []
        parts = [Item("body", "body", body, parents[0]), Item("head", "head", head, parents[1], layer=1)]
        errors = SemanticValidator().validate(Layout((*whole, *parts))).errors
        (error,) = (i for i in errors if i.category == "ratio")
        assert error.message == "body has 261 times the area of head"


@pytest.mark.parametrize("parent", [None, "head"])
def test_numbered_ears_on_each_other_are_an_error_of_symmetry(parent: str | None) -> None:
    head = Item("head", "head", box(0.2, 0.5, 0.8, 0.9))
    ears = [Item(f"ear_{k}", "ear", box(0.4, 0.5 - 0.15 * k, 0.6, 0.64 - 0.15 * k), parent, layer=k) for k in (1, 2)]
    errors = SemanticValidator().validate(Layout((head, *ears))).errors
    assert ("symmetry", ("ear_1", "ear_2")) in {(i.category, i.subjects) for i in errors}


def test_much_further_right_is_no_error_of_the_house() -> None:
    reading, house = redraft.read("a house, and a tree much further right"), thing("house", 0.1, 0.5, 0.3, 0.8)
    far, near = (Layout((house, thing("tree", x, 0.5, x + 0.2, 0.8))) for x in (0.6, 0.32))
    assert SemanticValidator().validate(far, reading).issues == ()
    (error,) = SemanticValidator().validate(near, reading).errors
    assert (error.code, error.subjects, error.numbers["expected"]) == ("spacing.hint", ("tree", "house"), 0.3)


@pytest.mark.parametrize("heuristics", ["default", "strict"])
def test_a_sentence_that_asks_for_too_much_ends_the_run_in_words(heuristics: str, tmp_path: Path) -> None:
    text = "99999999999999999999 houses in a 100000 by 100000 grid"
    with pytest.raises(redraft.BriefError, match="more than 10,000 things"):
        redraft.sketch(text, out=tmp_path / "run", heuristics=heuristics)
