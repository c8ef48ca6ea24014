"""What a model is asked and told about scenes: complete in itself, measured, and with every input used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from scenes import LAMP, block, looking, scene

from redraft.brief import Brief
from redraft.conversation import ChatStep, request_of
from redraft.models.base import Request
from redraft.result import Failure, Issue, Report, Score, Verdict
from redraft.studios.base import Facts, Kind, SurveyReply
from redraft.studios.scene.compose import compose
from redraft.studios.scene.spec import Scene, SceneSettings

TABLE = block("Table", (0, 0, 0), (1.4, 0.8, 0.75))
APPLE = block("Apple 1", (0.2, 0, 0.78), (0.08, 0.08, 0.08))
SCENE = scene(TABLE, APPLE, camera=looking(), code='import bpy\nprint("made")')
SETTINGS = SceneSettings(version="5.0.1", width=640, height=480, limit=12.0)
ISSUE = Issue(code="gravity.floating", severity="error", message="Apple 1 floats", mend="lower it by 0.030 m")


def asked(kind: Kind, **facts: Any) -> Request:
    given: dict[str, Any] = {"brief": Brief.of("an apple on a table"), "settings": SETTINGS, "current": SCENE}
    step = compose(kind, Facts[Scene](**given | facts)).nodes[0]
    assert isinstance(step, ChatStep)
    return request_of(step, {}, "iteration-1/x", 7)


def prose(request: Request) -> str:
    return "\n\n".join(message.text for message in request.messages)


def test_a_draft_is_told_where_its_script_runs_and_how_it_is_looked_at() -> None:
    text = prose(asked("draft", current=None))
    assert "an apple on a table" in text
    assert "Blender 5.0.1" in text
    assert "640 × 480" in text
    assert "12.0 seconds" in text
    assert "it reads no files" in text


def test_a_draft_is_told_what_it_may_read(tmp_path: Path) -> None:
    (tmp_path / "wood.png").write_bytes(b"")
    text = prose(asked("draft", current=None, settings=SETTINGS.model_copy(update={"assets": str(tmp_path)})))
    assert str(tmp_path / "wood.png") in text
    assert "it reads no files:" not in text


def test_an_edit_has_the_script_what_was_measured_and_what_was_said() -> None:
    verdict = Verdict(by="critic", satisfied=False, score=0.4, summary="too dark", differences=("the lamp is off",))
    text = prose(
        asked(
            "edit",
            report=Report(issues=(ISSUE,)),
            verdict=verdict,
            history="ITERATION HISTORY:\n  Iter 1: no score",
            moved="- Apple 1 by (+0.000, +0.000, -0.030)",
        )
    )
    for words in (SCENE.code, "too dark", "the lamp is off", "lower it by 0.030 m", "ITERATION HISTORY", "-0.030"):
        assert words in text
    assert "'Apple 1': 0.08 × 0.08 × 0.08 at (0.200, 0.000), from z 0.780 to 0.860; 0.030 above 'Table'" in text
    assert "camera 'Camera'" in text
    assert f"{LAMP.kind.lower()} light" in text


def test_a_repair_has_the_numbered_issues_and_the_script() -> None:
    text = prose(asked("repair", report=Report(issues=(ISSUE,))))
    assert "1. [ERROR] gravity.floating: Apple 1 floats. Mend: lower it by 0.030 m" in text
    assert SCENE.code in text


def test_the_seeds_words_of_a_fix() -> None:
    failure = Failure(failure_class="E1", message="NameError: name 'x' is not defined")
    text = prose(asked("fix", of="draft", reply="```python\nx\n```", failure=failure, examples="EXAMPLE"))
    for words in (
        "You are a Blender Python expert.",
        "Your previous code failed to execute.\n\nError:\nNameError: name 'x' is not defined",
        "Please fix the code. Return ONLY the corrected Python code in a fenced block",
        "Do not explain, just provide the fixed code.",
        "```python\nx\n```",
        "EXAMPLE",
        "5.0.1",
    ):
        assert words in text


def test_prose_gets_a_reminder_of_the_format() -> None:
    failure = Failure(failure_class="E2", message="The reply holds no Blender script")
    text = prose(asked("fix", of="draft", reply="First I would…", failure=failure))
    assert "The reply holds no Blender script" in text
    assert "First I would…" in text
    assert "```python" in text


def test_a_critic_is_told_the_names_and_may_look_closer() -> None:
    request = asked("critique", may_look=True, looks=("right | at Bowl",))
    assert request.output_schema == SurveyReply.model_json_schema()
    text = prose(request)
    assert "`right | at Bowl`" in text
    assert "in this order: right | at Bowl" in text
    assert "'Apple 1'" in text
    without = asked("critique", may_look=False)
    assert "look" not in (without.output_schema or {})["properties"]  # type: ignore[operator]


def test_a_critique_that_could_not_be_read_is_asked_for_again_by_its_own_words() -> None:
    failure = Failure(failure_class="E2", message="satisfied: Field required")
    request = asked("fix", of="critique", reply="It is nice.", failure=failure, may_look=True)
    assert request.output_schema == SurveyReply.model_json_schema()
    assert "satisfied: Field required" in prose(request)
    assert "You look at pictures" in prose(request)


@pytest.fixture
def target(tmp_path: Path) -> Brief:
    Image.new("RGB", (60, 40), "#3366cc").save(tmp_path / "target.png")
    return Brief.of("", target=tmp_path / "target.png")


@pytest.mark.parametrize("kind", ["draft", "edit"])
def test_a_target_is_told_as_colours(kind: Kind, target: Brief) -> None:
    request = asked(
        kind, brief=target, score=Score(metric="FLIP", best=0.31, mean=0.31, where=("the sky is too dark",))
    )
    assert "3366cc 3366cc" in prose(request)
    assert "FLIP" in prose(request)
    assert ("the sky is too dark" in prose(request)) == (kind == "edit")


def test_a_large_scene_is_told_in_bounds() -> None:
    many = [block(f"Stone {i}", (i, 0, 0), (0.1 + i / 1000, 0.1, 0.1)) for i in range(300)]
    request = asked("edit", current=scene(*many, camera=looking()), report=Report())
    things = request.inputs["things"]
    assert isinstance(things, list)
    assert len(things) < 60
    assert things[-1] == "and 260 smaller things"


def test_no_request_changes_what_it_was_given() -> None:
    facts = Facts[Scene](brief=Brief.of("an apple"), settings=SETTINGS, current=SCENE)
    assert compose("edit", facts) is not None
    assert replace(facts) == facts
