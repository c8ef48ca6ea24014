"""The geometry of a lexicon stroke: ellipse, rectangle, path, polyline, text, each of which can be mapped and measured.

A shape lives in any plane, y down. `mapped` puts it through an affine matrix and keeps circles circular where the
matrix stretches a little; `points` samples what it covers, for bounding boxes; `fields` is its part of the draft
format. Knows nothing of colours and pens.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from operator import mul
from typing import Protocol

__all__ = [
    "IDENTITY",
    "Bounds",
    "Ellipse",
    "Matrix",
    "Path",
    "Point",
    "Polyline",
    "Rect",
    "Shape",
    "Text",
    "about",
    "bounds_of",
    "parse_path",
]

Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
"""x0, y0, x1, y1."""
Matrix = tuple[float, float, float, float, float, float]
"""SVG order a, b, c, d, e, f: x' = a x + c y + e, y' = b x + d y + f."""
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
KAPPA = 0.5522847498
"""Handle length of the cubic that stands for a quarter circle of radius 1."""
Segment = tuple[str, tuple[Point, ...]]
_TOKEN = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)")
_STEPS = 16
_WEIGHTS = {
    n: [
        [comb(n, k) * (i / _STEPS) ** k * (1 - i / _STEPS) ** (n - k) for k in range(n + 1)]
        for i in range(1, _STEPS + 1)
    ]
    for n in (2, 3)
}
"""By degree: the weights of a Bézier curve's control points at evenly spaced parameters."""
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}


class Shape(Protocol):
    """What every kind of stroke geometry can do."""

    def mapped(self, m: Matrix) -> Shape: ...
    def points(self) -> list[Point]: ...
    def fields(self) -> dict[str, object]: ...


def _apply(m: Matrix, p: Point) -> Point:
    a, b, c, d, e, f = m
    return (a * p[0] + c * p[1] + e, b * p[0] + d * p[1] + f)


def shrink_of(m: Matrix) -> float:
    """The smaller of a matrix's two scale factors: what lengths without a direction (radii, thickness) follow."""
    return min(math.hypot(m[0], m[1]), math.hypot(m[2], m[3]))


def _is_upright(m: Matrix) -> bool:
    return abs(m[1]) < 1e-9 and abs(m[2]) < 1e-9


def _round(value: float) -> float:
    return round(value, 5) + 0.0  # + 0.0 turns −0.0 into 0.0


def about(centre: Point, degrees: float) -> Matrix:
    """A rotation about `centre`, clockwise on paper."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = centre
    return (c, s, -s, c, x - c * x + s * y, y - s * x - c * y)


def bounds_of(shapes: Sequence[Shape]) -> Bounds:
    """The box around the shapes' points, pens not counted. Raises ValueError when they have none."""
    points = [p for shape in shapes for p in shape.points()]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return (min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True)
class Ellipse:
    """An upright ellipse."""

    cx: float
    cy: float
    rx: float
    ry: float

    def mapped(self, m: Matrix) -> Shape:
        is_circle = abs(self.rx - self.ry) < 1e-9
        if not (is_circle or _is_upright(m)):
            return self.path().mapped(m)
        x, y = _apply(m, (self.cx, self.cy))
        if is_circle:
            r = self.rx * shrink_of(m)
            return Ellipse(x, y, r, r)
        return Ellipse(x, y, self.rx * abs(m[0]), self.ry * abs(m[3]))

    def points(self) -> list[Point]:
        return [
            (self.cx - self.rx, self.cy),
            (self.cx + self.rx, self.cy),
            (self.cx, self.cy - self.ry),
            (self.cx, self.cy + self.ry),
        ]

    def fields(self) -> dict[str, object]:
        values = {"cx": self.cx, "cy": self.cy, "rx": self.rx, "ry": self.ry}
        return {"kind": "ellipse", **{k: _round(v) for k, v in values.items()}}

    def path(self) -> Path:
        """The same outline as four cubics."""
        x, y, rx, ry = self.cx, self.cy, self.rx, self.ry
        kx, ky = rx * KAPPA, ry * KAPPA
        return Path(
            (
                ("M", ((x, y - ry),)),
                ("C", ((x + kx, y - ry), (x + rx, y - ky), (x + rx, y))),
                ("C", ((x + rx, y + ky), (x + kx, y + ry), (x, y + ry))),
                ("C", ((x - kx, y + ry), (x - rx, y + ky), (x - rx, y))),
                ("C", ((x - rx, y - ky), (x - kx, y - ry), (x, y - ry))),
                ("Z", ()),
            )
        )


