"""FR3: what a generator may know of a taste; no colour, motif, name or row of words of a like gets through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import AbstractionError, IdeaError
from redraft.ideas.abstraction import Leak, check_hints, forbidden_terms, leaks
from redraft.ideas.profile import TasteProfile

SETS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "summaries.yaml").read_text("utf-8"))
PROFILES = {
    name: TasteProfile(**{key: tuple(entries) for key, entries in lists.items()})
    for name, lists in SETS["profiles"].items()
}


def likes(*entries: str) -> TasteProfile:
    return TasteProfile(likes=entries)


def kinds(text: str, *entries: str) -> dict[str, str]:
    """What leaks, by term."""
    return {leak.term: leak.kind for leak in leaks(text, likes(*entries))}


@pytest.mark.parametrize("case", SETS["good"], ids=lambda case: f"{case['profile']}: {case['text'][:30]}")
def test_a_summary_in_broad_words_passes(case: dict[str, str]) -> None:
    assert check_hints(case["text"], PROFILES[case["profile"]]) == case["text"].strip()


@pytest.mark.parametrize("case", SETS["bad"], ids=lambda case: f"{case['profile']}: {case['text'][:30]}")
def test_fr3_a_summary_that_lets_something_through_is_refused_and_it_is_named(case: dict[str, Any]) -> None:
    profile = PROFILES[case["profile"]]
    with pytest.raises(AbstractionError) as caught:
        check_hints(case["text"], profile)
    assert str(caught.value).startswith("invalid_profile_abstraction: ")
    for name in case["names"]:
        assert name.lower() in str(caught.value).lower()


def test_the_error_is_an_idea_error_and_a_value_error() -> None:
    with pytest.raises(IdeaError) as caught:
        check_hints("teal", likes("cats"))
    assert isinstance(caught.value, ValueError)


def test_the_error_names_each_kind_and_the_like_that_it_comes_from() -> None:
    profile = likes("lighthouses at dusk", "Hayao Miyazaki", "calm and quiet")
    with pytest.raises(AbstractionError) as caught:
        check_hints("A lighthouse, as Miyazaki would, calm and quiet, teal, like Hokusai.", profile)
    for part in (
        "motif 'lighthouse' (of the like 'lighthouses at dusk')",
        "name 'miyazaki' (of the like 'Hayao Miyazaki')",
        "phrase 'calm and quiet' (of the like 'calm and quiet')",
        "color 'teal'",
        "artist 'hokusai'",
    ):
        assert part in str(caught.value)


def test_a_colour_that_a_like_names_is_told_with_the_like() -> None:
    assert leaks("some teal", likes("teal doors")) == [Leak("color", "teal", "teal doors")]


def test_of_many_leaks_some_are_named_and_the_rest_counted() -> None:
    with pytest.raises(AbstractionError, match=r"and 3 more\."):
        check_hints("apples bears cats dogs eels foxes goats hares ibises jays kites", likes(
            *["apples", "bears", "cats", "dogs", "eels", "foxes", "goats", "hares", "ibises", "jays", "kites"]
        ))  # fmt: skip


@pytest.mark.parametrize("text", ["", "  \n ", "…", "—"])
def test_an_empty_summary_is_refused(text: str) -> None:
    with pytest.raises(AbstractionError, match="has no words"):
        check_hints(text, likes("cats"))


def test_a_long_summary_passes_since_the_specification_has_no_limit() -> None:
    assert check_hints("quiet, " * 3_000, likes("cats")).startswith("quiet")


# How a motif may be written


@pytest.mark.parametrize(
    "text",
    [
        "a light-house",
        "a light house",
        "light_houses",
        "LIGHTHOUSES",
        "light\u200bhouse",
        "light\u00adhouse",
        "ｌｉｇｈｔｈｏｕｓｅ",
        "líghthouse",
        "the lighthouse's glow",
        "lighthouse-like",
        "“lighthouse”",
        "𝐥𝐢𝐠𝐡𝐭𝐡𝐨𝐮𝐬𝐞",
    ],
)
def test_no_spelling_hides_a_motif(text: str) -> None:
    assert "motif" in kinds(text, "old lighthouses").values()


@pytest.mark.parametrize(
    ("like", "text"),
    [
        ("cities", "a city"),
        ("wolves", "one wolf"),
        ("children", "like a child"),
        ("dancing", "a slow dance"),
        ("sailing boats", "it sails"),
        ("napping cats", "a nap"),
        ("misty hills", "mist"),
        ("fog", "foggy"),
        ("ice", "icy and slow"),
        ("wood", "wooden textures"),
        ("colour fields in harbours", "a harbor"),
        ("theatre", "theaters"),
        ("Kafka", "Kafkaesque"),
        ("L.S. Lowry", "lowry-like"),
        ("light houses", "a lighthouse"),
        ("Georgia O'Keeffe", "as in O’Keeffe’s work"),
        ("Søren", "soren"),
        ("猫と海", "猫の絵"),
        ("🌊 waves", "so 🌊"),
    ],
)
def test_other_forms_of_a_word_are_the_same_word(like: str, text: str) -> None:
    assert kinds(text, like)


@pytest.mark.parametrize(
    ("like", "text"),
    [
        ("cars", "made with care"),
        ("stars", "a stare, a staircase"),
        ("pines", "a pin"),
        ("planes", "well planned"),
        ("corn fields", "in one corner"),
        ("arms", "an army of details"),
        ("wine", "a winning smile"),
        ("ears", "early freshness"),
        ("cats", "catalogue of small things"),
        ("art of the farm", "artful"),
    ],
)
def test_words_that_only_look_alike_are_not_the_same(like: str, text: str) -> None:
    assert not kinds(text, like)


@pytest.mark.parametrize(
    "like", ["calm", "bold textures", "quiet, moody light", "beautiful compositions", "dramatic scenes", "soft images"]
)
def test_broad_words_of_a_like_may_stand_alone(like: str) -> None:
    assert not kinds(
        "Texture, light, image, scene, mood, composition: calm, soft, bold, dramatic, moody, quiet, beautiful", like
    )


def test_two_broad_words_in_a_row_are_a_phrase() -> None:
    assert kinds("Calm and quiet.", "calm and quiet") == {"calm and quiet": "phrase"}
    assert kinds("CALM -- and, quiet", "a calm and quiet mood") == {"calm and quiet": "phrase"}
    assert not kinds("quiet and calm", "calm and quiet")


def test_a_row_of_stop_words_is_no_phrase_and_one_word_with_stop_words_neither() -> None:
    assert not kinds("as if it were in the mood for a calm", "as if it were in the mood of a calm")


def test_a_phrase_is_named_once_and_not_its_words_again() -> None:
    assert kinds("misty mornings", "misty mornings by the sea") == {"misty mornings": "phrase"}


def test_a_fixed_term_of_design_is_no_motif_though_its_word_is() -> None:
    assert not kinds("much white space, and room to breathe", "outer space", "small rooms")
    assert kinds("out in space", "outer space") == {"space": "motif"}


# Colours


@pytest.mark.parametrize(
    "text",
    [
        "teal", "ochre", "burnt sienna", "crimson", "turquoise", "ivory", "amber", "copper", "gold", "golden", "silver",
        "reddish", "bluish", "greyish", "silvery", "reds and blues", "blue-green", "dark red", "lightblue",
        "#ff8800", "#F80", "0xff8800", "ff8800", "rgb(255, 136, 0)", "hsl(30 100% 50%)", "rose tones", "sand-coloured",
        "shades of slate", "dusty rose", "peach puff", "black and white", "ｔｅａｌ", "té\u200bal",
    ],
)  # fmt: skip
def test_fr3_a_colour_is_refused_with_any_profile(text: str) -> None:
    assert "color" in kinds(f"Quiet, {text}.", "cats").values()


@pytest.mark.parametrize(
    "text",
    [
        "warm, cool, pale, dark, bright, muted and light", "colourful", "monochrome", "pastel tones", "neon",
        "vivid colours", "earthy tones", "jewel tones", "high contrast", "avoid chocolate-box prettiness",
        "avoid snow and smoke", "stone and sand", "white space", "golden ratio", "black humour", "a rose garden",
        "no. 12", "the 1920s", "redundant", "tangible", "goldfish", "greenhouse", "blueprint", "sepulchral",
    ],
)  # fmt: skip
def test_what_names_no_colour_is_none(text: str) -> None:
    assert not kinds(text, "cats")


# Dislikes


def test_a_dislike_may_be_named() -> None:
    assert check_hints("Quiet. Avoid horror.", TasteProfile(likes=("cats",), dislikes=("horror",)))


def test_a_dislike_may_be_named_whole_though_a_like_has_a_word_of_it() -> None:
    profile = TasteProfile(likes=("overhead food shots",), dislikes=("fast food",), hates=("food fights",))
    assert check_hints("Simple. Avoid: plastic, fast food. No food fights.", profile)


@pytest.mark.parametrize("text", ["Simple; fast food.", "Avoid haste. Fast food.", "Avoid food."])
def test_not_without_an_avoid_in_the_same_sentence_and_not_in_part(text: str) -> None:
    profile = TasteProfile(likes=("overhead food shots",), dislikes=("fast food",))
    assert [leak.term for leak in leaks(text, profile)] == ["food"]


def test_a_colour_is_refused_also_where_it_is_disliked() -> None:
    with pytest.raises(AbstractionError, match="color 'brown'"):
        check_hints("Avoid brown.", TasteProfile(dislikes=("brown",)))


# forbidden_terms


def test_the_list_for_the_prompt_has_motifs_and_names_once_and_no_colours() -> None:
    profile = TasteProfile(
        loves=("lighthouses in storms", "one lighthouse"),
        likes=("teal cats", "Hayao Miyazaki", "calm"),
        hates=("gore",),
    )
    assert forbidden_terms(profile) == ("lighthouses", "storms", "cats", "Hayao", "Miyazaki")


def test_the_list_has_rows_of_broad_words() -> None:
    assert forbidden_terms(likes("a calm and quiet mood", "soft light on cats")) == (
        "calm and quiet mood",
        "cats",
        "soft light",
    )


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_each_term_of_the_list_is_refused_in_a_summary(profile: TasteProfile) -> None:
    for term in forbidden_terms(profile):
        assert leaks(f"Something of {term}, perhaps.", profile), term


WORD = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=12)


@given(st.lists(WORD, min_size=1, max_size=4), st.data())
def test_a_like_itself_never_passes_unless_it_says_nothing_in_particular(like: list[str], data: st.DataObject) -> None:
    entry = " ".join(like)
    profile = likes(entry)
    between = data.draw(st.sampled_from([" ", "-", "_", ", ", " / ", "\u200b "]))
    said = data.draw(st.sampled_from([str.upper, str.title, str.lower]))(between.join(like))
    if forbidden_terms(profile):
        assert leaks(f"Rather {said} than not.", profile)


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=40), max_size=5))
def test_any_text_against_any_profile_is_read_without_a_crash(text: str, entries: list[str]) -> None:
    profile = TasteProfile(likes=tuple(entries), dislikes=tuple(entries))
    assert leaks(text, profile) == leaks(text, profile)
    assert not set(forbidden_terms(TasteProfile(dislikes=tuple(entries))))
