"""Drafts of scripts, the scenes that they make, measured facts, and the studio's settings.

Lengths are metres, z is up, angles are degrees, colours `#rrggbb` in sRGB.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from redraft.result import Mismatch

MAX_LINES = 3_000
MAX_CHARACTERS = 200_000
"""Of one script."""
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
    """What a reply holds: one line that says what was tried, a Blender script, and what it says about it."""

    approach: str
    code: str
    """Whole, edits applied. Line 1 of it is line 1 of every traceback."""
    requirements: tuple[JsonValue, ...] = ()
    """Statements, raw: new ones, and changed ones by their id."""
    mismatches: tuple[Mismatch, ...] = ()
    """Of a repair: answers to requirements that do not hold."""
    changes: tuple[Change, ...] = ()


class Thing(_Noun):
    """One object of the scene that is not a light or a camera."""

    name: str
    kind: str
    """As Blender says it: `MESH`, `CURVE`, `FONT`, `EMPTY` …"""
    parent: str | None = None
    collection: str = ""
    """The collection it lies in; empty for the scene's own."""
    location: Vector
    """Of its origin, in the world."""
    box: Box | None = None
    """Around all of its own geometry, in the world, modifiers applied; None for what has none."""
    footprint: tuple[tuple[tuple[float, float], ...], ...] = ()
    """What it covers as seen from above: closed rings (the last point is not repeated) whose union it is, simplified to
    1 mm or a hundredth of its size. Empty for what has no area."""
    materials: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    """The base colour of each material."""
    faces: int = 0
    closed: bool = True
    """Its surface has an inside: no open edges."""
    hidden: bool = False
    """It is switched off for rendering."""
    endless: bool = False
    """Some of its coordinates were not numbers, or had no end."""
    pixels: float = 0.0
    """Share of the camera's picture that it is seen in, 0 to 1."""
    bare: float = 0.0
    """Share that it would be seen in if nothing stood before it, within the picture."""
    outside: float = 0.0
    """Share of its corners' box that lies beyond the edges of the camera's picture, or behind the camera, 0 to 1."""
    instances: int = 0
    """How many copies of other geometry it makes (particles, geometry nodes, collection instances)."""


class Contact(_Noun):
    """How two top-level things (each with all its parts) lie to each other, where they are near."""

    a: str
    b: str
    """`a` < `b`."""
    gap: float
    """Clear distance of their surfaces, 0 where they meet."""
    depth: float = 0.0
    """How deep one reaches into the other, 0 where they only touch."""
    share: float = 0.0
    """Of the smaller one's points, how many lie inside the other, 0 to 1."""


class Rest(_Noun):
    """What is under a top-level thing."""

    name: str
    on: str = ""
    """The first thing that it would meet if it fell; empty where it would fall forever."""
    drop: float | None = None
    """How far it would fall before that; 0 where it rests; None where it would fall forever."""
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
    """Where it looks, a unit vector."""
    right: Vector
    up: Vector
    angle: float
    """Of the view across the picture's width, degrees; 0 for parallel projection."""
    clip: tuple[float, float] = (0.1, 1000.0)


class Exposure(_Noun):
    """What the first picture through the camera is like."""

    mean: float
    """Mean brightness as shown, 0 to 1."""
    black: float
    """Share of pixels that are as good as black."""
    blown: float
    """Share of pixels that are as good as white."""
    spread: float
    """Difference of the 5th and the 95th percentile of brightness."""


class SceneFacts(_Noun):
    """What was measured of a scene, modifiers applied, at its current frame."""

    blender: str
    """`5.0.1`."""
    things: tuple[Thing, ...] = ()
    contacts: tuple[Contact, ...] = ()
    rests: tuple[Rest, ...] = ()
    """One for each top-level thing with geometry."""
    lights: tuple[Light, ...] = ()
    camera: Camera | None = None
    """The scene's camera; None without one: it was then looked at from three quarters."""
    sky: float = 0.0
    """How bright the world's background is: strength times its colour's brightness."""
    glow: tuple[str, ...] = ()
    """Things that shine by their own material."""
    engine: str = ""
    """What the script chose to render with; redraft's pictures are by Cycles and Workbench whatever it says."""
    left_out: int = 0
    """Objects beyond the number that is measured."""
    notes: tuple[str, ...] = ()
    """What was done otherwise than the script says, in words: `bpy.ops.render.render was left out: …`."""
    removed: tuple[str, ...] = ()
    """Parts that are not in `scene.blend`, which would run code, or read or write files, where it is opened."""


class Scene(_Noun):
    """A scene whose script ran, what was measured of it, and its pictures (names in the run's picture folder)."""

    code: str
    requirements: tuple[JsonValue, ...] = ()
    """All that was stated about it, raw."""
    changes: tuple[Change, ...] = ()
    """What the edits of this run said they change of the scene that it started on."""
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
        """The script, whole: what a model should see again."""
        return self.code
