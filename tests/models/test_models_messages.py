"""What servers say is made readable, whatever they say."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from redraft.models.messages import Said, clipped, ended, readable, said_in


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            {"error": {"message": "No.", "code": "c", "type": "t", "param": "p"}},
            Said("No.", "c", "t", "p"),
        ),
        ({"error": {"message": "No.", "code": 429, "type": None}}, Said("No.", "429")),
        ({"error": "model not loaded"}, Said("model not loaded")),
        ({"detail": "Not Found"}, Said("Not Found")),
        ({"message": "Forbidden"}, Said("Forbidden")),
        ({"error": {"reason": "x"}}, Said('{"reason": "x"}')),
        ({"success": False}, Said('{"success": false}')),
        ({}, Said("no message")),
        ({"error": None}, Said("no message")),
    ],
)
def test_an_error_of_every_kind_of_server_is_read(body: JsonValue, said: Said) -> None:
    assert said_in(json.dumps(body).encode()) == said


def test_a_web_page_is_its_words() -> None:
    page = "<html><head><title>502</title><style>p { color: red }</style></head><body><p>Bad&nbsp;gateway<br>at 12:00"
    assert said_in(page.encode()).message == "502 Bad gateway at 12:00"
    assert "alert" not in readable(b"<!doctype html><script>alert(1)</script>Hello")


@pytest.mark.parametrize("body", [b"", b"   ", b"<html></html>"])
def test_nothing_is_said_to_be_nothing(body: bytes) -> None:
    assert said_in(body).message == "no message"


@given(st.binary() | st.text().map(str.encode))
def test_any_body_gives_one_printable_line_of_bounded_length(body: bytes) -> None:
    message = said_in(body).message
    assert message
    assert message.isprintable()
    assert len(message) <= 610


NAMES = st.sampled_from(["error", "message", "detail", "code"])
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner),
    max_leaves=8,
)


@given(ANY_JSON)
def test_any_json_gives_one_printable_line(body: JsonValue) -> None:
    assert said_in(json.dumps(body).encode()).message.isprintable()


def test_a_terminal_has_nothing_to_obey() -> None:
    assert clipped("a\x1b[31m\x07b\nc\u2028d") == "a\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}b c d"


def test_a_sentence_has_one_end() -> None:
    assert [ended(text) for text in ("No", "No.", "No?", "No …")] == ["No.", "No.", "No?", "No …"]
