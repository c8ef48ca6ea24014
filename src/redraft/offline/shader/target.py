"""Painting toward a target picture: soft ellipses over a gradient, improved by descent on a grid of mean colors.

The model sees nothing of a target but the grid. It begins with a gradient and a few ellipses; given its own shader
back, it goes on from there, up to sixty ellipses. The same grid, code and seed give the same reply. Every number is
held as it is written, so that reading what was written gives the same painting.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Goal", "Painting", "descended", "goal_of", "grounded", "read", "toward", "write"]

Floats = NDArray[np.floating[Any]]

FIRST, MORE, MOST = 16, 11, 60
"""Ellipses of the first turn, of each later one, and in all: what a person still reads."""
GROUP, BETWEEN = 4, 25
"""Ellipses that are added at a time, and the steps of all of them together after each group."""
ACROSS = 2
"""Points of a cell, on each side, at which a painting is looked at."""
POWER, NOISE = 0.7, 0.03
"""Of color differences: many small ones count more than a few large ones, as in FLIP (Andersson et al., 2020); and
the sRGB difference below which one hardly counts."""
PACE = np.array([0.012, 0.012, 0.06, 0.06, 0.05, 0.04, 0.012, 0.012, 0.012], np.float32)
"""The farthest that one step of descent goes: middle, log half-sizes, turn, opacity, color."""
CORNER_PACE = 0.012


@dataclass(frozen=True)
class Painting:
    """A gradient between four corners, and ellipses over it, the lowest first.

    `canvas` is width and height, the longer side 1. `corners` is 4 × 3 (sRGB, 0 to 1: bottom left, bottom right, top
    left, top right). `layers` is n × 9: middle x and y from the bottom left and the logarithms of the half-sizes, in
    units of the longer side; turn in radians; opacity; color.
    """

    canvas: tuple[float, float]
    corners: Floats
    layers: Floats


@dataclass(frozen=True)
class Goal:
    """A grid's colors (3 × cells), and the points at which a painting is looked at (samples × 2), cell by cell in
    rounds: the first point of each cell, then the second of each. `shares` (4 × samples) weighs the corners there."""

    canvas: tuple[float, float]
    cell: float
    colors: Floats
    points: Floats
    shares: Floats

    def means(self, samples: Floats) -> Floats:
        """Means over cells of anything whose last axis runs over the points."""
        return samples.reshape(*samples.shape[:-1], ACROSS * ACROSS, -1).mean(axis=-2)


def goal_of(grid: Sequence[Sequence[str]], across: int = ACROSS) -> Goal:
    """The goal for rows of `rrggbb` colors, the top row first, in cells that are square."""
    rows, columns = len(grid), len(grid[0])
    longest = max(rows, columns)
    canvas = round(columns / longest, 4), round(rows / longest, 4)
    x = (np.arange(columns * across) + 0.5) / (columns * across)
    y = 1 - (np.arange(rows * across) + 0.5) / (rows * across)
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(rows, across, columns, across, 2)
    u, v = places.transpose(1, 3, 0, 2, 4).reshape(-1, 2).astype(np.float32).T
    colors = np.array([_rgb(cell) for row in grid for cell in row], np.float32).T
    shares = np.stack([(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v])
    return Goal(canvas, 1 / longest, colors, np.stack([u * canvas[0], v * canvas[1]], axis=-1), shares)


def toward(grid: Sequence[Sequence[str]], *, code: str | None, turn_seed: int, budget: int = 80) -> tuple[str, str]:
    """Return the approach, in one line, and the shader of one turn.

    `grid` is rows of `rrggbb`, the top row first; `code` is the shader so far, which is gone on from where it is this
    model's own painting of this shape; `budget` is how many steps all ellipses are improved together at the end.
    """
    goal = goal_of(grid)
    known = read(code) if code else None
    known = known if known and known.canvas == goal.canvas and len(known.layers) <= MOST else None
    begun = known or grounded(goal)
    now, rng = begun, np.random.default_rng(turn_seed)
    room = min(MORE if len(begun.layers) else FIRST, MOST - len(begun.layers))
    for done in range(0, room, GROUP):
        now = descended(_more(now, goal, rng, min(GROUP, room - done)), goal, BETWEEN)
    now = _held(descended(now, goal, budget))
    if _loss(now, goal) > _loss(begun, goal):
        now = begun
    return _approach(begun, now, goal, anew=bool(code) and known is None), write(now)


def grounded(goal: Goal) -> Painting:
    """The best gradient between four corners, by least squares."""
    corners = np.linalg.lstsq(goal.means(goal.shares).T, goal.colors.T, rcond=None)[0]
    return _held(Painting(goal.canvas, corners.astype(np.float32), np.zeros((0, 9), np.float32)))


def _more(painting: Painting, goal: Goal, rng: np.random.Generator, count: int) -> Painting:
    """With new ellipses on top, in places drawn by how wrong the colors are there; none where all are right."""
    wrong = (_slopes(painting, goal)[3] ** 2).sum(axis=0).astype(np.float64)
    count = min(count, int((wrong > 1e-5).sum()))
    if not count:
        return painting
    cells = rng.choice(len(wrong), count, replace=False, p=wrong / wrong.sum())
    sizes = math.log(goal.cell) + rng.uniform(0, max(0.0, math.log(0.25 / goal.cell)), (count, 2))
    rest = rng.uniform(-3, 3, count), np.full(count, 0.7), goal.colors.T[cells]
    layers = np.column_stack([goal.means(goal.points.T).T[cells], sizes, *rest]).astype(np.float32)
    return Painting(painting.canvas, painting.corners, np.vstack([painting.layers, layers]))


def descended(painting: Painting, goal: Goal, steps: int) -> Painting:
    """Improve all numbers together; return the best painting on the way.

    By Adam (Kingma & Ba, 2015) with its usual constants; the pace falls to a tenth over the steps.
    """
    best, lowest = painting, math.inf
    now = [painting.corners.copy(), painting.layers.copy()]
    means, squares = ([np.zeros_like(part) for part in now] for _ in range(2))
    for step in range(1, steps + 1):
        held = Painting(painting.canvas, now[0].copy(), now[1].copy())
        loss, *slopes = _slopes(held, goal)[:3]
        if loss < lowest:
            best, lowest = held, loss
        ease = 0.5 * (1.1 + 0.9 * math.cos(math.pi * step / steps))
        for i, (slope, pace) in enumerate(zip(slopes, (CORNER_PACE, PACE), strict=True)):
            means[i] += 0.1 * (slope - means[i])
            squares[i] += 0.01 * (slope * slope - squares[i])
            now[i] -= ease * pace * (means[i] / (1 - 0.9**step)) / (np.sqrt(squares[i] / (1 - 0.99**step)) + 1e-8)
        _bound(now[0], now[1], goal)
    return best


def _bound(corners: Floats, layers: Floats, goal: Goal) -> None:
    """Keep ellipses on or near the canvas, not much finer than a cell, and visible."""
    np.clip(corners, 0, 1, out=corners)
    for column, low, high in (
        (0, -0.2, goal.canvas[0] + 0.2),
        (1, -0.2, goal.canvas[1] + 0.2),
        (slice(2, 4), math.log(0.5 * goal.cell), math.log(1.5)),
        (5, 0.1, 1),
        (slice(6, 9), 0, 1),
    ):
        np.clip(layers[:, column], low, high, out=layers[:, column])


def _slopes(painting: Painting, goal: Goal) -> tuple[float, Floats, Floats, Floats]:
    """The loss, its slopes by corners and layers, and the differences (3 × cells): down the layers and up again."""
    layers = painting.layers
    u, v, mask = _masks(layers, goal.points)
    cover = layers[:, 5, None] * mask
    color, apart = painting.corners.T @ goal.shares, list[Floats]()
    for one, paint in zip(cover, layers[:, 6:], strict=True):
        apart.append(paint[:, None] - color)
        color = color + one * apart[-1]
    wrong = goal.means(color) - goal.colors
    square = (wrong**2).sum(axis=0) + NOISE**2
    loss = square ** (POWER / 2)
    by_color = np.tile(POWER * loss / square * wrong / (len(square) * ACROSS**2), ACROSS**2)
    by_cover, by_paint = np.empty_like(cover), np.empty_like(layers[:, 6:])
    for i in reversed(range(len(layers))):
        by_cover[i] = (by_color * apart[i]).sum(axis=0)
        by_paint[i] = np.einsum("cs,s->c", by_color, cover[i])  # einsum: the same sum with any number of threads
        by_color = by_color * (1 - cover[i])
    wide, high = np.exp(layers[:, 2, None]), np.exp(layers[:, 3, None])
    cos, sin = np.cos(layers[:, 4, None]), np.sin(layers[:, 4, None])
    falling = -4 * (u * u + v * v) * cover
    by_u, by_v = falling * u, falling * v
    parts = (
        by_v * (sin / high) - by_u * (cos / wide),
        -by_u * (sin / wide) - by_v * (cos / high),
        -u * by_u,
        -v * by_v,
        by_u * v * (high / wide) - by_v * u * (wide / high),
        mask,
    )
    by_number = np.stack([np.einsum("ls,ls->l", by_cover, part) for part in parts], axis=-1)
    by_corner = np.einsum("ks,cs->kc", goal.shares, by_color)
    return float(loss.mean()), by_corner, np.hstack([by_number, by_paint]), wrong


def _masks(layers: Floats, points: Floats) -> tuple[Floats, Floats, Floats]:
    """Points in each ellipse's own frame, and how far it covers them without its opacity (all layers × points)."""
    x, y = points[None, :, 0] - layers[:, 0, None], points[None, :, 1] - layers[:, 1, None]
    cos, sin = np.cos(layers[:, 4, None]), np.sin(layers[:, 4, None])
    u = (cos * x + sin * y) / np.exp(layers[:, 2, None])
    v = (cos * y - sin * x) / np.exp(layers[:, 3, None])
    return u, v, np.exp(-((u * u + v * v) ** 2))


