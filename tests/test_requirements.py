"""Requirements: read against a brief and a layout, measured, merged, corrected; bad input costs a line, never a run."""

from __future__ import annotations

import json
import math
import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue
from shapely import Point, box, unary_union
from shapely.affinity import rotate
from shapely.geometry import GeometryCollection, LineString, Polygon
from shapely.geometry.base import BaseGeometry

from redraft import colors as colours
from redraft import requirements as stated
from redraft.layout import Frame, Item, Layout, Move, Style
from redraft.requirements import MOST, Relation, Requirement, agreed, kinds, merged, reading, rulings_in
from redraft.requirements.kinds import KINDS, table
from redraft.requirements.reading import corrected
from redraft.requirements.space import bound
from redraft.result import Measured, Ruling

DOCS = Path(__file__).parents[1] / "docs" / "requirements.md"
Raw = dict[str, Any]


def part(name: str, shape: BaseGeometry, parent: str | None = None, **more: Any) -> Item:
    return Item(name, name.split("_", maxsplit=1)[0], shape, parent, **more)


def at(name: str, x: float, y: float, w: float = 0.1, h: float = 0.1, parent: str | None = None, **more: Any) -> Item:
    """A box with its center there."""
    return part(name, box(x - w / 2, y - h / 2, x + w / 2, y + h / 2), parent, **more)


def on_paper(*items: Item) -> Layout:
    """Items in painting order."""
    return Layout(tuple(replace(item, layer=rank) for rank, item in enumerate(items)))


def in_scene(*items: Item) -> Layout:
    return Layout(items, Frame("m", bounds=(0, 0, 10, 10), plan=True))


def solid(name: str, x: float, y: float, low: float, high: float, side: float = 1.0, parent: str | None = None) -> Item:
    return at(name, x, y, side, side, parent, height=(low, high))


def said(kind: str, parts: Sequence[str] | str, **more: Any) -> Raw:
    return {"kind": kind, "parts": [parts] if isinstance(parts, str) else list(parts), **more}


def measured(layout: Layout, *raw: Raw, brief: str = "") -> tuple[Measured, ...]:
    found = reading.statements(raw, brief, layout)
    assert not found.set_aside, found.set_aside
    return kinds.measure(found.requirements, layout)


def outcome(layout: Layout, raw: Raw) -> str:
    return measured(layout, raw)[0].outcome


def aside(layout: Layout, *raw: JsonValue, brief: str = "three red kites over a house") -> str:
    found = reading.statements(raw, brief, layout)
    return "\n".join(found.set_aside)


# Every kind: met, met inexactly, broken.

BARS = [at(f"bar_{n}", 0.1 + 0.2 * n, 0.5, 0.1, 0.1 * h) for n, h in enumerate((3, 1, 2))]


def row(*xs: float, w: float = 0.1, y: float = 0.5) -> Layout:
    return on_paper(*(at(f"tree_{n}", x, y, w) for n, x in enumerate(xs)))


def hand(degrees: float) -> Layout:
    needle = rotate(box(0.49, 0.2, 0.51, 0.5), degrees, origin=(0.5, 0.5))  # y down: positive is clockwise
    return on_paper(part("dial", Point(0.5, 0.5).buffer(0.4)), part("hand", needle, "dial"))


def painted(*fills: str) -> Layout:
    return on_paper(at("bus", 0.5, 0.5, 0.4, 0.2, style=Style(fills=fills)))


def stack(gap: float) -> Layout:
    return on_paper(at("table", 0.5, 0.7, 0.6, 0.1), at("bowl", 0.5, 0.6 - gap, 0.2, 0.1))


def pair(x: float) -> Layout:
    return on_paper(at("head", 0.5, 0.5, 0.4, 0.4), at("ear_l", 0.35, 0.25, parent="head"), at("ear_r", x, 0.25))


def bars(*heights: float) -> Layout:
    return on_paper(*(at(f"bar_{n}", 0.1 + 0.2 * n, 0.5, 0.1, h) for n, h in enumerate(heights)))


