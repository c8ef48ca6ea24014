"""Colors for the offline model: palettes and color words as data, and shades made in Oklab.

Oklab is Björn Ottosson's (2020): equal steps in it look equal, so that shades of a color keep their hue.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from redraft.yamldata import read_yaml

ROLES = ("deep", "dark", "mid", "light", "pale", "accent")
"""A palette's six colors: five from the darkest to the palest, and one that stands out."""

TIMES = frozenset({"night", "dusk", "sunset", "dawn", "day", "storm", "grey", "winter"})
"""Palettes that are times of day or weather: they color sky, land and water, and leave lights their own colors."""

Lab = tuple[float, float, float]


@cache
def read_data(name: str) -> dict[str, Any]:
    """Return the content of a YAML file of this folder."""
    return read_yaml((resources.files("redraft.studios.shader.offline") / name).read_text(encoding="utf-8"))


@cache
def color_words() -> dict[str, str]:
    """Return `#rrggbb` by the name of a color: painters' values, not the screen's primaries."""
    return {str(name): f"#{value}" for name, value in read_data("colors.yaml").items()}


@cache
def palette_words() -> dict[str, str]:
    """Return the name of a palette by each word that calls for it."""
    palettes = read_data("palettes.yaml")
    return {word.strip(): name for name, entry in palettes.items() for word in (name, *entry["words"].split(","))}


def palette(name: str) -> tuple[str, ...]:
    """Return a palette's colors as `#rrggbb`, in the order of `ROLES`. Raises `KeyError` for an unknown name."""
    return tuple(f"#{value}" for value in read_data("palettes.yaml")[name]["colors"].split())


def scene_of(mood: str) -> str:
    """Return the layers that a mood alone is painted with; empty for colors in motion."""
    return read_data("palettes.yaml")[mood].get("scene", "")


def brought(mood: str) -> str:
    """Return the layers that a mood adds to any landscape."""
    return read_data("palettes.yaml")[mood].get("brings", "")


def blended(colors: Sequence[str]) -> tuple[str, ...]:
    """Return a palette made of a few colors: shades of one; of more, what lies between them, from dark to pale."""
    labs = sorted((_lab(c) for c in colors), key=lambda lab: lab[0])
    if len(labs) == 1:
        light, a, b = labs[0]
        middle = min(max(light, 0.35), 0.75)
        steps = ((0.16, 0.55), (0.32, 0.85), (middle, 1.0), (0.8, 0.7), (0.95, 0.2))
        shades = [_hex((step, a * weight, b * weight)) for step, weight in steps]
        # The accent has a hue across the wheel, about as strong; a gray has none.
        angle = math.atan2(b, a) + 2.6
        strength = 0.0 if math.hypot(a, b) < 0.02 else 0.12
        return (*shades, _hex((0.78, strength * math.cos(angle), strength * math.sin(angle))))
    first, last = labs[0], labs[-1]
    ends = [(first[0] * 0.5, first[1] * 0.8, first[2] * 0.8), *labs, (0.5 + last[0] / 2, last[1] / 2, last[2] / 2)]
    ends = labs if len(labs) >= 5 else ends
    return (*(_hex(_along(ends, i / 4)) for i in range(5)), colors[-1])


def between(colors: Sequence[str], count: int) -> tuple[str, ...]:
    """Return so many colors, evenly along the given ones."""
    labs = [_lab(c) for c in colors]
    return tuple(_hex(_along(labs, i / max(1, count - 1))) for i in range(count))


def tinted(natural: Sequence[str], color: str) -> tuple[str, ...]:
    """Return natural colors as shades of one color; a single one becomes it."""
    if len(natural) == 1:
        return (color,)
    labs = [_lab(c) for c in natural]
    light, a, b = _lab(color)
    mean = sum(lab[0] for lab in labs) / len(labs)
    shades = [min(max(light + 0.75 * (lab[0] - mean), 0.04), 0.98) for lab in labs]
    return tuple(_hex((s, a * w, b * w)) for s in shades for w in [min(1.0, 1.35 - s) if s > light else 1.0])


def shaded(color: str, factor: float) -> str:
    """Return a lighter (factor over 1) or darker (under 1) color."""
    light, a, b = _lab(color)
    new = light * factor if factor <= 1 else 1 - (1 - light) / factor
    keep = min(1.0, factor**0.5)
    return _hex((new, a * keep, b * keep))


def _along(labs: Sequence[Lab], t: float) -> Lab:
    if len(labs) == 1:
        return labs[0]
    place = t * (len(labs) - 1)
    i = min(int(place), len(labs) - 2)
    share = place - i
    one, two = labs[i], labs[i + 1]
    return tuple(p + (q - p) * share for p, q in zip(one, two, strict=True))  # pyright: ignore[reportReturnType]


def _lab(color: str) -> Lab:
    shown = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shown)
    x = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    y = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    z = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * x + 0.7936177850 * y - 0.0040720468 * z,
        1.9779984951 * x - 2.4285922050 * y + 0.4505937099 * z,
        0.0259040371 * x + 0.7827717662 * y - 0.8086757660 * z,
    )


def _hex(lab: Lab) -> str:
    """Return the color, or the nearest weaker one of its hue that a screen can show."""
    light, a, b = min(max(lab[0], 0.0), 1.0), lab[1], lab[2]
    for _ in range(24):
        rgb = _rgb(light, a, b)
        if all(-0.002 <= v <= 1.002 for v in rgb):
            break
        a, b = a * 0.9, b * 0.9
    else:
        rgb = _rgb(light, 0.0, 0.0)
    linear = [min(max(v, 0.0), 1.0) for v in rgb]
    encoded = [v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055 for v in linear]
    return "#" + "".join(f"{round(255 * v):02x}" for v in encoded)


def _rgb(light: float, a: float, b: float) -> tuple[float, float, float]:
    x = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    y = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    z = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
        -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
        -0.0041960863 * x - 0.7034186147 * y + 1.7076147010 * z,
    )
