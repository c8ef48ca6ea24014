"""Actions measured on shapes made by hand: as stated, a micrometer off, and wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from commanded import bench
from hypothesis import assume, given
from hypothesis import strategies as st
from parts import board as layout_with
from parts import chip, two_pads
from shapely.geometry import box

from redraft.layout.items import Layout, Move, Port
from redraft.studios.board.actions.around import Decouple
from redraft.studios.board.actions.measure import Reading, edge_gap, middle_of, places_of
from redraft.studios.board.spec import Carried, Stated

BOARD = bench()


def to(ref: str, x: float, y: float) -> Move:
    """The move that brings the middle of a part's box to a point."""
    here = middle_of(BOARD, ref)
    return Move.shift(ref, x - here[0], y - here[1])


def reading(fields: dict[str, object], *moves: Move, was: Layout = BOARD) -> Reading:
    return carried(fields, was).measured(was.moved(moves))


def carried(fields: dict[str, object], was: Layout) -> Carried:
    stated = Stated.model_validate(fields)
    own = {name: getattr(stated, name) for name in Stated.model_fields}
    return Carried(**own, words="", reply=0, was=places_of(was, stated.action.compared(was)))


def act(action: str, **fields: object) -> dict[str, object]:
    return {"action": action, **fields}


# U1 is 10 × 10 around (50, 40); its body ends 0.25 mm within; C1 is 2 × 1, R1 to R4 too. The board is 100 × 80.
BESIDE = act("place_relative", ref="C1", target="U1", side="right", clearance=0.5)


@pytest.mark.parametrize(
    ("fields", "move", "found"),
    [
        (BESIDE, to("C1", 56.5, 40), 0.5),
        ({**BESIDE, "measure": "body"}, to("C1", 56, 40), 0.5),  # 0.25 less on either side
        # Pad 6 of U1 is round, 0.2 mm in radius, at (54, 41); pad 1 of C1 too, 0.6 mm left of its middle.
        ({**BESIDE, "target": "U1.6", "clearance": 2}, to("C1", 57, 41), 2.0),
        ({**BESIDE, "clearance": -0.5, "allow_overlap": True}, to("C1", 55.5, 40), -0.5),
        ({**BESIDE, "side": "top", "clearance": 1}, to("C1", 50, 33.5), 1.0),
    ],
)
def test_a_distance_holds_to_the_nanometer(fields: dict[str, object], move: Move, found: float) -> None:
    here = reading(fields, move)
    assert here.holds
    assert here.figures[0].measured == (pytest.approx(found, abs=1e-9),)
    out = {"right": (1, 0), "top": (0, -1)}[str(fields["side"])]
    for off in (2e-6, -2e-6, 0.2):
        assert not reading(fields, move, Move.shift("C1", off * out[0], off * out[1])).holds


@given(gap=st.integers(1, 20_000_000), off=st.integers(-5, 5))
def test_two_nanometers_are_too_much(gap: int, off: int) -> None:
    assume(abs(off) != 1 and gap + off >= 0)
    x = 55 + 1 + (gap + off) / 1e6
    assert reading({**BESIDE, "clearance": gap / 1e6}, to("C1", x, 40)).holds == (off == 0)


@pytest.mark.parametrize(("x", "y"), [(43.5, 40), (50, 34), (57, 60), (54, 40)])
def test_another_side_is_a_fault(x: float, y: float) -> None:
    assert "C1 is not right of U1" in reading(BESIDE, to("C1", x, y)).violations


def test_a_turned_part_is_measured_by_its_true_shape() -> None:
    turn = Move.turn("C1", 45, (40, 60))
    reach = (2 + 1) / 2 / 2**0.5  # half the diagonal extent of a turned 2 × 1 box
    assert reading(BESIDE, turn, Move.shift("C1", 55 + 0.5 + reach - 40, 40 - 60)).holds


@pytest.mark.parametrize(
    ("at_least", "at_most", "x", "holds"),
    [(None, 2, 58, True), (None, 2, 58.1, False), (1, None, 58, True), (1, None, 56.9, False), (1, 2, 57.5, True)],
)
def test_limits_stand_in_place_of_the_clearance(
    at_least: float | None, at_most: float | None, x: float, holds: bool
) -> None:
    limits = {"at_least": at_least, "at_most": at_most}
    assert reading({**BESIDE, **limits}, to("C1", x, 40)).holds is holds
    around = act("cluster_around", refs=["C1"], target="U1", **limits)
    assert reading(around, to("C1", x, 40)).holds is holds


