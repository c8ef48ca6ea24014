"""Nets with all their pads, and pin lists of components."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError
from small_board import write_board

from redraft.errors import BriefError
from redraft.layout.items import Layout
from redraft.studios.board.board import Board
from redraft.studios.board.nets import NetPage, NetQuery, nets


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    folder: Path = tmp_path_factory.mktemp("nets")
    return Board.read(write_board(folder)).layout


def pads(page: NetPage) -> list[str]:
    return [f"{pin.ref}.{pin.pad}" for pin in page.pins]


def test_all_nets_in_short(layout: Layout):
    page = nets(layout, NetQuery())
    assert [net.name for net in page.nets] == ["A", "B[0]", "GND", "VCC"]
    b = page.nets[1]
    assert (b.pads, b.parts, b.parts_left_out) == (8, tuple(f"R{n}" for n in range(1, 9)), 0)
    assert (page.total, page.next_cursor, page.pins) == (4, None, ())


@pytest.mark.parametrize("name", ["VCC", "vcc", "V*"])
def test_everything_on_a_net(layout: Layout, name: str):
    page = nets(layout, NetQuery(names=(name,)))
    assert pads(page) == ["C1.1", "C2.1", "IGNORE.1", "J1.1", "U1.1", "U1.4"]
    assert all(pin.elsewhere == () for pin in page.pins)


def test_all_pins_of_a_component_and_where_else_their_nets_go(layout: Layout):
    first, second, *_ = nets(layout, NetQuery(names=("U1",))).pins
    assert (first.pad, first.net, first.at, first.side) == ("1", "VCC", (117.0, 118.0), "top")
    assert first.elsewhere == ("C1.1", "C2.1", "IGNORE.1", "J1.1", "U1.4")
    assert (len(second.elsewhere), second.elsewhere_left_out) == (8, 0)


def test_one_pad_and_brackets_in_a_name(layout: Layout):
    assert pads(nets(layout, NetQuery(names=("U1.4",)))) == ["U1.4"]
    assert len(nets(layout, NetQuery(names=("b[0]",))).pins) == 8


def test_pages_give_each_pad_once_in_order(layout: Layout):
    whole, found, cursor = pads(nets(layout, NetQuery(names=("U1", "GND")))), list[str](), None
    while True:
        page = nets(layout, NetQuery(names=("U1", "GND"), limit=3, cursor=cursor))
        found += pads(page)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found == whole
    assert page.total == len(whole)


@pytest.mark.parametrize("cursor", ["0", "-1", "99", "x", "²", "1.5"])
def test_a_cursor_of_another_list_is_refused(layout: Layout, cursor: str):
    with pytest.raises(BriefError, match="not a cursor"):
        nets(layout, NetQuery(names=("U1",), cursor=cursor))


def test_unknown_names_are_refused_with_close_ones(layout: Layout):
    with pytest.raises(BriefError, match="'VCCC' on the board; close: VCC"):
        nets(layout, NetQuery(names=("VCCC",)))
    with pytest.raises(BriefError, match=r"no net, component or pad 'U1\.99'"):
        nets(layout, NetQuery(names=("U1.99",)))


def test_limits_of_a_query():
    with pytest.raises(ValidationError):
        NetQuery(limit=0)
