"""Compass, microscope and pictures of the boards that come with KiCad: budgets, exact numbers, speed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from real_parts import demo_boards, needs
from token_counts import tokens

from redraft.layout.items import Layout
from redraft.studios.board.board import Board
from redraft.studios.board.views.compass import compass, compass_of
from redraft.studios.board.views.microscope import get_visual_context, inspect_components, inspect_region
from redraft.studios.board.views.wires import net_view

pytestmark = [pytest.mark.real, pytest.mark.slow]


@pytest.mark.parametrize("path", demo_boards(), ids=lambda path: path.stem)
def test_budgets_and_pictures(path: Path) -> None:
    layout = Board.read(path).layout
    assert tokens(compass(layout)) < 1_000
    assert tokens(compass_of(layout).text()) < 1_000
    x0, y0, x1, y1 = layout.frame.bounds
    whole = inspect_region(layout, (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0 + 1, y1 - y0 + 1)
    assert tokens(whole.text()) < 2_000
    for item in layout.items[:: max(1, len(layout) // 8)]:
        assert tokens(inspect_components(layout, [item.name]).text()) < 2_000
    assert get_visual_context(layout, [layout.items[0].name]).png.startswith(b"\x89PNG")


@settings(max_examples=4, deadline=None)
@pytest.mark.parametrize("path", demo_boards(), ids=lambda path: path.stem)
@given(data=st.data())
def test_any_window_keeps_its_budget_and_says_what_it_leaves_out(path: Path, data: st.DataObject) -> None:
    layout = _layout(path)
    names = [item.name for item in layout.roots]
    refs = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=6, unique=True))
    view = inspect_components(layout, refs, data.draw(st.floats(0, 30)))
    assert tokens(view.text()) < 2_000
    assert not (view.pins_left_out or view.airwires_left_out or view.tracks_left_out or view.left_out) or view.ask
    nets = sorted({port.net for item in layout.roots for port in item.ports if port.net})
    if nets:
        net = net_view(layout, data.draw(st.sampled_from(nets)))
        assert tokens(net.text()) < 2_000
        assert len(net.pads) + net.left_out == net.pad_count


@cache
def _layout(path: Path) -> Layout:
    return Board.read(path).layout


def test_there_are_boards() -> None:
    needs("kicad-demos")
    assert demo_boards()


@pytest.mark.timed
def test_a_warm_look_at_the_largest_board_is_quick() -> None:
    """Processor time of the median look beside that of reading the board, 1.5 s on a quiet machine; the aim is 5 ms."""
    start = process_time()
    layout = Board.read(Path(needs("kicad-demos")) / "vme-wren/vme-wren.kicad_pcb").layout
    reading = process_time() - start
    times: list[float] = []
    for item in layout.items[::60]:
        inspect_components(layout, [item.name])
        start = process_time()
        inspect_components(layout, [item.name])
        times.append(process_time() - start)
    assert sorted(times)[len(times) // 2] < reading / 50
