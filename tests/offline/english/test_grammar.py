"""The grammar: what a brief asks for, as mentions and constraints."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import box

from redraft.errors import BriefError, ContradictionError
from redraft.layout.items import Item, Layout
from redraft.offline.english.grammar import read
from redraft.offline.english.reading import (
    Align,
    Angle,
    Compare,
    Count,
    EqualSpacing,
    Grid,
    Measure,
    Place,
    Reading,
    Relate,
    Selector,
    Size,
)
from redraft.offline.english.stating import stated


def facts(text: str) -> set[tuple[str, str, str, bool]]:
    """Every relation as (subject, relation, objects, certain)."""
    reading = read(text)
    return {
        (c.subjects.mention, c.relation, " ".join(o.mention for o in c.objects), c.certain)
        for c in reading.constraints
        if isinstance(c, Relate)
    }


def counts(text: str) -> dict[str, tuple[int, bool]]:
    """Number and "at least", by mention."""
    return {c.mention: (c.number, c.at_least) for c in read(text).constraints if isinstance(c, Count)}


FactT = TypeVar("FactT")


def only(reading: Reading, kind: type[FactT]) -> FactT:
    found = [c for c in reading.constraints if isinstance(c, kind)]
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a cat left of a dog", ("cat", "left_of", "dog")),
        ("a dog to the right of a teddy bear", ("dog", "right_of", "teddy_bear")),
        ("a kite above a bench", ("kite", "above", "bench")),
        ("a car below a bridge", ("car", "below", "bridge")),
        ("a large sleeping cat laying under a parked car", ("cat", "below", "car")),
        ("a cat sitting on top of a wooden bench", ("cat", "on", "bench")),
        ("a cat inside a box", ("cat", "inside", "box")),
        ("a knight beside a chess board", ("knight", "beside", "chess_board")),
        ("a boat positioned behind a car", ("boat", "behind", "car")),
        ("an owl in front of the moon", ("owl", "in_front_of", "moon")),
        ("A cup of coffee is next to a laptop computer.", ("cup", "beside", "laptop")),
        ("a snowman between two pine trees", ("snowman", "between", "pine_tree")),
        ("a lamp between a chair and a table", ("lamp", "between", "chair table")),
        ("a ball near a tree", ("ball", "near", "tree")),
        ("a farm far from a barn", ("farm", "far", "barn")),
        ("A train with a horse next to it", ("horse", "beside", "train")),
        ("a dog and a cat next to each other", ("dog", "beside", "cat")),
        ("In front of a house is a tree", ("tree", "in_front_of", "house")),
        ("a black cat that is sitting on top of a toilet", ("cat", "on", "toilet")),
        ("a red car, left of a blue bus", ("car", "left_of", "bus")),
        ("a cat is under the back of a car", ("cat", "below", "car")),
    ],
)
def test_one_relation(text: str, expected: tuple[str, str, str]) -> None:
    assert (*expected, True) in facts(text)
    assert not {f for f in facts(text) if f[:3] != expected and f[3]}


@pytest.mark.parametrize(
    "words",
    ["a cat, an onion and a dog", "a cat, a farmer and a dog", "a cat inspecting a dog", "a cat overtaking a dog",
     "a cat undermining a dog", "a cat onlooking a dog", "a cat bypassing a dog"],
)  # fmt: skip
def test_words_have_boundaries(words: str) -> None:
    """`in`, `over`, `under`, `on` and `by` are not found in the beginning of another word."""
    assert facts(words) == set()
    assert {"cat", "dog"} <= {mention.noun for mention in read(words).mentions}


def test_much_further_is_measured_from_the_landmark() -> None:
    reading = read("two flowers to the left of a house, and a tree much further right")
    tree = next(c for c in reading.constraints if isinstance(c, Relate) and c.subjects.mention == "tree")
    assert (tree.relation, tree.objects, tree.degree) == ("right_of", (Selector("house"),), "much_further")
    assert reading.unchecked == ()


@pytest.mark.parametrize("color", ["#264653", "#CC2222"])
def test_a_hexadecimal_color_is_a_color_and_no_number(color: str) -> None:
    reading = read(f"a cup left of three {color} boxes")
    assert {m.noun: (m.count, m.colour) for m in reading.mentions} == {"cup": (1, None), "box": (3, color.lower())}
    assert facts(f"a cup left of a {color} box") == {("cup", "left_of", "box", True)}
    assert not read(f"{color} covers everything").mentions


def test_pronouns_and_implied_objects_mean_the_topic() -> None:
    found = facts("a house with two windows and a door, a tree to its left, the sun above")
    assert {f[:3] for f in found} == {("tree", "left_of", "house"), ("sun", "above", "house")}


def test_parts_know_their_whole() -> None:
    reading = read("a house with two windows and a door")
    assert {(m.noun, m.count, m.whole) for m in reading.mentions} == {
        ("house", 1, None),
        ("window", 2, "house"),
        ("door", 1, "house"),
    }


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("the hood of a car", "hood", "car"),
        ("a bicycle tire", "tire", "bicycle"),
        ("a laptop computer's keyboard", "keyboard", "laptop"),
        ("a cats tail", "tail", "cat"),
    ],
)
def test_parts_by_possession(text: str, part: str, whole: str) -> None:
    assert {m.noun: m.whole for m in read(text).mentions} == {part: whole, whole: None}


def test_what_is_no_part_stays_a_mention_of_its_own() -> None:
    assert {m.noun: m.whole for m in read("a girl with a ball").mentions} == {"girl": None, "ball": None}


def test_a_further_relation_after_an_object_is_a_guess() -> None:
    assert facts("A bird in a cage next to a cat") == {
        ("bird", "inside", "cage", True),
        ("bird", "beside", "cat", False),
        ("cage", "beside", "cat", False),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("five buss", {"bus": (5, False)}),
        ("an image of two sheeps", {"sheep": (2, False)}),
        ("there are two cows in the photo", {"cow": (2, False)}),
        ("three women and two mice", {"woman": (3, False), "mouse": (2, False)}),
        ("a dozen eggs", {"egg": (12, False)}),
        ("12 red apples", {"apple": (12, False)}),
        ("twenty stars", {"star": (20, False)}),
        ("a pair of scissors", {"scissors": (1, False)}),
        ("a pair of shoes", {"shoe": (2, False)}),
        ("trees", {"tree": (2, True)}),
        ("at least three dogs", {"dog": (3, True)}),
        ("herd of five zebras grazing in a field", {"zebra": (5, False)}),
        ("one car together with the equal number of truck", {"car": (1, False), "truck": (1, False)}),
        ("three dogs and the same number of cats", {"dog": (3, False), "cat": (3, False)}),
        (
            "two cars along with a few buses, the number of cars is more than that of buses",
            {"car": (2, False), "bus": (1, False)},
        ),
        (
            "one cat with a few chairs, the number of cat is less than that of chairs",
            {"cat": (1, False), "chair": (2, True)},
        ),
        ("a photo of a hot dog and a potted plant", {"hot_dog": (1, False), "potted_plant": (1, False)}),
        ("five broccolis", {"broccoli": (5, False)}),
        ("two slices of pizza", {"slice_of_pizza": (2, False)}),
    ],
)
def test_numbers(text: str, expected: dict[str, tuple[int, bool]]) -> None:
    found = counts(text)
    assert {k: found.get(k) for k in expected} == expected


def test_without_and_no() -> None:
    assert counts("a house without windows")["window"][0] == 0


def test_colours_and_sizes() -> None:
    bench, dog = read("a tiny dark blue bench and a black and white dog").mentions
    assert (bench.noun, bench.colour, bench.size) == ("bench", "dark blue", 0.5)
    assert (dog.noun, dog.colour) == ("dog", "black")
    assert read("a house. The house is red").mentions[0].colour == "red"
    assert [m.noun for m in read("an orange and a banana").mentions] == ["orange", "banana"]


def test_columns_equally_spaced_one_taller() -> None:
    reading = read("seven columns, equally spaced, the fourth 20 % taller")
    compare = only(reading, Compare)
    assert (compare.subjects, compare.reference) == (Selector("column", (4,)), Selector("column", (4,), others=True))
    assert (compare.dimension, compare.factor, compare.at_least) == ("height", pytest.approx(1.2), False)
    assert only(reading, EqualSpacing).axis == "x"
    assert counts(reading.text) == {"column": (7, False)}


def test_a_grid_names_its_rows_first() -> None:
    reading = read("a 3 by 4 grid of windows, 0.02 apart, centred")
    grid = only(reading, Grid)
    assert (grid.rows, grid.columns, grid.gap) == (3, 4, Measure(0.02))
    assert only(reading, Place).group
    assert counts(reading.text) == {"window": (12, False)}
    assert reading.unchecked == ()


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [
        ("a clock showing 10:10", 305.0, 60.0),
    ],
)
def test_clock_hands(text: str, hour: float, minute: float) -> None:
    reading = read(text)
    angles = {reading.mention(c.selector.mention).noun: c.degrees for c in reading.constraints if isinstance(c, Angle)}
    assert angles == {"hour hand": hour, "minute hand": minute}
    assert {m.whole for m in reading.mentions} == {None, "clock"}


def test_a_floor_plan() -> None:
    reading = read("a floor plan: a 5 m by 4 m room with a 0.9 m door in the middle of the south wall")
    sizes = {c.selector.mention: (c.width, c.height) for c in reading.constraints if isinstance(c, Size)}
    assert sizes == {"room": (Measure(5, "m"), Measure(4, "m")), "door": (Measure(0.9, "m"), None)}
    place = only(reading, Place)
    assert (place.spot, place.side, place.within) == ("center", "bottom", Selector("room"))


def test_rows_and_ratios() -> None:
    balloons = read("five balloons in a row")
    assert only(balloons, Align).axis == "x"
    tree = only(read("the tree is twice as tall as the house"), Compare)
    assert (tree.dimension, tree.factor, tree.subjects.mention, tree.reference.mention) == (
        "height",
        2.0,
        "tree",
        "house",
    )
    last = only(read("a row of four houses, the last one taller"), Compare)
    assert (last.subjects.ordinals, last.at_least) == ((-1,), True)


def test_places_on_the_canvas() -> None:
    reading = read("a tree in the top left corner and a house in the middle")
    spots = {c.selector.mention: c.spot for c in reading.constraints if isinstance(c, Place)}
    assert spots == {"tree": "top_left", "house": "center"}


def test_an_explicit_distance() -> None:
    relation = only(read("C1 exactly 0.5 mm right of U1"), Relate)
    assert (relation.distance, relation.relation) == (Measure(0.5, "mm"), "right_of")
    assert [m.noun for m in read("C1 exactly 0.5 mm right of U1").mentions] == ["C1", "U1"]


def test_what_nothing_covers_is_unchecked_in_the_words_of_the_brief() -> None:
    assert read("a happy cat on a rainy day").unchecked == ("happy", "rainy day")
    assert read("a sun next to a house").unchecked == ()


@pytest.mark.parametrize(
    "text", ["ein Haus mit zwei Fenstern und einer Tür", "一只猫在房子左边", "дом и дерево", "😀 😀"]
)
def test_other_languages_are_unchecked(text: str) -> None:
    reading = read(text)
    assert reading.mentions == ()
    assert reading.constraints == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A left of B and B left of A", ("left of", "left of")),
        ("a cat above a dog. The dog is above the cat.", ("above", "above")),
        ("a tree above a house. The house is above a car. The car is above the tree", ("above", "above", "above")),
        ("a box inside a bag. The bag is inside the box", ("inside", "inside")),
        ("exactly two flowers and exactly three flowers", ("exactly two flowers", "exactly three flowers")),
        ("two flowers, and the three flowers are red", ("two flowers", "the three flowers")),
    ],
)
def test_contradictions_name_their_words(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(ContradictionError) as caught:
        read(text)
    for word in words:
        assert word in str(caught.value)
    assert len(caught.value.phrases) == len(words)


def test_two_of_a_kind_are_no_contradiction() -> None:
    assert len(read("a red cup left of a blue cup, the blue cup left of a green cup").mentions) == 3


@pytest.mark.parametrize(
    "text", ["make the roof red", "now add a tree to the left of it", "remove the sun", "Move the tree closer."]
)
def test_edits_are_recognised(text: str) -> None:
    assert read(text).edit


@pytest.mark.parametrize(
    "text", ["draw a cat", "make a picture of a red house", "a house", "put a cube left of a ball"]
)
def test_drawings_are_no_edits(text: str) -> None:
    assert not read(text).edit


def test_it_is_what_is_there() -> None:
    reading = read("add a tree to the left of it", present=("house",))
    relation = only(reading, Relate)
    assert (relation.subjects.mention, relation.relation, relation.objects[0].mention) == ("tree", "left_of", "house")


def test_long_texts_take_time_in_proportion() -> None:
    start = time.process_time()
    read("a dog beside a cat, " * 400)
    read("the lid of the box of " * 400 + "a cat")
    assert time.process_time() - start < 20


VOCABULARY = """a the two three cat dog house tree red big left right of above between and with to its it , . in row 3
by 4 grid on taller than 10:10 half past of 's equally spaced % the fourth next to each other zorb"""
WORDS = st.sampled_from(VOCABULARY.split())
PART_NAME = re.compile("[A-Za-z][A-Za-z0-9_-]*$")
"""As parts of a drawing are named."""


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=25))
def test_any_words_give_a_sound_reading_or_a_contradiction(words: list[str]) -> None:
    try:
        reading = read(" ".join(words))
    except ContradictionError:
        return
    known = {m.id for m in reading.mentions}
    assert len(known) == len(reading.mentions)
    for fact in reading.constraints:
        if isinstance(fact, Relate):
            assert {fact.subjects.mention, *(o.mention for o in fact.objects)} <= known


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    with suppress(ContradictionError):
        reading = read(text)
        assert reading.text == text
        assert all(PART_NAME.match(mention.id) and mention.noun for mention in reading.mentions)


