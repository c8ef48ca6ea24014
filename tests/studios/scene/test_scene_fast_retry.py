"""The specification's tests of the fast inner retry, with real Blender."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from real_parts import needs
from scene_replies import APPLE, reply_of

import redraft
from redraft.models.scripted import ScriptedModel
from redraft.record.events import Attempted
from redraft.record.journal import read_events
from redraft.record.log import log_lines
from redraft.record.transcript import Record
from redraft.result import Result

pytestmark = [pytest.mark.real, pytest.mark.slow]

SETTINGS = {
    "loop.iterations": 1,
    "loop.repairs": 0,
    "studios.scene.width": 96,
    "studios.scene.height": 72,
    "memory": "none",
}
BROKEN = APPLE.replace("lamp.energy = 3", "lamp.energy = 3)")
RAISES = APPLE.replace("lamp.energy = 3", "lamp.energy = brightness")


def made(folder: Path, replies: Sequence[str], **more: int) -> tuple[ScriptedModel, Result]:
    needs("blender")
    needs("bwrap")
    model = ScriptedModel(replies)
    config = {**SETTINGS, **{f"loop.{name}": value for name, value in more.items()}, "studios.scene.samples": 1}
    return model, redraft.scene("an apple on the ground", model=model, out=folder / "run", config=config)


def test_fast_retry_fixes_syntax_error(tmp_path: Path) -> None:
    model, result = made(tmp_path, [reply_of(BROKEN), reply_of(APPLE, "")])
    assert [request.kind for request in model.requests] == ["scene.draft", "scene.fix"]
    asked = model.requests[1].messages[-1].text
    assert asked.startswith("Your previous code failed to execute.\n\nError:\n")
    assert "SyntaxError" in asked
    assert "unmatched ')'" in asked
    assert BROKEN.strip() in asked
    assert "Blender 5" in asked
    assert "Return ONLY the corrected Python code in a fenced block" in asked
    assert "Do not explain, just provide the fixed code." in asked
    assert result.valid
    assert len(result.iterations) == 1


def test_fast_retry_gives_up_after_max(tmp_path: Path) -> None:
    model, result = made(tmp_path, [*[reply_of(RAISES)] * 4, reply_of()])
    assert [request.kind for request in model.requests] == ["scene.draft", *["scene.fix"] * 3]
    (record,) = result.iterations
    assert record.compile_error is not None
    assert "NameError: name 'brightness' is not defined" in record.compile_error
    assert record.retry_count == 3
    assert not result.valid
    (turn,) = Record.load(result.run).transcript.turns
    assert turn.verdict is not None
    assert turn.verdict.summary.startswith("did not run (E1")


def test_fast_retry_does_not_trigger_on_success(tmp_path: Path) -> None:
    model, result = made(tmp_path, [reply_of()])
    assert [request.kind for request in model.requests] == ["scene.draft"]
    (record,) = result.iterations
    assert record.retry_count == 0
    assert record.errors == ()


def test_fast_retry_count_is_recorded(tmp_path: Path) -> None:
    model, result = made(tmp_path, ["First a table, then an apple.", reply_of(RAISES), reply_of()])
    assert [request.kind for request in model.requests] == ["scene.draft", "scene.fix", "scene.fix"]
    (record,) = result.iterations
    assert record.retry_count == 2
    assert [error[:3] for error in record.errors] == ["E2:", "E1:"]
    assert record.agent_notes == "an apple under the sun"


def test_no_fix_is_asked_for_when_none_is_allowed(tmp_path: Path) -> None:
    model, result = made(tmp_path, [reply_of(RAISES)], fixes=0)
    assert len(model.requests) == 1
    assert result.iterations[0].retry_count == 0


def test_the_last_good_scene_survives_a_turn_that_fails(tmp_path: Path) -> None:
    first = reply_of(APPLE.replace("scene.camera = camera", "").replace('"Red"', '"Ruby"'))
    model, result = made(tmp_path, [first, *[reply_of(RAISES)] * 4], iterations=2)
    assert [request.kind for request in model.requests][:2] == ["scene.draft", "scene.edit"]
    assert len(result.iterations) == 2
    assert "Ruby" in result.files["script"].read_text()
    assert result.files["blend"].stat().st_size > 1000


def test_what_was_said_beside_a_script_that_failed_is_kept_when_only_the_code_is_fixed(tmp_path: Path) -> None:
    one = '{"kind": "count", "quote": "an apple", "parts": ["Apple*"], "number": 1}'
    said = f'```json\n{{"requirements": [{one}]}}\n```\n'
    _, result = made(tmp_path, [reply_of(RAISES) + said, reply_of(APPLE, "")])
    assert [m.outcome for m in result.report.requirements] == ["met"]


def test_errors_name_the_line_and_the_reason_in_the_record_on_the_terminal_and_on_the_page(tmp_path: Path) -> None:
    needs("blender")
    needs("bwrap")
    model = ScriptedModel([reply_of(BROKEN), reply_of(f"while True:\n    pass\n{APPLE}")])
    config = {**SETTINGS, "loop.fixes": 1, "studios.scene.limit": 3}
    result = redraft.scene("an apple on the ground", model=model, out=tmp_path / "run", config=config)
    syntax, limit = result.iterations[0].errors
    number = next(n for n, line in enumerate(BROKEN.splitlines(), 1) if "energy = 3)" in line)
    assert syntax == f"E1: line {number}: unmatched ')': lamp.energy = 3)"
    assert re.fullmatch(
        r"E1: It ran longer than 3 s and was stopped\. It was then at line [12], in <module>: (while True:|pass)", limit
    )
    (attempted,) = [event for event in read_events(result.run) if isinstance(event, Attempted)]
    assert log_lines(attempted) == [f"[DRAFT] did not run after 1 fix: {limit}"]
    page = html.unescape(result.files["report"].read_text("utf-8"))
    assert syntax in page
    assert limit in page
