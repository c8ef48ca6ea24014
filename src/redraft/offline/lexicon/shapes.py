"""Geometry of the lexicon's strokes: ellipse, rectangle, path and text, each mapped, sampled and written out."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Bounds = tuple[float, float, float, float]
"""x0, y0, x1, y1."""
Matrix = tuple[float, float, float, float, float, float]
"""SVG order a, b, c, d, e, f: x' = a x + c y + e, y' = b x + d y + f."""

_TOKEN = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)")
_POINTS = {"M": 1, "L": 1, "Q": 2, "C": 3, "Z": 0}
_STEPS = 16
"""Points along a curve."""


def _apply(m: Matrix, p: Point) -> Point:
    a, b, c, d, e, f = m
    return (a * p[0] + c * p[1] + e, b * p[0] + d * p[1] + f)


def shrink_of(m: Matrix) -> float:
    """Return the smaller of a matrix's two scale factors, which lengths without a direction (radii) follow."""
    return min(math.hypot(m[0], m[1]), math.hypot(m[2], m[3]))


def _round(value: float) -> float:
    return round(value, 5) + 0.0  # + 0.0 turns −0.0 into 0.0


def about(center: Point, degrees: float) -> Matrix:
    """Return a rotation about a point, clockwise on paper."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = center
    return (c, s, -s, c, x - c * x + s * y, y - s * x - c * y)


@dataclass(frozen=True)
class Ellipse:
    """An upright ellipse; what turns is drawn with circles."""

    cx: float
    cy: float
    rx: float
    ry: float

    def mapped(self, m: Matrix) -> Ellipse:
        return Ellipse(
            *_apply(m, (self.cx, self.cy)), self.rx * math.hypot(m[0], m[1]), self.ry * math.hypot(m[2], m[3])
        )

    def points(self) -> list[Point]:
        return [(self.cx - self.rx, self.cy - self.ry), (self.cx + self.rx, self.cy + self.ry)]

    def fields(self) -> dict[str, object]:
        values = {"cx": self.cx, "cy": self.cy, "rx": self.rx, "ry": self.ry}
        return {"kind": "ellipse", **{k: _round(v) for k, v in values.items()}}


@dataclass(frozen=True)
class Rect:
    """An upright rectangle with corner radius `r`; it is never turned."""

    x: float
    y: float
    w: float
    h: float
    r: float = 0.0

    def mapped(self, m: Matrix) -> Rect:
        (x0, y0), (x1, y1) = _apply(m, (self.x, self.y)), _apply(m, (self.x + self.w, self.y + self.h))
        return Rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0), self.r * shrink_of(m))

    def points(self) -> list[Point]:
        return [(self.x, self.y), (self.x + self.w, self.y + self.h)]

    def fields(self) -> dict[str, object]:
        values = {"x": self.x, "y": self.y, "w": self.w, "h": self.h, **({"r": self.r} if self.r else {})}
        return {"kind": "rect", **{k: _round(v) for k, v in values.items()}}


@dataclass(frozen=True)
class Path:
    """A path of absolute M, L, Q, C and Z segments; each holds its points, the end point last."""

    segments: tuple[tuple[str, tuple[Point, ...]], ...]

    def mapped(self, m: Matrix) -> Path:
        return Path(tuple((command, tuple(_apply(m, p) for p in points)) for command, points in self.segments))

    def points(self) -> list[Point]:
        """Return the points of lines, and points along Bézier curves, by Bernstein's weights."""
        sampled: list[Point] = []
        for command, points in self.segments:
            if command not in "CQ":
                sampled.extend(points)
                continue
            controls = (sampled[-1], *points)
            n = len(controls) - 1
            for t in (i / _STEPS for i in range(1, _STEPS + 1)):
                weights = [math.comb(n, k) * t**k * (1 - t) ** (n - k) for k in range(n + 1)]
                x, y = (sum(w * p[axis] for w, p in zip(weights, controls, strict=True)) for axis in (0, 1))
                sampled.append((x, y))
        return sampled

    def fields(self) -> dict[str, object]:
        words = (" ".join([c, *(f"{_round(x):g} {_round(y):g}" for x, y in points)]) for c, points in self.segments)
        return {"kind": "path", "d": " ".join(words)}


@dataclass(frozen=True)
class Text:
    """Words centered on a point; not counted in bounding boxes, as their width depends on the font."""

    x: float
    y: float
    size: float
    words: str

    def mapped(self, m: Matrix) -> Text:
        return Text(*_apply(m, (self.x, self.y)), self.size * shrink_of(m), self.words)

    def points(self) -> list[Point]:
        return []

    def fields(self) -> dict[str, object]:
        baseline = self.y + 0.36 * self.size  # capitals are about 0.72 of the size
        values = {"x": _round(self.x), "y": _round(baseline), "size": _round(self.size)}
        return {"kind": "text", **values, "text": self.words, "anchor": "middle"}


Shape = Ellipse | Rect | Path | Text


def bounds_of(shapes: Sequence[Shape]) -> Bounds:
    """Return the box around the shapes' points, pens not counted. Raises ValueError when they have none."""
    points = [p for shape in shapes for p in shape.points()]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return (min(xs), min(ys), max(xs), max(ys))


def parse_path(d: str) -> Path:
    """Return SVG path data of absolute commands M, L, Q, C and Z as a path. Raises ValueError."""
    tokens = _TOKEN.findall(d)
    segments: list[tuple[str, tuple[Point, ...]]] = []
    while tokens:
        command = tokens.pop(0)
        if command not in _POINTS or len(tokens) < 2 * _POINTS[command]:
            raise ValueError(f"path {d!r}: {command!r} is not a whole command of M, L, Q, C and Z")
        numbers = [float(tokens.pop(0)) for _ in range(2 * _POINTS[command])]
        segments.append((command, tuple(zip(numbers[::2], numbers[1::2], strict=True))))
    return Path(tuple(segments))
