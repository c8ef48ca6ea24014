"""Each recipe: what a fix of one program teaches, done to another one. Mesa, where it is, says whether both hold."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from glsl_compilers import ask_mesa
from real_parts import needs

from redraft.memory.base import Fix
from redraft.memory.hunks import patched
from redraft.memory.normalize import diagnostics

HEAD = "#version 330\nuniform vec2 u_resolution;\nuniform float u_time;\nin vec2 v_uv;\nout vec4 f_color;\n"


@dataclass(frozen=True)
class Lesson:
    """`broken → fixed` was learnt; the shader (below the head) has the same kind of error, `expected` is it without."""

    name: str
    broken: str
    fixed: str
    shader: str
    complaint: str
    expected: str

    def code(self, text: str) -> str:
        return HEAD + text

    def fix(self) -> Fix:
        found = diagnostics(self.message, self.code(self.shader))
        return Fix(
            key=found[0].key,
            error_msg=self.message,
            broken_snippet=self.broken,
            fixed_snippet=self.fixed,
            timestamp="2026-01-01T00:00:00Z",
        )

    @property
    def message(self) -> str:
        """The complaint with the line it is about: that of the error, counted with the head."""
        line, _, text = self.complaint.partition(" ")
        return f"0:{int(line) + HEAD.count(chr(10))}(1): error: {text}"


def body(*lines: str) -> str:
    return "void main() {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


SEMICOLON = ("float a = b", "float a = b;")
UNEXPECTED = "syntax error, unexpected"

LESSONS = [
    Lesson(
        "semicolon",
        *SEMICOLON,
        body("vec2 p = v_uv * 2.0", "f_color = vec4(p, p);"),
        f"3 {UNEXPECTED} IDENTIFIER, expecting ',' or ';'",
        body("vec2 p = v_uv * 2.0;", "f_color = vec4(p, p);"),
    ),
    Lesson(
        "semicolon, comment behind",
        *SEMICOLON,
        body("vec2 p = v_uv * 2.0 // twice", "f_color = vec4(p, p);"),
        f"3 {UNEXPECTED} IDENTIFIER, expecting ',' or ';'",
        body("vec2 p = v_uv * 2.0; // twice", "f_color = vec4(p, p);"),
    ),
    Lesson(
        "bracket that opens a call",
        "x = sin y);",
        "x = sin(y);",
        body("vec3 c = vec3 v_uv, 0.0);", "f_color = vec4(c, 1.0);"),
        f"2 {UNEXPECTED} IDENTIFIER, expecting '('",
        body("vec3 c = vec3(v_uv, 0.0);", "f_color = vec4(c, 1.0);"),
    ),
    Lesson(
        "bracket that closes a call, behind a choice",
        "x = sin(y;",
        "x = sin(y);",
        body("float d = abs(u_time > 1.0 ? 0.5 : 0.25;", "f_color = vec4(d);"),
        f"2 {UNEXPECTED} ';', expecting ')' or ','",
        body("float d = abs(u_time > 1.0 ? 0.5 : 0.25);", "f_color = vec4(d);"),
    ),
    Lesson(
        "brace that opens a function",
        "void f()",
        "void f() {",
        "float wave(float x)\n  return sin(x);\n}\n" + body("f_color = vec4(wave(u_time));"),
        f"2 {UNEXPECTED} RETURN, expecting ';' or '{{'",
        "float wave(float x) {\n  return sin(x);\n}\n" + body("f_color = vec4(wave(u_time));"),
    ),
    Lesson(
        "brace of a block, by indentation",
        "",
        "}",
        body("float d = 0.0;", "if (v_uv.x > 0.5) {", "  d = 1.0;", "f_color = vec4(d);"),
        f"6 {UNEXPECTED} end of file",
        body("float d = 0.0;", "if (v_uv.x > 0.5) {", "  d = 1.0;", "}", "f_color = vec4(d);"),
    ),
    Lesson(
        "comma",
        *SEMICOLON,
        body("f_color = vec4(v_uv 0.0, 1.0);"),
        f"2 {UNEXPECTED} FLOATCONSTANT, expecting ')' or ','",
        body("f_color = vec4(v_uv, 0.0, 1.0);"),
    ),
    Lesson(
        "operator",
        "x = y z;",
        "x = y * z;",
        body("float d = 2.0 u_time;", "f_color = vec4(d);"),
        f"2 {UNEXPECTED} IDENTIFIER, expecting ',' or ';'",
        body("float d = 2.0 * u_time;", "f_color = vec4(d);"),
    ),
    Lesson(
        "misspelt variable, everywhere",
        "x = colr * 2.0;",
        "x = color * 2.0;",
        body("float glow = 0.5;", "float b = golw;", "f_color = vec4(golw, b, 0.0, 1.0);"),
        "3 `golw' undeclared",
        body("float glow = 0.5;", "float b = glow;", "f_color = vec4(glow, b, 0.0, 1.0);"),
    ),
    Lesson(
        "misspelt function",
        "x = smothstep(0.0, 1.0, y);",
        "x = smoothstep(0.0, 1.0, y);",
        body("float d = lenght(v_uv);", "f_color = vec4(d);"),
        "2 no function with name 'lenght'",
        body("float d = length(v_uv);", "f_color = vec4(d);"),
    ),
    Lesson(
        "name of another dialect",
        "gl_FragColour = vec4(1.0);",
        "f_color = vec4(1.0);",
        body("gl_FragColour = vec4(v_uv, 0.0, 1.0);"),
        "2 `gl_FragColour' undeclared",
        body("f_color = vec4(v_uv, 0.0, 1.0);"),
    ),
    Lesson(
        "function of another language",
        "x = lerp(a, b, 0.5);",
        "x = mix(a, b, 0.5);",
        body("float d = lerp(v_uv.x, v_uv.y, u_time);", "f_color = vec4(d);"),
        "2 no function with name 'lerp'",
        body("float d = mix(v_uv.x, v_uv.y, u_time);", "f_color = vec4(d);"),
    ),
    Lesson(
        "second declaration",
        "float a = 1.0;",
        "",
        body("float d = v_uv.x;", "float d = v_uv.x;", "f_color = vec4(d);"),
        "3 `d' redeclared",
        body("float d = v_uv.x;", "f_color = vec4(d);"),
    ),
    Lesson(
        "second declaration with another value",
        "float a = 1.0;",
        "a = 1.0;",
        body("float d = v_uv.x;", "float d = v_uv.y;", "f_color = vec4(d);"),
        "3 `d' redeclared",
        body("float d = v_uv.x;", "d = v_uv.y;", "f_color = vec4(d);"),
    ),
    Lesson(
        "const in the way",
        "const vec2 p = v_uv;",
        "vec2 p = v_uv;",
        body("const float d = 1.0;", "d *= v_uv.x;", "f_color = vec4(d);"),
        "3 assignment to read-only variable 'd'",
        body("float d = 1.0;", "d *= v_uv.x;", "f_color = vec4(d);"),
    ),
    Lesson(
        "declared type follows the value",
        "vec2 a = vec3(1.0);",
        "vec3 a = vec3(1.0);",
        body("vec4 q = v_uv * 2.0;", "f_color = vec4(q, q);"),
        "2 initializer of type vec2 cannot be assigned to variable of type vec4",
        body("vec2 q = v_uv * 2.0;", "f_color = vec4(q, q);"),
    ),
    Lesson(
        "components that a constructor lacks",
        "vec3 a = vec3(1.0, 0.0);",
        "vec3 a = vec3(1.0, 0.0, 0.0);",
        body("vec3 c = vec3(v_uv);", "f_color = vec4(c, 1.0);"),
        "2 too few components to construct `vec3'",
        body("vec3 c = vec3(v_uv, 0.0);", "f_color = vec4(c, 1.0);"),
    ),
    Lesson(
        "components that a constructor has too many",
        "vec2 a = vec2(b, 1.0);",
        "vec2 a = vec2(b);",
        body("f_color = vec4(v_uv, v_uv, 0.0, 1.0);"),
        "2 too many parameters to `vec4' constructor",
        body("f_color = vec4(v_uv, v_uv);"),
    ),
    Lesson(
        "number of the wrong kind",
        "int a = 1.0;",
        "int a = 1;",
        body("int n = 4.0;", "f_color = vec4(float(n) * 0.5);"),
        "2 initializer of type float cannot be assigned to variable of type int",
        body("int n = 4;", "f_color = vec4(float(n) * 0.5);"),
    ),
    Lesson(
        "type of return",
        "vec2 f(vec2 p) {",
        "vec3 f(vec2 p) {",
        "vec2 wave(float x) {\n  return sin(x);\n}\n" + body("f_color = vec4(wave(u_time));"),
        "2 `return' with wrong type float, in function `wave' returning vec2",
        "float wave(float x) {\n  return sin(x);\n}\n" + body("f_color = vec4(wave(u_time));"),
    ),
]
NAMES = [lesson.name for lesson in LESSONS]


@pytest.mark.parametrize("lesson", LESSONS, ids=NAMES)
def test_what_was_learnt_is_done_again(lesson: Lesson) -> None:
    code = lesson.code(lesson.shader)
    found = diagnostics(lesson.message, code)[0]
    assert patched(code, found, lesson.fix()) == lesson.code(lesson.expected)


@pytest.mark.real
def test_mesa_says_that_each_was_broken_and_is_fixed() -> None:
    needs("egl")
    broken, _ = ask_mesa([lesson.code(lesson.shader) for lesson in LESSONS])
    fixed, _ = ask_mesa([lesson.code(lesson.expected) for lesson in LESSONS])
    for lesson, before, after in zip(LESSONS, broken, fixed, strict=True):
        said = diagnostics(before, lesson.code(lesson.shader))
        learnt = diagnostics(lesson.message, lesson.code(lesson.shader))[0]
        assert (said[0].key, said[0].line) == (learnt.key, learnt.line), lesson.name
        assert after == "", lesson.name


@pytest.mark.parametrize("lesson", LESSONS, ids=NAMES)
def test_a_recipe_that_was_not_shown_is_not_used(lesson: Lesson) -> None:
    code = lesson.code(lesson.shader)
    found = diagnostics(lesson.message, code)[0]
    other = lesson.fix().model_copy(update={"broken_snippet": "discard;", "fixed_snippet": "continue;"})
    assert patched(code, found, other) is None


def test_a_misspelt_name_is_not_declared() -> None:
    code = HEAD + body("float glow = 0.5;", "f_color = vec4(golw);")
    found = diagnostics("0:8(1): error: `golw' undeclared", code)[0]
    fix = Fix(key=found.key, error_msg=found.text, broken_snippet="", fixed_snippet="float a = 1.0;", timestamp="")
    assert patched(code, found, fix) is None


def test_of_two_names_as_near_neither_is_taken() -> None:
    code = HEAD + body("float cat = 0.5;", "float car = 0.1;", "f_color = vec4(cab);")
    found = diagnostics("0:9(1): error: `cab' undeclared", code)[0]
    fix = Fix(key=found.key, error_msg=found.text, broken_snippet="x = colr;", fixed_snippet="x = color;", timestamp="")
    assert patched(code, found, fix) is None


def test_a_type_that_other_values_fit_is_not_changed() -> None:
    code = HEAD + body("vec3 c = v_uv;", "c = vec3(1.0);", "f_color = vec4(c, 1.0);")
    message = "0:7(1): error: initializer of type vec2 cannot be assigned to variable of type vec3"
    found = diagnostics(message, code)[0]
    broken, fixed = "vec2 a = vec3(1.0);", "vec3 a = vec3(1.0);"
    fix = Fix(key=found.key, error_msg=found.text, broken_snippet=broken, fixed_snippet=fixed, timestamp="")
    assert patched(code, found, fix) is None
