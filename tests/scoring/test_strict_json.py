"""The one JSON object of a reply, and nothing around it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import FormatError
from redraft.scoring.strict_json import object_in

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
    assert object_in(around.replace("{}", text), 1_000_000) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("  \n", "it is empty"),
        ("Here you are: {}", "does not begin with {"),
        ("[]", "does not begin with {"),
        ("78", "does not begin with {"),
        ("null", "does not begin with {"),
        ("{} Done.", "5 characters stand behind"),
        ("{}{}", "2 characters stand behind"),
        ("Sure!\n```json\n{}\n```", "text around a fenced block"),
        ("```json\n{}\n```\nDone.", "text around a fenced block"),
        ("```json\n{}\n```\n```json\n{}\n```", "several blocks"),
        ("```json\n{}", "text around a fenced block"),
        ('{"a": 1,}', "broken at line 1, column 9"),
        ("{'a': 1}", "broken at line 1, column 2"),
        ('{"a": 1 // no\n}', "broken at line 1"),
        ('{"a": NaN}', "holds NaN"),
        ('{"a": -Infinity}', "holds -Infinity"),
        ('{"a": 1e999}', "holds the number 1e999"),
        ('{"a": ' + "9" * 5_000 + "}", "a number of 5,000 digits"),
        ('{"a": 1, "b": 2, "a": 1}', "the key 'a' twice"),
        ('{"x": {"a": 1, "a": 2}}', "the key 'a' twice"),
        ('{"a":' + "[" * 100_000 + "}", "more than 8 deep"),
        (r'{"a": "\ud800"}', r"'\ud800', half of a letter"),
        ('{"a": "\x00"}', "broken at line 1"),
        ('{"a": "', "broken at line 1"),
    ],
)
def test_anything_else_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(FormatError) as caught:
        object_in(text, 1_000_000)
    assert why in str(caught.value)


def test_a_reply_that_is_too_long_is_refused_with_its_length() -> None:
    with pytest.raises(FormatError, match="it has 101 characters; at most 100 are read"):
        object_in("{" + " " * 99 + "}", 100)
    assert object_in("{" + " " * 98 + "}", 100) == {}


def test_brackets_and_fences_in_texts_count_for_nothing() -> None:
    text = '{"a": "[[[[[[[[[[[[ ``` \\" {{{{{{{{{{{{"}'
    assert object_in(text, 1_000) == json.loads(text)


@given(st.text(max_size=80))
def test_any_other_text_is_a_format_error_and_is_not_quoted_at_length(text: str) -> None:
    said = ""
    try:
        object_in(text, 1_000)
    except FormatError as error:
        said = str(error)
    assert len(said) < 160
