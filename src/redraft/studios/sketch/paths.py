"""SVG path data: read strictly, and flatten Béziers and arcs to points within a tolerance.

Reading normalizes: commands become absolute, H and V become L, S becomes C, T becomes Q, so that six remain
(M L C Q A Z). It knows the whole grammar of SVG 1.1 section 8.3, and refuses what a renderer would drop silently.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

Point = tuple[float, float]

TOLERANCE = 1e-4
"""How far a flattened curve may lie from the true one, in units of the canvas."""

_MAX_STEPS = 128
"""Steps of one curve: enough for one that spans the canvas, and a bound for curves made to be long."""
_ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SPACE = re.compile(r"[ \t\n\r\f]*")
_COMMA = re.compile(r"[ \t\n\r\f]*,?[ \t\n\r\f]*")


class PathError(ValueError):
    """Path data that is not a valid SVG path; the message quotes the place."""


@dataclass(frozen=True)
class Segment:
    """One absolute command. Numbers: M, L: x y; Q: x1 y1 x y; C: x1 y1 x2 y2 x y; A: rx ry angle large sweep x y."""

    command: str
    numbers: tuple[float, ...]

    @property
    def end(self) -> Point:
        return (self.numbers[-2], self.numbers[-1])


@dataclass(frozen=True)
class Subpath:
    """A flattened run of points; `closed` when it ended in Z (the first point is not repeated)."""

    points: tuple[Point, ...]
    closed: bool


@dataclass(frozen=True)
class Arc:
    """An elliptical arc by its center: radii, rotation, start and sweep, in radians (y down, so clockwise)."""

    center: Point
    rx: float
    ry: float
    angle: float
    start: float
    sweep: float

    def at(self, t: float) -> Point:
        """Return the point at parameter t, from 0 (start) to 1 (end)."""
        a = self.start + t * self.sweep
        x, y = self.rx * math.cos(a), self.ry * math.sin(a)
        c, s = math.cos(self.angle), math.sin(self.angle)
        return (self.center[0] + c * x - s * y, self.center[1] + s * x + c * y)


@lru_cache(maxsize=2048)
def parse(d: str) -> tuple[Segment, ...]:
    """Return path data as absolute segments. It begins with M and draws something.

    Raises:
        PathError: with the character's position, what stands there and what was expected.
    """
    segments = tuple(_Absolute().run(_commands(d)))
    if all(s.command == "M" for s in segments):
        raise PathError(f"path data {d[:40]!r} draws nothing: after M there must be L, H, V, C, S, Q, T, A or Z")
    return segments


def _commands(d: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield commands with their numbers, in the letters' case, repeated for repeated arguments."""
    at = _skip(_SPACE, d, 0)
    if d[at : at + 1] not in ("M", "m"):
        raise _error(d, at, "path data begins with M or m")
    while at < len(d):
        letter = d[at]
        if letter.upper() not in _ARITY:
            raise _error(d, at, "expected a command, one of M L H V C S Q T A Z in either case")
        at, runs = _arguments(d, at + 1, letter)
        for i, numbers in enumerate(runs):
            # Pairs after a move's first are lines (SVG 1.1, 8.3.2).
            yield ({"M": "L", "m": "l"}.get(letter, letter) if i else letter), numbers
        at = _skip(_SPACE, d, at)


def _arguments(d: str, at: int, letter: str) -> tuple[int, list[tuple[float, ...]]]:
    """Return where the arguments of a command end, and the numbers of each time that it is repeated."""
    arity = _ARITY[letter.upper()]
    runs: list[tuple[float, ...]] = []
    if not arity:
        return at, [()]
    at = _skip(_SPACE, d, at)
    while True:
        numbers: list[float] = []
        end = at
        for k in range(arity):
            if letter in "Aa" and k in (3, 4):
                # A flag is one digit, which the next number may follow at once.
                if d[at : at + 1] not in ("0", "1"):
                    raise _error(d, at, "expected a flag of an arc, 0 or 1")
                end = at + 1
            else:
                match = _NUMBER.match(d, at)
                if match is None:
                    raise _error(d, at, f"expected number {k + 1} of the {arity} that {letter} takes")
                end = match.end()
                if not math.isfinite(float(match.group())):
                    raise _error(d, at, "the number is too large")
            numbers.append(float(d[at:end]))
            at = _skip(_COMMA, d, end)
        runs.append(tuple(numbers))
        if not _NUMBER.match(d, at):
            if "," in d[end:at]:
                raise _error(d, end, "a comma must be followed by a number")
            return at, runs


