"""Shaders toward a target picture: a bilinear grid of its mean colors, first coarse, then fine.

The grid of mean colors in the request is all that the offline model sees of a target. The first shader shows it
coarsely; given its own shader back, the model shows every color of the request.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from redraft.metrics.pictures import colour_grid

FIRST_CELLS = 144
"""Colors of the first grid, at most: 12 × 12 for a square, short enough to be read."""
HEADER = "// A grid of mean colors, by redraft's offline model."
"""The line by which the model recognizes its own shader."""
_SHADER = """\
#version 330
{header}
in vec2 v_uv;
out vec4 f_color;

const ivec2 GRID = ivec2({columns}, {rows});
const int COLORS[{count}] = int[](  // the top row first
{colors}
);

vec3 cell(ivec2 at) {{
    ivec2 inside = clamp(at, ivec2(0), GRID - 1);
    int hex = COLORS[inside.y * GRID.x + inside.x];
    return vec3((hex >> 16) & 255, (hex >> 8) & 255, hex & 255) / 255.0;
}}

void main() {{
    vec2 p = vec2(v_uv.x, 1.0 - v_uv.y) * vec2(GRID) - 0.5;  // colors are in the middles of their cells
    ivec2 at = ivec2(floor(p));
    vec3 above = mix(cell(at), cell(at + ivec2(1, 0)), fract(p.x));
    vec3 below = mix(cell(at + ivec2(0, 1)), cell(at + ivec2(1, 1)), fract(p.x));
    f_color = vec4(mix(above, below, fract(p.y)), 1.0);
}}
"""


def toward(grid: Sequence[Sequence[str]], code: str | None) -> tuple[str, str]:
    """Return the approach, in one line, and the shader of one turn.

    Args:
        grid: rows of `rrggbb`, the top row first.
        code: the shader so far; the whole grid follows if it is one of this model's own.
    """
    approach, cells = "all mean colors that the request gives", [list(row) for row in grid]
    if code is None or HEADER not in code:
        pixels = np.array([[list(bytes.fromhex(cell)) for cell in row] for row in grid], np.uint8)
        approach, cells = "mean colors of the target", colour_grid(pixels, FIRST_CELLS)

    rows, columns = len(cells), len(cells[0])
    colors = ",\n".join("    " + ", ".join(f"0x{cell}" for cell in row) for row in cells)
    shader = _SHADER.format(header=HEADER, columns=columns, rows=rows, count=rows * columns, colors=colors)
    return f"{approach}, in a bilinear grid of {columns} × {rows}", shader
