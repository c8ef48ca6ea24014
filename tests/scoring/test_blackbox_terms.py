"""Which words of a text count, and which are negated."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.scoring.terms import Phrases, clauses


def said(text: str) -> str:
    """All that is affirmed, with a bar where a phrase ends."""
    return " | ".join(" ".join(row) for row in clauses(text))


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("Two LIGHTHOUSES at the Harbour’s gates", "two lighthouse at the harbour gate"),
        ("A bird's-eye view, old oaks: gulls (white)", "a bird eye view | old oak | gull | white"),
        ("ｆｕｌｌ width — café", "full width | cafe"),
        ("waves. Clouds; wolves\nleaves", "wave | cloud | wolf | leaf"),
        ("", ""),
    ],
)
def test_words_are_folded_singular_and_parted_where_phrases_end(text: str, affirmed: str) -> None:
    assert said(text) == affirmed


@pytest.mark.parametrize(
    ("text", "affirmed"),
    [
        ("a beach, no people, golden light", "a beach | golden light"),
        ("no people on the beach", "on the beach"),
        ("no people and golden light", "and golden light"),
        ("a street without neon and fog in the rain", "a street | in the rain"),
        ("without people, cars, or text, under a full moon", "under a full moon"),
        ("no text, golden hour, an orange sky", "golden hour | an orange sky"),
        ("not a photograph but an oil painting", "but an oil painting"),
        ("not only a photograph", "not only a photograph"),
        ("Avoid neon, fog and lens flare. Waves break", "wave break"),
        ("avoid sunsets in the background, but keep the sea", "but keep the sea"),
        ("don't use neon; use lamps", "use lamp"),
        ("instead of neon, candlelight", "candlelight"),
        ("an etching rather than a photograph", "an etching"),
        ("a neon-free street, free of fog", "a street"),
        ("neither oil nor ink, nor pencil", ""),
        ("lit not by neon, nor by lamps, but by fire", "lit | but by fire"),
    ],
)
def test_what_is_negated_is_left_out(text: str, affirmed: str) -> None:
    assert said(text) == affirmed


def test_the_longest_phrase_counts_and_none_within_another() -> None:
    phrases = Phrases.of({"sunset": ["golden hours", "sunset"], "gold": ["golden"], "": ["sunset boulevard"]})
    row = ["golden", "hour", "golden", "sunset", "boulevard", "sunset"]
    assert phrases.spotted(row) == [
        (range(2), "sunset"),
        (range(2, 3), "gold"),
        (range(3, 5), ""),
        (range(5, 6), "sunset"),
    ]


SOME = "no not without avoid free of or and but on in fog lamp lamps , . ;"


@given(st.lists(st.sampled_from(SOME.split()), max_size=20))
def test_a_row_is_never_empty_and_has_only_words_of_the_text(said: list[str]) -> None:
    rows = list(clauses(" ".join(said)))
    assert all(rows)
    assert sum(map(len, rows)) <= len(said)
    assert {word for row in rows for word in row} <= {*said, "lamp"}


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    assert all(rows for rows in clauses(text))


@pytest.mark.slow
def test_a_long_list_takes_no_longer_than_its_length() -> None:
    started = time.perf_counter()
    assert sum(1 for _ in clauses("no a,b," * 20_000)) > 0
    assert time.perf_counter() - started < 5
