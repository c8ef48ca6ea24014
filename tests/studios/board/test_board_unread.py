"""Distances in words that no rule reads: measured, and told where they differ."""

from __future__ import annotations

import math
import time

import pytest
from commanded import bench
from hypothesis import given
from hypothesis import strategies as st

from redraft.spatial.layout import Move
from redraft.studios.board.unread import unread_distances

BOARD = bench()  # C1's pads are 0.4 mm round, at (39.4, 60) and (40.6, 60); U1's pin 4 at (46, 43), pin 5 at (54, 43)


@pytest.mark.parametrize(
    "text",
    [
        "Setze C1 0,5 mm rechts von U1 Pin 5",
        "C1 0.5 mm rechts von U1.5",
        "C1 soll genau 0,5 mm rechts von Pin 5 von U1 liegen",
        "mets C1 à 0,5 mm à droite de U1.5",
    ],
)
def test_what_differs_is_told_in_whatever_language(text: str) -> None:
    (issue,) = unread_distances((text,), BOARD)
    assert (issue.code, issue.severity, issue.subjects, issue.phrase) == ("intent.unread", "hint", ("C1", "U1.5"), text)
    assert issue.numbers["expected"] == 0.5
    there = BOARD.moved((Move.shift("C1", 54 + 0.4 + 0.5 - 39.4, 43 - 60),))
    assert unread_distances((text,), there) == ()


def test_parts_are_measured_by_their_courtyards() -> None:
    (issue,) = unread_distances(("C1 2 mm unter U1",), BOARD)
    corners = math.hypot(45 - 41, 59.5 - 45)  # C1's upper right one and U1's lower left one
    assert issue.numbers == {"found": pytest.approx(corners, abs=1e-6), "expected": 2.0}
    assert unread_distances(("C1 2 mm unter U1",), BOARD.moved((Move.shift("C1", 10, -12.5),))) == ()


@pytest.mark.parametrize(
    "text",
    [
        "mach es schöner",
        "verschiebe C1 2 mm nach links",
        "0,5 mm von U1",
        "C1 rechts von U1",
        "C1 mit 4 Pins neben U1",
        "C1 0,5 mm neben C1",
        "R1-R4 1 mm auseinander",
    ],
)
def test_what_is_no_distance_between_two_is_left_alone(text: str) -> None:
    assert unread_distances((text,), BOARD) == ()


@given(st.text(alphabet=" C1U.54mPin,ß\n0-", max_size=60))
def test_no_text_is_too_odd(text: str) -> None:
    assert all(issue.severity == "hint" for issue in unread_distances((text,), BOARD))


def test_a_long_text_takes_no_time_and_tells_no_more_than_is_read() -> None:
    began = time.monotonic()
    assert len(unread_distances(("C1 2 mm unter U1, " * 2000,), BOARD)) == 12
    assert time.monotonic() - began < 5
