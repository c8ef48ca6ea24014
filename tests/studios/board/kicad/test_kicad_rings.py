"""Lines put end to end: the same rings as by any other way, however the lines are drawn."""

from __future__ import annotations

import math
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon, box

from redraft.studios.board.kicad.graphics import Points
from redraft.studios.board.kicad.rings import chains, rings

Corners = list[tuple[float, float]]


def star(count: int, reaches: list[int]) -> Corners:
    """A polygon around the origin that cannot cross itself, whole micrometres from it."""
    turns = [2 * math.pi * i / count for i in range(count)]
    return [(round(r * math.cos(a), 3), round(r * math.sin(a), 3)) for a, r in zip(turns, reaches[:count], strict=True)]


def sides(corners: Corners) -> list[Points]:
    return [np.array(pair) for pair in zip(corners, [*corners[1:], corners[0]], strict=True)]


@given(st.integers(3, 9), st.lists(st.integers(2, 30), min_size=9, max_size=9), st.randoms(use_true_random=False))
def test_the_sides_of_a_polygon_in_any_order_and_direction(count: int, reaches: list[int], rng: Random) -> None:
    corners = star(count, reaches)
    lines = [line[::-1] if rng.random() < 0.5 else line for line in sides(corners)]
    rng.shuffle(lines)
    found, loose = chains(lines)
    assert loose == []
    assert len(found) == 1
    assert found[0][0].tolist() == found[0][-1].tolist()
    assert Polygon(found[0]).equals(Polygon(corners))


@given(st.integers(3, 9), st.lists(st.integers(2, 30), min_size=9, max_size=9), st.data())
def test_a_polygon_with_a_side_missing_or_a_line_too_many_is_none(
    count: int, reaches: list[int], data: st.DataObject
) -> None:
    corners = star(count, reaches)
    lines = sides(corners)
    hit = data.draw(st.integers(0, count - 1))
    missing = lines[:hit] + lines[hit + 1 :]
    assert chains(missing)[0] == []
    assert len(chains(missing)[1]) == count - 1
    forked = [*lines, np.array([corners[hit], (99.0, 99.0)])]
    assert chains(forked)[0] == []


def test_two_rings_and_a_line_that_is_part_of_none() -> None:
    first, second, away = box(0, 0, 4, 4), box(1, 1, 2, 2), np.array([(8.0, 8.0), (9.0, 9.0)])
    lines = [side for one in (first, second) for side in sides([(x, y) for x, y in one.exterior.coords[:-1]])]
    found, loose = chains([away, *lines])
    assert {Polygon(ring).area for ring in found} == {16.0, 1.0}
    assert loose == [away]


def test_an_arc_and_its_chord_are_a_ring() -> None:
    arc = np.array([(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)])
    (ring,), loose = chains([arc, np.array([(0.0, 0.0), (2.0, 0.0)])])
    assert loose == []
    assert Polygon(ring).equals(Polygon([(0, 0), (1, 1), (2, 0)]))


def test_lines_that_cross_where_they_meet_end_to_end_are_no_sound_ring() -> None:
    bow_tie = sides([(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)])
    assert chains(bow_tie) == ([], bow_tie)


def test_ten_thousand_lines_in_a_row_are_gone_along_once() -> None:
    row = [np.array([(float(i), 0.0), (i + 1.0, 0.0)]) for i in range(10_000)]
    found, loose = chains(row[::-1])
    assert found == []
    assert len(loose) == len(row)


@given(st.integers(3, 9), st.lists(st.integers(2, 30), min_size=9, max_size=9), st.floats(0.001, 0.01))
def test_the_same_area_as_where_one_end_misses_by_a_little(count: int, reaches: list[int], miss: float) -> None:
    corners = star(count, reaches)
    lines = sides(corners)
    open_by_a_little = [*lines[:-1], np.array([lines[-1][0], lines[-1][1] + (miss, 0.0)])]
    (exact,), _ = rings(lines, 0.02)
    (repaired,), strays = rings(open_by_a_little, 0.02)
    assert strays == []
    assert exact.exterior.hausdorff_distance(repaired.exterior) <= miss * 1.001
