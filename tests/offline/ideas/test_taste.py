"""The summary of a taste by rule: it says something, and it always passes the check that it will be put to."""

from __future__ import annotations

import pytest
from by_rule import asking
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.ideas.abstraction import check_hints
from redraft.ideas.compose import abstraction_inputs
from redraft.ideas.offline.answers import ANSWERS, NOTHING
from redraft.ideas.offline.cards import listed
from redraft.ideas.profile import TasteProfile

pytestmark = pytest.mark.slow


def summary(profile: TasteProfile, seed: int = 1) -> str:
    """The offline model's reply."""
    request = asking("ideas.abstraction", abstraction_inputs(profile), seed)
    return ANSWERS["ideas.abstraction"](request)


def test_dislikes_are_named_after_avoid() -> None:
    said = summary(TasteProfile(likes=("boats",), dislikes=("horror", "lens flare"), hates=("clowns.",)))

    assert said.splitlines()[-1] == "Avoid: horror, lens flare, clowns."


def test_a_dislike_that_would_give_a_like_away_or_name_a_colour_is_left_out() -> None:
    said = summary(TasteProfile(likes=("harbours at dawn",), dislikes=("teal", "harbours", "noise")))

    assert "teal" not in said
    assert "noise" in said


def test_two_short_lines_and_other_words_with_another_seed() -> None:
    profile = TasteProfile(likes=("misty mornings", "maps"), dislikes=("neon",))

    assert len(summary(profile).splitlines()) == 2
    assert len({summary(profile, seed) for seed in range(8)}) > 1
    assert summary(profile, 3) == summary(profile, 3)


def test_a_profile_that_likes_every_word_there_is_still_gets_a_summary() -> None:
    greedy = TasteProfile(likes=(" ".join(listed("feels")), *listed("feels"), "overall in detail"))

    check_hints(summary(greedy), greedy)
    check_hints(NOTHING, greedy)


entry = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40) | st.lists(
    st.sampled_from(
        ["quiet", "overall", "in", "detail", "calm", "misty", "Avoid", "horror", "and", "gold", "open", "bold"]
    ),
    min_size=1,
    max_size=5,
).map(" ".join)
entries = st.lists(entry, max_size=6).map(tuple)


@settings(max_examples=60, deadline=None)
@given(entries, entries, entries, entries)
def test_any_profile_gives_a_summary_that_passes(
    loves: tuple[str, ...], likes: tuple[str, ...], dislikes: tuple[str, ...], hates: tuple[str, ...]
) -> None:
    profile = TasteProfile(loves=loves, likes=likes, dislikes=dislikes, hates=hates)

    assert check_hints(summary(profile), profile)