def _loss(painting: Painting, goal: Goal) -> float:
    return _slopes(painting, goal)[0]


def _held(painting: Painting) -> Painting:
    """A painting with its numbers as they are written."""
    return read(write(painting)) or painting


def _approach(begun: Painting, now: Painting, goal: Goal, *, anew: bool) -> str:
    """`11 more soft ellipses, 27 in all; the cells are off by 7.6 on average before, by 5.4 now (of 255)`"""
    before, after = (255 * np.abs(_slopes(each, goal)[3]).mean() for each in (begun, now))
    count, more = len(now.layers), len(now.layers) - len(begun.layers)
    what = (
        f"{more} more soft ellipses, {count} in all" if len(begun.layers) else f"a gradient and {count} soft ellipses"
    )
    start = "began anew, as the shader was not its own for this shape; " if anew else ""
    return f"{start}{what}; the cells were off by {before:.1f} on average, now by {after:.1f} (of 255)"


# GLSL and back

HEADER = "// Painted from a grid of mean colors by redraft's built-in model."
"""The line by which the model knows a shader of its own again."""
_HEAD = f"""\
#version 330
{HEADER}
// {{count}} soft ellipses over a gradient; later lines lie on top.
in vec2 v_uv;
out vec4 f_color;

const vec2 CANVAS = vec2({{canvas[0]:.4f}}, {{canvas[1]:.4f}});  // the longer side is 1; (0, 0) is bottom left

vec3 rgb(int hex) {{{{
    return vec3((hex >> 16) & 255, (hex >> 8) & 255, hex & 255) / 255.0;
}}}}

// 1 in the middle of an ellipse at `at` with half-sizes `size`, turned by `turn` degrees; 0 well outside.
float ellipse(vec2 p, vec2 at, vec2 size, float turn) {{{{
    float a = radians(turn);
    p -= at;
    vec2 q = vec2(cos(a) * p.x + sin(a) * p.y, cos(a) * p.y - sin(a) * p.x) / size;
    float d = dot(q, q);
    return exp(-d * d);
}}}}

void main() {{{{
    vec2 p = v_uv * CANVAS;
    vec3 below = mix(rgb(0x{{corners[0]}}), rgb(0x{{corners[1]}}), v_uv.x);
    vec3 above = mix(rgb(0x{{corners[2]}}), rgb(0x{{corners[3]}}), v_uv.x);
    vec3 c = mix(below, above, v_uv.y);
"""
_TAIL = "    f_color = vec4(c, 1.0);\n}\n"
_NUMBER = r"(-?\d+\.\d+)"
_AT = rf"vec2\({_NUMBER}, {_NUMBER}\)"
_LAYER = re.compile(
    rf"^ *c = mix\(c, rgb\(0x([0-9a-f]{{6}})\), {_NUMBER} \* ellipse\(p, {_AT}, {_AT}, {_NUMBER}\)\);", re.MULTILINE
)
_CANVAS = re.compile(rf"^const vec2 CANVAS = {_AT};", re.MULTILINE)
_GROUND = re.compile(r"mix\(rgb\(0x([0-9a-f]{6})\), rgb\(0x([0-9a-f]{6})\), v_uv\.x\);")


