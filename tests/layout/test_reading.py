"""Statements read against a brief and a layout; a bad one costs a line, never a run."""

from __future__ import annotations

import gc
import math
import time
from typing import Any, Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue
from requirement_layouts import (
    JSON,
    Raw,
    aside,
    at,
    in_scene,
    measured,
    on_paper,
    outcome,
    row,
    said,
    solid,
)
from shapely import box

from redraft.layout import requirements as stated
from redraft.layout.items import Item, Layout
from redraft.layout.requirements import MAX_REQUIREMENTS, Relation, answered, kinds, merged, reading, unmeasured
from redraft.layout.requirements.kinds import KINDS
from redraft.result import Mismatch


def test_a_count_of_an_earlier_run_of_which_nothing_is_left_is_broken() -> None:
    layout = on_paper(at("house", 0.5, 0.5))
    count = said("count", "tulip_*", number=3, id="r1")
    assert reading.statements([count], "", layout).set_aside
    assert outcome(layout, {**count, "agreed": True}) == "broken"
    each: Raw = {**count, "each": ["vase_*"], "agreed": True}
    assert "no part matches" in reading.statements([each], "", layout).set_aside[0]


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
        (said("spacing", "kite_*", limit="at_least"), "length is missing"),
        (said("spacing", "kite_*", unit="real"), "length is missing"),
        (said("spacing", "house", length=0.1), "it needs two parts and a length, or three"),
        (said("ratio", "house", of=["kite_1"], dimension="aspect", factor=2), "aspect is of a part itself"),
        (said("proportion", "house", values=[1]), "a proportion needs two parts"),
        (said("proportion", "kite_*", values=[-1, 2]), "below zero"),
        (said("alignment", "kite_*", edge="left", length=0.1), "are of a grid"),
        (said("distance", "house", of=["kite_1"], length=1, axis="z"), "no depth"),
        (said("ratio", "house", of=["kite_1"], dimension="depth", factor=2), "no depth"),
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