ROW = [to("R1", 10, 10), to("R2", 14, 10), to("R3", 18, 10), to("R4", 22, 10)]
RS = ["R1", "R2", "R3", "R4"]


def test_rows_columns_and_gaps() -> None:
    assert reading(act("align", refs=RS), *ROW).holds
    assert reading(act("align", refs=RS, edge="start"), *ROW).holds
    assert not reading(act("align", refs=RS, axis="y"), *ROW).holds
    assert not reading(act("align", refs=RS), *ROW[:3], to("R4", 22, 10.00001)).holds
    assert reading(act("distribute", refs=RS, spacing=2), *ROW).holds
    assert not reading(act("distribute", refs=RS, spacing=1.99999), *ROW).holds
    assert reading(act("distribute", refs=RS, spacing=None), *ROW).holds
    assert not reading(act("distribute", refs=RS, spacing=None), *ROW[:3], to("R4", 22.1, 10)).holds
    (_, pitch) = reading(act("distribute", refs=RS, spacing=2), *ROW).figures
    assert (pitch.value, pitch.free) == (4.0, True)


def test_stacks_follow_in_the_order_said() -> None:
    down = [to("C1", 30, 50), to("C2", 30, 51.3), to("C3", 30, 52.6)]
    caps = act("stack", refs=["C1", "C2", "C3"], spacing=0.3)
    assert reading(caps, *down).holds
    assert not reading({**caps, "refs": ["C2", "C1", "C3"]}, *down).holds
    assert not reading({**caps, "spacing": 0.5}, *down).holds
    assert reading(caps, *down[:2], to("C3", 30.5, 52.6)).violations == ("out of line by 0.5 mm",)


def test_edges() -> None:
    bottom = act("move_to_edge", ref="J1", edge="bottom")
    assert reading(bottom, to("J1", 20, 78)).holds
    assert not reading(bottom, to("J1", 20, 77)).holds
    assert reading({**bottom, "clearance": 2}, to("J1", 20, 76)).holds
    assert not reading({**bottom, "clearance": 2}, to("J1", 20, 75.5)).holds
    assert reading({**bottom, "center": True}, to("J1", 50, 78)).holds
    assert reading({**bottom, "center": True}, to("J1", 51, 78)).violations
    assert reading({**bottom, "at_most": 0}, to("J1", 20, 79)).holds  # a connector may hang over


def test_what_turns_flips_and_stays() -> None:
    turn = Move.turn("U1", 90, (50, 40))
    assert reading(act("rotate", refs=["U1"], by=90), turn).holds
    assert not reading(act("rotate", refs=["U1"], by=-90), turn).holds
    assert reading(act("rotate", refs=["U1"], to=270), Move.turn("U1", -90, (50, 40))).holds
    flip = Move("C1", (1, 0, 0, -1, 0, 120), flips=True)
    assert reading(act("flip", refs=["C1"]), flip).holds
    assert not reading(act("flip", refs=["C1"])).holds
    assert reading(act("flip", refs=["C1"], measure_only=True)).holds  # the side is the one where it is
    assert reading(act("lock", refs=["U1"])).holds
    assert reading(act("lock", refs=["U1"]), Move.shift("U1", 0.00001, 0)).violations == ("U1 is not where it was",)
    assert not reading(act("lock", refs=["U1"]), turn).holds
    assert reading(act("lock", refs=["U1"], locked=False), turn).holds


def test_places_shifts_and_swaps() -> None:
    assert reading(act("place_component", ref="C1", x=30, y=42), to("C1", 30, 42)).holds
    assert not reading(act("place_component", ref="C1", x=30, y=42), to("C1", 30, 42.001)).holds
    assert reading(act("move_by", refs=["C1"], dx=-2), Move.shift("C1", -2, 0)).holds
    assert not reading(act("move_by", refs=["C1"], dx=-2), Move.shift("C1", 2, 0)).holds
    swap = act("swap", ref="R1", other="R2")
    assert reading(swap, to("R1", 14, 11), to("R2", 10, 10)).holds
    assert reading(swap, to("R1", 14, 11)).violations == ("R2 is not where the other one was",)


