"""Sliding to a distance: the closed form against shapely's own distance."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.affinity import rotate, translate
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box

from redraft.layout.items import Port
from redraft.studios.board.solve.constraints import Axis
from redraft.studios.board.solve.contact import Outline, travel

pytestmark = pytest.mark.slow

coordinate = st.integers(-400, 400).map(lambda v: v / 100.0)
corners = st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=9)


@st.composite
def areas(draw: st.DrawFn) -> Polygon:
    """A convex area, or one with a notch cut out."""
    hull = MultiPoint(draw(corners)).convex_hull
    if not isinstance(hull, Polygon) or hull.area < 0.01:
        hull = box(0, 0, 1, 2)
    middle = hull.centroid
    notched = hull.difference(box(middle.x, middle.y, 9, 9)) if draw(st.booleans()) else hull
    return notched if isinstance(notched, Polygon) and notched.area > 0.01 else hull


@given(areas(), areas(), st.sampled_from([0, 1]), st.sampled_from([-1, 1]), st.integers(0, 300), coordinate, coordinate)
@settings(max_examples=300, deadline=None)
def test_it_stops_where_the_distance_is_reached_and_not_before(
    a: Polygon, b: Polygon, axis: Axis, sign: int, hundredths: int, dx: float, dy: float
) -> None:
    b, clearance = translate(b, dx, dy), hundredths / 100.0

    def at(way: float) -> float:
        return translate(a, *((way, 0.0) if axis == 0 else (0.0, way))).distance(b)

    far = travel(a, b, axis, sign, clearance)
    if far is None:
        (a0, a1), (b0, b1) = (s.bounds[1 - axis :: 2] for s in (a, b))
        assert max(b0 - a1, a0 - b1) > clearance - 1e-9
        return
    assert at(far) == pytest.approx(clearance, abs=1e-9)
    for earlier in (1e-3, 0.1, 1.0, 5.0):
        assert at(far - sign * earlier) >= clearance - 1e-9


@given(st.floats(0.05, 2.0), st.floats(0.05, 2.0), st.floats(0.0, 1.0), st.floats(-1.0, 1.0).map(lambda v: round(v, 3)))
def test_round_ports_are_exact(r: float, s: float, clearance: float, level: float) -> None:
    mine, theirs = Port("1", (0, 0), Point(0, level), r), Port("2", (9, 0), Point(9, 0), s)
    far = travel(Outline.of_ports([mine]), Outline.of_ports([theirs]), 0, 1, clearance)
    reach = r + s + clearance
    if reach < abs(level):
        assert far is None
    else:
        assert far == pytest.approx(9 - math.sqrt(max(reach**2 - level**2, 0.0)), abs=1e-9)


def test_an_oval_port_on_a_slant() -> None:
    oval = Port("1", (5, 0), rotate(LineString([(4, 0), (6, 0)]), 45, origin=(5, 0)), 0.5)
    far = travel(Outline.of_ports([Port("2", (0, 0), Point(0, 0), 0.25)]), Outline.of_ports([oval]), 0, 1, 0.25)
    # The point runs at the line x − y = 5 until it is 1.0 away from it: at x = 5 − √2.
    assert far == pytest.approx(5 - math.sqrt(2))


def test_what_passes_at_a_distance_never_meets() -> None:
    assert travel(box(0, 0, 1, 1), box(5, 2, 6, 3), 0, 1, 0.5) is None
    assert travel(box(0, 0, 1, 1), box(5, 2, 6, 3), 0, 1, 1.0) == pytest.approx(4)  # corner below corner


@given(st.tuples(*[st.integers(-9, 9)] * 2), st.sampled_from([0, 1]), st.sampled_from([-1, 1]), st.integers(0, 3))
def test_boxes_are_no_exception(at: tuple[int, int], axis: Axis, sign: int, clearance: int) -> None:
    """Boxes are met in a shorter way: the same comes out as for the same outlines with more points on them."""
    mine, theirs = box(0, 0, 4, 2), box(at[0], at[1], at[0] + 3, at[1] + 5)
    plain, fine = (
        travel(*shapes, axis, sign, clearance)
        for shapes in ((mine, theirs), (mine.segmentize(0.7), theirs.segmentize(0.7)))
    )
    assert (plain is None) == (fine is None)
    if plain is not None and fine is not None:
        assert plain == pytest.approx(fine, abs=1e-9)
