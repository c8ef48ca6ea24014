"""What things look like in three dimensions: part trees with real sizes, as data, found by noun.

The files are `solids/*.yaml`; all lengths in them are centimetres, z is up, the front faces −y, and a thing stands on
z = 0 around the origin. Parts are in the order of the file. Nothing here knows sentences or scenes.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from redraft.english.words import headings, normal, singulars
from redraft.errors import ConfigError
from redraft.spatial.yamldata import read_yaml

__all__ = ["SHAPES", "Inside", "Part", "Solid", "Top", "find", "load", "solids"]

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]
Look = Literal[
    "paint", "gloss", "matt", "metal", "glass", "glow", "wood", "stone", "cloth", "leaf", "grass", "sand", "snow",
    "water", "brick", "fur"
]  # fmt: skip
Rests = Literal["ground", "floats", "wall"]
Place = Literal["table", "indoor", "outdoor", "street", "water", "space"]
SHAPES = ("box", "cylinder", "cone", "ball", "lathe", "turned", "tube", "prism", "text")
_NOT_SOLIDS = {"helpers.yaml", "settings.yaml"}


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Part(_Strict):
    """One part: exactly one shape, where it is, what it is made of, and how often it is there."""

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
    """The path of a tube, the outline of a prism: a smooth curve through its points."""
    bevel: float | None = Field(default=None, ge=0)
    """Of a box's or a prism's edges; without it a share of the smallest side."""
    at: Point3 = (0.0, 0.0, 0.0)
    turn: Point3 = (0.0, 0.0, 0.0)
    """Degrees about x, then y, then z."""
    colour: str = "main"
    """`main`, `dark`, `light`, a colour word, or `#rrggbb`."""
    look: Look | None = None
    """Without it the solid's own."""
    mirror: bool = False
    """It has a twin at −x."""
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
        if len(shapes) != 1 or len(repeats) > 1:
            raise ValueError(
                f"{self.name}: one shape and at most one of mirror, corners, ring, row; {shapes} {repeats}"
            )
        if self.ring and self.at[1]:
            raise ValueError(f"{self.name}: the first of a ring is placed at y = 0, not {self.at[1]:g}")
        return self

    @property
    def shape(self) -> str:
        return next(s for s in SHAPES if getattr(self, s) is not None)

    @property
    def nouns(self) -> tuple[str, ...]:
        return (self.name, *self.also)


class Top(_Strict):
    """Where things put on it rest: a flat piece at height `z`, round or rectangular."""

    z: float
    size: Point2 | None = None
    radius: float | None = None
    at: Point2 = (0.0, 0.0)
    clear: float | None = None
    """Height of the room above it, where there is something over it."""


class Inside(_Strict):
    """Where things in it rest: a round hollow by its profile (radius, height), or a box (width, depth) on a floor."""

    profile: tuple[Point2, ...] = ()
    size: Point2 | None = None
    floor: float = 0.0
    at: Point2 = (0.0, 0.0)


class Solid(_Strict):
    """One thing."""

    name: str
    synonyms: tuple[str, ...] = ()
    company: tuple[str, ...] = ()
    """Nouns beside which a synonym shared with another solid means this one: the mouse beside a cat."""
    colour: str = "grey"
    """The main colour, when none is asked for."""
    look: Look = "paint"
    place: Place = "table"
    """Where one expects it: what the scene around it is like, when the words do not say."""
    rests: Rests = "ground"
    lift: float = 0.0
    """How high its lowest point is, when it floats or hangs on a wall."""
    turn: float = 0.0
    """How far it is turned, so that a look from the front shows it well."""
    top: Top | None = None
    board: Top | None = None
    """The board of a shelf: what fits goes there, the rest on top."""
    shelved: str = ""
    """The solid that it is when it stands on a board: books stand upright there."""
    floored: str = ""
    """The solid that it is when it stands on the floor beside other things: a lamp is a floor lamp there."""
    inside: Inside | None = None
    under: tuple[float, float, float] | None = None
    """Width, depth and height of the room beneath it."""
    stage: str = ""
    """The kind of ground that there is when something stands on it: the moon's."""
    share: float = 0.0
    """Of the sky: its size as a share of the scene; without it its own size counts."""
    flies: bool = False
    """It stays in the air by itself when the words put it there."""
    afloat: bool = False
    """It is at home in water."""
    parts: tuple[Part, ...] = ()

    @model_validator(mode="after")
    def _has_parts(self) -> Solid:
        names = [p.name for p in self.parts]
        if len(set(names)) < len(names) or not names:
            raise ValueError(f"{self.name}: part names are unique and there is one at least, found {names}")
        return self

    def part(self, noun: str) -> Part | None:
        """The part that a noun means."""
        wanted = set(singulars(normal(noun)))
        return next((p for p in self.parts if wanted & {n for m in p.nouns for n in singulars(m)}), None)


def load(text: str, origin: str) -> list[Solid]:
    """The solids of one YAML file. Raises ConfigError with the key path and the value."""
    found: list[Solid] = []
    for name, data in read_yaml(text).items():
        parts = [{"name": key, **cast("dict[str, Any]", part)} for key, part in data.pop("parts", {}).items()]
        try:
            found.append(Solid.model_validate({"name": name, **data, "parts": parts}))
        except ValidationError as error:
            first = error.errors()[0]
            path = ".".join(str(step) for step in (name, *first["loc"]))
            raise ConfigError(f"{origin}: {path}: {first['msg']} (found {str(first['input'])[:200]!r})") from error
    return found


@cache
def solids() -> dict[str, Solid]:
    """All of them by name."""
    found: dict[str, Solid] = {}
    for file in sorted((files("redraft.offline.scene") / "solids").iterdir(), key=lambda f: f.name):
        if file.name.endswith(".yaml") and file.name not in _NOT_SOLIDS:
            for solid in load(file.read_text("utf-8"), file.name):
                if solid.name in found:
                    raise ConfigError(f"{file.name}: {solid.name} is in another file too")
                found[solid.name] = solid
    return found


@cache
def _nouns() -> dict[str, Solid]:
    found = {normal(name): solid for name, solid in solids().items()}
    for solid in sorted(solids().values(), key=lambda s: bool(s.company)):
        for word in solid.synonyms:
            found.setdefault(normal(word), solid)
    return found


def find(noun: str, adjectives: tuple[str, ...] = (), among: Collection[str] = ()) -> Solid | None:
    """The solid for a noun, singular or plural; with its adjectives first ("round table"); by its head at last.

    `among` are the other nouns of the sentence: they choose between two meanings.
    """
    for solid in solids().values():
        if set(solid.company) & set(among) and set(singulars(normal(noun))) & set(solid.synonyms):
            return solid
    described = [f"{a} {noun}" for a in adjectives]
    known = _nouns()
    for heading in (*described, *headings(normal(noun))):
        for one in singulars(heading):
            if one in known:
                return known[one]
    return None
