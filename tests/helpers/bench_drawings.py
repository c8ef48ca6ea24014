"""Right answers to the sketch tasks of the benchmark, made by hand: what each oracle has to hold of."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, radians, sin, sqrt
from typing import Any

__all__ = ["RIGHT", "Drawn"]

INK = {"stroke": "#333333", "width": 0.006}


class Drawn:
    """A drawing as a draft has it."""

    def __init__(self) -> None:
        self.plan: list[dict[str, Any]] = []
        self.strokes: list[dict[str, Any]] = []

    def part(self, name: str, label: str = "", parent: str | None = None) -> str:
        self.plan.append({"name": name, "label": label or name, "parent": parent})
        return name

    def rect(self, part: str, x: float, y: float, w: float, h: float, fill: str = "#c9a26b") -> None:
        self.strokes.append({"part": part, "kind": "rect", "x": x, "y": y, "w": w, "h": h, "fill": fill})

    def disc(self, part: str, x: float, y: float, r: float, fill: str = "#f2a33a", **more: Any) -> None:
        self.strokes.append({"part": part, "kind": "ellipse", "cx": x, "cy": y, "rx": r, "ry": r, "fill": fill, **more})

    def line(self, part: str, *points: tuple[float, float], width: float = 0.01) -> None:
        kind = "line" if len(points) == 2 else "polyline"
        self.strokes.append({"part": part, "kind": kind, "points": points, "stroke": "#333333", "width": width})

    def shape(self, part: str, *points: tuple[float, float], fill: str = "#c9a26b") -> None:
        self.strokes.append({"part": part, "kind": "polyline", "points": [*points, points[0]], "fill": fill})

    def things(self, noun: str, places: list[tuple[float, float]], r: float, fill: str = "#f2a33a") -> None:
        for number, (x, y) in enumerate(places, start=1):
            self.disc(self.part(f"{noun}_{number}", noun), x, y, r, fill)


def toward(x: float, y: float, degrees: float, length: float) -> tuple[float, float]:
    """The point so far from another, clockwise from up."""
    return x + length * sin(radians(degrees)), y - length * cos(radians(degrees))


def clocks(d: Drawn) -> None:
    for name, x, hour, minute in (("left", 0.2, 140, 240), ("middle", 0.5, 272.5, 30), ("right", 0.8, 222.5, 150)):
        clock = d.part(f"clock_{name}", "clock")
        d.disc(clock, x, 0.5, 0.13, "#ffffff", **INK)
        d.line(d.part(f"hour_hand_{name}", "hour hand", clock), (x, 0.5), toward(x, 0.5, hour, 0.06))
        d.line(d.part(f"minute_hand_{name}", "minute hand", clock), (x, 0.5), toward(x, 0.5, minute, 0.1))


def gears(d: Drawn) -> None:
    x = 0.05
    for number, teeth in enumerate((8, 16, 12), start=1):
        gear = d.part(f"gear_{number}", "gear")
        radius = teeth * 0.0115
        x += radius + 0.008
        d.disc(gear, x, 0.5, radius, "#888888")
        for tooth in range(teeth):
            at = 360 / teeth * (tooth + (0 if number == 2 else 0.5)) + 90
            d.line(
                d.part(f"tooth_{number}_{tooth}", "tooth", gear),
                toward(x, 0.5, at, radius - 0.002),
                toward(x, 0.5, at, radius + 0.008),
                width=0.014,
            )
        x += radius + 0.008


def ferris(d: Drawn) -> None:
    wheel = d.part("wheel")
    rim, hub = d.part("rim", parent=wheel), d.part("hub", parent=wheel)
    d.disc(rim, 0.5, 0.45, 0.32, "none", **INK)
    d.disc(hub, 0.5, 0.45, 0.03)
    for k in range(12):
        x, y = toward(0.5, 0.45, 30 * k, 0.32)
        d.line(d.part(f"spoke_{k}", "spoke", wheel), (0.5, 0.45), (x, y))
        d.rect(d.part(f"cabin_{k}", "cabin"), x - 0.03, y, 0.06, 0.06)


def crank(d: Drawn) -> None:
    x, y = toward(0.2, 0.5, 60, 0.15)
    end = x + sqrt(0.45**2 - (0.5 - y) ** 2)
    d.rect(d.part("cylinder"), 0.6, 0.42, 0.35, 0.16, "#dddddd")
    d.rect(d.part("piston"), end - 0.02, 0.43, 0.1, 0.14, "#888888")
    d.line(d.part("connecting_rod", "connecting rod"), (x, y), (end, 0.5), width=0.02)
    d.line(d.part("crank"), (0.2, 0.5), (x, y), width=0.03)
    d.disc(d.part("shaft"), 0.2, 0.5, 0.02)


def oranges(d: Drawn) -> None:
    d.rect(d.part("table"), 0.05, 0.85, 0.9, 0.05)
    r = 0.07
    rows = [(5 - n, 0.85 - r - n * sqrt(3) * r) for n in range(5)]
    d.things("orange", [(0.5 + (2 * k - n + 1) * r, y) for n, y in rows for k in range(n)], r)


def necklace(d: Drawn) -> None:
    colors = ("#d22222", "#f5d328", "#2244cc")
    half = 0.3 * sin(pi / 32)
    for k in range(17):
        x, y = toward(0.5, 0.4, 270 - 180 / 16 * k, 0.3)
        d.disc(d.part(f"bead_{k}", "bead"), x, y, half, "#111111" if k == 8 else colors[k % 3])


def dominoes(d: Drawn) -> None:
    places = {
        0: [],
        1: [(0, 0)],
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    }
    for tile, halves in enumerate(((3, 5), (6, 1), (0, 4), (2, 2), (5, 6))):
        x = 0.14 + 0.18 * tile
        name = d.part(f"domino_{tile}", "domino")
        d.rect(name, x - 0.07, 0.36, 0.14, 0.28, "#ffffff")
        for y, pips in zip((0.43, 0.57), halves, strict=True):
            for number, (across, down) in enumerate(places[pips]):
                pip = d.part(f"pip_{tile}_{y}_{number}".replace(".", ""), "pip", name)
                d.disc(pip, x + 0.035 * across, y + 0.035 * down, 0.012, "#222222")


def stairs(d: Drawn) -> None:
    for k in range(8):
        d.rect(d.part(f"step_{k}", "step"), 0.1 + 0.1 * k, 0.85 - 0.07 * k, 0.1, 0.1 + 0.07 * k)
    for number, k in enumerate((0, 2, 3, 5, 7)):
        r = 0.04 if k == 7 else 0.02
        d.disc(d.part(f"ball_{number}", "ball"), 0.15 + 0.1 * k, 0.85 - 0.07 * k - r, r)


def squares(d: Drawn) -> None:
    for k in range(5):
        corners = [toward(0.5, 0.5, 45 * (k + 1) + 90 * n, 0.55 / sqrt(2) ** k) for n in range(4)]
        d.shape(d.part(f"square_{k}", "square", f"square_{k - 1}" if k else None), *corners, fill="#446688")


def orbits(d: Drawn) -> None:
    d.disc(d.part("sun"), 0.5, 0.5, 0.05)
    for k, (radius, at) in enumerate(((2, 120), (3, 270), (5, 30), (7, 210))):
        d.disc(d.part(f"orbit_{k}", "orbit"), 0.5, 0.5, radius * 0.06, "none", **INK)
        x, y = toward(0.5, 0.5, at, radius * 0.06)
        d.disc(d.part(f"planet_{k}", "planet"), x, y, 0.02, "#3366cc")
        if k == 2:
            d.things("moon", [(x, y - 0.05), (x, y + 0.05)], 0.01)


def shelves(d: Drawn) -> None:
    rows = ("cup lamp cup clock globe", "vase book book vase book", "box hat box hat shoe ball")
    for row, nouns in enumerate(rows):
        y = 0.3 + 0.28 * row
        d.rect(d.part(f"board_{row}", "board"), 0.05, y, 0.9, 0.02)
        for k, noun in enumerate(nouns.split()):
            d.rect(
                d.part(f"{noun}_{row}{k}", noun), 0.08 + 0.14 * k, y - 0.08 - 0.02 * k, 0.1, 0.08 + 0.02 * k, "#779955"
            )


def seesaw(d: Drawn) -> None:
    def above(x: float, up: float) -> tuple[float, float]:
        """A point on the tilted plank's axis, and so far above it."""
        return 0.5 + x * cos(radians(15)) + up * sin(radians(15)), 0.5 + x * sin(radians(15)) - up * cos(radians(15))

    d.line(d.part("plank"), above(-0.4, 0), above(0.4, 0), width=0.02)
    d.shape(d.part("fulcrum"), (0.5, 0.51), (0.6, 0.75), (0.4, 0.75))
    for k, (x, r) in enumerate(((-0.3, 0.04), (-0.2, 0.04), (0.28, 0.08))):
        d.disc(d.part(f"ball_{k}", "ball"), *above(x, r + 0.01), r)


MADE = (clocks, gears, ferris, crank, oranges, necklace, dominoes, stairs, squares, orbits, shelves, seesaw)
RIGHT: dict[str, Callable[[Drawn], None]] = {made.__name__: made for made in MADE}
