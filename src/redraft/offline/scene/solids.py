"""The solids of the offline model: part trees with real sizes, as data, found by noun.

The files are `solids/*.yaml`; all lengths in them are centimeters, z is up, the front faces -y, and a solid stands on
z = 0 around the origin.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from redraft.offline.lexicon import hex_of
from redraft.offline.scene import kit
from redraft.yamldata import read_yaml

__all__ = [
    "Box",
    "Piece",
    "Points",
    "Solid",
    "Top",
    "block",
    "bounds",
    "find",
    "pieces",
    "rotation",
    "settings",
    "solids",
]

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]
Box = tuple[float, float, float, float, float, float]
"""x0, y0, z0, x1, y1, z1."""
Points = NDArray[np.float64]
"""N × 3, meters."""
Look = Literal["paint", "gloss", "matt", "metal", "glass", "glow"]
SHAPES = ("box", "cylinder", "cone", "ball", "lathe", "turned", "tube", "prism", "text")
SETTINGS = "settings.yaml"
MARK = "#8c9196"
"""The color of what has none."""
SIGNS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Part(_Strict):
    """One part: exactly one shape, its place, its color, and how often it is there."""

    name: str = Field(pattern=r"^[a-z][a-z0-9 ]*$")
    also: tuple[str, ...] = ()
    """Other nouns for it."""
    box: Point3 | None = None
    """Width, depth, height; it stands on its place."""
    cylinder: Point2 | None = None
    """Radius and height; it stands on its place."""
    cone: Point3 | None = None
    """Lower radius, upper radius, height; it stands on its place."""
    ball: Point3 | None = None
    """Three radii about its place."""
    lathe: tuple[Point2, ...] | None = None
    """A profile (radius, height) turned around z, with its corners."""
    turned: tuple[Point2, ...] | None = None
    """The same, through a smooth curve."""
    tube: tuple[Point3, ...] | None = None
    """A round bar of radius `thick` along a path."""
    prism: tuple[Point2, ...] | None = None
    """An outline (x, z) seen from the front, `depth` thick, its place in the middle of that."""
    text: str | None = None
    """Letters `thick` high, standing, read from the front."""
    thick: float = Field(default=1.0, gt=0)
    depth: float = Field(default=1.0, gt=0)
    round: bool = False
    """Of a tube or a prism: a smooth curve through its points."""
    bevel: float | None = Field(default=None, ge=0)
    """Of a box's or a prism's edges; without it a share of the smallest side."""
    at: Point3 = (0.0, 0.0, 0.0)
    turn: Point3 = (0.0, 0.0, 0.0)
    """Degrees about x, then y, then z."""
    color: str = "main"
    """`main`, `dark` and `light` of the solid's own, a color word, or `#rrggbb`."""
    look: Look | None = None
    """Without it the solid's own."""
    mirror: bool = False
    """It has a twin at -x."""
    corners: Point2 | None = None
    """Four of it, at ±x, ±y."""
    ring: int = Field(default=0, ge=0, le=60)
    """So many of it around z, the first where it is placed."""
    row: tuple[int, float, float, float] | None = None
    """So many of it, each a step (x, y, z) from the one before; its place is the middle one's."""

    @model_validator(mode="after")
    def _has_one_shape(self) -> Part:
        shapes = [s for s in SHAPES if getattr(self, s) is not None]
        repeats = [r for r in ("mirror", "corners", "ring", "row") if getattr(self, r)]
        if len(shapes) != 1 or len(repeats) > 1 or (self.ring and self.at[1]):
            raise ValueError(
                f"{self.name}: one shape, and one of mirror, corners, ring (at y = 0), row; {shapes} {repeats}"
            )
        return self

    def spots(self) -> list[tuple[Point3, Point3, bool]]:
        """Place, turn, and whether it is a mirror image, of each copy; in centimeters."""
        (x, y, z), (a, b, c) = self.at, self.turn
        if self.mirror:
            return [(self.at, self.turn, False), ((-x, y, z), (a, -b, -c), True)]
        if self.corners is not None:
            w, d = self.corners
            return [((x + i * w, y + j * d, z), self.turn, False) for i, j in SIGNS]
        if self.ring:
            turns = [360 / self.ring * k for k in range(self.ring)]
            return [
                ((x * math.cos(t), x * math.sin(t), z), (a, b, c + d), False) for d in turns for t in [math.radians(d)]
            ]
        if self.row is not None:
            count, dx, dy, dz = self.row
            steps = [k - (count - 1) / 2 for k in range(count)]
            return [((x + k * dx, y + k * dy, z + k * dz), self.turn, False) for k in steps]
        return [(self.at, self.turn, False)]


