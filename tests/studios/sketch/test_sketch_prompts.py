"""The requests: every kind is complete in itself, and says all that the offline model is given."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

import pytest
from sketches import house

from redraft.brief import Brief
from redraft.conversation import ChatStep, request_of
from redraft.models.base import Request
from redraft.result import Failure, Issue, Picture, Report, Verdict
from redraft.studios.base import Facts, Kind
from redraft.studios.sketch.compose import PROMPTS, compose
from redraft.studios.sketch.parse import parse
from redraft.studios.sketch.spec import Drawing

BRIEF = Brief.of("a house with a red roof")
ISSUE = Issue(
    code="spacing.gap",
    severity="error",
    message="door and window touch",
    numbers={"gap": 0.0, "wanted": 0.05},
    mend="move door by 0.05",
)


def request(kind: Kind, said: Sequence[str] = ("There is one door.",), **facts: Any) -> Request:
    block = compose(kind, Facts(brief=BRIEF, **facts), lambda brief: list(said))
    return request_of(cast("ChatStep", block.nodes[0]), {}, "path", 7)


def user(made: Request) -> str:
    return made.messages[-1].text


def test_a_draft_says_what_is_asked_and_what_is_checked() -> None:
    made = request("draft")
    assert made.kind == "sketch.draft"
    assert [m.role for m in made.messages] == ["system", "user"]
    assert BRIEF.instruction in user(made)
    assert "- There is one door." in user(made)
    assert set(made.inputs) == {"instruction", "checks", "idea", "history"}
    assert "measured" not in user(request("draft", said=()))


def test_an_edit_shows_the_drawing_its_anchors_and_what_was_found() -> None:
    verdict = Verdict(by="critic", satisfied=False, summary="The roof is brown.", differences=("roof: make it red",))
    made = request(
        "edit",
        current=house(),
        report=Report(issues=(ISSUE,)),
        verdict=verdict,
        history="ITERATION HISTORY:\n  Iter 1: x",
    )
    text = user(made)
    for part in (
        house().source,
        "bl=(0.620,0.800)",
        "roof: make it red",
        "ITERATION HISTORY:",
        "1. [ERROR] spacing.gap",
    ):
        assert part in text
    expected = {"instruction", "checks", "drawing", "anchors", "moved", "idea", "history", "critique", "issues"}
    assert set(made.inputs) == expected
    first = user(request("edit", current=house()))
    assert "was there before" in first
    assert "was there before" not in text


@pytest.mark.parametrize("current", [None, Drawing()])
def test_an_edit_of_a_blank_canvas_is_a_draft(current: Drawing | None) -> None:
    assert request("edit", current=current).kind == "sketch.draft"


@pytest.mark.parametrize("kind", ["edit", "repair"])
def test_what_the_solver_changed_is_said(kind: Kind) -> None:
    facts: dict[str, Any] = {"current": house(), "report": Report(issues=(ISSUE,))}
    assert "- door by (+0.050, +0.000)" in user(request(kind, moved="- door by (+0.050, +0.000)", **facts))
    assert "solver" not in user(request(kind, **facts))


def test_a_repair_holds_brief_attempt_and_issues_with_numbers() -> None:
    made = request("repair", current=house(), report=Report(issues=(ISSUE, ISSUE)))
    text = user(made)
    assert BRIEF.instruction in text
    assert house().source in text
    assert "2. [ERROR] spacing.gap: door and window touch (gap 0, wanted 0.05) Mend: move door by 0.05" in text
    assert "The plan stays as it is" in text


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
    assert (house().source in text) == (of != "critique")
    assert (made.output_schema is not None) == (of == "critique")


def test_a_fix_on_a_blank_canvas_asks_for_a_drawing() -> None:
    failure = Failure(failure_class="E2", message="no")
    assert request("fix", of="edit", reply="x", failure=failure).inputs["of"] == "draft"


def test_the_critic_sees_the_picture_and_has_a_strict_schema() -> None:
    picture = Picture(name="drawing.png", png=b"png")
    made = request("critique", current=house(), pictures=(picture,))
    assert made.pictures == (picture,)
    assert made.output_schema is not None
    assert made.output_schema["additionalProperties"] is False
    assert "- knob (doorknob, part of door)" in user(made)


def test_the_examples_in_the_system_prompt_are_drawings() -> None:
    """What models are shown must itself be taken."""
    text = PROMPTS.text("system")
    strokes = [json.loads(line) for line in re.findall(r"^- `(\{.*\})`", text, re.MULTILINE)]
    assert [s["kind"] for s in strokes] == ["line", "polyline", "path", "rect", "ellipse", "arc", "text"]
    plan = [{"name": s["part"], "label": s["part"], "parent": None} for s in strokes]
    assert parse("draft", json.dumps({"approach": "", "plan": plan, "strokes": strokes}), None)
    sample = re.findall(r"```\n(\{\"approach.*?\})\n```", text, re.DOTALL)[0]
    drawing = json.loads(sample)
    drawing["strokes"].append({"part": "roof", "kind": "rect", "x": 0.3, "y": 0.4, "w": 0.4, "h": 0.1, "fill": "red"})
    assert parse("draft", json.dumps(drawing), None)


def test_the_example_of_a_patch_is_a_patch() -> None:
    found = re.findall(r"```\n(\{\"approach.*?\})\n```", PROMPTS.text("edit"), re.DOTALL)[0]
    data = json.loads(found)
    names = ["cloud_2", "roof", "door", "sun", "house"]
    shape = {"kind": "rect", "x": 0.3, "y": 0.4, "w": 0.2, "h": 0.1, "fill": "red"}
    base = Drawing.model_validate_json(
        json.dumps({"plan": [{"name": n, "label": n} for n in names], "strokes": [{"part": n, **shape} for n in names]})
    )
    data["strokes"].append({"part": "roof", **shape})
    assert parse("edit", json.dumps(data), base)
