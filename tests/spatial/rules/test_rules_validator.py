"""The validator as a whole: its parameters, scoring, bases, what stays unchecked, and drawings that are right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import GeometryCollection, Point, box

from redraft.spatial.layout import Frame, Item, Layout, Move
from redraft.spatial.reading import Count, Mention, Reading, Relate, Selector
from redraft.spatial.relations import read
from redraft.spatial.rules import SemanticValidator
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.spec import Draft

DATA = Path(__file__).parents[3] / "benchmarks" / "data"
INDEX = cast("dict[str, Any]", json.loads((DATA / "rules" / "index.json").read_text(encoding="utf-8")))


def thing(name: str, label: str, bounds: tuple[float, float, float, float], parent: str | None = None) -> Item:
    return Item(name, label, box(*bounds), parent)


def drawn(path: Path) -> Layout:
    data = json.loads(path.read_text(encoding="utf-8"))
    return layout_of(Draft.model_validate_json(json.dumps(data | {"approach": ""})).drawing)


def codes(layout: Layout, reading: Reading | None = None) -> list[str]:
    return [i.code for i in SemanticValidator().validate(layout, reading).issues]


HOUSE = thing("house", "house", (0.2, 0.4, 0.6, 0.8))
PIANO = thing("piano", "piano", (0.5, 0.5, 0.9, 0.9))


def test_an_empty_layout_has_no_issues_and_misses_what_is_asked_for() -> None:
    assert codes(Layout(())) == []
    assert codes(Layout(()), read("a cat and a dog")) == ["count.missing", "count.missing"]


def test_the_score_is_the_seeds() -> None:
    house = thing("house", "house", (0.2, 0.4, 0.8, 0.8))
    high = thing("window", "window", (0.3, 0.3, 0.5, 0.5), "house")
    report = SemanticValidator().validate(Layout((house, high)))
    assert [i.code for i in report.errors] == ["containment.outside"]
    assert report.score == 0.7
    assert not report.valid


def test_parameters_move_the_limits() -> None:
    layout = Layout((HOUSE, PIANO))  # intersection 0.1 × 0.3 over union 0.16 + 0.16 − 0.03: 0.103
    assert "overlap.objects" in codes(layout)
    assert not SemanticValidator(max_overlap_ratio=0.11).validate(layout).errors
    close = Layout((HOUSE, thing("piano", "piano", (0.61, 0.5, 0.9, 0.9))))
    assert not SemanticValidator(min_spacing=0.05).validate(close).warnings
    assert SemanticValidator(min_spacing=0.06).validate(close).warnings[0].code == "spacing.near_miss"


def test_what_the_base_had_is_inherited_and_does_not_score() -> None:
    base = Layout((HOUSE, PIANO))
    after = Layout((HOUSE, PIANO, thing("chair", "chair", (0.02, 0.4, 0.3, 0.79))))
    report = SemanticValidator().validate(after, base=base)
    assert [i.subjects for i in report.inherited] == [("house", "piano")]
    assert [i.subjects for i in report.issues] == [("house", "chair")]
    assert report.score == 0.7


def test_uncertain_constraints_are_unchecked_and_never_errors() -> None:
    mentions = (Mention("h", "house"), Mention("p", "piano"))
    wrong = Relate(
        relation="right_of", subjects=Selector("h"), objects=(Selector("p"),), phrase="somewhere by", certain=False
    )
    report = SemanticValidator().validate(Layout((HOUSE, PIANO)), Reading("", mentions, (wrong,)))
    assert "somewhere by" in report.unchecked
    assert all(i.category != "relation" for i in report.issues)


def test_what_is_bound_by_a_guess_is_unchecked() -> None:
    reading = Reading(
        "",
        (Mention("c", "cat", phrase="a cat"),),
        (Count(mention="c", number=1, phrase="a cat"),),
        unchecked=("of yore",),
    )
    report = SemanticValidator().validate(Layout((thing("body", "body", (0.2, 0.2, 0.7, 0.8)),)), reading)
    assert report.valid
    assert report.unchecked == ("of yore", "a cat")


def test_scenery_overlaps_nothing_but_a_rug_in_the_middle_does() -> None:
    sky = thing("sky", "sky", (0, 0, 1, 0.8))
    assert codes(Layout((sky, HOUSE))) == []
    slab = thing("slab", "slab", (0.15, 0.35, 0.75, 0.85))
    assert codes(Layout((slab, HOUSE))) == ["overlap.objects"]


def test_a_part_may_hang_on_another_part_than_its_parent() -> None:
    body = Item("body", "body", Point(0.5, 0.7).buffer(0.2))
    head = Item("head", "head", Point(0.5, 0.4).buffer(0.12), "body")
    hat = thing("hat", "hat", (0.4, 0.15, 0.6, 0.3), "body")
    assert codes(Layout((body, head, hat))) == []


def test_loose_clusters_are_told_once_with_the_way_back() -> None:
    body = Item("body", "body", Point(0.5, 0.7).buffer(0.2))
    head = Item("head", "head", Point(0.5, 0.3).buffer(0.1), "body")
    hat = thing("hat", "hat", (0.42, 0.1, 0.58, 0.22), "head")
    issues = SemanticValidator().validate(Layout((body, head, hat))).issues
    assert [i.code for i in issues] == ["attachment.apart"]
    assert issues[0].numbers["found"] == pytest.approx(0.1, abs=0.002)
    assert issues[0].mend.startswith("move head down by 0.10")


def test_mends_put_things_right() -> None:
    tree = thing("tree", "tree", (0.65, 0.4, 0.9, 0.8))
    layout, reading = Layout((HOUSE, tree)), read("a tree to the left of a house")
    issue = next(i for i in SemanticValidator().validate(layout, reading).issues if i.category == "relation")
    after = layout.moved((Move.shift("tree", issue.numbers["dx"], issue.numbers["dy"]),))
    assert "relation.direction" not in codes(after, reading)


def test_parts_that_paint_nothing_are_not_there() -> None:
    ghost = Item("dog", "dog", GeometryCollection())
    assert codes(Layout((HOUSE, ghost)), read("a house and a dog")) == ["count.missing"]


def test_counts_hold_within_each_whole() -> None:
    reading = read("two houses with two windows each")
    houses = [thing(f"house_{k}", "house", (0.1 + 0.5 * k, 0.4, 0.4 + 0.5 * k, 0.8)) for k in (0, 1)]
    windows = [
        thing(
            f"window_{k}_{j}", "window", (0.14 + 0.5 * k + 0.12 * j, 0.5, 0.22 + 0.5 * k + 0.12 * j, 0.6), f"house_{k}"
        )
        for k in (0, 1)
        for j in (0, 1)
    ]
    assert codes(Layout((*houses, *windows)), reading) == []
    assert codes(Layout((*houses, *windows[:3])), reading) == ["count.missing"]


@pytest.mark.parametrize("entry", INDEX["drawings"], ids=lambda e: Path(e["file"]).stem)
def test_clean_drawings_are_valid(entry: dict[str, Any]) -> None:
    layout = drawn(DATA / "rules" / entry["file"])
    report = SemanticValidator().validate(layout, read(entry["instruction"]))
    assert not report.errors
    assert not report.warnings


@pytest.mark.parametrize(
    ("number", "code"),
    [("03", "style.outlier"), ("06", "spacing.uneven"), ("08", "angle.hand"), ("09", "attachment.apart")],
)
def test_true_faults_of_a_capable_model_are_found(number: str, code: str) -> None:
    assert code in codes(drawn(DATA / "oneshot" / f"{number}.json"), read(INDEX["sixteen"][number]))


def test_reports_are_the_same_twice() -> None:
    layout, reading = drawn(DATA / "oneshot" / "09.json"), read(INDEX["sixteen"]["09"])
    first = SemanticValidator().validate(layout, reading).model_dump_json()
    again = SemanticValidator().validate(drawn(DATA / "oneshot" / "09.json"), reading).model_dump_json()
    assert first == again


boxes = st.tuples(st.floats(0, 0.8), st.floats(0, 0.8), st.floats(0.02, 0.4), st.floats(0.02, 0.4))


@given(st.lists(boxes, min_size=1, max_size=8), st.floats(-3, 3), st.floats(-3, 3))
@settings(max_examples=60, deadline=None)
def test_where_the_canvas_lies_does_not_matter(
    rows: list[tuple[float, float, float, float]], dx: float, dy: float
) -> None:
    """The same things in a frame that lies elsewhere give the same issues, rounding at the limits aside."""
    items = [thing(f"thing_{k}", "piano", (x, y, x + w, y + h)) for k, (x, y, w, h) in enumerate(rows)]
    layout = Layout(tuple(items))
    moved = layout.moved(tuple(Move.shift(i.name, dx, dy) for i in items))
    elsewhere = Layout(moved.items, Frame(bounds=(dx, dy, 1 + dx, 1 + dy)))
    before = {(i.code, i.subjects) for i in SemanticValidator().validate(layout).issues}
    after = {(i.code, i.subjects) for i in SemanticValidator().validate(elsewhere).issues}
    assert len(before ^ after) <= 2


@given(st.lists(boxes, min_size=2, max_size=8))
@settings(max_examples=60, deadline=None)
def test_overlaps_are_found_in_any_order(rows: list[tuple[float, float, float, float]]) -> None:
    items = [thing(f"thing_{k}", f"kind {k}x", (x, y, x + w, y + h)) for k, (x, y, w, h) in enumerate(rows)]

    def found(listed: list[Item]) -> set[frozenset[str]]:
        report = SemanticValidator().validate(Layout(tuple(listed)))
        return {frozenset(i.subjects) for i in report.issues if i.category == "overlap"}

    assert found(items) == found(items[::-1])
