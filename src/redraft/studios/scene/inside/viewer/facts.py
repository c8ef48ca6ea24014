"""Facts of a scene as numbers: the fields of `spec.SceneFacts`, as JSON. Lengths are rounded to 0.1 mm.

The plan of a thing is the union of its triangles laid flat, as seen from above. A plan that is as good as convex
(within 1 %) is one ring; the triangles of any other are handed on, and redraft's side makes their union.
"""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np
from mathutils.geometry import convex_hull_2d

from redraft.studios.scene.inside.viewer.materials import brightness, glows, paint_of, sky_of, srgb
from redraft.studios.scene.inside.viewer.raster import Array, covered
from redraft.studios.scene.inside.viewer.render import version
from redraft.studios.scene.inside.viewer.shapes import Mesh, Shape

LIGHTS = {"POINT", "SUN", "SPOT", "AREA"}
MAX_NUMBER = 1e12
"""Larger numbers, and infinity, are written as this one: JSON has none for it."""


def length(metres: float) -> float:
    """Round to 0.1 mm; NaN becomes 0."""
    return number(metres, 4)


def number(value: float, digits: int = 4) -> float:
    """Round and clamp; NaN becomes 0."""
    return 0.0 if math.isnan(value) else round(min(max(float(value), -MAX_NUMBER), MAX_NUMBER), digits) + 0.0


def place(vector: Any) -> list[float]:
    """Return coordinates in meters, rounded."""
    return [length(part) for part in vector]


def _unit(vector: Any) -> list[float]:
    return [number(part, 6) for part in vector]


def facts_of(scene: Any, shapes: list[Shape], left_out: int) -> dict[str, Any]:
    """Return all facts but footprints, visibility, contacts and rests."""
    # The first collection of each object: Blender's `users_collection` walks all objects for each.
    homes: dict[str, str] = {}
    for collection in sorted(bpy.data.collections, key=lambda each: str(each.name)):
        for thing in collection.objects:
            homes.setdefault(str(thing.name), str(collection.name))
    things = [thing_facts(shape, homes.get(shape.name, "")) for shape in shapes]
    return {
        "blender": version(),
        "things": things,
        "contacts": [],
        "rests": [],
        "lights": [
            light_facts(thing) for thing in sorted(scene.objects, key=lambda o: o.name) if thing.type == "LIGHT"
        ],
        "camera": camera_facts(scene),
        "sky": number(sky_of(scene.world)),
        "glow": [shape.name for shape in shapes if not shape.hidden and glows(shape)],
        "engine": str(scene.render.engine),
        "left_out": left_out,
        "notes": [],
        "removed": [],
    }


def thing_facts(shape: Shape, collection: str) -> dict[str, Any]:
    """Return one entry of `SceneFacts.things`; `collection` is where it lies."""
    thing, box = shape.thing, shape.box
    slots = [slot.material for slot in thing.material_slots]
    used = [slots[int(index)] for index in np.unique(shape.slots) if index < len(slots)] if len(shape.slots) else slots
    paints = [paint_of(material) for material in dict.fromkeys(used) if material is not None]
    return {
        "name": shape.name,
        "kind": str(thing.type),
        "parent": str(thing.parent.name) if thing.parent is not None else None,
        "collection": collection,
        "location": place(thing.matrix_world.translation),
        "box": place(box.reshape(-1)) if box is not None else None,
        "footprint": [],
        "materials": [paint.name for paint in paints],
        "colours": [paint.colour for paint in paints],
        "faces": shape.faces,
        "closed": shape.closed,
        "hidden": shape.hidden,
        "endless": shape.endless,
        "pixels": 0.0,
        "bare": 0.0,
        "outside": 0.0,
        "instances": shape.copies,
    }


def light_facts(thing: Any) -> dict[str, Any]:
    """Return one entry of `SceneFacts.lights`."""
    data = thing.data
    return {
        "name": str(thing.name),
        "kind": str(data.type) if data.type in LIGHTS else "POINT",
        "location": place(thing.matrix_world.translation),
        "energy": number(data.energy),
        "colour": srgb(data.color),
        "hidden": bool(thing.hide_render) or brightness(data.color) * data.energy <= 0,
    }


