"""Every kind of requirement met, met inexactly and broken; real lengths, issues, and the table of kinds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirement_layouts import (
    Raw,
    aside,
    at,
    bars,
    hand,
    in_scene,
    measured,
    on_paper,
    outcome,
    painted,
    pair,
    part,
    row,
    said,
    solid,
    stack,
)
from shapely import box
from shapely.affinity import rotate
from shapely.geometry import GeometryCollection

from redraft.layout.items import Layout, Style
from redraft.layout.requirements import Requirement, kinds, reading
from redraft.layout.requirements.kinds import KINDS, table

DOCS = Path(__file__).parents[2] / "docs" / "requirements.md"


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
    assert issue.message == "book_* within each of shelf_*: 3 expected, shelf_2 has 1 (book_4)"
    assert (issue.code, issue.basis, issue.severity) == ("requirement.count", "requirement", "note")
    assert (issue.requirement, issue.phrase) == ("r7", "three books on each")
    assert issue.numbers == {"found": 1, "expected": 3}
    assert issue.extent == 2
    assert [mark.text for mark in issue.marks] == ["shelf_2", "book_4"]
    assert {"shelf_1", "shelf_2", "book_1"} <= set(issue.subjects)


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


def test_exact_without_pens_is_exact() -> None:
    """A door 0.8 high whose arc and leaf have pens of different width."""
    door = part("door", box(0.4, 0.197, 0.5, 0.3105), style=Style(widths=(0.006, 0.021)), bare=box(0.4, 0.2, 0.5, 0.3))
    assert outcome(on_paper(door), said("size", "door", height=0.1)) == "met"


@settings(max_examples=50)
@given(st.floats(0.0, 0.3), st.floats(0.0, 0.3))
@pytest.mark.slow
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
    common = {"id", "kind", "quote", "parts", "reason", "judged"}
    assert {name for spec in KINDS.values() for name in spec.fields} == set(Requirement.model_fields) - common


def test_the_docs_hold_the_table() -> None:
    assert DOCS.read_text("utf-8").endswith(table()), "its end is redraft.layout.requirements.table()"


def test_what_became_invisible_since_is_broken() -> None:
    """A statement that was read on an earlier layout."""
    red = Requirement(kind="color", parts=("tree_0",), color="red")
    [found] = kinds.measure([red], on_paper(at("tree_0", 1.5, 0.5)))
    assert (found.outcome, found.found) == ("broken", "none of them is visible")
    assert found.numbers == {"found": 0.0, "expected": 1.0}
    beside = Requirement(kind="relation", parts=("tree_0",), relation="beside", of=("rock",))
    [found] = kinds.measure([beside], on_paper(at("tree_0", 0.5, 0.5), part("rock", GeometryCollection())))
    assert (found.outcome, found.found) == ("broken", "rock has no shape")
    assert found.numbers == {"found": 0.0, "expected": 1.0}


def test_only_the_first_three_of_many_are_told() -> None:
    [found] = measured(bars(*(0.05 * n for n in range(1, 6))), said("size", "bar_*", height=0.5))
    assert found.found.count(";") == 3
    assert found.found.endswith("; and 2 more")
    assert len(found.worst) == 5
    [fine] = measured(row(0.1, 0.3), said("size", "tree_*", width=0.1))
    assert (fine.found, fine.deviation) == ("all 2 comparisons hold", 0.0)


def test_the_widest_pen_is_taken_off_both_ways() -> None:
    pen = Style(strokes=("#000000",), widths=(0.002, 0.01))
    layout = on_paper(at("frame", 0.5, 0.5, 0.41, 0.21, style=pen))
    assert outcome(layout, said("size", "frame", width=0.4, height=0.2)) == "met"