CASES: list[tuple[str, Layout, Raw, str]] = [
    ("count", row(0.1, 0.3, 0.5), said("count", "tree_*", number=3), "met"),
    ("count", row(0.1, 0.3), said("count", "tree_*", number=3), "broken"),
    ("count", row(0.1, 0.3), said("count", "tree_*", number=3, limit="at_most"), "met"),
    ("count", row(0.1, 0.3), said("count", "tree_*", number=3, limit="at_least"), "broken"),
    ("relation", stack(0.0), said("relation", "bowl", relation="on", of=["table"]), "met"),
    ("relation", stack(0.02), said("relation", "bowl", relation="on", of=["table"]), "inexact"),
    ("relation", stack(0.1), said("relation", "bowl", relation="on", of=["table"]), "broken"),
    ("relation", stack(-0.3), said("relation", "bowl", relation="on", of=["table"]), "broken"),
    ("relation", stack(0.0), said("relation", "bowl", relation="above", of=["table"]), "met"),
    ("relation", stack(0.0), said("relation", "table", relation="below", of=["bowl"]), "met"),
    ("relation", stack(0.0), said("relation", "bowl", relation="below", of=["table"]), "broken"),
    ("relation", stack(0.005), said("relation", "bowl", relation="touches", of=["table"]), "inexact"),
    ("relation", stack(0.02), said("relation", "bowl", relation="touches", of=["table"]), "broken"),
    ("relation", row(0.1, 0.3), said("relation", "tree_0", relation="left_of", of=["tree_1"]), "met"),
    ("relation", row(0.1, 0.3), said("relation", "tree_0", relation="right_of", of=["tree_1"]), "broken"),
    ("relation", row(0.1, 0.12), said("relation", "tree_0", relation="left_of", of=["tree_1"]), "broken"),
    ("relation", row(0.1, 0.3), said("relation", "tree_0", relation="beside", of=["tree_1"]), "met"),
    ("relation", stack(0.0), said("relation", "bowl", relation="beside", of=["table"]), "broken"),
    ("relation", row(0.1, 0.3, 0.2), said("relation", "tree_2", relation="between", of=["tree_0", "tree_1"]), "met"),
    ("relation", row(0.1, 0.3, 0.5), said("relation", "tree_2", relation="between", of=["tree_[01]"]), "aside"),
    ("relation", row(0.1, 0.3, 0.5), said("relation", "tree_2", relation="between", of=["tree_0", "tree_1"]), "broken"),
    ("relation", pair(0.65), said("relation", "ear_r", relation="inside", of=["head"]), "broken"),
    ("relation", hand(0), said("relation", "hand", relation="inside", of=["dial"]), "met"),
    ("relation", row(0.1), said("relation", "tree_0", relation="inside", of=["canvas"]), "met"),
    ("relation", row(0.045), said("relation", "tree_0", relation="inside", of=["canvas"]), "inexact"),
    ("relation", row(0.01), said("relation", "tree_0", relation="inside", of=["canvas"]), "broken"),
    ("relation", row(0.5, 0.55), said("relation", "tree_1", relation="in_front_of", of=["tree_0"]), "met"),
    ("relation", row(0.5, 0.55), said("relation", "tree_1", relation="behind", of=["tree_0"]), "broken"),
    ("distance", row(0.1, 0.3), said("distance", "tree_0", of=["tree_1"], length=0.1), "met"),
    ("distance", row(0.1, 0.305), said("distance", "tree_0", of=["tree_1"], length=0.1), "inexact"),
    ("distance", row(0.1, 0.32), said("distance", "tree_0", of=["tree_1"], length=0.1), "broken"),
    ("distance", row(0.1, 0.4), said("distance", "tree_0", of=["tree_1"], length=0.1, limit="at_least"), "met"),
    ("distance", row(0.1, 0.21), said("distance", "tree_0", of=["tree_1"], length=0.1, limit="at_least"), "broken"),
    ("distance", row(0.15), said("distance", "tree_0", of=["canvas"], length=0.1, axis="x"), "met"),
    ("angle", hand(110), said("angle", "hand", degrees=110), "met"),
    ("angle", hand(111), said("angle", "hand", degrees=110, of=["dial"]), "inexact"),
    ("angle", hand(115), said("angle", "hand", degrees=110), "broken"),
    ("angle", hand(359), said("angle", "hand", degrees=0), "inexact"),
    ("size", row(0.5), said("size", "tree_0", width=0.1), "met"),
    ("size", row(0.5, w=0.102), said("size", "tree_0", width=0.1, height=0.1), "inexact"),
    ("size", row(0.5, w=0.12), said("size", "tree_0", width=0.1), "broken"),
    ("ratio", bars(0.2, 0.1), said("ratio", "bar_0", of=["bar_1"], dimension="height", factor=2), "met"),
    ("ratio", bars(0.204, 0.1), said("ratio", "bar_0", of=["bar_1"], dimension="height", factor=2), "inexact"),
    ("ratio", bars(0.22, 0.1), said("ratio", "bar_0", of=["bar_1"], dimension="height", factor=2), "broken"),
    ("ratio", bars(0.2, 0.1), said("ratio", "bar_0", dimension="aspect", factor=0.5), "met"),
    ("ratio", bars(0.2), said("ratio", "bar_0", dimension="aspect", factor=1), "broken"),
    ("proportion", bars(0.3, 0.1, 0.2), said("proportion", "bar_*", values=[3, 1, 2]), "met"),
    ("proportion", bars(0.302, 0.1, 0.2), said("proportion", "bar_*", values=[3, 1, 2]), "inexact"),
    ("proportion", bars(0.3, 0.15, 0.2), said("proportion", "bar_*", values=[3, 1, 2], dimension="height"), "broken"),
    ("proportion", bars(0.3, 0.1), said("proportion", "bar_*", values=[3, 1, 2]), "broken"),
    ("proportion", bars(0.3, 0.1), said("proportion", "bar_*", values=[1], dimension="width"), "met"),
    ("proportion", bars(0.3, 0.1), said("proportion", "bar_*", values=[1], dimension="height"), "broken"),
    ("proportion", bars(0.1, 0.2, 0.3), said("proportion", "bar_*", order="increasing"), "met"),
    ("proportion", bars(0.1, 0.2, 0.2), said("proportion", "bar_*", order="increasing", dimension="height"), "broken"),
    ("spacing", row(0.1, 0.3, 0.5), said("spacing", "tree_*"), "met"),
    ("spacing", row(0.1, 0.305, 0.5), said("spacing", "tree_*"), "inexact"),
    ("spacing", row(0.1, 0.35, 0.5), said("spacing", "tree_*"), "broken"),
    ("spacing", row(0.1, 0.3, 0.5), said("spacing", "tree_*", length=0.1, axis="x"), "met"),
    ("spacing", row(0.1, 0.3, 0.5), said("spacing", "tree_*", length=0.2), "broken"),
    ("alignment", row(0.1, 0.3), said("alignment", "tree_*", edge="bottom"), "met"),
    ("alignment", bars(0.1, 0.11), said("alignment", "bar_*", edge="top"), "inexact"),
    ("alignment", bars(0.1, 0.2), said("alignment", "bar_*", edge="top"), "broken"),
    ("alignment", bars(0.1, 0.2), said("alignment", "bar_*", edge="row"), "met"),
    ("alignment", bars(0.1, 0.2), said("alignment", "bar_*", edge="column"), "broken"),
    ("alignment", row(0.1, 0.3), said("alignment", "tree_*", edge="grid", rows=1, columns=2), "met"),
    ("alignment", row(0.1, 0.3), said("alignment", "tree_*", edge="grid", rows=2, columns=2), "broken"),
    ("symmetry", pair(0.65), said("symmetry", "ear_*", of=["head"]), "met"),
    ("symmetry", pair(0.66), said("symmetry", "ear_*", of=["head"]), "inexact"),
    ("symmetry", pair(0.75), said("symmetry", "ear_*", of=["head"]), "broken"),
    ("symmetry", row(0.5), said("symmetry", "tree_0"), "met"),
    ("color", painted("#c81e1e", "#ffffff"), said("color", "bus", color="dark red"), "met"),
    ("color", painted("#1e1ec8"), said("color", "bus", color="red"), "broken"),
    ("color", painted("#c81e1e"), said("color", "bus", color="#c01c1c"), "met"),
    ("color", painted("#c81e1e"), said("color", "bus", color="#1c1cc0"), "broken"),
    ("text", on_paper(at("sign", 0.5, 0.5, texts=("12", "City"))), said("text", "sign", text="12 CITY"), "met"),
    ("text", on_paper(at("sign", 0.5, 0.5, texts=("EXIT",))), said("text", "sign", text="12 CITY"), "broken"),
    ("place", row(0.5), said("place", "tree_0", spot="center"), "met"),
    ("place", row(0.53), said("place", "tree_0", spot="center"), "inexact"),
    ("place", row(0.6), said("place", "tree_0", spot="center"), "broken"),
    ("place", row(0.1, y=0.9), said("place", "tree_0", spot="bottom_left"), "met"),
    ("place", row(0.1, y=0.9), said("place", "tree_0", spot="top_left"), "broken"),
    ("place", row(0.3, 0.7), said("place", "tree_*", spot="center"), "met"),
]


