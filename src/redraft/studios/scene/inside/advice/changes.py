"""Changes of Blender's API that no search in the running Blender could find: rows of `changes.txt`, and short lists.

A row says what an old name became. `fixes` makes it in a script; which name failed, and of what, is worked out by
`attributes`, `calls` and `values`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Change:
    """One row for one name. `changes.txt` explains the fields; what is empty has no replacement of that form."""

    owner: str = ""
    name: str = ""
    since: str = ""
    new: str = ""
    value: str = "{value}"
    get: str = ""
    put: str = ""
    call: str = ""
    line: str = ""
    first: str = ""
    also: str = ""
    needs: str = ""
    gone: bool = False
    says: str = ""
    loses: str = ""

    @property
    def dated(self) -> str:
        """` since 2.80` for a message; empty where the version is not known."""
        return f" since {self.since}" if self.since else ""


Changes = Mapping[tuple[str, str], list[Change]]
"""The rows for an owner and an old name, the first one that fits first."""


def read_changes(text: str) -> Mapping[str, Changes]:
    """Return the rows of `changes.txt` by the section that they stand in."""
    sections: dict[str, dict[tuple[str, str], list[Change]]] = {}
    rows: dict[tuple[str, str], list[Change]] = {}
    shorts: dict[str, str] = {}
    for line in re.sub(r"\n +", " ", text).splitlines():
        if line.startswith("let "):
            short, _, long = line.removeprefix("let ").partition(" = ")
            shorts[f"{{{short}}}"] = long
        elif line.startswith("["):
            rows = sections[line.strip("[]")] = defaultdict(list)
        elif line and not line.startswith("#"):
            for short, long in shorts.items():
                line = line.replace(short, long)  # noqa: PLW2901
            place, since, *parts = line.split(" | ")
            owners, _, names = place.rpartition(": ")
            fields: dict[str, Any] = {}
            for part in parts:
                field, _, form = part.partition(" ")
                fields[field] = form
            if target := fields.pop("set", ""):
                fields |= {"get": target, "put": f"{target} = {{value}}"}
            fields |= {"since": since.strip("-"), "gone": "gone" in fields}
            for owner in owners.split(", "):
                for name in names.split(", "):
                    rows[owner, name].append(Change(owner, name, **fields))
    return sections


_SECTIONS = read_changes(Path(__file__).with_name("changes.txt").read_text(encoding="utf-8"))
ATTRIBUTES = _SECTIONS["attributes"]
OPERATORS = _SECTIONS["operators"]
KEYWORDS = _SECTIONS["keywords"]
CALLS = _SECTIONS["calls"]
VALUES = _SECTIONS["values"]
NODES = _SECTIONS["nodes"]
SOCKETS = _SECTIONS["sockets"]
WINDOWLESS = _SECTIONS["operators without a window"]
NAMES = _SECTIONS["names"]
START_DATA = _SECTIONS["start-up data"]
MODULES = _SECTIONS["modules"]
INTERFACE = _SECTIONS["modules of operators for windows"]


def change_of(changes: Changes, owner: str, name: str) -> Change | None:
    """Return the first row for an old name."""
    return next(iter(changes.get((owner, name), ())), None)


WORDS = (
    ("lamps", "lights"),  # 2.80
    ("lamp", "light"),  # 2.80
    ("groups", "collections"),  # 2.80
    ("group", "collection"),  # 2.80
    ("dupli", "instance"),  # 2.80
    ("draw", "display"),  # 2.80
    ("gp", "grease_pencil"),  # 4.3
    ("gpencil", "grease_pencil"),  # 2.80, 4.3
    ("diameter", "radius"),  # 3.0, in bmesh.ops: the number stayed what it was
    ("sequences", "strips"),  # 5.0
    ("sequence", "strip"),  # 5.0
)
"""Words that were renamed wherever they stood; a name is only taken when Blender has it."""

SYNONYMS = (
    ("height", "depth", "length"),
    ("radius", "size", "width", "side", "edge_length"),
    ("rings", "ring_count"),
    ("location", "position", "loc", "pos"),
    ("rotation", "rotate", "rot"),
    ("segments", "vertices", "resolution", "sides"),
)
"""Keywords that people take for each other, as other libraries call them so."""

POWER = {"BLENDER_RENDER": ("1000", "3.14"), "CYCLES": ("100", "1")}
"""Engine of 2.79 → what the energy 1 of a lamp, and of a sun, is in watts and W/m². Blender Internal: a lamp with the
falloff distance 25 lights what is far away like 4π² · 25 ≈ 1000 W, which is what Blender's own start-up file became in
2.80; a sun like π W/m². Cycles gave lamps without nodes 100 W, and suns 1 W/m²."""

VIEWPORT = {
    "diffuse_color": "Base Color",
    "metallic": "Metallic",
    "roughness": "Roughness",
    "specular_intensity": "Specular IOR Level",
}
"""Settings of a material without nodes → inputs of the shader that 5.0 renders instead of them."""

CONTEXTS = ("", "VERTS", "EDGES", "FACES_ONLY", "EDGES_FACES", "FACES", "FACES_KEEP_BOUNDARY", "TAGGED_ONLY")
"""The contexts of `bmesh.ops.delete`, by the number that each had until 2.79."""

KEYED = (("Loc", "location"), ("Rot", "rotation_euler"), ("Scal", "scale"))
"""Part of the name of a keying set, and what it keys."""

FIRST = ("Geometry", "Image")
"""Names of sockets that stood first; what stands first in their node now took their place."""

_END = "Anisotropic,Anisotropic Rotation,Sheen,Sheen Tint,Clearcoat,Clearcoat Roughness,IOR,Transmission"
PRINCIPLED = tuple(
    tuple(names.split(","))
    for names in (
        "Base Color,Subsurface,Subsurface Radius,Subsurface Color,Metallic,Specular,Specular Tint,Roughness,"
        f"{_END},Transmission Roughness,Emission,Emission Strength,Alpha",
        "Base Color,Subsurface,Subsurface Radius,Subsurface Color,Subsurface IOR,Subsurface Anisotropy,Metallic,"
        f"Specular,Specular Tint,Roughness,{_END},Transmission Roughness,Emission,Emission Strength,Alpha",
    )
)
"""The inputs of the Principled BSDF in their order, of 2.91 and 3.0."""