def write(painting: Painting) -> str:
    """The painting as GLSL of the contract: one line an ellipse, short numbers."""
    corners = [_hex(corner) for corner in painting.corners]
    head = _HEAD.format(count=len(painting.layers), canvas=painting.canvas, corners=corners)
    return head + "".join(_line(i, layer, painting.canvas) for i, layer in enumerate(painting.layers, 1)) + _TAIL


def _line(number: int, layer: Floats, canvas: tuple[float, float]) -> str:
    """`c = mix(c, rgb(0x3a2f2b), 0.85 * ellipse(p, vec2(0.310, 0.420), …));  // 7: middle left, #3a2f2b`"""
    x, y, wide, high, turn, opacity = (float(n) for n in layer[:6])
    x, y = round(x, 3) + 0.0, round(y, 3) + 0.0  # no −0.000
    degrees = round((round(math.degrees(turn), 1) + 90) % 180 - 90, 1) + 0.0  # half a turn changes nothing
    size = ", ".join(f"{max(0.001, math.exp(n)):.3f}" for n in (wide, high))
    across = ("left", "middle", "right")[min(2, max(0, math.floor(3 * x / canvas[0])))]
    up = ("lower", "middle", "upper")[min(2, max(0, math.floor(3 * y / canvas[1])))]
    color, place = _hex(layer[6:]), "middle" if across == up else f"{up} {across}"
    shape = f"ellipse(p, vec2({x:.3f}, {y:.3f}), vec2({size}), {degrees:.1f})"
    return f"    c = mix(c, rgb(0x{color}), {opacity:.2f} * {shape});  // {number}: {place}, #{color}\n"