@pytest.mark.parametrize(("kind", "layout", "raw", "expected"), CASES, ids=lambda v: v if isinstance(v, str) else "")
def test_each_kind_is_met_inexact_or_broken(kind: str, layout: Layout, raw: Raw, expected: str) -> None:
    if expected == "aside":
        assert aside(layout, raw)
        return
    found = measured(layout, raw)[0]
    assert (found.kind, found.outcome) == (kind, expected), found
    assert (found.deviation > 1) == (expected == "broken")
    issues = kinds.issues_of([found], layout)
    assert len(issues) == (expected == "broken")


def test_every_kind_has_cases_met_and_broken() -> None:
    assert {(kind, end) for kind, _, _, end in CASES} >= {(kind, end) for kind in KINDS for end in ("met", "broken")}


def test_an_issue_says_what_is_broken() -> None:
    shelves = [at(f"shelf_{n}", 0.5, 0.2 * n, 0.8, 0.18) for n in (1, 2)]
    books = [
        at(f"book_{n}", 0.2 * n, 0.2 if n < 4 else 0.4, parent="shelf_1" if n < 4 else "shelf_2") for n in range(1, 5)
    ]
    layout = on_paper(*shelves, *books)
    raw = said("count", "book_*", each=["shelf_*"], number=3, quote="three books on each", id="r7")
    issue = kinds.issues_of(measured(layout, raw, brief="Three books on each!"), layout)[0]
    assert issue.message == "book_* within each of shelf_*: 3 expected, shelf_2 has 1"
    assert (issue.code, issue.basis, issue.severity, issue.status) == (
        "requirement.count",
        "requirement",
        "question",
        "open",
    )
    assert (issue.id, issue.requirement, issue.phrase) == ("r7", "r7", "three books on each")
    assert issue.numbers == {"found": 1, "expected": 3}
    assert issue.extent == 2
    assert [mark.text for mark in issue.marks] == ["shelf_2", "book_4"]
    assert {"shelf_1", "shelf_2", "book_1"} <= set(issue.subjects)


# Counts in groups, and what is visible.


def test_a_part_belongs_to_what_it_is_part_of_lies_on_or_stands_on() -> None:
    planks = [at("shelf_1", 0.5, 0.3, 0.8, 0.02), at("shelf_2", 0.5, 0.6, 0.8, 0.02)]
    books = [at(f"book_{n}", 0.2 * n, 0.24 if n < 3 else 0.54) for n in range(1, 5)]
    assert outcome(on_paper(*planks, *books), said("count", "book_*", each=["shelf_*"], number=2)) == "met"
    lines = [at("line_a", 0.5, 0.5, 0.9, 0.02), at("line_b", 0.5, 0.5, 0.02, 0.9)]
    spots = [part(f"stop_{n}", Point(p).buffer(0.02)) for n, p in enumerate([(0.5, 0.5), (0.2, 0.5), (0.5, 0.8)])]
    assert outcome(on_paper(*lines, *spots), said("count", "stop_*", each=["line_*"], number=2)) == "met"


def test_flowers_that_stick_out_of_a_vase_are_counted_in_it_and_each_once() -> None:
    vases = [at(f"vase_{n}", 0.2 + 0.3 * n, 0.7, 0.12, 0.2) for n in range(3)]
    stems = [at(f"tulip_{n}_{k}", 0.16 + 0.3 * n + 0.04 * k, 0.5, 0.02, 0.36) for n in range(3) for k in range(3)]
    count = said("count", "tulip_*", each=["vase_*"], number=3)
    assert outcome(on_paper(*vases, *stems), count) == "met"
    assert outcome(on_paper(*vases, *stems[1:]), count) == "broken"
    nested = [
        at("ring_1", 0.5, 0.5, 0.6, 0.6),
        at("ring_2", 0.5, 0.5, 0.3, 0.3),
        at("dot_1", 0.5, 0.5),
        at("dot_2", 0.25, 0.5),
    ]
    assert outcome(on_paper(*nested), said("count", "dot_*", each=["ring_*"], number=1)) == "met"


@pytest.mark.parametrize("angle", [0, 7, 31, 45, 60, 88])
def test_a_row_of_a_scene_need_not_run_as_the_camera_sees_it(angle: float) -> None:
    def train(*xs: float, side: float = 0.0) -> Layout:
        wagons = [box(x - 0.4, 4.8 + side * (i == 1), x + 0.4, 5.2 + side * (i == 1)) for i, x in enumerate(xs)]
        shapes = [rotate(wagon, angle, origin=(5, 5)) for wagon in wagons]
        return in_scene(*(part(f"wagon_{i}", shape, height=(0, 1)) for i, shape in enumerate(shapes)))

    even, row = said("spacing", "wagon_*"), said("alignment", "wagon_*", edge="row")
    assert outcome(train(3, 4, 5, 6), even) == "met"
    assert outcome(train(3, 4, 5, 6), row) == "met"
    assert outcome(train(3, 4, 5.5, 6), even) == "broken"
    assert outcome(train(3, 4, 5, 6, side=0.5), row) == "broken"


