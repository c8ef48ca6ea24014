"""A painting of the built-in model: what it is made of, and how it is written as GLSL and read back.

A painting is a gradient between four corner colours with soft shapes laid over it. Its GLSL is for people: one line
a layer, short numbers, a helper for each kind of shape. Every number is held as it is written, so that reading what
was written gives the same painting.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from redraft.offline.shader.masks import KINDS, Kind

__all__ = ["HEADER", "Layer", "Painting", "read", "write"]

HEADER = "// Painted from a grid of mean colours by redraft's built-in model."
"""By this line it knows a shader of its own again."""


@dataclass(frozen=True)
class Layer:
    """One shape in one colour.

    Places and sizes are in units of the picture's longer side, from the bottom left; `size` holds half-sizes (of an
    edge: half the width of its transition, twice); `turn` is in degrees, counter-clockwise; `soft` is the half-width
    of the outline as a share of the half-size; `opacity` is 0 to 1; `colour` is `rrggbb`.
    """

    kind: Kind
    at: tuple[float, float]
    size: tuple[float, float]
    turn: float
    soft: float
    opacity: float
    colour: str


@dataclass(frozen=True)
class Painting:
    """A ground and its layers, the lowest first. The picture's longer side is 1 in `canvas` (width, height)."""

    canvas: tuple[float, float]
    corners: tuple[str, str, str, str]
    """Colours at the bottom left, bottom right, top left and top right."""
    layers: tuple[Layer, ...] = ()


_HELPERS = """
vec3 rgb(int hex) {
    return vec3((hex >> 16) & 255, (hex >> 8) & 255, hex & 255) / 255.0;
}

// p as seen from a shape at `at`, turned by `turn` degrees, with half-sizes `size`.
vec2 local(vec2 p, vec2 at, vec2 size, float turn) {
    float a = radians(turn);
    p -= at;
    return vec2(cos(a) * p.x + sin(a) * p.y, cos(a) * p.y - sin(a) * p.x) / size;
}

// 1 inside |x| < 1, 0 outside, smooth between.
float side(float x, float soft) {
    return 1.0 - smoothstep(1.0 - soft, 1.0 + soft, abs(x));
}

float blob(vec2 p, vec2 at, vec2 size, float turn) {
    vec2 q = local(p, at, size, turn);
    return exp(-dot(q, q));
}

float disc(vec2 p, vec2 at, vec2 size, float turn, float soft) {
    return side(length(local(p, at, size, turn)), soft);
}

float box(vec2 p, vec2 at, vec2 size, float turn, float soft) {
    vec2 q = local(p, at, size, turn);
    return side(q.x, soft) * side(q.y, soft);
}

float band(vec2 p, vec2 at, float size, float turn, float soft) {
    return side(local(p, at, vec2(size), turn).x, soft);
}

float edge(vec2 p, vec2 at, float size, float turn) {
    return smoothstep(-1.0, 1.0, local(p, at, vec2(size), turn).x);
}
"""

_NAMES: dict[Kind, str] = {
    "blob": "glow",
    "disc": "soft ellipse",
    "box": "soft rectangle",
    "band": "band",
    "edge": "half-plane",
}


