"""Decoupling capacitors: which pin each serves; placed there, never farther than before, never over anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import board, chip, two_pads
from real_parts import DEMOS, needs
from schematic import IC, bypass, part, pins_served, wired
from shapely.affinity import translate
from shapely.geometry import box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from redraft.errors import BriefError
from redraft.layout.items import Bounds, Fixture, Item, Keepout, Layout, Move, Port
from redraft.studios.board.actions.registry import Decouple, Lock
from redraft.studios.board.actions.workspace import Workspace
from redraft.studios.board.board import Board
from redraft.studios.board.place.circuit import circuit_of
from redraft.studios.board.place.decoupling import SUPPLY, decouple, farads_of, loop, served, supply_distance
from redraft.studios.board.solve import free_region
from redraft.studios.board.solve.collisions import collisions

# Which pin a capacitor serves ----------------------------------------------------------------------------------------


class TestPins:
    def test_each_capacitor_has_a_pin_of_its_own(self) -> None:
        layout = wired(part("U1", 20, 20, *IC), bypass("C1", 20, 25), bypass("C2", 20, 26))
        assert sorted(pins_served(layout).values()) == ["U1.1", "U1.3"]

    def test_the_nearest_on_a_placed_board_and_the_small_before_the_large(self) -> None:
        u = part("U1", 20, 20, ("1", "+3V3", "VDD", "power_in"), ("2", "GND", "GND", "power_in"))
        far = part("U2", 60, 20, ("1", "+3V3", "VDD", "power_in"), ("2", "GND", "GND", "power_in"))
        layout = wired(u, far, bypass("C1", 24, 20), bypass("C2", 56, 20))
        assert pins_served(layout) == {"C1": "U1.1", "C2": "U2.1"}
        u2 = part("U2", 26, 20, *((port.name, port.net, port.function, port.kind) for port in u.ports))
        both = wired(u, u2, bypass("C1", 22, 20, value="1uF"), bypass("C2", 22, 20.2))
        assert pins_served(both) == {"C1": "U2.1", "C2": "U1.1"}

    def test_the_same_sheet_before_another_where_nothing_is_placed(self) -> None:
        items = [part("U1", 200, 20, *IC), part("U2", 210, 20, *IC), bypass("C1", 220, 9), bypass("C2", 230, 9)]
        found = pins_served(wired(*items, blocks={"/a/": ["U1", "C2"], "/b/": ["U2", "C1"]}))
        assert {ref: pin[:2] for ref, pin in found.items()} == {"C1": "U2", "C2": "U1"}

    def test_unplaced_components_are_assigned_whatever_their_places(self) -> None:
        items = [part(f"U{n}", 200 + n, 20, *IC) for n in range(1, 4)]
        items += [bypass(f"C{n}", 300 + 5 * n, 9) for n in range(1, 7)]
        layout = wired(*items)
        moved = layout.moved([Move.shift(item.name, 7 * n, -3 * n) for n, item in enumerate(items)])
        assert pins_served(layout) == pins_served(moved)
        assert len(set(pins_served(layout).values())) == 6

    def test_ground_of_its_own(self) -> None:
        analog = (("1", "+3V3", "VDD", "power_in"), ("2", "AGND", "GND", "power_in"))
        layout = wired(part("U1", 20, 20, *IC), part("U2", 26, 20, *analog), bypass("C1", 22, 20, ground="AGND"))
        assert pins_served(layout) == {"C1": "U2.1"}

    def test_pins_tied_high_and_connectors_are_not_supply_pins(self) -> None:
        u = part("U1", 20, 20, *IC, ("9", "+3V3", "RESET", "input"))
        j = part("J1", 22, 20, ("1", "+3V3", "VCC", "power_in"))
        assert pins_served(wired(u, j, *(bypass(f"C{n}", 21, 20 + n) for n in range(1, 4)))).keys() == {
            "C1",
            "C2",
            "C3",
        }
        assert not {"U1.9", "J1.1"} & {*pins_served(wired(u, j, bypass("C1", 20.3, 20))).values()}

    def test_pins_drawn_as_one_with_the_typed_one_count(self) -> None:
        u = part("U1", 20, 20, *IC, ("9", "+3V3", "VDD", "passive"))
        assert {*pins_served(wired(u, *(bypass(f"C{n}", 21, 20 + n) for n in range(1, 4)))).values()} == {
            "U1.1",
            "U1.3",
            "U1.9",
        }

    def test_a_capacitor_at_a_connector_far_from_all_ics_serves_none(self) -> None:
        j = part("J1", 80, 20, ("1", "+3V3"), ("2", "GND"))
        assert pins_served(wired(part("U1", 20, 20, *IC), j, bypass("C1", 82, 20))) == {}
        assert pins_served(wired(part("U1", 20, 20, *IC), bypass("C1", 82, 20))) == {"C1": "U1.3"}

    def test_bulk_belongs_to_what_makes_the_supply(self) -> None:
        regulator = part("U2", 40, 20, ("1", "+3V3", "OUT", "power_out"), ("2", "GND", "GND", "power_in"))
        bulk = bypass("C1", 21, 20, value="47uF")
        assert pins_served(wired(part("U1", 20, 20, *IC), bulk)) == {}
        assert pins_served(wired(part("U1", 20, 20, *IC), regulator, bulk)) == {}  # it lies at U1
        assert pins_served(wired(part("U1", 20, 20, *IC), regulator, replace(bulk, ports=regulator.ports[:2]))) == {
            "C1": "U2.1"
        }

    def test_without_types_all_pads_of_an_ic_on_the_supply(self) -> None:
        u = part("U1", 20, 20, ("1", "VCC"), ("2", "GND"), ("8", "VCC"))
        assert pins_served(wired(u, bypass("C1", 20.2, 22, "VCC"))) == {"C1": "U1.8"}

    @given(st.permutations(range(8)), st.booleans())
    def test_neither_the_order_of_the_items_nor_their_names_matter(self, order: list[int], placed: bool) -> None:
        x = 10.0 if placed else 200.0
        items = [part(f"U{n}", x + 9 * n, 20, *IC) for n in range(1, 4)]
        items += [
            bypass(f"C{n}", x + 5 * n, 28, value=value) for n, value in enumerate(["1u", "10n", "1u", "", "100n"], 1)
        ]
        plain = circuit_of(wired(*items))
        assert circuit_of(wired(*(items[n] for n in order))) == plain
        other = {item.name: f"{item.name[0]}1{int(item.name[1:]):02}" for item in items}
        renamed = circuit_of(wired(*(replace(items[n], name=other[items[n].name]) for n in order)))
        assert [(one.capacitor, one.owner, one.pin) for one in renamed.decoupling] == [
            (other[one.capacitor], other[one.owner], one.pin) for one in plain.decoupling
        ]


@pytest.mark.parametrize(
    ("value", "farads"),
    [
        ("100nF", 1e-7), ("0.1uF 50V", 1e-7), ("4u7", 4.7e-6), ("2n2", 2.2e-9), ("22p", 22e-12),
        ("10 µF", 1e-5),
        ("0201, 1uF, 10V", 1e-6),
        ("100", None), ("", None), ("10V", None), ("CC0402_100NF_25V", 1e-7), ("5m", 5e-3), ("1,5uF", 1.5e-6),
    ],
)  # fmt: skip
def test_values_of_capacitors(value: str, farads: float | None) -> None:
    assert farads_of(value) == farads


# Places ---------------------------------------------------------------------------------------------------------------

NM = 1e-6


def controller(x: float = 50.0, y: float = 40.0, *, turned: float = 0.0) -> Item:
    """U1: 8 × 8 mm, four pads on its left (VCC above, GND below them) and four on its right (VDD, GND)."""
    nets = {"1": ("VCC", -4, -3), "2": ("A", -4, -1), "3": ("B", -4, 1), "4": ("GND", -4, 3)}
    nets |= {"5": ("GND", 4, 3), "6": ("C", 4, 1), "7": ("VDD", 4, -1), "8": ("VDD", 4, -3)}
    pads = [
        Port(name, (x + dx, y + dy), box(x + dx - 0.5, y + dy - 0.2, x + dx + 0.5, y + dy + 0.2), 0.0, net)
        for name, (net, dx, dy) in nets.items()
    ]
    return replace(chip("U1", x, y, 8, 8, courtyard=0.75), label="IC", ports=tuple(pads), rotation=turned)


def capacitor(name: str, x: float, y: float, net: str = "VCC", value: str = "100n", *, side: int = 1) -> Item:
    return replace(two_pads(name, x, y, (net, "GND"), side=side), label="capacitor", value=value)


def distance(layout: Layout, name: str) -> float:
    net = next(port.net for port in layout[name].ports if port.net != "GND")
    return supply_distance(layout, "U1", name, net)[0]


def test_at_the_pin_turned_with_the_shortest_loop() -> None:
    work = Workspace(board(controller(), capacitor("C1", 20, 60)))
    told = work.do(Decouple(target="U1"))
    assert told.action == "decouple U1"
    (one,) = served(work.layout, "U1")
    assert (one.capacitor, one.net, one.ground) == ("C1", "VCC", "GND")
    # Upright beside the left pads, its courtyard at that of U1, its supply pad nearly level with the pin.
    assert work.layout["C1"].rotation in {90.0, -90.0}
    assert work.layout.bounds("C1")[2] == pytest.approx(work.layout.bounds("U1")[0], abs=NM)
    assert distance(work.layout, "C1") < 1.0
    assert not collisions(work.layout, ["C1"])


def test_small_values_come_nearest() -> None:
    parts = [capacitor("C1", 20, 60, "VCC", "10uF"), capacitor("C2", 25, 60, "VCC", "100nF/50V")]
    work = Workspace(board(controller(), *parts))
    work.do(Decouple(target="U1"))
    assert distance(work.layout, "C2") < distance(work.layout, "C1")


def test_each_has_a_pin_of_its_own_while_there_are_some() -> None:
    work = Workspace(board(controller(), capacitor("C1", 20, 60, "VDD"), capacitor("C2", 25, 60, "VDD")))
    work.do(Decouple(target="U1"))
    pins = {supply_distance(work.layout, "U1", name, "VDD")[1] for name in ("C1", "C2")}
    assert pins == {"7", "8"}


def test_only_those_that_are_named_and_at_a_pad() -> None:
    work = Workspace(board(controller(), capacitor("C1", 20, 60, "VDD"), capacitor("C2", 80, 60, "VDD")))
    told = work.do(Decouple(target="U1.8", refs=("C2",)))
    assert [m.ref for m in told.moved] == ["C2"]
    assert supply_distance(work.layout, "U1", "C2", "VDD", "8")[0] < 3.0


def test_locked_ones_stay_and_the_note_names_them() -> None:
    work = Workspace(board(controller(), capacitor("C1", 20, 60), capacitor("C2", 25, 60)))
    work.do(Lock(refs=("C1",)))
    told = work.do(Decouple(target="U1"))
    assert [m.ref for m in told.moved] == ["C2"]
    assert "C1 is locked" in told.note


def test_what_cannot_come_nearer_stays() -> None:
    work = Workspace(board(controller(), capacitor("C1", 20, 60)))
    work.do(Decouple(target="U1"))
    again = work.do(Decouple(target="U1"))
    assert not again.moved
    assert again.note == "C1 stays: no free place with a shorter loop"


def test_on_the_other_side_only_when_asked() -> None:
    layout = board(controller(), capacitor("C1", 20, 60))
    assert layout.moved(decouple(layout, "U1").moves)["C1"].layer == 1
    below = layout.moved(decouple(layout, "U1", side="other").moves)
    assert below["C1"].layer == 0
    assert distance(below, "C1") == 0.0


def test_pads_stay_off_tracks_of_other_nets() -> None:
    track = Fixture("track", box(40, 30, 45.2, 50), "F.Cu", "A", ((42.0, 30.0), (42.0, 50.0)))

    def fixtures(window: Bounds) -> Sequence[Fixture]:
        return [track] if box(*window).intersects(track.shape) else []

    layout = replace(board(controller(), capacitor("C1", 20, 60)), fixtures=fixtures, clearance=0.2)
    after = layout.moved(decouple(layout, "U1").moves)
    assert min(port.shape.distance(track.shape) for port in after["C1"].ports) >= 0.2 - NM
    assert distance(after, "C1") < distance(layout, "C1")


def test_within_the_outline_and_outside_keepouts() -> None:
    kept = Keepout("antenna", box(40, 30, 45.2, 45))
    layout = board(controller(), capacitor("C1", 52, 60), area=box(40, 30, 60, 65), keepouts=[kept])
    after = layout.moved(decouple(layout, "U1").moves)
    assert not collisions(after, ["C1"])
    assert distance(after, "C1") < distance(layout, "C1")


@pytest.mark.parametrize(
    ("target", "refs", "said"),
    [
        ("U1", ("R1",), "R1 is not between a supply of U1 and ground"),
        ("U1", ("C3",), "C3 is not between a supply of U1 and ground: it connects VBAT and GND"),
        ("U1.1", ("C2",), "C2 is not between a supply of U1.1 and ground"),
        ("U1", ("U1",), "U1 is the target itself"),
        ("R1", (), "no capacitor serves R1"),
        ("U9", (), "no item 'U9'"),
        ("U1", ("C9",), "no item 'C9'"),
    ],
)
def test_bad_input(target: str, refs: tuple[str, ...], said: str) -> None:
    parts = [capacitor("C2", 20, 60, "VDD"), capacitor("C3", 30, 60, "VBAT"), two_pads("R1", 70, 60, ("A", "B"))]
    with pytest.raises(BriefError, match=said):
        Workspace(board(controller(), *parts)).do(Decouple(target=target, refs=refs))


places = st.tuples(st.integers(5, 95), st.integers(5, 75), st.sampled_from(["VCC", "VDD"]), st.booleans())


@given(st.lists(places, min_size=1, max_size=4), st.integers(0, 3))
@settings(max_examples=12, deadline=None)
@pytest.mark.slow
def test_never_farther_and_never_over_anything(where: list[tuple[int, int, str, bool]], quarters: int) -> None:
    """From anywhere, one upon the other too."""
    caps = [capacitor(f"C{i}", x, y, net, "10u" if large else "100n") for i, (x, y, net, large) in enumerate(where)]
    layout = board(controller(), *caps, chip("X1", 44, 34, 3, 3), chip("X2", 57, 44, 2, 6))
    from redraft.studios.board.actions.moves import rotate

    layout = layout.moved(rotate(layout, ["U1"], by=90.0 * quarters)) if quarters else layout
    found = decouple(layout, "U1")
    after = layout.moved(found.moves)
    before, now = collisions(layout, [c.name for c in caps]), collisions(after, [c.name for c in caps])
    assert all(deep <= before.get(pair, before.get((pair[1], pair[0]), 0.0)) + NM for pair, deep in now.items())
    for cap in caps:
        assert distance(after, cap.name) <= distance(layout, cap.name) + NM
        item = after[cap.name]
        assert item.origin is not None
        assert all(abs(value / NM - round(value / NM)) < 1e-3 for value in item.origin)


@pytest.mark.slow
@given(st.integers(20, 80), st.integers(15, 70), st.integers(0, 359))
@settings(max_examples=12, deadline=None)
def test_no_place_of_a_fine_grid_is_better(x: int, y: int, angle: int) -> None:
    """The exact search against all places of a grid around the pin, in four rotations."""
    layout = board(controller(), capacitor("C1", x, y), chip("X1", 44, 34, 2, 1), chip("X2", 41, 41, 1, 3))
    from redraft.layout.items import Move, transformed
    from redraft.studios.board.actions.moves import rotate

    layout = layout.moved(rotate(layout, ["C1"], to=float(angle)))
    (one,) = served(layout, "U1")
    best = loop(layout.moved(decouple(layout, "U1").moves), one)
    item = layout["C1"]
    assert item.origin is not None
    shifts = [
        (45 + 0.4 * i - item.origin[0], 37 + 0.4 * j - item.origin[1]) for i in range(-8, 9) for j in range(-8, 9)
    ]
    for quarter in range(4):
        turn = Move.turn("C1", 90.0 * quarter - item.rotation, item.origin)
        turned = transformed(item, [turn])
        supply, ground = (ways(layout["U1"], turned, net, shifts) for net in (one.net, one.ground))
        for shift, there, back in zip(shifts, supply, ground, strict=True):
            if SUPPLY * there + back < best - 0.01:
                after = layout.with_items([transformed(item, [turn, Move.shift("C1", *shift)])])
                assert loop(after, one) == pytest.approx(SUPPLY * there + back)
                assert collisions(after, ["C1"]), (shift, quarter, there, back, best)


def ways(owner: Item, cap: Item, net: str, shifts: Sequence[tuple[float, float]]) -> list[float]:
    """How far the capacitor's pad on a net is from the owner's nearest, for each shift."""
    (pad,) = (port.shape for port in cap.ports if port.net == net)
    pins = unary_union([port.shape for port in owner.ports if port.net == net])
    return [pins.distance(translate(pad, x, y)) for x, y in shifts]


@pytest.mark.slow
@pytest.mark.timed
def test_a_dense_board_takes_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what can forbid a place near the pin is worked out."""
    needs("kicad-demos")
    counts: list[int] = []
    sums = free_region._sums  # pyright: ignore[reportPrivateUsage]

    def counted(fixed: free_region.Shapes, mine: BaseGeometry, gaps: free_region.Numbers) -> free_region.Shapes:
        counts.append(len(fixed))
        return sums(fixed, mine, gaps)

    monkeypatch.setattr(free_region, "_sums", counted)
    layout = Board.read(DEMOS / "stickhub" / "StickHub.kicad_pcb").layout
    found = decouple(layout, "U1")
    after = layout.moved(found.moves)
    assert sum(loop(after, one) for one in found.served) == pytest.approx(96.806, abs=1e-3)
    assert sum(counts) < 33_000
