"""What pads, holes, drawn copper and rule areas ask for by themselves: read, measured, kept, and as KiCad has it."""

from __future__ import annotations

from math import dist
from pathlib import Path

import anyio
import pytest
from real_parts import needs
from two_parts import two_parts

from redraft.layout.items import Layout, Move
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.cli import drc
from redraft.studios.board.place.placer import Goal, place_all
from redraft.studios.board.place.problem import Anchor
from redraft.studios.board.rules import check
from redraft.studios.board.solve.collisions import collisions

NPTH = '(pad "" np_thru_hole circle (at 0 0) (size 1 1) (drill 1) (layers "*.Cu" "*.Mask"))'
THIN = '(pad "1" thru_hole circle (at 0 0) (size 1.04 1.04) (drill 1) (layers "*.Cu" "*.Mask") (net 1 "A"))'
LOGO = (
    '(fp_poly (pts (xy -1 -1) (xy 1 -1) (xy 1 1) (xy -1 1)) (stroke (width 0) (type solid)) (fill yes) (layer "F.Cu"))'
)
AREA = (
    '(zone (net 0) (net_name "") (layers "F.Cu") (hatch edge 0.5) (connect_pads (clearance 0)) (min_thickness 0.25)'
    " (keepout (tracks allowed) (vias allowed) (pads not_allowed) (copperpour allowed) (footprints allowed))"
    " (fill (thermal_gap 0.5) (thermal_bridge_width 0.5))"
    " (polygon (pts (xy 12 0) (xy 20 0) (xy 20 20) (xy 12 20))))"
)


def footprint(content: str, x: float, y: float = 5.0) -> str:
    return (
        f'\n  (footprint "lib:H" (layer "F.Cu") (uuid "aaaaaaaa-0000-4000-8000-000000000009") (at {x} {y})'
        f' (property "Reference" "H1" (at 0 0) (layer "F.SilkS")) {content})'
    )


def read(folder: Path, text: str) -> Board:
    path = folder / "a.kicad_pcb"
    path.write_text(text)
    return Board.read(path)


def with_own(where: str, clearance: float, gap: float) -> str:
    """R1 and R2 with so much between their pads; a pad, or all of the footprint, of R1 states a clearance."""
    text, stated = two_parts((5.0, 5.0), (5.0 + 2.4 + gap, 5.0)), f"(clearance {clearance})"
    if where == "pad":
        return text.replace('(net 2 "B")\n      (uuid', f'(net 2 "B") {stated} (uuid')
    return text.replace("(attr smd)", f"{stated} (attr smd)", 1)


def close(layout: Layout) -> list[float]:
    """What pads that are too near should keep."""
    return [float(i.numbers["expected"]) for i in check(layout).issues if i.code == "board.clearance"]


BOARDS: dict[str, tuple[str, list[float]]] = {
    "pad, more than the class": (with_own("pad", 0.3, 0.25), [0.3]),
    "pad, less than the class": (with_own("pad", 0.1, 0.15), []),
    "pad, none": (with_own("pad", 0.0, 0.15), [0.2]),
    "footprint": (with_own("footprint", 0.3, 0.25), [0.3]),
    "hole": (two_parts(extra=footprint(NPTH, 6.93)), [0.25]),
    "hole, far enough": (two_parts(extra=footprint(NPTH, 6.96)), []),
    "ring": (two_parts(extra=footprint(THIN, 6.94)), [0.23]),
    "ring, far enough": (two_parts(extra=footprint(THIN, 6.96)), []),
    "drawn": (two_parts(extra=footprint(LOGO, 7.35)), [0.2]),
    "drawn, far enough": (two_parts(extra=footprint(LOGO, 7.41)), []),
    "drawn, whatever its footprint states": (two_parts(extra=footprint("(clearance 0.1)" + LOGO, 7.35)), [0.2]),
}


@pytest.mark.parametrize("name", BOARDS)
def test_clearances_that_pads_holes_and_drawings_ask_for(tmp_path: Path, name: str) -> None:
    text, wanted = BOARDS[name]
    assert close(read(tmp_path, text).layout) == pytest.approx(wanted)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_kicad_wants_the_same(tmp_path: Path, name: str) -> None:
    needs("kicad-cli")
    text, wanted = BOARDS[name]
    found = anyio.run(drc, read(tmp_path, text).file.path).violations
    assert bool(wanted) == any(v.type in {"clearance", "hole_clearance"} for v in found)


def test_a_board_s_least_clearance_bounds_what_pads_ask_for(tmp_path: Path) -> None:
    board = read(tmp_path, with_own("pad", 0.05, 0.15))
    assert close(board.layout) == []
    (tmp_path / "a.kicad_pro").write_text('{"board": {"design_settings": {"rules": {"min_clearance": 0.2}}}}')
    assert close(read(tmp_path, with_own("pad", 0.05, 0.15)).layout) == [0.2]


def test_a_part_may_lie_over_a_rule_area_for_pads_with_its_room_alone(tmp_path: Path) -> None:
    layout = read(tmp_path, two_parts((10.7, 5.0), (5.0, 5.0), extra=AREA)).layout  # pads end at 11.9, the room at 12.2
    assert not collisions(layout, ["R1"])
    assert not check(layout).issues
    there = layout.moved([Move.shift("R1", 0.2, 0.0)])
    assert list(collisions(there, ["R1"])) == [("R1", "keep-out at (16, 10)")]
    (issue,) = check(there).issues
    assert issue.message == "A pad of R1 is 0.100 mm within keep-out at (16, 10), where no pads may be."
    assert issue.hint == "move R1 0.1 mm left"


def test_drawn_copper_on_the_net_of_the_pad_that_it_meets_and_no_net_tie(tmp_path: Path) -> None:
    def pad(name: str, x: float, net: str) -> str:
        return f'(pad "{name}" smd rect (at {x} 0) (size 0.5 0.5) (layers "F.Cu") (net {ord(net) - 64} "{net}"))'

    antenna = read(tmp_path, two_parts(extra=footprint(pad("1", 1.1, "C") + LOGO, 15.0))).layout["H1"]
    assert [port.net for port in antenna.ports] == ["C", "C"]
    tie = footprint(pad("1", 1.1, "C") + pad("2", -1.1, "D") + LOGO, 15.0)
    assert len(read(tmp_path, two_parts(extra=tie)).layout["H1"].ports) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extra", "at"), [(footprint(LOGO, 10.0, 10.0), (10.0, 10.0)), (AREA, (16.0, 10.0))], ids=["drawing", "rule area"]
)
def test_the_placer_keeps_pads_off_drawn_copper_and_out_of_rule_areas(
    tmp_path: Path, extra: str, at: tuple[float, float]
) -> None:
    layout = read(tmp_path, two_parts((30.0, 5.0), (4.0, 16.0), nets=("A", "B"), extra=extra)).layout
    wanted = Goal(anchors=(Anchor("R1", "at", at, weight=9.0),))
    after = layout.moved(place_all(layout, ["R1"], wanted, effort=0.01).moves)
    assert not check(after).issues
    assert dist(after["R1"].origin or (0.0, 0.0), at) < 8.0
