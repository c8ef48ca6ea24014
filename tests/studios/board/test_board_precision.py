"""Parts are where they were asked to be, in the saved file, by KiCad's own geometry: a small run of the benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_parts import needs

from precision import Batch, Request, measure, run
from redraft.layout.items import Move
from redraft.studios.board.actions.registry import PlaceRelative
from redraft.studios.board.actions.workspace import Workspace
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.model import MM

pytestmark = [pytest.mark.real, pytest.mark.slow]

OWN = Path(__file__).parents[2] / "data" / "boards"
ALONG = PlaceRelative(ref="R1", target="D1", side="bottom", clearance=1.234567, allow_overlap=True)


def _wrong(found: list[Batch]) -> list[str]:
    done = [one for batch in found for one in batch.requests if not one.refused]
    assert done
    return [f"{one.action}: {one.answer}" for one in done if "error" in one.answer or one.wrong()]


def test_gaps_on_a_small_board_are_those_asked_for(tmp_path: Path):
    assert _wrong(run([OWN / "begonia.kicad_pcb"], tmp_path, 15, 1, needs("pcbnew"))) == []


@pytest.mark.parametrize("name", ["stickhub/StickHub", "pic_programmer/pic_programmer", "interf_u/interf_u"])
def test_gaps_on_demo_boards_are_those_asked_for(name: str, tmp_path: Path):
    source = Path(needs("kicad-demos")) / f"{name}.kicad_pcb"
    assert _wrong(run([source], tmp_path, 15, 2, needs("pcbnew"))) == []


@pytest.mark.parametrize(("nanometres", "told"), [(0, []), (2, ["gap off by 2 nm"]), (-2, ["gap off by -2 nm"])])
def test_two_nanometres_too_much_or_too_little_are_found(nanometres: int, told: list[str], tmp_path: Path):
    """Between boxes; otherwise the test above could not fail."""
    board = Board.read(OWN / "begonia.kicad_pcb")
    workspace = Workspace(board.layout)
    workspace.do(ALONG)
    out = tmp_path / "moved.kicad_pcb"
    board.amend([*workspace.moves, Move.shift(ALONG.ref, 0.0, nanometres / MM)]).save(out)
    request = Request(ALONG)
    measure([Batch(board.file.path, out, (request,), dict(board.names))], needs("pcbnew"))
    assert request.kind == "box"
    assert request.wrong() == told
