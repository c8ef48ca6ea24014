"""Boards as KiCad itself reads them: poses, pads, nets and courtyards."""

from __future__ import annotations

from pathlib import Path

import pytest
from board_differences import compare
from pcbnew_facts import facts
from real_parts import needs

from redraft.studios.board.board import Board

pytestmark = pytest.mark.real

OWN = Path(__file__).parents[3] / "data" / "boards"
DEMOS = [
    "stickhub/StickHub.kicad_pcb",
    "pic_programmer/pic_programmer.kicad_pcb",
    "custom_pads_test/custom_pads_test.kicad_pcb",
    "test_pads_inside_pads/test_pads_inside_pads.kicad_pcb",
    "royalblue54L_feather/RoyalBlue54L-Feather.kicad_pcb",
]
LARGE = ["video/video.kicad_pcb", "tiny_tapeout/tinytapeout-demo.kicad_pcb"]


def _assert_same(path: Path) -> None:
    board = Board.read(path)
    found = compare(board, facts(needs("pcbnew"), path)[0])
    assert not found.differences, "\n".join(found.differences[:20])
    assert found.footprints == len(board.file.footprints)


@pytest.mark.parametrize("name", ["begonia.kicad_pcb", "shapes.kicad_pcb"])
def test_small_boards_are_read_as_kicad_reads_them(name: str):
    _assert_same(OWN / name)


@pytest.mark.slow
@pytest.mark.parametrize("name", DEMOS)
def test_demo_boards_are_read_as_kicad_reads_them(name: str):
    _assert_same(Path(needs("kicad-demos")) / name)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_boards_are_read_as_kicad_reads_them(name: str):
    _assert_same(Path(needs("kicad-demos")) / name)
