"""A placed scene as a plan of parts and strokes, in the draft format."""

from __future__ import annotations

from random import Random

from redraft.offline.lexicon import find, hex_of, unknown
from redraft.offline.planner.scene import PlacedObject, PlacedScene
from redraft.spatial.layout import Bounds

__all__ = ["Draft", "paint"]

Draft = dict[str, object]

PEN = 0.004
OUTLINE = "#3d3a45"


def paint(scene: PlacedScene, *, seed: int) -> tuple[list[Draft], list[Draft]]:
    """Plan parts and strokes of everything in the scene, in painting order."""
    random = Random(seed)  # noqa: S311 - taste, not secrets
    plan: list[Draft] = []
    strokes: list[Draft] = []
    for thing in scene.objects:
        parts, marks = _opening(thing) if thing.opening else _realised(thing, random.randrange(2**31))
        if thing.parent is not None:
            parts = [{**parts[0], "parent": thing.parent}, *parts[1:]]
        names = _fresh(parts, {str(p["name"]) for p in plan} | {o.name for o in scene.objects if o is not thing})
        plan += [
            {**p, "name": names[str(p["name"])], "parent": names.get(str(p["parent"]), p["parent"])} for p in parts
        ]
        strokes += [{**mark, "part": names[str(mark["part"])], "layer": thing.layer} for mark in marks]
    return plan, strokes


def _fresh(parts: list[Draft], taken: set[str]) -> dict[str, str]:
    """New names for parts whose names are taken: the plate of a cake beside a "cake plate"."""
    found: dict[str, str] = {}
    for part in parts:
        name = str(part["name"])
        found[name] = name
        while found[name] in taken:
            found[name] += "_part"
        taken.add(found[name])
    return found


def _realised(thing: PlacedObject, seed: int) -> tuple[list[Draft], list[Draft]]:
    entry = find(thing.noun)
    colour = thing.colour if thing.colour is not None and hex_of(thing.colour) is not None else None
    if entry is None:
        return unknown(thing.noun, thing.box, thing.name, colour)
    tints = {noun: tint for noun, tint in thing.part_colours.items() if hex_of(tint) is not None}
    return entry.realise(
        thing.box, prefix=thing.name, label=thing.noun, colour=colour, counts=thing.counts, angles=thing.angles,
        part_colours=tints, seed=seed,
    )  # fmt: skip


def _opening(thing: PlacedObject) -> tuple[list[Draft], list[Draft]]:
    """A gap in the wall with the quarter circle that its leaf sweeps, as floor plans have it."""
    fill = (hex_of(thing.colour) if thing.colour else None) or "#fffdf7"
    swing: Draft = {
        "part": thing.name, "kind": "path", "d": _swing(thing.box, thing.side), "fill": fill, "stroke": OUTLINE,
        "width": PEN,
    }  # fmt: skip
    gap: Draft = {
        "part": thing.name,
        "kind": "rect",
        **_gap(thing.box, thing.side, thing.wall),
        "fill": fill,
        "stroke": "none",
        "width": 0.0,
    }
    return [{"name": thing.name, "label": thing.noun, "parent": None}], [swing, gap]


def _gap(box: Bounds, side: str, wall: float) -> Draft:
    """The rectangle in the wall."""
    x0, y0, x1, y1 = box
    deep = {
        "top": (x0, y0, x1, y0 + wall),
        "bottom": (x0, y1 - wall, x1, y1),
        "left": (x0, y0, x0 + wall, y1),
        "right": (x1 - wall, y0, x1, y1),
    }
    a, b, c, d = deep[side]
    return {"x": round(a, 6), "y": round(b, 6), "w": round(c - a, 6), "h": round(d - b, 6)}


def _swing(box: Bounds, side: str) -> str:
    """From the hinge along the open leaf, and back along the arc to the other jamb; inside the box by half a pen."""
    h = PEN / 2
    x0, y0, x1, y1 = box[0] + h, box[1] + h, box[2] - h, box[3] - h
    hinge, leaf, jamb, sweep = {
        "bottom": ((x0, y1), (x0, y1 - (x1 - x0)), (x1, y1), 1),
        "top": ((x0, y0), (x0, y0 + (x1 - x0)), (x1, y0), 0),
        "left": ((x0, y0), (x0 + (y1 - y0), y0), (x0, y1), 1),
        "right": ((x1, y0), (x1 - (y1 - y0), y0), (x1, y1), 0),
    }[side]
    radius = max(abs(jamb[0] - hinge[0]), abs(jamb[1] - hinge[1]))
    points = [f"{x:.6f} {y:.6f}" for x, y in (hinge, leaf, jamb)]
    return f"M {points[0]} L {points[1]} A {radius:.6f} {radius:.6f} 0 0 {sweep} {points[2]} Z"
