"""`redraft board … --live` on a KiCad that really runs, under a virtual screen."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest
from real_parts import DEMOS, needs
from running_kicad import running_kicad
from typer.testing import CliRunner, Result

from redraft.cli.program import program
from redraft.studios.board.live import LiveBoard

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(240)]


@pytest.fixture(scope="module")
def address() -> Generator[str]:
    needs("kicad-demos")
    with running_kicad(DEMOS / "pic_programmer" / "pic_programmer.kicad_pcb") as address:
        yield address


@pytest.fixture(autouse=True)
def kicad(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICAD_API_SOCKET", address)
    monkeypatch.chdir(tmp_path)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["board", *arguments])


def gap(address: str) -> float:
    layout = LiveBoard.connect(address).board.layout
    return layout.bounds("D2")[0] - layout.bounds("R1")[2]


def test_looking() -> None:
    assert "63 parts" in invoke("compass", "--live").stdout
    view = json.loads(invoke("inspect", "--live", "D2", "R1").stdout)
    assert {"D2", "R1"} <= {part["ref"] for part in view["objects"]}


def test_placing_is_one_step_in_kicad(address: str) -> None:
    before = gap(address)
    result = invoke("live", "put D2 0.5 mm right of R1", "--drc", "never")
    assert result.exit_code == 0, result.output
    assert "moved in the board that is open in KiCad" in result.stdout
    assert before != pytest.approx(0.5, abs=1e-3)
    assert gap(address) == pytest.approx(0.5, abs=2e-6)


def test_what_cannot_be_done_is_not_done_in_kicad_either(address: str) -> None:
    before = gap(address)
    result = invoke("live", "put D2 0.5 mm left of R1", "--drc", "never")
    assert result.exit_code == 1
    assert "Nothing was" in result.output
    assert gap(address) == before
