"""Hints are possible: none leaves the canvas."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import box

from redraft.layout.items import SKETCH, Item, Layout
from redraft.studios.sketch.rules import SemanticValidator
from redraft.studios.sketch.rules.issues import place_words


@pytest.mark.parametrize(
    ("dy", "words"),
    [
        (-0.3, "move cat up by 0.300"),
        (-0.5, "make cat 40 % smaller, with its lower edge at y = 0.200"),  # 0.18 of room for 0.3
        (-0.6, "there is no room for cat there: make other things smaller or move them aside, then put it there"),
        (0.2, "move cat down by 0.200"),
        (0.4, "make cat 40 % smaller, with its upper edge at y = 0.800"),
    ],
)
def test_a_shift_stays_on_the_canvas(dy: float, words: str) -> None:
    assert place_words("cat", 0.0, dy, (0.4, 0.4, 0.7, 0.7), SKETCH.bounds) == words


@settings(max_examples=60, deadline=None)
@given(st.floats(-1, 1), st.floats(-1, 1))
def test_what_is_only_moved_is_on_the_canvas_afterwards(dx: float, dy: float) -> None:
    words = place_words("cat", dx, dy, (0.4, 0.4, 0.7, 0.7), SKETCH.bounds)
    inside = -0.407 < dx < 0.307 and -0.407 < dy < 0.307
    assert inside or not words.startswith("move")


def test_what_is_larger_than_the_canvas_is_made_smaller() -> None:
    banner = Item("banner", "banner", box(-0.3, 0.2, 1.3, 0.4))
    report = SemanticValidator().validate(Layout((banner, Item("cat", "cat", box(0.4, 0.9, 0.6, 1.1)))))
    hints = {i.subjects[0]: i.hint for i in report.issues if i.code == "bounds.outside"}
    assert hints["cat"] == "move cat up by 0.100"
    legs = [Item(f"leg_{k}", "leg", box(1.4 * k - 0.25, 0.6, 1.4 * k - 0.15, 0.8), "table") for k in range(2)]
    table = Layout((Item("table", "table", box(-0.3, 0.4, 1.3, 0.6)), *legs))
    issue = next(i for i in SemanticValidator().validate(table).issues if i.code == "bounds.outside")
    assert issue.hint == "make table 40 % smaller and move it onto the canvas"
    assert "banner" not in hints  # a backdrop, of one piece
