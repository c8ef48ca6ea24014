"""Words that messages, pages and requests share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, ValidationError

from redraft.text import join, number, one_line, plural, problems, shorten, shown


@given(st.text(max_size=200), st.integers(1, 100))
def test_a_shortened_text_fits_and_says_that_it_was_cut(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))


def test_one_line_has_single_spaces() -> None:
    assert one_line(" a\n\tb   c ", 10) == "a b c"
    assert one_line("a\n" * 10, 4) == "a a…"


def test_values_are_shown_as_python_writes_them() -> None:
    assert shown("x") == "'x'"
    assert shown("x" * 100, 10) == "'xxxxxxxx…"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (plural(1, "call"), "1 call"),
        (plural(0, "call"), "0 calls"),
        (plural(1200, "call"), "1,200 calls"),
        (plural(2, "fix", "fixes"), "2 fixes"),
        (plural(1, "fix", "fixes"), "1 fix"),
        (join([]), ""),
        (join(["a"]), "a"),
        (join(["a", "b"]), "a and b"),
        (join(["a", "b", "c"], "or"), "a, b or c"),
        (join(["a", "b", "c"], limit=3), "a, b and c"),
        (join(list("abcdef"), limit=2), "a, b and 4 more"),
    ],
)
def test_counts_and_lists(words: str, expected: str) -> None:
    assert words == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0, "1"), (1.25, "1.25"), (1.256, "1.26"), (-0.001, "0"), (100.0, "100"), (0.1, "0.1")]
)
def test_numbers_have_no_zeros_at_the_end(value: float, expected: str) -> None:
    assert number(value) == expected


def test_numbers_without_decimals_keep_their_zeros() -> None:
    assert number(100.0, 0) == "100"


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    width: float


class Whole(BaseModel):
    parts: list[Part]


def problems_of(value: object) -> str:
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate(value)
    return problems(caught.value, limit=2)


def test_problems_name_the_field_and_the_value() -> None:
    assert problems_of({"parts": [{"width": "wide"}]}) == (
        "parts.0.width: Input should be a valid number, unable to parse string as a number, given 'wide'"
    )
    assert problems_of({}) == "parts: Field required"


def test_more_problems_are_counted() -> None:
    assert problems_of({"parts": [dict[str, float]() for _ in range(4)]}) == (
        "parts.0.width: Field required; parts.1.width: Field required (and 2 more)"
    )
