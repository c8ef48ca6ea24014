"""A whole run that ends in the open Blender, by the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from open_blender import background
from typer.testing import CliRunner, Result

from redraft.cli.program import program
from redraft.studios.scene.send import connection_file

pytestmark = [pytest.mark.slow, pytest.mark.real]


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(program, list(arguments))


def test_a_scene_is_placed_and_can_be_sent_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    small = ("--size", "64x64", "--samples", "1", "--out", "apple")
    with background(tmp_path) as opened:
        result = invoke("scene", "a red apple on a wooden table", "--send", *small)
        assert result.exit_code == 0, result.output
        sent = json.loads((tmp_path / "apple" / "sent.json").read_text())
        assert set(sent["objects"]) < set(opened.objects())
        assert (sent["collection"], sent["how"], sent["left_out"]) == ("apple", "append", [])
        many = f"{sent['count']} objects, appended into the new collection 'apple' in Blender {sent['blender']}"
        assert f"sent:    {many}" in result.output.splitlines()
    # Blender is gone; the run is whole, and the exit code says that it was not sent.
    assert connection_file().exists()
    result = invoke("resume", "apple", "--json")
    assert result.exit_code == 3
    answer = json.loads(result.stdout)
    assert answer["error"]["step"] == "send"
    assert "Blender no longer listens" in answer["error"]["message"]
    assert answer["valid"]
    assert Path(answer["files"]["blend"]).is_file()
    assert "then run: redraft resume apple" in result.stderr
    with background(tmp_path) as opened:
        result = invoke("resume", "apple")
        assert result.exit_code == 0, result.output
        assert "Apple" in opened.objects()