def test_what_lies_on_its_own_whole_does_not_stand_on_the_one_below() -> None:
    upper, lower = at("tray_top", 0.5, 0.3, 0.4, 0.2), at("tray_low", 0.5, 0.51, 0.4, 0.2)
    cups = [at("cup_1", 0.5, 0.36, 0.06, 0.06, "tray_top"), at("cup_2", 0.5, 0.55, 0.06, 0.06, "tray_low")]
    layout = on_paper(upper, lower, *cups)
    assert outcome(layout, said("count", "cup_*", each=["tray_low"], number=1)) == "met"
    assert outcome(layout, said("count", "cup_*", each=["tray_top"], number=1)) == "met"
    loose = on_paper(upper, lower, replace(cups[0], parent=None), cups[1])
    assert outcome(loose, said("count", "cup_*", each=["tray_low"], number=2)) == "met"


@pytest.mark.parametrize(("x", "wanted"), [(0.5, "met"), (0.503, "inexact"), (0.6, "broken")])
def test_equally_far_needs_no_length(x: float, wanted: str) -> None:
    layout = on_paper(at("door_1", 0.2, 0.5), at("door_2", 0.8, 0.5), at("lamp", x, 0.5))
    assert outcome(layout, said("distance", "lamp", of=["door_*"])) == wanted
    assert outcome(layout, said("distance", "door_*", of=["lamp"])) == wanted


@pytest.mark.parametrize("more", [{"of": ["door_1"]}, {"of": ["door_*"], "limit": "at_least"}])
def test_a_distance_without_length_says_what_is_missing(more: Raw) -> None:
    layout = on_paper(at("door_1", 0.2, 0.5), at("door_2", 0.8, 0.5), at("lamp", 0.5, 0.5))
    assert "length" in reading.statements([said("distance", "lamp", **more)], "", layout).set_aside[0]


def test_a_count_of_an_earlier_run_of_which_nothing_is_left_is_broken() -> None:
    layout = on_paper(at("house", 0.5, 0.5))
    count = said("count", "tulip_*", number=3, id="r1")
    assert reading.statements([count], "", layout).set_aside
    assert outcome(layout, {**count, "agreed": True}) == "broken"
    each: Raw = {**count, "each": ["vase_*"], "agreed": True}
    assert "no part matches" in reading.statements([each], "", layout).set_aside[0]


def test_exact_without_pens_is_exact() -> None:
    """A door 0.8 high whose arc and leaf have pens of different width."""
    door = part("door", box(0.4, 0.197, 0.5, 0.3105), style=Style(widths=(0.006, 0.021)), bare=box(0.4, 0.2, 0.5, 0.3))
    assert outcome(on_paper(door), said("size", "door", height=0.1)) == "met"


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


# Names.


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


# Quotes.


@pytest.mark.parametrize(
    ("brief", "quote"),
    [
        ("Ein Haus mit DREI  Fenstern, daneben ein Baum", "„drei\nFenstern,“"),
        ("die Straße am Fluß", "STRASSE AM FLUSS"),
        ("本棚に本が三冊ずつ、上で猫が寝ている", "本が三冊ずつ"),
        ("ガラスの家が３軒", "ｶﾞﾗｽの家が3軒"),
        ("a cafe\u0301 with two tables", "café"),
        ("a sign that says “it’s open”", "it's open"),
        ("a shelf \u2013 four boards", "shelf - four boards."),
    ],
)
def test_quotes_match_after_folding(brief: str, quote: str) -> None:
    layout = row(0.1)
    raw = said("color", "tree_*", color="red", quote=quote)
    assert not aside(layout, raw, brief=brief)


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20), st.sampled_from(["NFC", "NFD"]))
def test_what_is_in_the_brief_is_found_however_it_is_written(words: str, head: str, tail: str, form: Any) -> None:
    brief = f"{head} {words} {tail}"
    quote = f" «{unicodedata.normalize(form, words)}» "
    found = reading.statements([said("color", "tree_*", color="red", quote=quote)], brief, row(0.1))
    assert not found.set_aside or "no words" in found.set_aside[0]


@given(st.text(max_size=60))
def test_a_quote_that_is_not_in_the_brief_is_set_aside(brief: str) -> None:
    quote = "seven kites over zzyzx"
    assert "does not contain its quote" in aside(
        row(0.1), said("color", "tree_*", color="red", quote=quote), brief=brief
    )


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_what_is_not_measured_is_given_as_written(form: Any) -> None:
    brief = unicodedata.normalize(form, "un café fermé, two tables")
    measured = [Requirement(kind="count", parts=("table_*",), number=2, quote="two tables")]
    assert stated.unmeasured(brief, measured) == (unicodedata.normalize(form, "un café fermé"),)
    (span,) = stated.quoted(brief, "café")
    assert brief[slice(*span)] == unicodedata.normalize(form, "café")


def test_agreed_statements_need_no_quote_in_this_brief() -> None:
    raw = merged((), [said("color", "tree_*", color="red", quote="a red tree", agreed=True)])
    assert "does not contain" in aside(row(0.1), *raw, brief="now add a dog"), "a reply cannot agree with itself"
    assert not aside(row(0.1), *agreed(raw), brief="now add a dog")


def needs(quote: str) -> Requirement:
    return Requirement(kind="count", quote=quote, parts=("x_*",), number=1)


def test_what_no_quote_covers_is_not_measured() -> None:
    brief = "A Bookshelf with four  shelves, three books on each — and a cat; another cat!"
    covered = [needs("four shelves"), needs("THREE BOOKS ON EACH"), needs("cat")]
    assert stated.unmeasured(brief, covered) == ("A Bookshelf with", "and a", "another cat")
    assert stated.unmeasured(brief, [*covered, needs("cat")])[-1] == "another"
    assert stated.unmeasured(brief, [needs(brief)]) == ()
    assert stated.unmeasured("concatenate the cat", [needs("cat")]) == ("concatenate the",)


