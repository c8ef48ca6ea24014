"""`redraft setup`: getting Blender, the add-on and the button in KiCad."""

from __future__ import annotations

import ast
import sys
from importlib import metadata
from pathlib import Path

import pytest
from stand_in_bpy import StandIn
from typer.testing import CliRunner, Result

from redraft.cli.program import program
from redraft.studios.scene import blender, setup
from redraft.studios.scene.blender import READY, blender_in, find_blender


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["setup", *arguments])


@pytest.fixture
def nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system without Blender; gives the folder it would go to."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(blender, "PLACES", ())
    return tmp_path / "venv" / "blender"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    monkeypatch.setattr(blender, "BPY_FOR", {sys.version_info[:2]: "5.0.1"})
    return StandIn(tmp_path / "index", monkeypatch)


def test_without_a_command_it_changes_nothing_and_says_what_there_is(tmp_path: Path) -> None:
    result = invoke()
    assert result.exit_code == 2
    assert all(command in result.output for command in ("blender-addon", "kicad-plugin", "redraft doctor"))


@pytest.mark.slow
@pytest.mark.usefixtures("index")
def test_blender_is_installed_where_redraft_looks(nothing_here: Path) -> None:
    result = invoke("blender")
    assert result.exit_code == 0, result.output
    steps = result.stderr.splitlines()
    assert steps[0].startswith(f"making an environment in {nothing_here}, with ")
    assert steps[1:] == [
        "fetching bpy==5.0.1, about 400 MB, by uv",
        "trying it: Blender 5.0.1 imports its own parts",
    ]
    line, *more = result.stdout.splitlines()
    assert line.startswith(f"Blender 5.0.1 is ready in {nothing_here}: ")
    assert more == []
    assert blender_in(nothing_here) is not None
    assert find_blender().place.parent.parent == nothing_here
    again = invoke("blender")
    assert again.stdout.endswith(", already installed\n")
    assert (again.stderr, again.exit_code) == ("", 0)


@pytest.mark.slow
@pytest.mark.usefixtures("index", "nothing_here")
def test_elsewhere_it_has_to_be_named_and_is_told_how(tmp_path: Path) -> None:
    result = invoke("blender", "--into", str(tmp_path / "there"))
    assert result.exit_code == 0, result.output
    last = result.stdout.splitlines()[-1]
    assert last == f"to use it, set in redraft.yaml  studios: {{scene: {{blender: {tmp_path / 'there'}}}}}"


def test_what_is_wrong_is_one_message_and_exit_code_2(nothing_here: Path, tmp_path: Path) -> None:
    del nothing_here
    (tmp_path / "mine").touch()
    refused = invoke("blender", "--into", str(tmp_path / "mine"))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr.startswith(f"error: {tmp_path / 'mine'} is a file; Blender needs a folder of its own.")
    refused = invoke("blender", "--python", str(tmp_path / "mine"))
    assert refused.exit_code == 2
    assert "this does not run as a Python; Python 3.11 or 3.13 is expected" in refused.stderr


@pytest.mark.usefixtures("index")
def test_stopped_by_the_user(nothing_here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(folder: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(setup, "_refuse_a_full_disk", stop)
    result = invoke("blender")
    assert result.exit_code == 130
    assert result.stderr.startswith("error: stopped; the incomplete installation will not be used.")
    assert not (nothing_here / READY).exists()
    assert not nothing_here.exists()


def test_help_names_the_licence() -> None:
    said = " ".join(invoke("blender", "--help").stdout.split())
    assert "a separate program under the GPL; redraft runs it as a separate process" in said


def test_the_add_on_for_blender_is_written_and_says_how_to_install_it(tmp_path: Path) -> None:
    result = invoke("blender-addon", "--out", str(tmp_path / "some where"))
    assert result.exit_code == 0, result.output
    extension, legacy = (tmp_path / "some where" / f"redraft_addon-0.1.0{end}.zip" for end in ("", "-legacy"))
    assert sorted((tmp_path / "some where").iterdir()) == [legacy, extension]
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"{extension}: for Blender 4.2 and later")
    assert lines[1] == f"  blender --command extension install-file -r user_default -e '{extension}'"
    assert lines[2].startswith(f"{legacy}: for earlier versions")
    written = extension.read_bytes()
    invoke("blender-addon", "--out", str(tmp_path / "some where"))
    assert extension.read_bytes() == written


def test_the_add_on_has_the_version_of_redraft() -> None:
    version = metadata.version("redraft")
    assert f'version = "{version}"' in (setup.ADDON / setup.MANIFEST).read_text("utf-8").splitlines()
    tree = ast.parse((setup.ADDON / "__init__.py").read_text("utf-8"))
    named = [
        each.value for each in tree.body if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "bl_info"
    ]
    assert ".".join(map(str, ast.literal_eval(named[0])["version"])) == version


def test_a_folder_that_cannot_hold_the_add_on(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = invoke("blender-addon", "--out", str(tmp_path / "file"))
    assert result.exit_code == 2
    assert "Could not write" in result.stderr