def _skip(pattern: re.Pattern[str], d: str, at: int) -> int:
    match = pattern.match(d, at)
    return match.end() if match else at


def _error(d: str, at: int, expected: str) -> PathError:
    here = repr(d[at : at + 8]) if at < len(d) else "the end"
    before = d[max(0, at - 20) : at]
    return PathError(f"path data, character {at + 1} (after {before!r}): found {here}; {expected}")


class _Absolute:
    """Turns commands into absolute segments; holds the current point and the last control point."""

    def __init__(self) -> None:
        self.here: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.control: Point | None = None
        self.last = ""
        self.closed = False

    def run(self, commands: Iterator[tuple[str, tuple[float, ...]]]) -> Iterator[Segment]:
        for letter, numbers in commands:
            segment = self._segment(letter.upper(), numbers, relative=letter.islower())
            if self.closed and segment.command not in "MZ":
                yield Segment("M", self.start)  # after Z a path goes on from the subpath's start
            self.closed = segment.command == "Z"
            self.here = self.start if self.closed else segment.end
            if segment.command == "M":
                self.start = self.here
            yield segment

    def _segment(self, command: str, numbers: tuple[float, ...], *, relative: bool) -> Segment:
        x, y = self.here if relative else (0.0, 0.0)
        match command:
            case "H":
                segment = Segment("L", (numbers[0] + x, self.here[1]))
            case "V":
                segment = Segment("L", (self.here[0], numbers[0] + y))
            case "A":
                rx, ry, angle, large, sweep, end_x, end_y = numbers
                end = (end_x + x, end_y + y)
                straight = rx == 0 or ry == 0
                segment = Segment("L", end) if straight else Segment("A", (abs(rx), abs(ry), angle, large, sweep, *end))
            case _:
                segment = Segment(command, tuple(n + (y if i % 2 else x) for i, n in enumerate(numbers)))
        if command in "ST":
            # They mirror the last control point, if the last segment was of their own kind.
            full = "C" if command == "S" else "Q"
            mirrored = self.here
            if self.control is not None and self.last == full:
                mirrored = (2 * self.here[0] - self.control[0], 2 * self.here[1] - self.control[1])
            segment = Segment(full, (*mirrored, *segment.numbers))
        self.control = (segment.numbers[-4], segment.numbers[-3]) if segment.command in "CQ" else None
        self.last = segment.command
        return segment


def flatten(segments: tuple[Segment, ...], tolerance: float = TOLERANCE) -> tuple[Subpath, ...]:
    """Return the points of every subpath; a subpath of a lone M paints nothing and is left out."""
    done: list[Subpath] = []
    points: list[Point] = []
    for segment in (*segments, Segment("M", (0.0, 0.0))):  # a last move ends the last subpath
        n = segment.numbers
        match segment.command:
            case "M":
                done += [Subpath(tuple(points), closed=False)] if len(points) > 1 else []
                points = [segment.end]
            case "Z":
                done += [Subpath(tuple(points), closed=True)] if points else []
                points = []
            case "Q":
                points += _bezier((points[-1], (n[0], n[1]), (n[2], n[3])), tolerance)
            case "C":
                points += _bezier((points[-1], (n[0], n[1]), (n[2], n[3]), (n[4], n[5])), tolerance)
            case "A":
                arc = arc_center(points[-1], segment)
                if arc is not None:
                    steps = arc_steps(max(arc.rx, arc.ry), arc.sweep, tolerance)
                    points += [arc.at(i / steps) for i in range(1, steps)]
                points.append(segment.end)
            case _:
                points.append(segment.end)
    return tuple(done)