@given(st.lists(st.text("ab ß.ガ", min_size=1, max_size=8), max_size=6))
def test_stretches_are_of_the_brief_and_say_something(pieces: list[str]) -> None:
    brief = "".join(pieces)
    for stretch in stated.unmeasured(brief, [needs(piece) for piece in pieces[::2]]):
        assert stretch in " ".join(unicodedata.normalize("NFC", brief).split())
        assert any(c.isalnum() for c in stretch)


# Statements that say nothing.

HOUSE = on_paper(at("house", 0.5, 0.7), *(at(f"kite_{n}", 0.2 * n, 0.2) for n in (1, 2, 3)))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("count them", 'it is not an object: "count them"'),
        ({"kind": "sum", "parts": ["house"]}, 'kind is "sum"; it is one of count, relation'),
        (said("count", "kite_*"), "number is missing"),
        ({"kind": "count", "number": 1}, "parts is missing"),
        (said("count", "kite_*", number="3"), "number is"),
        (said("count", "kite_*", number=-1), "number is -1"),
        (
            said("count", "kite_*", number=3, relation="on"),
            '"relation" does not belong to the kind count; that has number',
        ),
        (said("count", "kite_*", number=3, colour="red"), '"colour" does not belong'),
        (said("relation", "house", of=["kite_*"], relation="near"), "'left_of', 'right_of'"),
        (said("count", "kits_*", number=3), 'no part matches "kits_*"; there is kite_'),
        (said("count", ["kite_*", "dog"], number=3), 'no part matches "dog"'),
        (said("color", "house", color="grue"), "it is #rrggbb or one of red, orange"),
        (
            said("count", ["kite_1", "kite_2"], number=2),
            'it counts the names that it lists itself; a count needs a pattern, such as "kite_*"',
        ),
        (said("count", "kite_*", number=0, limit="at_least"), "always at least 0"),
        (said("relation", "house", of=["house"], relation="on"), "with itself"),
        (said("relation", "kite_2", of=["kite_1"], relation="between"), "needs two parts"),
        (said("relation", "house", of=["canvas"], relation="left_of"), "of the canvas"),
        (said("spacing", ["kite_1", "kite_2"]), "two parts have one gap"),
        (said("alignment", "house", edge="left"), "always in line"),
        (said("alignment", "kite_*", edge="left", rows=2), "are of a grid"),
        (said("size", "house", depth=1.0), "no depth"),
        (said("size", "house"), "width or height or depth is missing"),
        (said("size", "house", width=2, unit="real"), "a scale needs two"),
        (said("proportion", ["kite_1", "kite_2"], values=[1, 2, 3]), "3 values for 2 parts"),
        (said("proportion", "kite_*", values=[0, 0]), "all are zero"),
        (said("ratio", "house", factor=2), "of is missing"),
        (said("ratio", "house", factor=math.inf, of=["kite_1"]), "factor is inf"),
        (said("text", "house", text="\u200b"), "text is empty"),
        (said("count", "kite_*", number=3, quote="four kites"), "does not contain its quote"),
        (said("count", "kite_*", number=3, quote="..."), "has no words"),
        (said("count", [f"{c}*" for c in "abcdefghijkl"], number=3), "more than 10 patterns"),
    ],
)
def test_a_faulty_statement_is_set_aside_with_the_reason(raw: JsonValue, words: str) -> None:
    good = said("count", "kite_*", number=3, quote="three red kites")
    found = reading.statements([raw, good], "three red kites over a house", HOUSE)
    assert [r.number for r in found.requirements] == [3]
    assert len(found.set_aside) == 1
    assert words in found.set_aside[0]
    assert "\n" not in found.set_aside[0]
    assert len(found.set_aside[0]) < 1200


def test_a_set_aside_line_has_id_kind_and_quote() -> None:
    line = aside(HOUSE, said("count", "kits_*", id="r4", number=3, quote="three red\nkites"))
    assert line == 'r4 (count, "three red kites"): no part matches "kits_*"; there is kite_3, kite_2, kite_1'


def test_nulls_and_empty_fields_are_as_good_as_missing() -> None:
    raw = said("count", "kite_*", number=3, of=None, each=[], text="", limit="exactly", unit="frame")
    assert measured(HOUSE, raw)[0].outcome == "met"


def test_a_list_may_still_say_that_a_part_is_hidden() -> None:
    layout = on_paper(*row(0.1, 0.3).items, at("wall", 0.3, 0.5, 0.2, 0.2))
    found = measured(layout, said("count", ["tree_0", "tree_1"], number=2))[0]
    assert (found.outcome, found.found) == ("broken", "there is 1 (tree_1 cannot be seen)")


def test_nothing_visible_is_set_aside_except_as_a_count() -> None:
    layout = on_paper(at("tree_0", 1.5, 0.5))
    assert "is visible" in aside(layout, said("color", "tree_0", color="red"))
    assert outcome(layout, said("count", "tree_*", number=1)) == "broken"


def test_the_same_twice_and_contradictions() -> None:
    three, four = (said("count", "kite_*", number=n) for n in (3, 4))
    assert aside(HOUSE, three, dict(three)) == "r2 (count): it says the same as r1"
    found = reading.statements([three, said("color", "house", color="red"), four], "", HOUSE)
    assert [r.kind for r in found.requirements] == ["color"]
    assert found.set_aside == ("r1 and r3 contradict each other: kite_*: 3 expected; kite_*: 4 expected",)
    left, right = (said("relation", "kite_1", relation=f"{w}_of", of=["house"]) for w in ("left", "right"))
    swapped = said("relation", "house", relation="left_of", of=["kite_1"])
    assert "contradict" in aside(HOUSE, left, right)
    assert "contradict" in aside(HOUSE, left, swapped)
    few, many = said("count", "kite_*", number=2, limit="at_least"), said("count", "kite_*", number=5, limit="at_most")
    assert not aside(HOUSE, few, many)


