"""The requests: every kind is complete in itself, and says all that the offline model is given."""

from __future__ import annotations

import json
import re
from typing import Any, cast

import pytest
from request_for import Facts, request_for
from sketches import house

from redraft.brief import Brief
from redraft.layout.items import SKETCH
from redraft.layout.requirements.kinds import KINDS
from redraft.models.base import Request
from redraft.models.conversation import ChatStep, request_of
from redraft.result import Difference, Failure, Issue, Measured, Picture, Report, Verdict
from redraft.studios.requests import Kind
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.spec import Drawing
from redraft.studios.sketch.studio import studio

BRIEF = Brief.of("a house with a red roof")
ISSUE = Issue(
    code="requirement.spacing",
    severity="error",
    message="door and window touch",
    numbers={"gap": 0.0, "wanted": 0.05},
    hint="move door by 0.05",
    basis="requirement",
)
BROKEN = ISSUE.model_copy(
    update={
        "severity": "note",
        "requirement": "r2",
    }
)
NOTE = Issue(
    code="overlap.clash",
    severity="note",
    message="roof and tree overlap",
    basis="heuristic",
)
PROTECTED = house().model_copy(update={"protected": ("roof",), "asked": "a red roof"})
STATED = Measured(id="r1", kind="count", quote="a door", words="1 × door", outcome="met", found="1 found")


def request(kind: Kind, **facts: Any) -> Request:
    block = studio.compose(request_for(kind, Facts(brief=facts.pop("brief", BRIEF), **facts)))
    return request_of(cast("ChatStep", block.nodes[0]), {}, "path", 7)


def user(made: Request) -> str:
    return made.messages[-1].text


def system(made: Request) -> str:
    return made.messages[0].text


def test_a_draft_says_what_is_asked_and_how_to_state_it() -> None:
    made = request("draft")
    assert made.kind == "sketch.draft"
    assert [m.role for m in made.messages] == ["system", "user"]
    assert BRIEF.instruction in user(made)
    assert set(made.inputs) == {"instruction", "idea", "history", "kinds", "choices", "unit"}
    assert all(f"- {kind}: " in system(made) for kind in KINDS)
    assert "depth" not in system(made)
    assert "requirements" in user(made)
    assert f"stays apart by {SKETCH.thresholds.min_spacing} or more" in system(made), "as findings say it"


def test_strict_rules_want_requirements_too() -> None:
    assert request("draft", strict=True).messages == request("draft").messages


def test_no_requirements_are_wanted_of_a_description() -> None:
    made = request("draft", brief=Brief.of("birds in one line", described=True))
    assert "requirements" not in system(made) + user(made)
    assert "Drawing well" in system(made)


def test_an_edit_shows_the_drawing_the_anchors_it_needs_and_what_was_found() -> None:
    missing = Difference(text="roof: make it red", weight="must")
    verdict = Verdict(by="critic", satisfied=False, summary="The roof is brown.", differences=(missing,))
    report = Report(issues=(ISSUE, NOTE), requirements=(STATED,))
    made = request("edit", current=house(), report=report, verdict=verdict, history="ITERATION HISTORY:\n  Iter 1: x")
    text = user(made)
    for part in (
        house().source,
        "bl=(0.620,0.800)",
        "- [must] roof: make it red",
        "ITERATION HISTORY:",
        "- [ERROR] requirement.spacing: door and window touch",
        "1 requirement holds, as measured.",
    ):
        assert part in text
    assert "tl=(0.000,0.800)" not in text  # of the ground, which nothing names
    assert "Drawing well" not in system(made)
    assert "changes" not in system(made)


def test_an_edit_of_an_earlier_drawing_shows_what_is_agreed_and_lists_what_it_changes() -> None:
    base = house().model_copy(update={"protected": tuple(part.name for part in house().plan), "asked": "add a dog"})
    agreed = {"id": "r1", "kind": "count", "parts": ["door"], "number": 1, "agreed": True}
    made = request("edit", current=base, requirements=(agreed,), brief=Brief.of("a dog left of the tree"))
    assert "- changes" not in system(made)
    assert "- `changes`: every part of the drawing" in system(made)
    assert "list in `changes`" in user(made)
    assert '"id": "r1"' in user(made)
    assert "tree" in cast("str", made.inputs["anchors"])
    assert "door" not in cast("str", made.inputs["anchors"])
    assert "- relation: " in system(made)


@pytest.mark.parametrize("current", [None, Drawing()])
def test_an_edit_of_a_blank_canvas_is_a_draft(current: Drawing | None) -> None:
    assert request("edit", current=current).kind == "sketch.draft"


