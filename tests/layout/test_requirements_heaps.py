"""Statements about many parts: those that would compare too many are set aside with the reason."""

from __future__ import annotations

from shapely.geometry import box

from redraft.layout.items import Item, Layout
from redraft.layout.requirements.reading import MAX_COMPARISONS, statements

DOTS = Layout(tuple(Item(f"dot_{n}", "dot", box(0.001 * n, 0.5, 0.001 * n + 0.0005, 0.51)) for n in range(300)))


def test_statements_that_compare_too_many_pairs_are_set_aside() -> None:
    raw = [
        {"kind": "distance", "parts": ["dot_*"], "of": ["dot_*"], "length": 0.01 * (n + 1), "limit": "at_most"}
        for n in range(50)
    ]
    read = statements(raw, "dots", DOTS)  # pyright: ignore[reportArgumentType]
    assert not read.requirements
    assert len(read.set_aside) == 50
    assert f"compare more than {MAX_COMPARISONS:,} pairs of parts" in read.set_aside[0]


def test_statements_about_all_parts_of_a_large_drawing_are_measured() -> None:
    raw = [{"kind": "relation", "parts": ["dot_*"], "relation": "inside", "of": ["canvas"]}] + [
        {"kind": "alignment", "parts": ["dot_*"], "edge": edge} for edge in ("row", "top", "bottom")
    ]
    assert len(statements(raw, "dots", DOTS).requirements) == 4  # pyright: ignore[reportArgumentType]
