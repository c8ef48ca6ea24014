"""What a model is asked and told about scenes: complete in itself, measured, and with every input used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from request_for import Facts, request_for
from scenes import LAMP, block, looking, scene

from redraft.brief import Brief
from redraft.models.base import Request
from redraft.models.conversation import ChatStep, request_of
from redraft.result import Difference, Failure, Issue, Measured, Picture, Report, Score, Verdict
from redraft.studios.requests import ComparisonReply, Kind, SurveyReply
from redraft.studios.scene.blender import lacking
from redraft.studios.scene.settings import SceneSettings
from redraft.studios.scene.studio import studio

TABLE = block("Table", (0, 0, 0), (1.4, 0.8, 0.75))
APPLE = block("Apple 1", (0.2, 0, 0.78), (0.08, 0.08, 0.08))
SCENE = scene(TABLE, APPLE, camera=looking(), code='import bpy\nprint("made")')
SETTINGS = SceneSettings(version="5.0.1", width=640, height=480, limit=12.0)
ISSUE = Issue(code="gravity.floating", severity="error", message="Apple 1 floats", hint="lower it by 0.030 m")
NOTE = Issue(
    code="gravity.floating",
    severity="note",
    basis="heuristic",
    message="Apple 1 floats 3.0 cm above Table",
    subjects=("Apple 1", "Table"),
)
BROKEN = Issue(
    code="requirement.count",
    severity="note",
    basis="requirement",
    requirement="r1",
    message="2 expected, there is 1",
)
STATED = Measured(id="r1", kind="count", quote="an apple", words="2 × Apple*", outcome="broken", found="there is 1")
DIFFERENCE = Difference(text="the lamp is off", weight="must")
PICTURES = tuple(Picture(name=name, png=b"") for name in ("sheet.png", "close.png"))
LONG = SCENE.model_copy(update={"code": "import bpy\n" + "x = 1\n" * 80})
GIVEN: dict[str, Any] = {"brief": Brief.of("an apple on a table"), "settings": SETTINGS, "current": SCENE}


def asked(kind: Kind, **facts: Any) -> Request:
    step = studio.compose(request_for(kind, Facts(**GIVEN | facts))).nodes[0]
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
    verdict = Verdict(by="critic", satisfied=False, score=0.4, summary="too dark", differences=(DIFFERENCE,))
    text = prose(
        asked(
            "edit",
            report=Report(issues=(ISSUE,)),
            verdict=verdict,
            history="ITERATION HISTORY:\n  Iter 1: no score",
        )
    )
    for words in (SCENE.code, "too dark", "the lamp is off", "lower it by 0.030 m", "ITERATION HISTORY"):
        assert words in text
    assert "'Apple 1': 0.08 × 0.08 × 0.08 at (0.200, 0.000), from z 0.780 to 0.860; 0.030 above 'Table'" in text
    assert "camera 'Camera'" in text
    assert f"{LAMP.kind.lower()} light" in text


def test_a_repair_has_the_errors_and_the_script() -> None:
    text = prose(asked("repair", report=Report(issues=(ISSUE,))))
    assert "[ERROR] gravity.floating: Apple 1 floats Fix: lower it by 0.030 m" in text
    assert SCENE.code in text


def test_a_repair_lets_a_model_withdraw_a_statement() -> None:
    report = Report(issues=(NOTE, BROKEN), requirements=(STATED,))
    request = asked("repair", report=report, pictures=PICTURES)
    text = prose(request)
    assert request.pictures == PICTURES
    for words in (
        '"an apple"',
        "1. sheet.png: at the left the render through the scene's camera",
        'withdraw it in `mismatches`: [{"id": "r1"',
    ):
        assert words in text
    assert text.count(SCENE.code) == 1


def test_statements_are_explained_where_they_are_due() -> None:
    how = "statements about named parts, measured by code"
    assert how in prose(asked("draft", current=None))
    assert how in prose(asked("edit"))
    assert how not in prose(asked("edit", history="ITERATION HISTORY"))
    assert how not in prose(asked("repair", report=Report(issues=(ISSUE,))))
    assert how in prose(asked("repair", report=Report(issues=(BROKEN,), requirements=(STATED,))))
    assert how in prose(asked("draft", current=None, strict=True))


def test_only_a_change_of_an_earlier_scene_lists_what_it_changes() -> None:
    assert '"changes"' in prose(asked("edit", brief=Brief.of("an apple on a table", on=Path("runs/first"))))
    assert '"changes"' not in prose(asked("edit"))


def test_a_long_script_is_edited_and_shown_once() -> None:
    text = prose(asked("edit", current=LONG))
    assert "edits of the script" in text
    assert text.count(LONG.code.strip()) == 1
    failure = Failure(failure_class="E1", message="NameError")
    whole = prose(asked("fix", of="edit", current=LONG, failure=failure, reply=f"```python\n{LONG.code}```"))
    assert whole.count(LONG.code.strip()) == 1
    blocks = "```edit\n<<<<<<< SEARCH\nimport bpy\n=======\nimport bpyy\n>>>>>>> REPLACE\n```"
    edits = prose(asked("fix", of="edit", current=LONG, failure=failure, reply=blocks))
    assert edits.count(LONG.code.strip()) == 1
    assert "all edits again" in edits


def test_the_seeds_words_of_a_fix() -> None:
    failure = Failure(failure_class="E1", message="NameError: name 'x' is not defined")
    text = prose(asked("fix", of="draft", reply="```python\nx\n```", failure=failure, examples="EXAMPLE"))
    for words in (
        "You are a Blender Python expert",
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
    seen = tuple(Picture(name=name, png=b"") for name in ("sheet.png", "close.png"))
    request = asked("critique", may_look=True, looks=("right | at Bowl",), pictures=seen)
    assert request.output_schema == SurveyReply.model_json_schema()
    text = prose(request)
    assert "`right | at Bowl`" in text
    assert "close.png: the look that you asked for: right | at Bowl" in text
    assert "'Apple 1'" in text
    without = asked("critique", may_look=False)
    assert "look" not in (without.output_schema or {})["properties"]  # type: ignore[operator]


def test_a_critic_is_told_what_was_measured_and_asked_and_compares_two() -> None:
    report = Report(issues=(NOTE, ISSUE), requirements=(STATED,))
    both = tuple(Picture(name=name, png=b"") for name in ("A-sheet.png", "B-sheet.png"))
    request = asked("critique", report=report, compares=True, last=True, pictures=both)
    assert request.output_schema == ComparisonReply.model_json_schema()
    text = prose(request)
    versions = ("version A, at the left", "version B, at the left")
    for words in (*versions, NOTE.message, "[ERROR] gravity.floating", "2 × Apple*"):
        assert words in text
    assert "No turn follows" in text


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
    facts = Facts(brief=Brief.of("an apple"), settings=SETTINGS, current=SCENE)
    assert studio.compose(request_for("edit", facts)) is not None
    assert replace(facts) == facts


@pytest.mark.parametrize("kind", ["draft", "edit", "fix"])
def test_an_older_blender_is_told_with_what_it_lacks(kind: Kind) -> None:
    failure = Failure(failure_class="E1", message="KeyError: 'Coat Weight'")
    facts: dict[str, Any] = {"failure": failure} if kind == "fix" else {}
    old = SETTINGS.model_copy(update={"version": "3.4.1"})
    text = prose(asked(kind, settings=old, **facts))
    assert "Blender 3.4.1 is older than what most scripts are written for:\n" in text
    assert "`Coat Weight`, `Sheen Weight` and `Emission Color` do not exist" in text
    assert "`Coat Weight`, `Sheen Weight`, `Emission Color`" not in text
    assert "`scene.node_tree` is `scene.compositing_node_group`" not in text
    assert "is older than" not in prose(asked(kind, **facts))


@pytest.mark.parametrize(("version", "count"), [("3.4.1", 5), ("4.0.2", 2), ("4.2.0", 1), ("5.0.1", 0), ("", 0)])
def test_what_a_version_lacks(version: str, count: int) -> None:
    assert len(lacking(version)) == count


def test_a_reply_in_prose_is_not_said_to_have_failed_to_execute() -> None:
    text = asked("fix", failure=Failure(failure_class="E2", message="no fenced block"), reply="Sure!").messages[-1].text
    assert text.startswith("Your previous reply could not be read as a Blender script.\n\nError:\nno fenced block")
    assert "failed to execute" not in text


@pytest.mark.parametrize("failure_class", ["E1", "E2"])
def test_a_fix_has_past_fixes_and_what_was_fixed_without_a_model(failure_class: Any) -> None:
    failure = Failure(failure_class=failure_class, message="wrong")
    line = "line 3 was changed: 'a' became 'b'."
    request = replace(request_for("fix", Facts(**GIVEN, failure=failure, examples="Example 1: …")), changed=(line,))
    step = studio.compose(request).nodes[0]
    assert isinstance(step, ChatStep)
    text = prose(request_of(step, {}, "iteration-1/x", 7))
    assert "Example 1: …" in text
    assert f"- In your reply {line}\n" in text
    assert "block at its end" not in text
