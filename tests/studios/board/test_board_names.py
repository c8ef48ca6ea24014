"""Parts that a text speaks of, whatever its language; parts that its words may mean."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely.geometry import Point, box
from small_board import write_board

from redraft.layout.items import Frame, Item, Layout, Port
from redraft.studios.board.board import Board
from redraft.studios.board.words.find import candidates, mentioned, sought
from redraft.studios.board.words.names import meanings


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Board:
    return Board.read(write_board(tmp_path_factory.mktemp("mentions")))


@pytest.fixture(scope="module")
def layout(board: Board) -> Layout:
    return board.layout


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("C1 decouples U1 pin 4: put it at exactly 0.5 mm from that pin", ("C1", "U1.4")),
        ("put C1 near pin 1 of U1", ("C1", "U1.1")),
        ("C1 an Pin 1 von U1", ("C1", "U1.1")),
        ("C1 gehört an Pin 4 von U1, genau 0,5 mm", ("C1", "U1.4")),
        ("pin 2 on the big U1", ("U1.2",)),
        ("put it beside U1.3", ("U1.3",)),
        ('{"ref": "C2", "target": "U1.3"}', ("C2", "U1.3")),
        ("move C2 to the VCC pin of U1", ("C2", "U1.1", "U1.4")),
        ("pin 99 of U1", ("U1",)),
        ("R1-R3 in a row", ("R1", "R2", "R3")),
        ("R1 to R3 in a row", ("R1", "R2", "R3")),
        ("R2 bis R4", ("R2", "R3", "R4")),
        ("move R1 to U1", ("R1", "U1")),
        ("put the connector on the left edge", ()),
        ("", ()),
    ],
)
def test_parts_and_pads_are_found_by_their_names(layout: Layout, text: str, names: tuple[str, ...]) -> None:
    assert mentioned(text, layout) == names


def test_what_a_model_asks_to_see_may_be_a_pattern_or_a_kind(layout: Layout) -> None:
    found = sought(["c?", "connector", "U1.2", "C1"], layout)
    assert (found.names, found.strange) == (("C1", "C2", "J1", "U1.2"), ())


@pytest.mark.parametrize("wanted", ["C9", "U1.99", "USB*", "[", ""])
def test_what_is_not_there_is_said(layout: Layout, wanted: str) -> None:
    found = sought([wanted, "C1"], layout)
    assert found.names == ("C1",)
    assert len(found.strange) == 1
    assert repr(wanted) in found.strange[0]


def test_words_find_parts_by_value_and_kind(board: Board, layout: Layout) -> None:
    first, *rest = candidates("put the 100nF bypass capacitors near the chip", board, layout)
    assert first.startswith("C1 (capacitor “100nF”")
    assert [line[:2] for line in rest] == ["C2", "U1"]
    assert candidates("put it on the left edge", board, layout) == ()
    assert candidates("space the 100nFs evenly", board, layout)[0].startswith("C1 ")


def test_candidates_are_few_and_the_rest_is_counted(board: Board, layout: Layout) -> None:
    lines = candidates("resistors, capacitors, connectors, the chip and what is to drop", board, layout)
    assert lines[0].startswith("IGNORE ")
    assert len(lines) == 13
    assert lines[-1] == "and 1 more"


def test_words_of_a_whole_board_mean_components_only_where_that_is_unique() -> None:
    def part(name: str, label: str, value: str, *nets: str) -> Item:
        ports = tuple(Port(str(n), (5, n), Point(5, n), 0.2, net) for n, net in enumerate(nets, start=1))
        return Item(name, label, box(4, 0, 6, 1), layer=1, ports=ports, value=value)

    items = (
        part("U1", "IC", "STM32F103", "VCC", "GND"),
        part("J1", "connector", "USB_C_Receptacle", "VBUS"),
        part("C1", "capacitor", "100n", "VCC", "GND"),
        part("C2", "capacitor", "100n", "VCC", "GND"),
    )
    frame = Frame(unit="mm", solid=True, layers={1: "Top", 0: "Bottom"}, bounds=(0, 0, 30, 20))
    one_usb = Layout(items, frame, box(0, 0, 30, 20), blocks={"/mcu/": ("U1", "C1", "C2")})
    two_usb = replace(one_usb, items=(*items, part("J9", "connector", "USB_A", "VBUS")))

    assert meanings("place all, usb at the left edge", one_usb)["usb"] == ("J1",)
    assert "usb" not in meanings("place all, usb at the left edge", two_usb)
    assert meanings("place all, the capacitors near the mcu", one_usb) == {
        "capacitors": ("C1", "C2"),
        "mcu": ("U1", "C1", "C2"),
        "C1@": ("U1.1",),
        "C2@": ("U1.1",),
    }
    assert meanings("put C1 right of U1", one_usb) == {}
