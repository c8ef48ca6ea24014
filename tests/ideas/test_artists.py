"""Artists named in a text, and words that only look like one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import AbstractionError
from redraft.ideas.abstraction import check_hints
from redraft.ideas.artists import ARTISTS, _read, artist_spans  # pyright: ignore[reportPrivateUsage]
from redraft.ideas.profile import TasteProfile
from redraft.ideas.words import is_stop, word_lists, words


def named(text: str) -> list[str]:
    tokens = words(text)
    return [" ".join(tokens[span.start : span.stop]) for span in artist_spans(text)]


@pytest.mark.parametrize(
    ("text", "artists"),
    [
        ("soft light, van gogh", ["van gogh"]),
        ("Wes Anderson symmetry", ["wes anderson"]),
        ("da vinci sketches", ["da vinci"]),
        ("Kusama dots", ["kusama"]),
        ("with Turner skies, and Hopper rooms", ["turner", "hopper"]),
        ("Turner skies. Hopper-like rooms.", ["turner", "hopper"]),
        ("crowded, as in Bosch", ["bosch"]),
        ("in the style of bosch, dense", ["bosch"]),
        ("by turner", ["turner"]),
        ("a boschian crowd", ["boschian"]),
        ("edward hopper", ["edward hopper"]),
        ("a calm room by Loishko", ["loishko"]),
        ("à la Simon Ålund, quiet", ["simon alund"]),
        ("à la Brandyn", ["brandyn"]),
        ("in the style of simon alund", ["simon alund"]),
        ("inspired by Alund, Berrgen and Corvik", ["alund", "berrgen", "corvik"]),
        ("like Alund meets Corvik", ["alund", "corvik"]),
        ("in the spirit of Tovik Ditlev", ["tovik ditlev"]),
        ("Simon Alund, Kilian Berrgen", ["simon alund", "kilian berrgen"]),
        ("Mood Boards And Simon Alund Prints Everywhere", ["simon alund"]),
        ("J. C. Alund-like finish", ["j c alund"]),
        ("J.M.W. Alund", ["j m w alund"]),
        ("Anna de la Tourvel's rooms", ["anna de la tourvel"]),
        ("Anna de Saint Fall", ["anna de saint fall"]),
        ("as von Alund saw it", ["von alund"]),
        ("plain rooms, Alund's light", ["alund"]),
        ("plain rooms with Alund light", ["alund"]),
        ("plain rooms, Alund-style", ["alund"]),
        ("plain rooms by the hand of Berrik Alund, whose paintings", ["berrik alund"]),
        ("Berrik Alund's rooms", ["berrik alund"]),
        ("grainy scenes, Daidol Moriyan grit", ["daidol moriyan"]),
        ("some Alundian unease", ["alundian"]),
        ("felliniesque, alundesque", ["felliniesque", "alundesque"]),
        ("Influences: Berrik Alund prints", ["berrik alund"]),
        ("Quiet.\nMonet, of course", ["monet"]),
    ],
)
def test_an_artist_is_found_by_list_cue_or_spelling(text: str, artists: list[str]) -> None:
    assert named(text) == artists


@pytest.mark.parametrize(
    "text",
    [
        "a grain hopper beside a turner at the lathe, and a bosch drill",
        "stone walls, church windows, a wood in the west",
        "The Turner machine stands still",
        "made by hand, by candlelight, after the rain",
        "in the style of old maps",
        "in the style of a storybook by the fire",
        "like stone, like glass",
        "like Sunday mornings in Paris",
        "inspired by Art Nouveau, Japan and the Baroque",
        "Inspired by Japanese woodblock prints",
        "Mood: Calm And Quiet Light, Soft Texture",
        "- Rough Edges\n- Room To Breathe",
        "Avoid: Horror, Gore. Prefers hand-made things.",
        "picturesque, grotesque, an arabesque",
        "a Victorian street, an Italian garden, Scandinavian calm",
        "a utopian or pedestrian scene",
        "HDR, VHS look, 3D render, 8K detail",
        "Moss paintings. Velvet drawings.",
        "as calm as Lake Como in March",
        "a West Coast calm",
        "simon says",
        "alex, and simon",
        "made by anna, alone",
        "by the sea – Quiet light",
        "a mood (Quiet light)",
        "",
    ],
)
def test_words_that_only_look_like_an_artist_are_none(text: str) -> None:
    assert named(text) == []


def test_the_given_name_is_not_needed_before_a_word_of_the_text() -> None:
    assert named("the Church of Simon") == []
    assert named("with Church skies") == ["church"]


def test_a_summary_that_names_an_artist_is_refused() -> None:
    with pytest.raises(AbstractionError, match="artist 'simon alund'"):
        check_hints("Calm, in the style of Simon Alund.", TasteProfile(likes=("cats",)))


def test_an_artist_may_be_avoided_by_name_where_the_profile_dislikes_them() -> None:
    profile = TasteProfile(likes=("cats",), dislikes=("Simon Alund",))
    assert check_hints("Calm. Avoid Simon Alund.", profile)


def test_an_artist_that_a_like_names_is_a_name_and_said_once() -> None:
    with pytest.raises(AbstractionError) as caught:
        check_hints("Calm, by Simon Alund.", TasteProfile(likes=("Simon Alund",)))
    assert "artist" not in str(caught.value)


def test_no_surname_of_the_list_is_an_ordinary_word_of_summaries() -> None:
    lists, broad = word_lists(ARTISTS), word_lists("broad_words.yaml")
    for name in lists["surnames"]:
        assert name not in broad["adjectives"] | broad["nouns"] | lists["others"] | lists["works"]
        assert not is_stop(name)


TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ["J.", "van", "Alund", "simon", "by", "-", "light", "and", "à", "la", "\n", "d'Or", "Alund's", "a-b_C"]
    )
).map(" ".join)


@given(TEXTS)
def test_any_text_is_read_word_by_word_and_spans_lie_apart(text: str) -> None:
    read = _read(text)
    assert [word.text for word in read] == words(text)
    spans = artist_spans(text)
    assert all(0 <= span.start < span.stop <= len(read) for span in spans)
    assert all(a.stop <= b.start for a, b in pairwise(spans))
