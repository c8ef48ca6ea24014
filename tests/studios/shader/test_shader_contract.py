"""The contract: what is taken as it is, what is added, and what is refused in which words."""

from __future__ import annotations

import contextlib
import re
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from redraft.errors import FormatError
from redraft.studios.shader.contract import BROKEN_BITS, prepared
from redraft.studios.shader.glsl import bare, globals_of
from redraft.studios.shader.interface import INPUT, OUTPUT, UNIFORMS, declaration
from redraft.studios.shader.spec import MAX_CHARACTERS, MAX_LINES

PLAIN = "void main() {\n    f_color = vec4(v_uv, 0.5 + 0.5 * sin(u_time), 1.0);\n}\n"
FULL = (
    "#version 330\nuniform vec2 u_resolution;\nuniform float u_time;\nuniform vec2 u_mouse;\nuniform float u_seed;\n"
    "in vec2 v_uv;\nout vec4 f_color;\n" + PLAIN
)


def head(code: str) -> list[str]:
    """What stands before the shader's own first line."""
    return prepared(code).partition("#line 1\n")[0].splitlines()


def own(code: str) -> list[str]:
    """The shader's own lines, as they are compiled."""
    return prepared(code).partition("#line 1\n")[2].splitlines()[: code.count("\n")]


@pytest.mark.parametrize("name", [*UNIFORMS, INPUT, OUTPUT])
def test_models_and_people_read_of_the_whole_interface(name: str) -> None:
    template = files("redraft.studios.shader") / "prompts/_contract.md.j2"
    assert f"\n{declaration(name)} " in template.read_text("utf-8")
    page = Path(__file__).parents[3] / "docs/shaders.md"
    assert f"| `{declaration(name).rstrip(';')}` |" in page.read_text("utf-8")


def test_what_is_missing_is_added_before_line_one() -> None:
    assert head(PLAIN) == ["#version 330", "uniform float u_time;", "in vec2 v_uv;", "out vec4 f_color;"]
    assert own(PLAIN)[1:] == PLAIN.splitlines()[1:]


def test_what_is_there_is_not_declared_again() -> None:
    assert head(FULL) == ["#version 330"]
    assert prepared(FULL).count("#version") == 1
    assert own(FULL)[1:7] == FULL.splitlines()[1:7]


def test_columns_and_lines_stay_where_they_were() -> None:
    code = "// main\nvoid main ( void ) { float m_in = 1.0; f_color = vec4(m_in); } /* main */\n"
    line = own(code)[1]
    assert len(line) == len(code.splitlines()[1])
    assert re.fullmatch(r"void (m\w{3}) \( void \) \{ float m_in = 1\.0; .*/\* main \*/", line)


@pytest.mark.parametrize(
    "shader",
    [
        "void mainImage(out vec4 c, in vec2 p) {\n c = vec4(p / iResolution.xy, iTime, 1); }",
        "#define T iTime\nvoid mainImage( out vec4 o, vec2 p ){ o = vec4(T); }",
    ],
)
def test_shadertoy_is_wrapped(shader: str) -> None:
    assert "uniform float iTime;" in head(shader)
    assert "mainImage(f_color, gl_FragCoord.xy)" in prepared(shader)


@pytest.mark.parametrize(
    "start",
    [
        "#version 330 core\n",
        "#version 300 es\nprecision highp float;\n",
        "#version 100\nprecision mediump float;\n",
        "#version 460\n",
        "// mine\n#version 120\n",
        "#extension GL_OES_standard_derivatives : enable\n",
        "#ifdef GL_ES\nprecision mediump float;\n#endif\n",
        "\n\n#line 70\n",
    ],
)
def test_lines_that_only_say_which_glsl_it_is_are_overlooked(start: str) -> None:
    lines = own(start + PLAIN)
    assert prepared(start + PLAIN).count("#version") == 1
    assert not any(line.startswith(("#version", "#extension", "#line")) for line in lines)
    assert lines[start.count("\n") + 1] == PLAIN.splitlines()[1]


