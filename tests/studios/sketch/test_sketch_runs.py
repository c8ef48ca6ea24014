"""Whole runs with a scripted model: what is asked, what answers do, and what stays as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import redraft
from redraft.models.base import Request
from redraft.models.offline import OfflineModel
from redraft.models.scripted import ScriptedModel
from redraft.studios.sketch import memory
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.offline.answers import ANSWERS

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


def reply(data: Json) -> str:
    return f"```json\n{json.dumps(data)}\n```"


def gap(folder: Path) -> float:
    layout = layout_of(memory.load(folder))
    return layout.bounds("ear_right")[0] - layout.bounds("ear_left")[2]


def test_a_model_that_does_not_see_withdraws_a_statement_and_the_drawing_stays(tmp_path: Path) -> None:
    apart = json.loads(json.dumps(CAT))
    apart["strokes"][0]["cx"], apart["strokes"][1]["cx"] = 0.4, 0.6
    apart["requirements"] = [{**EARS, "parts": ["cat", "ear_left"], "number": 3}]
    answer: Json = {"id": "r1", "wrong": "statement", "reason": "the cat is not an ear"}
    model = ScriptedModel([reply(apart), reply({"mismatches": [answer]})])
    result = redraft.sketch(BRIEF, model=model, out=tmp_path / "run")
    assert result.valid
    assert result.usage.calls == 2
    (measured,) = result.report.requirements
    assert (measured.outcome, measured.changed) == ("withdrawn", "the cat is not an ear")
    assert [request.kind for request in model.requests] == ["sketch.draft", "sketch.repair"]


def test_adding_a_dog_removes_no_house(tmp_path: Path) -> None:
    apart = json.loads(json.dumps(CAT))
    apart["strokes"][0]["cx"], apart["strokes"][1]["cx"] = 0.4, 0.6
    redraft.sketch(BRIEF, model=ScriptedModel([reply(apart)]), out=tmp_path / "cat")
    dog = {"plan": [{"name": "dog", "label": "dog", "parent": None}], "strokes": [ellipse("dog", 0.15, 0.8, 0.1, 0.08)]}
    model = ScriptedModel([reply({"approach": "a dog alone", "remove": ["cat"], **dog})])
    result = redraft.sketch("add a dog", model=model, on=tmp_path / "cat", out=tmp_path / "dog")
    drawn, before = memory.load(tmp_path / "dog"), memory.load(tmp_path / "cat")
    assert [s for s in drawn.strokes if s.part != "dog"] == [*before.strokes]
    assert [i.message for i in result.report.notes] == ["cat was not removed: the reply does not list it as changed"]
    assert [m.id for m in result.report.requirements] == ["r1"]


def test_overlapping_ears_are_parted_by_the_offline_model(tmp_path: Path) -> None:
    def first(request: Request) -> str:
        return reply(CAT)

    model = OfflineModel({**ANSWERS, "sketch.draft": first})
    result = redraft.sketch(BRIEF, model=model, out=tmp_path / "run", heuristics="strict")
    assert gap(tmp_path / "run") >= 0
    assert result.outcome == "valid"
    assert result.usage.calls == 2
