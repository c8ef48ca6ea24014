"""What a board says by itself: supplies, decoupling, crystals, feedback, pairs, kinds and what is not placed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Point, box

from redraft.layout.items import Frame, Item, Layout, Move, Port
from redraft.studios.board.place.circuit import Circuit, beside, circuit_of, farads_of, is_ground, is_power, unplaced

Pin = tuple[str, str] | tuple[str, str, str] | tuple[str, str, str, str]
"""Name, net, and where the file has them function and type."""
LABELS = {
    "C": "capacitor",
    "R": "resistor",
    "U": "IC",
    "Y": "crystal",
    "X": "crystal",
    "L": "inductor",
    "J": "connector",
}
FRAME = Frame(unit="mm", bounds=(0, 0, 100, 100), solid=True, layers={1: "Top", 0: "Bottom"})


def part(name: str, x: float, y: float, *pins: Pin, value: str = "", label: str = "", symbol: str = "") -> Item:
    """2 × 2 mm with its pads in a row, 0.1 mm apart."""
    ports = tuple(Port(pin[0], (x + n / 10, y), Point(x + n / 10, y), 0.05, pin[1]) for n, pin in enumerate(pins))
    named = tuple(
        replace(port, **dict(zip(("function", "kind"), pin[2:], strict=False)))
        for port, pin in zip(ports, pins, strict=True)
    )
    kind = label or LABELS.get(name[0], "part")
    return Item(name, kind, box(x - 1, y - 1, x + 1, y + 1), layer=1, ports=named, value=value, symbol=symbol)


def capacitor(name: str, x: float, y: float, net: str = "+3V3", ground: str = "GND", value: str = "100nF") -> Item:
    return part(name, x, y, ("1", net), ("2", ground), value=value)


def board(*items: Item, blocks: Mapping[str, Sequence[str]] | None = None) -> Layout:
    held = {name: tuple(members) for name, members in (blocks or {}).items()}
    return Layout(items, FRAME, box(0, 0, 100, 100), blocks=held)


def served(layout: Layout) -> dict[str, str]:
    return {one.capacitor: f"{one.owner}.{one.pin}" for one in circuit_of(layout).decoupling}


IC = (("1", "+3V3", "VDD", "power_in"), ("2", "GND", "VSS", "power_in"), ("3", "+3V3", "VDDA", "power_in"))


def u_pins(item: Item) -> list[Pin]:
    return [(port.name, port.net, port.function, port.kind) for port in item.ports]


class TestSupplies:
    @pytest.mark.parametrize(
        "name", ["GND", "/cpu/AGND", "GNDA", "VSS", "VSSA", "0V", "Earth", "GND_ISO", "PGND", "GNDPLL0"]
    )
    def test_grounds_by_name(self, name: str) -> None:
        assert is_ground(name)
        assert not is_power(name)

    @pytest.mark.parametrize(
        "name",
        [
            "+3V3",
            "+3.3V",
            "3V3_CLK",
            "5V",
            "-12V",
            "VCC",
            "VDD_IO",
            "AVDD",
            "VBUS",
            "+3.3VLAN",
            "/a/VBAT",
            "P1V8",
            "+3,3V",
        ],
    )
    def test_supplies_by_name(self, name: str) -> None:
        assert is_power(name)
        assert not is_ground(name)

    @pytest.mark.parametrize(
        "name",
        [
            "5V_EN",
            "VBUS_DET",
            "1V0_SW",
            "5VPG",
            "POK_1V5",
            "VCC_SENSE",
            "GND_DET",
            "SDA",
            "V",
            "Net-(U1-VDD)",
            "VPP{slash}MCLR",
        ],
    )
    def test_signals_about_supplies_are_none(self, name: str) -> None:
        assert not is_power(name)
        assert not is_ground(name)

    def test_many_pads_alone_are_no_proof(self) -> None:
        layout = board(*(part(f"R{n}", 4 * n, 9, ("1", "BUS"), ("2", f"N{n}")) for n in range(1, 20)))
        assert circuit_of(layout).power == circuit_of(layout).ground == ()

    def test_types_of_pins_tell_supplies_without_a_name(self) -> None:
        pins = (("1", "Net-(U1-A)", "VDDA", "power_in"), ("2", "Net-(U1-G)", "VSSA", "power_in"))
        found = circuit_of(board(part("U1", 9, 9, *pins), capacitor("C1", 9, 20, "Net-(U1-A)", "Net-(U1-G)")))
        assert (found.power, found.ground) == (("Net-(U1-A)",), ("Net-(U1-G)",))
        assert [one.pin for one in found.decoupling] == ["1"]

    def test_behind_a_ferrite_bead_but_not_behind_an_inductor(self) -> None:
        bead = part("FB1", 30, 9, ("1", "+3V3"), ("2", "Net-(C1-Pad1)"), label="ferrite bead")
        u = part("U1", 9, 9, ("1", "Net-(C1-Pad1)"), ("2", "GND"), ("3", "+3V3"))
        c = capacitor("C1", 9, 12, "Net-(C1-Pad1)")
        assert served(board(u, bead, c)) == {"C1": "U1.1"}
        assert served(board(u, replace(bead, name="L1", label="inductor", value="10uH"), c)) == {}

    def test_the_node_of_a_converter_and_a_measuring_pin_are_none(self) -> None:
        pins = (*IC, ("4", "/SW", "SW", "power_out"), ("5", "Net-(U1-Vbus)", "Vbus", "input"))
        layout = board(part("U1", 9, 9, *pins), capacitor("C1", 9, 12, "/SW"), capacitor("C2", 9, 14, "Net-(U1-Vbus)"))
        assert circuit_of(layout).power == ("+3V3",)

    def test_a_name_alone_does_not_count_against_typed_pins(self) -> None:
        pins = (*IC, ("4", "/VBAT", "ADC0", "input"))
        assert "/VBAT" not in circuit_of(board(part("U1", 9, 9, *pins), part("J1", 20, 9, ("1", "/VBAT")))).power


class TestDecoupling:
    def test_each_capacitor_has_a_pin_of_its_own(self) -> None:
        layout = board(part("U1", 20, 20, *IC), capacitor("C1", 20, 25), capacitor("C2", 20, 26))
        assert sorted(served(layout).values()) == ["U1.1", "U1.3"]

    def test_the_nearest_on_a_placed_board_and_the_small_before_the_large(self) -> None:
        u = part("U1", 20, 20, ("1", "+3V3", "VDD", "power_in"), ("2", "GND", "GND", "power_in"))
        far = part("U2", 60, 20, ("1", "+3V3", "VDD", "power_in"), ("2", "GND", "GND", "power_in"))
        layout = board(u, far, capacitor("C1", 24, 20), capacitor("C2", 56, 20))
        assert served(layout) == {"C1": "U1.1", "C2": "U2.1"}
        u2 = part("U2", 26, 20, *u_pins(u))
        both = board(u, u2, capacitor("C1", 22, 20, value="1uF"), capacitor("C2", 22, 20.2))
        assert served(both) == {"C1": "U2.1", "C2": "U1.1"}

    def test_the_same_sheet_before_another_where_nothing_is_placed(self) -> None:
        items = [part("U1", 200, 20, *IC), part("U2", 210, 20, *IC), capacitor("C1", 220, 9), capacitor("C2", 230, 9)]
        found = served(board(*items, blocks={"/a/": ["U1", "C2"], "/b/": ["U2", "C1"]}))
        assert {ref: pin[:2] for ref, pin in found.items()} == {"C1": "U2", "C2": "U1"}

    def test_unplaced_components_are_assigned_whatever_their_places(self) -> None:
        items = [part(f"U{n}", 200 + n, 20, *IC) for n in range(1, 4)]
        items += [capacitor(f"C{n}", 300 + 5 * n, 9) for n in range(1, 7)]
        layout = board(*items)
        moved = layout.moved([Move.shift(item.name, 7 * n, -3 * n) for n, item in enumerate(items)])
        assert served(layout) == served(moved)
        assert len(set(served(layout).values())) == 6

    def test_ground_of_its_own(self) -> None:
        analog = (("1", "+3V3", "VDD", "power_in"), ("2", "AGND", "GND", "power_in"))
        layout = board(part("U1", 20, 20, *IC), part("U2", 26, 20, *analog), capacitor("C1", 22, 20, ground="AGND"))
        assert served(layout) == {"C1": "U2.1"}

    def test_pins_tied_high_and_connectors_are_not_supply_pins(self) -> None:
        u = part("U1", 20, 20, *IC, ("9", "+3V3", "RESET", "input"))
        j = part("J1", 22, 20, ("1", "+3V3", "VCC", "power_in"))
        assert served(board(u, j, *(capacitor(f"C{n}", 21, 20 + n) for n in range(1, 4)))).keys() == {"C1", "C2", "C3"}
        assert not {"U1.9", "J1.1"} & {*served(board(u, j, capacitor("C1", 20.3, 20))).values()}

    def test_pins_drawn_as_one_with_the_typed_one_count(self) -> None:
        u = part("U1", 20, 20, *IC, ("9", "+3V3", "VDD", "passive"))
        assert {*served(board(u, *(capacitor(f"C{n}", 21, 20 + n) for n in range(1, 4)))).values()} == {
            "U1.1",
            "U1.3",
            "U1.9",
        }

    def test_a_capacitor_at_a_connector_far_from_all_ics_serves_none(self) -> None:
        j = part("J1", 80, 20, ("1", "+3V3"), ("2", "GND"))
        assert served(board(part("U1", 20, 20, *IC), j, capacitor("C1", 82, 20))) == {}
        assert served(board(part("U1", 20, 20, *IC), capacitor("C1", 82, 20))) == {"C1": "U1.3"}

    def test_bulk_belongs_to_what_makes_the_supply(self) -> None:
        regulator = part("U2", 40, 20, ("1", "+3V3", "OUT", "power_out"), ("2", "GND", "GND", "power_in"))
        bulk = capacitor("C1", 21, 20, value="47uF")
        assert served(board(part("U1", 20, 20, *IC), bulk)) == {}
        assert served(board(part("U1", 20, 20, *IC), regulator, bulk)) == {}  # it lies at U1
        assert served(board(part("U1", 20, 20, *IC), regulator, replace(bulk, ports=regulator.ports[:2]))) == {
            "C1": "U2.1"
        }

    def test_without_types_all_pads_of_an_ic_on_the_supply(self) -> None:
        u = part("U1", 20, 20, ("1", "VCC"), ("2", "GND"), ("8", "VCC"))
        assert served(board(u, capacitor("C1", 20.2, 22, "VCC"))) == {"C1": "U1.8"}

    @given(st.permutations(range(8)), st.booleans())
    def test_neither_the_order_of_the_items_nor_their_names_matter(self, order: list[int], placed: bool) -> None:
        x = 10.0 if placed else 200.0
        items = [part(f"U{n}", x + 9 * n, 20, *IC) for n in range(1, 4)]
        items += [
            capacitor(f"C{n}", x + 5 * n, 28, value=value) for n, value in enumerate(["1u", "10n", "1u", "", "100n"], 1)
        ]
        plain = circuit_of(board(*items))
        assert circuit_of(board(*(items[n] for n in order))) == plain
        other = {item.name: f"{item.name[0]}1{int(item.name[1:]):02}" for item in items}
        renamed = circuit_of(board(*(replace(items[n], name=other[items[n].name]) for n in order)))
        assert [(one.capacitor, one.owner, one.pin) for one in renamed.decoupling] == [
            (other[one.capacitor], other[one.owner], one.pin) for one in plain.decoupling
        ]


class TestNetworks:
    XTAL = (("1", "+3V3", "VDD", "power_in"), ("2", "GND", "GND", "power_in"), ("3", "XI"), ("4", "XO"))

    def test_a_crystal_with_its_capacitors_and_resistors(self) -> None:
        y = part("Y1", 30, 20, ("1", "XI"), ("2", "GND"), ("3", "XO2"), ("4", "GND"), value="12MHz")
        r, load = (
            part("R1", 26, 20, ("1", "XO"), ("2", "XO2")),
            [capacitor("C1", 30, 25, "XI"), capacitor("C2", 33, 25, "XO2")],
        )
        (found,) = circuit_of(board(part("U1", 20, 20, *self.XTAL), y, r, *load)).networks
        assert (found.kind, found.owner, found.pins, found.members) == (
            "crystal",
            "U1",
            ("3", "4"),
            ("C1", "C2", "R1", "Y1"),
        )

    def test_an_oscillator_and_a_terminal_called_x1_are_none(self) -> None:
        oscillator = part("Y1", 30, 20, ("1", "+3V3"), ("2", "GND"), ("3", "CLK"), ("4", "+3V3"), value="12MHz")
        speaker = part("X1", 30, 30, ("1", "OUT_A"), ("2", "OUT_B"))
        u = part("U1", 20, 20, *IC, ("4", "CLK"), ("5", "OUT_A"), ("6", "OUT_B"))
        assert circuit_of(board(u, oscillator, speaker)).networks == ()

    def test_a_divider_at_a_feedback_pin(self) -> None:
        u = part("U1", 20, 20, *IC, ("4", "Net-(U1-FB)", "FB", "input"))
        upper, lower = (
            part("R1", 24, 20, ("1", "Net-(U1-FB)"), ("2", "VOUT")),
            part("R2", 27, 20, ("1", "Net-(U1-FB)"), ("2", "GND")),
        )
        ahead, pull = capacitor("C1", 24, 25, "VOUT", "Net-(U1-FB)"), part("R3", 40, 40, ("1", "VOUT"), ("2", "LED"))
        (found,) = circuit_of(board(u, upper, lower, ahead, pull)).networks
        assert (found.kind, found.owner, found.pins, found.members) == ("feedback", "U1", ("4",), ("C1", "R1", "R2"))

    def test_a_divider_at_an_unnamed_pin_needs_the_inductor(self) -> None:
        u = part("U1", 20, 20, ("1", "VIN"), ("2", "GND"), ("3", "LX"), ("4", "MID"))
        divider = [part("R1", 24, 20, ("1", "MID"), ("2", "+3V3")), part("R2", 27, 20, ("1", "MID"), ("2", "GND"))]
        assert circuit_of(board(u, *divider)).networks == ()
        coil = part("L1", 30, 20, ("1", "LX"), ("2", "+3V3"))
        assert [found.members for found in circuit_of(board(u, *divider, coil)).networks] == [("R1", "R2")]


class TestPairs:
    @pytest.mark.parametrize(
        ("positive", "negative"),
        [
            ("USB_DP", "USB_DM"),
            ("/usb/D+", "/usb/D-"),
            ("LVDS_P0", "LVDS_N0"),
            ("CLK_P", "CLK_N"),
            ("TX_P_C", "TX_N_C"),
            ("USB_D_P", "USB_D_N"),
            ("usbp", "usbn"),
        ],
    )
    def test_both_exist_and_meet_at_a_component(self, positive: str, negative: str) -> None:
        pair = board(
            part("U1", 20, 20, ("1", positive), ("2", negative)), part("J1", 40, 20, ("1", negative), ("2", positive))
        )
        assert circuit_of(pair).pairs == ((positive, negative),)
        alone = board(part("U1", 20, 20, ("1", positive)), part("J1", 40, 20, ("1", negative)))
        assert circuit_of(alone).pairs == ()

    @pytest.mark.parametrize(("one", "other"), [("V+", "V-"), ("UP", "UN1"), ("+5V", "-5V"), ("SCAMP", "SCAMM")])
    def test_no_pairs(self, one: str, other: str) -> None:
        layout = board(
            part("U1", 20, 20, ("1", one, "V", "power_in"), ("2", other, "V", "power_in")),
            capacitor("C1", 9, 9, one, other),
        )
        assert circuit_of(layout).pairs == ()


class TestPlaces:
    def test_beside_the_board_and_in_heaps(self) -> None:
        heap = [part(f"R{n}", 50, 50, ("1", "A")) for n in range(1, 4)]
        layout = board(part("U1", 20, 20, *IC), part("U2", 200, 20, *IC), *heap, part("R9", 60, 60, ("1", "A")))
        assert beside(layout) == ("U2",)
        assert unplaced(layout) == ("U2", "R1", "R2", "R3")
        assert circuit_of(layout).unplaced == ("R1", "R2", "R3", "U2")
        assert unplaced(replace(layout, area=None)) == ("R1", "R2", "R3")

    def test_kinds_and_locks(self) -> None:
        labels = {"J2": "connector", "J10": "connector", "H1": "mounting hole", "TP1": "test point", "FID1": "fiducial"}
        items = [part(name, 9 * n, 9, label=label) for n, (name, label) in enumerate(labels.items(), 1)]
        found = circuit_of(board(*reversed(items), replace(part("U1", 60, 60, *IC), locked=True)))
        assert (found.connectors, found.mounting_holes) == (("J2", "J10"), ("H1",))
        assert (found.test_points, found.fiducials, found.locked) == (("TP1",), ("FID1",), ("U1",))

    def test_nothing_is_said_of_nothing(self) -> None:
        assert circuit_of(Layout((), FRAME)) == Circuit()


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