def test_capacitors_are_no_farther_from_their_pins() -> None:
    pads = (
        Port("1", (25, 28), box(24.8, 27.8, 25.2, 28.2), 0.0, "VCC"),
        Port("2", (25, 32), box(24.8, 31.8, 25.2, 32.2), 0.0, "GND"),
    )
    chips = [replace(chip("U1", 30, 30, 10, 10), ports=pads, label="IC"), chip("X1", 60, 60, 4, 4)]
    before = layout_with(*chips, replace(two_pads("C1", 15, 30, ("VCC", "GND")), label="capacitor"))
    done = carried(act("decouple", target="U1"), before)
    assert sorted(done.was) == ["C1"]
    moves = [Move.turn("C1", 90, (15, 30)), Move.shift("C1", 7, 0)]
    assert done.measured(before.moved(moves)).holds
    assert isinstance(done.action, Decouple)
    (way,) = done.action.supply_ways(before.moved(moves), done)
    assert (way.pin, way.rotation, way.moved, way.after < way.before) == ("U1.1", 90.0, True, True)
    assert way.before == pytest.approx(((24.8 - 14.6) ** 2 + (29.6 - 28.2) ** 2) ** 0.5)  # corner to corner
    assert "farther than before" in done.measured(before.moved([Move.shift("C1", -1, 0)])).violations[0]
    onto = [Move.shift("X1", 0, 0), Move.shift("C1", 9.5, 0)]
    assert done.measured(before.moved(onto)).violations == ("U1 and C1 overlap",)


def test_blocks_are_measured_within_and_without() -> None:
    parts = [chip("U1", 20, 20, 6, 4), chip("R1", 26, 24, 2, 1), chip("U2", 60, 20, 6, 4), chip("R2", 65, 25, 2, 1)]
    layout = layout_with(*(replace(part, symbol=part.name[0]) for part in parts), chip("J1", 50, 60, 8, 8))
    layout = replace(layout, blocks={"/a/": ("U1", "R1"), "/b/": ("U2", "R2")})

    def found(fields: dict[str, object], *moves: Move) -> Reading:
        return reading(fields, *moves, was=layout)

    beside = act("move_block", block="a", target="J1", side="left", clearance=1)
    right = 46 - 0.25 - 1 - 27.25
    both = [Move.shift("U1", right, 30), Move.shift("R1", right, 30)]
    assert found(beside, *both).holds
    assert not found(beside, both[0], Move.shift("R1", right, 30.00001)).holds
    assert not found(beside, Move.shift("U1", right - 0.1, 30), Move.shift("R1", right - 0.1, 30)).holds
    turned = act("move_block", block="a", rotation=90)
    assert found(turned, *(Move.turn(name, 90, (22, 21)) for name in ("U1", "R1"))).holds
    assert not found(turned, *(Move.turn(name, -90, (22, 21)) for name in ("U1", "R1"))).holds
    assert not found(turned, Move.turn("U1", 90, (22, 21))).holds
    copied = act("copy_block", source="a", onto=["b"])
    assert found(copied, Move.shift("R2", 1, -1)).holds
    assert found(copied).violations == ("R2 does not lie as R1 does in a",)


def test_clusters_and_overlaps() -> None:
    left = act("cluster_around", refs=["C1", "C2"], target="U1", side="left")
    assert reading(left, to("C1", 40, 40), to("C2", 40, 43)).holds
    assert reading(left, to("C1", 40, 40), to("C2", 60, 43)).violations == ("C2 is not left of U1",)
    assert reading(act("legalise")).holds
    assert reading(act("legalise"), to("C1", 50, 40)).violations == ("U1 and C1 overlap",)
    assert reading(act("legalise"), to("C1", 56, 40)).holds  # touching
    assert not reading(act("legalise", clearance=0.2), to("C1", 56.1, 40)).holds
    assert reading(act("legalise", refs=["C2", "C3"]), to("C1", 50, 40)).holds
    assert reading(act("legalise"), to("TP1", 50, 40)).holds  # on the other side of the board


def test_legalizing_does_not_hold_where_the_parts_lie_beside_the_board() -> None:
    outside = layout_with(chip("C1", -10, 10, 2, 1), chip("C2", -20, 10, 2, 1))
    assert not reading(act("legalise"), was=outside).holds
    assert not reading(act("legalise", refs=["C1"]), was=outside).holds
    assert reading(act("legalise"), was=layout_with(chip("C1", 10, 10, 2, 1), chip("C2", -20, 10, 2, 1))).holds


# Wishes for whole boards. J1 is 8 × 4, and lies along x.


