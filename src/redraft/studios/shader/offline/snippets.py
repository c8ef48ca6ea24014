"""Layers of the offline model's shaders: one small GLSL file each, with the facts that a composer needs.

A file begins with a comment that says what it paints. Lines with `//:` are for the composer: the words that call for
the layer, its slot in the stack, what else it needs, and its constants, each with a default and the part it plays.
A layer is a function `vec3 name(vec2 p, vec3 below)`, a warp `vec2 name(vec2 p)`; files `lib_*` are helpers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, cast, get_args

Slot = Literal["lib", "lens", "warp", "sky", "backdrop", "pattern", "heaven", "clouds", "land", "thing", "water", "air"]
SLOTS: tuple[Slot, ...] = get_args(Slot)
"""All slots, beginning with what lies lowest where it is a layer."""


@dataclass(frozen=True)
class Color:
    """A color constant: its natural color (`-` for none: it takes the palette), and its role in a palette."""

    name: str
    natural: str
    role: str


@dataclass(frozen=True)
class Number:
    """A constant; `part` names the words that change it: speed, size, density, shade, count, or none."""

    name: str
    value: float
    part: str = ""


@dataclass(frozen=True)
class Pair:
    """A constant of two numbers: a place on the picture, or a drift in units a second."""

    name: str
    part: Literal["place", "drift"]
    x: float
    y: float


@dataclass(frozen=True)
class Snippet:
    """One file, taken apart."""

    name: str
    comment: str
    words: tuple[str, ...]
    slot: Slot
    order: int
    mood: str
    brings: tuple[str, ...]
    needs: tuple[str, ...]
    colors: tuple[Color, ...]
    numbers: tuple[Number, ...]
    pairs: tuple[Pair, ...]
    body: str

    @property
    def ramped(self) -> bool:
        """True for a layer that is painted with the whole palette."""
        return "lib_ramp" in self.needs


@cache
def snippets() -> dict[str, Snippet]:
    """Return every file by its name, in alphabetical order."""
    folder = resources.files("redraft.studios.shader.offline") / "snippets"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".glsl")), key=lambda f: f.name)
    return {name: load(name, f.read_text(encoding="utf-8")) for f in files for name in [f.name[:-5]]}


def load(name: str, text: str) -> Snippet:
    """Take one file's text apart.

    Raises:
        ValueError: a `//:` line that is not understood; these files ship with redraft, a test reads them all.
    """
    lines = text.splitlines()
    meta = [line[3:].split() for line in lines if line.startswith("//:")]
    body = "\n".join(line for line in lines[1:] if not line.startswith("//:")).strip()
    unknown = [m[0] for m in meta if m[0] not in _KEYS]
    if unknown or not lines[0].startswith("// "):
        raise ValueError(f"{name}.glsl: {unknown or lines[0]!r} is not understood; its keys are {sorted(_KEYS)}")
    slot = _fields(meta, "slot") or ["lib"]
    return Snippet(
        name=name,
        comment=lines[0][3:],
        words=tuple(w.strip() for w in " ".join(_fields(meta, "words")).split(",") if w.strip()),
        slot=cast("Slot", slot[0]),
        order=int(slot[1]) if len(slot) > 1 else 0,
        mood=" ".join(_fields(meta, "mood")),
        brings=tuple(_fields(meta, "brings")),
        needs=tuple(_fields(meta, "needs")),
        colors=tuple(Color(m[1], m[2], m[3]) for m in meta if m[0] == "color"),
        numbers=tuple(Number(m[1], float(m[2]), *m[3:]) for m in meta if m[0] == "number"),
        pairs=tuple(
            Pair(m[1], "place" if m[0] == "place" else "drift", float(m[2]), float(m[3]))
            for m in meta
            if m[0] in ("place", "drift")
        ),
        body=body,
    )


_KEYS = frozenset({"words", "slot", "mood", "brings", "needs", "color", "number", "place", "drift"})


def _fields(meta: list[list[str]], key: str) -> list[str]:
    """Return the fields of the first line with a key."""
    none: list[str] = []
    return next((m[1:] for m in meta if m[0] == key), none)
