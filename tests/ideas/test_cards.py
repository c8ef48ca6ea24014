"""FR2: idea cards in strict JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import FormatError, IdeaCardsError
from redraft.ideas.cards import MAX_REPLY, IdeaCard, object_in, parse_idea_cards

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.floats(-1e6, 1e6) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
).filter(lambda value: json.dumps(value).count("[") + json.dumps(value).count("{") < 7)
OBJECTS = st.dictionaries(st.text(st.characters(codec="utf-8")), VALUES, max_size=4)


@given(OBJECTS, st.booleans(), st.sampled_from(["{}", " \n{}\n ", "\ufeff{}", "```json\n{}\n```", "```\n{}\n```\n"]))
def test_an_object_is_read_bare_or_as_one_fence(found: dict[str, Any], plain: bool, around: str) -> None:
    text = json.dumps(found, ensure_ascii=plain, indent=None if plain else 1)
    assert object_in(around.replace("{}", text)) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("  \n", "it is empty"),
        ("Here you are: {}", "does not begin with {"),
        ("[]", "does not begin with {"),
        ("78", "does not begin with {"),
        ("null", "does not begin with {"),
        ("{} Done.", "5 characters follow the JSON"),
        ("{}{}", "2 characters follow the JSON"),
        ("Sure!\n```json\n{}\n```", "text around a fenced block"),
        ("```json\n{}\n```\nDone.", "text around a fenced block"),
        ("```json\n{}\n```\n```json\n{}\n```", "several blocks"),
        ("```json\n{}", "text around a fenced block"),
        ('{"a": 1,}', "broken at line 1, column "),
        ("{'a': 1}", "broken at line 1, column 2"),
        ('{"a": 1 // no\n}', "broken at line 1"),
        ('{"a": NaN}', "holds NaN"),
        ('{"a": -Infinity}', "holds -Infinity"),
        ('{"a": 1e999}', "holds the number 1e999"),
        ('{"a": ' + "9" * 5_000 + "}", "a number of 5,000 digits"),
        ('{"a": 1, "b": 2, "a": 1}', "the key 'a' twice"),
        ('{"x": {"a": 1, "a": 2}}', "the key 'a' twice"),
        ('{"a":' + "[" * 100_000 + "}", "more than 8 deep"),
        (r'{"a": "\ud800"}', r"'\ud800', half of a character"),
        ('{"a": "\x00"}', "broken at line 1"),
        ('{"a": "', "broken at line 1"),
    ],
)
def test_anything_else_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(FormatError) as caught:
        object_in(text)
    assert why in str(caught.value)


def test_a_reply_that_is_too_long_is_refused_with_its_length() -> None:
    with pytest.raises(FormatError, match="it has 2,000,001 characters; at most 2,000,000 are read"):
        object_in("{" + " " * (MAX_REPLY - 1) + "}")
    assert object_in("{" + " " * (MAX_REPLY - 2) + "}") == {}


@pytest.mark.parametrize(("brackets", "read"), [(7, True), (8, False)])
def test_eight_brackets_in_each_other_are_the_most(brackets: int, read: bool) -> None:
    text = '{"a": ' + "[" * brackets + "]" * brackets + "}"
    if read:
        assert object_in(text) == json.loads(text)
    else:
        with pytest.raises(FormatError, match="more than 8 deep"):
            object_in(text)


def test_brackets_and_fences_in_texts_count_for_nothing() -> None:
    text = '{"a": "[[[[[[[[[[[[ ``` \\" {{{{{{{{{{{{"}'
    assert object_in(text) == json.loads(text)


@given(st.text(max_size=80))
def test_any_other_text_is_a_format_error_and_is_not_quoted_at_length(text: str) -> None:
    said = ""
    try:
        object_in(text)
    except FormatError as error:
        said = str(error)
    assert len(said) < 160


def card(id_: str = "A", **changes: Any) -> dict[str, Any]:
    """A card as a model writes it. A change to `...` leaves the field out."""
    made: dict[str, Any] = {
        "id": id_,
        "hook": "A lighthouse that is wound up each evening.",
        "narrative": "A keeper turns a key as tall as himself; far below, the sea ticks.",
        "options": {
            "composition": ["from below", "a long section"],
            "palette": ["brass and fog", "ink and rust"],
            "medium": ["etching"],
            "mood": ["patient"],
        },
    }
    return {key: value for key, value in (made | changes).items() if value is not ...}


def options(**changes: Any) -> dict[str, Any]:
    return {key: value for key, value in (card()["options"] | changes).items() if value is not ...}


def reply(*cards: Any) -> str:
    return json.dumps({"ideas": cards})


def refusal(text: str, num_ideas: int = 1) -> str:
    with pytest.raises(IdeaCardsError) as caught:
        parse_idea_cards(text, num_ideas)
    said = str(caught.value)
    assert said.startswith("invalid_idea_cards_json: ")
    assert isinstance(caught.value, ValueError)
    return said


def test_fr2_valid_json_becomes_cards_in_its_order() -> None:
    cards = parse_idea_cards(reply(card("B", avoid=["a sunset"]), card("A")), 2)
    assert [found.id for found in cards] == ["B", "A"]
    assert isinstance(cards[0], IdeaCard)
    assert cards[0].avoid == ("a sunset",)
    assert cards[1].avoid == ()
    assert cards[0].options["palette"] == ("brass and fog", "ink and rust")


def test_a_fence_around_all_of_it_is_fine() -> None:
    assert parse_idea_cards(f"```json\n{reply(card())}\n```", 1)


def test_further_options_are_allowed() -> None:
    (found,) = parse_idea_cards(reply(card(options=options(lighting=["low sun"], season=[]))), 1)
    assert found.options["lighting"] == ("low sun",)


def test_spaces_and_line_breaks_in_texts_become_one_space() -> None:
    (found,) = parse_idea_cards(
        reply(card(hook="  A key \n\n for\tthe sea. ", options=options(mood=[" at  ease "]))), 1
    )
    assert found.hook == "A key for the sea."
    assert found.options["mood"] == ("at ease",)


@pytest.mark.parametrize("field", ["id", "hook", "narrative", "options"])
def test_fr2_a_missing_field_is_an_error_that_names_card_and_field(field: str) -> None:
    said = refusal(reply(card("A"), card("B", **{field: ...})), 2)
    assert f"has no {field}" in said
    assert ("card number 2" if field == "id" else "card 'B'") in said


@pytest.mark.parametrize("field", ["composition", "palette", "medium", "mood"])
def test_fr2_a_missing_option_is_an_error_that_names_it(field: str) -> None:
    assert f"card 'A': options has no {field}" in refusal(reply(card(options=options(**{field: ...}))))


@pytest.mark.parametrize(
    ("field", "entries", "why"),
    [
        ("composition", ["one"], "options.composition has 1 entry with text; at least 2 are expected"),
        ("palette", [], "options.palette has 0 entries with text; at least 2 are expected"),
        ("medium", [], "options.medium has 0 entries with text; at least 1 is expected"),
        ("mood", ["", " \n"], "options.mood has 0 entries with text; at least 1 is expected"),
        ("palette", ["ink", "  "], "options.palette has 1 entry with text; at least 2 are expected"),
        ("mood", "calm", "options.mood is 'calm'"),
        ("mood", [3], "entry 1 of options.mood is 3"),
        ("mood", None, "options.mood is None"),
        ("mood", [["calm"]], "entry 1 of options.mood is ['calm']"),
    ],
)
def test_fr2_a_list_of_options_that_will_not_do_is_named(field: str, entries: Any, why: str) -> None:
    said = refusal(reply(card(options=options(**{field: entries}))))
    assert why in said
    assert "'A'" in said


@pytest.mark.parametrize("field", ["hook", "narrative"])
@pytest.mark.parametrize("value", ["", " \n ", None, 5, True, ["a"]])
def test_a_text_that_is_none_is_named(field: str, value: Any) -> None:
    said = refusal(reply(card(**{field: value})))
    assert f"card 'A': {field} is" in said


def test_fr2_duplicate_ids_are_an_error_that_names_them() -> None:
    said = refusal(reply(card("A"), card("B"), card("A"), card("B"), card("C")), 5)
    assert "2 of 5 ids occur more than once: 'A', 'B'" in said


@pytest.mark.parametrize(("given_", "wanted"), [(1, 2), (3, 2), (0, 2)])
def test_another_number_of_cards_than_asked_for_is_an_error_with_both(given_: int, wanted: int) -> None:
    said = refusal(reply(*(card(f"N{n}") for n in range(given_))), wanted)
    assert f"it has {given_} cards; {wanted} were requested" in said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("Sure! " + reply(card()), "does not begin with {"),
        (reply(card()) + "\nEnjoy!", "follow the JSON"),
        (reply(card())[:-1], "broken at line 1"),
        (reply(card())[:-2] + ",]}", "broken at line 1"),
        (reply(card()).replace('"hook"', '"narrative"', 1), "the key 'narrative' twice"),
        ('{"ideas": NaN}', "NaN"),
        ("[]", "does not begin with {"),
        ("{}", "the object has no ideas"),
        ('{"cards": []}', "the object has no ideas"),
        ('{"ideas": {}}', "a list of 1 cards is expected"),
        ('{"ideas": "A"}', "a list of 1 cards is expected"),
        ('{"ideas": ["A"]}', "card number 1: the card is 'A'"),
        ('{"ideas": [null]}', "card number 1: the card is None"),
        (r'{"ideas": [{"id": "\udc00"}]}', "half of a character"),
    ],
)
def test_fr2_what_is_no_set_of_cards_is_refused(text: str, why: str) -> None:
    assert why in refusal(text)


@pytest.mark.parametrize("id_", ["", " ", "\n", "\x07"])
def test_a_blank_id_is_refused(id_: str) -> None:
    assert "1 of 2 ids are blank" in refusal(reply(card(id_), card("B")), 2)


def test_ids_that_differ_in_spaces_alone_are_the_same() -> None:
    assert "1 of 2 ids occur more than once: 'A'" in refusal(reply(card("A"), card(" A")), 2)


@pytest.mark.parametrize(
    "changes",
    [
        {"hook": "w" * 5_000, "narrative": "w " * 5_000},
        {"id": "the-first-of-all-the-cards"},
        {"options": options(palette=["Ink", "ink"])},
        {"options": options(palette=["y" * 900, "z"])},
        {"options": options(medium=[f"m{n}" for n in range(40)])},
        {"options": options(**{f"o{n}": ["x"] for n in range(40)})},
        {"options": options(Palette=["x"], **{"n" * 80: []})},
        {"avoid": [f"a{n}" for n in range(40)]},
        {"title": "Keys", "rationale": {"why": ["x"]}, "score": 9},
    ],
    ids=str,
)
def test_what_the_specification_does_not_limit_is_read(changes: dict[str, Any]) -> None:
    (found,) = parse_idea_cards(reply(card(**changes)), 1)
    expected = {name: value for name, value in changes.items() if name in type(found).model_fields}
    assert {name: found.model_dump(mode="json")[name] for name in expected} == expected | (
        {"narrative": expected["narrative"].strip()} if "narrative" in expected else {}
    )


def test_keys_beside_the_cards_are_left_out() -> None:
    (found,) = parse_idea_cards(json.dumps({"ideas": [card(score=99)], "best": "A"}), 1)
    assert "99" not in found.model_dump_json()


def test_control_characters_become_spaces_and_blank_entries_are_left_out() -> None:
    (found,) = parse_idea_cards(reply(card(hook="A\x07bell", options=options(mood=["", "a\x00b"]), avoid=[" "])), 1)
    assert found.hook == "A bell"
    assert found.options["mood"] == ("a b",)
    assert found.avoid == ()


def test_of_many_faults_the_first_are_told_and_the_rest_counted() -> None:
    said = refusal(reply(*(card(f"N{n}", hook=...) for n in range(9))), 9)
    assert "card 'N0' has no hook; card 'N1' has no hook; card 'N2' has no hook; and 6 more" in said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["id", "hook", "narrative", "options", "avoid", "x"]), JSON))
def test_any_change_to_a_card_is_read_or_refused_and_never_crashes(changes: dict[str, Any]) -> None:
    said = ""
    try:
        (found,) = parse_idea_cards(reply(card() | changes), 1)
        assert found.id == found.id.strip() != ""
    except IdeaCardsError as error:
        said = str(error)
    assert len(said) < 1_000
