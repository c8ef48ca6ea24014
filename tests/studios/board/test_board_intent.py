"""Whether a layout keeps what was asked: measured on shapes made by hand, right, a little off, and wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from commanded import bench
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely.affinity import translate

from redraft.result import Issue
from redraft.spatial.layout import Layout, Move
from redraft.studios.board.commands import read_commands
from redraft.studios.board.intent import INTENT_CODES, check_intent, describe

BOARD = bench()


def to(ref: str, x: float, y: float, layout: Layout = BOARD) -> Move:
    """The move that brings the middle of a part's box to a point."""
    x0, y0, x1, y1 = layout.bounds(ref)
    return Move.shift(ref, x - (x0 + x1) / 2, y - (y0 + y1) / 2)


def checked(text: str, *moves: Move) -> list[Issue]:
    return list(check_intent(read_commands(text, BOARD).wishes, BOARD.moved(moves), BOARD))


def verdict(text: str, *moves: Move) -> list[tuple[str, str]]:
    return [(issue.code, issue.severity) for issue in checked(text, *moves)]


# U1 is 10 × 10 around (50, 40); its body ends 0.25 mm within; C1 is 2 × 1, R1 to R4 too. The board is 100 × 80.
BESIDE = "put C1 0.5 mm right of U1"


def test_a_distance_right_a_little_off_and_wrong() -> None:
    assert verdict(BESIDE, to("C1", 56.5, 40)) == []
    assert verdict(BESIDE, to("C1", 56.5005, 40)) == []
    assert verdict(BESIDE, to("C1", 56.7, 40)) == [("intent.distance", "warning")]
    assert verdict(BESIDE, to("C1", 56.3, 40)) == [("intent.distance", "warning")]
    assert verdict(BESIDE, to("C1", 56.8, 40)) == [("intent.distance", "error")]
    (issue,) = checked(BESIDE, to("C1", 57.25, 40))
    assert issue.numbers == {"found": 1.25, "expected": 0.5}
    assert issue.subjects == ("C1", "U1")
    assert issue.phrase == BESIDE
    assert issue.mend == 'place_relative(ref="C1", target="U1", side="right", clearance=0.5, measure="courtyard")'


@pytest.mark.parametrize(("x", "y"), [(43.5, 40), (50, 34), (57, 60), (54, 40)])
def test_another_side_is_an_error(x: float, y: float) -> None:
    assert verdict(BESIDE, to("C1", x, y)) == [("intent.side", "error")]


def test_bodies_and_pads_are_measured_as_asked() -> None:
    assert verdict("put C1 0.5 mm right of U1, body to body", to("C1", 56, 40)) == []  # 0.25 less on either side
    assert verdict("put C1 0.5 mm right of U1, body to body", to("C1", 56.5, 40)) == [("intent.distance", "error")]
    # Pad 6 of U1 is round, 0.2 mm in radius, at (54, 41); pad 1 of C1 too, 0.6 mm left of its middle.
    assert verdict("put C1 2 mm right of U1 pin 6", to("C1", 57, 41)) == []
    assert verdict("put C1 2 mm right of U1 pin 6", to("C1", 57.4, 41)) == [("intent.distance", "warning")]
    assert verdict("put C1 2 mm right of U1 pin 6", to("C1", 51, 41)) == [("intent.side", "error")]


def test_a_turned_part_is_measured_by_its_true_shape() -> None:
    turn = Move.turn("C1", 45, (40, 60))
    reach = (2 + 1) / 2 / 2**0.5  # half the diagonal extent of a turned 2 × 1 box
    shift = Move.shift("C1", 55 + 0.5 + reach - 40, 40 - 60)
    assert verdict(BESIDE, turn, shift) == []


def test_rows_columns_and_their_edges() -> None:
    row = [to("R1", 10, 10), to("R2", 14, 10), to("R3", 18, 10), to("R4", 22, 10)]
    assert verdict("align R1-R4 in a row", *row) == []
    assert verdict("align R1-R4", *row) == []
    assert verdict("align R1-R4 along their tops", *row) == []
    assert verdict("align R1-R4 in a column", *row) == [("intent.align", "error")]
    assert verdict("align R1-R4 in a row", *row[:3], to("R4", 22, 10.01)) == [("intent.align", "error")]
    assert verdict("align R1-R4 and space them 2 mm", *row) == []
    assert verdict("align R1-R4 and space them 1.5 mm", *row) == [("intent.spacing", "warning")] * 3
    assert verdict("align R1-R4 and space them 1 mm", *row) == [("intent.spacing", "error")] * 3
    assert verdict("spread R1-R4 evenly", *row) == []
    uneven = verdict("spread R1-R4 evenly", *row[:2], to("R3", 19, 10), row[3])
    assert {code for code, _ in uneven} == {"intent.spacing"}


