"""Footprints as items: the sides that pads lie on, wherever their part is."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_parts import needs

from redraft.layout.items import Item, Layout, Move
from redraft.studios.board.board import Board
from redraft.studios.board.rules import check

FRONT, BACK = 1, 0
PAD = '(pad "{}" {} rect (at {} 0) (size 1 1) (layers {}))'
EDGE_CARD: list[tuple[str, str, float, str]] = [
    ("1", "connect", 0, '"F.Cu" "F.Mask"'),
    ("2", "connect", 0, '"B.Cu" "B.Mask"'),
    ("3", "thru_hole", 4, '"*.Cu" "*.Mask"'),
    ("4", "smd", 6, '"F.Cu" "B.Cu"'),
]


def footprint(reference: str, x: float, y: float, pads: list[tuple[str, str, float, str]], side: str = "F") -> str:
    body = " ".join(PAD.format(*pad) for pad in pads)
    return (
        f'(footprint "x" (layer "{side}.Cu") (at {x} {y}) (property "Reference" "{reference}" (at 0 0))'
        f' (property "Value" "of {reference}" (at 0 0)) {body})'
    )


def board(tmp_path: Path, *footprints: str) -> Board:
    path = tmp_path / "a.kicad_pcb"
    layers = '(layers (0 "F.Cu" signal) (2 "B.Cu" signal))'
    path.write_text(f"(kicad_pcb (version 20241229) {layers} {' '.join(footprints)})")
    return Board.read(path)


def sides(item: Item) -> dict[str, int | None]:
    return {port.name: item.layer_of(port) for port in item.ports}


@pytest.mark.parametrize(("side", "layer"), [("F", FRONT), ("B", BACK)])
def test_pads_lie_where_the_file_says_whichever_side_their_part_is_on(tmp_path: Path, side: str, layer: int) -> None:
    item = board(tmp_path, footprint("J1", 10, 10, EDGE_CARD, side)).layout["J1"]
    assert item.layer == layer
    assert sides(item) == {"1": FRONT, "2": BACK, "3": None, "4": None}


@pytest.mark.parametrize("side", ["F", "B"])
def test_a_flip_takes_the_pads_of_both_sides_along(tmp_path: Path, side: str) -> None:
    before = board(tmp_path, footprint("J1", 10, 10, EDGE_CARD, side))
    flip = Move("J1", (1, 0, 0, -1, 0, 20), flips=True)
    swapped = {"1": BACK, "2": FRONT, "3": None, "4": None}
    assert sides(before.layout.moved([flip])["J1"]) == swapped
    assert sides(before.amend([flip]).layout["J1"]) == swapped
    saved = before.amend([flip]).save(tmp_path / "b.kicad_pcb")
    assert sides(Board.read(saved).layout["J1"]) == swapped


def test_the_value_is_that_of_the_file(tmp_path: Path) -> None:
    assert board(tmp_path, footprint("J1", 10, 10, EDGE_CARD)).layout["J1"].value == "of J1"


def test_pads_are_checked_on_the_side_that_they_lie_on(tmp_path: Path) -> None:
    finger = [("1", "connect", 0.0, '"B.Cu"')]
    other = [("1", "smd", 0.0, '"B.Cu"')]

    def codes(*footprints: str) -> list[str]:
        return [issue.code for issue in check(board(tmp_path, *footprints).layout).issues]

    card = footprint("J1", 10, 10, finger)
    assert codes(card, footprint("C1", 10, 11.1, other, "B")) == ["board.clearance"]
    assert codes(card, footprint("C1", 10, 11.1, [("1", "smd", 0.0, '"F.Cu"')])) == []


ANTENNA = (
    '(footprint "x" (layer "F.Cu") (at 10 10 90) (property "Reference" "U1" (at 0 0))'
    ' (zone (layers "F.Cu") (name "antenna") (keepout (footprints not_allowed))'
    " (polygon (pts (xy 12 8) (xy 16 8) (xy 16 12) (xy 12 12)))))"
)
"""A part at (10, 10), and room of 4 × 4 mm that begins 2 mm to its right."""


def around(layout: Layout) -> tuple[tuple[float, ...], tuple[int, ...] | None]:
    (keepout,) = layout.barred
    assert (keepout.name, keepout.item) == ("antenna", "U1")
    return tuple(round(value, 6) for value in keepout.shape.bounds), keepout.layers


@pytest.mark.parametrize(
    ("moves", "box", "layer"),
    [
        ([], (12, 8, 16, 12), FRONT),
        ([Move.shift("U1", 20, 1)], (32, 9, 36, 13), FRONT),
        ([Move.turn("U1", 90, (10, 10))], (8, 4, 12, 8), FRONT),  # from the right of it to above
        ([Move("U1", (1, 0, 0, -1, 0, 20), flips=True)], (12, 8, 16, 12), BACK),
        ([Move("U1", (-1, 0, 0, 1, 20, 0), flips=True), Move.shift("U1", 0, 5)], (4, 13, 8, 17), BACK),
    ],
)
def test_a_keep_out_moves_with_its_part(tmp_path: Path, moves: list[Move], box: tuple[float, ...], layer: int) -> None:
    before = board(tmp_path, ANTENNA)
    assert around(before.layout.moved(moves)) == (box, (layer,))
    after = before.amend(moves)
    assert around(after.layout) == (box, (layer,))
    if moves:
        assert around(Board.read(after.save(tmp_path / "b.kicad_pcb")).layout) == (box, (layer,))


@pytest.mark.real
@pytest.mark.slow
def test_half_the_fingers_of_a_card_edge_are_on_the_other_side() -> None:
    layout: Layout = Board.read(Path(needs("kicad-demos")) / "video" / "video.kicad_pcb").layout
    bus = layout["BUS1"]
    assert sorted(map(str, sides(bus).values())).count(str(1 - bus.layer)) == 60
    assert len(bus.ports) == 120