def _bezier(p: tuple[Point, ...], tolerance: float) -> list[Point]:
    """Return points after the first, by Horner's scheme on the power basis.

    Steps by Wang's formula: n² ≥ k(k−1)/8 · max|second difference| / tolerance.
    """
    k = len(p) - 1
    bend = max(
        math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]) for a, b, c in zip(p, p[1:], p[2:], strict=False)
    )
    steps = min(_MAX_STEPS, max(1, math.ceil(math.sqrt(k * (k - 1) / 8 * bend / tolerance))))

    (x0, y0), (x1, y1), (x2, y2) = p[:3]
    if k == 2:  # a quadratic has no cubic term
        ax, ay, bx, by, cx, cy = 0.0, 0.0, x0 - 2 * x1 + x2, y0 - 2 * y1 + y2, 2 * (x1 - x0), 2 * (y1 - y0)
    else:
        x3, y3 = p[3]
        ax, ay = x3 - 3 * x2 + 3 * x1 - x0, y3 - 3 * y2 + 3 * y1 - y0
        bx, by, cx, cy = 3 * (x2 - 2 * x1 + x0), 3 * (y2 - 2 * y1 + y0), 3 * (x1 - x0), 3 * (y1 - y0)
    ts = [i / steps for i in range(1, steps)]
    return [*((((ax * t + bx) * t + cx) * t + x0, ((ay * t + by) * t + cy) * t + y0) for t in ts), p[-1]]


def arc_steps(radius: float, sweep: float, tolerance: float = TOLERANCE) -> int:
    """Return how many chords keep an arc within the tolerance: their sagitta is r(1 − cos(θ/2))."""
    if radius <= tolerance:
        return max(1, math.ceil(abs(sweep) / (math.pi / 2)))
    step = 2 * math.acos(1 - tolerance / radius)
    return min(2 * _MAX_STEPS, max(1, math.ceil(abs(sweep) / step)))


def ellipse_points(
    center: Point, rx: float, ry: float, angle: float = 0.0, tolerance: float = TOLERANCE
) -> list[Point]:
    """Return a whole ellipse, its four vertices among the points, so that its box is exact. `angle` in radians."""
    steps = 4 * math.ceil(arc_steps(max(rx, ry), 2 * math.pi, tolerance) / 4)
    arc = Arc(center, rx, ry, angle, 0.0, 2 * math.pi)
    return [arc.at(i / steps) for i in range(steps)]


def arc_center(start: Point, segment: Segment) -> Arc | None:
    """Return an A segment by its center (SVG 1.1, F.6.5 and F.6.6); None when it ends where it starts."""
    rx, ry, degrees, large, sweep, x2, y2 = segment.numbers
    if start == (x2, y2):
        return None
    phi = math.radians(degrees)
    c, s = math.cos(phi), math.sin(phi)
    hx, hy = (start[0] - x2) / 2, (start[1] - y2) / 2
    px, py = c * hx + s * hy, -s * hx + c * hy
    grow = math.hypot(px / rx, py / ry)
    rx, ry = (rx * grow, ry * grow) if grow > 1 else (rx, ry)
    below = (rx * py) ** 2 + (ry * px) ** 2
    k = math.sqrt(max(0.0, (rx * ry) ** 2 / below - 1)) if below else 0.0
    k = -k if bool(large) == bool(sweep) else k
    qx, qy = k * rx * py / ry, -k * ry * px / rx
    first = math.atan2((py - qy) / ry, (px - qx) / rx)
    turn = math.atan2((-py - qy) / ry, (-px - qx) / rx) - first
    turn = turn % (2 * math.pi) if sweep else -((-turn) % (2 * math.pi))
    center = (c * qx - s * qy + (start[0] + x2) / 2, s * qx + c * qy + (start[1] + y2) / 2)
    return Arc(center, rx, ry, phi, first, turn)
