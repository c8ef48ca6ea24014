"""Drafts of scripts, the scenes that they make, and measured facts.

Lengths are meters, z is up, angles are degrees, colors `#rrggbb` in sRGB.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from redraft.result import Mismatch

MAX_LINES = 3_000
MAX_CHARACTERS = 200_000
"""Characters of one script."""
VIEWS = ("front", "side", "top", "three_quarter")
"""The fast views: from −y, from +x, from above, and from between the first two, high up."""

Vector = tuple[float, float, float]
Box = tuple[float, float, float, float, float, float]
"""x0, y0, z0, x1, y1, z1."""


class _Noun(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Change(_Noun):
    """An existing object that an edit changes, removes or replaces."""

    part: str
    """Its name, or a pattern with `*`."""
    reason: str = ""
    quote: str = ""
    """The words of the instruction that ask for it; needed unless it is only moved."""


class Draft(_Noun):
    """The content of a reply: one line that says what was tried, a Blender script, requirements and changes."""

    approach: str
    code: str
    """Whole, edits applied. Line 1 of it is line 1 of every traceback."""
    requirements: tuple[JsonValue, ...] = ()
    """Statements, raw: new ones, and changed ones by their id."""
    mismatches: tuple[Mismatch, ...] = ()
    """Answers of a repair to requirements that do not hold."""
    changes: tuple[Change, ...] = ()


class Thing(_Noun):
    """One object of the scene that is not a light or a camera."""

    name: str
    kind: str
    """Blender's own word: `MESH`, `CURVE`, `FONT`, `EMPTY` …"""
    parent: str | None = None
    collection: str = ""
    """The collection it lies in; empty for the scene's own."""
    location: Vector
    """Place of its origin in the world."""
    box: Box | None = None
    """Box around its own geometry in the world, modifiers applied; None for a thing without any."""
    footprint: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Its plan as seen from above: closed rings (the last point is not repeated) whose union it is, simplified to 1 mm
    or a hundredth of its size. Empty for a thing without area."""
    materials: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    """The base color of each material."""
    faces: int = 0
    closed: bool = True
    """True for a surface without open edges, which has an inside."""
    hidden: bool = False
    """True where it is switched off for rendering."""
    endless: bool = False
    """True where some of its coordinates are not numbers, or infinite."""
    pixels: float = 0.0
    """Share of the camera's picture that shows it, 0 to 1."""
    bare: float = 0.0
    """Share of the picture that would show it if nothing stood before it."""
    outside: float = 0.0
    """Share of its corners' box that lies beyond the edges of the camera's picture, or behind the camera, 0 to 1."""
    instances: int = 0
    """Number of copies of other geometry that it makes (particles, geometry nodes, collection instances)."""


class Contact(_Noun):
    """The contact of two top-level things, each with all its parts, that are near each other."""

    a: str
    b: str
    """`a` < `b`."""
    gap: float
    """Clear distance of their surfaces, 0 where they meet."""
    depth: float = 0.0
    """Depth by which one reaches into the other, 0 where they only touch."""
    share: float = 0.0
    """Share of the smaller one's points that lie inside the other, 0 to 1."""


class Rest(_Noun):
    """The support of a top-level thing."""

    name: str
    on: str = ""
    """The first thing that it would meet in a fall; empty where it would fall forever."""
    drop: float | None = None
    """Distance that it would fall; 0 where it rests; None where it would fall forever."""
    held: tuple[str, ...] = ()
    """Other things that it touches: a lamp on a wall is held there."""


class Light(_Noun):
    name: str
    kind: Literal["POINT", "SUN", "SPOT", "AREA"]
    location: Vector
    energy: float
    colour: str
    hidden: bool = False


class Camera(_Noun):
    name: str
    location: Vector
    forward: Vector
    """The direction in which it looks, a unit vector."""
    right: Vector
    up: Vector
    angle: float
    """Angle of view across the picture's width in degrees; 0 for parallel projection."""
    clip: tuple[float, float] = (0.1, 1000.0)


class Exposure(_Noun):
    """The exposure of the first picture through the camera."""

    mean: float
    """Mean brightness as shown, 0 to 1."""
    black: float
    """Share of pixels that are as good as black."""
    blown: float
    """Share of pixels that are as good as white."""
    spread: float
    """Difference of the 5th and the 95th percentile of brightness."""


class SceneFacts(_Noun):
    """The measurements of a scene, modifiers applied, at its current frame."""

    blender: str
    """`5.0.1`."""
    things: tuple[Thing, ...] = ()
    contacts: tuple[Contact, ...] = ()
    rests: tuple[Rest, ...] = ()
    """One for each top-level thing with geometry."""
    lights: tuple[Light, ...] = ()
    camera: Camera | None = None
    """The scene's camera; without one the picture is taken from three quarters."""
    sky: float = 0.0
    """Brightness of the world's background: strength times its color's brightness."""
    glow: tuple[str, ...] = ()
    """Things that shine by their own material."""
    engine: str = ""
    """Engine that the script chose; redraft's pictures are by Cycles and Workbench all the same."""
    left_out: int = 0
    """Objects beyond the number that is measured."""
    notes: tuple[str, ...] = ()
    """Deviations from the script, in words: `bpy.ops.render.render was left out: …`."""
    removed: tuple[str, ...] = ()
    """Parts that are not in `scene.blend`, which would run code, or read or write files, where it is opened."""


class Scene(_Noun):
    """A scene whose script ran, what was measured of it, and its pictures (names in the run's picture folder)."""

    code: str
    requirements: tuple[JsonValue, ...] = ()
    """All statements about it, raw."""
    changes: tuple[Change, ...] = ()
    """Changes that the edits of this run list, of the scene that it started on."""
    facts: SceneFacts
    exposure: Exposure
    preview: str
    """From the camera, by Cycles, small."""
    views: dict[str, str]
    """The four fast views by name."""
    blend: str
    """The `.blend`, named by its script."""
    printed: str = ""
    """The end of what the script printed."""
    render: str = ""
    """From the camera, by Cycles, in full; empty until it is finished for delivery."""
    glb: str = ""

    @property
    def source(self) -> str:
        """The whole script, as a model should see it again."""
        return self.code
