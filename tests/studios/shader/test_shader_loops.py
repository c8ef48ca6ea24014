"""Loops that cannot end are told from those that can, at any length of text."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.errors import FormatError
from redraft.studios.shader.contract import prepared
from redraft.studios.shader.glsl import bare, endless, line_of


@pytest.mark.parametrize(
    ("code", "head"),
    [
        ("while (true) { a += 1.0; }", "while (true)"),
        ("while(true);", "while(true)"),
        ("for (;;) { a += sin(a); }", "for (;;)"),
        ("for (int i = f(0); ; i++) a += 1.0; return;", "for (int i = f(0); ; i++)"),
        ("for (int i = 0; true; i++) { a += 1.0; } break;", "for (int i = 0; true; i++)"),
        ("do { a += 1.0; } while (true); discard;", "while (true)"),
        ("while (true) { for (int i = 0; i < 9; i++) { a += 1.0; } }", "while (true)"),
    ],
)
def test_without_end(code: str, head: str) -> None:
    found = endless(code, set())
    assert found is not None
    assert found.head == head


@pytest.mark.parametrize(
    "code",
    [
        "while (true) { if (a > 1.0) break; }",
        "for (;;) { a += 1.0; if (a > 9.0) { return; } }",
        "for (;;) if (a++ > 9.0) discard;",
        "do { if (a > 9.0) break; } while (true);",
        "if (a > 0.0) { a = 1.0; } for (int i = 0; i < 9; i++) { a += 1.0; }",
        "while (a < 1.0) { a += 0.1; }",
        "do { a += 1.0; } while (a < 9.0);",
        "while (true) { STEP(a) }",
        "while (true { a += 1.0; }",
        "for (int i = 0; i < 9;) { i++; }",
    ],
)
def test_with_an_end_or_not_to_be_told(code: str) -> None:
    assert endless(code, {"STEP"}) is None


def test_a_loop_in_a_comment_is_none() -> None:
    assert endless(bare("// while (true) { }\n/* for (;;) ; */"), set()) is None


def test_its_line_is_named() -> None:
    text = "void main() {\n  float a = 0.0;\n  for (;;) { a += 1.0; }\n}\n"
    found = endless(text, set())
    assert found is not None
    assert line_of(text, found.start) == 3


@given(st.lists(st.sampled_from(["while (true)", "for (;;)", "do", "{", "}", "(", ")", ";", " break ", "x", "\n"])))
def test_any_text_has_one_or_none(parts: list[str]) -> None:
    text = "".join(parts)
    found = endless(text, set())
    assert found is None or text[found.start :].startswith(("while", "for"))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 95_000 + "]" * 95_000,
        "for(" * 47_000,
        "while(true){" * 10_000 + "break;" + "}" * 10_000,
        "do{break;}while(true);" * 8_000,
        "#define A" + " " * 190_000 + "in",
        "#" * 190_000,
    ],
)
def test_texts_made_to_be_slow_are_not(text: str) -> None:
    """Each took minutes where the work grew with the square of the length; on a busy machine a second is little."""
    began = time.process_time()
    with contextlib.suppress(FormatError):
        prepared(f"{text}\nvoid main() {{ f_color = vec4(1.0); }}\n")
    assert time.process_time() - began < 5.0
