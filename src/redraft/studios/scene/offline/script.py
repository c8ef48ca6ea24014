"""Writing of Blender scripts for placed scenes: a kit of functions, one for each kind of thing, and the calls."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from redraft.studios.scene.offline.placing import Plan
from redraft.studios.scene.offline.solids import Solid, pieces, tables
from redraft.text import number

SENSOR, LENS, ASPECT = 36.0, 50.0, 4 / 3
ELEVATION = 24.0
"""Degrees by which the camera looks down."""

_KIT = '''
import math

import bpy

BALL = [(math.sin(math.pi * k / 16) if 0 < k < 16 else 0, 0.5 - math.cos(math.pi * k / 16) / 2) for k in range(17)]
PROFILES = {  # radius and height, turned around z
    "ball": BALL,
    "cylinder": [(0, 0), (1, 0), (1, 1), (0, 1)],
    "cone": [(0, 0), (1, 0), (0, 1)],
    "bowl": [(0, 0), (0.6, 0), (1, 1), (0.94, 1), (0.55, 0.1), (0, 0.1)],
}


def solid(kind):
    """Points and faces of a primitive, 1 wide, deep and high, that stands on the origin."""
    if kind in ("box", "roof"):
        top = 0.5 if kind == "box" else 0.02
        points = [(x * w, y / 2, z) for z, w in ((0, 0.5), (1, top)) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return points, [(3, 2, 1, 0), (4, 5, 6, 7), *((k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4))]
    points, faces, rings, sides = [], [], [], 32
    for radius, height in PROFILES[kind]:
        turns = [math.tau * k / sides for k in range(sides if radius else 1)]
        rings.append([len(points) + k % len(turns) for k in range(sides + 1)])
        points += [(radius * math.cos(a) / 2, radius * math.sin(a) / 2, height) for a in turns]
    for low, high in zip(rings, rings[1:]):
        corners = ([*dict.fromkeys((low[k], low[k + 1], high[k + 1], high[k]))] for k in range(sides))
        faces += [face for face in corners if len(face) > 2]
    return points, faces


def rgb(code):
    """`#rrggbb` as Blender's linear color."""
    channels = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels] + [1.0]


def paint(color):
    """The material of a color; each is made once."""
    if color in bpy.data.materials:
        return bpy.data.materials[color]
    material = bpy.data.materials.new(color)
    if bpy.app.version < (5, 0):  # from 5.0 on it always has nodes
        material.use_nodes = True
    material.diffuse_color = rgb(color)
    inputs = material.node_tree.nodes["Principled BSDF"].inputs
    inputs["Base Color"].default_value, inputs["Roughness"].default_value = rgb(color), 0.6
    return material


def add(name, data, at):
    """Put an object into the scene."""
    item = bpy.data.objects.new(name, data)
    item.location = at
    bpy.context.scene.collection.objects.link(item)
    return item


def thing(name, at, size=1.0):
    """The root of a thing's parts."""
    root = add(name, None, at)
    root.empty_display_size = 0.05
    root.scale = (size, size, size)
    return root


def part(root, name, kind, at, size, color):
    """Add a primitive to a thing: the middle of its foot, and its width, depth and height."""
    points, faces = solid(kind)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(v * s for v, s in zip(point, size)) for point in points], [], faces)
    mesh.polygons.foreach_set("use_smooth", [kind not in ("box", "roof")] * len(faces))
    if bpy.app.version >= (4, 1):
        mesh.set_sharp_from_angle(angle=math.radians(40))
    mesh.materials.append(paint(color))
    add(f"{root.name} {name}", mesh, at).parent = root


def ground(color):
    """Lay a level ground, 800 m wide."""
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata([(x, y, 0) for x, y in ((-400, -400), (400, -400), (400, 400), (-400, 400))], [], [(0, 1, 2, 3)])
    mesh.materials.append(paint(color))
    add("Ground", mesh, (0, 0, 0))


def sky(color, strength):
    """Light the scene evenly from a sky of one color."""
    world = bpy.data.worlds.new("Sky")
    bpy.context.scene.world = world
    if bpy.app.version < (5, 0):
        world.use_nodes = True
    inputs = world.node_tree.nodes["Background"].inputs
    inputs["Color"].default_value, inputs["Strength"].default_value = rgb(color), strength


