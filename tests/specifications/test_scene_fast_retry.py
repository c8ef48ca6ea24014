"""What the specification of the fast retry states, tried as written; what other tests run is not repeated.

The specification's four tests have their names in `tests/loop/test_loop.py`, and with Blender in
`tests/studios/scene/test_scene_fast_retry.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scene_replies import APPLE, reply_of

import redraft
from redraft.brief import Brief
from redraft.errors import AttemptError, ExecutionError, FormatError, InfrastructureError
from redraft.models.conversation import ChatStep
from redraft.models.scripted import ScriptedModel
from redraft.result import Failure
from redraft.studios.requests import DraftRequest, FixRequest
from redraft.studios.scene.settings import SceneSettings
from redraft.studios.scene.studio import studio

DRAWN: dict[str, Any] = {
    "plan": [{"name": "sun", "label": "sun", "parent": None}],
    "strokes": [{"part": "sun", "kind": "ellipse", "cx": 0.5, "cy": 0.5, "rx": 0.2, "ry": 0.2, "fill": "#ffcc00"}],
}
GOOD = f"```json\n{json.dumps(DRAWN)}\n```"
OFF_PAPER = json.dumps({**DRAWN, "strokes": [{**DRAWN["strokes"][0], "rx": -1}]})


@pytest.mark.parametrize(
    ("error", "failure_class"), [(InfrastructureError, "E0"), (ExecutionError, "E1"), (FormatError, "E2")]
)
def test_failures_have_their_classes(error: type[AttemptError], failure_class: str) -> None:
    assert error("x").failure_class == failure_class
    assert Failure(failure_class=error.failure_class, message="x").failure_class == failure_class


@pytest.mark.parametrize("wrong", [0, 1, 2, 3])
def test_retries_are_counted_and_are_no_iterations(tmp_path: Path, wrong: int) -> None:
    model = ScriptedModel([*["A sun, drawn in words."] * wrong, GOOD])
    result = redraft.sketch("a sun", model=model, out=tmp_path / "run", iterations=1)
    assert [request.kind for request in model.requests] == ["sketch.draft", *["sketch.fix"] * wrong]
    (record,) = result.iterations
    assert (record.retry_count, len(record.errors)) == (wrong, wrong)
    assert all(error.startswith("E2: ") for error in record.errors)
    assert result.valid


def test_three_retries_of_a_turn_are_the_most(tmp_path: Path) -> None:
    assert redraft.Config().loop.fixes == 3
    model = ScriptedModel([*["In words."] * 4, GOOD])
    result = redraft.sketch("a sun", model=model, out=tmp_path / "run", iterations=1)
    assert len(model.requests) == 4
    (record,) = result.iterations
    assert (record.retry_count, len(record.errors)) == (3, 4)
    assert not result.valid


@pytest.mark.parametrize(("failure_class", "template"), [("E1", "fix_execution"), ("E2", "fix_format")])
def test_the_request_suits_the_class(failure_class: Any, template: str) -> None:
    draft = DraftRequest[Any](brief=Brief.of("an apple"), settings=SceneSettings())
    failure = Failure(failure_class=failure_class, message="NameError: name 'x' is not defined")
    fix = FixRequest[Any](
        brief=draft.brief, settings=draft.settings, of=draft, reply=reply_of(APPLE + "x"), failure=failure
    )
    (step,) = studio.compose(fix).nodes
    assert isinstance(step, ChatStep)
    assert step.template == template
    assert not callable(step.inputs)
    said = step.prompts.render(step.template, step.inputs)
    assert f"Error:\n{failure.message}" in said
    assert APPLE in said
    assert ("```python block" in said) == (failure_class == "E2"), "the reminder of the format"
