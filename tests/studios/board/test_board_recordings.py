"""Recorded answers of a capable model, given back by their place: what they bring about is measured on the board.

They are older than quotes: where the brief has numbers, the run ends at the repair that asks for these. They are older
than the look at tracks, too: the boards are routed, and where a component comes to lie on tracks of others (KiCad finds
the same), the run is not valid, and the test says which components these are.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from shapely.geometry.base import BaseGeometry

from redraft import api
from redraft.config import load
from redraft.layout.items import Layout
from redraft.result import Result
from redraft.studios.board.board import Board
from validity import RecordedModel

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[2] / "data"
FOLDER = DATA / "recordings" / "boards"
DIGITS = re.compile(r"[A-Z]+[0-9]+")
"""References: their digits are no numbers."""


def board_of(name: str, folder: Path) -> Path:
    """A board of the recordings, unpacked."""
    packed = FOLDER / f"{name}.kicad_pcb.gz"
    path = folder / f"{name}.kicad_pcb"
    path.write_bytes(
        gzip.decompress(packed.read_bytes()) if packed.exists() else (DATA / "boards" / path.name).read_bytes()
    )
    return path


def replayed(board: str, what: str, folder: Path, on_tracks: set[str]) -> tuple[Result, Layout, Layout]:
    """The result of a recorded run under today's rules, and the board before and after it. KiCad is not asked.

    `on_tracks` are the components that come to lie on tracks of other nets, or too near to them.
    """
    model, path = RecordedModel(FOLDER / f"{board}-{what}.jsonl"), board_of(board, folder)
    config = load(None, {"studios.board.drc": "never"}).config
    result = api.run("board", model.brief, config=config, model=model, source=path, out=folder / "run")
    on = [issue for issue in result.report.errors if re.search(r"a (track|via) of", issue.message)]
    assert {issue.code for issue in on} <= {"board.short", "board.clearance"}
    assert {ref for issue in on for ref in issue.subjects} == on_tracks
    missing = {issue.code for issue in result.report.errors if issue not in on}
    assert missing == ({"brief.number"} if any(map(str.isdigit, DIGITS.sub("", model.brief))) else set())
    assert result.valid == (not on and not missing)
    return result, Board.read(path).layout, Board.read(result.files["board"]).layout


def copper(layout: Layout, pad: str) -> BaseGeometry:
    ref, _, name = pad.rpartition(".")
    (port,) = layout[ref].ports_named(name)
    return port.core.buffer(port.radius) if port.radius else port.core


def moved(before: Layout, after: Layout) -> set[str]:
    return {item.name for item in before.roots if not item.shape.equals(after[item.name].shape)}


@pytest.mark.parametrize(
    ("what", "pad", "pin"),
    [
        ("decouple-pin-16", "C13.1", "U1.16"),
        ("decouple-pin-107", "C7.1", "U1.107"),
        ("decouple-pin-5", "C12.1", "U1.5"),
    ],
)
def test_a_decoupling_capacitor_is_half_a_millimetre_from_its_pin(
    what: str, pad: str, pin: str, tmp_path: Path
) -> None:
    result, before, after = replayed("azalea", what, tmp_path, {pad.partition(".")[0]})
    assert result.usage.calls <= 2  # without the critique
    assert copper(after, pad).distance(copper(after, pin)) == pytest.approx(0.5, abs=1e-6)
    assert moved(before, after) == {pad.partition(".")[0]}


def _crystal(layout: Layout) -> bool:
    chip = layout.bounds("U1")
    return all(layout.bounds(ref)[2] <= chip[0] and chip[0] - layout.bounds(ref)[2] < 6 for ref in ("X1", "C5", "C6"))


def _row(layout: Layout) -> bool:
    d, r, switch = layout.bounds("D1"), layout.bounds("R1"), layout.bounds("SW1")
    in_line = d[1] + d[3] == pytest.approx(r[1] + r[3], abs=1e-6)
    return in_line and r[0] - d[2] == pytest.approx(1, abs=1e-6) and d[3] < switch[1] < d[3] + 2


def _beside_and_under(layout: Layout) -> bool:
    d, r, switch = layout.bounds("D1"), layout.bounds("R1"), layout.bounds("SW1")
    return d[0] - switch[2] == pytest.approx(1, abs=1e-6) and r[1] - d[3] == pytest.approx(0.5, abs=1e-6)


def _column(layout: Layout) -> bool:
    d, r, switch = layout.bounds("D1"), layout.bounds("R1"), layout.bounds("SW1")
    return r[1] - d[3] == pytest.approx(1, abs=1e-6) and max(d[2], r[2]) < switch[0]


@pytest.mark.parametrize(
    ("board", "what", "holds", "parts", "on_tracks"),
    [
        ("azalea", "crystal-group", _crystal, {"X1", "C5", "C6"}, {"X1", "C5", "C6"}),
        ("begonia", "row-near-switch", _row, {"D1", "R1"}, set[str]()),
        ("begonia", "beside-and-under", _beside_and_under, {"D1", "R1"}, set[str]()),
        ("begonia", "uebereinander", _column, {"D1", "R1"}, {"D1", "R1"}),
    ],
)
def test_groups_lie_as_they_were_asked_to(
    board: str, what: str, holds: Callable[[Layout], bool], parts: set[str], on_tracks: set[str], tmp_path: Path
) -> None:
    _, before, after = replayed(board, what, tmp_path, on_tracks)
    assert not holds(before)
    assert holds(after)
    assert moved(before, after) == parts


def test_a_recording_says_what_it_is() -> None:
    files = sorted(FOLDER.glob("*.jsonl"))
    assert len(files) >= 7
    for path in files:
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert "large language model" in first
        assert RecordedModel(path).brief