def test_a_thousand_odd_statements_cost_lines_and_no_time() -> None:
    layout = Layout(tuple(at(f"part_{n}", n % 25 / 25, n // 25 / 20, 0.03, 0.03, layer=n) for n in range(500)))
    raws: list[list[JsonValue]] = [
        [said("count", ["*a" * 60, "*" * 150], number=n) for n in range(1000)],
        [said("relation", f"part_{n}*", relation="left_of", of=["*p*a*r*t*"], quote="x" * 400) for n in range(1000)],
        [said("count", "p*", number=3)] * 1000,
        [f"{n}" for n in range(1000)],
    ]
    for raw in raws:
        start = time.process_time()
        kept = merged((), raw)
        found = reading.statements(kept, "a brief " * 1000, layout)
        assert time.process_time() - start < 1.0
        assert len(kept) <= MOST
        assert len(found.set_aside) + len(found.requirements) <= MOST
        assert "801 more statements" in found.set_aside[-1]
        assert "more statements" in reading.statements(raw, "", layout).set_aside[-1]


CHOICES = {
    "relation": Relation,
    "limit": stated.Limit,
    "dimension": stated.Dimension,
    "edge": stated.Edge,
    "spot": stated.Spot,
    "unit": Literal["frame", "real"],
    "order": Literal["increasing", "decreasing"],
}
FIELDS = [*Requirement.model_fields, "agreed", "left_out"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=5), inner, max_size=6)
    ),
    max_leaves=12,
)


NAMES = st.lists(st.sampled_from(["kite_*", "house", "*", "kite_1", "kite_2", "canvas"]), min_size=1, max_size=3)
SENSE: dict[str, st.SearchStrategy[Any]] = {
    "parts": NAMES,
    "of": NAMES,
    "each": NAMES,
    "number": st.integers(0, 5),
    "values": st.lists(st.integers(0, 9), min_size=1, max_size=4),
    "axis": st.sampled_from("xyz"),
    "color": st.sampled_from(["red", "#123456"]),
    "degrees": st.integers(-360, 360),
    "rows": st.integers(1, 3),
    "columns": st.integers(1, 3),
    **{name: st.floats(0, 2) for name in ("factor", "length", "width", "height", "depth")},
    **{name: st.sampled_from(get_args(choices)) for name, choices in CHOICES.items()},
}


@st.composite
def sensible(draw: st.DrawFn) -> Raw:
    """A statement of the right form; whether it makes sense is another matter."""
    kind = draw(st.sampled_from(list(KINDS)))
    needs = [need for names in KINDS[kind].needs for need in names.split("|")]
    may = [name for name in KINDS[kind].may if draw(st.booleans())]
    return {"kind": kind} | {name: draw(SENSE.get(name, JSON)) for name in ("parts", *needs, *may)}


SCENE = in_scene(*(solid(i.name, 10 * k, 5, 0, 1) for k, i in enumerate(HOUSE)))


@settings(max_examples=200, deadline=None)
@given(st.lists(sensible() | JSON, max_size=5), st.text(max_size=10), st.sampled_from([HOUSE, SCENE]))
def test_whatever_is_stated_is_measured_or_set_aside(raw: list[Any], brief: str, layout: Layout) -> None:
    kept = merged((), raw)
    found = reading.statements(kept, brief, layout)
    results = kinds.measure(found.requirements, layout)
    kinds.issues_of(results, layout)
    assert len(results) == len(found.requirements)
    assert all(math.isfinite(r.deviation) for r in results)
    assert merged(kept, []) == kept
    assert len({r.id for r in results}) == len(results)


# Merging, corrections, rulings.


def test_ids_are_given_and_replaced_by_id() -> None:
    first = merged((), [said("count", "a_*", number=1), said("count", "b_*", number=2, id="r7"), "junk"])
    assert [e["id"] if isinstance(e, dict) else e for e in first] == ["r8", "r7", "junk"]
    after = merged(
        first, [said("count", "b_*", number=5, id="r7", reason="five are drawn"), said("count", "c_*", number=1)]
    )
    assert after[1] == said("count", "b_*", number=5, id="r7", quote="", reason="five are drawn")
    assert isinstance(after[3], dict)
    assert after[3]["id"] == "r9"
    assert after[0] == first[0]
    assert merged(after, [said("count", "a_*", number=1)]) == after


def test_a_change_keeps_its_quote_and_gives_a_reason() -> None:
    first = merged((), [said("count", "a_*", number=1, quote="one a")])
    changed = merged(first, [said("count", "a_*", number=2, id="r1")])
    assert changed == ({**said("count", "a_*", number=2, quote="one a", id="r1"), "reason": "no reason given"},)
    assert merged(first, [said("count", "a_*", number=1, id="r1", reason="none")]) == first
    kept = merged(agreed(first), [said("count", "a_*", number=2, id="r1")])[0]
    assert isinstance(kept, dict)
    assert kept["agreed"] is True
    other = merged(agreed(first), [said("count", "a_*", number=2, id="r1", quote="two")])[0]
    assert isinstance(other, dict)
    assert "agreed" not in other


def numbered(number: int, name: str) -> Raw:
    return said("count", f"p{number}_*", number=number) | ({"id": name} if name else {})


@given(
    st.lists(
        st.builds(
            numbered,
            st.integers(0, 5),
            st.sampled_from(["", "r1", "r2", "x"]),
        ),
        max_size=8,
    )
)
def test_merging_twice_changes_nothing(raw: list[Any]) -> None:
    once = merged((), raw)
    assert merged(once, once) == once
    ids = [e["id"] for e in once if isinstance(e, dict)]
    assert len(set(ids)) == len(ids)


def test_what_is_left_out_is_counted_once() -> None:
    raw = [said("count", f"p{n}_*", number=n) for n in range(250)]
    once = merged((), raw)
    assert len(once) == MOST
    assert once[-1] == {"left_out": 51}
    again = merged(once, [said("count", "q_*", number=1)])
    assert len(again) == MOST
    assert again[-1] == {"left_out": 52}


def ruling(name: str, correction: Mapping[str, JsonValue] | None, reason: str = "") -> Ruling:
    return Ruling(id=name, ruling="intended", correction=dict(correction) if correction else None, reason=reason)


