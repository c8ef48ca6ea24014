"""Any text at all: no exception, no hang, and what comes back is a changed program."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.fixes.base import Fix
from redraft.fixes.hunks import hunk_of, likeness, patched
from redraft.fixes.normalize import Diagnostic

pytestmark = pytest.mark.slow

WORDS = (
    "float vec2 vec3 x y color sin mix ( ) { } [ ] ; , . = + * ? : 1 2.0 "
    "if for else return const uniform #a // /* */ ' \" \n"
)
code = st.lists(st.sampled_from([*WORDS.split(" "), "\n"]), max_size=60).map(" ".join)
texts = st.one_of(code, st.text(max_size=200))
CHANGES = [
    ("a", "a;"),
    ("colr = 1.0;", "color = 1.0;"),
    ("", "uniform float x;"),
    ("float x = 1.0;", ""),
    ("const float x = 1.0;", "float x = 1.0;"),
    ("vec2 a = b;", "vec3 a = b;"),
    ("int a = 1.0;", "int a = 1;"),
    ("vec3(a)", "vec3(a, 1.0)"),
    ("a = b.xy;", "a = b.x;"),
    ("", "return x;"),
    ("a = b;", "a = vec3(b);"),
    ("a = f(b);", "a = g(b, 1);"),
    ("a b c", "a d c"),
]
changes = st.one_of(st.sampled_from(CHANGES), st.tuples(texts, texts))
errors = st.builds(
    Diagnostic,
    st.sampled_from(["glsl:syntax_error", "py:name_error", "bpy:no_attribute"]),
    st.one_of(st.sampled_from(["type vec2 and vec3", "`x' undeclared", "int"]), st.text(max_size=40)),
    st.one_of(st.none(), st.integers(-5, 50)),
    st.one_of(st.sampled_from(["x", "color", ""]), st.text(max_size=5)),
)


def fix_of(key: str, change: tuple[str, str], message: str = "`x' undeclared") -> Fix:
    return Fix(key=key, error_msg=message, broken_snippet=change[0], fixed_snippet=change[1], timestamp="")


@given(texts, errors, changes, texts)
def test_a_fix_for_any_text_is_another_text_or_none(
    text: str, error: Diagnostic, change: tuple[str, str], said: str
) -> None:
    found = patched(text, error, fix_of(error.key, change, said))
    assert found is None or found != text


@given(texts, texts, st.one_of(st.none(), errors))
def test_a_hunk_of_any_texts_tells_two_different_things(one: str, other: str, error: Diagnostic | None) -> None:
    found = hunk_of(one, other, error)
    assert found is None or found.broken != found.fixed


@given(texts, texts)
def test_likeness_of_any_texts_is_a_share(one: str, other: str) -> None:
    assert 0.0 <= likeness(one, other) <= 1.0
    assert likeness(one, other) == likeness(other, one)
    assert likeness(one, one) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(" * 40_000,
        "}\n" * 20_000,
        "{\n" * 20_000,
        "if (a)\n" * 8_000 + "}",
        "float a = b.xy + c;" * 4_000,
        "vec3 x = " + "vec3(" * 2_000 + "1" + ")" * 2_000 + ";",
        "a=" * 25_000,
        "a?b:" * 12_000,
        "/*" * 40_000,
        " ".join(f"v{i}" for i in range(12_000)),
    ],
    ids=["open", "braces", "blocks", "ifs", "one line", "nested", "assigned", "choices", "comments", "names"],
)
def test_long_nonsense_takes_seconds_at_most(text: str) -> None:
    for change in CHANGES:
        error = Diagnostic("glsl:some_error", "`a' of type vec2 and vec3 int", 1, "a")
        began = time.process_time()
        patched(text, error, fix_of(error.key, change))
        assert time.process_time() - began < 10.0
