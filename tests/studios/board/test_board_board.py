"""Boards as layouts, and moves as poses."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.layout.items import Move
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.model import Pose
from redraft.studios.board.words.names import noun_of

BOARDS = Path(__file__).parents[2] / "data" / "boards"
ODD = Board.read(BOARDS / "odd.kicad_pcb")
ODD_NAMES = ["R1", "R1#3", 'U"(é)\\', "unnamed", "R1#2"]


def test_repeated_references_are_numbered_past_those_that_exist():
    assert list(ODD.names) == ODD_NAMES
    assert list(ODD.names.values()) == [0, 1, 2, 3, 4]
    assert [item.name for item in ODD.layout] == ODD_NAMES


def test_a_part_on_the_front():
    item = ODD.layout["R1"]
    assert item.shape.bounds == (8, 19, 12, 21)
    assert item.body is not None
    assert item.body.bounds == (9, 19.5, 11, 20.5)
    assert (item.layer, item.label, item.origin, item.rotation, item.locked) == (1, "resistor", (10, 20), 0, False)
    assert [(port.name, port.at, port.net) for port in item.ports] == [
        ("1", (9, 20), "GND"),
        ("2", (11, 20), '/a "b" (c)'),
    ]


def test_a_part_on_the_back_is_stored_mirrored_and_only_turned():
    item = ODD.layout["R1#3"]
    assert (item.layer, item.rotation, item.locked) == (0, 90, True)
    assert item.shape.bounds == (29, 18, 31, 22)
    assert [port.at for port in item.ports] == [(30, 21), (30.25, 19)]  # counter-clockwise as seen: +x goes up
    assert item.ports[1].core.bounds == (30, 18.5, 30.5, 19.5)


def test_a_part_that_draws_nothing_can_be_found_and_moved():
    assert ODD.layout["unnamed"].shape.bounds == pytest.approx((69.995, 19.995, 70.005, 20.005))
    moved = ODD.amend([Move.shift("unnamed", 1, 0)])
    assert moved.layout["unnamed"].origin == (71, 20)


def test_an_opening_in_the_paste_is_no_port():
    assert [port.name for port in ODD.layout['U"(é)\\'].ports] == ["1", "2"]


def test_the_frame_is_the_board():
    assert ODD.layout.frame.bounds == (0, 0, 100, 40)
    assert (ODD.layout.frame.unit, ODD.layout.frame.solid, ODD.layout.frame.layers) == (
        "mm",
        True,
        {1: "Top", 0: "Bottom"},
    )
    assert ODD.layout.area is not None
    assert ODD.layout.area.area == 4000


def test_without_outline_the_frame_is_the_box_of_all_parts():
    layout = Board.read(BOARDS / "old.kicad_pcb").layout
    assert layout.area is None
    assert layout.frame.bounds == pytest.approx((12, 17.000001, 40.5, 23.000001), abs=1e-6)


@given(st.integers(-(10**8), 10**8), st.integers(-(10**8), 10**8))
def test_a_shift_adds_whole_nanometres_and_back_is_no_change(x: int, y: int):
    moved = ODD.amend([Move.shift("R1", x / 1e6, y / 1e6)])
    assert moved.poses.get(0, Pose(x=10_000_000, y=20_000_000)) == Pose(x=10_000_000 + x, y=20_000_000 + y)
    assert not moved.amend([Move.shift("R1", -x / 1e6, -y / 1e6)]).poses


def test_halves_of_nanometres_go_there_and_back():
    moved = ODD.amend([Move.shift("R1", 0.5e-6, -0.5e-6)])
    assert moved.poses[0] == Pose(x=10_000_001, y=19_999_999)
    assert not moved.amend([Move.shift("R1", -0.5e-6, 0.5e-6)]).poses


@given(st.sampled_from(["R1", "R1#3"]), st.floats(-360, 360), st.tuples(st.floats(0, 100), st.floats(0, 40)))
def test_a_turn_moves_the_file_as_it_moves_the_layout(name: str, degrees: float, about: tuple[float, float]):
    move = Move.turn(name, degrees, about)
    seen, written = ODD.layout.moved((move,))[name], ODD.amend([move]).layout[name]
    assert written.origin == pytest.approx(seen.origin, abs=1e-6)
    assert written.shape.bounds == pytest.approx(seen.shape.bounds, abs=1e-6)
    assert written.rotation == pytest.approx(seen.rotation, abs=1e-8)
    for one, other in zip(written.ports, seen.ports, strict=True):
        assert one.at == pytest.approx(other.at, abs=1e-6)


@pytest.mark.parametrize("name", ["R1", "R1#3"])
def test_a_flip_moves_the_file_as_it_moves_the_layout(name: str):
    _, y = ODD.layout[name].origin or (0, 0)
    flip = Move(name, (1, 0, 0, -1, 0, 2 * y), flips=True)
    moves = (flip, Move.turn(name, 30, (5, 6)), Move.shift(name, 1, 2))
    seen, written = ODD.layout.moved(moves)[name], ODD.amend(moves).layout[name]
    assert written.layer == seen.layer == 1 - ODD.layout[name].layer
    assert written.shape.bounds == pytest.approx(seen.shape.bounds, abs=1e-6)
    for one, other in zip(written.ports, seen.ports, strict=True):
        assert one.at == pytest.approx(other.at, abs=1e-6)
        assert one.core.bounds == pytest.approx(other.core.bounds, abs=1e-6)
    assert not ODD.amend([flip]).amend([flip]).poses


def test_four_quarter_turns_are_no_change():
    board = ODD
    for _ in range(4):
        board = board.amend([Move.turn("R1#3", 90, (33.3, 4.4))])
    assert not board.poses


@pytest.mark.parametrize(
    ("reference", "noun"),
    [
        ("C12", "capacitor"),
        ("u3", "IC"),
        ("FB1", "ferrite bead"),
        ("REF**", "part"),
        ("", "part"),
        ("1X", "part"),
        ("J2A", "connector"),
    ],
)
def test_nouns_by_letters(reference: str, noun: str):
    assert noun_of(reference) == noun


@pytest.mark.parametrize(
    ("reference", "library", "noun"),
    [
        ("REF**", "MountingHole:MountingHole_3.2mm_M3_Pad", "mounting hole"),
        ("B1", "x:MTG270_500", "mounting hole"),
        ("FTG6", "x:FIDUCIAL_TOP_C100-200", "fiducial"),
        ("GND101", "x:PinHeader_1x01_P2.54mm_Vertical", "connector"),
        ("UARTCAN1", "x:DSUB-9_Female_Horizontal_MountingHolesOffset9.12mm", "connector"),
        ("BUS1", "x:BUSPCI", "connector"),
        ("EXT1", "OLIMEX_Connectors-FP:HN1x10", "connector"),
        ("U1", "OLIMEX_Connectors-FP:HN1x10", "IC"),
        ("ZZ1", "Connectivity:Module", "part"),
        ("RCAN1", "x:R_0805_2012Metric", "resistor"),
        ("W1", "x:SolderJumper-2_P1.3mm_Open", "jumper"),
        ("LOGO1", "lib:KiCad-Logo_8mm_SilkScreen", "part"),
        ("U1", "x:USB-C-016", "IC"),
        ("C38", "x:CP_Elec_6.3x11_Board_Edge_Mirrored", "capacitor"),
    ],
)
def test_nouns_by_footprints_where_the_letters_say_nothing(reference: str, library: str, noun: str):
    assert noun_of(reference, library) == noun


def _footprint(name: str, *more: str, pads: str = "") -> str:
    """`more` are lists of the file; identifiers are `u-NAME`."""
    return (
        f'(footprint "l:x" (layer "F.Cu") (uuid "u-{name}") (at 10 10) (property "Reference" "{name}" (at 0 0)) '
        f"{' '.join(more)} {pads})"
    )


def _board(folder: Path, *lists: str) -> Board:
    path = folder / "b.kicad_pcb"
    path.write_text(f'(kicad_pcb (version 20241229) (generator "x") {" ".join(lists)})', encoding="utf-8")
    return Board.read(path)


def test_sheets_by_the_names_in_the_file_with_those_below_them(tmp_path: Path):
    board = _board(
        tmp_path,
        _footprint("R1", '(path "/s1")', '(sheetname "/")'),
        _footprint("R2", '(path "/p/s2")', '(sheetname "/power/")'),
        _footprint("R3", '(path "/p/b/s3")', '(sheetname "/power/buck/")'),
        _footprint("R4", '(path "/x/y/s4")', '(sheetname "/x/only below/")'),
    )
    assert board.layout.blocks == {
        "/power/": ("R2", "R3"),
        "/power/buck/": ("R3",),
        "/x/": ("R4",),
        "/x/only below/": ("R4",),
    }


@pytest.mark.parametrize("form", ['(sheetname "{}")', '(property "Sheetname" "{}" (at 0 0))'])
def test_sheets_of_earlier_formats_have_only_their_own_name(tmp_path: Path, form: str):
    board = _board(
        tmp_path,
        _footprint("R1", '(path "/s1")', form.format("Root")),
        _footprint("R2", '(path "/p/s2")', form.format("power")),
        _footprint("R3", '(path "/p/b/s3")', form.format("buck")),
        _footprint("R4", '(path "/q/s2")', form.format("power")),
    )
    assert board.layout.blocks == {"/power/": ("R2", "R3"), "/power/buck/": ("R3",), "/power/#2": ("R4",)}


def test_sheets_without_names_are_numbered_by_their_identifiers_whatever_the_order(tmp_path: Path):
    parts = [
        _footprint("R1", "(path /5F00)"),
        _footprint("R2", "(path /5B00/AA)"),
        _footprint("R3", "(path /5A00/AA)"),
        _footprint("R4", "(path /5B00/77/BB)"),
    ]
    expected = {"sheet 1": {"R3"}, "sheet 2": {"R2", "R4"}, "sheet 2/1": {"R4"}}
    for some in (parts, parts[::-1]):
        layout = _board(tmp_path, *some).layout
        assert {name: set(members) for name, members in layout.blocks.items()} == expected
    assert layout["R2"].symbol == layout["R3"].symbol == "AA"
    assert layout["R1"].symbol == "5F00"


def test_groups_of_the_file(tmp_path: Path):
    parts = [_footprint(f"R{n}") for n in range(1, 7)]
    layout = _board(
        tmp_path,
        *parts,
        '(group "filter" (uuid "g1") (members "u-R1" "u-R2" "gone"))',
        '(group "" (uuid "g2") (locked yes) (members "u-R3" "u-R4"))',
        '(group "all" (uuid "g3") (members "g1" "g2" "g3" "u-R5"))',
        '(group "gone" (uuid "g4") (members "nobody" "nothing"))',
        '(group "one" (uuid "g5") (members "u-R6"))',
        '(group "R1" (uuid "g6") (members "u-R5" "u-R6"))',
        "(group)",
        "(group (members))",
    ).layout
    assert layout.blocks == {
        "filter": ("R1", "R2"),
        "group 2": ("R3", "R4"),
        "all": ("R1", "R2", "R3", "R4", "R5"),
        "R1#2": ("R5", "R6"),
    }
    assert [item.name for item in layout if item.locked] == ["R3", "R4"]


def test_a_group_without_a_name_that_is_a_sheet_is_not_told_twice(tmp_path: Path):
    parts = [_footprint(f"R{n}", f'(path "/p/s{n}")', '(sheetname "/power/")') for n in (1, 2)]
    board = _board(tmp_path, *parts, '(group "" (uuid "g1") (members "u-R1" "u-R2"))')
    assert board.layout.blocks == {"/power/": ("R1", "R2")}


def test_pads_have_the_names_and_types_of_their_pins_wherever_they_go(tmp_path: Path):
    pads = (
        '(pad "1" smd rect (at -1 0) (size 1 1) (layers "F.Cu") (net 1 "+3V3") (pinfunction "VDD")'
        ' (pintype "power_in") (uuid "a"))'
        '(pad "2" smd rect (at 1 0) (size 1 1) (layers "F.Cu") (uuid "b"))'
    )
    board = _board(tmp_path, _footprint("U1", pads=pads))
    expected = [("1", "+3V3", "VDD", "power_in"), ("2", "", "", "")]
    for layout in (
        board.layout,
        board.layout.moved([Move.shift("U1", 1, 0)]),
        board.amend([Move.shift("U1", 1, 0)]).layout,
    ):
        assert [(port.name, port.net, port.function, port.kind) for port in layout["U1"].ports] == expected


def test_the_layout_has_the_clearances_of_the_project(tmp_path: Path):
    rules = '{"board": {"design_settings": {"rules": {"min_copper_edge_clearance": 0.7}}}, "net_settings": %s}'
    (tmp_path / "b.kicad_pro").write_text(rules % '{"classes": [{"name": "Default", "clearance": 0.33}]}')
    layout = _board(tmp_path, _footprint("R1")).layout
    assert callable(layout.clearance)
    assert (layout.clearance("A", "B"), layout.edge_clearance) == (0.33, 0.7)
