"""Right answers to the scene tasks of the benchmark, made by hand: what each oracle has to hold of."""

from __future__ import annotations

__all__ = ["RIGHT", "script"]

HEAD = """import bpy
from math import cos, pi, radians, sin, sqrt
from mathutils import Vector

scene = bpy.context.scene


def made(name, at, turn=0.0, tilt=0.0):
    thing = bpy.context.object
    thing.name = name
    thing.rotation_euler = (0.0, radians(tilt), radians(turn))
    return thing


def box(name, x, y, z, w, d, h, turn=0.0):
    # x, y: the middle; z: the foot
    bpy.ops.mesh.primitive_cube_add(size=1, location=(x, y, z + h / 2))
    bpy.context.object.scale = (w, d, h)
    return made(name, (x, y, z), turn)


def ball(name, x, y, z, d):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=d / 2, segments=48, ring_count=24, location=(x, y, z + d / 2))
    return made(name, (x, y, z))


def rod(name, x, y, z, d, h, tilt=0.0):
    bpy.ops.mesh.primitive_cylinder_add(radius=d / 2, depth=h, location=(x, y, z + h / 2))
    return made(name, (x, y, z), 0.0, tilt)


box("Ground", 0, 0, -0.1, 30, 30, 0.1)
"""
FOOT = """
camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
scene.collection.objects.link(camera)
scene.camera = camera
camera.location = (0.0, -{far}, {high})
camera.rotation_euler = (Vector((0.0, 0.0, {at})) - camera.location).to_track_quat("-Z", "Y").to_euler()
lamp = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
lamp.data.energy = 3.0
lamp.location = (2.0, -3.0, 5.0)
scene.collection.objects.link(lamp)
"""
TABLE = "box('Table', 0, 0, 0, 1.2, 1.2, 0.7)\n"


def script(task: str) -> str:
    """The script of a task, with a camera that sees it."""
    body, far, high, at = RIGHT[task]
    return HEAD + body + FOOT.format(far=far, high=high, at=at)


