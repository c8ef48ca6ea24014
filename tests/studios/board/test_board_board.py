"""Boards as layouts, and moves as poses."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.layout import Move
from redraft.studios.board.board import Board
from redraft.studios.board.kicad.model import Pose
from redraft.studios.board.names import noun_of

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
