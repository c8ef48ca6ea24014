"""The place of an error in a script, and changes to its text: no Blender is needed for that."""

from __future__ import annotations

import ast
import traceback

import pytest

from redraft.loop.recall import patched
from redraft.result import CodePatch
from redraft.studios.scene.inside.advice.script import Edit, FailedScript


def failed(code: str) -> FailedScript:
    """A script where it raised."""
    try:
        exec(compile(code, "script.py", "exec"), {})
    except Exception as error:
        *_, (_, line) = traceback.walk_tb(error.__traceback__)
        return FailedScript(error, code, line)
    raise AssertionError(f"{code!r} raised nothing")


def changed(place: FailedScript, edits: list[Edit]) -> str | None:
    """The script after its patches, as the loop makes them."""
    return patched(place.code, [CodePatch.model_validate(patch) for patch in place.patches(edits, "because")])


def test_the_exact_part_is_found_among_others_of_its_line() -> None:
    place = failed("class A: pass\na, b = A(), A()\na.size = 1\nx = [a.size, b.size, a.size]")
    node = place.failing(ast.Attribute, lambda n: n.attr == "size")
    assert node is not None
    assert place.text(node) == "b.size"
    assert changed(place, place.attribute(node, "length")) == place.code.replace("b.size", "b.length")


def test_letters_of_more_than_one_byte_do_not_shift_it() -> None:
    place = failed("x = {'ä': 1}\n'äöü'; x['ä']; x['ö']; 'ß'")
    node = place.failing(ast.Subscript)
    assert node is not None
    assert place.text(node) == "x['ö']"
    assert changed(place, place.instead(node.slice, "'ä'")) == "x = {'ä': 1}\n'äöü'; x['ä']; x['ä']; 'ß'"


def test_the_names_are_those_of_the_function_that_failed() -> None:
    place = failed("x = 1\ny = 2\ndef f(x):\n    return x.size\nf('inner')")
    assert (place.names["x"], place.names["y"]) == ("inner", 2)


@pytest.mark.parametrize(
    ("call", "gone", "after"),
    [
        ("f(a=1, b=2, c=3)", "b", "f(a=1, c=3)"),
        ("f(a=1, b=2, c=3)", "c", "f(a=1, b=2)"),
        ("f(a=1, b=2, c=3)", "ab", "f(c=3)"),
        ("f(a=1, b=2, c=3)", "bc", "f(a=1)"),
        ("f(a=1, b=2, c=3)", "ac", "f(b=2)"),
        ("f(a=1, b=2, c=3)", "abc", "f()"),
        ("f(0, a=1)", "a", "f(0)"),
        ("f(a=1,\n  b=(1,\n     2),\n  c=3)", "b", "f(a=1,\n  #\n     #\n  c=3)"),
        ("f(\n    a=1,\n    b=2,\n)", "b", "f(\n    a=1\n    ,\n)"),
    ],
)
def test_arguments_go_with_their_commas(call: str, gone: str, after: str) -> None:
    place = failed(f"def f(*args, **keywords): raise ValueError\n{call}")
    place = FailedScript(ValueError(), place.code, 2)
    node = next(n for n in place.of_kind(ast.Call) if n.lineno == 2)
    found = changed(place, place.without_keywords(node, [k for k in node.keywords if k.arg and k.arg in gone]))
    assert found is not None
    assert found.split("\n", 1)[1] == after
    ast.parse(found)


@pytest.mark.parametrize(
    ("code", "after"),
    [
        ("if 1:\n    a = 1", "if 1:\n    pass"),
        ("if 1: a = 1", "if 1: pass"),
        ("b = 1; a = 1; b = 2", "b = 1; pass; b = 2"),
        ("a = (1,\n     2)\nb = 1", "pass\n     #\nb = 1"),
        ("a = f(1)", "f(1)"),
        ("a = radians(1)", "pass"),
    ],
)
def test_a_statement_that_goes_leaves_python(code: str, after: str) -> None:
    place = FailedScript(ValueError(), code, 1)
    statement = next(n for n in place.of_kind(ast.Assign) if place.text(n.targets[0]) == "a")
    assert changed(place, place.left_out(statement.targets[0]) or []) == after


def test_statements_are_put_before_and_behind_with_the_indentation_of_their_block() -> None:
    place = FailedScript(ValueError(), "def f():\n    g()  # yes\nif 1: g()\ng(); g()", 2)
    inner, short, first, _ = sorted(place.of_kind(ast.Expr), key=lambda n: (n.lineno, n.col_offset))
    assert changed(place, place.insert_before(inner, "h()")) == "def f():\n    h()\n    g()  # yes\nif 1: g()\ng(); g()"
    assert changed(place, place.insert_behind(inner, "h()")) == "def f():\n    g()  # yes\n    h()\nif 1: g()\ng(); g()"
    assert changed(place, place.insert_before(short, "h()")) == "def f():\n    g()  # yes\nif 1: h(); g()\ng(); g()"
    assert changed(place, place.insert_behind(first, "h()")) == "def f():\n    g()  # yes\nif 1: g()\ng(); h(); g()"


def test_a_part_that_stands_twice_in_its_line_is_told_by_the_whole_line() -> None:
    place = FailedScript(ValueError(), "    \nx = a.b + a.b", 2)
    first = min(place.of_kind(ast.Attribute), key=lambda n: n.col_offset)
    patches = place.patches(place.attribute(first, "c"), "why")
    assert [(m["line"], m["before"], m["after"], m["why"]) for m in patches] == [
        (2, "x = a.b + a.b", "x = a.c + a.b", "why")
    ]


def test_edits_that_meet_or_leave_no_python_are_refused() -> None:
    place = FailedScript(ValueError(), "x = 1", 1)
    assert place.patches([Edit(1, 0, 3, "y ="), Edit(1, 2, 5, "= 2")], "") == ()
    assert place.patches([Edit(1, 4, 5, "(")], "") == ()
    assert place.patches([], "") == ()


def test_what_is_no_python_is_said() -> None:
    with pytest.raises(SyntaxError):
        FailedScript(ValueError(), "x = (", 1)
