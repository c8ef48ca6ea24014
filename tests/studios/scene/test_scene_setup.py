"""Installing Blender's module: by the real installers, from an index on disk with a stand-in for the module."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stand_in_bpy import BROKEN, StandIn

from redraft.errors import ConfigError, MissingPartError
from redraft.studios.scene import blender, setup
from redraft.studios.scene.blender import MAKING, READY, blender_in, find_blender, python_for_bpy, python_in
from redraft.studios.scene.setup import install_blender

pytestmark = [pytest.mark.slow, pytest.mark.timed]
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
INSTALL = """
import sys
from pathlib import Path
from redraft.studios.scene import blender, setup
from redraft.studios.scene.setup import install_blender
blender.BPY_FOR.clear()
blender.BPY_FOR[sys.version_info[:2]] = "5.0.1"
setup.PINNED = Path(sys.argv[2])
install_blender(Path(sys.argv[1]), say=print)
"""
"""What `redraft setup blender` does, with the Python that runs the tests, whichever it is."""


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    monkeypatch.setattr(blender, "BPY_FOR", {sys.version_info[:2]: "5.0.1"})
    return StandIn(tmp_path / "index", monkeypatch)


@pytest.fixture
def silent_index(index: StandIn) -> Iterator[StandIn]:
    """One that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        index.point_to(f"http://127.0.0.1:{server.getsockname()[1]}/simple")
        yield index


@pytest.fixture
def pip_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "uv_program", lambda: None)


def quiet(step: str) -> None:
    del step


def test_what_is_installed_is_found_and_a_second_call_leaves_it_alone(index: StandIn, tmp_path: Path) -> None:
    place, steps = tmp_path / "blender", list[str]()
    first = install_blender(place, say=steps.append)
    assert (first.blender.version, first.folder, first.already) == ("5.0.1", place, False)
    assert len(steps) == 3
    assert first.size > 1000
    assert not (place / MAKING).exists()
    found = find_blender(str(place))
    assert (found.version, found.module) == ("5.0.1", True)
    assert found.command[0] == first.blender.command[0]
    assert blender_in(place) == first.blender
    before = (place / READY).stat().st_mtime_ns
    index.point_to("http://127.0.0.1:9/simple")  # nothing is asked there
    again = install_blender(place, say=steps.append)
    assert again.already
    assert len(steps) == 3
    assert (place / READY).stat().st_mtime_ns == before


@pytest.mark.usefixtures("pip_only")
def test_pip_does_where_there_is_no_uv(index: StandIn, tmp_path: Path) -> None:
    steps = list[str]()
    assert install_blender(tmp_path / "blender", say=steps.append).blender.version == "5.0.1"
    assert steps[1].endswith("by pip")