@dataclass(frozen=True)
class Rect:
    """An upright rectangle with corner radius `r`."""

    x: float
    y: float
    w: float
    h: float
    r: float = 0.0

    def mapped(self, m: Matrix) -> Shape:
        if not _is_upright(m):
            return self.path().mapped(m)
        (x0, y0), (x1, y1) = _apply(m, (self.x, self.y)), _apply(m, (self.x + self.w, self.y + self.h))
        return Rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0), self.r * shrink_of(m))

    def points(self) -> list[Point]:
        return [(self.x, self.y), (self.x + self.w, self.y + self.h)]

    def fields(self) -> dict[str, object]:
        values = {"x": self.x, "y": self.y, "w": self.w, "h": self.h, **({"r": self.r} if self.r else {})}
        return {"kind": "rect", **{k: _round(v) for k, v in values.items()}}

    def path(self) -> Path:
        """The same outline with its corners as quadratic curves."""
        x, y, r = self.x, self.y, self.r
        right, bottom = x + self.w, y + self.h
        return parse_path(
            f"M {x + r} {y} L {right - r} {y} Q {right} {y} {right} {y + r} L {right} {bottom - r} "
            f"Q {right} {bottom} {right - r} {bottom} L {x + r} {bottom} Q {x} {bottom} {x} {bottom - r} "
            f"L {x} {y + r} Q {x} {y} {x + r} {y} Z"
        )


@dataclass(frozen=True)
class Polyline:
    """An open line through points."""

    at: tuple[Point, ...]

    def mapped(self, m: Matrix) -> Shape:
        return Polyline(tuple(_apply(m, p) for p in self.at))

    def points(self) -> list[Point]:
        return list(self.at)

    def fields(self) -> dict[str, object]:
        kind = "line" if len(self.at) == 2 else "polyline"
        return {"kind": kind, "points": [[_round(x), _round(y)] for x, y in self.at]}


@dataclass(frozen=True)
class Path:
    """A path of absolute M, L, C, Q and Z segments; each holds its points, the end point last."""

    segments: tuple[Segment, ...]

    def mapped(self, m: Matrix) -> Shape:
        return Path(tuple((command, tuple(_apply(m, p) for p in points)) for command, points in self.segments))

    def points(self) -> list[Point]:
        found: list[Point] = []
        for command, points in self.segments:
            found.extend(_curve((found[-1], *points)) if command in "CQ" else points)
        return found

    def fields(self) -> dict[str, object]:
        words = (" ".join([c, *(f"{_round(x):g} {_round(y):g}" for x, y in points)]) for c, points in self.segments)
        return {"kind": "path", "d": " ".join(words)}


@dataclass(frozen=True)
class Text:
    """Words centred on a point; they are not counted in bounding boxes, as their width depends on the font."""

    x: float
    y: float
    size: float
    words: str

    def mapped(self, m: Matrix) -> Shape:
        x, y = _apply(m, (self.x, self.y))
        return Text(x, y, self.size * shrink_of(m), self.words)

    def points(self) -> list[Point]:
        return []

    def fields(self) -> dict[str, object]:
        baseline = self.y + 0.36 * self.size  # capitals are about 0.72 of the size
        values = {"x": _round(self.x), "y": _round(baseline), "size": _round(self.size)}
        return {"kind": "text", **values, "text": self.words, "anchor": "middle"}


