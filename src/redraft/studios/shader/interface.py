"""The interface of a shader: the uniforms that every shader gets, with types and values, its input and its output.

This table is the one place for them: the contract declares what a shader leaves out, the renderer computes the values
of each frame, and the offline model and the export for shadertoy.com take names and types from here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

INPUT, OUTPUT = "v_uv", "f_color"
SEEDS = 1000
"""Number of different seeds: small whole numbers survive a shader's arithmetic in 32 bits."""


@dataclass(frozen=True)
class Moment:
    """Picture, pointer, seed and time of one frame, on which the values of uniforms depend."""

    width: int
    height: int
    mouse: tuple[float, float]
    seed: int
    time: float
    """Seconds."""
    delta: float
    """Seconds since the frame before; 0 for the first."""
    number: int
    """Number of the frame, from 0."""


@dataclass(frozen=True)
class Uniform:
    """A value that a shader gets in every frame."""

    type: str
    value: Callable[[Moment], JsonValue]
    shadertoy: str = ""
    """Line that gives it the same value on shadertoy.com; `{seed}` stands for the seed."""


UNIFORMS = {
    "u_resolution": Uniform(
        "vec2", lambda now: [float(now.width), float(now.height)], "#define u_resolution iResolution.xy"
    ),
    "u_time": Uniform("float", lambda now: now.time, "#define u_time iTime"),
    "u_mouse": Uniform("vec2", lambda now: [*now.mouse], "#define u_mouse iMouse.xy"),
    "u_seed": Uniform("float", lambda now: float(now.seed % SEEDS), "const float u_seed = {seed};"),
}
"""The uniforms of redraft's own contract."""

SHADERTOY = {
    "iResolution": Uniform("vec3", lambda now: [float(now.width), float(now.height), 1.0]),
    "iTime": Uniform("float", lambda now: now.time),
    "iTimeDelta": Uniform("float", lambda now: now.delta),
    "iFrame": Uniform("int", lambda now: now.number),
    "iMouse": Uniform("vec4", lambda now: [*now.mouse, 0.0, 0.0]),
    # The date is always the same day, so that a run can be repeated; its seconds are the time.
    "iDate": Uniform("vec4", lambda now: [2000.0, 0.0, 1.0, now.time]),
}
"""The uniforms of shadertoy.com that are accepted, too."""

ALL_UNIFORMS = UNIFORMS | SHADERTOY


def declaration(name: str) -> str:
    """Return the line of GLSL that declares a uniform, the input or the output."""
    if name == INPUT:
        return f"in vec2 {INPUT};"
    return f"out vec4 {OUTPUT};" if name == OUTPUT else f"uniform {ALL_UNIFORMS[name].type} {name};"


def values_at(moment: Moment) -> dict[str, JsonValue]:
    """Return the values of all uniforms in one frame."""
    return {name: uniform.value(moment) for name, uniform in ALL_UNIFORMS.items()}
