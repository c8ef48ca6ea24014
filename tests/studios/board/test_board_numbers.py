"""Numbers of a brief: lengths, angles and bare ones; none of names, values and numberings."""

from __future__ import annotations

import time

import pytest
from commanded import bench
from hypothesis import given
from hypothesis import strategies as st

from redraft.studios.board.words.numbers import numbers_in

BOARD = bench()


def lengths(text: str) -> list[tuple[float, ...]]:
    found = numbers_in(text, BOARD)
    assert all(number.kind == "length" for number in found)
    return [number.readings[0] for number in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.5 mm", [(0.5,)]),
        ("0.5mm … 0.5 mm", [(0.5,), (0.5,)]),
        ("0,5 mm rechts", [(0.5,)]),
        ("20 mil, 20mils, 20-mil", [(0.508,)] * 3),
        ('0.1in, 0.1", 0.1 inch, 0,1 Zoll', [(2.54,)] * 4),
        ("250 µm, 250um", [(0.25,)] * 2),
        ("5 мм、5毫米、5ミリ", [(5.0,)] * 3),
        ("½ mm, 1½ mm, 1/16 inch", [(0.5,), (1.5,), (1.5875,)]),
        ("±0.1 mm, −2 mm, -2 mm", [(0.1,), (-2.0,), (-2.0,)]),
        ("1.000,5 mm", [(1000.5,)]),
        ("1e-1 mm", [(0.1,)]),
        ("C1-0.5mm", [(0.5,)]),
        ("half a millimeter", []),
        ("ein halber Millimeter", []),
    ],
)
def test_lengths_are_read_by_their_unit(text: str, expected: list[tuple[float, ...]]) -> None:
    assert lengths(text) == [pytest.approx(values) for values in expected]


def test_angles() -> None:
    found = numbers_in("90°, 45 degrees, 30 Grad, -90 deg, but 85 °C", BOARD)
    assert [(number.kind, number.readings[0]) for number in found] == [
        ("angle", (90.0,)), ("angle", (45.0,)), ("angle", (30.0,)), ("angle", (-90.0,)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("put U1 pin 4 by the 2 capacitors", ["4", "2"]),
        ("C1 at (30, 42)", ["30", "42"]),
        ("x=30,y=42.5", ["30", "42.5"]),
        ("10-20 mm", ["10", "20 mm"]),
        ("3x4 mm", ["3", "4 mm"]),
        ("50 % of it", ["50"]),
        ("4 in a row", ["4"]),
    ],
)
def test_without_a_unit_a_number_may_be_anything(text: str, expected: list[str]) -> None:
    assert [number.text for number in numbers_in(text, BOARD)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "C1, U1.4, R1-R4, R1..R4, C*, LED1",
        "C99 and USB2.0 at IPC-2221",
        "10k, 4u7, 100 nF, 3.3 V, 16 MHz, 0603, 2nd, 8-pin, 3V3, +3V3, 4.7 kΩ, v1.2.3",
        "1. lock U1\n2. align them\n3) turn it",
        "first 1) this, then 2) that",
    ],
)
def test_names_values_and_numberings_are_none(text: str) -> None:
    assert numbers_in(text, BOARD) == ()


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("10,5 mm", ((10.5,), (10.0, 5.0))),
        ("1,000 mm", ((1.0,), (1000.0,), (1.0, 0.0))),
        ("1.000 mm", ((1.0,), (1000.0,))),
        ("4 in", ((4.0,), (101.6,))),
    ],
)
def test_what_may_mean_two_things_is_read_as_both(text: str, readings: tuple[tuple[float, ...], ...]) -> None:
    assert numbers_in(text, BOARD)[0].readings == readings


@given(st.text(alphabet=' 0123456789.,-/½mi°"x()\nCU', max_size=40))
def test_no_text_is_too_odd(text: str) -> None:
    for number in numbers_in(text, BOARD):
        assert number.readings
        assert 0 <= number.start < number.end <= len(text)


def test_a_long_text_takes_no_time() -> None:
    began = time.process_time()
    assert len(numbers_in("C1 2 mm (from) U1, " * 3000, BOARD)) == 3000
    assert time.process_time() - began < 5
