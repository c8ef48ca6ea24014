"""Whole runs with a scripted model: what is asked, what answers do, and what stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import redraft
from redraft.models.base import Request
from redraft.models.offline import OfflineModel
from redraft.models.scripted import ScriptedModel
from redraft.offline.sketch import ANSWERS
from redraft.studios.sketch import memory
from redraft.studios.sketch.geometry import layout_of

Json = dict[str, Any]
BRIEF = "a cat with two ears"


def ellipse(part: str, cx: float, cy: float, rx: float, ry: float) -> Json:
    return {"part": part, "kind": "ellipse", "cx": cx, "cy": cy, "rx": rx, "ry": ry, "fill": "#d98c4a"}


EARS: Json = {"kind": "count", "quote": "two ears", "parts": ["ear_*"], "number": 2}
CAT: Json = {
    "approach": "a head with ears",
    "plan": [
        {"name": "cat", "label": "cat", "parent": None},
        {"name": "ear_left", "label": "ear", "parent": "cat"},
        {"name": "ear_right", "label": "ear", "parent": "cat"},
    ],
    "requirements": [EARS],
    "strokes": [
        ellipse("ear_left", 0.47, 0.38, 0.06, 0.1),
        ellipse("ear_right", 0.53, 0.38, 0.06, 0.1),
        ellipse("cat", 0.5, 0.55, 0.2, 0.17),
    ],
}
ACCEPTED: Json = {"id": "q1", "ruling": "must", "accept": True, "reason": "the ears are apart in a cat"}


def reply(data: Json) -> str:
    return f"```json\n{json.dumps(data)}\n```"


def critique(*rulings: Json) -> str:
    fair: Json = {"satisfied": True, "score": 9, "summary": "a cat", "differences": []}
    return reply({**fair, "rulings": [*rulings]})


def gap(folder: Path) -> float:
    layout = layout_of(memory.load(folder))
    return layout.bounds("ear_right")[0] - layout.bounds("ear_left")[2]


@pytest.mark.parametrize("sees", [True, False])
def test_overlapping_ears_are_asked_about_and_the_accepted_fix_is_applied(tmp_path: Path, sees: bool) -> None:
    answer = critique(ACCEPTED) if sees else reply({"approach": "accepted", "rulings": [ACCEPTED]})
    model = ScriptedModel([reply(CAT), answer], sees=sees)
    result = redraft.sketch(BRIEF, model=model, out=tmp_path / "run")
    assert [request.kind for request in model.requests] == [
        "sketch.draft",
        "sketch.critique" if sees else "sketch.repair",
    ]
    asked = model.requests[1]
    assert "- q1: overlap.duplicate" in asked.messages[-1].text
    names = [picture.name for picture in asked.pictures]
    assert names == (["drawing.png", "marked.png", "after-q1.png"] if sees else [])
    assert gap(tmp_path / "run") >= 0
    assert result.outcome == "valid"


def test_overlapping_ears_may_be_intended(tmp_path: Path) -> None:
    answer = critique({"id": "q1", "ruling": "intended", "accept": False, "reason": "seen from the side"})
    result = redraft.sketch(BRIEF, model=ScriptedModel([reply(CAT), answer], sees=True), out=tmp_path / "run")
    assert gap(tmp_path / "run") < 0
    assert result.valid
    assert result.usage.calls == 2


def test_strict_rules_have_the_solver_move_them_at_once(tmp_path: Path) -> None:
    model = ScriptedModel([reply(CAT)])
    result = redraft.sketch(BRIEF, model=model, out=tmp_path / "run", config={"validation.heuristics": "strict"})
    assert gap(tmp_path / "run") >= 0
    assert result.valid
    assert "requirements" not in model.requests[0].messages[0].text


def test_a_statement_that_is_wrong_is_corrected_and_the_drawing_stays(tmp_path: Path) -> None:
    apart = json.loads(json.dumps(CAT))
    apart["strokes"][0]["cx"], apart["strokes"][1]["cx"] = 0.4, 0.6
    apart["requirements"] = [{**EARS, "parts": ["cat", "ear_left"], "number": 3}]
    right: Json = {"id": "r1", "ruling": "intended", "reason": "the cat is not an ear", "correction": EARS}
    model = ScriptedModel([reply(apart), reply({"rulings": [right]})])
    result = redraft.sketch(BRIEF, model=model, out=tmp_path / "run")
    assert result.valid
    assert result.usage.calls == 2
    (measured,) = result.report.requirements
    assert (measured.outcome, measured.changed) == ("met", "the cat is not an ear")
    assert "Which of the two is wrong" in model.requests[1].messages[-1].text


def test_adding_a_dog_removes_no_house(tmp_path: Path) -> None:
    apart = json.loads(json.dumps(CAT))
    apart["strokes"][0]["cx"], apart["strokes"][1]["cx"] = 0.4, 0.6
    redraft.sketch(BRIEF, model=ScriptedModel([reply(apart)]), out=tmp_path / "cat")
    dog = {"plan": [{"name": "dog", "label": "dog", "parent": None}], "strokes": [ellipse("dog", 0.15, 0.8, 0.1, 0.08)]}
    model = ScriptedModel([reply({"approach": "a dog alone", "remove": ["cat"], **dog})])
    result = redraft.sketch("add a dog", model=model, on=tmp_path / "cat", out=tmp_path / "dog")
    drawn, before = memory.load(tmp_path / "dog"), memory.load(tmp_path / "cat")
    assert [s for s in drawn.strokes if s.part != "dog"] == [*before.strokes]
    assert [i.message for i in result.report.hints] == ["cat was not removed: the reply does not list it as changed"]
    assert [m.id for m in result.report.requirements] == ["r1"]


def test_overlapping_ears_are_parted_by_the_offline_model(tmp_path: Path) -> None:
    def first(request: Request) -> str:
        return reply(CAT)

    model = OfflineModel({**ANSWERS, "sketch.draft": first})
    result = redraft.sketch(BRIEF, model=model, out=tmp_path / "run")
    assert gap(tmp_path / "run") >= 0
    assert result.outcome == "valid"
    assert result.usage.calls == 2


@pytest.mark.slow
def test_an_answer_after_an_accepted_fix_is_recorded_as_a_validation_of_its_own(tmp_path: Path) -> None:
    """The second question finds no fix: the drawing stays as the first one's fix has left it."""
    drawn = redraft.sketch("four tulips in a pot", out=tmp_path / "run")
    assert (drawn.error, drawn.usage.calls) == (None, 3)
    (tmp_path / "run" / "drawing.svg").unlink()
    assert redraft.resume(tmp_path / "run").report == drawn.report