def camera_facts(scene: Any) -> dict[str, Any] | None:
    """Return `SceneFacts.camera`; None without one."""
    camera = scene.camera
    if camera is None or camera.type != "CAMERA":
        return None
    turn = camera.matrix_world.normalized().to_3x3()
    data, render = camera.data, scene.render

    # The angle across the picture's width, which for an upright picture is not `data.angle`
    wide, tall = render.resolution_x * render.pixel_aspect_x, render.resolution_y * render.pixel_aspect_y
    if data.sensor_fit == "HORIZONTAL" or (data.sensor_fit == "AUTO" and wide >= tall):
        angle = 2 * math.atan(data.sensor_width / (2 * data.lens))
    else:
        sensor = data.sensor_height if data.sensor_fit == "VERTICAL" else data.sensor_width
        angle = 2 * math.atan(sensor / (2 * data.lens) * wide / tall)
    return {
        "name": str(camera.name),
        "location": place(camera.matrix_world.translation),
        "forward": _unit(-turn.col[2]),
        "right": _unit(turn.col[0]),
        "up": _unit(turn.col[1]),
        "angle": 0.0 if data.type == "ORTHO" else number(math.degrees(angle), 3),
        "clip": [length(data.clip_start), length(data.clip_end)],
    }


MAX_TRIANGLES = 20_000
"""Triangles of one thing's plan; beyond it the hull is reported."""
MAX_TRIANGLES_IN_ALL = 300_000
CELLS = 64
"""Side of the grid on which a plan is compared with its hull."""
CONVEX = 0.99
"""Share of its hull that a plan must cover to be reported as the hull."""
Plan = tuple[list[list[float]], Array]
"""A convex ring, and triangles where the plan is not convex."""


def add_plans(shapes: list[Shape], things: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], bytes]:
    """Fill `footprint` where the plan is one convex ring; return a table of the others, and their triangles.

    The table has name, first triangle and count; a triangle is six little-endian floats of 32 bits, x and y in turn.
    """
    table: list[dict[str, Any]] = []
    triangles: list[Array] = []
    known: dict[tuple[Mesh, bytes], tuple[Array, Plan]] = {}
    count = 0
    for shape, thing in zip(shapes, things, strict=True):
        if shape.model is not None and not shape.endless:
            if shape.model not in known:
                known[shape.model] = shape.place, plan_of(shape)
            origin, (ring, flat) = known[shape.model]
            by = shape.place - origin  # a copy has the plan of its model, at another place
            ring, flat = [[length(x + float(by[0])), length(y + float(by[1]))] for x, y in ring], flat + by[:2]
        else:
            ring, flat = plan_of(shape)
        if count + len(flat) > MAX_TRIANGLES_IN_ALL:
            flat = flat[:0]
        thing["footprint"] = [ring] if ring and not len(flat) else []
        if len(flat):
            table.append({"name": shape.name, "first": count, "count": len(flat)})
            triangles.append(flat)
            count += len(flat)
    return table, b"".join(flat.astype("<f4").tobytes() for flat in triangles)


def plan_of(shape: Shape) -> Plan:
    """Return the hull of a thing's plan, and its triangles (n × 3 × 2) where it is not convex."""
    none = np.zeros((0, 3, 2))
    if not len(shape.triangles):
        return [], none
    ring = hull(shape.points[:, :2])

    # The triangles laid flat, without those on edge; of a closed surface those that look up are enough
    corners = shape.rough_points[shape.rough_triangles][:, :, :2]
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    least = 1e-9 * max(shape.extent, 1e-6) ** 2
    flat = np.asarray(corners[areas > least if shape.closed else np.abs(areas) > least])
    if len(ring) < 3 or not len(flat):
        return [], none

    convex = len(flat) > MAX_TRIANGLES
    if not convex:  # tried on a grid: do the triangles cover as good as all of their hull?
        low, side = ring.min(0), np.maximum(np.ptp(ring, axis=0), 1e-9)
        fan = np.stack([np.repeat(ring[:1], len(ring) - 2, 0), ring[1:-1], ring[2:]], axis=1)
        whole = covered((fan - low) / side * CELLS, CELLS, CELLS)
        own = covered((flat - low) / side * CELLS, CELLS, CELLS)
        convex = bool((own & whole).sum() >= CONVEX * whole.sum())
    return [[length(x), length(y)] for x, y in _simpler(ring)], none if convex else flat


def hull(points: Array) -> Array:
    """Return the corners of the convex hull of points in a plane, counterclockwise."""
    unique = np.unique(np.round(points, 5), axis=0)
    if len(unique) < 3:
        return unique
    order = convex_hull_2d(unique.tolist())
    return np.asarray(unique[order])


def _simpler(ring: Array) -> Array:
    """Return a convex ring without corners that stand out by less than 1 mm or a hundredth of its size."""
    least = max(0.001, 0.01 * float(np.linalg.norm(np.ptp(ring, axis=0)))) / 2
    while len(ring) > 4:
        before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        along = after - before
        away = np.abs(along[:, 0] * (ring - before)[:, 1] - along[:, 1] * (ring - before)[:, 0])
        away = away / np.maximum(np.linalg.norm(along, axis=1), 1e-12)
        last = int(away.argmin())
        if away[last] > least:
            break
        ring = np.delete(ring, last, axis=0)
    return ring
