"""The outline: lines in any order make the polygon that they were cut from, and what is open or crossed is told."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from real_parts import demo_boards, needs
from shapely.geometry import MultiPolygon, Polygon

from redraft.errors import BoardFormatError
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.kicad.graphics import Points, circle
from redraft.studios.board.kicad.outline import TOLERANCE, edges_of, joined

Corners = Sequence[tuple[float, float]]


def sides(corners: Corners) -> list[Points]:
    return [np.array(pair, dtype=float) for pair in pairwise([*corners, corners[0]])]


def square(x: float, y: float, size: float) -> Corners:
    return [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]


def board(tmp_path: Path, *lists: str) -> BoardFile:
    path = tmp_path / "a.kicad_pcb"
    path.write_text(f"(kicad_pcb (version 20241229) {' '.join(lists)})")
    return BoardFile.read(path)


@st.composite
def stars(draw: st.DrawFn) -> Corners:
    """Polygons whose corners go once around a middle, at least 1 mm from it and from each other."""
    count = draw(st.integers(3, 20))
    radii = [draw(st.floats(10, 100)) for _ in range(count)]
    x, y = draw(st.tuples(st.floats(-200, 200), st.floats(-200, 200)))
    turns = [2 * math.pi * i / count for i in range(count)]
    return [(round(x + r * math.cos(t), 6), round(y + r * math.sin(t), 6)) for r, t in zip(radii, turns, strict=True)]


@given(stars(), st.integers(0, 2**32 - 1), st.floats(0, 0.9))
def test_shuffled_and_reversed_sides_are_the_polygon(corners: Corners, seed: int, slip: float) -> None:
    lines = sides(corners)
    rng = np.random.default_rng(seed)
    for line in lines:
        line[0] += slip * TOLERANCE * np.array([1.0, 0.0])  # ends that miss each other a little
    order: list[int] = rng.permutation(len(lines)).tolist()
    outline = joined([lines[i] if rng.random() < 0.5 else lines[i][::-1] for i in order])
    assert outline.warnings == ()
    assert outline.area is not None
    expected = Polygon(corners)
    assert outline.area.symmetric_difference(expected).area <= expected.length * TOLERANCE


def test_cut_outs_islands_and_panels() -> None:
    lines = [*sides(square(0, 0, 100)), circle((50, 50), 20), *sides(square(45, 45, 10)), *sides(square(200, 0, 10))]
    area = joined(lines).area
    assert isinstance(area, MultiPolygon)
    assert area.area == pytest.approx(100**2 - math.pi * 20**2 + 10**2 + 10**2, abs=0.05)
    assert len(area.geoms) == 3


def test_what_is_drawn_twice_counts_once() -> None:
    corners = square(0, 0, 10)
    again = np.array([*corners, corners[0]], dtype=float)
    nothing = np.array([[3.0, 3.0], [3.0, 3.0]])
    outline = joined([*sides(corners), *[line[::-1] for line in sides(corners)], again, nothing])
    assert outline.area is not None
    assert outline.area.equals(Polygon(corners))
    assert outline.warnings == ()


def test_an_open_outline_names_its_gap() -> None:
    lines = sides(square(0, 0, 10))[:3]
    lines[2][1] = (0.35, 10)  # the last side misses the corner, and the one after it is not there
    outline = joined([*lines, np.array([[0.0, 10.0], [0.0, 0.0]]), circle((5, 5), 1)])
    assert outline.area is None
    (warning,) = outline.warnings
    assert "0.35 mm" in warning
    assert "(0, 10)" in warning
    assert "(0.35, 10)" in warning


def test_a_stray_line_on_the_board_leaves_its_area() -> None:
    outline = joined([*sides(square(0, 0, 10)), np.array([[2.0, 2.0], [5.0, 5.0]])])
    assert outline.area is not None
    assert outline.area.equals(Polygon(square(0, 0, 10)))
    assert "bound nothing" in outline.warnings[0]


def test_a_line_across_the_board_does_not_halve_it() -> None:
    lines = [*sides([(0, 0), (5, 0), (10, 0), (10, 10), (5, 10), (0, 10)]), np.array([[5.0, 0.0], [5.0, 10.0]])]
    outline = joined(lines)
    assert outline.area is not None
    assert outline.area.equals(Polygon(square(0, 0, 10)))


def test_an_outline_that_crosses_itself_is_told_with_the_place() -> None:
    outline = joined(sides([(0, 0), (10, 10), (10, 0), (0, 10)]))
    assert outline.area is not None
    assert outline.area.area == pytest.approx(50)  # two triangles
    assert any("(5, 5)" in warning for warning in outline.warnings)


def test_no_lines_no_area_and_no_warning() -> None:
    assert joined([]).area is None
    assert joined([]).warnings == ()


@given(st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=4), max_size=12))
def test_any_scribble_has_an_answer(lines: list[list[tuple[int, int]]]) -> None:
    outline = joined([np.array(line, dtype=float) for line in lines])
    if outline.area is not None:
        assert outline.area.is_valid
        assert np.isfinite(outline.area.bounds).all()
        assert not outline.area.is_empty


def test_lines_of_turned_footprints_are_on_the_board(tmp_path: Path) -> None:
    edge = '(layer "Edge.Cuts")'
    file = board(
        tmp_path,
        f'(footprint "x" (layer "F.Cu") (at 100 50 90) (fp_line (start 0 0) (end 10 0) {edge}))',
        f'(gr_text "(layer ""Edge.Cuts"")" (at 0 0) {edge})'.replace('""', '\\"'),
        f"(gr_arc (start 0 0) (end 1 0) (angle 90) {edge})",
    )
    footprint, arc = edges_of(file)
    assert footprint == pytest.approx(np.array([[100, 50], [100, 40]]))  # a quarter turn counter-clockwise: upwards
    assert arc[[0, -1]] == pytest.approx(np.array([[1, 0], [0, 1]]))


def test_a_damaged_line_is_refused_with_its_line(tmp_path: Path) -> None:
    file = board(tmp_path, "\n", '(gr_line (start 1 nan) (end 3 4) (layer "Edge.Cuts"))')
    with pytest.raises(BoardFormatError, match=r"a\.kicad_pcb, line 2.*nan"):
        list(edges_of(file))


TRUTH = """
import json, pcbnew, sys
found = {}
for name in sys.argv[1:]:
    shape = pcbnew.SHAPE_POLY_SET()
    if pcbnew.LoadBoard(name).GetBoardPolygonOutlines(shape):
        box = shape.BBox()
        corners = [box.GetLeft(), box.GetTop(), box.GetRight(), box.GetBottom()]
        found[name] = [shape.Area() / 1e12, [corner / 1e6 for corner in corners]]
print("\\n" + json.dumps(found))
"""


@pytest.mark.real
@pytest.mark.slow
def test_areas_are_those_of_kicad() -> None:
    python = needs("pcbnew")
    needs("kicad-demos")
    names = [str(path) for path in demo_boards() if path.stat().st_size < 8_000_000]
    said = subprocess.run([python, "-c", TRUTH, *names], capture_output=True, text=True, timeout=300, check=True).stdout
    facts: dict[str, tuple[float, list[float]]] = json.loads(said.splitlines()[-1])
    assert len(facts) >= 15
    for name, (size, box) in facts.items():
        area = joined(list(edges_of(BoardFile.read(Path(name))))).area
        assert area is not None, name
        assert area.area == pytest.approx(size, rel=1e-3), name
        assert area.bounds == pytest.approx(box, abs=1e-3), name
