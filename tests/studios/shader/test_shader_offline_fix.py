"""Repairs by rule, judged by the real compilers: what is broken does not compile, what is mended does."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from real_parts import needs

from redraft.errors import ExecutionError
from redraft.offline.shader.fix import LESSONS, mended
from redraft.offline.shader.fix_rules import CONSTANTS, HELPERS
from redraft.sandbox.pool import Sandbox
from redraft.studios.shader.gl import View, render

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

HEAD = "#version 330\nuniform vec2 u_resolution;\nuniform float u_time;\nin vec2 v_uv;\nout vec4 f_color;\n"


def shader(body: str, before: str = "", after: str = "") -> str:
    return f"{HEAD}{before}\nvoid main() {{\n{body}\n}}\n{after}"


SHOW = "f_color = vec4(c, 1.0);"

BROKEN: dict[str, tuple[str, int]] = {
    "constant": (shader("f_color = vec4(sin(v_uv.x * PI));"), 1),
    "two constants": (shader("f_color = vec4(sin(v_uv.x * TAU + PI));"), 2),
    "misspelt name": (shader(f"vec3 color = vec3(1.0);\nvec3 c = colr;\n{SHOW}"), 1),
    "misspelt function": (shader("f_color = vec4(smothstep(0.0, 1.0, v_uv.x));"), 1),
    "misspelt type": (shader(f"vec33 c = vec3(1.0);\n{SHOW}"), 1),
    "misspelt uniform": (shader("f_color = vec4(v_uv * u_resoluton, 0.0, 1.0);"), 1),
    "three's time": (shader("f_color = vec4(sin(time));"), 1),
    "three's uv": (shader("f_color = vec4(uv, 0.0, 1.0);"), 1),
    "shadertoy's place": (shader("f_color = vec4(fragCoord / u_resolution, 0.0, 1.0);"), 1),
    "HLSL's mix": (shader("f_color = vec4(lerp(0.0, 1.0, v_uv.x));"), 1),
    "HLSL's arc": (shader("f_color = vec4(atan2(v_uv.y, v_uv.x));"), 1),
    "semicolon": (shader("float a = 1.0\nf_color = vec4(a);"), 1),
    "semicolon of an assignment": (shader("vec3 c = vec3(0.5);\nc *= v_uv.x\n" + SHOW), 1),
    "two brackets": (shader("f_color = vec4(sin(v_uv.x;"), 2),
    "bracket": (shader("float d = length(v_uv - vec2(0.5);\nf_color = vec4(d);"), 1),
    "closing brace": (shader("    if (v_uv.x > 0.5) {\n        f_color = vec4(1.0);\n    f_color.a = 1.0;"), 1),
    "opening brace": (shader("f_color = vec4(f(1.0));", "float f(float x)\n    float y = x;\n    return y;\n}"), 1),
    "brace too many": (shader("f_color = vec4(1.0);\n}"), 1),
    "comma": (shader("f_color = vec4(v_uv.x 0.5, 0.0, 1.0);"), 1),
    "operator": (shader("float a = 2.0 v_uv.x;\nf_color = vec4(a);"), 1),
    "head of a loop": (shader("float s = 0.0;\nfor (int i = 0, i < 4; i++) { s += 0.1; }\nf_color = vec4(s);"), 1),
    "too few components": (shader("f_color = vec4(v_uv, 1.0);"), 1),
    "too many components": (shader("vec2 c = vec2(v_uv.x, 0.5, 0.1);\nf_color = vec4(c, 0.0, 1.0);"), 1),
    "vector for float": (shader("vec3 c = vec3(0.3);\nfloat x = c;\nf_color = vec4(x);"), 1),
    "float for vector": (shader(f"vec3 c = v_uv.x;\n{SHOW}"), 1),
    "longer vector": (shader("vec3 c = vec3(0.3);\nvec2 x = c;\nf_color = vec4(x, c.x, 1.0);"), 1),
    "three for four": (shader("f_color = vec3(v_uv, 0.0);"), 1),
    "float for int": (shader("int n = 4.0;\nf_color = vec4(float(n));"), 1),
    "sizes in a product": (shader(f"vec3 a = vec3(1.0);\nvec3 c = a * v_uv;\n{SHOW}"), 1),
    "component that is not there": (shader("f_color = vec4(v_uv.z);"), 1),
    "arguments of two sizes": (shader("f_color = vec4(mix(vec3(1.0), vec2(0.0), 0.5), 1.0);"), 1),
    "argument too few": (shader("f_color = vec4(clamp(v_uv.x, 1.0));"), 1),
    "second declaration": (shader("float a = 1.0;\nfloat a = 2.0;\nf_color = vec4(a);"), 1),
    "second function": (
        shader("f_color = vec4(f(1.0));", "float f(float x) { return x; }\nfloat f(float x) { return x * 2.0; }"),
        1,
    ),
    "constant that is set": (shader("A = 2.0;\nf_color = vec4(A);", "const float A = 1.0;"), 1),
    "constant of a variable": (shader("const float a = v_uv.x;\nf_color = vec4(a);"), 1),
    "uniform that is set": (shader("u_time *= 0.5;\nf_color = vec4(u_time);"), 1),
    "input that is set": (shader("v_uv -= 0.5;\nf_color = vec4(v_uv, 0.0, 1.0);"), 1),
    "no return": (shader("f_color = vec4(f(v_uv.x));", "float f(float x) {\n    float y = x * 2.0;\n}"), 1),
    "wrong return": (shader("f_color = vec4(f(v_uv.x));", "float f(float x) {\n    return vec2(x);\n}"), 1),
    "used before it is written": (
        shader("f_color = vec4(f(v_uv));", after="float f(vec2 p) {\n    return p.x;\n}\n"),
        1,
    ),
    "helper": (shader("f_color = vec4(hsv2rgb(vec3(v_uv.x, 0.5, 1.0)), 1.0);"), 1),
    "remainder": (shader("float a = v_uv.x * 8.0 % 2.0;\nf_color = vec4(a);"), 1),
    "reserved word": (shader("float input = v_uv.x;\nf_color = vec4(input);"), 1),
    "number as condition": (shader("if (v_uv.x) f_color = vec4(1.0);"), 1),
    "double": (shader("double x = 1.0lf;\nf_color = vec4(float(x));"), 1),
    "older output": ("void main() {\n    gl_FragColor = vec3(1.0, 0.5, 0.0);\n}\n", 1),
    "name of nothing": (shader("float a = glow * 2.0;\nf_color = vec4(a);"), 1),
}
"""Broken shaders, and how many mends may be needed."""

QUICK = ("constant", "semicolon", "too few components", "vector for float", "uniform that is set", "misspelt name")


@pytest.fixture
async def box(tmp_path: Path) -> AsyncIterator[Sandbox]:
    needs("egl")
    async with Sandbox(tmp_path) as box:
        yield box


async def complaint(code: str, box: Sandbox) -> str:
    """What the compiler says; empty when it compiles and runs."""
    try:
        await render(code, View(16, 16, (0.0,)), box)
    except ExecutionError as error:
        return str(error)
    return ""


async def faults(names: tuple[str, ...], box: Sandbox) -> list[str]:
    """The cases that do not fail as they stand, or are not whole after their mends."""
    found: list[str] = []
    for name in names:
        code, most = BROKEN[name]
        said = await complaint(code, box)
        if not said:
            found.append(f"{name}: compiles as it stands")
        for _ in range(most):
            done = mended(code, said)
            if done is None:
                break
            code, said = done[1], await complaint(done[1], box)
        if said:
            found.append(f"{name}: {said.splitlines()[0]}\n{code}")
    return found


@pytest.mark.real
async def test_what_is_mended_compiles(box: Sandbox) -> None:
    assert await faults(QUICK, box) == []


@pytest.mark.real
@pytest.mark.slow
async def test_every_kind_of_mistake_is_mended(box: Sandbox) -> None:
    assert await faults(tuple(BROKEN), box) == []


@pytest.mark.real
@pytest.mark.slow
async def test_every_helper_and_constant_compiles(box: Sandbox) -> None:
    calls = {"mul": "vec4(mul(mat2(1.0), v_uv), 0.0, 1.0)", "sdCircle": "vec4(sdCircle(v_uv, 0.5))"}
    calls |= {"sdSphere": "vec4(sdSphere(vec3(v_uv, 0.0), 0.5))", "sdBox": "vec4(sdBox(v_uv, vec2(0.3)))"}
    calls |= {"map": "vec4(map(v_uv.x, 0.0, 1.0, 0.2, 0.8))", "hsv2rgb": "vec4(hsv2rgb(vec3(v_uv, 1.0)), 1.0)"}
    calls |= {"saturate": "vec4(saturate(v_uv.x))"}
    calls |= {name: f"vec4(vec2(0.5) * {name}(0.5), 0.0, 1.0)" for name in HELPERS if name.startswith("rot")}
    for name in HELPERS:
        code = shader(f"f_color = {calls.get(name, f'vec4({name}(v_uv * 4.0))')};")
        done = mended(code, await complaint(code, box))
        assert done is not None, name
        assert await complaint(done[1], box) == "", done[1]
    for name in CONSTANTS:
        code = shader(f"f_color = vec4({name});")
        done = mended(code, await complaint(code, box))
        assert done is not None, name
        assert await complaint(done[1], box) == "", done[1]


@pytest.mark.real
@pytest.mark.slow
def test_the_words_of_another_compiler_serve_as_well(tmp_path: Path) -> None:
    program = needs("glslangValidator")
    unlike = {"older output", "double", "shadertoy's place"}  # needs the contract's frame, or is no error to glslang
    failed: list[str] = []
    for name, (code, most) in BROKEN.items():
        if name in unlike:
            continue
        text, said = _mended_by(program, code, most, tmp_path)
        failed += [f"{name}: {said}\n{text}"] if said else []
    assert failed == []


def _mended_by(program: str, code: str, most: int, folder: Path) -> tuple[str, str]:
    said = _glslang(program, code, folder)
    for _ in range(most):
        done = mended(code, said) if said else None
        if done is None:
            break
        code, said = done[1], _glslang(program, done[1], folder)
    return code, said


def _glslang(program: str, code: str, folder: Path) -> str:
    file = folder / "shader.frag"
    file.write_text(code, encoding="utf-8")
    done = subprocess.run([program, str(file)], capture_output=True, text=True, timeout=60, check=False)
    return "" if done.returncode == 0 else done.stdout.replace(str(file), "0")


@pytest.mark.parametrize(
    ("message", "code", "mend"),
    [
        (
            "ERROR: 0:3: 'PI' : undeclared identifier",
            "in vec2 v_uv;\nvoid main() {\n  f(PI);\n}",
            "const float PI = 3.14",
        ),
        (
            "ERROR: 0:1: Use of undeclared identifier 'iGlobalTime'",
            "float x() { return iGlobalTime; }",
            "return u_time",
        ),
        ('0(2) : error C1008: undefined variable "mouse"', "float x() {\nreturn mouse.x; }", "return u_mouse.x"),
        (
            "ERROR: 0:1: 'f' : Floating-point suffix unsupported prior to GLSL ES 3.00",
            "float x() { return 1.0f; }",
            "return 1.0;",
        ),
        (
            "0:2(1): error: #version must occur before any other statement",
            "\n#version 300 es\nfloat x;",
            "#version 330\n",
        ),
    ],
)
def test_other_compilers_messages(message: str, code: str, mend: str) -> None:
    done = mended(code, message)
    assert done is not None
    assert mend in done[1]


def test_what_was_done_is_said_with_its_line() -> None:
    done = mended(shader("f_color = vec4(time);"), "0:8(17): error: `time' undeclared")
    assert done == ("time became u_time (line 8)", shader("f_color = vec4(u_time);"))


def test_what_no_rule_knows_is_left_alone() -> None:
    assert mended(shader("f_color = vec4(1.0);"), "the dog ate it") is None
    assert mended("", "0:1(1): error: `PI' undeclared") is not None
    assert mended("", "") is None


def test_a_noise_with_other_arguments_is_not_invented() -> None:
    code = shader("f_color = vec4(noise(vec3(v_uv, 1.0), 2.0));")
    done = mended(code, "0:8(17): error: no function with name 'noise'")
    assert done is None or "float noise(vec2 p)" not in done[1]


def test_every_lesson_is_of_a_kind_that_the_memory_can_carry_over() -> None:
    from redraft.memory.change import Change
    from redraft.memory.recipes import RECIPES

    assert [lesson.said for lesson in LESSONS if not any(r.shown(Change(lesson.fix())) for r in RECIPES)] == []


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_survived(code: str, error: str) -> None:
    assert mended(code, f"0:1(1): error: {error}") == mended(code, f"0:1(1): error: {error}")
