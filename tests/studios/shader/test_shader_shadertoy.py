"""The form of a shader for shadertoy.com, held against the reference compiler with what that site puts around it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from real_parts import needs

from redraft.studios.shader.contract import for_shadertoy

SITE = """#version 300 es
precision highp float;
precision highp int;
uniform vec3 iResolution; uniform float iTime; uniform float iTimeDelta; uniform int iFrame;
uniform vec4 iMouse; uniform vec4 iDate;
{}
out vec4 shown;
void main() {{ mainImage(shown, gl_FragCoord.xy); }}
"""
WHOLE = """#version 330
// main() draws; in vec2 of a comment stays
uniform vec2 u_resolution;
uniform float u_time, u_seed;
uniform float zoom = 2.0;
in vec2 v_uv;
layout(location = 0) out vec4 f_color;
float wave(in vec2 p, out float steep) { steep = p.y; return sin(p.x * zoom + u_time + u_seed); }
void main() {
    float steep;
    float w = wave(v_uv * u_resolution / 100.0, steep);
    f_color = vec4(w, steep, 0.5, 0.0);
}
"""
OLD = "void main() { gl_FragColor = vec4(gl_FragCoord.xy / u_resolution, u_mouse.x, 1.0); }\n"
TOY = "void mainImage(out vec4 color, in vec2 at) { color = vec4(at / iResolution.xy, fract(iTime), 1.0); }\n"


@pytest.mark.real
@pytest.mark.parametrize("code", [WHOLE, OLD, TOY], ids=["whole", "old", "toy"])
def test_it_compiles_on_the_site(code: str, tmp_path: Path) -> None:
    program = needs("glslangValidator")
    file = tmp_path / "toy.frag"
    file.write_text(SITE.format(for_shadertoy(code, 42)), "utf-8")
    ran = subprocess.run([program, file], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + file.read_text("utf-8")


def test_values_and_words_are_kept() -> None:
    made = for_shadertoy(WHOLE, 42)
    assert "const float u_seed = 42.0;" in made
    assert "const float zoom = 2.0;" in made
    assert "// main() draws; in vec2 of a comment stays" in made
    assert "#version" not in made
    assert "u_mouse" not in made
    assert for_shadertoy(TOY, 1).strip().endswith(TOY.strip())
