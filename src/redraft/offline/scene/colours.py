"""The colours of the offline model's scenes: paints as they are in daylight, and what each is called."""

from __future__ import annotations

from redraft.offline.lexicon import hex_of
from redraft.offline.lexicon.palette import shade

__all__ = ["COLOURS", "called", "colour_of", "shade"]

COLOURS: dict[str, str] = {
    "amber": "#dd8a1c",
    "beige": "#dccbaa",
    "black": "#1c1c20",
    "blue": "#2a5fb8",
    "brick": "#a5513a",
    "brown": "#6b4226",
    "cream": "#f0e2c6",
    "gold": "#d6a23a",
    "grass": "#6f9a45",
    "green": "#3b8a3e",
    "grey": "#8c9196",
    "leaf": "#3f7a36",
    "lime": "#97bf3d",
    "navy": "#1e3462",
    "olive": "#7a7a35",
    "orange": "#e77a1e",
    "pink": "#ec8fae",
    "purple": "#71459c",
    "red": "#c2261e",
    "sand": "#e2cc9b",
    "silver": "#c3c8cc",
    "skin": "#e3aa84",
    "sky": "#8fc3e6",
    "slate": "#545c66",
    "stone": "#a09a90",
    "tan": "#cfa878",
    "teal": "#2a8b86",
    "water": "#2c7aa6",
    "white": "#f2f0eb",
    "wood": "#a5703f",
    "yellow": "#f2bc26",
}
_SAME = {"gray": "grey", "golden": "gold", "wooden": "wood", "violet": "purple", "turquoise": "teal"}


def colour_of(words: str) -> str | None:
    """`#rrggbb` of a colour as people write it; None for what is no colour."""
    bare = words.strip().lower().replace("-", " ")
    return COLOURS.get(_SAME.get(bare, bare)) or _tinted(bare) or hex_of(bare)


def _tinted(words: str) -> str | None:
    """ "dark blue": a colour of this page, made darker or lighter."""
    amounts = {"dark": -0.45, "deep": -0.3, "light": 0.45, "pale": 0.6, "pastel": 0.5, "bright": 0.0}
    tint, _, rest = words.partition(" ")
    base = COLOURS.get(_SAME.get(rest, rest))
    return shade(base, amounts[tint]) if base is not None and tint in amounts else None


def called(value: str) -> str:
    """The name of the nearest colour, for a material."""
    wanted = _channels(value)
    return min(
        COLOURS,
        key=lambda name: (sum((a - b) ** 2 for a, b in zip(wanted, _channels(COLOURS[name]), strict=True)), name),
    )


def _channels(value: str) -> tuple[int, ...]:
    return tuple(int(value[i : i + 2], 16) for i in (1, 3, 5))
