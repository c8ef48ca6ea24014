"""Golden files: the shipped commands print, record, ask and deliver what they did before a change of structure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from golden import COMMANDS, FOLDER, golden

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_does_as_before(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    expected = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    found = golden(name, tmp_path)
    for part in expected:  # one at a time: the first that differs says what changed
        assert found[part] == expected[part], f"{name}: {part}; deliberate? then python tests/helpers/golden.py"