RIGHT: dict[str, tuple[str, float, float, float]] = {
    "tower": (
        TABLE
        + """
for k in range(7):
    w = 0.2 * 0.9 ** k
    box(f"Block {k + 1}", 0, 0, 0.7 + 0.06 * k, w, w, 0.06, 20 * k)
ball("Ball", 0, 0, 1.12, 0.07)
""",
        2.5,
        1.4,
        0.8,
    ),
    "bridge": (
        """
for x in (-0.8, 0.8):
    box(f"Pier {x}", x, 0, 0, 0.4, 0.5, 0.6)
box("Slab", 0, 0, 0.6, 2.2, 0.5, 0.15)
for k in range(4):
    rod(f"Lantern {k + 1}", -0.9 + 0.6 * k, 0, 0.75, 0.12, 0.3)
""",
        4.5,
        1.2,
        0.5,
    ),
    "pyramid": (
        """
box("Tray", 0, 0, 0, 0.6, 0.6, 0.02)
d, number = 0.1, 0
for layer in range(3):
    for row in range(3 - layer):
        for k in range(row + 1):
            number += 1
            y = d * sqrt(3) / 2 * (row - (2 - layer) * 2 / 3)
            ball(f"Ball {number}", d * (k - row / 2), -y, 0.02 + layer * d * sqrt(2 / 3), d)
""",
        1.2,
        0.6,
        0.1,
    ),
    "dominoes": (
        TABLE
        + """
for k in range(12):
    a = pi * k / 11
    box(f"Domino {k + 1}", -0.2 * cos(a), 0.2 * sin(a), 0.7, 0.024, 0.007, 0.048, -180 * k / 11 + 90)
ball("Ball", -0.2, -0.036, 0.7, 0.04)
""",
        0.6,
        1.2,
        0.72,
    ),
    "desk": (
        """
box("Desk", 0, 0, 0, 1.6, 0.7, 0.72)
for k in range(3):
    box(f"Book A{k}", -0.5, 0, 0.72 + 0.03 * k, 0.24 - 0.02 * k, 0.18 - 0.02 * k, 0.03)
ball("Apple", -0.5, 0, 0.81, 0.08)
rod("Lamp", -0.1, 0, 0.72, 0.1, 0.35)
for k in range(2):
    box(f"Book B{k}", 0.2, 0, 0.72 + 0.03 * k, 0.2, 0.15, 0.03)
rod("Cup", 0.2, 0, 0.78, 0.07, 0.09)
ball("Globe", 0.55, 0, 0.72, 0.22)
""",
        2.5,
        1.3,
        0.8,
    ),
    "stairs": (
        """
for k in range(6):
    box(f"Step {k + 1}", 0.28 * k - 0.7, 0, 0, 0.28, 0.8, 0.18 * (k + 1))
    if k % 2:
        rod(f"Vase {k}", 0.28 * k - 0.7, 0, 0.18 * (k + 1), 0.12, 0.2)
""",
        4.5,
        1.6,
        0.5,
    ),
    "table": (
        """
rod("Table Top", 0, 0, 0.72, 1.2, 0.03)
rod("Table Leg", 0, 0, 0, 0.15, 0.72)
rod("Vase", 0, 0, 0.75, 0.1, 0.2)
for k in range(4):
    a = pi / 2 * k + pi / 4
    x, y = cos(a), sin(a)
    box(f"Chair {k + 1} Seat", 0.85 * x, 0.85 * y, 0.42, 0.4, 0.4, 0.03, 90 * k + 45)
    box(f"Chair {k + 1} Back", 1.05 * x, 1.05 * y, 0.45, 0.03, 0.4, 0.45, 90 * k + 45)
    box(f"Chair {k + 1} Base", 0.85 * x, 0.85 * y, 0, 0.3, 0.3, 0.42, 90 * k + 45)
    rod(f"Plate {k + 1}", 0.4 * x, 0.4 * y, 0.75, 0.25, 0.02)
""",
        3.6,
        2.6,
        0.5,
    ),
    "hidden": (
        """
box("Crate", 0, 0, 0, 0.5, 0.4, 0.4)
rod("Barrel", 0, 0.75, 0, 0.5, 0.7)
box("Cabinet", 0, 1.5, 0, 0.7, 0.4, 1.1)
""",
        3.5,
        1.7,
        0.5,
    ),
    "mobile": (
        """
for x in (-0.7, 0.7):
    box(f"Post {x}", x, 0, 0, 0.1, 0.1, 1.6)
box("Beam", 0, 0, 1.6, 1.6, 0.1, 0.08)
rod("Hook", 0, 0, 1.56, 0.02, 0.04)
rod("Thread 1", 0, 0, 1.36, 0.01, 0.2)
box("Rod", 0, 0, 1.34, 0.8, 0.02, 0.02)
for number, x, z in ((2, -0.39, 0.8), (3, 0.39, 1.0)):
    rod(f"Thread {number}", x, 0, z + 0.05, 0.01, 1.34 - z - 0.05)
    ball(f"Ball {number}", x, 0, z - 0.05, 0.1)
""",
        4.0,
        1.2,
        0.85,
    ),
    "chess": (
        TABLE
        + """
for row in range(4):
    for column in range(4):
        x, y = 0.1 * (column - 1.5), 0.1 * (row - 1.5)
        box(f"Square {row}{column}", x, y, 0.7, 0.1, 0.1, 0.01)
        if {row, column} <= {0, 3} or {row, column} <= {1, 2}:
            rod(f"Pawn {row}{column}", x, y, 0.71, 0.04, 0.07)
""",
        1.0,
        1.4,
        0.72,
    ),
    "cart": (
        """
for x in (-0.5, 0.5):
    for y in (-0.4, 0.4):
        rod(f"Wheel {x} {y}", x, y, 0.13, 0.3, 0.04).rotation_euler = (pi / 2, 0, 0)
    rod(f"Axle {x}", x, 0, -0.24, 0.04, 0.78).rotation_euler = (pi / 2, 0, 0)
box("Bed", 0, 0, 0.17, 1.5, 0.6, 0.06)
for k in range(3):
    rod(f"Barrel {k + 1}", 0.45 * (k - 1), 0, 0.23, 0.3, 0.6 if k == 1 else 0.3)
box("Shaft", -1.05, 0, 0.18, 0.6, 0.05, 0.04)
""",
        4.0,
        1.3,
        0.4,
    ),
    "cantilever": (
        """
box("Block", -0.4, 0, 0, 0.8, 0.5, 0.4)
for k in range(3):
    box(f"Plank {k + 1}", 0.1 * k - 0.2, 0, 0.4 + 0.02 * k, 0.6, 0.2, 0.02)
rod("Cup", 0.25, 0, 0.46, 0.07, 0.09)
box("Brick", -0.2, 0, 0.46, 0.2, 0.1, 0.07)
""",
        2.5,
        0.9,
        0.4,
    ),
}
