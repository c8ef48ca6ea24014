"""Words as they are compared, and the colour words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageColor

from redraft.ideas.words import (
    color_codes,
    color_spans,
    folded,
    forms,
    is_stop,
    singular,
    word_list,
    word_lists,
    words,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Light-houses, in_the STORM!", ["light", "houses", "in", "the", "storm"]),
        ("Dalí’s café", ["dali", "cafe"]),
        ("O'Keeffe", ["okeeffe"]),
        ("ＡＢ\u200bＣ", ["abc"]),
        ("Straße", ["strasse"]),
        ("猫と海", ["猫", "と", "海"]),
        ("カメラの絵", ["カメラ", "の", "絵"]),
        ("12 mm", ["12", "mm"]),
        ("🌊!", ["🌊"]),
        ("— … ()", []),
    ],
)
def test_words_are_folded_and_parted(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cities", "city"), ("boxes", "box"), ("houses", "house"), ("wolves", "wolf"), ("nebulae", "nebula"),
        ("running", "run"), ("dancing", "dance"), ("sailing", "sail"), ("carried", "carry"), ("knitted", "knit"),
        ("travelling", "traveling"), ("colour", "color"), ("stylised", "stylized"), ("theatre", "theater"),
        ("quietly", "quiet"), ("happily", "happy"), ("darkness", "dark"), ("stony", "stone"), ("foggy", "fog"),
        ("orwellian", "orwell"), ("catlike", "cat"), ("drawn", "draw"), ("dried", "dry"), ("goyaesque", "goya"),
    ],
)  # fmt: skip
def test_forms_of_one_word_meet(one: str, other: str) -> None:
    assert forms(one) & forms(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("care", "cars"), ("star", "stare"), ("pine", "pin"), ("glass", "glas"), ("spring", "spr"), ("early", "ear"),
        ("evening", "ev"), ("king", "k"), ("moss", "mos"), ("tone", "ton"), ("planning", "plane"), ("us", "u"),
    ],
)  # fmt: skip
def test_different_words_do_not_meet(one: str, other: str) -> None:
    assert not forms(one) & forms(other)


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("cities", "city"), ("ties", "tie"), ("boxes", "box"), ("dishes", "dish"), ("benches", "bench"),
        ("glasses", "glass"), ("heroes", "hero"), ("wolves", "wolf"), ("glass", "glass"), ("bus", "bus"),
        ("iris", "iris"), ("gas", "gas"), ("houses", "house"), ("does", "does"), ("cars", "car"),
    ],
)  # fmt: skip
def test_the_singular_of_what_looks_like_a_plural(word: str, base: str) -> None:
    assert singular(word) == base


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert words(folded(text)) == words(text)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=10).filter(lambda w: w[-1] not in "sxzyh"))
def test_a_regular_plural_meets_its_singular(noun: str) -> None:
    assert noun in forms(noun + "s")


def test_stop_words_letters_and_kana_say_nothing() -> None:
    assert all(map(is_stop, ["the", "a", "x", "7", "と", "avoid"]))
    assert not any(map(is_stop, ["cat", "42", "猫", "カメラ"]))


def test_no_list_names_a_word_twice_or_in_a_form_that_no_text_has() -> None:
    for name in ("broad_words.yaml", "color_words.yaml"):
        for key, listed in word_lists(name).items():
            odd = [word for word in listed if words(word) != [word]]
            assert not odd, f"{name} {key}"


def test_no_broad_word_is_a_stop_word_or_a_colour() -> None:
    broad = word_lists("broad_words.yaml")
    both = broad["adjectives"] | broad["nouns"]
    assert not both & broad["stop"]
    assert not [word for word in both if color_spans([word])]


def test_every_colour_of_css_is_known_alone_or_beside_a_cue() -> None:
    for name in ImageColor.colormap:  # Pillow's copy of the same table
        assert color_spans([name]) or color_spans([name, "tones"]), name


def test_the_words_that_name_no_colour_are_in_no_list() -> None:
    for word in ("warm", "cool", "pale", "dark", "bright", "muted", "light", "deep", "soft", "pastel", "neon"):
        assert not color_spans([word, "tones"])


def test_a_colour_of_two_words_is_one() -> None:
    assert color_spans(words("a dusty rose and teal")) == [range(1, 3), range(4, 5)]


def test_every_phrase_has_two_words_or_more() -> None:
    for name, key in (
        ("broad_words.yaml", "phrases"),
        ("color_words.yaml", "phrases"),
        ("color_words.yaml", "idioms"),
    ):
        assert all(len(phrase) > 1 for phrase in word_list(name, key))


@pytest.mark.parametrize("text", ["no. 5", "#1", "abcdef", "123456", "lab (science)", "a rgb monitor", "décade"])
def test_what_is_no_code_is_none(text: str) -> None:
    assert color_codes(text) == []


@given(st.integers(0, 0xFFFFFF), st.sampled_from(["#{:06x}", "#{:06X}", "0x{:06x}"]))
def test_every_hex_colour_is_found(value: int, form: str) -> None:
    assert color_codes(f"accents ({form.format(value)})") == [form.format(value).lower()]
