"""Scenes as facts, made by hand: boxes with a name, and what follows from them.

`scene(...)` measures what the viewer would: which boxes touch, how deep they reach into each other, and what is below.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from redraft.studios.scene.spec import Box, Camera, Contact, Exposure, Light, Rest, Scene, SceneFacts, Thing, Vector

CLEAR = Exposure(mean=0.4, black=0.02, blown=0.01, spread=0.5)
LAMP = Light(name="Sun", kind="SUN", location=(0, 0, 5), energy=3.0, colour="#ffffff")
TOUCH = 0.0005


def looking(along: Vector = (0.0, 1.0, 0.0), at: Vector = (0.0, -6.0, 1.5)) -> Camera:
    """A camera that looks along a level direction."""
    x, y, _ = along
    length = math.hypot(x, y)
    return Camera(
        name="Camera",
        location=at,
        forward=(x / length, y / length, 0.0),
        right=(y / length, -x / length, 0.0),
        up=(0.0, 0.0, 1.0),
        angle=50.0,
    )


def block(name: str, at: Vector, size: Vector, **more: Any) -> Thing:
    """A box that stands at `at` (the middle of its foot)."""
    (x, y, z), (w, d, h) = at, size
    box = (x - w / 2, y - d / 2, z, x + w / 2, y + d / 2, z + h)
    ring = ((box[0], box[1]), (box[3], box[1]), (box[3], box[4]), (box[0], box[4]))
    told: dict[str, Any] = {"footprint": (ring,) if w and d else (), "faces": 6, "pixels": 0.02, "bare": 0.02} | more
    return Thing(name=name, kind="MESH", location=(x, y, z + h / 2), box=box, **told)


def ball(name: str, at: Vector, size: float, **more: Any) -> Thing:
    """A ball on `at`, its foot; as seen from above, a ring of 24 corners."""
    x, y, _ = at
    ring = tuple(
        (x + size / 2 * math.cos(2 * math.pi * i / 24), y + size / 2 * math.sin(2 * math.pi * i / 24))
        for i in range(24)
    )
    return block(name, at, (size, size, size), footprint=(ring,), **more)


def scene(
    *things: Thing,
    camera: Camera | None = None,
    lights: Sequence[Light] = (LAMP,),
    exposure: Exposure = CLEAR,
    code: str = "import bpy\n",
    no_camera: bool = False,
    **facts: Any,
) -> Scene:
    """A scene of these things, with contacts and rests between the boxes of top-level ones."""
    seen = None if no_camera else camera or looking()
    tops = _tops(things)
    contacts = tuple(c for (a, x), (b, y) in combinations(sorted(tops.items()), 2) if (c := _contact(a, x, b, y)))
    measured: dict[str, Any] = {"contacts": contacts, "rests": _rests(tops, contacts)}
    return Scene(
        code=code,
        facts=SceneFacts(blender="5.0.1", things=things, lights=tuple(lights), camera=seen, **(measured | facts)),
        exposure=exposure,
        preview="preview.png",
        views={},
        blend="scene.blend",
    )


def _tops(things: Sequence[Thing]) -> dict[str, list[Box]]:
    parents = {thing.name: thing.parent for thing in things}
    found: dict[str, list[Box]] = {}
    for thing in things:
        if thing.box is not None and not thing.hidden:
            root = thing.name
            while (above := parents.get(root)) is not None:
                root = above
            found.setdefault(root, []).append(thing.box)
    return found


def _contact(a: str, mine: Iterable[Box], b: str, theirs: Iterable[Box]) -> Contact | None:
    pairs = [_meeting(x, y) for x in mine for y in theirs]
    gap, depth, share = min(p[0] for p in pairs), max(p[1] for p in pairs), max(p[2] for p in pairs)
    return Contact(a=a, b=b, gap=round(gap, 4), depth=round(depth, 4), share=share) if gap < 0.05 else None


def _meeting(x: Box, y: Box) -> tuple[float, float, float]:
    """Gap, depth and share of two boxes."""
    shared = [min(x[i + 3], y[i + 3]) - max(x[i], y[i]) for i in range(3)]
    if min(shared) > TOUCH:
        sizes = [max(math.prod(max(b[i + 3] - b[i], 1e-6) for i in range(3)), 1e-12) for b in (x, y)]
        return 0.0, min(shared), min(math.prod(shared) / min(sizes), 1.0)
    return math.hypot(*(max(-s, 0.0) for s in shared)), 0.0, 0.0


def _rests(tops: dict[str, list[Box]], contacts: Sequence[Contact]) -> tuple[Rest, ...]:
    return tuple(_rest(name, boxes, tops, contacts) for name, boxes in sorted(tops.items()))


def _rest(name: str, mine: list[Box], tops: dict[str, list[Box]], contacts: Sequence[Contact]) -> Rest:
    drops = [
        (max(x[2] - y[5], 0.0), other)
        for other, theirs in tops.items()
        if other != name
        for x in mine
        for y in theirs
        if min(x[3], y[3]) > max(x[0], y[0]) and min(x[4], y[4]) > max(x[1], y[1]) and y[2] < x[2]
    ]
    drop, on = min(drops, default=(None, ""))
    met = {c.b if c.a == name else c.a for c in contacts if name in (c.a, c.b) and (c.gap <= TOUCH or c.depth > 0)}
    rounded = None if drop is None else 0.0 if drop <= TOUCH else round(drop, 4)
    return Rest(name=name, on=on, drop=rounded, held=tuple(sorted(met - {on})))