def test_stacks_follow_in_the_order_said() -> None:
    down = [to("C1", 30, 50), to("C2", 30, 51.3), to("C3", 30, 52.6)]
    assert verdict("stack C1, C2, C3 downwards 0.3 mm apart", *down) == []
    assert ("intent.order", "error") in verdict("stack C2, C1, C3 downwards 0.3 mm apart", *down)
    assert verdict("stack C1, C2, C3 downwards 0.5 mm apart", *down) == [("intent.spacing", "warning")] * 2
    assert ("intent.align", "error") in verdict("stack C1, C2, C3 downwards", *down[:2], to("C3", 30.5, 52.6))


def test_edges() -> None:
    assert verdict("put J1 on the bottom edge", to("J1", 20, 78)) == []
    assert verdict("put J1 on the bottom edge", to("J1", 20, 79)) == []  # a connector may hang over
    assert verdict("put J1 on the bottom edge", to("J1", 20, 77)) == [("intent.edge", "error")]
    assert verdict("put J1 on the bottom edge") == [("intent.edge", "error")]
    assert verdict("put J1 at the bottom edge, centred", to("J1", 50, 78)) == []
    assert verdict("put J1 at the bottom edge, centred", to("J1", 51, 78)) == [("intent.edge", "error")]
    assert verdict("put J1 2 mm from the bottom edge", to("J1", 20, 76)) == []
    assert verdict("put J1 2 mm from the bottom edge", to("J1", 20, 75.5)) == [("intent.edge", "warning")]


def test_what_is_kept_may_stay_as_near_as_it_was() -> None:
    moved = BOARD.moved((to("J2", 2.9, 40),))  # 0.4 mm from the left edge
    wishes = read_commands("keep J2 on the left edge", moved).wishes
    assert read_commands("keep J2 on the left edge", moved).actions == ()
    assert check_intent(wishes, moved, moved) == ()
    away = moved.moved((Move.shift("J2", 0.2, 0),))
    assert [i.code for i in check_intent(wishes, away, moved)] == ["intent.edge"]


def test_a_board_without_an_outline_has_no_edge() -> None:
    bare = replace(BOARD, area=None)
    (issue,) = check_intent(read_commands("put J1 on the bottom edge", bare).wishes, bare, bare)
    assert issue.code == "intent.edge"
    assert "inf" not in issue.message


def test_what_stays_turns_and_flips() -> None:
    assert verdict("lock U1") == []
    assert verdict("lock U1", Move.shift("U1", 0.1, 0)) == [("intent.locked", "error")]
    assert verdict("lock U1", Move.turn("U1", 90, (50, 40))) == [("intent.locked", "error")]
    assert verdict("rotate U1 by 90 degrees", Move.turn("U1", 90, (50, 40))) == []
    assert verdict("rotate U1 by 90 degrees clockwise", Move.turn("U1", 90, (50, 40))) == [("intent.rotation", "error")]
    assert verdict("rotate U1 to 270 degrees", Move.turn("U1", -90, (50, 40))) == []
    assert verdict("rotate U1 by 180°, rotate U1 by 180°") == []
    flip = Move("C1", (1, 0, 0, -1, 0, 120), flips=True)
    assert verdict("flip C1 to the back", flip) == []
    assert verdict("flip C1 to the back") == [("intent.side_of_board", "error")]


def test_places_shifts_and_swaps() -> None:
    assert verdict("move C1 to (30, 42)", to("C1", 30, 42)) == []
    assert verdict("move C1 to (30, 42)", to("C1", 30, 42.1)) == [("intent.position", "error")]
    assert verdict("move C1 2 mm left", Move.shift("C1", -2, 0)) == []
    assert verdict("move C1 2 mm up", Move.shift("C1", 0, 2)) == [("intent.position", "error")]
    assert verdict("swap R1 and R2", to("R1", 14, 11), to("R2", 10, 10)) == []
    assert verdict("swap R1 and R2", to("R1", 14, 11)) == [("intent.position", "error")]
    assert verdict("put C1 between U1 and U2", to("C1", 66, 30)) == []
    assert verdict("put C1 between U1 and U2", to("C1", 90, 10)) == [("intent.between", "error")]


