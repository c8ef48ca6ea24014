"""Messages to keys: the specification's examples, categories, and text of any kind."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.fixes.normalize import CATEGORIES, Diagnostic, diagnostics, key_of


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ("ERROR: 0:78: Incompatible types in initialization", "glsl:incompatible_types"),
        ("Incompatible types in initialization", "glsl:incompatible_types"),
        ("'*' does not operate on 'vec2' and 'mat2'", "glsl:operator_mismatch"),
        ("ERROR: 0:81: '*' does not operate on 'vec2' and 'mat2'", "glsl:operator_mismatch"),
        ("ERROR: 0:79: Use of undeclared identifier 'm'", "glsl:undeclared_identifier"),
        ("Use of undeclared identifier", "glsl:undeclared_identifier"),
        ("NameError: name 'radius' is not defined", "py:name_error"),
        ("'bpy' is a fine module", ""),
        ("The shader compiled. Nothing to report.", ""),
        ("", ""),
    ],
)
def test_key_of(message: str, key: str) -> None:
    assert key_of(message) == key


def test_a_writers_own_name_is_never_in_a_key() -> None:
    for name in ("glow", "my_texture2D", "texture2DMine", "iTimer", "float5", "ray", "vec5", "gl", "subgroup"):
        assert key_of(f"0:5(12): error: `{name}' undeclared") == "glsl:undeclared_identifier"
        assert key_of(f"0:5(12): error: no function with name '{name}'") == "glsl:no_matching_function"


def test_names_that_everybody_shares_are() -> None:
    assert key_of("0:5(12): error: `gl_FragColor' undeclared") == "glsl:undeclared_identifier:gl_fragcolor"
    assert key_of("0:5(12): error: `iMouse' undeclared") == "glsl:undeclared_identifier:imouse"
    assert key_of("0:5(12): error: no function with name 'texture2DLodEXT'") == (
        "glsl:no_matching_function:texture2dlodext"
    )
    assert key_of("0:5(3): error: too few components to construct `vec3'") == "glsl:constructor_arguments:vec3"


def test_a_stored_line_is_read_again_as_the_same_complaint() -> None:
    """The fix memory keeps the line of a message, and reads it anew when it looks the fix up."""
    log = (
        "0:4(1): warning: odd\n0:5(12): error: `foo' undeclared\n0:7(3): error: too few components to construct `vec3'"
    )
    for found in diagnostics(log):
        line = next(line for line in log.splitlines() if found.text in line)
        assert diagnostics(line) == [found]


def test_every_category_has_a_meaning_in_one_line() -> None:
    for key, meaning in CATEGORIES.items():
        assert key.split(":")[0] in ("glsl", "py", "bpy")
        assert key.count(":") == 1
        assert 10 < len(meaning) < 90
        assert "\n" not in meaning


PIECES = st.sampled_from(
    [
        *(
            "ERROR: 0:5: 'x' : ",
            "0:5(3): error: ",
            "0(12) : error C1008: ",
            "a.frag:8: error: ",
            "error: ",
            "WARNING: ",
        ),
        *(
            "Error { kind: ",
            ", meta: Span { start: 1, end: 4 } }",
            "SemanticError(",
            "  ┌─ glsl:5:3",
            "    = ",
            "'",
            '"',
        ),
        *(
            "undeclared identifier",
            "cannot convert from 'a' to 'b'",
            "`",
            "syntax error, unexpected ",
            "\n",
            "\r\n",
            "{",
        ),
        *("Traceback (most recent call last):", '  File "<string>", line 3', "TypeError: ", "KeyError", "bpy_struct: "),
        *("1" * 400, " " * 300, "x." * 200, "layout( ", "é", "\udcff", "\x00", "\u2028", "9" * 30),
    ]
)


@given(st.lists(PIECES | st.text(max_size=30), max_size=40).map("".join), st.text(max_size=200))
def test_any_text_gives_a_list(message: str, code: str) -> None:
    for found in diagnostics(message, code):
        category, _, detail = found.key.partition(":")
        assert category in ("glsl", "py", "bpy")
        assert ":".join((category, detail.partition(":")[0])) in CATEGORIES
        assert found.key == found.key.lower()
        assert not set(found.key) & set(" \n\t\"'")
        assert found.line is None or found.line > 0
        assert found.text


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            "1",
            " ",
            "\n",
            "ERROR: ",
            "ERROR: 0:5: 'x' : y\n",
            "0:1(1): error: x\n",
            "'",
            "(1) : error C1008: ",
            ":",
        ),
        *(
            "Error { kind: ",
            "Error { kind: A, meta: Span { start: 1, end: 2 } }",
            "x.",
            "A: ",
            "error: `a' undeclared\n",
        ),
        *('  File "x", line 1\n', "Error: a\n", "1:1(1", " = ", "layout( ", "ERROR: 0:0:", "é", "=" * 1999 + "error\n"),
        *("0:1(1): error: unexpected " * 70 + "\n", "a: error: b\n", "TypeError: 'a' " * 90 + "\n"),
    ],
)
def test_a_megabyte_takes_under_a_second(piece: str) -> None:
    garbage = (piece * (MEGABYTE // len(piece) + 1))[:MEGABYTE]
    before = time.process_time()
    found = diagnostics(garbage, garbage)
    assert time.process_time() - before < 1.0
    assert len(found) <= 100


def test_distinct_complaints_of_no_kind_take_no_longer() -> None:
    log = "\n".join(f"0:{n}(1): error: unexpected-{n} " + "of a member " * 150 for n in range(1, 500))
    before = time.process_time()
    diagnostics(log)
    assert time.process_time() - before < 1.0


def test_many_distinct_complaints_are_cut_short() -> None:
    log = "\n".join(f"0:{line}(1): error: `name_{line}' undeclared" for line in range(1, 20_000))
    found = diagnostics(log)
    assert len(found) == 100
    assert found[0] == Diagnostic("glsl:undeclared_identifier", "`name_1' undeclared", 1, "name_1")