def write(painting: Painting) -> str:
    """The painting as GLSL of the contract."""
    bottom_left, bottom_right, top_left, top_right = (f"rgb(0x{c})" for c in painting.corners)
    width, height = painting.canvas
    lines = [
        "#version 330",
        HEADER,
        f"// {len(painting.layers)} layers over a gradient; later lines lie on top.",
        "in vec2 v_uv;",
        "out vec4 f_color;",
        "",
        f"const vec2 CANVAS = vec2({width:.4f}, {height:.4f});  // the longer side is 1; (0, 0) is bottom left",
        *_helpers(painting),
        "void main() {",
        "    vec2 p = v_uv * CANVAS;",
        f"    vec3 below = mix({bottom_left}, {bottom_right}, v_uv.x);",
        f"    vec3 above = mix({top_left}, {top_right}, v_uv.x);",
        "    vec3 c = mix(below, above, v_uv.y);",
        *(_line(i, layer, painting.canvas) for i, layer in enumerate(painting.layers, 1)),
        "    f_color = vec4(c, 1.0);",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _helpers(painting: Painting) -> list[str]:
    """The helpers that this painting uses."""
    wanted: set[str] = {layer.kind for layer in painting.layers}
    wanted |= {"rgb"} | ({"local"} if wanted else set[str]())
    if not wanted.isdisjoint(("disc", "box", "band")):
        wanted.add("side")
    parts = _HELPERS.strip("\n").split("\n\n")
    return ["", *(f"{part}\n" for part in parts if any(f" {name}(" in part.partition("{")[0] for name in wanted))]


def _line(number: int, layer: Layer, canvas: tuple[float, float]) -> str:
    """`c = mix(c, rgb(0x3a2f2b), 0.85 * disc(p, vec2(0.310, 0.420), …));  // 7: soft ellipse, middle left, #3a2f2b`"""
    (x, y), (wide, high) = layer.at, layer.size
    size = f"{wide:.3f}" if layer.kind in ("band", "edge") else f"vec2({wide:.3f}, {high:.3f})"
    soft = "" if layer.kind in ("blob", "edge") else f", {layer.soft:.2f}"
    shape = f"{layer.kind}(p, vec2({x:.3f}, {y:.3f}), {size}, {layer.turn:.1f}{soft})"
    where = _NAMES[layer.kind], _place(x / canvas[0], y / canvas[1])
    note = f"// {number}: {where[0]}, {where[1]}, #{layer.colour}"
    return f"    c = mix(c, rgb(0x{layer.colour}), {layer.opacity:.2f} * {shape});  {note}"


def _place(x: float, y: float) -> str:
    """Where on the canvas, in words; x and y from 0 to 1."""
    across = ("left", "middle", "right")[min(2, max(0, math.floor(3 * x)))]
    up = ("lower", "middle", "upper")[min(2, max(0, math.floor(3 * y)))]
    return "middle" if across == up else f"{up} {across}"


_NUMBER = r"(-?\d+(?:\.\d+)?)"
_AT = rf"vec2\({_NUMBER}, {_NUMBER}\)"
_LAYER = re.compile(
    rf"^ *c = mix\(c, rgb\(0x([0-9a-f]{{6}})\), {_NUMBER} \* ({'|'.join(KINDS)})"
    rf"\(p, {_AT}, (?:{_AT}|{_NUMBER}), {_NUMBER}(?:, {_NUMBER})?\)\);",
    re.MULTILINE,
)
_CANVAS = re.compile(rf"^const vec2 CANVAS = {_AT};", re.MULTILINE)
_GROUND = re.compile(
    r"^ *vec3 (?:below|above) = mix\(rgb\(0x([0-9a-f]{6})\), rgb\(0x([0-9a-f]{6})\), v_uv\.x\);", re.MULTILINE
)


def read(code: str) -> Painting | None:
    """The painting that `write` wrote as this code, or None for a shader from elsewhere, or one changed since."""
    canvas, ground = _CANVAS.search(code), _GROUND.findall(code)
    if HEADER not in code or not canvas or len(ground) != 2:
        return None
    corners = (*ground[0], *ground[1])
    layers = tuple(_layer(m) for m in _LAYER.finditer(code))
    if any(min(*one.size, one.soft) <= 0 for one in layers):
        return None
    painting = Painting((float(canvas[1]), float(canvas[2])), corners, layers)
    return painting if _bare(write(painting)) == _bare(code) else None


def _bare(code: str) -> list[str]:
    """The words of a code, without its comments."""
    return re.sub(r"//.*", "", code).split()


def _layer(found: re.Match[str]) -> Layer:
    colour, opacity, kind, x, y, wide, high, both, turn, soft = found.groups()
    size = (float(both), float(both)) if both else (float(wide), float(high))
    named: Kind = next(k for k in KINDS if k == kind)
    return Layer(named, (float(x), float(y)), size, float(turn), float(soft or 1.0), float(opacity), colour)
