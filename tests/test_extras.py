"""Each extra by itself: the wheel in a bare environment, with the locked packages of one extra and no others."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from packages import ROOT, install, locked, uv
from real_parts import needs
from small_board import small_board

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
STUDIOS = ("board", "image", "scene", "shader", "sketch")

Install = Callable[[str], Path]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Install:
    """Make an environment with redraft and one extra; none for the empty name."""
    folder = tmp_path_factory.mktemp("wheel")
    uv("build", "--wheel", "--out-dir", folder, ROOT)

    def ready(extra: str) -> Path:
        place = tmp_path_factory.mktemp(f"bare-{extra}")
        locked(place, *filter(None, [extra]))
        install(next(folder.glob("*.whl")), place)
        return place

    return ready


def run(place: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `redraft` of an environment in a folder."""
    command = [place / "bin/redraft", *arguments]
    return subprocess.run(command, cwd=folder, env=_own(), capture_output=True, text=True, timeout=300, check=False)


def _own() -> dict[str, str]:
    """The environment of a test, where nothing but what is installed can be imported."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def test_without_extras(installed: Install, tmp_path: Path) -> None:
    bare = installed("")
    for arguments in (["--help"], ["--version"], ["models"], ["config", "show"], ["memory", "list"]):
        ran = run(bare, *arguments, folder=tmp_path)
        assert (ran.returncode, ran.stderr) == (0, ""), arguments
    (tmp_path / "my.kicad_pcb").write_text(small_board())
    for studio in STUDIOS:
        brief = ["my.kicad_pcb", "put C1 right of U1"] if studio == "board" else ["a house"]
        ran = run(bare, studio, *brief, folder=tmp_path)
        assert ran.returncode == 2, studio
        (line,) = ran.stderr.splitlines()
        assert line.startswith("error: "), studio
        assert line.endswith(f"pip install 'redraft[{studio}]'"), line
    ran = run(bare, "doctor", "--quick", folder=tmp_path)
    assert (ran.returncode, ran.stderr) == (1, "")
    for studio in STUDIOS:
        (line,) = [line for line in ran.stdout.splitlines() if line.startswith(f"  {studio:<6}  DOES NOT WORK: ")]
        assert line.endswith(f"pip install 'redraft[{studio}]'"), line
    assert "PIL" not in ran.stdout
    (line,) = run(bare, "mcp", folder=tmp_path).stderr.splitlines()
    assert line.endswith("pip install 'redraft[mcp]'")
    assert [path.name for path in tmp_path.iterdir() if path.name != "runs"] == ["my.kicad_pcb"]


@pytest.mark.parametrize(
    ("extra", "arguments", "made"),
    [
        ("sketch", ["two flowers to the left of a house, and a tree much further right"], "drawing.svg"),
        ("board", ["my.kicad_pcb", "put C1 0.5 mm right of U1 pin 4"], "board.kicad_pcb"),
        ("image", ["lighthouse, sailboat, moon"], "image.png"),
        pytest.param(
            "shader", ["slow aurora over a dark lake", "--frames", "4"], "shader.glsl", marks=pytest.mark.real
        ),
        pytest.param("scene", ["a table with a bowl on it", "--samples", "4"], "scene.blend", marks=pytest.mark.real),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_extra_runs_its_example(
    extra: str, arguments: list[str], made: str, installed: Install, tmp_path: Path
) -> None:
    if extra == "shader":
        needs("egl")
    if extra == "scene":
        needs("bwrap")
        arguments = [*arguments, "--blender", needs("blender")]
    (tmp_path / "my.kicad_pcb").write_text(small_board())
    ran = run(installed(extra), extra, *arguments, "--out", "run", folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    assert (tmp_path / "run" / made).exists()


def test_the_server_answers(installed: Install, tmp_path: Path) -> None:
    (tmp_path / "my.kicad_pcb").write_text(small_board())
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    opened = {"name": "board_open", "arguments": {"path": "my.kicad_pcb"}}
    sent = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": opened},
    ]
    place = installed("mcp")
    server = subprocess.Popen(
        [place / "bin/redraft", "mcp", "."],
        cwd=tmp_path,
        env=_own(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    with server:
        answers = list[dict[str, object]]()
        for message in sent:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
            if "id" in message:
                answers.append(json.loads(server.stdout.readline()))
        server.stdin.close()
    assert [answer["id"] for answer in answers] == [1, 2]
    assert '"name": "redraft"' in json.dumps(answers[0])
    assert '"components": ' in json.dumps(answers[1]), answers[1]
