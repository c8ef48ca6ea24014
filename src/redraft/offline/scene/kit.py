"""Functions that every script of the offline model begins with: meshes of simple solids, and Blender objects of them.

The meshes are plain geometry, which `solids` measures with too; the rest needs Blender. Lengths are meters, angles
degrees, z is up, the front faces -y.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

bpy: Any = None
"""Blender's module, which the scripts import."""

Row = Sequence[float]
Mesh = tuple[list[list[float]], list[list[int]]]
"""Points and faces."""


def smooth(points: Sequence[Row], closed: bool = False) -> list[list[float]]:
    """Return a Catmull-Rom curve through the points, with four steps between two of them."""
    n = len(points)
    found: list[list[float]] = []
    for i in range(n if closed else n - 1):
        a, b, c, d = (points[(i + k) % n if closed else min(max(i + k, 0), n - 1)] for k in (-1, 0, 1, 2))
        for t in (0, 0.25, 0.5, 0.75):
            corners = zip(a, b, c, d, strict=True)
            found.append(
                [
                    q + t / 2 * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)))
                    for p, q, r, s in corners
                ]
            )
    return found if closed else [*found, [*points[-1]]]


def box(x: float, y: float, z: float) -> Mesh:
    """Return a box that stands on the origin."""
    return prism([(-x / 2, 0), (x / 2, 0), (x / 2, z), (-x / 2, z)], y)


def prism(outline: Sequence[Row], depth: float) -> Mesh:
    """Return an outline of (x, z), seen from the front, made `depth` thick."""
    n = len(outline)
    points = [[x, y, z] for y in (-depth / 2, depth / 2) for x, z in outline]
    faces = [[*range(n)], [*range(2 * n - 1, n - 1, -1)]]
    faces += [[(k + 1) % n, k, n + k, n + (k + 1) % n] for k in range(n)]
    around = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, [*outline[1:], outline[0]], strict=True))
    return points, faces if around > 0 else [face[::-1] for face in faces]


def lathe(profile: Sequence[Row], stretch: Row = (1, 1, 1)) -> Mesh:
    """Return a profile of (radius, height) turned around z."""
    sides = 32
    points: list[list[float]] = []
    faces: list[list[int]] = []
    rings: list[list[int]] = []
    for radius, height in profile:
        turns = [math.tau * k / sides for k in range(1 if radius < 1e-6 else sides)]
        rings.append([len(points) + k % len(turns) for k in range(sides + 1)])
        points += [
            [stretch[0] * radius * math.cos(a), stretch[1] * radius * math.sin(a), stretch[2] * height] for a in turns
        ]
    for low, high in itertools.pairwise(rings):
        for k in range(sides):
            corners = [*dict.fromkeys((low[k], low[k + 1], high[k + 1], high[k]))]
            faces += [corners] if len(corners) > 2 else []
    return points, faces


def cone(lower: float, upper: float, height: float) -> Mesh:
    """Return a cone or cylinder that stands on the origin."""
    return lathe([(0, 0), (lower, 0), (upper, height), (0, height)])


def ball(x: float, y: float, z: float) -> Mesh:
    """Return a ball of three radii about the origin."""
    angles = [math.pi * k / 16 for k in range(17)]
    return lathe([(math.sin(a) if 0 < k < 16 else 0, -math.cos(a)) for k, a in enumerate(angles)], (x, y, z))


def tube(path: Sequence[Row], radius: float) -> Mesh:
    """Return a round bar along a path."""
    sides = 12
    points: list[list[float]] = []
    for before, at, after in zip([path[0], *path[:-1]], path, [*path[1:], path[-1]], strict=True):
        ahead = [b - a for a, b in zip(before, after, strict=True)]
        side = across(ahead, (0.36, 0.48, 0.8))
        up = across(side, ahead)
        for k in range(sides):
            c, s = radius * math.cos(math.tau * k / sides), radius * math.sin(math.tau * k / sides)
            points.append([p + c * u + s * v for p, u, v in zip(at, side, up, strict=True)])
    last = len(points) - sides
    faces = [[*range(sides - 1, -1, -1)], [*range(last, last + sides)]]
    for start in range(0, last, sides):
        faces += [
            [start + k, start + (k + 1) % sides, start + sides + (k + 1) % sides, start + sides + k]
            for k in range(sides)
        ]
    return points, faces


def across(a: Row, b: Row) -> list[float]:
    """Return the unit vector at right angles to two others."""
    found = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    length = math.hypot(*found) or 1.0
    return [v / length for v in found]


def rgb(code: str) -> list[float]:
    """Return `#rrggbb` as Blender's linear color."""
    channels = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels] + [1.0]