def test_corrections_take_the_place_with_their_reason() -> None:
    raw = merged((), [said("count", "kite_*", number=4, quote="three red kites")])
    after = corrected(
        raw, [ruling("r1", said("count", "kite_*", number=3), "the brief says three"), ruling("r9", {"a": 1})]
    )
    assert aside(HOUSE, *after) == ""
    found = kinds.measure(reading.statements(after, "three red kites", HOUSE).requirements, HOUSE)[0]
    assert (found.outcome, found.changed, found.quote) == ("met", "the brief says three", "three red kites")


@pytest.mark.parametrize("nonsense", [{"kind": "count"}, {"number": 3}, {"kind": "x", "parts": []}])
def test_a_correction_that_is_no_statement_changes_nothing(nonsense: Raw) -> None:
    raw = merged((), [said("count", "kite_*", number=4)])
    assert corrected(raw, [ruling("r1", nonsense), ruling("r1", None)]) == raw


def test_rulings_are_read_leniently() -> None:
    raw: list[object] = [
        {"id": " q1 ", "ruling": "must", "accept": "false", "reason": "too\nlong " * 200, "note": 1},
        {"id": "q2", "ruling": "maybe"},
        {"id": "q3", "ruling": "minor", "accept": True, "correction": []},
        {"id": "q1", "ruling": "intended"},
        {"id": "", "ruling": "must"},
        "q4",
    ]
    found = rulings_in(raw)
    assert [(r.id, r.ruling, r.accept, r.correction) for r in found] == [
        ("q1", "must", False, None),
        ("q3", "minor", True, None),
    ]
    assert len(found[0].reason) <= 400
    assert "\n" not in found[0].reason
    assert rulings_in(None) == rulings_in("x") == rulings_in({}) == ()
    assert len(rulings_in({"id": "q1", "ruling": "must"})) == 1


@given(JSON)
def test_no_reply_breaks_the_reading_of_rulings(raw: Any) -> None:
    rulings_in(raw)


# Measures grow with what they measure.


@settings(max_examples=50)
@given(st.floats(-0.05, 0.3))
def test_a_distance_follows_the_move(step: float) -> None:
    before = row(0.1, 0.4)
    after = before.moved([Move.shift("tree_1", step, 0.0)])
    raw = said("distance", "tree_0", of=["tree_1"], length=0.1, axis="x")
    was, now = (measured(layout, raw)[0].numbers["found"] for layout in (before, after))
    assert now - was == pytest.approx(step, abs=1e-9)


@settings(max_examples=50)
@given(st.floats(-180, 180), st.floats(-180, 180))
def test_an_angle_follows_the_turn(degrees: float, wanted: float) -> None:
    found = measured(hand(degrees), said("angle", "hand", degrees=wanted))[0]
    off = abs((degrees - wanted + 180) % 360 - 180)
    assert abs(found.numbers["found"] - found.numbers["expected"]) == pytest.approx(off, abs=0.2)


@settings(max_examples=50)
@given(st.floats(0.0, 0.3), st.floats(0.0, 0.3))
def test_what_is_farther_off_deviates_more(one: float, other: float) -> None:
    less, more = sorted((one, other))
    raws: list[tuple[Raw, Callable[[float], Layout]]] = [
        (said("symmetry", "ear_*", of=["head"]), lambda off: pair(0.65 + off)),
        (said("relation", "bowl", relation="on", of=["table"]), stack),
        (said("size", "tree_0", width=0.1), lambda off: row(0.5, w=0.1 + off)),
        (said("place", "tree_0", spot="center"), lambda off: row(0.5 + off)),
        (said("relation", "tree_0", relation="right_of", of=["tree_1"]), lambda off: row(0.4, 0.5 + off)),
    ]
    for raw, made in raws:
        deviations = [measured(made(off), raw)[0].deviation for off in (less, more)]
        assert deviations[0] <= deviations[1] + 1e-6, raw


# How parts are looked at.


def test_bars_are_measured_without_their_labels_and_pens() -> None:
    pen = Style(fills=("#0000ff",), strokes=("#000000",), widths=(0.01,))
    drawn = [at(f"bar_{n}", 0.1 + 0.2 * n, 0.5, 0.11, h + 0.01, style=pen) for n, h in enumerate((0.3, 0.1))]
    labels = [at(f"value_{n}", 0.1 + 0.2 * n, 0.2, 0.05, 0.05, parent=f"bar_{n}") for n in (0, 1)]
    raw = said("proportion", "bar_*", values=[3, 1], dimension="height")
    assert outcome(on_paper(*drawn, *labels), raw) == "met"


def test_real_lengths_share_the_scale_that_most_agree_with() -> None:
    kitchen, bath = at("kitchen", 0.3, 0.5, 0.4, 0.3), at("bath", 0.6, 0.5, 0.2, 0.3)
    raw = [
        said("size", "kitchen", width=4, height=3, unit="real"),
        said("size", "bath", width=2, height=3, unit="real"),
        said("size", "door", height=0.8, unit="real"),
    ]
    good = measured(on_paper(kitchen, bath, at("door", 0.5, 0.5, 0.01, 0.08)), *raw)
    assert [m.outcome for m in good] == ["met"] * 3
    wide = measured(on_paper(kitchen, bath, at("door", 0.5, 0.5, 0.01, 0.2)), *raw)
    assert [m.outcome for m in wide] == ["met", "met", "broken"]
    assert wide[2].numbers == pytest.approx({"found": 2.0, "expected": 0.8})


@pytest.mark.parametrize(("top", "expected"), [(0.5, "met"), (0.42, "met"), (0.25, "broken")])
def test_two_people_are_under_the_one_umbrella_that_they_hold(top: float, expected: str) -> None:
    canopy = Polygon([(0.2, 0.45), (0.25, 0.3), (0.5, 0.2), (0.75, 0.3), (0.8, 0.45)])
    umbrella = part("umbrella", unary_union([canopy, box(0.495, 0.3, 0.505, 0.7)]))
    people = [part(f"person_{side}", box(x, top, x + 0.2, 0.95)) for side, x in (("left", 0.22), ("right", 0.58))]
    below = said("relation", "person_*", relation="below", of=["umbrella"])
    assert outcome(on_paper(umbrella, *people), below) == expected