@pytest.mark.parametrize(
    "code",
    [
        "out vec4 col;\nvoid main() { col = vec4(1.0); }",
        "layout(location = 0) out vec4 col;\nvoid main() { col = vec4(1.0); }",
        "void main() { gl_FragColor = vec4(1.0); }",
        "// texture(iChannel0, uv) with sampler2D and float4\nvoid main() { f_color = vec4(1.0); }",
        "/* fn main() @fragment\n#include <x> */ void main() { f_color = vec4(1.0); }",
        "vec3 texture(vec2 p) { return vec3(p, 0.0); }\nvoid main() { f_color = vec4(texture(v_uv), 1.0); }",
        "#define float4 vec4\nvoid main() { f_color = float4(1.0); }",
        "const vec3 RED = vec3(1, 0, 0), COLOR0 = RED;\nvoid main() { f_color.rgb = u_time > 1. ? RED : COLOR0; }",
        "uniform float speed = 1.5;\nvoid main() { f_color = vec4(speed); }",
        "#define iTime u_time\nvoid main() { f_color = vec4(iTime); }",
        "float u_seed = 3.0;\nvoid main() { f_color = vec4(u_seed); }",
        "struct Ray { vec3 o, d; };\nRay at(vec3 p) { return Ray(p, p); }\nvoid main() { f_color.rgb = at(vec3(1)).o;}",
        "// one \\\n still a comment: sampler2D\nvoid main() { f_color = vec4(1.0); }",
        PLAIN.replace("\n", "\r\n"),
    ],
)
def test_taken(code: str) -> None:
    assert BROKEN_BITS in prepared(code)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "shader is empty"),
        ("  \n", "shader is empty"),
        ("a nice shader", "no `void main()`"),
        ("vec4 mainImage(vec2 p) { return vec4(p, 0, 1); }", "no `void main()`"),
        ("float main;\n", "no `void main()`"),
        ("// void main() { }\n", "no `void main()`"),
        (
            "@fragment\nfn fs() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }",
            "Line 1: this is WGSL (`@fragment`)",
        ),
        ("\nfn main() { }", "Line 2: this is WGSL"),
        ("float4 main(float2 uv : TEXCOORD0) : SV_Target { return float4(uv, 0, 1); }", "this is HLSL (`: TEXCOORD0`)"),
        ("void main() { float3 c = 0; f_color = vec4(1.0); }", "Line 1: this is HLSL (`float3 c`)"),
        ("using namespace metal;\nvoid main() { }", "this is Metal"),
        ('\n#include "noise.glsl"\n' + PLAIN, "Line 2: there are no files to #include"),
        (" # include <x>\n" + PLAIN, "Line 1: there are no files to #include"),
        (
            "#version 120\nvoid main() { gl_FragColor = vec4(1.0); }",
            "instead of `gl_FragColor` (line 2) `out vec4 f_color;`",
        ),
        ("#version 100\nvarying vec2 v_uv;\nvoid main() { }", "instead of `varying` (line 2) `in vec2 v_uv;`"),
        ("#version 999\n" + PLAIN, "`#version 999` is not a version of GLSL. Write `#version 330`"),
        ("#version\n" + PLAIN, "is not a version of GLSL"),
        ("uniform sampler2D tex;\n" + PLAIN, "Line 1: `sampler2D`: there are no textures"),
        ("void main() {\n f_color = texture(iChannel0, v_uv); }", "Line 2: `iChannel0`: there are no textures"),
        ("void main() { f_color = texture2D(t, v_uv); }", "`texture2D`: there are no textures"),
        ("void main() { f_color = texelFetch (t, ivec2(0), 0); }", "`texelFetch`: there are no textures"),
        ("void main() { gl_Position = vec4(1.0); }", "`gl_Position` belongs in a vertex shader"),
        ("layout(points) in;\nvoid main() { EmitVertex(); }", "belongs in a geometry shader"),
        ("layout(local_size_x = 8) in;\nvoid main() { }", "belongs in a compute shader"),
        ("uniform vec3 u_color;\n" + PLAIN, "Line 1: nothing fills `uniform vec3 u_color`"),
        ("uniform vec3 u_resolution;\n" + PLAIN, "Line 1: `u_resolution` is a vec2, not a vec3"),
        ("\nuniform Camera { vec3 at; } cam;\n" + PLAIN, "Line 2: the block `Camera` has no data"),
        ("in vec2 vUv;\n" + PLAIN, "nothing fills `in vec2 vUv`. The only input is `in vec2 v_uv`"),
        ("out vec4 a;\nout vec4 b;\n" + PLAIN, "Line 2: there is one output only"),
        ("out vec3 f_color;\nvoid main() { f_color = vec3(1); }", "not a vec3"),
        ("out vec4 f_color;\nvoid main() { gl_FragColor = vec4(1); }", "writes to both"),
        (PLAIN + "\0", "Line 4 holds a NUL byte"),
        (PLAIN + "// \ud800", "Line 4 holds half of a character"),
        (PLAIN + "\n" * MAX_LINES, f"at most {MAX_LINES:,} lines"),
        (PLAIN + "//" + "x" * MAX_CHARACTERS, f"{MAX_CHARACTERS:,} characters are compiled"),
    ],
)
def test_refused(code: str, words: str) -> None:
    with pytest.raises(FormatError, match=re.escape(words)):
        prepared(code)


def test_a_hundred_thousand_lines_are_refused_at_once() -> None:
    with pytest.raises(FormatError, match="100,004 lines"):
        prepared("x = 1;\n" * 100_000 + PLAIN)


@pytest.mark.parametrize("torn", [PLAIN[:-3], "float f() { return 1.0;\n" + PLAIN, PLAIN + "}"])
def test_braces_that_do_not_match_are_left_to_the_compiler(torn: str) -> None:
    assert BROKEN_BITS not in prepared(torn)
    assert torn.strip() in prepared(torn)


def test_a_bracket_that_was_forgotten_hides_nothing_after_it() -> None:
    found = globals_of("float f(float x) { return (x; }\nuniform float u_time;\nvoid main() { }\n")
    assert [(each.role, each.name) for each in found] == [
        ("function", "f"),
        ("uniform", "u_time"),
        ("function", "main"),
    ]


GLSL = st.text('ab1 .;,(){}[]/*\\"#\n=', max_size=60) | st.sampled_from(
    ["//", "/*", "*/", '"', "\\\n", "void main() {", "}"]
)


@given(st.lists(GLSL, max_size=12))
def test_comments_become_blanks_and_nothing_moves(parts: list[str]) -> None:
    code = "".join(parts)
    text = bare(code)
    assert len(text) == len(code)
    assert [i for i, c in enumerate(text) if c == "\n"] == [i for i, c in enumerate(code) if c == "\n"]
    assert all(a in (b, " ") for a, b in zip(text, code, strict=True))


@given(st.lists(GLSL, max_size=12))
@example(["1 } ) {"])
@example(["( vec3 x ) {}"])
def test_any_text_is_prepared_or_refused(parts: list[str]) -> None:
    with contextlib.suppress(FormatError):  # nothing else may come out of it
        assert prepared("".join(parts)).startswith("#version 330\n")
