"""Tracks and vias: every one that meets a window and no other, in its true width."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, box

from redraft.errors import BoardFormatError
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.tracks import Copper, Words

EVERYWHERE = (-1e4, -1e4, 1e4, 1e4)


place = st.integers(-50, 50).map(float)


def copper(tmp_path: Path, *lists: str) -> Copper:
    path = tmp_path / "a.kicad_pcb"
    path.write_text(f"(kicad_pcb (version 20241229) {' '.join(lists)})")
    return Copper.of(BoardFile.read(path))


def segment(
    x0: float, y0: float, x1: float, y1: float, width: float = 0.2, more: str = '(layer "F.Cu") (net 1)'
) -> str:
    return f"(segment (start {x0} {y0}) (end {x1} {y1}) (width {width}) {more})"


def test_shapes_layers_and_nets(tmp_path: Path) -> None:
    found = copper(
        tmp_path,
        '(net 0 "") (net 1 "Net (\\"1\\")")',
        segment(0, 0, 10, 0),
        "(via blind (at 5 5) (size 0.6) (drill 0.3) (layers F.Cu In1.Cu) (net 1))",
        '(arc (start 1 10) (mid 0 11) (end 1 12) (width 0.1) (layer "B.Cu") (net "GND") (locked yes))',
    ).within(EVERYWHERE)
    kinds = {(one.kind, one.layer, one.net) for one in found}
    assert kinds == {("track", "F.Cu", 'Net ("1")'), ("via", "F.Cu, In1.Cu", 'Net ("1")'), ("track", "B.Cu", "GND")}
    line, arc, via = found
    assert line.shape.bounds == pytest.approx((-0.1, -0.1, 10.1, 0.1), abs=1e-9)
    assert line.shape.area == pytest.approx(10 * 0.2 + math.pi * 0.1**2, rel=1e-3)
    assert via.shape.bounds == pytest.approx((4.7, 4.7, 5.3, 5.3), abs=1e-9)
    assert arc.shape.bounds[0] == pytest.approx(-0.05, abs=1e-4)
    assert arc.shape.area == pytest.approx(math.pi * 0.1 + math.pi * 0.05**2, rel=1e-2)


def test_a_via_with_a_padstack_has_its_own_size(tmp_path: Path) -> None:
    stack = '(padstack (mode custom) (layer "In1.Cu" (size 9)))'
    (found,) = copper(tmp_path, f'(via (at 1 1) (size 0.6) (drill 0.3) (layers "F.Cu" "B.Cu") {stack})').within(
        EVERYWHERE
    )
    assert found.shape.bounds == pytest.approx((0.7, 0.7, 1.3, 1.3), abs=1e-9)
    assert found.net == ""


def test_a_track_without_length_is_a_dot(tmp_path: Path) -> None:
    (found,) = copper(tmp_path, segment(3, 3, 3, 3)).within(EVERYWHERE)
    assert found.shape.bounds == pytest.approx((2.9, 2.9, 3.1, 3.1), abs=1e-9)


def test_a_track_without_width_is_a_line(tmp_path: Path) -> None:
    (found,) = copper(tmp_path, segment(0, 0, 3, 4, width=0)).within(EVERYWHERE)
    assert found.shape.length == pytest.approx(5)
    assert found.shape.is_valid


@given(place, place, place, place, st.integers(1, 30))
def test_a_track_is_its_line_grown_by_half_its_width(x0: float, y0: float, x1: float, y1: float, tenths: int) -> None:
    reach = tenths / 20
    found = Copper(
        [Words("track", b"F.Cu", b"")],
        np.array([[(x0, y0), (x1, y1)]]),
        {},
        np.array([reach]),
        np.array([EVERYWHERE]),
        {},
        {},
    )
    expected = LineString([(x0, y0), (x1, y1)]).buffer(reach, quad_segs=64)
    (shown,) = found.within(EVERYWHERE)
    assert shown.shape.is_valid
    assert shown.shape.hausdorff_distance(expected) < 0.002 * reach + 1e-9


def test_a_board_without_copper(tmp_path: Path) -> None:
    assert copper(tmp_path).within(EVERYWHERE) == []


tracks = st.lists(st.tuples(place, place, place, place), max_size=15)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tracks, place, place, st.integers(1, 40), st.integers(1, 40))
def test_a_window_has_all_that_it_shows(
    tmp_path: Path, rows: list[tuple[float, float, float, float]], x: float, y: float, width: int, height: int
) -> None:
    window = (x, y, x + width, y + height)
    found = copper(tmp_path, *(segment(*row, width=0.5) for row in rows)).within(window)
    near = [row for row in rows if LineString([row[:2], row[2:]]).distance(box(*window)) < 0.25]
    assert len(found) >= len(near)
    assert all(one.shape.envelope.intersects(box(*window)) for one in found)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("(segment (start 0 0) (end 1 1))", "has no (width"),
        ("(segment (start 0 0) (end 1) (width 1))", "two numbers"),
        ("(segment (start 0 nan) (end 1 1) (width 1))", "'0 nan'"),
        ("(via (at 0 1e99) (size 1))", "'0 1e99'"),
        ("(arc (start 0 0) (end 1 1) (width 1))", "has no (mid"),
    ],
)
def test_damage_is_refused_with_its_line(tmp_path: Path, wrong: str, words: str) -> None:
    with pytest.raises(BoardFormatError) as refused:
        copper(tmp_path, "\n", wrong)
    assert words in str(refused.value)
    assert "a.kicad_pcb, line 2" in str(refused.value)
