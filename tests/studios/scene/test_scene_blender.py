"""Finding Blender: what is taken, in which order, and what is said of what is no use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from real_parts import needs

from redraft.errors import ConfigError, MissingPartError
from redraft.sandbox.pool import Sandbox
from redraft.studios.scene import blender
from redraft.studios.scene.blender import MAKING, READY, blender_in, find_blender, homes, python_in
from redraft.studios.scene.execute import Wanted, run_script, survey
from redraft.studios.scene.settings import SceneSettings

SCRIPT = """
import bpy
print(6 * 7)
bpy.ops.mesh.primitive_cube_add(location=(0, 0, 1))
bpy.ops.object.light_add(type="SUN", location=(1, -1, 5))
bpy.ops.object.camera_add(location=(0, -9, 1), rotation=(1.5708, 0, 0))
bpy.context.scene.camera = bpy.context.object
"""
STAGE = "redraft.studios.scene.inside.stage.server"


def environment(folder: Path, version: str = "5.0.1", *, ready: bool = True) -> Path:
    """The files of an environment with `bpy`, as far as they are looked at."""
    python_in(folder).parent.mkdir(parents=True)
    python_in(folder).symlink_to(sys.executable)
    packages = folder / ("Lib/site-packages" if sys.platform == "win32" else "lib/python3.11/site-packages")
    (packages / f"bpy-{version}.dist-info").mkdir(parents=True)
    (folder / (READY if ready else MAKING)).touch()
    return folder


@pytest.fixture
def program() -> Path:
    """A `blender` program that was installed by somebody else."""
    return Path(needs("blender-program"))


@pytest.fixture
def nothing_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A system without Blender; gives the two folders where one would be looked for."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(blender, "PLACES", ())
    return homes()


def test_an_environment_of_our_own_is_taken_without_starting_anything(
    nothing_here: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", None)
    assert nothing_here[0] == tmp_path / "venv" / "blender"
    late = environment(nothing_here[1], "5.2.3")
    assert find_blender() == blender_in(late)
    early = environment(nothing_here[0])
    found = find_blender("auto")
    assert (found.version, found.module, found.binds) == ("5.0.1", True, ())
    assert found.command[0] == str(python_in(early))
    *start, boot, module = found.program(STAGE)
    assert (tuple(start), module) == (found.command, STAGE)
    assert Path(boot).name == "boot.py"
    assert Path(boot).is_file()


@pytest.mark.usefixtures("nothing_here")
def test_where_there_is_none_one_line_says_how_to_get_it() -> None:
    with pytest.raises(MissingPartError) as caught:
        find_blender()
    assert str(caught.value) == (
        "Scenes need Blender, which is not installed. Install it: redraft setup blender (about 1 GB)"
    )


def test_what_was_never_finished_or_has_lost_its_python_is_not_there(nothing_here: list[Path]) -> None:
    half = environment(nothing_here[0], ready=False)
    lost = environment(nothing_here[1])
    python_in(lost).unlink()
    python_in(lost).symlink_to(lost / "gone")
    assert blender_in(half) is None
    assert blender_in(lost) is None
    with pytest.raises(MissingPartError, match="which is not installed"):
        find_blender()


def test_one_that_is_too_old_is_passed_over(nothing_here: list[Path]) -> None:
    environment(nothing_here[0], "3.3.1")
    good = environment(nothing_here[1], "3.4.0")
    assert find_blender() == blender_in(good)


def test_a_python_without_the_module_is_refused_with_its_version() -> None:
    version = sys.version.split()[0]
    with pytest.raises(ConfigError, match=rf"studios\.scene\.blender: '.*' is Python {version} without the bpy module"):
        find_blender(sys.executable)


def a_script(path: Path) -> None:
    path.write_text("#!/bin/sh\necho Blender 5.0.1\n")
    path.chmod(0o755)


def another_program(path: Path) -> None:
    path.write_text("#!/bin/sh\necho something else\n")
    path.chmod(0o755)


def a_failing_program(path: Path) -> None:
    path.write_text("#!/bin/sh\necho Blender 5.0.1; exit 3\n")
    path.chmod(0o755)


def a_text(path: Path) -> None:
    path.write_text("Blender 5.0.1\n")


def nothing(path: Path) -> None:
    del path


def a_folder(path: Path) -> None:
    path.mkdir()


def half_an_environment(path: Path) -> None:
    environment(path, ready=False)


@pytest.mark.parametrize(
    ("prepare", "wanted"),
    [
        (a_script, "is something that starts Blender, and not Blender itself; give"),
        (another_program, "is not a Blender (it says 'something else'); give a Python that has the bpy module, or"),
        (a_failing_program, "is not a Blender; give"),
        (a_text, "cannot be executed; give"),
        (nothing, "does not exist; give"),
        (a_folder, "is a folder without Blender; give"),
        (half_an_environment, "was never finished; run: redraft setup blender --into "),
    ],
)
def test_a_path_that_is_no_use_is_named_with_the_setting_and_what_would_be_right(
    prepare: Callable[[Path], None], wanted: str, tmp_path: Path
) -> None:
    path = tmp_path / "blender"
    prepare(path)
    with pytest.raises(ConfigError) as caught:
        find_blender(str(path))
    assert str(caught.value).startswith(f"studios.scene.blender: {str(path)!r} {wanted}")
    assert "\n" not in str(caught.value)


def test_a_starter_on_path_is_passed_over_and_said(nothing_here: list[Path], tmp_path: Path) -> None:
    del nothing_here
    (tmp_path / "bin").mkdir()
    a_script(tmp_path / "bin" / "blender")
    with pytest.raises(MissingPartError, match=r"cannot be used for scenes: .*/bin/blender is something that"):
        find_blender()


@pytest.mark.real
@pytest.mark.slow
def test_the_module_that_is_here_is_found_by_its_python_and_by_its_folder() -> None:
    python = Path(needs("blender"))
    found = find_blender(str(python))
    assert found.module
    asked = subprocess.run(
        [*found.command, "-c", "import bpy; print(bpy.app.version)"], capture_output=True, text=True, check=True
    )
    assert str(tuple(int(number) for number in found.version.split("."))) in asked.stdout
    assert find_blender(str(python.parent.parent)).version == found.version


@pytest.mark.real
@pytest.mark.slow
def test_a_program_on_path_is_taken_and_asked_once(
    program: Path, nothing_here: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del nothing_here
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "blender").symlink_to(program)
    found = find_blender()
    assert not found.module
    assert found.place == program.resolve()
    assert found.binds == (program.resolve().parent,)
    assert found.program(STAGE)[-2:] == ("--", STAGE)
    monkeypatch.setattr(subprocess, "run", None)
    assert find_blender() == found
    monkeypatch.setattr(blender, "LOWEST", (99, 1))
    with pytest.raises(MissingPartError, match=rf"is Blender {found.version}, and 99\.1 or later is needed\. Install"):
        find_blender()


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.anyio
async def test_a_program_makes_a_scene_and_looks_at_it_whatever_it_prints(program: Path, tmp_path: Path) -> None:
    settings = SceneSettings(blender=str(program), sandbox="none")
    async with Sandbox(tmp_path / "scratch") as sandbox:
        staged = await run_script(SCRIPT, settings, 1, sandbox)
        seen = await survey(staged.blend, Wanted(facts=True, views=("top",), camera=(64, 48, 2)), settings, sandbox)
    assert staged.printed.strip() == "42"
    assert seen.facts is not None
    assert seen.facts.blender == find_blender(str(program)).version
    assert [(thing.name, thing.box) for thing in seen.facts.things] == [("Cube", (-1.0, -1.0, 0.0, 1.0, 1.0, 2.0))]
    assert [picture[:4] for picture in (seen.parts["camera"], seen.parts["top"])] == [b"\x89PNG"] * 2
