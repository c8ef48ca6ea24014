"""Path data: read strictly, flattened within the tolerance."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.studios.sketch.paths import TOLERANCE, PathError, Segment, flatten, parse


def commands(d: str) -> str:
    return "".join(s.command for s in parse(d))


@pytest.mark.parametrize(
    ("d", "end"),
    [
        ("M 1 1 L 2 3", (2, 3)),
        ("m 1 1 l 2 3", (3, 4)),
        ("M1,1H4", (4, 1)),
        ("M1 1h4", (5, 1)),
        ("M1 1V4", (1, 4)),
        ("M1 1v4", (1, 5)),
        ("M0 0C1 1 2 2 3 3", (3, 3)),
        ("M1 1c1 1 2 2 3 3", (4, 4)),
        ("M1 1s1 1 2 2", (3, 3)),
        ("M1 1S5 5 2 2", (2, 2)),
        ("M1 1q1 1 2 0t2 0", (5, 1)),
        ("M1 1T2 2", (2, 2)),
        ("M1 1A1 1 0 0 1 3 1", (3, 1)),
        ("M1 1a1 1 0 012 0", (3, 1)),
        ("M.5.5.6.7", (0.6, 0.7)),
        ("M1e-1-2e0 3-4", (3, -4)),
    ],
)
def test_every_command_ends_where_svg_says(d: str, end: tuple[float, float]) -> None:
    assert parse(d)[-1].end == pytest.approx(end)


def test_six_commands_remain() -> None:
    assert commands("m0 0h1v1s1 1 2 2t1 1a1 1 0 0 0 1 1c0 0 1 1 2 2q1 1 2 2z") == "MLLCQACQZ"


def test_pairs_after_a_move_are_lines_and_a_path_goes_on_after_z_from_its_start() -> None:
    assert parse("m1 1 1 0 0 1z l2 2") == (
        Segment("M", (1, 1)),
        Segment("L", (2, 1)),
        Segment("L", (2, 2)),
        Segment("Z", ()),
        Segment("M", (1, 1)),
        Segment("L", (3, 3)),
    )


def test_a_smooth_curve_mirrors_only_its_own_kind() -> None:
    after_cubic = parse("M0 0C0 1 1 1 1 0S2 -1 2 0")[-1]
    assert after_cubic.numbers[:2] == (1, -1)
    after_line = parse("M0 0L1 0S2 -1 2 0")[-1]
    assert after_line.numbers[:2] == (1, 0)
    after_quadratic = parse("M0 0Q.5 1 1 0S2 -1 2 0")[-1]
    assert after_quadratic.numbers[:2] == (1, 0)


@pytest.mark.parametrize(
    ("d", "position", "words"),
    [
        ("", 1, "begins with M"),
        ("L 0 0", 1, "begins with M"),
        ("M 0 0 L 1", 10, "expected number 2 of the 2 that L takes"),
        ("M 0 0 X 1 1", 7, "expected a command"),
        ("M 0 0 A 1 1 0 2 0 1 1", 15, "flag"),
        ("M 0 0 L 1 1,", 12, "a comma must be followed by a number"),
        ("M 0 0 L 1e999 1", 9, "too large"),
        ("M 0 0 L nan 1", 9, "expected number 1"),
    ],
)
def test_bad_data_names_the_place(d: str, position: int, words: str) -> None:
    with pytest.raises(PathError, match=words) as caught:
        parse(d)
    assert f"character {position} " in str(caught.value)


def test_a_path_that_only_moves_draws_nothing() -> None:
    with pytest.raises(PathError, match="draws nothing"):
        parse("M 0 0 M 1 1")


@given(st.text(alphabet="MmLlHhVvCcSsQqTtAaZz0123456789.,-+eE \n", max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_is_a_path_or_a_path_error(d: str) -> None:
    try:
        segments = parse(d)
    except PathError:
        return
    assert segments[0].command == "M"
    assert all(math.isfinite(n) for s in segments for n in s.numbers)


point = st.tuples(st.floats(0, 1), st.floats(0, 1))


@pytest.mark.slow
@given(point, point, point, point)
@settings(max_examples=60, deadline=None)
def test_a_flattened_cubic_is_within_the_tolerance(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]
) -> None:
    (run,) = flatten((Segment("M", a), Segment("C", (*b, *c, *d))))
    for i in range(101):
        t = i / 100
        x, y = (
            (1 - t) ** 3 * a[k] + 3 * (1 - t) ** 2 * t * b[k] + 3 * (1 - t) * t**2 * c[k] + t**3 * d[k] for k in (0, 1)
        )
        assert (
            min(_to_segment((x, y), p, q) for p, q in zip(run.points, run.points[1:], strict=False)) < 1.01 * TOLERANCE
        )


def _to_segment(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = 0.0 if square == 0 else max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def test_an_arc_lies_on_its_circle_and_turns_the_right_way() -> None:
    (run,) = flatten(parse("M 0.1 0.5 A 0.4 0.4 0 0 1 0.5 0.1"))
    assert all(math.hypot(x - 0.5, y - 0.5) == pytest.approx(0.4) for x, y in run.points)
    assert all(x < 0.51 and y < 0.51 for x, y in run.points)
    (large,) = flatten(parse("M 0.1 0.5 A 0.4 0.4 0 1 0 0.5 0.1"))
    assert max(x for x, _ in large.points) == pytest.approx(0.9, abs=1e-3)


def test_an_arc_too_small_for_its_ends_is_grown_as_svg_says() -> None:
    (run,) = flatten(parse("M 0 0 A 0.1 0.1 0 0 1 1 0"))
    assert min(y for _, y in run.points) == pytest.approx(-0.5, abs=1e-3)