@pytest.mark.parametrize("text", ["one great S", "it's a's", "a fjäll", "a Ω left of a cat", "_twoS", "9bigés"])
def test_a_thing_is_named_as_a_part_can_be(text: str) -> None:
    assert all(PART_NAME.match(mention.id) and mention.noun for mention in read(text).mentions)


@pytest.mark.parametrize(
    "text",
    [
        "a house, and a tree much further right",
        "a house and a tree, much further to the right",
        "a house, and much further right a tree",
        "a house. Much further right, a tree.",
        "a house and a tree, the tree much further right",
    ],
)
def test_much_further_right_is_measured_from_the_other_thing(text: str) -> None:
    reading = read(text)
    (relation,) = [c for c in reading.constraints if not isinstance(c, Count)]
    assert isinstance(relation, Relate)
    assert (relation.relation, relation.subjects.mention, relation.degree) == ("right_of", "tree", "much_further")
    assert [o.mention for o in relation.objects] == ["house"]
    assert relation.certain
    assert reading.unchecked == ()


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("a house, a tree beside it", "beside"),
        ("a house and a tree beside it", "beside"),
        ("a house, and beside it a tree", "beside"),
        ("a house and a tree much further away", "far"),
        ("a tree much further from the house", "far"),
        ("a tree much further away from a house", "far"),
    ],
)
def test_of_a_list_the_last_is_meant(text: str, relation: str) -> None:
    (found,) = [c for c in read(text).constraints if isinstance(c, Relate)]
    assert (found.relation, found.subjects.mention, [o.mention for o in found.objects]) == (relation, "tree", ["house"])


