"""With real parts: the protocol's own inspector as the client, and a board of KiCad's, read back by KiCad."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp_server import arguments_of, serving
from real_parts import needs

from mcp import Client
from redraft.mcp.server import build_server

from .conftest import Desktop

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timed]

GAP = """
import json, sys
import pcbnew
board = pcbnew.LoadBoard(sys.argv[1])
def pad(ref, number):
    footprint = board.FindFootprintByReference(ref)
    return next(pad for pad in footprint.Pads() if pad.GetNumber() == number)
one, two = pad(*sys.argv[2].split(".")), pad(*sys.argv[3].split("."))
a, b = (p.GetEffectiveShape(pcbnew.F_Cu) for p in (one, two))
low, high = 0, 5_000_000
while low < high:  # the least clearance at which they collide, in nm
    middle = (low + high) // 2
    low, high = (low, middle) if a.Collide(b, middle) else (middle + 1, high)
print(json.dumps({"gap": low, "nets": [one.GetNetname(), two.GetNetname()], "dy": one.GetY() - two.GetY()}))
"""


@pytest.mark.timeout(300)
@pytest.mark.anyio
async def test_a_decoupling_capacitor_lies_half_a_millimetre_from_its_pin_at_the_first_try(tmp_path: Path) -> None:
    python = needs("pcbnew")
    _fetch("StickHub", tmp_path)
    async with Client(build_server([tmp_path])) as client:
        desk = Desktop(client)
        await desk.ok("board_open", path="StickHub.kicad_pcb")
        found = await desk.ok("board_find", kind="capacitor", net="+3.3V")
        assert "C6" in {part["ref"] for part in found["parts"]}
        view = await desk.ok("board_look", refs=["U1.36", "C6"])
        pads = {part["ref"]: part["pads"] for part in view["objects"]}
        assert {"num": "36", "net": "+3.3V"}.items() <= next(p for p in pads["U1"] if p["num"] == "36").items()
        step = await desk.act("place_relative", ref="C6", target="U1.36", side="left", clearance=0.5)
        assert [line.split()[0] for line in step["moved"]] == ["C6"]
        checked = await desk.ok("board_check")
        assert checked["valid"] is True
        await desk.ok("board_save", out="placed.kicad_pcb")
    measured = _measured(python, tmp_path / "placed.kicad_pcb", "C6.1", "U1.36")
    assert measured["nets"] == ["+3.3V", "+3.3V"]
    assert measured["gap"] == pytest.approx(500_000, abs=1_000)  # rounded corners: to a micrometre
    assert measured["dy"] == pytest.approx(0, abs=1)


@pytest.mark.timeout(300)
@pytest.mark.anyio
async def test_kicads_own_check_is_asked_and_tells_what_is_new(tmp_path: Path) -> None:
    needs("kicad-cli")
    _fetch("StickHub", tmp_path)
    told: list[str | None] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with Client(build_server([tmp_path])) as client:
        desk = Desktop(client)
        await desk.ok("board_open", path="StickHub.kicad_pcb")
        await desk.act("place_relative", ref="C6", target="C5", side="left", clearance=-0.5, allow_overlap=True)
        await client.call_tool("board_check", {"drc": True}, progress_callback=heard)
        found = await desk.ok("board_check", drc=True)
    assert found["asked"] == ["redraft", "KiCad"]
    assert found["valid"] is False
    # C6 comes to lie on a pad of R6, of another net. This board's project ignores overlapping courtyards.
    codes = {(problem["code"], *sorted(problem["parts"])) for problem in found["findings"]}
    assert {("board.overlap", "C5", "C6"), ("board.overlap", "C6", "R6"), ("drc.shorting_items", "C6", "R6")} <= codes
    assert any("KiCad" in (message or "") for message in told)


def _fetch(name: str, folder: Path) -> None:
    demos = Path(needs("kicad-demos"))
    for suffix in ("kicad_pcb", "kicad_pro"):
        shutil.copy(next(demos.rglob(f"{name}.{suffix}")), folder)


def _measured(python: str, board: Path, one: str, two: str) -> dict[str, Any]:
    run = subprocess.run(
        [python, "-c", GAP, str(board), one, two], capture_output=True, text=True, timeout=120, check=True
    )
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.timeout(300)
def test_the_inspector_lists_the_tools_and_calls_them(boards: Path, tmp_path: Path, transport: str) -> None:
    inspector = needs("inspector")
    variables = os.environ | {"PATH": f"{Path(inspector).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    token = "correct-horse-battery-staple"

    def inspected(*arguments: str, **more: str) -> dict[str, Any]:
        command = [inspector, "--cli", *target, *arguments, *(f"{name}={value}" for name, value in more.items())]
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=120, check=False, env=variables, stdin=subprocess.DEVNULL
        )
        assert "{" in run.stdout, run.stderr
        return json.loads(run.stdout)

    with serving(boards, token=token) as served:
        if transport == "http":
            target = [served.url, "--transport", "http", "--header", f"Authorization: Bearer {token}"]
        else:  # which passes no variables on by itself
            source = os.environ.get("PYTHONPATH")
            target = [*(["-e", f"PYTHONPATH={source}"] if source else []), *arguments_of(boards)]
        names = {tool["name"] for tool in inspected("--method", "tools/list", "--strict")["tools"]}
        assert {"board_open", "board_act", "scene_draft", "memory_lookup", "run"} <= names
        call = ("--method", "tools/call", "--tool-name", "board_open", "--tool-arg")
        assert inspected(*call, path="small.kicad_pcb")["structuredContent"]["components"] == 13
        refused = inspected(*call, path="/etc/passwd")
        assert refused["isError"] is True
        assert "outside" in refused["content"][0]["text"]
        assert inspected("--method", "prompts/list")["prompts"][0]["name"] == "layout"
        resources = inspected("--method", "resources/list")["resources"]
        assert {"board://compass", "board://view"} <= {resource["uri"] for resource in resources}
