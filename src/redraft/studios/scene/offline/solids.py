"""The things of the offline scene model: nouns with a shape of primitives, a real size and a color, from `things.yaml`.

Lengths are meters, z is up, the front faces -y, and a thing stands on z = 0 around the origin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from redraft.offline.lexicon import hex_of
from redraft.yamldata import read_yaml

Box = tuple[float, float, float, float, float, float]
"""x0, y0, z0, x1, y1, z1."""
GREY = "#8c9196"
"""The color of a word that names none."""


@dataclass(frozen=True)
class Solid:
    """One kind of thing."""

    name: str
    shape: str
    size: tuple[float, float, float]
    """Width, depth, height."""
    color: str = "grey"
    painted: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    """Colors of parts by their nouns, where the words name some."""
    ground: str = "studio"
    """The ground that it is expected on, where the words name none."""
    floats: bool = False

    @property
    def rest(self) -> float:
        """The height at which things lie on it or in it, as a share of its own."""
        return tables()["shapes"][self.shape].get("rest", 1.0)

    @property
    def under(self) -> bool:
        """True where things may stand beneath it."""
        return tables()["shapes"][self.shape].get("under", False)

    def has(self, noun: str) -> bool:
        """Return whether a part goes by this noun."""
        return any(part.rstrip(" 0123456789") == noun for part in tables()["shapes"][self.shape]["parts"])

    def repainted(self, color: str, noun: str = "") -> Solid:
        """Return the thing in another color, or with the parts that a noun means in it."""
        return replace(self, painted={**self.painted, noun: color}) if noun else replace(self, color=color)


@dataclass(frozen=True)
class Piece:
    """One primitive: the middle of its foot, its size, and its color as `#rrggbb`."""

    name: str
    primitive: str
    at: tuple[float, float, float]
    size: tuple[float, float, float]
    color: str


def pieces(solid: Solid) -> Iterator[Piece]:
    """Yield the primitives of a thing."""
    wide, deep, high = solid.size
    for name, row in tables()["shapes"][solid.shape]["parts"].items():
        fields: list[Any] = [*row, ""]
        primitive, x, y, z, *size, own = fields[:8]  # the last may be a color of its own
        color = solid.painted.get(name.rstrip(" 0123456789"), own or solid.color)
        at, extent = (x * wide, y * deep, z * high), (size[0] * wide, size[1] * deep, size[2] * high)
        yield Piece(name, primitive, at, extent, hex_of(color) or GREY)


@cache
def tables() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the tables of `things.yaml`: shapes, things, lights and grounds, each with the words that ask for it."""
    return read_yaml((files("redraft.studios.scene.offline") / "things.yaml").read_text("utf-8"))


@cache
def solids() -> dict[str, Solid]:
    """Return all things by name and by their other words."""
    by_word: dict[str, Solid] = {}
    for name, row in tables()["things"].items():
        wide, deep, high = (length / 100 for length in row["size"])
        rest = {key: row[key] for key in ("ground", "floats") if key in row}
        solid = Solid(name, row["is"], (wide, deep, high), row["color"], **rest)
        by_word = dict.fromkeys(row.get("words", ()), solid) | by_word | {name: solid}
    return by_word


def find_solid(noun: str) -> Solid | None:
    """Return the thing for a singular noun, or for the end of it: "coffee mug", "vase of flowers"."""
    words = noun.partition(" of ")[0].split()
    return next((solid for k in range(len(words)) if (solid := solids().get(" ".join(words[k:])))), None)


def placeholder(noun: str) -> Solid:
    """Return a teal block for a word that the tables lack."""
    return Solid(" ".join(noun.split())[:40] or "?", "box", (0.3, 0.15, 0.15), "teal")
