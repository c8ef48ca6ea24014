"""Color names: the colors that may be called "red".

Each name has bands of hue in degrees, lightness and saturation (HLS). They are wide on purpose: neighboring names share
colors, and only colors that clearly do not fit a name are refused.
"""

from __future__ import annotations

import math
import re
from colorsys import rgb_to_hls
from dataclasses import dataclass

from redraft.layout.items import Layout


@dataclass(frozen=True)
class _Band:
    """Hues from `low` to `high` degrees (through 0 when low > high), lightness and saturation in 0 to 1."""

    low: float = 0.0
    high: float = 360.0
    light: tuple[float, float] = (0.08, 0.97)
    strong: tuple[float, float] = (0.12, 1.0)

    def holds(self, hue: float, light: float, strong: float) -> bool:
        turned = self.low <= hue <= self.high if self.low <= self.high else hue >= self.low or hue <= self.high
        return turned and self.light[0] <= light <= self.light[1] and self.strong[0] <= strong <= self.strong[1]


_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_ANY = (0.0, 1.0)
_BANDS: dict[str, tuple[_Band, ...]] = {
    "red": (_Band(330, 25, (0.12, 0.85), (0.25, 1.0)),),
    "orange": (_Band(8, 50, (0.25, 0.9), (0.3, 1.0)),),
    "yellow": (_Band(35, 75, (0.25, 0.97), (0.2, 1.0)),),
    "green": (_Band(60, 185),),
    "blue": (_Band(170, 265),),
    "purple": (_Band(240, 335),),
    "pink": (_Band(285, 30, (0.4, 0.98), (0.15, 1.0)),),
    "brown": (_Band(350, 55, (0.08, 0.75), (0.1, 0.95)),),
    "black": (_Band(light=(0.0, 0.34), strong=_ANY),),
    "white": (_Band(light=(0.84, 1.0), strong=_ANY),),
    "grey": (_Band(light=(0.1, 0.93), strong=(0.0, 0.35)),),
    "gold": (_Band(25, 65, (0.2, 0.92), (0.2, 1.0)),),
    "teal": (_Band(140, 210),),
    "beige": (_Band(10, 75, (0.6, 0.99), _ANY),),
}
_ALIASES = {
    "gray": "grey", "silver": "grey", "violet": "purple", "lilac": "purple", "lavender": "purple", "magenta": "pink",
    "golden": "gold", "crimson": "red", "scarlet": "red", "maroon": "red", "navy": "blue", "azure": "blue",
    "turquoise": "teal", "aqua": "teal", "cyan": "teal", "cream": "beige", "ivory": "white", "tan": "beige",
    "lime": "green", "olive": "green", "emerald": "green", "indigo": "purple", "wooden": "brown", "chocolate": "brown",
    "rose": "pink", "salmon": "pink", "fuchsia": "pink", "coral": "orange", "peach": "orange", "amber": "orange",
    "apricot": "orange", "copper": "orange", "bronze": "brown", "rust": "brown", "terracotta": "brown", "ochre": "gold",
    "mustard": "gold", "lemon": "yellow", "mint": "green", "sage": "green", "plum": "purple", "mauve": "purple",
    "burgundy": "red", "ruby": "red", "charcoal": "black", "ebony": "black", "sand": "beige", "khaki": "beige",
    "cobalt": "blue", "sapphire": "blue",
}  # fmt: skip


TERMS = (*_BANDS, *_ALIASES)
"""All color terms, in English: a technical list. A word before one, as in "dark blue", is not checked."""
NEAR = 20.0
"""Colors that differ by less in CIELAB may pass for each other."""


def known(color: str) -> bool:
    """Return whether a color can be checked: `#rrggbb`, or a name whose last known word is one of `TERMS`."""
    return _HEX.fullmatch(color) is not None or _band(color) is not None


def matches(hex_color: str, color: str) -> bool:
    """Return whether `#rrggbb` may be called by a name, or is near another `#rrggbb`."""
    if _HEX.fullmatch(hex_color) is None:
        return False
    return math.dist(_lab(hex_color), _lab(color)) <= NEAR if color[:1] == "#" else is_called(hex_color, color)


def _lab(hex_color: str) -> tuple[float, float, float]:
    """Return the CIELAB values of an sRGB color, in D65 light."""
    shares = [int(hex_color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _band(color: str) -> tuple[_Band, ...] | None:
    words = color.lower().replace("-", " ").split()
    return next((_BANDS[_ALIASES.get(w, w)] for w in reversed(words) if _ALIASES.get(w, w) in _BANDS), None)


def is_called(hex_color: str, color: str) -> bool:
    """Return whether `#rrggbb` may be called by a name; modifiers such as "dark" are not held against it."""
    bands = _band(color)
    red, green, blue = (int(hex_color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, strong = rgb_to_hls(red, green, blue)
    return bands is not None and any(band.holds(hue * 360, light, strong) for band in bands)


def colours_of(layout: Layout, name: str) -> tuple[str, ...]:
    """Return the fills of an item, or else its pen's colors; those of its parts if it paints nothing itself."""
    style = layout[name].style
    own = style.fills or style.strokes
    if own:
        return own
    return tuple(c for part in layout.family(name)[1:] for c in (part.style.fills or part.style.strokes))


def paints(layout: Layout, name: str, color: str) -> bool:
    """Return whether an item shows a color that may be called by this name."""
    return any(is_called(c, color) for c in colours_of(layout, name))
