"""What is in a scene, as numbers: the fields of `spec.SceneFacts`, as JSON. Lengths are rounded to 0.1 mm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from redraft.studios.scene.inside.measure_paint import brightness, glows, paint_of, sky_of, srgb
from redraft.studios.scene.inside.viewer_shapes import Shape
from redraft.studios.scene.inside.viewer_versions import version

__all__ = ["camera_facts", "facts_of", "length", "light_facts", "place", "thing_facts"]

LIGHTS = {"POINT", "SUN", "SPOT", "AREA"}
MOST = 1e12


def length(metres: float) -> float:
    """Rounded to 0.1 mm; what is no number is 0."""
    return number(metres, 4)


def number(value: float, digits: int = 4) -> float:
    """Rounded; what is no number is 0, and what is endless is as good as that."""
    return 0.0 if math.isnan(value) else round(min(max(float(value), -MOST), MOST), digits) + 0.0


def place(vector: Any) -> list[float]:
    return [length(part) for part in vector]


def _unit(vector: Any) -> list[float]:
    return [number(part, 6) for part in vector]


def facts_of(scene: Any, shapes: list[Shape], left_out: int) -> dict[str, Any]:
    """All but footprints, visibility, contacts and rests."""
    things = [thing_facts(shape) for shape in shapes]
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
    }


def thing_facts(shape: Shape) -> dict[str, Any]:
    """One entry of `SceneFacts.things`."""
    thing, box = shape.thing, shape.box
    paints = [paint_of(slot) for slot in _materials(shape)]
    return {
        "name": shape.name,
        "kind": str(thing.type),
        "parent": str(thing.parent.name) if thing.parent is not None else None,
        "collection": _collection(thing),
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


def _materials(shape: Shape) -> list[Any]:
    slots = [slot.material for slot in shape.thing.material_slots]
    used = [slots[int(index)] for index in np.unique(shape.slots) if index < len(slots)] if len(shape.slots) else slots
    return [material for index, material in enumerate(used) if material is not None and material not in used[:index]]


def _collection(thing: Any) -> str:
    names = sorted(str(each.name) for each in thing.users_collection)
    return names[0] if names and not thing.users_collection[0].is_embedded_data else ""


def light_facts(thing: Any) -> dict[str, Any]:
    """One entry of `SceneFacts.lights`."""
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
    """`SceneFacts.camera`; None without one."""
    camera = scene.camera
    if camera is None or camera.type != "CAMERA":
        return None
    turn = camera.matrix_world.normalized().to_3x3()
    data = camera.data
    return {
        "name": str(camera.name),
        "location": place(camera.matrix_world.translation),
        "forward": _unit(-turn.col[2]),
        "right": _unit(turn.col[0]),
        "up": _unit(turn.col[1]),
        "angle": 0.0 if data.type == "ORTHO" else number(math.degrees(_across(scene, data)), 3),
        "clip": [length(data.clip_start), length(data.clip_end)],
    }


def _across(scene: Any, data: Any) -> float:
    """The angle across the picture's width, which for an upright picture is not `angle`."""
    render = scene.render
    wide, tall = render.resolution_x * render.pixel_aspect_x, render.resolution_y * render.pixel_aspect_y
    if data.sensor_fit == "HORIZONTAL" or (data.sensor_fit == "AUTO" and wide >= tall):
        return float(2 * math.atan(data.sensor_width / (2 * data.lens)))
    sensor = data.sensor_height if data.sensor_fit == "VERTICAL" else data.sensor_width
    return float(2 * math.atan(sensor / (2 * data.lens) * wide / tall))