def test_a_repair_lets_a_model_change_the_drawing_or_the_statement() -> None:
    broken = STATED.model_copy(update={"id": "r2", "outcome": "broken", "found": "2 found"})
    made = request("repair", current=house(), report=Report(issues=(NOTE, BROKEN), requirements=(STATED, broken)))
    text = user(made)
    assert BRIEF.instruction in text
    assert house().source in text
    assert '- r2: 1 × door ("a door"): 2 found.' in text
    assert "1 other requirement holds, as measured." in text
    assert '"mismatches": [{"id": "r2"' in text or '`mismatches`: [{"id": "r2"' in text
    assert "- count: " in system(made)  # a statement may have to be corrected
    assert "Drawing well" not in system(made)


def test_a_repair_of_errors_asks_about_no_statement() -> None:
    made = request("repair", current=house(), report=Report(issues=(ISSUE,)))
    assert "mismatches" not in user(made)
    assert "Fix: move door by 0.05" in user(made)
    assert "- count: " not in system(made)
    strict = request("repair", current=house(), report=Report(issues=(ISSUE,), heuristics="strict"), strict=True)
    assert "The plan stays" in user(strict)


@pytest.mark.parametrize("of", ["draft", "edit", "repair", "critique"])
@pytest.mark.parametrize("failure_class", ["E1", "E2"])
def test_a_fix_holds_the_error_and_the_failing_reply_whole(of: Kind, failure_class: Any) -> None:
    failure = Failure(failure_class=failure_class, message="strokes[3]: no")
    reply = "the reply " * 5000
    made = request("fix", of=of, reply=reply, failure=failure, examples="PAST FIXES", current=house())
    text = user(made)
    assert made.kind == "sketch.fix"
    assert made.inputs["of"] == of
    for part in ("Error:\nstrokes[3]: no", reply.strip(), "PAST FIXES", "Return ONLY", "Do not explain"):
        assert part in text
    assert (house().source in text) == (of in ("edit", "repair"))
    assert (made.output_schema is not None) == (of == "critique")


def test_a_fix_on_a_blank_canvas_asks_for_a_drawing() -> None:
    failure = Failure(failure_class="E2", message="no")
    assert request("fix", of="edit", reply="x", failure=failure).inputs["of"] == "draft"


def test_the_critic_sees_the_picture_and_has_a_strict_schema() -> None:
    picture = Picture(name="drawing.png", png=b"png")
    made = request("critique", current=house(), pictures=(picture,), report=Report(issues=(NOTE,)))
    assert made.pictures == (picture,)
    assert made.output_schema is not None
    assert made.output_schema["additionalProperties"] is False
    assert "knob (doorknob, part of door)" in user(made)
    assert "- [NOTE, a heuristic: may be intended] overlap.clash" in user(made)
    assert '"better"' not in user(made)


def test_of_two_drawings_the_critic_prefers_one() -> None:
    pictures = tuple(Picture(name=f"{letter}-drawing.png", png=b"png") for letter in "AB")
    made = request("critique", current=house(), pictures=pictures, compares=True, last=True)
    assert '"better": "A" | "B" | "same"' in user(made)
    assert "2. B-drawing.png: version B" in user(made)
    assert "No turn follows" in user(made)
    assert "better" in cast("dict[str, Any]", made.output_schema)["required"]


def test_the_examples_in_the_system_prompt_are_drawings() -> None:
    """What models are shown must itself be taken."""
    text = system(request("draft"))
    strokes = [json.loads(line) for line in re.findall(r"^- `(\{.*\})`", text, re.MULTILINE)]
    assert [s["kind"] for s in strokes] == ["line", "polyline", "path", "rect", "ellipse", "arc", "text"]
    plan = [{"name": s["part"], "label": s["part"], "parent": None} for s in strokes]
    assert parse("draft", json.dumps({"approach": "", "plan": plan, "strokes": strokes}), None)
    sample = re.findall(r"```\n(\{\"approach.*?\})\n```", text, re.DOTALL)[0]
    drawing = json.loads(sample)
    drawing["strokes"].append({"part": "roof", "kind": "rect", "x": 0.3, "y": 0.4, "w": 0.4, "h": 0.1, "fill": "red"})
    assert parse("draft", json.dumps(drawing), None)


def test_the_example_of_a_patch_is_a_patch() -> None:
    found = re.findall(r"```\n(\{\"approach.*?\})\n```", system(request("edit", current=PROTECTED)), re.DOTALL)[0]
    data = json.loads(found)
    names = ["cloud_2", "roof", "door", "sun", "house"]
    shape = {"kind": "rect", "x": 0.3, "y": 0.4, "w": 0.2, "h": 0.1, "fill": "red"}
    base = Drawing.model_validate_json(
        json.dumps({"plan": [{"name": n, "label": n} for n in names], "strokes": [{"part": n, **shape} for n in names]})
    )
    data["strokes"].append({"part": "roof", **shape})
    assert parse("edit", json.dumps(data), base)