def test_below_a_bridge_is_between_its_pillars() -> None:
    bridge = unary_union([box(0.1, 0.3, 0.9, 0.4), box(0.1, 0.4, 0.2, 0.8), box(0.8, 0.4, 0.9, 0.8)])
    layout = on_paper(part("bridge", bridge), at("car", 0.5, 0.7, 0.3, 0.15))
    assert outcome(layout, said("relation", "car", relation="below", of=["bridge"])) == "met"


def test_a_flower_in_a_vase_sticks_out_and_a_pile_lies_on_itself() -> None:
    vase, flower = at("vase", 0.5, 0.8, 0.2, 0.2), at("flower", 0.5, 0.5, 0.05, 0.6)
    raw = said("relation", "flower", relation="inside", of=["vase"])
    assert outcome(on_paper(flower, vase), raw) == "met"
    assert outcome(on_paper(at("flower", 0.5, 0.4, 0.05, 0.6), vase), raw) == "broken"
    apples = [at("apple_1", 0.45, 0.75), at("apple_2", 0.55, 0.75), at("apple_3", 0.5, 0.65)]
    assert outcome(on_paper(vase, *apples), said("relation", "apple_*", relation="inside", of=["vase"])) == "met"


def test_a_bench_that_is_part_of_its_shelter_is_measured_against_the_rest_of_it() -> None:
    shelter = at("shelter", 0.5, 0.5, 0.4, 0.4)
    raw = said("relation", "bench", relation="inside", of=["shelter"])
    assert outcome(on_paper(shelter, at("bench", 0.5, 0.6, parent="shelter")), raw) == "met"
    assert outcome(on_paper(shelter, at("bench", 0.9, 0.6, parent="shelter")), raw) == "broken"


def test_a_clock_hand_with_a_flat_end_points_along_its_middle() -> None:
    found = measured(hand(40), said("angle", "hand", degrees=40))[0]
    assert found.numbers["found"] == pytest.approx(40, abs=0.01)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (said("relation", "cup", relation="on", of=["table"]), "met"),
        (said("relation", "lamp", relation="on", of=["table"]), "broken"),
        (said("relation", "lamp", relation="above", of=["table"]), "met"),
        (said("relation", "chair", relation="in_front_of", of=["table"]), "met"),
        (said("relation", "chair", relation="behind", of=["table"]), "broken"),
        (said("relation", "chair", relation="beside", of=["table"]), "met"),
        (said("size", "table", width=2, depth=2, height=0.8, unit="real"), "met"),
        (said("size", "table", height=0.7), "broken"),
        (said("distance", "lamp", of=["table"], length=0.7, axis="z"), "met"),
        (said("ratio", "chair", of=["table"], dimension="height", factor=1.25), "met"),
    ],
)
def test_scenes_are_measured_in_three_dimensions(raw: Raw, expected: str) -> None:
    things = [solid("table", 5, 5, 0, 0.8, 2.0), solid("cup", 5, 5, 0.8, 0.9, 0.1), solid("lamp", 5, 5, 1.5, 2, 0.5)]
    layout = in_scene(*things, solid("chair", 5, 8, 0, 1.0))
    assert outcome(layout, raw) == expected


def test_a_scene_refuses_what_it_cannot_measure() -> None:
    layout = in_scene(Item("hand", "hand", box(5, 5, 5.1, 5.01), height=(1.0, 2.0)))
    assert "stands upright" in aside(layout, said("angle", "hand", degrees=90))
    assert "cannot be read" in aside(layout, said("text", "hand", text="XII"))


# The table.


def test_the_examples_of_the_table_are_statements() -> None:
    for kind, spec in KINDS.items():
        names = [str(n).replace("*", "1") for key in ("parts", "of", "each") for n in spec.example.get(key) or []]  # type: ignore[union-attr]
        items = [
            at(n, 0.1 + 0.1 * i, 0.5) for i, n in enumerate([*names, *(n[:-1] + "2" for n in names if n[-1] == "1")])
        ]
        more = [at(n[:-1] + "3", 0.5, 0.2) for n in names if n[-1] == "1"]
        brief = str(spec.example.get("quote", ""))
        found = reading.statements([dict(spec.example)], brief, on_paper(*items, *more))
        assert found.requirements or "only real length" in found.set_aside[0], (kind, found.set_aside)
        assert spec.example["kind"] == kind
        assert spec.formula
        assert spec.canvas


def test_the_fields_of_the_table_are_those_of_a_requirement() -> None:
    common = {"id", "kind", "quote", "parts", "reason"}
    assert {name for spec in KINDS.values() for name in spec.fields} == set(Requirement.model_fields) - common


def test_the_docs_hold_the_table() -> None:
    assert DOCS.read_text("utf-8").endswith(table()), "its end is redraft.requirements.table()"


def test_color_terms() -> None:
    assert all(colours.known(term) for term in colours.TERMS)
    assert colours.known("#12aBcF")
    assert not colours.known("#12")
    assert not colours.known("grue")
    assert colours.matches("#808000", "olive")
    assert not colours.matches("none", "red")


def test_a_requirement_is_written_as_json() -> None:
    read = Requirement(kind="count", parts=("a_*",), number=3)
    assert json.loads(read.model_dump_json(exclude_defaults=True)) == {"kind": "count", "parts": ["a_*"], "number": 3}


def test_a_long_part_beside_its_pivot_leans_as_it_is() -> None:
    turn = math.radians(20)
    up = (math.sin(turn) * 0.6, -math.cos(turn) * 0.6)

    def rail(name: str, x: float) -> Item:
        return Item(name, "rail", LineString([(x, 0.8), (x + up[0], 0.8 + up[1])]).buffer(0.01), parent="ladder")

    layout = Layout((Item("ladder", "ladder", GeometryCollection()), rail("rail_1", 0.3), rail("rail_2", 0.45)))
    [leaning] = kinds.measure([Requirement(kind="angle", parts=("rail_*",), degrees=20.0)], layout)
    [upright] = kinds.measure([Requirement(kind="angle", parts=("rail_*",), degrees=0.0)], layout)
    assert (leaning.outcome, upright.outcome) == ("met", "broken")
