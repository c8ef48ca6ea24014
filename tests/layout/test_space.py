"""Visible parts, and the parts that names and patterns match, in the order of reading."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requirement_layouts import (
    at,
    on_paper,
    outcome,
    part,
    row,
    said,
)
from shapely import box
from shapely.geometry import GeometryCollection

from redraft.layout.items import Item, Layout
from redraft.layout.requirements.space import bound


@pytest.mark.parametrize(
    "hidden",
    [
        at("tree_3", 1.5, 0.5),
        at("tree_3", 0.5, 0.5, 1e-4, 1e-4),
        part("tree_3", GeometryCollection()),
    ],
    ids=["off the canvas", "smaller than a pixel", "paints nothing"],
)
def test_what_is_not_visible_does_not_count(hidden: Item) -> None:
    layout = on_paper(*row(0.1, 0.3).items, hidden)
    assert outcome(layout, said("count", "tree_*", number=2)) == "met"


def test_what_is_covered_does_not_count_unless_by_its_own_kin() -> None:
    trees = row(0.1, 0.3).items
    wall, leaf = at("wall", 0.3, 0.5, 0.2, 0.2), at("leaf", 0.1, 0.5, 0.2, 0.2, parent="tree_0")
    assert bound(["tree_*"], on_paper(*trees, wall, leaf)) == ("tree_0",)
    assert bound(["tree_*"], on_paper(wall, *trees, leaf)) == ("tree_0", "tree_1")
    early = Layout((*trees, at("wall", 0.3, 0.5, 0.2, 0.2, layer=9, lowest=0)))
    assert bound(["tree_*"], early) == ("tree_0", "tree_1"), "what is painted in several goes may lie behind"


def test_a_group_is_visible_by_its_parts() -> None:
    layout = on_paper(part("house", GeometryCollection()), at("wall", 0.5, 0.5, parent="house"))
    assert bound(["house"], layout) == ("house",)


def test_patterns_match_individuals_in_the_order_of_reading() -> None:
    items = [at("bar_2", 0.7, 0.5), at("bar_1", 0.3, 0.5), at("bar_1_label", 0.3, 0.4, parent="bar_1")]
    chart = part("bar_chart", GeometryCollection())
    layout = on_paper(*items, replace(chart, label="chart"))
    assert bound(["bar_*"], layout) == ("bar_1", "bar_2")
    assert bound(["bar_2", "bar_1"], layout) == ("bar_2", "bar_1")
    assert bound(["*_label"], layout) == ("bar_1_label",)
    assert bound(["BAR_*", "canvas", "bar_[12]", "bar_?"], layout) == ()


def test_what_is_named_after_them_all_is_none_of_them() -> None:
    stops = [at(f"stop_{n}", 0.2 * n, 0.5) for n in range(1, 4)]
    names = Item("stop_names", "names", box(0.1, 0.6, 0.9, 0.7))
    assert bound(["stop_*"], on_paper(*stops, names)) == ("stop_1", "stop_2", "stop_3")
    other = Item("stop_big", "stop", box(0.1, 0.6, 0.9, 0.7))
    assert "stop_big" in bound(["stop_*"], on_paper(*stops, other))
    inside = [at("bar_a", 0.2, 0.5, parent="bar_chart"), at("bar_b", 0.4, 0.5, parent="bar_chart")]
    chart = Item("bar_chart", "chart", box(0, 0, 1, 1))
    assert bound(["bar_*"], on_paper(chart, *inside)) == ("bar_a", "bar_b")
    dolls = [at("doll_1", 0.5, 0.5, 0.5, 0.5), at("doll_2", 0.5, 0.5, 0.3, 0.3, parent="doll_1")]
    assert len(bound(["doll_*"], on_paper(*dolls))) == 2


def test_objects_named_after_their_group_are_parts_of_it() -> None:
    group = Item("Wooden table", "wooden table", GeometryCollection())
    parts = [Item(f"Wooden table {name}", "leg", box(0, 0, 1, 1), parent="Wooden table") for name in ("leg 1", "leg 2")]
    assert bound(["Wooden table*"], on_paper(group, *parts)) == ("Wooden table",)
    bowl = Item("Bowl bowl", "bowl", box(0, 0, 1, 1), parent="Bowl")
    assert bound(["Bowl*"], on_paper(Item("Bowl", "bowl", GeometryCollection()), bowl)) == ("Bowl",)


def test_rows_are_read_from_the_top_and_staircases_from_the_left() -> None:
    grid = on_paper(at("c_1", 0.8, 0.8), at("c_2", 0.2, 0.8), at("c_3", 0.8, 0.2), at("c_4", 0.2, 0.2))
    assert bound(["c_*"], grid) == ("c_4", "c_3", "c_2", "c_1")
    stairs = on_paper(at("s_1", 0.1, 0.8), at("s_2", 0.3, 0.5), at("s_3", 0.5, 0.2))
    assert bound(["s_*"], stairs) == ("s_1", "s_2", "s_3")


@given(st.text("ab*_", max_size=12), st.lists(st.text("ab_", min_size=1, max_size=6), max_size=8, unique=True))
def test_a_pattern_means_what_a_shell_means_by_it(pattern: str, names: list[str]) -> None:
    import fnmatch

    layout = Layout(tuple(Item(n, "x", box(0.1, 0.1, 0.9, 0.9), layer=0) for n in names))
    assert set(bound([pattern], layout)) == {n for n in names if fnmatch.fnmatchcase(n, pattern)}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("bar_1*", ["bar_1", "bar_10"]),
        ("*bar*", ["bar_1", "bar_10"]),
        ("*r_1*", ["bar_1", "bar_10"]),
        ("*bar_1", ["bar_1"]),
        ("bar*1", ["bar_1"]),
        ("b*r*0", ["bar_10"]),
        ("bar_1*1", []),
    ],
)
def test_a_star_may_stand_for_nothing_and_ends_do_not_overlap(pattern: str, expected: list[str]) -> None:
    layout = on_paper(at("bar_1", 0.2, 0.5), at("bar_10", 0.5, 0.5))
    assert list(bound([pattern], layout)) == expected


def test_parts_that_overlap_by_more_than_half_of_the_narrower_are_in_rows() -> None:
    wide, narrow = at("c_1", 0.5, 0.8, 0.6), at("c_2", 0.3, 0.2, 0.1)
    assert bound(["c_*"], on_paper(wide, narrow)) == ("c_2", "c_1")
    right = at("c_2", 0.77, 0.2, 0.1)
    assert bound(["c_*"], on_paper(wide, right)) == ("c_2", "c_1")
    aside = at("c_2", 0.82, 0.2, 0.1)  # its middle is beyond the edge
    assert bound(["c_*"], on_paper(wide, aside)) == ("c_1", "c_2")
