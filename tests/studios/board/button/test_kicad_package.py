"""The plugin package for KiCad: valid by KiCad's own schema, and written without harm to what is there."""

from __future__ import annotations

import json
import re
import runpy
import struct
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from typer.testing import CliRunner, Result

from redraft.cli.program import program
from redraft.studios.board.button import package

SCHEMA = Path("/usr/share/kicad/schemas/api.v1.schema.json")
SOURCE = Path(str(files("redraft.studios.board.button") / "plugin"))
PLUGIN: dict[str, Any] = json.loads((SOURCE / "plugin.json").read_text("utf-8"))
ACTION: dict[str, Any] = PLUGIN["actions"][0]


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["setup", "kicad-plugin", *arguments])


def test_it_has_what_the_schema_asks_for() -> None:
    assert re.fullmatch(r"[a-zA-Z][-_a-zA-Z0-9.]{0,98}[a-zA-Z0-9]", PLUGIN["identifier"])
    assert re.search(r"\w{2,}\.\w+\.\w+", PLUGIN["identifier"])  # KiCad ignores a plugin without two dots in its name
    assert re.fullmatch(r"[a-zA-Z][-_a-zA-Z0-9.]{0,48}[a-zA-Z0-9]", ACTION["identifier"])
    assert PLUGIN["runtime"] == {"type": "python", "min_version": "3.11"}
    assert (ACTION["scopes"], ACTION["show-button"]) == (["pcb"], True)
    assert len(PLUGIN["name"]) <= 200 >= len(ACTION["name"])
    assert len(PLUGIN["description"]) <= 500 >= len(ACTION["description"])
    assert (SOURCE / ACTION["entrypoint"]).is_file()


@pytest.mark.skipif(not SCHEMA.exists(), reason="KiCad 9 is not installed")
def test_it_has_only_what_the_schema_knows() -> None:
    known = json.loads(SCHEMA.read_text())["definitions"]["Plugin"]
    inner = known["properties"]["actions"]["items"]
    assert set(known["required"]) <= set(PLUGIN) <= {*known["properties"], "$schema"}
    assert set(inner["required"]) <= set(ACTION) <= set(inner["properties"])


def test_icons_are_24_and_48_pixels_wide() -> None:
    for theme in ("icons-light", "icons-dark"):
        heads = [(SOURCE / name).read_bytes()[:24] for name in ACTION[theme]]
        assert all(head.startswith(b"\x89PNG") for head in heads)
        assert [struct.unpack(">II", head[16:]) for head in heads] == [(24, 24), (48, 48)]


def test_it_is_written_once_and_again(tmp_path: Path) -> None:
    first = invoke("--out", str(tmp_path))
    assert first.exit_code == 0, first.output
    assert f"written to {tmp_path / 'redraft'}" in first.stdout
    assert "Enable KiCad API" in first.stdout
    names = {"plugin.json", "place.py", "requirements.txt", *ACTION["icons-light"], *ACTION["icons-dark"]}
    assert {path.name for path in (tmp_path / "redraft").iterdir()} == names
    (tmp_path / "redraft" / "place.py").write_text("old")
    assert invoke("--out", str(tmp_path)).exit_code == 0
    assert (tmp_path / "redraft" / "place.py").read_bytes() == (SOURCE / "place.py").read_bytes()


@pytest.mark.parametrize("what", ['{"identifier": "com.example.other"}', "{", "[]", None])
def test_a_foreign_folder_is_left_alone(tmp_path: Path, what: str | None) -> None:
    folder = tmp_path / "redraft"
    folder.mkdir()
    (folder / ("notes.txt" if what is None else "plugin.json")).write_text(what or "mine")
    result = invoke("--out", str(tmp_path))
    assert result.exit_code == 2
    assert "is not redraft's plugin; nothing was written" in result.stderr
    assert len(list(folder.iterdir())) == 1


def test_a_file_of_that_name_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "redraft").write_text("mine")
    assert invoke("--out", str(tmp_path)).exit_code == 2
    assert (tmp_path / "redraft").read_text() == "mine"


def test_kicad_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("KICAD_DOCUMENTS_HOME", str(tmp_path))
    assert package.plugins_folder() == tmp_path / "kicad" / "9.0" / "plugins"
    monkeypatch.delenv("KICAD_DOCUMENTS_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert package.plugins_folder() == tmp_path / "data" / "kicad" / "9.0" / "plugins"


SOURCES = (
    (None, "==1.2"),
    ({"url": "file:///src", "dir_info": {"editable": True}}, " @ file:///src"),
    ({"url": "https://h/r", "vcs_info": {"vcs": "git", "commit_id": "abc"}}, " @ git+https://h/r@abc"),
)


@pytest.mark.parametrize(("source", "end"), SOURCES)
def test_kicad_installs_the_redraft_that_is_here(
    source: dict[str, Any] | None, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Package:
        version = "1.2"

        def read_text(self, _: str) -> str | None:
            return None if source is None else json.dumps(source)

    monkeypatch.setattr(package, "distribution", Mock(return_value=Package()))
    assert re.fullmatch(r"redraft\[board,kicad(,\w+)*\]", package.requirement().removesuffix(end))


def test_what_is_missing_is_said_in_the_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[str] = []
    monkeypatch.setattr("tempfile.mkdtemp", lambda: str(tmp_path))
    monkeypatch.setattr("webbrowser.open", pages.append)
    monkeypatch.setitem(sys.modules, "wx", None)
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(ImportError):
        runpy.run_path(str(SOURCE / "place.py"), run_name="__main__")
    assert pages == [(tmp_path / "redraft.txt").as_uri()]
    assert "python3-wxgtk4.0" in (tmp_path / "redraft.txt").read_text()
