"""The colors of the lexicon: one palette, one outline, and the words people use for colors.

A part has one main color; its strokes say `main`, `dark`, `light`, or name a color of the palette. So an asked-for
color carries its shades along.
"""

from __future__ import annotations

import re

PEN = 0.0042
"""Width of an outline, as a share of the canvas."""

OUTLINE = "#3d3a4b"

PALETTE: dict[str, str] = {
    "outline": OUTLINE, "white": "#ffffff", "cream": "#fdf2dc", "silver": "#d6dce2", "grey": "#a7afb9",
    "slate": "#6d7684", "black": "#4a4756", "red": "#e4584d", "brick": "#c9694f", "orange": "#f3994a",
    "gold": "#f2b93b", "yellow": "#f8d35c", "lime": "#a8d65c", "grass": "#8fcb6c", "green": "#62ad62",
    "leaf": "#4c9c6a", "olive": "#98a04f", "teal": "#48aea5", "glass": "#cdeaf7", "sky": "#bfe4f7",
    "water": "#6cb8e4", "blue": "#4f8fd0", "navy": "#3d568a", "purple": "#9a72cc", "pink": "#f5a5b8",
    "magenta": "#d6589b", "brown": "#9c6846", "wood": "#cb935d", "tan": "#e9ca9c", "skin": "#f7caa6",
    "sand": "#f4dfab", "stone": "#bdb8b1",
}  # fmt: skip
_MORE: dict[str, str] = {
    "amber": "#f2b93b", "aqua": "#48aea5", "beige": "#fdf2dc", "golden": "#f2b93b", "gray": "#a7afb9",
    "turquoise": "#48aea5", "violet": "#9a72cc", "wooden": "#cb935d", "rust": "#b5553a", "sepia": "#8a6a4f",
    "terracotta": "#c96f52", "ultramarine": "#3f4ea8", "umber": "#7a5c46", "bronze": "#b5803f", "cobalt": "#3f62b5",
    "burgundy": "#8d2f45", "coral": "#f58268", "crimson": "#c9364a", "cyan": "#56c7d9", "emerald": "#3aa873",
    "indigo": "#5a57a6", "ivory": "#fffbec", "khaki": "#c7b98b", "lavender": "#c3b1e6", "maroon": "#8f3b3f",
    "mint": "#a6dfc0", "mustard": "#d9a92f", "ochre": "#cf9a43", "peach": "#f9c3a0", "plum": "#8d4f8d",
    "rose": "#ec7f9b", "salmon": "#f59a84", "scarlet": "#e2402f", "vermilion": "#e3513a", "verdigris": "#5fa898",
}  # fmt: skip
_TINTS: dict[str, float] = {
    "bright": 0.0, "dark": -0.35, "deep": -0.25, "faded": 0.35, "light": 0.4, "medium": 0.0, "neon": 0.0,
    "pale": 0.5, "pastel": 0.4, "soft": 0.3, "very": 0.0, "vivid": 0.0, "baby": 0.4, "forest": -0.35, "hot": 0.0,
    "royal": -0.15,
}  # fmt: skip
_HEX = re.compile(r"#[0-9a-f]{6}")


def shade(colour: str, amount: float) -> str:
    """Return `#rrggbb` mixed with white (amount 0..1) or with near black (−1..0)."""
    target = (255, 255, 255) if amount > 0 else (30, 28, 40)
    channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    mixed = (round(c + (t - c) * abs(amount)) for c, t in zip(channels, target, strict=True))
    return "#" + "".join(f"{c:02x}" for c in mixed)


def hex_of(name: str) -> str | None:
    """Return `#rrggbb` of a color as people write it ("dark blue", "navy blue", "#ff0000"); None for no known color."""
    words = name.strip().lower().replace("-", " ").split()
    if len(words) == 1 and _HEX.fullmatch(words[0]):
        return words[0]
    tint = 0.0
    while len(words) > 1 and words[0] in _TINTS:
        tint += _TINTS[words.pop(0)]
    values = [PALETTE.get(word) or _MORE.get(word) for word in words]
    if not values or len(values) > 2 or None in values or "outline" in words:
        return None
    return shade(str(values[0]), tint)


def resolve(name: str, main: str) -> str:
    """Return the color of a stroke's color token in a part whose main color is `main` (`#rrggbb`)."""
    if name == "none":
        return "none"
    if name in {"main", "dark", "light"}:
        dim = sum(int(main[i : i + 2], 16) for i in (1, 3, 5)) < 300  # a dark color's shade is lighter, to be seen
        return shade(main, {"main": 0.0, "dark": 0.14 if dim else -0.16, "light": 0.42}[name])
    return PALETTE[name]