def _curve(controls: tuple[Point, ...]) -> list[Point]:
    """Points along a Bézier curve of degree 2 or 3, its start left out, by Bernstein's weights."""
    xs, ys = [p[0] for p in controls], [p[1] for p in controls]
    return [(sum(map(mul, ws, xs)), sum(map(mul, ws, ys))) for ws in _WEIGHTS[len(controls) - 1]]


def parse_path(d: str) -> Path:
    """SVG path data with absolute commands M L H V C S Q A Z, as M, L, C, Q and Z. Raises ValueError."""
    tokens = _TOKEN.findall(d)
    segments: list[Segment] = []
    position = 0
    command = ""
    while position < len(tokens):
        if tokens[position].isalpha():
            command = tokens[position]
            position += 1
        if command not in _NUMBERS or (not segments and command != "M"):
            raise ValueError(
                f"path {d!r}: {tokens[position - 1]!r} is not one of the absolute commands M L H V C S Q A Z"
            )
        needed = _NUMBERS[command]
        numbers = [float(t) for t in tokens[position : position + needed]]
        if len(numbers) < needed:
            raise ValueError(f"path {d!r}: {command} needs {needed} numbers and has {len(numbers)}")
        position += needed
        segments.extend(_segments(command, numbers, segments))
    return Path(tuple(segments))


def _segments(command: str, numbers: list[float], before: list[Segment]) -> list[Segment]:
    here = next((points[-1] for _, points in reversed(before) if points), (0.0, 0.0))
    if command == "H":
        return [("L", ((numbers[0], here[1]),))]
    if command == "V":
        return [("L", ((here[0], numbers[0]),))]
    if command == "A":
        return _arc(here, numbers)
    points = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    if command == "S":
        handle = before[-1][1][1] if before[-1][0] == "C" else here
        return [("C", ((2 * here[0] - handle[0], 2 * here[1] - handle[1]), *points))]
    return [(command, points)]


def _arc(start: Point, numbers: list[float]) -> list[Segment]:
    """An elliptical arc as cubics (SVG 1.1, appendix F.6.5: from end points to centre), without axis rotation."""
    rx, ry, rotation, large, sweep, x, y = numbers
    if rotation:
        raise ValueError(f"an arc with its axes rotated by {rotation:g} degrees; the lexicon's arcs are upright")
    ux, uy, vx, vy = start[0] / rx, start[1] / ry, x / rx, y / ry
    half = math.hypot(vx - ux, vy - uy) / 2
    grow = max(1.0, half)  # radii too small for the chord are scaled up, as the standard says
    ux, uy, vx, vy, half = ux / grow, uy / grow, vx / grow, vy / grow, half / grow
    away = math.sqrt(max(0.0, 1 - half * half)) / (half or 1.0) / 2 * (1 if bool(large) == bool(sweep) else -1)
    cx, cy = (ux + vx) / 2 + away * (vy - uy), (uy + vy) / 2 - away * (vx - ux)
    begin = math.atan2(uy - cy, ux - cx)
    turn = math.atan2(vy - cy, vx - cx) - begin
    turn = turn % (2 * math.pi) if sweep else -(-turn % (2 * math.pi))
    back: Matrix = (rx * grow, 0.0, 0.0, ry * grow, rx * grow * cx, ry * grow * cy)
    count = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    pieces = [_unit_arc(begin + turn * i / count, turn / count) for i in range(count)]
    return [("C", tuple(_apply(back, p) for p in points)) for points in pieces]


def _unit_arc(begin: float, turn: float) -> tuple[Point, ...]:
    end, k = begin + turn, 4 / 3 * math.tan(turn / 4)
    first = (math.cos(begin) - k * math.sin(begin), math.sin(begin) + k * math.cos(begin))
    second = (math.cos(end) + k * math.sin(end), math.sin(end) - k * math.cos(end))
    return (first, second, (math.cos(end), math.sin(end)))
