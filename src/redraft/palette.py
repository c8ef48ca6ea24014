"""The colours of the lexicon: one small palette, one outline, and the words people use for colours.

A part has one main colour; its strokes say `main`, `dark`, `light`, or name a colour of the palette. So an asked-for
colour carries its shades along.
"""

from __future__ import annotations

import re

__all__ = ["OUTLINE", "PALETTE", "PEN", "hex_of", "resolve", "shade"]

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

_WORDS: dict[str, str] = {
    "amber": "gold", "aqua": "teal", "beige": "cream", "golden": "gold", "gray": "grey", "turquoise": "teal",
    "violet": "purple", "wooden": "wood",
}  # fmt: skip
_MORE: dict[str, str] = {
    "bloodred": "#a82f35", "forestgreen": "#3c7f4f", "fuchsia": "#d6589b", "goldenrod": "#dba63a",
    "hotpink": "#ee6aa7", "orchid": "#c97fce", "royalblue": "#4169c9", "rust": "#b5553a", "sepia": "#8a6a4f",
    "sienna": "#a65e3a", "skyblue": "#8ecdf0", "terracotta": "#c96f52", "tomato": "#f0654a",
    "ultramarine": "#3f4ea8", "umber": "#7a5c46", "verdigris": "#5fa898", "vermilion": "#e3513a",
    "wheat": "#ecd5a0", "azure": "#5aa9e6", "bronze": "#b5803f", "cobalt": "#3f62b5", "burgundy": "#8d2f45",
    "chocolate": "#7a4a2e", "coral": "#f58268", "crimson": "#c9364a", "cyan": "#56c7d9", "emerald": "#3aa873",
    "indigo": "#5a57a6", "ivory": "#fffbec", "khaki": "#c7b98b", "lavender": "#c3b1e6", "lilac": "#c8a8dc",
    "maroon": "#8f3b3f", "mint": "#a6dfc0", "mustard": "#d9a92f", "ochre": "#cf9a43", "peach": "#f9c3a0",
    "plum": "#8d4f8d", "rose": "#ec7f9b", "salmon": "#f59a84", "scarlet": "#e2402f",
}  # fmt: skip
_TINTS: dict[str, float] = {
    "bright": 0.0, "dark": -0.35, "deep": -0.25, "faded": 0.35, "light": 0.4, "medium": 0.0, "neon": 0.0,
    "pale": 0.5, "pastel": 0.4, "soft": 0.3, "very": 0.0, "vivid": 0.0,
}  # fmt: skip
_HEX = re.compile(r"#[0-9a-f]{6}")


def shade(colour: str, amount: float) -> str:
    """`#rrggbb` mixed with white (amount 0..1) or with near black (−1..0)."""
    target = (255, 255, 255) if amount > 0 else (30, 28, 40)
    channels = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    mixed = (round(c + (t - c) * abs(amount)) for c, t in zip(channels, target, strict=True))
    return "#" + "".join(f"{c:02x}" for c in mixed)


def hex_of(name: str) -> str | None:
    """`#rrggbb` of a colour as people write it ("dark blue", "navy blue", "#ff0000"); None for no known colour."""
    words = name.strip().lower().replace("-", " ").split()
    if len(words) == 1 and _HEX.fullmatch(words[0]):
        return words[0]
    tints: list[float] = []
    while len(words) > 1 and words[0] in _TINTS:
        tints.append(_TINTS[words.pop(0)])
    colour = _named(words)
    if colour is not None:
        for tint in tints:
            colour = shade(colour, tint)
    return colour


def _named(words: list[str]) -> str | None:
    """One colour word, or two: "royal blue" is a name, "navy blue" is a navy."""
    found = [PALETTE.get(_WORDS.get(word, word)) or _MORE.get(word) for word in ("".join(words), *words)]
    if "outline" in words or len(words) > 2 or (found[0] is None and None in found[1:]):
        return None
    return next((colour for colour in found if colour is not None), None)


def resolve(name: str, main: str) -> str:
    """What a stroke's colour token stands for in a part whose main colour is `main` (`#rrggbb`)."""
    if name == "none":
        return "none"
    if name in {"main", "dark", "light"}:
        dim = sum(int(main[i : i + 2], 16) for i in (1, 3, 5)) < 300  # a dark colour's shade is lighter, to be seen
        return shade(main, {"main": 0.0, "dark": 0.14 if dim else -0.16, "light": 0.42}[name])
    return PALETTE[name]