class Top(_Strict):
    """A flat place at height `z` where things rest on a solid or in it, round or rectangular."""

    z: float
    size: Point2 | None = None
    radius: float | None = None
    at: Point2 = (0.0, 0.0)


class Solid(_Strict):
    """One kind of thing."""

    name: str
    synonyms: tuple[str, ...] = ()
    color: str = "grey"
    look: Look = "paint"
    ground: str = "studio"
    """The ground that it is expected on, where the words name none."""
    floats: bool = False
    turn: float = 0.0
    """Degrees about z by which it is turned, so that a look from the front shows it well."""
    top: Top | None = None
    under: Point3 | None = None
    """Width, depth and height of the room beneath it."""
    parts: tuple[Part, ...] = ()

    @model_validator(mode="after")
    def _has_parts(self) -> Solid:
        names = [p.name for p in self.parts]
        if len(set(names)) < len(names) or not names:
            raise ValueError(f"{self.name}: part names are unique and there is one at least, found {names}")
        return self

    def __hash__(self) -> int:
        return hash((self.name, self.color, self.parts))

    @property
    def points(self) -> Points:
        """The points of its meshes, in its own place."""
        return _points(self)

    def repainted(self, color: str, noun: str = "") -> Solid:
        """Return the same in another color, or with the part that a noun means in it."""
        if not noun:
            return self.model_copy(update={"color": color})
        parts = [p.model_copy(update={"color": color}) if noun in (p.name, *p.also) else p for p in self.parts]
        return self.model_copy(update={"parts": tuple(parts)})

    def has(self, noun: str) -> bool:
        """Whether a part goes by this noun."""
        return any(noun in (p.name, *p.also) for p in self.parts)


@dataclass(frozen=True)
class Piece:
    """One copy of one part, in meters, as a script makes it."""

    name: str
    shape: str
    arguments: tuple[object, ...]
    curved: bool
    at: Point3
    turn: Point3
    color: str
    look: str
    bevel: float


def pieces(solid: Solid) -> Iterator[Piece]:
    """All copies of all parts, with their colors as `#rrggbb`."""
    base = hex_of(solid.color) or MARK
    shades = {"main": base, "dark": _mixed(base, 0.0, 0.3), "light": _mixed(base, 1.0, 0.4)}
    for part in solid.parts:
        spots = part.spots()
        for k, (at, turn, flipped) in enumerate(spots, start=1):
            name = f"{part.name} {k}" if len(spots) > 1 else part.name
            shape, arguments = _shape(part, flipped=flipped)
            color = shades.get(part.color) or hex_of(part.color) or base
            look, bevel = part.look or solid.look, _bevel(part)
            curved = part.turned is not None or part.round
            yield Piece(name, shape, arguments, curved, _meters(at), turn, color, look, bevel)


def _meters(lengths: tuple[float, ...]) -> Any:
    return tuple(round(v / 100, 5) for v in lengths)


def _mixed(color: str, other: float, share: float) -> str:
    channels = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(c + (255 * other - c) * share):02x}" for c in channels)


def _shape(part: Part, *, flipped: bool) -> tuple[str, tuple[object, ...]]:
    """The function of `kit` that makes a part, and its arguments."""
    if part.cylinder is not None:
        radius, height = _meters(part.cylinder)
        return "cone", (radius, radius, height)
    for name in ("box", "cone", "ball"):
        if (lengths := getattr(part, name)) is not None:
            return name, _meters(lengths)
    if part.text is not None:
        return "text", (part.text, part.thick / 100)
    points = part.turned or part.lathe or part.prism or part.tube or ()
    placed = tuple(_meters((-p[0], *p[1:]) if flipped else p) for p in points)
    if part.tube is not None:
        return "tube", (placed, part.thick / 100)
    return ("prism", (placed, part.depth / 100)) if part.prism is not None else ("lathe", (placed,))


