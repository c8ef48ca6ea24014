"""Arcs, circles and curves as points: on the curve, fine enough, with exact ends and exact boxes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from redraft.studios.board.kicad.graphics import CHORD, Points, arc_from_center, arc_points, bezier, circle

lengths = st.floats(-300, 300).map(lambda v: round(v, 6))
points = st.tuples(lengths, lengths)
radii = st.floats(0.01, 500)
angles = st.floats(-360, 360)


def on_circle(centre: tuple[float, float], radius: float, degrees: float) -> tuple[float, float]:
    turn = math.radians(degrees)
    return (centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn))


def farthest_chord(found: Points, radius: float) -> float:
    """The largest distance between an arc of that radius and the chords of its points."""
    half = np.hypot(*np.diff(found, axis=0).T) / 2
    return float((radius - np.sqrt(np.maximum(radius**2 - half**2, 0))).max())


@given(points, radii, angles, st.floats(1, 355), st.sampled_from([1, -1]))
def test_an_arc_through_three_points_keeps_to_its_circle(
    centre: tuple[float, float], radius: float, first: float, sweep: float, sense: int
) -> None:
    start, mid, end = (on_circle(centre, radius, first + sense * sweep * t) for t in (0, 0.4, 1))
    found = arc_points(start, mid, end)
    assert tuple(found[0]) == start
    assert tuple(found[-1]) == end
    assert_allclose(np.hypot(*(found - centre).T), radius, rtol=1e-6)
    assert farthest_chord(found, radius) <= CHORD * 1.01
    long = np.hypot(*np.diff(found, axis=0).T).sum()
    assert long == pytest.approx(radius * math.radians(sweep), rel=0.02)
    assert np.hypot(*(found - np.array(mid)).T).min() <= math.sqrt(8 * CHORD * radius)


@given(points, radii, angles, st.floats(-359, 359))
def test_both_forms_of_an_arc_are_one(centre: tuple[float, float], radius: float, first: float, degrees: float) -> None:
    assume(abs(degrees) > 1)
    start, mid, end = (on_circle(centre, radius, first + degrees * t) for t in (0, 0.5, 1))
    by_centre, by_points = arc_from_center(centre, start, degrees), arc_points(start, mid, end)
    assert_allclose(by_centre[-1], end, atol=1e-9 * max(1, radius))
    assert_allclose(
        np.concatenate((by_centre.min(axis=0), by_centre.max(axis=0))),
        np.concatenate((by_points.min(axis=0), by_points.max(axis=0))),
        atol=1e-6,
    )


def test_a_positive_angle_goes_clockwise_as_seen() -> None:
    found = arc_from_center((10, 10), (12, 10), 90)
    assert_allclose(found[-1], (10, 12), atol=1e-12)  # from the right to below: y grows downwards


@given(points, radii)
def test_a_circle_is_closed_and_its_box_exact(centre: tuple[float, float], radius: float) -> None:
    found = circle(centre, radius)
    assert tuple(found[0]) == tuple(found[-1])
    assert_allclose(found.min(axis=0), np.array(centre) - radius, atol=1e-9)
    assert_allclose(found.max(axis=0), np.array(centre) + radius, atol=1e-9)


def test_degenerate_arcs() -> None:
    assert arc_points((0, 0), (1, 1), (2, 2)).tolist() == [[0, 0], [2, 2]]
    whole = arc_points((0, 0), (2, 0), (0, 0))
    assert_allclose(whole.min(axis=0), (0, -1), atol=1e-12)
    assert_allclose(whole.max(axis=0), (2, 1), atol=1e-12)
    assert np.isfinite(arc_points((1, 1), (1, 1), (1, 1))).all()
    assert np.isfinite(arc_from_center((1, 1), (1, 1), 90)).all()
    assert len(arc_from_center((0, 0), (1, 0), 0)) >= 1


@given(points, points, points)
def test_any_three_points_give_finite_ones(
    start: tuple[float, float], mid: tuple[float, float], end: tuple[float, float]
) -> None:
    found = arc_points(start, mid, end)
    assert np.isfinite(found).all()
    assert tuple(found[0]) == start
    assert tuple(found[-1]) == end


@given(points, points, points, points)
def test_a_bezier_curve_is_fine_enough(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]
) -> None:
    found = bezier(a, b, c, d)
    assert tuple(found[0]) == a
    assert tuple(found[-1]) == d
    p = np.array([a, b, c, d])
    t = (np.arange(len(found) - 1) + 0.5)[:, None] / (len(found) - 1)
    u = 1 - t
    middles = u**3 * p[0] + 3 * u**2 * t * p[1] + 3 * u * t**2 * p[2] + t**3 * p[3]
    chords = (found[1:] + found[:-1]) / 2
    assert np.hypot(*(middles - chords).T).max() <= CHORD * 1.01
