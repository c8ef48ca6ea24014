"""What a fix changed, how alike two texts are, and a change made again where it fits."""

from __future__ import annotations

import pytest

from redraft.fixes.base import Fix
from redraft.fixes.hunks import MOST_LINES, Hunk, change_of, hunk_of, likeness, patched, shape_of
from redraft.fixes.normalize import Diagnostic

CODE = """#version 330
uniform float u_time;
out vec4 f_color;
void main() {
    float glow = 0.5;

    vec3 tint = vec3(glow, 0.0, 0.2);
    f_color = vec4(tint, 1.0);
}
"""


def fix(broken: str, fixed: str, key: str = "glsl:some_error", message: str = "some error") -> Fix:
    return Fix(key=key, error_msg=message, broken_snippet=broken, fixed_snippet=fixed, timestamp="2026-01-01T00:00:00Z")


def error(line: int | None, token: str = "", key: str = "glsl:some_error", text: str = "some error") -> Diagnostic:
    return Diagnostic(key, text, line, token)


# hunk_of


def test_one_changed_line_is_the_hunk_without_its_indentation() -> None:
    fixed = CODE.replace("vec3(glow, 0.0, 0.2)", "vec3(glow)")
    assert hunk_of(CODE, fixed, error(7)) == Hunk("vec3 tint = vec3(glow, 0.0, 0.2);", "vec3 tint = vec3(glow);")


def test_nothing_changed_is_no_hunk() -> None:
    assert hunk_of(CODE, CODE, error(3)) is None


def test_spaces_at_the_end_of_lines_are_no_change() -> None:
    assert hunk_of(CODE, CODE.replace(";\n", ";  \n"), error(3)) is None


def test_of_two_changes_the_one_near_the_error_counts() -> None:
    fixed = CODE.replace("u_time", "u_clock").replace("(tint, 1.0)", "(tint, 0.5)")
    top, bottom = hunk_of(CODE, fixed, error(2)), hunk_of(CODE, fixed, error(8))
    assert top == Hunk("uniform float u_time;", "uniform float u_clock;")
    assert bottom == Hunk("f_color = vec4(tint, 1.0);", "f_color = vec4(tint, 0.5);")


def test_a_missing_semicolon_is_reported_on_the_next_line() -> None:
    broken = CODE.replace("0.5;\n", "0.5\n")
    assert hunk_of(broken, CODE, error(7)) == Hunk("float glow = 0.5", "float glow = 0.5;")


def test_a_declaration_far_away_is_the_hunk_when_it_names_what_the_error_is_about() -> None:
    broken = CODE.replace("uniform float u_time;\n", "").replace("0.2", "u_time")
    fixed = CODE.replace("0.2", "u_time").replace("0.5", "0.4")
    assert hunk_of(broken, fixed, error(20, "u_time")) == Hunk("", "uniform float u_time;")


def test_indentation_that_all_lines_share_goes_and_the_rest_stays() -> None:
    broken = "a\nb\nc\nd\n    if (x) {\n        y\n    }\n"
    fixed = "a\nb\nc\nd\n    if (x) {\n        y;\n        z;\n    }\n"
    assert hunk_of(broken, fixed, error(6)) == Hunk("y", "y;\nz;")
    both = hunk_of(broken, broken.replace("(x)", "(w)").replace("  y", "  y;"), error(6))
    assert both == Hunk("if (x) {\n    y", "if (w) {\n    y;")


def test_a_rewrite_is_no_hunk() -> None:
    many = "\n".join(f"float a{i} = {i}.0;" for i in range(60))
    long = many.replace("a2", "b2").replace("a3", "b3")
    assert long.count("b") > MOST_LINES
    assert hunk_of(many, long, error(25)) is None
    assert hunk_of("a\nb\nc\nd\ne\nf", "u\nv\nw\nx\ny\nz", None) is None


# shape_of and likeness


def test_the_shape_is_that_of_the_first_line_without_indentation() -> None:
    assert shape_of("  vec3 a = b;\n  c;") == shape_of("\nvec3 a = b;")
    assert shape_of("a = b;") != shape_of("a = c;")
    assert len(shape_of("")) == 16


def test_likeness_is_one_for_equal_texts_and_zero_for_strangers() -> None:
    assert likeness("float a = 1.0;", "float a = 1.0;") == 1.0
    assert likeness("alpha beta", "gamma delta") == 0.0
    assert likeness("", "") == 1.0
    assert likeness("", "a") == 0.0


def test_likeness_is_symmetric_and_grows_with_what_is_shared() -> None:
    near = likeness("`foo' undeclared", "`bar' undeclared")
    far = likeness("`foo' undeclared", "syntax error, unexpected ';'")
    assert near > far
    assert near == likeness("`bar' undeclared", "`foo' undeclared")
    assert likeness("a a b", "a b b") == pytest.approx(2 * 2 / 6)


# patched


def test_the_same_line_gets_the_same_fix_with_its_own_indentation() -> None:
    code = "void main() {\n        x = glow(1.0;\n}\n"
    assert patched(code, error(2), fix("x = glow(1.0;", "x = glow(1.0);")) == code.replace("1.0;", "1.0);")


def test_a_line_that_only_was_taken_away_is_taken_away_again() -> None:
    code = CODE.replace("    vec3 tint", "    precision int;\n    vec3 tint")
    assert patched(code, error(7), fix("precision int;", "")) == CODE


@pytest.mark.parametrize("line", ["x = y * z;", "a = b * d;", "a = b * c", "a = b * c; // note"])
def test_another_line_is_left_as_it_is(line: str) -> None:
    assert patched(f"{line}\n", error(1), fix("a = b * c;", "a = b * float(c);")) is None


def test_far_from_the_error_nothing_changes() -> None:
    learnt = fix("a = b +;", "a = b;")
    code = "a = b +;\n" + "z = 1.0;\n" * 20
    assert patched(code, error(20), learnt) is None
    assert patched(code, error(1), learnt) == code.replace("b +;", "b;")


def test_python_gets_the_same_fix_only_where_the_same_lines_stand() -> None:
    learnt = fix("scene.objects.link(cube)", "scene.collection.objects.link(cube)", "bpy:no_attribute:link")
    code = "import bpy\nif True:\n    scene.objects.link(cube)\n"
    found = error(3, "link", "bpy:no_attribute:link")
    assert patched(code, found, learnt) == code.replace("scene.objects", "scene.collection.objects")
    assert patched(code.replace("cube", "lamp"), found, learnt) is None


# change_of


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("a\nb\nc", "a\nx\nc", (2, "b", "x")),
        ("a\nb\nc", "a\nc", (2, "b", "")),
        ("a\nc", "a\nb\nc", (2, "", "b")),
        ("a\nb\nc\nd", "x\nb\nc\ny", (1, "a\nb\nc\nd", "x\nb\nc\ny")),
    ],
)
def test_where_two_programs_differ(before: str, after: str, change: tuple[int, str, str]) -> None:
    assert change_of(before, after) == change
