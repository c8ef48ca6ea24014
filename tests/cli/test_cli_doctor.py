"""`redraft doctor`: what is installed, and whether each studio works."""

from __future__ import annotations

import ctypes.util
import json
import sys
from importlib import metadata
from pathlib import Path

import pytest
from real_parts import needs
from typer.testing import CliRunner, Result

from redraft.cli.program import program
from redraft.extras import extras
from redraft.sandbox import protection
from redraft.studios import studio_names
from redraft.studios.scene import blender
from redraft.studios.shader import gl


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["doctor", *arguments])


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def nothing(name: str) -> None:
    """Find no library."""


@pytest.fixture
def bare_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without Blender, bubblewrap, KiCad and OpenGL."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(blender, "PLACES", ())
    monkeypatch.setattr(ctypes.util, "find_library", nothing)
    for cached in (gl.require_gl, protection._tried):  # pyright: ignore[reportPrivateUsage]
        cached.cache_clear()


@pytest.mark.slow
def test_a_drawing_and_a_board_are_made_and_leave_nothing(tmp_path: Path) -> None:
    (tmp_path / "redraft.yaml").write_text(
        "studios: {board: {drc: never}}\nmodel: anthropic:none\nout: mine\n", "utf-8"
    )
    result = invoke("sketch", "board", "image")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"redraft {metadata.version('redraft')}, Python {sys.version_info.major}.")
    for line, studio in zip(lines[3:6], ("sketch", "board ", "image "), strict=True):
        assert line.startswith(f"  {studio}  works, ")
    assert [path.name for path in tmp_path.iterdir()] == ["redraft.yaml"]


@pytest.mark.slow
@pytest.mark.real
def test_every_studio_works_here() -> None:
    for part in ("blender", "bwrap", "egl"):
        needs(part)
    result = invoke("scene", "shader", "--json")
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert [(each["studio"], each["works"]) for each in said["studios"]] == [("scene", True), ("shader", True)]
    assert said["programs"]["blender"].startswith("Blender ")
    assert said["programs"]["opengl"] == "installed"


@pytest.mark.usefixtures("bare_system")
def test_what_is_missing_is_named_with_the_command_that_gets_it() -> None:
    result = invoke("--quick", "--json")
    assert result.exit_code == 1
    said = json.loads(result.stdout)
    studios = {each["studio"]: each for each in said["studios"]}
    assert tuple(studios) == studio_names()
    assert {name for name, each in studios.items() if each["works"]} == {"board", "image", "sketch"}
    assert "Scenes need Blender, which is not installed." in studios["scene"]["said"]
    assert studios["shader"]["said"].endswith("apt-get install libegl1 libgl1")
    assert "apt-get install" in said["programs"]["kicad-cli"]
    assert said["programs"]["blender"] == studios["scene"]["said"]
    assert set(said["extras_missing"]) == {extra.name for extra in extras()}


@pytest.mark.usefixtures("bare_system")
def test_blender_on_a_python_that_has_no_bpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blender, "BPY_FOR", {(3, 8): "2.9"})
    monkeypatch.setattr(blender, "_places", lambda _: ())  # pyright: ignore[reportUnknownArgumentType,reportUnknownLambdaType]
    line = invoke("scene", "--quick").stdout.splitlines()[3]
    assert "Blender's module needs Python 3.8; this is Python " in line
    assert line.endswith("or name one: redraft setup blender --python PATH")


def test_extras_are_those_of_the_package_and_say_what_they_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {extra.name: extra.missing for extra in extras()}
    assert {"sketch", "board", "shader", "mcp", "anthropic", "otel"} <= set(named)
    assert "all" not in named
    assert (named["sketch"], named["openai"]) == ((), ())
    known = metadata.version

    def without(name: str) -> str:
        if name in ("shapely", "openai"):
            raise metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr(metadata, "version", without)
    named = {extra.name: extra.missing for extra in extras()}
    assert (named["sketch"], named["board"], named["shader"]) == (("shapely",), ("shapely",), ())
    assert named["openai"] == ("openai",)  # not a requirement of redraft's, but of the one that it names
    lines = invoke("sketch", "--quick").stdout.splitlines()
    assert "  sketch     missing shapely: pip install 'redraft[sketch]'" in lines


@pytest.mark.slow
def test_a_result_that_is_not_valid_is_a_failed_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.studios.board.studio.BoardStudio.example", "put C1 90 mm right of U1 pin 4")
    monkeypatch.setattr("redraft.studios.board.studio.BoardStudio.trial", {"drc": "never"})
    result = invoke("board")
    assert result.exit_code == 1
    assert "  board  DOES NOT WORK: its self-test failed: " in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["skech"], "Unknown studio 'skech'; installed: board, image, scene, shader, sketch."),
        (["--config", "none.yaml"], "Cannot read the configuration none.yaml"),
    ],
)
def test_wrong_use_is_2(arguments: list[str], said: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