def test_of_several_things_on_the_left_only_the_last_is_certain() -> None:
    places = [c for c in read("a dog and a cat on the left").constraints if isinstance(c, Place)]
    assert [(c.selector.mention, c.certain) for c in places] == [("dog", False), ("cat", True)]


HUGE_NUMBERS = ["99999999999999999999", "1" + "0" * 400, "10001"]


@pytest.mark.parametrize("number", HUGE_NUMBERS)
@pytest.mark.parametrize(
    "text",
    [
        "{} houses",
        "a {} by {} grid of houses",
        "{} houses in a 100000 by 100000 grid",
        "a house with {} windows",
        "a tree {}000000 m left of a house",
        "a {}000000 m by 4 m room",
        "five houses {}000000 m apart",
        "a tree {}00000 % taller than a house",
    ],
)
def test_a_number_that_nothing_can_hold_is_refused_at_once(text: str, number: str) -> None:
    start = time.process_time()
    with pytest.raises(BriefError, match=r"The instruction asks for too much: “.* is more than [\d,]+ \w+\. Ask for"):
        read(text.format(*[number] * text.count("{}")))
    assert time.process_time() - start < 5


def test_commas_between_thousands_are_part_of_a_number() -> None:
    with pytest.raises(BriefError, match="more than 10,000 things"):
        read("1,000,000,000 houses")
    assert read("1,000 houses").mentions[0].count == 1000


