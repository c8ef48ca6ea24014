"""A reading written as requirements on the parts of one drawing."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import GeometryCollection, box

from redraft.errors import ContradictionError
from redraft.layout.items import Item, Layout, Style
from redraft.layout.requirements.kinds import measure
from redraft.layout.requirements.reading import statements
from redraft.offline.english.grammar import read
from redraft.offline.english.stating import stated

HOUSE = Item("house", "house", box(0.4, 0.4, 0.7, 0.9), style=Style(fills=("#cc2222",)))
TREE = Item("tree_trunk", "tree", box(0.1, 0.5, 0.2, 0.9))


def row(count: int, *, label: str = "column") -> list[Item]:
    return [Item(f"{label}_{k}", label, box(0.1 * k, 0.4, 0.1 * k + 0.05, 0.9 - 0.02 * k)) for k in range(count)]


BALLOONS = tuple(f"balloon_{k}" for k in range(5))


def said(text: str, *items: Item) -> list[dict[str, Any]]:
    return [r.model_dump(exclude_defaults=True, exclude={"id"}) for r in stated(read(text), Layout(items))]


def test_a_number_is_counted_by_a_pattern_that_matches_these_parts_alone() -> None:
    assert said("five columns", *row(5)) == [
        {"kind": "count", "quote": "five columns", "parts": ("column_*",), "number": 5}
    ]
    base = Item("column_4_base", "base", box(0.4, 0.85, 0.45, 0.9), "column_4")
    assert said("five columns", *row(5), base)[0]["parts"] == ("column_*",)  # a pattern never matches a part's part


def test_a_list_is_not_counted_against_itself() -> None:
    other = Item("column_9", "stump", box(0.8, 0.8, 0.85, 0.9), "house")
    assert said("five columns", *row(5), HOUSE, other) == []
    (short,) = said("six columns", *row(5), HOUSE, other)
    assert short["parts"] == tuple(f"column_{k}" for k in range(5))


def test_an_article_is_no_number_and_what_is_missing_is_counted() -> None:
    assert said("a house", HOUSE)[0]["limit"] == "at_least"
    (missing,) = stated(read("a house and two kites"), Layout((HOUSE,)))[1:]
    assert missing.parts == ("kite*",)
    assert measure((missing,), Layout((HOUSE,)))[0].outcome == "broken"


def test_what_may_be_something_else_is_not_missing() -> None:
    assert said("a cat", Item("body", "body", box(0.2, 0.2, 0.6, 0.6))) == []


def test_counts_within_each_whole() -> None:
    houses = [Item(f"house_{k}", "house", box(0.5 * k, 0.4, 0.5 * k + 0.4, 0.9)) for k in (0, 1)]
    windows = [
        Item(f"window_{k}_{j}", "window", box(0.5 * k + 0.2 * j, 0.5, 0.5 * k + 0.2 * j + 0.1, 0.6), f"house_{k}")
        for k in (0, 1)
        for j in (0, 1)
    ]
    (_, count) = said("two houses with two windows each", *houses, *windows)
    assert count["each"] == ("house_0", "house_1")
    assert count["number"] == 2


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a tree to the left of a house", {"kind": "relation", "relation": "left_of"}),
        ("a tree beside a house", {"kind": "relation", "relation": "beside"}),
        ("a tree near a house", {"kind": "distance", "length": 0.5, "limit": "at_most"}),
        ("a tree 0.2 to the left of a house", {"kind": "distance", "length": 0.2, "axis": "x"}),
        ("a tree taller than a house", {"kind": "ratio", "dimension": "height", "limit": "at_least"}),
        ("a tree half as tall as a house", {"kind": "ratio", "dimension": "height", "factor": 0.5}),
        ("a tree and a red house", {"kind": "color", "color": "red", "parts": ("house",)}),
        ("a tree in the top left corner and a house", {"kind": "place", "spot": "top_left"}),
    ],
)
def test_constraints_become_statements(text: str, wanted: dict[str, Any]) -> None:
    found = said(text, HOUSE, TREE)
    assert any(all(entry.get(key) == value for key, value in wanted.items()) for entry in found), found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("five columns in a row", {"kind": "alignment", "edge": "row"}),
        ("five columns, equally spaced", {"kind": "spacing", "axis": "x"}),
        ("five columns, the second 20 % taller", {"kind": "ratio", "parts": ("column_1",), "factor": 1.2}),
    ],
)
def test_arrangements_become_statements(text: str, wanted: dict[str, Any]) -> None:
    found = said(text, *row(5), *row(5, label="balloon"))
    assert any(all(entry.get(key) == value for key, value in wanted.items()) for entry in found), found


def test_in_a_backdrop_is_somewhere_on_it() -> None:
    meadow = Item("meadow", "meadow", box(0, 0.6, 1, 1))
    sheep = Item("sheep", "sheep", box(0.4, 0.4, 0.5, 0.65), layer=1)
    (relation,) = [r for r in said("a sheep in a meadow", meadow, sheep) if r["kind"] == "relation"]
    assert relation["relation"] == "touches"


def test_on_the_side_of_a_room_is_on_its_edge() -> None:
    room = Item("room", "room", box(0.1, 0.1, 0.9, 0.74))
    door = Item("door", "door", box(0.43, 0.73, 0.57, 0.75), "room")
    text = "a 5 m by 4 m room with a 0.9 m door in the middle of the south wall"
    requirements = stated(read(text), Layout((room, door)))
    kinds = {(r.kind, r.spot, r.edge, r.relation, r.unit) for r in requirements}
    assert ("place", "bottom", None, None, "frame") in kinds
    assert ("alignment", None, "center_x", None, "frame") in kinds
    assert ("relation", None, None, "touches", "frame") in kinds
    assert ("size", None, None, None, "real") in kinds
    assert {m.outcome for m in measure(requirements, Layout((room, door)))} <= {"met", "inexact"}


def test_its_own_statements_can_be_read_again() -> None:
    layout, text = Layout((HOUSE, TREE)), "a tree to the left of a red house"
    raw = [r.model_dump(mode="json", exclude_defaults=True) for r in stated(read(text), layout)]
    found = statements(raw, text, layout)
    assert found.set_aside == ()
    assert len(found.requirements) == len(raw) > 2


@given(st.lists(st.sampled_from(["a", "cat", "two", "dogs", "left of", "the", "red", "tall", "on", ","]), max_size=8))
@settings(max_examples=60, deadline=None)
def test_nothing_that_is_read_cannot_be_stated(words: list[str]) -> None:
    ghost = Item("cat", "cat", GeometryCollection())
    with contextlib.suppress(ContradictionError):
        reading = read(" ".join(words))
        for layout in (Layout(()), Layout((ghost, Item("dog_1", "dog", box(0.1, 0.1, 0.2, 0.2))))):
            requirements = stated(reading, layout)
            assert len(measure(requirements, layout)) == len(requirements)
