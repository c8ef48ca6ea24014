"""The same mistake has the same key whichever compiler says it: what real ones said, and forms of those not at hand.

NVIDIA's, Apple's, AMD's and Intel's messages were not produced here: they are quoted (`elsewhere.json`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest
from glsl_compilers import DATA, Mistake, ask_glslang, ask_mesa, mistakes, recording
from real_parts import Part, needs

from redraft.fixes.base import Diagnostic
from redraft.fixes.normalize import CATEGORIES, diagnostics, key_of

COMPILERS = ("mesa", "glslang", "angle", "naga")
MISTAKES = mistakes()
ELSEWHERE = json.loads((DATA / "elsewhere.json").read_text(encoding="utf-8"))["messages"]
BY_CODE_ALONE = ("unknown_type", "foreign_type", "error_directive")
"""Mistakes of which some compiler does not say enough: the program has to be at hand."""


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_the_same_mistake_has_the_same_key(mistake: Mistake) -> None:
    for compiler, message in said_of(mistake):
        found = diagnostics(message, mistake.program(compiler))
        key = mistake.otherwise.get(compiler, mistake.key)
        assert (compiler, [d.key for d in found[:1]]) == (compiler, [key] * bool(key))
        if found and found[0].line and mistake.line and compiler not in mistake.otherwise:
            assert (compiler, found[0].line) == (compiler, mistake.line)


def said_of(mistake: Mistake) -> list[tuple[str, str]]:
    """Compiler and message, of those that refuse the shader."""
    logs = [(compiler, recording(compiler).messages[mistake.name]) for compiler in COMPILERS]
    return [(compiler, log) for compiler, log in logs if log]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_without_the_program_only_details_are_missing(compiler: str) -> None:
    for mistake in MISTAKES:
        right = mistake.otherwise.get(compiler, mistake.key)
        message = recording(compiler).messages[mistake.name]
        if message and right and mistake.name not in BY_CODE_ALONE:
            key = key_of(message)
            assert key
            assert right.startswith(key)
            assert key.count(":") == 1 or key == right


def test_hardly_anything_is_seen_otherwise() -> None:
    """Of all that was refused by the four compilers, only these few are not the key of the mistake."""
    refused = sum(bool(message) for name in COMPILERS for message in recording(name).messages.values())
    otherwise = sum(len(mistake.otherwise) for mistake in MISTAKES)
    assert refused > 300
    assert otherwise <= 10
    assert not any(set(mistake.otherwise) & {"glslang", "angle"} for mistake in MISTAKES)


@pytest.mark.parametrize("case", ELSEWHERE, ids=lambda case: f"{case['compiler']}-{case['key']}")
def test_compilers_that_are_not_at_hand(case: dict[str, str]) -> None:
    first = diagnostics(case["message"])[0]
    assert (first.key, first.line, first.token) == (case["key"], case["line"], case["token"])


def test_the_complaint_is_told_without_place() -> None:
    assert diagnostics("0:5(12): error: `foo' undeclared") == [
        Diagnostic("glsl:undeclared_identifier", "`foo' undeclared", 5, "foo")
    ]
    assert diagnostics("ERROR: 0:5: 'foo' : undeclared identifier \n") == [
        Diagnostic("glsl:undeclared_identifier", "'foo' : undeclared identifier", 5, "foo")
    ]
    assert diagnostics("C:\\shaders\\a b.frag:5: error: 'foo' : undeclared identifier")[0].line == 5


def test_all_complaints_in_their_order() -> None:
    found = diagnostics(recording("mesa").messages["several"])
    assert [(d.key, d.line, d.token) for d in found] == [
        ("glsl:undeclared_identifier", 5, "first"),
        ("glsl:incompatible_types", 6, ""),
        ("glsl:undeclared_identifier", 7, "missing"),
    ]


def test_what_only_follows_is_left_out() -> None:
    log = (
        "ERROR: 2 compilation errors.  No code generated.\n"
        "0:3(1): warning: `a' used uninitialized\n"
        "0:5(21): error: `iTime' undeclared\n"
        "0:5(17): error: no matching function for call to `sin(error)'; candidates are:\n"
        "0:5(17): error:    float sin(float)\n"
        "0:5(12): error: cannot construct `vec4' from a non-numeric data type\n"
        "ERROR: 0:5: '' : compilation terminated \n"
        "ERROR: Linking fragment stage: Missing entry point: Each stage requires one entry point\n"
    )
    assert [d.key for d in diagnostics(log)] == ["glsl:undeclared_identifier:itime"]


def test_a_complaint_that_follows_from_nothing_is_kept() -> None:
    alone = "0:5(12): error: cannot construct `vec4' from a non-numeric data type"
    assert key_of(alone) == "glsl:constructor_arguments:vec4"
    assert [d.line for d in diagnostics(f"0:3(1): error: `a' undeclared\n{alone}")] == [3, 5]


def test_warnings_and_notes_are_no_errors() -> None:
    for line in (
        "0:5(12): warning: `foo' used uninitialized",
        "WARNING: 0:5: 'foo' : undeclared identifier",
        '0(5) : warning C1503: undefined variable "foo"',
        "warning: Unknown variable: foo",
        "WARNING: 0:2: '' : syntax error",
    ):
        assert diagnostics(line) == []


@pytest.mark.parametrize("name", ["sampler_size", "location", "precision", "block", "macro", "constant", "operator_x"])
def test_the_letters_of_a_name_say_nothing(name: str) -> None:
    for message, key in (
        (f"0:5(12): error: `{name}' undeclared", "glsl:undeclared_identifier"),
        (f"0:5(12): error: `{name}' redeclared", "glsl:redefinition"),
        (f"0:5(12): error: assignment to read-only variable '{name}'", "glsl:not_assignable"),
        (f"ERROR: 0:5: Use of undeclared identifier '{name}'", "glsl:undeclared_identifier"),
        (f'0(5) : error C1503: undefined variable "{name}"', "glsl:undeclared_identifier"),
        (f"ERROR: 0:5: '{name}' : redefinition", "glsl:redefinition"),
        (
            f'Error {{ kind: UnknownVariable("{name}"), meta: Span {{ start: 1, end: 2 }} }}',
            "glsl:undeclared_identifier",
        ),
    ):
        assert key_of(message) == key


def test_an_undefined_name_that_is_called_is_a_function() -> None:
    """NVIDIA says the same of both; the program tells."""
    message = '0(2) : error C1503: undefined variable "ring"'
    assert key_of(message) == "glsl:undeclared_identifier"
    assert key_of(message, "void main() {\n  float d = ring (1.0);\n}") == "glsl:no_matching_function"
    assert key_of(message, "void main() {\n  float d = ring;\n}") == "glsl:undeclared_identifier"


def test_two_constructors_on_a_line_leave_the_detail_open() -> None:
    message = "ERROR: 0:1: 'constructor' : not enough data provided for construction"
    assert key_of(message, "vec4 c = vec4(0.1, 0.2);") == "glsl:constructor_arguments:vec4"
    assert key_of(message, "vec4 c = vec4(vec2(0.1), 0.2);") == "glsl:constructor_arguments"


def test_real_lines_of_glslang_have_a_key() -> None:
    """`benchmarks/glsl_errors.py` judges all of them against a table."""
    lines = [json.loads(line) for line in (DATA / "glslang_golden.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        found = diagnostics(line["raw"])
        if line["reason"] == "compilation terminated":
            assert not found
        else:
            assert ":".join(found[0].key.split(":")[:2]) in CATEGORIES
            assert found[0].line == line["line"]


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "part", "ask"), [("mesa", "egl", ask_mesa), ("glslang", "glslangValidator", ask_glslang)]
)
def test_compilers_at_hand_still_say_so(
    name: str, part: Part, ask: Callable[[Sequence[str]], tuple[list[str], str]]
) -> None:
    """The recordings are what the compilers say; another version may say it otherwise, with the same key."""
    needs(part)
    kept = recording(name)
    logs, about = ask([mistake.program(name) for mistake in MISTAKES])
    for mistake, log in zip(MISTAKES, logs, strict=True):
        if about == kept.compiler:
            assert log == kept.messages[mistake.name]
        elif log:
            key = mistake.otherwise.get(name, mistake.key)
            assert key_of(log, mistake.program(name)) == key, log
