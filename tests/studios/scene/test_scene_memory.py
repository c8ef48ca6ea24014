"""The fix memory in runs of the scene studio, with real Blender: learnt in one run, made again in the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest
from real_parts import needs
from scene_replies import APPLE, reply_of

import redraft
from redraft.models.scripted import ScriptedModel
from redraft.record.transcript import Record
from redraft.result import Result

pytestmark = [pytest.mark.real, pytest.mark.slow]

SETTINGS = {"loop.iterations": 1, "loop.repairs": 0, "studios.scene.width": 96, "studios.scene.height": 72}
RAISES = APPLE.replace("lamp.energy = 3", 'lamp.energy = flaot("3")').replace('"Red"', '"Crimson"')
"""A slip that Blender can say nothing of."""


def made(folder: Path, name: str, replies: Sequence[str]) -> tuple[ScriptedModel, Result]:
    needs("blender")
    needs("bwrap")
    model = ScriptedModel(replies)
    config = {**SETTINGS, "studios.scene.samples": 1, "memory": f"sqlite:{folder / 'fixes.db'}"}
    return model, redraft.scene("an apple on the ground", model=model, out=folder / name, config=config)


def test_what_fixed_a_script_fixes_the_next_one_without_a_model(tmp_path: Path) -> None:
    fixed = RAISES.replace('flaot("3")', 'float("3")')
    first, result = made(tmp_path, "one", [reply_of(RAISES), reply_of(fixed)])
    assert [request.kind for request in first.requests] == ["scene.draft", "scene.fix"]
    assert result.valid

    other = RAISES.replace('"Crimson"', '"Scarlet"')
    second, result = made(tmp_path, "two", [reply_of(other)])
    assert [request.kind for request in second.requests] == ["scene.draft"]
    assert result.valid
    assert 'float("3")' in result.files["script"].read_text()
    memory = Record.load(result.run).transcript.memory
    assert isinstance(memory, dict)
    (recalled,) = cast("list[dict[str, object]]", memory["recalled"])
    assert recalled["worked"] is True
    assert str(recalled["error"]).startswith("py:name_error")
