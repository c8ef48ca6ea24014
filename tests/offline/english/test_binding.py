"""Mentions find their items: by label, name, whole, colour, size and, between equals, by their relations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import GeometryCollection, box

from redraft.layout.items import Item, Layout, Style
from redraft.offline.english.binding import NONE, bind, match_label, match_name, reading_order
from redraft.offline.english.reading import Mention, Reading, Relate, Selector


def at(name: str, label: str, x: float, y: float = 0.5, *, parent: str | None = None, fill: str = "") -> Item:
    style = Style(fills=(fill,)) if fill else Style()
    return Item(name, label, box(x, y, x + 0.1, y + 0.1), parent, style=style)


def names(reading: Reading, layout: Layout, mention: str) -> tuple[str, ...]:
    return bind(reading, layout).of(mention).items


@pytest.mark.parametrize(
    ("label", "noun", "tier"),
    [
        ("tree", "tree", 0),
        ("Trees", "tree", 0),
        ("teddy-bear", "teddy bear", 0),
        ("pine tree", "tree", 1),
        ("house wall", "house", 2),
        ("sofa", "couch", 3),
        ("tree", "pine tree", 4),
        ("farm", "far", NONE),
        ("dog bed", "dog", NONE),
        ("", "dog", NONE),
    ],
)
def test_labels_name_nouns_by_tiers(label: str, noun: str, tier: int) -> None:
    assert match_label(label, noun) == tier


def test_names_help_where_labels_do_not() -> None:
    assert match_name("tree_trunk", "tree") == 5
    assert match_name("house_left", "house") == 5
    assert match_name("treehouse", "tree") == NONE


def test_parts_of_the_whole_are_meant() -> None:
    layout = Layout(
        (
            at("house", "house", 0.1),
            at("window_1", "window", 0.1, parent="house"),
            at("shop", "shop", 0.6),
            at("window_2", "window", 0.6, parent="shop"),
        )
    )
    reading = Reading("", (Mention("h", "house"), Mention("w", "window", 1, "h")))
    assert names(reading, layout, "w") == ("window_1",)


def test_groups_stand_for_their_members() -> None:
    layout = Layout(
        (
            Item("flowers", "flowers", GeometryCollection()),
            at("b", "flower", 0.6, parent="flowers"),
            at("a", "flower", 0.1, parent="flowers"),
        )
    )
    assert names(Reading("", (Mention("f", "flower", 2),)), layout, "f") == ("a", "b")


def test_a_lump_is_one_item_that_cannot_be_counted() -> None:
    layout = Layout((at("buttons", "buttons", 0.1),))
    assert bind(Reading("", (Mention("b", "button", 3),)), layout).of("b").lumped


def test_colour_tells_two_mentions_of_one_noun_apart() -> None:
    layout = Layout((at("ball_1", "ball", 0.1, fill="#e74c3c"), at("ball_2", "ball", 0.6, fill="#2e86c1")))
    reading = Reading("", (Mention("b", "ball", colour="blue"), Mention("r", "ball", colour="red")))
    assert names(reading, layout, "b") == ("ball_2",)
    assert names(reading, layout, "r") == ("ball_1",)


def test_relations_tell_two_mentions_of_one_noun_apart() -> None:
    layout = Layout((at("tree_1", "tree", 0.1), at("house", "house", 0.4), at("tree_2", "tree", 0.8)))
    mentions = (Mention("t", "tree"), Mention("u", "tree"), Mention("h", "house"))
    right = Relate(relation="right_of", subjects=Selector("t"), objects=(Selector("h"),))
    reading = Reading("", mentions, (right,))
    assert names(reading, layout, "t") == ("tree_2",)
    assert names(reading, layout, "u") == ("tree_1",)


def test_elimination_is_a_guess() -> None:
    layout = Layout((at("body", "body", 0.4),))
    bound = bind(Reading("", (Mention("c", "cat"),)), layout).of("c")
    assert bound.items == ("body",)
    assert not bound.certain


def test_nothing_is_guessed_when_two_are_missing() -> None:
    layout = Layout((at("body", "body", 0.4),))
    binding = bind(Reading("", (Mention("c", "cat"), Mention("d", "dog"))), layout)
    assert binding.of("c").items == binding.of("d").items == ()


def test_ordinals_count_from_both_ends_and_leave_the_others() -> None:
    layout = Layout(tuple(at(f"c{i}", "column", 0.2 * i) for i in (3, 1, 0, 2)))
    binding = bind(Reading("", (Mention("c", "column", 4),)), layout)
    assert [i.name for i in binding.items(Selector("c", (2,)))] == ["c1"]
    assert [i.name for i in binding.items(Selector("c", (-1,)))] == ["c3"]
    assert [i.name for i in binding.items(Selector("c", (2,), others=True))] == ["c0", "c2", "c3"]


def test_columns_read_downward_and_grids_row_by_row() -> None:
    column = Layout((at("low", "box", 0.52, 0.8), at("top", "box", 0.5, 0.1), at("mid", "box", 0.51, 0.4)))
    assert reading_order(column, ["low", "top", "mid"]) == ("top", "mid", "low")
    grid = Layout(tuple(at(f"g{r}{c}", "box", 0.2 * c, 0.2 * r) for c in range(3) for r in range(2)))
    assert reading_order(grid, [i.name for i in grid]) == ("g00", "g01", "g02", "g10", "g11", "g12")


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12, unique=True))
@settings(max_examples=100, deadline=None)
def test_reading_order_is_a_permutation_that_does_not_depend_on_input_order(cells: list[tuple[int, int]]) -> None:
    layout = Layout(tuple(at(f"b{x}_{y}", "box", 0.1 * x, 0.1 * y) for x, y in cells))
    listed = [i.name for i in layout]
    order = reading_order(layout, listed)
    assert sorted(order) == sorted(listed)
    assert order == reading_order(layout, listed[::-1])