@pytest.mark.slow
def test_a_thousand_odd_statements_cost_lines_and_no_time() -> None:
    layout = Layout(tuple(at(f"part_{n}", n % 25 / 25, n // 25 / 20, 0.03, 0.03, layer=n) for n in range(500)))
    raws: list[list[JsonValue]] = [
        [said("count", ["*a" * 60, "*" * 150], number=n) for n in range(1000)],
        [said("relation", f"part_{n}*", relation="left_of", of=["*p*a*r*t*"], quote="x" * 400) for n in range(1000)],
        [said("count", "p*", number=3)] * 1000,
        [f"{n}" for n in range(1000)],
    ]
    for raw in raws:
        gc.collect()  # late in a whole run a collection takes longer than the rules, and is not theirs
        start = time.process_time()
        kept = merged((), raw)
        found = reading.statements(kept, "a brief " * 1000, layout)
        assert time.process_time() - start < 1.0
        assert len(kept) <= MAX_REQUIREMENTS
        assert len(found.set_aside) + len(found.requirements) <= MAX_REQUIREMENTS
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


@pytest.mark.slow
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


def withdrawn(name: str, reason: str = "") -> Mismatch:
    return Mismatch(id=name, wrong="statement", reason=reason)


def test_a_withdrawn_statement_is_listed_with_its_reason_and_not_measured() -> None:
    brief = "three red kites over a house"
    raw = merged((), [said("count", "kite_*", number=4, quote="three red kites")])
    before = reading.statements(raw, brief, HOUSE)
    assert kinds.measure(before.requirements, HOUSE)[0].outcome == "broken"
    assert unmeasured(brief, before.requirements) == ("over a house",)
    after = reading.statements(answered(raw, [withdrawn("r1", "the brief says three")]), brief, HOUSE)
    results = kinds.measure(after.requirements, HOUSE)
    assert [(r.outcome, r.changed, r.found, r.deviation) for r in results] == [
        ("withdrawn", "the brief says three", "", 0.0)
    ]
    assert kinds.issues_of(results, HOUSE) == ()
    assert unmeasured(brief, after.requirements) == (brief,), "its quote counts as not measured"


def test_an_upheld_statement_that_does_not_hold_is_an_error() -> None:
    raw = merged((), [said("count", "kite_*", number=4)])
    outcomes: list[tuple[str, bool]] = []
    for entries in (raw, answered(raw, [Mismatch(id="r1", wrong="drawing")])):
        results = kinds.measure(reading.statements(entries, "", HOUSE).requirements, HOUSE)
        (issue,) = kinds.issues_of(results, HOUSE)
        assert issue.requirement == "r1"
        outcomes.append((issue.severity, results[0].upheld))
    assert outcomes == [("note", False), ("error", True)]


def test_a_withdrawn_statement_contradicts_none() -> None:
    raw = merged((), [said("count", "kite_*", number=n) for n in (4, 3)])
    assert "contradict" in reading.statements(raw, "", HOUSE).set_aside[0]
    after = reading.statements(answered(raw, [withdrawn("r1")]), "", HOUSE)
    assert after.set_aside == ()
    assert [r.outcome for r in kinds.measure(after.requirements, HOUSE)] == ["withdrawn", "met"]


def test_a_withdrawn_length_gives_no_scale() -> None:
    lengths = [said("size", name, width=width, unit="real") for name, width in (("kite_1", 1), ("kite_2", 1))]
    assert aside(HOUSE, *lengths) == ""
    after = reading.statements(answered(merged((), lengths), [withdrawn("r2")]), "", HOUSE)
    assert "a scale needs two" in after.set_aside[0]
    assert [r.id for r in after.requirements] == ["r2"]
    third = [*lengths, said("size", "house", width=100, unit="real")]
    raw = answered(merged((), third), [withdrawn("r3")])
    assert [r.outcome for r in kinds.measure(reading.statements(raw, "", HOUSE).requirements, HOUSE)] == [
        "met",
        "met",
        "withdrawn",
    ]


def test_a_withdrawn_statement_stays_listed_when_its_parts_are_gone() -> None:
    raw = answered(merged((), [said("color", "dog", color="red")]), [withdrawn("r1", "the brief has no dog")])
    after = reading.statements(raw, "", HOUSE)
    assert after.set_aside == ()
    assert [r.outcome for r in kinds.measure(after.requirements, HOUSE)] == ["withdrawn"]


def test_of_a_thousand_requirements_two_hundred_are_read() -> None:
    raw = [said("size", "house", width=round(0.1 + n / 1000, 4), limit="at_least") for n in range(1000)]
    read = reading.statements(raw, "", HOUSE)
    assert len(read.requirements) == MAX_REQUIREMENTS == 200
    assert read.set_aside == ("800 more statements: at most 200 are read",)


def test_a_scene_refuses_what_it_cannot_measure() -> None:
    layout = in_scene(Item("hand", "hand", box(5, 5, 5.1, 5.01), height=(1.0, 2.0)))
    assert "stands upright" in aside(layout, said("angle", "hand", degrees=90))
    assert "cannot be read" in aside(layout, said("text", "hand", text="XII"))


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        (said("proportion", "kite_*", values=[1, 2, 3]), said("proportion", "kite_*", values=[3, 2, 1]), True),
        (said("proportion", "kite_*", order="increasing"), said("proportion", "kite_*", order="decreasing"), True),
        (said("size", "house", width=0.1), said("size", "house", height=0.1), False),
        (said("size", "house", width=0.1), said("size", "house", width=0.2), True),
        (said("size", "house", width=0.1, limit="at_least"), said("size", "house", width=0.2), False),
        (said("size", "house", width=0.1), said("size", "house", width=0.2, limit="at_least"), True),
        (said("size", "house", width=0.1), said("size", "house", width=0.2, limit="at_most"), False),
        (said("size", "house", width=0.2), said("size", "house", width=0.1, limit="at_most"), True),
    ],
)
def test_only_what_cannot_both_hold_contradicts(one: Raw, other: Raw, clash: bool) -> None:
    for pair in ([one, other], [other, one]):
        found = reading.statements(pair, "", HOUSE)
        assert len(found.requirements) == (0 if clash else 2)


@pytest.mark.parametrize(
    ("number", "limit", "refused"),
    [(2, "at_least", True), (3, "at_least", False), (2, "at_most", True), (1, "at_most", False), (3, "exactly", False)],
)
def test_a_count_of_listed_names_that_always_holds_is_set_aside(number: int, limit: str, refused: bool) -> None:
    raw = said("count", ["kite_1", "kite_2"], number=number, limit=limit)
    assert bool(reading.statements([raw], "", HOUSE).set_aside) is refused


def test_the_order_of_names_matters_only_in_a_proportion() -> None:
    names = ["kite_1", "kite_2"]
    same = [said("relation", list(order), relation="above", of=["house"]) for order in (names, names[::-1])]
    assert "says the same as r1" in aside(HOUSE, *same)
    ordered = [said("proportion", list(order), values=[1, 2]) for order in (names, names[::-1])]
    assert aside(HOUSE, *ordered) == ""


def test_a_statement_of_an_earlier_run_gives_way_to_this_brief() -> None:
    old, new = (said("count", "kite_*", number=n, id=f"r{n}") for n in (2, 3))
    found = reading.statements([{**old, "agreed": True}, new], "", HOUSE)
    assert [read.id for read in found.requirements] == ["r3"]
    assert found.set_aside[0].startswith("r2 is of an earlier run and gives way to r3: kite_*: 2 expected")


def test_an_id_that_is_given_twice_keeps_the_first() -> None:
    raw = [said("count", "kite_*", number=3, id="r1"), said("color", "house", color="red", id="r1")]
    found = reading.statements(raw, "", HOUSE)
    assert [read.kind for read in found.requirements] == ["count"]
    assert found.set_aside == ("r1 (color): its id is given twice",)