@pytest.mark.parametrize(
    ("wish", "at", "wrong"),
    [
        ({"center": True}, (50, 40), ""),
        ({"center": True}, (50, 60), "J1 is not in the middle of the board"),
        ({"center": True}, (20, 40), "J1 is not in the middle of the board"),
        ({"edge": "left", "center": True}, (4, 40), ""),
        ({"edge": "left", "center": True}, (4, 60), "J1 is not in the middle of the left edge"),
        ({"edge": "any"}, (50, 78), ""),
        ({"edge": "any"}, (50, 60), "J1 is not at an edge"),
        ({"edge": "any", "center": True}, (96, 10), "J1 is not in the middle of the right edge"),
    ],
)
def test_the_middle_and_any_edge_are_measured(wish: dict[str, object], at: tuple[float, float], wrong: str) -> None:
    found = reading(act("place_all", anchors=[{"ref": "J1", **wish}]), to("J1", *at))
    assert [v for v in found.violations if v.startswith("J1 is not")] == ([wrong] if wrong else [])


def test_a_distance_from_any_edge_is_that_from_the_nearest() -> None:
    from_any = act("place_all", anchors=[{"ref": "J1", "edge": "any", "distance": 3}])
    assert [f.measured for f in reading(from_any, to("J1", 50, 75)).figures] == [(3.0,)]
    over_left = reading(from_any, to("J1", 1, 8)).figures  # its box is 3 mm over the left edge, 6 mm from the top one
    assert [f.measured for f in over_left] == [(-3.0,)]


def test_what_hangs_over_one_edge_lies_where_it_does_from_the_others() -> None:
    over = Move.shift("J1", -18 - 1, 0)  # 3 mm over the left edge
    gaps = [edge_gap(BOARD.moved([over]), "J1", side) for side in ("left", "right", "top", "bottom")]
    assert gaps == [-3.0, 95.0, 58.0, 18.0]
    any_edge = act("place_all", overhang=[{"ref": "J1", "edge": "any", "distance": 3}])
    assert [f.measured for f in reading(any_edge, over).figures] == [(3.0,)]
    corner = reading(any_edge, to("J1", 1, 1))  # 3 mm over the left edge, 1 mm over the top one
    assert [f.measured for f in corner.figures] == [(3.0,)]
    assert not reading(any_edge, to("J1", 2, 60)).holds


def test_a_strip_and_a_box_are_free_of_what_can_move() -> None:
    clear = {"refs": ["C1"], "keepouts": [{"edge": "top", "distance": 8}, {"box": [0, 60, 20, 80]}]}
    found = reading(act("place_all", **clear), to("C1", 50, 20))
    assert not found.violations
    assert "H1 and H2 along the top edge stay" in found.words.replace("H1, H2", "H1 and H2")
    assert "J1 in the box stays" in found.words
    near = reading(act("place_all", **clear), to("C1", 50, 8))
    assert near.violations == ("C1 nearer to the top edge",)
    assert near.figures[0].measured == (7.5,)
    assert reading(act("place_all", **clear), to("C1", 10, 70)).violations == ("C1 in the box that had to stay free",)
    moved = {**clear, "refs": []}
    assert reading(act("place_all", **moved), to("R1", 50, 3)).violations == ("R1 nearer to the top edge",)
    replaced = {**clear, "refs": [], "replace": True, "keepouts": [{"edge": "left", "distance": 6}]}
    assert not reading(act("place_all", **replaced)).violations  # J2 is a connector, H1 a mounting hole
    assert reading(act("place_all", **replaced), to("U1", 10, 40)).violations[-1] == "U1 nearer to the left edge"


def test_a_part_that_was_to_go_near_another_and_stayed_far_away_is_no_success() -> None:
    """Courtyards are 0.25 mm larger; with 0.5 mm from all others, one more like C1 fits into more than 3 mm."""
    near = act("cluster_around", refs=["C1"], target="U1")
    there = layout_with(chip("U1", 50, 40, 10, 10), chip("C1", 80, 40, 2, 1))
    stayed = reading(near, was=there)
    assert stayed.violations == ("C1 was not moved, and is 23.5 mm from U1",)
    assert not stayed.holds
    for gap, right in ((2.9, True), (3.1, False)):
        beside = layout_with(chip("U1", 50, 40, 10, 10), chip("C1", 55.25 + gap + 1.25, 40, 2, 1))
        assert reading(near, was=beside).holds is right
    assert reading(near, Move.shift("C1", -15, 0), was=there).holds