def paint(color: str, look: str = "paint") -> Any:
    """Return the material of a color and a look; each is made once."""
    name = f"{look.capitalize()} {color}"
    if name in bpy.data.materials:
        return bpy.data.materials[name]
    material = bpy.data.materials.new(name)
    if bpy.app.version < (5, 0):  # from 5.0 on it always has nodes
        material.use_nodes = True
    material.diffuse_color = rgb(color)
    inputs = material.node_tree.nodes["Principled BSDF"].inputs
    settings = {
        "gloss": {"Roughness": 0.2},
        "matt": {"Roughness": 0.95},
        "metal": {"Metallic": 1.0, "Roughness": 0.3},
        "glass": {"Transmission Weight": 0.9, "Transmission": 0.9, "Roughness": 0.05},
        "glow": {"Emission Color": rgb(color), "Emission": rgb(color), "Emission Strength": 3.0},
    }
    for key, value in ({"Base Color": rgb(color)} | settings.get(look, {})).items():
        if key in inputs:  # names changed in Blender 4.0
            inputs[key].default_value = value
    return material


def add(name: str, data: Any, at: Row) -> Any:
    """Put an object into the scene."""
    item = bpy.data.objects.new(name, data)
    item.location = at
    bpy.context.scene.collection.objects.link(item)
    return item


def thing(name: str, at: Row, turn: float = 0.0, size: float = 1.0) -> Any:
    """Return the root of a thing's parts; it stands at `at`, turned about z."""
    root = add(name, None, at)
    root.empty_display_size = 0.05
    root.rotation_euler.z = math.radians(turn)
    root.scale = (size, size, size)
    return root


def part(root: Any, name: str, shape: Mesh, color: str, look: str = "paint", **place: Any) -> None:
    """Add a part to a thing, smooth but for its sharp edges, which `bevel` rounds; `at` and `turn` say where."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(shape[0], [], shape[1])
    mesh.polygons.foreach_set("use_smooth", [True] * len(shape[1]))
    if bpy.app.version >= (4, 1):
        mesh.set_sharp_from_angle(angle=math.radians(40))
    bevel = place.pop("bevel", 0.0)
    item = attach(root, name, mesh, paint(color, look), **place)
    if bevel:
        rounding = item.modifiers.new("Rounded edges", "BEVEL")
        rounding.width, rounding.segments = bevel, 3


def letters(root: Any, name: str, words: str, size: float, color: str, at: Row) -> None:
    """Add words to a thing, to be read from the front."""
    data = bpy.data.curves.new(name, "FONT")
    data.body, data.size, data.extrude, data.align_x = words, size, size * 0.04, "CENTER"
    attach(root, name, data, paint(color), at, (90, 0, 0))


def attach(root: Any, name: str, data: Any, material: Any, at: Row = (0, 0, 0), turn: Row = (0, 0, 0)) -> Any:
    """Make an object of some data a part of a thing."""
    data.materials.append(material)
    item = add(f"{root.name} {name}", data, at)
    item.parent = root
    item.rotation_euler = [math.radians(angle) for angle in turn]
    return item


def ground(color: str, look: str) -> None:
    """Lay a level ground, 800 m wide."""
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata([(x, y, 0) for x, y in ((-400, -400), (400, -400), (400, 400), (-400, 400))], [], [(0, 1, 2, 3)])
    mesh.materials.append(paint(color, look))
    add("Ground", mesh, (0, 0, 0))


def sky(color: str, strength: float) -> None:
    """Light the scene evenly from a sky of one color."""
    world = bpy.data.worlds.new("Sky")
    bpy.context.scene.world = world
    if bpy.app.version < (5, 0):
        world.use_nodes = True
    inputs = world.node_tree.nodes["Background"].inputs
    inputs["Color"].default_value, inputs["Strength"].default_value = rgb(color), strength


def lamp(name: str, kind: str, color: str, energy: float, at: Row, toward: Row, size: float) -> None:
    """Add a light; `size` is the width of an area in meters, or that of a sun in degrees."""
    data = bpy.data.lights.new(name, kind)
    data.color, data.energy = rgb(color)[:3], energy
    if kind == "SUN":
        data.angle = math.radians(size)
    else:
        data.size = size
    aim(add(name, data, at), at, toward)


def camera(at: Row, toward: Row) -> None:
    """Add the scene's camera, 50 mm."""
    data = bpy.data.cameras.new("Camera")
    data.lens, data.clip_end = 50, 2000
    eye = add("Camera", data, at)
    bpy.context.scene.camera = eye
    aim(eye, at, toward)


def aim(item: Any, at: Row, toward: Row) -> None:
    """Turn a light or a camera toward a point."""
    x, y, z = (b - a for a, b in zip(at, toward, strict=True))
    item.rotation_euler = (math.atan2(math.hypot(x, y), -z), 0, math.atan2(-x, y))
