"""Shaders for tests, written for them."""

from __future__ import annotations

RINGS = """#version 330
uniform vec2 u_resolution;
uniform float u_time;
in vec2 v_uv;
out vec4 f_color;

void main() {
    vec2 p = (v_uv - 0.5) * vec2(u_resolution.x / u_resolution.y, 1.0);
    float d = length(p);
    vec3 color = 0.5 + 0.5 * cos(vec3(0.0, 2.0, 4.0) + 20.0 * d - 1.5707963 * u_time);
    f_color = vec4(color * smoothstep(0.7, 0.2, d), 1.0);
}"""
"""Rings that move outward and close a loop in four seconds."""
BROKEN = RINGS.replace("length(p)", "lngth(p)")


def reply_of(code: str = RINGS, approach: str = "rings of light") -> str:
    """A model's reply."""
    return f"APPROACH: {approach}\n\n```glsl\n{code}\n```\n"