def _bevel(part: Part) -> float:
    if part.bevel is not None:
        return part.bevel / 100
    if part.box is not None:
        return min(0.08 * min(part.box), 3.0) / 100
    return 0.0 if part.round or part.prism is None else min(0.06 * part.depth, 1.5) / 100


@cache
def _points(solid: Solid) -> Points:
    clouds: list[Points] = []
    for piece in pieces(solid):
        if piece.shape == "text":
            words, height = cast("tuple[str, float]", piece.arguments)
            mesh, _ = kit.box(0.62 * height * len(words), 0.1 * height, 0.8 * height)
        else:
            first, *rest = piece.arguments
            closed = {"closed": True} if piece.shape == "prism" else {}
            first = kit.smooth(cast("Any", first), **closed) if piece.curved else first
            mesh, _ = getattr(kit, piece.shape)(first, *rest)
        clouds.append(np.array(mesh, float) @ rotation(piece.turn).T + np.array(piece.at))
    return np.concatenate(clouds)


def rotation(turn: Point3) -> Points:
    """The matrix of Blender's XYZ Euler angles, in degrees."""
    x, y, z = (math.radians(a) for a in turn)
    rx = np.array([[1, 0, 0], [0, math.cos(x), -math.sin(x)], [0, math.sin(x), math.cos(x)]])
    ry = np.array([[math.cos(y), 0, math.sin(y)], [0, 1, 0], [-math.sin(y), 0, math.cos(y)]])
    rz = np.array([[math.cos(z), -math.sin(z), 0], [math.sin(z), math.cos(z), 0], [0, 0, 1]])
    return rz @ ry @ rx


def bounds(points: Points) -> Box:
    """The box around points."""
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1]), float(low[2]), float(high[0]), float(high[1]), float(high[2]))


def load(text: str) -> list[Solid]:
    """The solids of one YAML file."""
    found: list[Solid] = []
    for name, data in read_yaml(text).items():
        parts = [{"name": key, **cast("dict[str, Any]", part)} for key, part in data.pop("parts").items()]
        found.append(Solid.model_validate({"name": name, **data, "parts": parts}))
    return found


@cache
def solids() -> dict[str, Solid]:
    """All of them by name."""
    folder = files("redraft.offline.scene") / "solids"
    pages = sorted((page for page in folder.iterdir() if page.name != SETTINGS), key=lambda page: page.name)
    return {solid.name: solid for page in pages for solid in load(page.read_text("utf-8"))}


@cache
def settings() -> dict[str, dict[str, dict[str, Any]]]:
    """Lights and grounds, each with the words that ask for it."""
    return read_yaml((files("redraft.offline.scene") / "solids" / SETTINGS).read_text("utf-8"))


@cache
def _nouns() -> dict[str, Solid]:
    synonyms = {word: solid for solid in solids().values() for word in solid.synonyms}
    return synonyms | solids()


def find(noun: str) -> Solid | None:
    """The solid for a singular noun, or for the end of it: "coffee mug", "vase of flowers"."""
    words = noun.partition(" of ")[0].split()
    return next((solid for k in range(len(words)) if (solid := _nouns().get(" ".join(words[k:])))), None)


@cache
def block(noun: str) -> Solid:
    """A rounded block with an unknown word on it."""
    word = " ".join(noun.split())[:40] or "?"
    width = max(20.0, 3.1 * len(word) + 6)
    label = Part(name="label", text=word, thick=4.5, at=(0.0, -6.5, 5.8), color="white", look="paint")
    body = Part(name="block", box=(width, 13.0, 15.0), bevel=2.5)
    return Solid(name=word, color="teal", parts=(body, label), top=Top(z=15.0, size=(width - 6, 8.0)))