def read(code: str) -> Painting | None:
    """The painting that `write` wrote as this code; None for another shader, or one that was changed since."""
    canvas, ground = _CANVAS.search(code), _GROUND.findall(code)
    if HEADER not in code or not canvas or len(ground) != 2:
        return None
    layers = [_layer(*found.groups()) for found in _LAYER.finditer(code)]
    if None in layers:
        return None
    corners = np.array([_rgb(corner) for pair in ground for corner in pair], np.float32)
    sides = float(canvas[1]), float(canvas[2])
    painting = Painting(sides, corners, np.array(layers, np.float32).reshape(-1, 9))
    return painting if min(sides) > 0 and _bare(write(painting)) == _bare(code) else None


def _layer(color: str, opacity: str, x: str, y: str, wide: str, high: str, turn: str) -> tuple[float, ...] | None:
    sizes = float(wide), float(high)
    if min(sizes) <= 0:
        return None
    logs = (math.log(size) for size in sizes)
    return (float(x), float(y), *logs, math.radians(float(turn)), float(opacity), *_rgb(color))


def _bare(code: str) -> list[str]:
    """The words of a code, without its comments."""
    return re.sub(r"//.*", "", code).split()


def _rgb(color: str) -> tuple[float, float, float]:
    n = int(color, 16)
    return (n >> 16) / 255, (n >> 8 & 255) / 255, (n & 255) / 255


def _hex(color: Floats) -> str:
    return "".join(f"{round(255 * float(c)):02x}" for c in np.clip(color, 0, 1))
