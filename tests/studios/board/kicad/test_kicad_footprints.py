"""Footprints in all of KiCad's notations."""

from __future__ import annotations

from pathlib import Path

import pytest

from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.model import Footprint, Pose

BOARDS = Path(__file__).parents[3] / "data" / "boards"


@pytest.fixture(scope="module")
def odd() -> list[Footprint]:
    return list(BoardFile.read(BOARDS / "odd.kicad_pcb").footprints)


@pytest.fixture(scope="module")
def old() -> list[Footprint]:
    return list(BoardFile.read(BOARDS / "old.kicad_pcb").footprints)


def test_a_footprint_of_kicad_9(odd: list[Footprint]):
    part = odd[0]
    assert (part.reference, part.value, part.library) == ("R1", "1k", "lib:R (big)")
    assert part.uuid == "00000000-0000-0000-0000-000000000001"
    assert part.pose == Pose(x=10_000_000, y=20_000_000)
    assert part.attributes == ("smd", "exclude_from_bom", "dnp")
    assert not part.locked
    assert [(pad.number, pad.net) for pad in part.pads] == [("1", "GND"), ("2", '/a "b" (c)')]
    assert part.nets == {"GND", '/a "b" (c)'}
    assert part.front is not None
    assert part.front.bounds == (-2, -1, 2, 1)
    assert part.body is not None
    assert part.body.bounds == (-1, -0.5, 1, 0.5)
    assert part.back is None


def test_a_locked_part_on_the_back(odd: list[Footprint]):
    part = odd[1]
    assert part.locked
    assert part.pose == Pose(x=30_000_000, y=20_000_000, angle=90, side="back")
    assert part.front is None
    assert part.back is not None
    assert part.back.bounds == (-2, -1, 2, 1)
    assert [pad.core.bounds for pad in part.pads] == [(-1.5, -0.5, -0.5, 0.5), (0.5, 0, 1.5, 0.5)]
    assert [(pad.front, pad.back) for pad in part.pads] == [(False, True)] * 2


def test_quotes_parentheses_and_accents_in_a_reference(odd: list[Footprint]):
    assert odd[2].reference == 'U"(é)\\'


def test_without_courtyard_the_room_is_the_hull_of_pads_with_copper(odd: list[Footprint]):
    assert odd[2].front is not None
    assert odd[2].front.bounds == (-1.5, -0.5, 1.5, 0.5)
    assert odd[2].pads[0].net == "GND"  # (net "GND"), as later KiCads write it


def test_without_anything_there_is_no_room(odd: list[Footprint]):
    part = odd[3]
    assert (part.reference, part.pads, part.front, part.back, part.body) == ("", (), None, None, None)


def test_an_open_courtyard_gives_way_to_the_body(odd: list[Footprint]):
    assert odd[4].front is not None
    assert odd[4].front.bounds == pytest.approx((-1.5, -1.5, 1.5, 1.5), abs=1e-3)


def test_a_footprint_of_kicad_4(old: list[Footprint]):
    part = old[0]
    assert (part.reference, part.value, part.library) == ("Q1", 'N (P) "x"', "SOT-23")
    assert part.uuid == "5A02FF58"
    assert part.locked
    assert part.pose == Pose(x=15_000_000, y=20_000_001, angle=-90)
    assert part.attributes == ("smd",)


def test_layers_with_names_of_the_users(old: list[Footprint]):
    smd, through = old[0].pads
    assert (smd.front, smd.back, smd.net) == (True, False, "GND")
    assert (through.front, through.back, through.drill, through.net) == (True, True, 0.3, "")
    assert old[1].pose.side == "back"
    assert (old[1].pads[0].front, old[1].pads[0].back) == (False, True)


def test_a_pad_s_angle_contains_its_footprint_s(old: list[Footprint]):
    assert old[0].pads[0].core.bounds == (-1.5, -0.25, -0.5, 0.25)


def test_an_arc_by_centre_and_angle(old: list[Footprint]):
    assert old[0].front is not None
    assert old[0].front.bounds == pytest.approx((-3, 0, 3, 3), abs=1e-9)  # clockwise as seen, from the right