def test_numbers_at_the_limit_are_read_and_can_be_stated() -> None:
    assert read("10,000 houses").mentions[0].count == 10_000
    assert read("a 5000 mm by 4000 mm room").mentions[0].noun == "room"
    assert read("a 100 by 100 grid of houses").mentions[0].count == 10_000


def test_a_size_of_less_than_nothing_is_refused() -> None:
    with pytest.raises(BriefError, match="asks for a size of zero or less"):
        read("a tree 200 % smaller than a house")


@pytest.mark.parametrize(("text", "left"), [("1/3 houses", "1/3"), ("-5 houses", "-5"), ("5/0 houses", "5/0")])
def test_what_is_not_a_count_is_not_read_as_one(text: str, left: str) -> None:
    reading = read(text)
    assert reading.mentions[0].count is None
    assert left in reading.unchecked


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(
        [
            "{} houses in a {} by {} grid",
            "a tree {} m left of a house",
            "a house {} % taller than a tree",
            "the {}th house",
            "a clock showing {}:{}",
            "a house rotated by {} degrees",
            "{} houses with {} windows each",
            "houses {} apart",
            "a {} m by {} m house",
        ]
    ),
    st.lists(
        st.one_of(
            st.integers(-5, 10**25).map(str),
            st.floats().map(str),
            st.sampled_from(["1e308", "nan", "inf", "0", "1" * 400, "٣", "²", "1,000", "0." + "0" * 400 + "1"]),
        ),
        min_size=3,
        max_size=3,
    ),
)
def test_any_number_is_read_or_refused_in_words(text: str, numbers: list[str]) -> None:
    with suppress(BriefError):
        reading = read(text.format(*numbers))
        assert all(m.count is None or m.count <= 10_000 for m in reading.mentions)
        stated(reading, Layout((Item("house", "house", box(0.2, 0.2, 0.6, 0.6)),)))