@pytest.mark.parametrize("by_uv", [True, False])
def test_a_package_that_is_not_the_pinned_one_is_refused(
    index: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_uv: bool
) -> None:
    if not by_uv:
        monkeypatch.setattr(setup, "uv_program", lambda: None)
    pinned = index.pinned / "bpy-5.0.1.txt"
    pinned.write_text(f"bpy==5.0.1 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(MissingPartError, match=r"its SHA-256 differs from the pinned one, so nothing was installed"):
        install_blender(tmp_path / "blender", say=quiet)
    assert not (tmp_path / "blender").exists()


def test_every_version_of_blender_is_pinned_with_hashes() -> None:
    folder = Path(setup.__file__).parent / "pinned"
    for version in blender.BPY_FOR.values():
        text = (folder / f"bpy-{version}.txt").read_text("utf-8")
        packages = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
        assert any(line.startswith(f"bpy=={version} ") for line in packages)
        assert all("==" in line for line in packages)
        assert text.count("--hash=sha256:") >= len(packages)


def test_a_missing_library_is_named_and_nothing_is_fetched_twice(index: StandIn, tmp_path: Path) -> None:
    place = tmp_path / "blender"
    index.library.unlink()
    with pytest.raises(MissingPartError, match=r"needs libXi\.so\.6.*apt-get install .*\blibxi6\b") as caught:
        install_blender(place, say=quiet)
    assert "\n" not in str(caught.value)
    assert blender_in(place) is None
    with pytest.raises(ConfigError, match=r"was never finished; run: redraft setup blender --into"):
        find_blender(str(place))
    index.library.touch()
    index.point_to("http://127.0.0.1:9/simple")
    assert install_blender(place, say=quiet).blender.version == "5.0.1"


def test_one_that_has_lost_its_python_is_made_anew(index: StandIn, tmp_path: Path) -> None:
    place = tmp_path / "blender"
    install_blender(place, say=quiet)
    python_in(place).unlink()
    python_in(place).symlink_to(tmp_path / "gone")
    index.point_to("http://127.0.0.1:9/simple")
    with pytest.raises(MissingPartError, match="out of reach"):
        install_blender(place, say=quiet)
    assert blender_in(place) is None
    index.point_to(index.index.as_uri())
    again = install_blender(place, say=quiet)
    assert not again.already
    assert blender_in(place) == again.blender


def test_a_module_that_does_not_start_says_its_last_line(index: StandIn, tmp_path: Path) -> None:
    index.publish(BROKEN, "5.0.1")
    with pytest.raises(MissingPartError, match=r"does not start: ModuleNotFoundError: .*nothing_of_that_name"):
        install_blender(tmp_path / "blender", say=quiet)
    assert blender_in(tmp_path / "blender") is None


def test_without_a_network_nothing_is_left(index: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")
    index.point_to("http://127.0.0.1:9/simple")
    with pytest.raises(MissingPartError, match=r"bpy==5\.0\.1 cannot be fetched: the package index is out of reach"):
        install_blender(tmp_path / "blender", say=quiet)
    assert not (tmp_path / "blender").exists()


def test_an_index_without_it_says_why_in_the_installers_words(index: StandIn, tmp_path: Path) -> None:
    index.publish("", "4.0.0")
    with pytest.raises(MissingPartError, match=r"bpy==5\.0\.1 could not be installed: Because .*bpy==5\.0\.1"):
        install_blender(tmp_path / "blender", say=quiet)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_what_was_stopped_is_not_taken_for_whole(ending: signal.Signals, silent_index: StandIn, tmp_path: Path) -> None:
    place = tmp_path / "blender"
    with _stuck(place) as process:
        with pytest.raises(ConfigError, match=r"being installed into .* by another process right now"):
            install_blender(place, say=quiet)
        process.send_signal(ending)
    assert blender_in(place) is None
    assert place.exists() == (ending == signal.SIGKILL)
    silent_index.point_to(silent_index.index.as_uri())
    assert install_blender(place, say=quiet).blender.version == "5.0.1"


def _stuck(place: Path) -> subprocess.Popen[bytes]:
    """An installation that waits for its index."""
    process = subprocess.Popen(
        [sys.executable, "-c", INSTALL, str(place), str(setup.PINNED)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    while b"fetching" not in (line := process.stdout.readline()):
        assert line, "it ended before it fetched anything"
    time.sleep(0.3)  # the installer has started
    return process


def a_file(place: Path) -> None:
    place.write_text("mine")


def a_folder_in_use(place: Path) -> None:
    place.mkdir()
    (place / "mine").write_text("mine")


def a_link_to_nowhere(place: Path) -> None:
    place.symlink_to(place.parent / "nowhere" / "at" / "all")


@pytest.mark.parametrize(
    ("prepare", "wanted"),
    [
        (a_file, "is a file; Blender needs a folder of its own"),
        (a_folder_in_use, "is not empty, and redraft does not overwrite files there"),
        (a_link_to_nowhere, "Cannot make"),
    ],
)
def test_what_is_in_the_way_stays(prepare: Callable[[Path], None], wanted: str, index: StandIn, tmp_path: Path) -> None:
    place = tmp_path / "blender"
    prepare(place)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ConfigError, match=wanted) as caught:
        install_blender(place, say=quiet)
    assert str(place) in str(caught.value)
    assert "--into DIR" in str(caught.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_below_a_file_is_refused(index: StandIn, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"Cannot make .*Not a directory"):
        install_blender(tmp_path / "file" / "blender", say=quiet)


def test_too_little_room_is_said_before_anything_is_fetched(
    index: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "MIN_FREE", 10**18)
    with pytest.raises(MissingPartError, match=r"Blender needs 1000000000\.0 GB of free space, but the disk of .* has"):
        install_blender(tmp_path / "blender", say=quiet)
    assert not (tmp_path / "blender").exists()


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("error: Failed to write\n  cause: No space left on device (os error 28)", "The disk became full while bpy==1"),
        ("The virtual environment was not created successfully because ensurepip is not available.", "python3-venv"),
        ("error: Request failed after 3 retries\n  cause: dns error", "the package index is out of reach"),
        (
            "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<pip._vendor>')'\n"
            "ERROR: No matching distribution found for bpy==1",
            "the package index is out of reach",
        ),
        ("ERROR: No matching distribution found for bpy==1", "The package index has no bpy==1 for "),
        (
            "  cause: Because bpy==1 has no wheels with a matching platform tag (e.g., `manylinux_2_28_aarch64`) and",
            "The package index has no bpy==1 for ",
        ),
        ("", "could not be installed: it printed nothing"),
    ],
)
def test_reasons(said: str, wanted: str, monkeypatch: pytest.MonkeyPatch, index: StandIn, tmp_path: Path) -> None:
    monkeypatch.setattr(blender, "BPY_FOR", {sys.version_info[:2]: "1"})
    failing = tmp_path / "uv"
    failing.write_text(f"#!/bin/sh\ncat <<'END' >&2\n{said}\nEND\nexit 1\n")
    failing.chmod(0o755)
    monkeypatch.setattr(setup, "uv_program", lambda: failing)
    with pytest.raises(MissingPartError) as caught:
        install_blender(tmp_path / "blender", say=quiet)
    assert wanted in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_python_of_another_version_is_named_with_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blender, "BPY_FOR", {(3, 77): "9.9.9", (3, 78): "9.9.10"})
    with pytest.raises(ConfigError, match=rf"^--python .*: this is Python {HERE}; .* needs Python 3\.77 or 3\.78\."):
        python_for_bpy(Path(sys.executable))
    with pytest.raises(MissingPartError, match=r"needs Python 3\.77 or 3\.78; this is Python 3\..* --python PATH$"):
        python_for_bpy()
    with pytest.raises(ConfigError, match="not found"):
        python_for_bpy(tmp_path / "python3.77")
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho hello\n")
    other.chmod(0o755)
    with pytest.raises(ConfigError, match="this does not run as a Python"):
        python_for_bpy(other)


def test_the_python_that_runs_is_taken_before_another_that_has_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blender, "BPY_FOR", {(3, 77): "9.9.9", sys.version_info[:2]: "5.0.1"})
    other = tmp_path / "python3.77"
    other.write_text("#!/bin/sh\necho 3 77 False\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert python_for_bpy() == (Path(sys.executable), "5.0.1")
    assert python_for_bpy(other) == (other, "9.9.9")


def test_pythons_are_found_where_pyenv_puts_them_and_broken_ones_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blender, "BPY_FOR", {(3, 77): "9.9.9", sys.version_info[:2]: "5.0.1"})
    shims = tmp_path / "shims"
    shims.mkdir()
    for name in ("python3.77", f"python{HERE}"):
        (shims / name).write_text("#!/bin/sh\necho 'command not found' >&2\nexit 127\n")
        (shims / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(shims), prepend=os.pathsep)
    real = Path(sys.executable)
    monkeypatch.setattr(sys, "executable", str(shims / "python3.77"))
    monkeypatch.setattr(blender, "FOLDERS", ())
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    for number in (9, 10):
        folder = tmp_path / "pyenv" / "versions" / f"{HERE}.{number}" / "bin"
        folder.mkdir(parents=True)
        (folder / f"python{HERE}").symlink_to(real)
    assert python_for_bpy() == (tmp_path / f"pyenv/versions/{HERE}.10/bin/python{HERE}", "5.0.1")
