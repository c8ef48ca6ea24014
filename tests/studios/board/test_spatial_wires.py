"""Airwires, pins by side, nets and tracks in rows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from crowds import SEED_BOARD, crowd, pad
from hypothesis import given, settings
from hypothesis import strategies as st
from parts import board, two_pads
from shapely.geometry import LineString, Point, box
from token_counts import tokens

from redraft.layout.items import Bounds, Fixture, Item
from redraft.studios.board.views.microscope import inspect_components, inspect_region
from redraft.studios.board.views.wires import airwires, net_view, pin_rows, pin_view, track_rows, unconnected

LIMIT = 2_000


def quad(name: str = "U1", pins: int = 8, net: str = "N{}") -> Item:
    """An IC with pins all around, counted counterclockwise from the upper left, and a pad in the middle."""
    side = pins // 4
    steps = [k / (side - 1) * 8 - 4 for k in range(side)]
    places = [(-5, s) for s in steps] + [(s, 5) for s in steps] + [(5, -s) for s in steps] + [(-s, -5) for s in steps]
    ports = [pad(str(k), 20 + x, 20 + y, net.format(k)) for k, (x, y) in enumerate(places, start=1)]
    return Item(name, "IC", box(14, 14, 26, 26), layer=1, ports=(*ports, pad("EP", 20, 20, "GND")))


def test_pins_are_told_by_side_in_order_with_their_functions() -> None:
    chip = quad()
    named = replace(chip, ports=(replace(chip.ports[0], function="VDD"), *chip.ports[1:]))
    rows = {side: [row for _, row in pins] for side, pins in pin_rows(named).items()}
    assert rows == {
        "left": ["1 N1 (VDD)", "2 N2"],
        "right": ["6 N6", "5 N5"],
        "top": ["8 N8", "7 N7"],
        "bottom": ["3 N3", "4 N4"],
        "inside": ["EP GND"],
    }


def test_pads_without_a_net_are_told_apart() -> None:
    chip = quad(net="")
    assert pin_rows(chip).keys() == {"inside"}
    assert unconnected(chip) == ["1-8"]


def test_an_airwire_leads_to_the_nearest_pad_of_another_part() -> None:
    parts = [two_pads(f"C{n}", 20 + 4 * n, 20, ("VCC", f"N{n}")) for n in range(3)]
    found = airwires(board(*parts), ["C1", "C0"])
    assert [wire.row for wire in found] == ["C1.1 VCC to C0.1 4", "C0.1 VCC to C1.1 4"]


def test_a_window_has_all_pads_airwires_tracks_zones_and_room() -> None:
    fixtures = [
        Fixture("track", LineString([(10, 20), (12, 20)]).buffer(0.1), "F.Cu", "SDA", ((10, 20), (12, 20))),
        Fixture("track", LineString([(12, 20), (12, 22)]).buffer(0.1), "F.Cu", "SDA", ((12, 20), (12, 22))),
        Fixture("via", Point(29, 25).buffer(0.3), "F.Cu, B.Cu", "GND"),
        Fixture("zone", box(0, 0, 100, 80), "B.Cu", "GND"),
    ]

    def within(window: Bounds) -> list[Fixture]:
        return fixtures

    layout = replace(board(quad(pins=16), two_pads("C1", 32, 24, ("N9", "GND"))), fixtures=within)
    view = inspect_components(layout, ["U1"])
    assert {row.split()[0] for side in view.pins["U1"].values() for row in side} == {*map(str, range(1, 17)), "EP"}
    assert view.pins_left_out == {}
    assert any(row.startswith("U1.9 N9 to C1.1") for row in view.airwires)
    assert view.tracks == ("SDA F.Cu 10,20 to 12,20 to 12,22",)
    assert view.vias == ("GND 29,25",)
    assert view.zones == ("GND B.Cu",)
    assert view.free[0].startswith("Top ")
    assert any("crossed by" in row and "SDA" in row for row in view.free)
    assert view.ask == ""


def test_what_is_cut_is_counted_and_can_be_asked_for() -> None:
    large = quad(pins=400, net="A_RATHER_LONG_NET_{}")
    view = inspect_components(board(large), ["U1"])
    told = sum(map(len, view.pins["U1"].values()))
    assert told + view.pins_left_out["U1"] == 401
    assert "U1.2*" in view.ask
    pins = pin_view(board(large), "U1")
    assert sum(map(len, pins.pins["U1"].values())) + pins.left_out == 401
    assert tokens(pins.text()) < LIMIT
    wanted = [port.name for port in large.ports if port.name.startswith("39")]
    closer = inspect_components(board(large), [f"U1.{name}" for name in wanted])
    assert [p.num for p in closer.objects[0].pads] == wanted


def test_a_net_has_all_of_its_pads() -> None:
    parts = [two_pads(f"C{n}", 20 + 4 * n, 20, ("VCC", "")) for n in range(3)]
    view = net_view(board(*parts), "VCC")
    assert view.pads == ("C0.1 19.3,20", "C1.1 23.3,20", "C2.1 27.3,20")
    assert (view.pad_count, view.half_perimeter) == (3, 8.0)
    assert view.components[0] == "C0 part Top"
    assert net_view(board(*parts), "VCC", around="C2", radius=4).pads == ("C2.1 27.3,20", "C1.1 23.3,20")


@pytest.mark.parametrize("count", [40, 600])
def test_a_net_of_any_size_keeps_its_budget(count: int) -> None:
    view = net_view(crowd(count), "GND")
    assert tokens(view.text()) < LIMIT
    assert len(view.pads) + view.left_out == view.pad_count
    assert bool(view.ask) == bool(view.left_out)


def test_rows_of_tracks_keep_their_budget() -> None:
    tracks = [Fixture("track", box(n, 0, n + 1, 1), "F.Cu", f"N{n}", ((n, 0), (n + 1, 0.5))) for n in range(50)]
    rows, vias, left = track_rows(tracks, 200)
    assert (len(rows) + left, vias) == (50, ())
    assert sum(tokens(row) for row in rows) <= 200
    assert track_rows(tracks, 0) == ((), (), 50)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(1, 300), st.integers(0, 10_000), st.integers(1, 8), st.floats(0, 20), st.booleans())
def test_any_window_keeps_its_budget_and_says_what_it_leaves_out(
    count: int, seed: int, named: int, padding: float, region: bool
) -> None:
    layout = crowd(count, seed=seed)
    refs = [item.name for item in layout][:: max(1, count // named)][:named]
    x0, y0, _, _ = layout.bounds(refs[0])
    bounds: Bounds = (x0 - padding, y0 - padding, x0 + padding + 1, y0 + padding + 1)
    view = (
        inspect_region(layout, x0, y0, bounds[2] - bounds[0], bounds[3] - bounds[1])
        if region
        else inspect_components(layout, refs, padding)
    )
    assert tokens(view.text()) < LIMIT
    assert not (view.pins_left_out or view.airwires_left_out or view.tracks_left_out or view.left_out) or view.ask
    for one in view.objects:
        if one.ref in refs and not region and one.pad_count:
            rows = sum(map(len, view.pins.get(one.ref, {}).values()))
            assert rows + view.pins_left_out.get(one.ref, 0) == len({(p.name, p.net) for p in layout[one.ref].ports})


def test_the_specifications_board_has_no_more_than_it_needs() -> None:
    assert inspect_components(SEED_BOARD, ["U1", "C1"]).ask == ""