def sun(color, energy, at):
    """Light the scene from a sun; `at` is the direction in which it stands."""
    data = bpy.data.lights.new("Sun", "SUN")
    data.color, data.energy, data.angle = rgb(color)[:3], energy, math.radians(4)
    aim(add("Sun", data, at), at, (0, 0, 0))


def camera(at, toward):
    """Add the scene's camera, 50 mm."""
    data = bpy.data.cameras.new("Camera")
    data.lens, data.clip_end = 50, 2000
    eye = add("Camera", data, at)
    bpy.context.scene.camera = eye
    aim(eye, at, toward)


def aim(item, at, toward):
    """Turn a light or a camera toward a point."""
    x, y, z = (b - a for a, b in zip(at, toward))
    item.rotation_euler = (math.atan2(math.hypot(x, y), -z), 0, math.atan2(-x, y))


scene = bpy.context.scene
for old in list(bpy.data.objects):
    bpy.data.objects.remove(old)
scene.view_settings.view_transform = "Standard"'''


def script(title: str, header: Mapping[str, object], plan: Plan) -> str:
    """Return the script of a placed scene; `header` is kept in it as a comment."""
    solids: list[Solid] = []
    names: list[str] = []
    blocks: list[str] = []
    for solid in (thing.solid for thing in plan.things if thing.solid not in solids):
        name = "make_" + (re.sub(r"\W+", "_", solid.name, flags=re.ASCII).strip("_").lower() or "thing")
        solids.append(solid)
        names.append(f"{name}_{len(names)}" if name in names else name)

        # The function that makes one thing, a line for each primitive.
        size = " x ".join(f"{v:.2f}" for v in solid.size)
        kind = re.sub(r'[\\"]', "", solid.name).capitalize()
        lines = [f"def {names[-1]}(name, at, size=1.0):", f'    """{kind}, {size} m."""']
        lines += ["    root = thing(name, at, size)"]
        lines += [
            f"    part(root, {p.name!r}, {p.primitive!r}, {_vector(p.at)}, {_vector(p.size)}, {p.color!r})"
            for p in pieces(solid)
        ]
        blocks.append("\n".join(lines))

    calls = ["# Things"]
    for thing in plan.things:
        name = json.dumps(thing.name, ensure_ascii=False)
        size = f", size={_literal(thing.size)}" if abs(thing.size - 1) > 1e-6 else ""
        calls.append(f"{names[solids.index(thing.solid)]}({name}, {_vector(thing.at)}{size})")
    text = " ".join(title.split()).replace("\\", "").replace('"', "'")[:300].rstrip(".")
    head = f'"""{text[:1].upper()}{text[1:]}."""\n# scene: {json.dumps(header, ensure_ascii=True)}\n'
    blocks += ["\n".join(calls), _stage(plan)]
    return "\n\n\n".join([head + _KIT, *(block.rstrip() for block in blocks)]) + "\n"


def _stage(plan: Plan) -> str:
    """Return the lines of ground, light, and a camera that sees the ball around all things."""
    boxes = np.array([thing.box for thing in plan.things] or [(-1.0, -1.0, 0.0, 1.0, 1.0, 1.0)])
    low, high = boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)
    target = (low + high) / 2
    half_angle = math.atan(SENSOR / 2 / LENS / ASPECT)
    distance = float(np.linalg.norm(high - low)) / 2 / math.sin(half_angle)
    camera = target + _direction(0.0, ELEVATION) * distance

    light, color = tables()["lights"][plan.light], tables()["grounds"][plan.ground]["color"]
    sun = _direction(light["side"], light["height"]).round(3)
    lines = [
        "# Ground, light and camera",
        f'ground("{color}")',
        f'sky("{light["sky"]}", {light["strength"]})',
        f'sun("{light["sun"]}", {light["energy"]}, {_vector(sun)})',
        f"camera({_vector(camera.round(3))}, {_vector(target.round(3))})",
        "scene.render.resolution_x, scene.render.resolution_y = 1024, 768",
    ]
    return "\n".join(lines)


def _direction(side: float, height: float) -> NDArray[np.float64]:
    """Return the unit vector from the scene to a light or an eye.

    Args:
        side: degrees from the front to the right.
        height: degrees above the ground.
    """
    turn, tilt = math.radians(side), math.radians(height)
    return np.array([math.sin(turn) * math.cos(tilt), -math.cos(turn) * math.cos(tilt), math.sin(tilt)])


def _vector(values: Iterable[float]) -> str:
    return f"({', '.join(map(_literal, values))})"


def _literal(value: float) -> str:
    return number(value, 5)
