"""The files that `redraft examples` writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from redraft.cli.program import program

NAMES = ["briefs.jsonl", "my.kicad_pcb", "photo.png", "taste.yaml"]


@pytest.fixture(autouse=True)
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_STUDIOS__BOARD__DRC", "never")  # KiCad is not what this is about
    result = CliRunner().invoke(program, ["examples", "."])
    assert (result.exit_code, result.stdout.split()) == (0, NAMES)
    return tmp_path


def test_files_of_your_own_are_not_overwritten(written: Path) -> None:
    assert CliRunner().invoke(program, ["examples", "."]).exit_code == 0  # the same again
    (written / "taste.yaml").write_text("likes: [tea]\n", "utf-8")
    (written / "photo.png").unlink()
    result = CliRunner().invoke(program, ["examples", "."])
    assert result.exit_code == 2
    assert result.stderr == "error: taste.yaml is a file of your own; it is not overwritten. Choose another folder.\n"
    assert not (written / "photo.png").exists()
    assert CliRunner().invoke(program, ["examples", "photos/new", "--json"]).exit_code == 0
    assert sorted(path.name for path in (written / "photos" / "new").iterdir()) == NAMES


def test_each_line_of_briefs_is_a_run_that_can_begin(written: Path) -> None:
    from redraft.options import config_of
    from redraft.studios import open_studio

    lines = [json.loads(line) for line in (written / "briefs.jsonl").read_text("utf-8").splitlines()]
    assert len({line.pop("id") for line in lines}) == len(lines)
    for line in lines:
        studio, given = (
            open_studio(line.pop("studio")),
            {"source": Path(line.pop("source"))} if "source" in line else {},
        )
        instruction = line.pop("instruction")
        settings = studio.settings_model.model_validate(line)
        config_of(studio, line)
        studio.prepare(settings, studio.brief(instruction, settings, 0, **given))
