"""What a board says by itself: supplies, crystals, feedback, pairs, kinds and what is not placed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from schematic import FRAME, IC, bypass, part, pins_served, wired

from redraft.layout.items import Layout
from redraft.studios.board.place.circuit import Circuit, circuit_of
from redraft.studios.board.place.netlist import beside, is_ground, is_power, unplaced


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
        layout = wired(*(part(f"R{n}", 4 * n, 9, ("1", "BUS"), ("2", f"N{n}")) for n in range(1, 20)))
        assert circuit_of(layout).power == circuit_of(layout).ground == ()

    def test_types_of_pins_tell_supplies_without_a_name(self) -> None:
        pins = (("1", "Net-(U1-A)", "VDDA", "power_in"), ("2", "Net-(U1-G)", "VSSA", "power_in"))
        found = circuit_of(wired(part("U1", 9, 9, *pins), bypass("C1", 9, 20, "Net-(U1-A)", "Net-(U1-G)")))
        assert (found.power, found.ground) == (("Net-(U1-A)",), ("Net-(U1-G)",))
        assert [one.pin for one in found.decoupling] == ["1"]

    def test_behind_a_ferrite_bead_but_not_behind_an_inductor(self) -> None:
        bead = part("FB1", 30, 9, ("1", "+3V3"), ("2", "Net-(C1-Pad1)"), label="ferrite bead")
        u = part("U1", 9, 9, ("1", "Net-(C1-Pad1)"), ("2", "GND"), ("3", "+3V3"))
        c = bypass("C1", 9, 12, "Net-(C1-Pad1)")
        assert pins_served(wired(u, bead, c)) == {"C1": "U1.1"}
        assert pins_served(wired(u, replace(bead, name="L1", label="inductor", value="10uH"), c)) == {}

    def test_the_node_of_a_converter_and_a_measuring_pin_are_none(self) -> None:
        pins = (*IC, ("4", "/SW", "SW", "power_out"), ("5", "Net-(U1-Vbus)", "Vbus", "input"))
        layout = wired(part("U1", 9, 9, *pins), bypass("C1", 9, 12, "/SW"), bypass("C2", 9, 14, "Net-(U1-Vbus)"))
        assert circuit_of(layout).power == ("+3V3",)

    def test_a_name_alone_does_not_count_against_typed_pins(self) -> None:
        pins = (*IC, ("4", "/VBAT", "ADC0", "input"))
        assert "/VBAT" not in circuit_of(wired(part("U1", 9, 9, *pins), part("J1", 20, 9, ("1", "/VBAT")))).power


class TestNetworks:
    XTAL = (("1", "+3V3", "VDD", "power_in"), ("2", "GND", "GND", "power_in"), ("3", "XI"), ("4", "XO"))

    def test_a_crystal_with_its_capacitors_and_resistors(self) -> None:
        y = part("Y1", 30, 20, ("1", "XI"), ("2", "GND"), ("3", "XO2"), ("4", "GND"), value="12MHz")
        r, load = (
            part("R1", 26, 20, ("1", "XO"), ("2", "XO2")),
            [bypass("C1", 30, 25, "XI"), bypass("C2", 33, 25, "XO2")],
        )
        (found,) = circuit_of(wired(part("U1", 20, 20, *self.XTAL), y, r, *load)).networks
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
        assert circuit_of(wired(u, oscillator, speaker)).networks == ()

    def test_a_divider_at_a_feedback_pin(self) -> None:
        u = part("U1", 20, 20, *IC, ("4", "Net-(U1-FB)", "FB", "input"))
        upper, lower = (
            part("R1", 24, 20, ("1", "Net-(U1-FB)"), ("2", "VOUT")),
            part("R2", 27, 20, ("1", "Net-(U1-FB)"), ("2", "GND")),
        )
        ahead, pull = bypass("C1", 24, 25, "VOUT", "Net-(U1-FB)"), part("R3", 40, 40, ("1", "VOUT"), ("2", "LED"))
        (found,) = circuit_of(wired(u, upper, lower, ahead, pull)).networks
        assert (found.kind, found.owner, found.pins, found.members) == ("feedback", "U1", ("4",), ("C1", "R1", "R2"))

    def test_a_divider_at_an_unnamed_pin_needs_the_inductor(self) -> None:
        u = part("U1", 20, 20, ("1", "VIN"), ("2", "GND"), ("3", "LX"), ("4", "MID"))
        divider = [
            part("R1", 24, 20, ("1", "MID"), ("2", "+3V3")),
            part("R2", 27, 20, ("1", "MID"), ("2", "GND")),
        ]
        assert circuit_of(wired(u, *divider)).networks == ()
        coil = part("L1", 30, 20, ("1", "LX"), ("2", "+3V3"))
        assert [found.members for found in circuit_of(wired(u, *divider, coil)).networks] == [("R1", "R2")]


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
        pair = wired(
            part("U1", 20, 20, ("1", positive), ("2", negative)),
            part("J1", 40, 20, ("1", negative), ("2", positive)),
        )
        assert circuit_of(pair).pairs == ((positive, negative),)
        alone = wired(part("U1", 20, 20, ("1", positive)), part("J1", 40, 20, ("1", negative)))
        assert circuit_of(alone).pairs == ()

    @pytest.mark.parametrize(("one", "other"), [("V+", "V-"), ("UP", "UN1"), ("+5V", "-5V"), ("SCAMP", "SCAMM")])
    def test_no_pairs(self, one: str, other: str) -> None:
        layout = wired(
            part("U1", 20, 20, ("1", one, "V", "power_in"), ("2", other, "V", "power_in")),
            bypass("C1", 9, 9, one, other),
        )
        assert circuit_of(layout).pairs == ()


class TestPlaces:
    def test_beside_the_board_and_in_heaps(self) -> None:
        heap = [part(f"R{n}", 50, 50, ("1", "A")) for n in range(1, 4)]
        layout = wired(part("U1", 20, 20, *IC), part("U2", 200, 20, *IC), *heap, part("R9", 60, 60, ("1", "A")))
        assert beside(layout) == ("U2",)
        assert unplaced(layout) == ("U2", "R1", "R2", "R3")
        assert circuit_of(layout).unplaced == ("R1", "R2", "R3", "U2")
        assert unplaced(replace(layout, area=None)) == ("R1", "R2", "R3")

    def test_kinds_and_locks(self) -> None:
        labels = {"J2": "connector", "J10": "connector", "H1": "mounting hole", "TP1": "test point", "FID1": "fiducial"}
        items = [part(name, 9 * n, 9, label=label) for n, (name, label) in enumerate(labels.items(), 1)]
        found = circuit_of(wired(*reversed(items), replace(part("U1", 60, 60, *IC), locked=True)))
        assert (found.connectors, found.mounting_holes) == (("J2", "J10"), ("H1",))
        assert (found.test_points, found.fiducials, found.locked) == (("TP1",), ("FID1",), ("U1",))

    def test_nothing_is_said_of_nothing(self) -> None:
        assert circuit_of(Layout((), FRAME)) == Circuit()