def test_nearness_that_was_said_in_numbers() -> None:
    assert verdict("group C1-C2 around U1 within 2 mm", to("C1", 58, 40), to("C2", 58, 42)) == []
    assert verdict("put C1 within 2 mm of U1", to("C1", 58.5, 40)) == [("intent.near", "warning")]
    assert verdict("put C1 within 2 mm of U1", to("C1", 60, 40)) == [("intent.near", "error")]
    assert verdict("put C1 1 mm from U1", to("C1", 57, 40)) == []
    assert verdict("put C1 1 mm from U1", to("C1", 59, 40)) == [("intent.distance", "error")]
    assert verdict("put C1 near U1") == []  # a guess is no yardstick


def test_overlaps() -> None:
    assert verdict("remove overlaps") == []
    assert verdict("remove overlaps", to("C1", 50, 40)) == [("intent.overlap", "error")]
    assert verdict("remove overlaps", to("C1", 56, 40)) == []  # touching
    assert verdict("remove overlaps with 0.2 mm between parts", to("C1", 56.1, 40)) == [("intent.overlap", "error")]
    assert verdict("remove overlaps of C2 and C3", to("C1", 50, 40)) == []
    assert verdict("remove overlaps", to("TP1", 50, 40)) == []  # on the other side of the board


def test_a_part_that_moves_on_is_not_held_to_its_first_place() -> None:
    text = "put C1 0.5 mm right of U1, then move it 2 mm up"
    assert verdict(text, to("C1", 56.5, 38)) == []
    assert "then move it" not in read_commands(text, BOARD).unchecked
    assert read_commands(text, BOARD).unchecked == ("move it 2 mm up",)


def test_every_wish_is_said_in_a_sentence() -> None:
    wishes = read_commands(
        "put C1 0.5 mm right of U1 pin 4, stack R5-R7 down 1 mm apart, keep J2 on the left edge. Lock U2 and H1.", BOARD
    ).wishes
    assert describe(wishes) == [
        "C1 is 0.5 mm right of pin 4 of U1 (pad to pad)",
        "R5, R6 and R7 stand in a column",
        "R5, R6 and R7 follow one another downwards, 1 mm apart",
        "J2 is on the left edge of the board",
        "U2 and H1 are where they were",
    ]


def test_issues_carry_documented_codes_and_a_mend() -> None:
    scattered = tuple(Move.shift(item.name, 0.37 * i, -0.21 * i) for i, item in enumerate(BOARD.items))
    found = checked(
        "put C1 0.5 mm right of U1. Align R1-R4 in a row, 1 mm apart. Keep J2 on the left edge. Lock U2. "
        "Rotate Q1 by 90°. Flip D1. Put C2 between J1 and U1. Remove overlaps. Put Y1 within 1 mm of U1.",
        *scattered,
    )
    assert len({issue.code for issue in found}) >= 6
    for issue in found:
        assert issue.code in INTENT_CODES
        assert issue.mend
        assert issue.phrase
        assert all(ref in BOARD for ref in issue.subjects)


@given(gap=st.floats(0.001, 20), off=st.floats(-25, 25))
def test_a_gap_is_graded_by_how_far_it_is_off(gap: float, off: float) -> None:
    """Independent of the checker: the box is put so far from U1, so the gap is known."""
    gap = round(gap, 3)
    assume(not -0.0011 <= gap + off < 0)  # an overlap within the tolerance is a gap of 0
    wishes = read_commands(f"put C1 {gap:.3f} mm above U1", BOARD).wishes
    item = BOARD["C1"]
    placed = replace(item, shape=translate(item.shape, 10, 35 - (gap + off) - 60.5), ports=())
    after = replace(BOARD, items=tuple(placed if i.name == "C1" else i for i in BOARD.items))
    found = check_intent(wishes, after, BOARD)
    if abs(off) < 0.0009:
        assert not found
    elif abs(off) > 0.0011:
        (issue,) = found
        if gap + off < -0.0011:
            assert issue.code == "intent.side"
        if gap + off > 0.0:
            assert issue.severity == ("warning" if abs(off) <= gap / 2 else "error") or abs(abs(off) - gap / 2) < 1e-6
