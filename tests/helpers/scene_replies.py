"""A small scene and replies around it, for tests that drive the scene studio."""

from __future__ import annotations

APPLE = """import bpy
from mathutils import Vector

scene = bpy.context.scene


def put(name, mesh, place):
    made = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(made)
    made.location = place
    return made


def paint(mesh, name, colour):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1.0)
    mesh.materials.append(material)


bpy.ops.mesh.primitive_plane_add(size=4)
ground = bpy.context.object
ground.name = "Ground"
paint(ground.data, "Stone", (0.5, 0.48, 0.44))

radius = 0.2
bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, location=(0, 0, radius))
apple = bpy.context.object
apple.name = "Apple"
paint(apple.data, "Red", (0.6, 0.02, 0.02))

lamp = bpy.data.lights.new("Sun", "SUN")
lamp.energy = 3
put("Sun", lamp, (1, -1, 3)).rotation_euler = (0.6, 0.3, 0)

camera = put("Camera", bpy.data.cameras.new("Camera"), (0.9, -1.4, 0.8))
camera.rotation_euler = (Vector((0, 0, 0.2)) - camera.location).to_track_quat("-Z", "Y").to_euler()
scene.camera = camera
"""
"""A red apple on stone ground."""
HIGH = APPLE.replace("location=(0, 0, radius)", "location=(0, 0, radius + 0.1)")
"""The apple floats 10 cm above the ground."""


def reply_of(code: str = APPLE, approach: str = "an apple under the sun") -> str:
    """A model's reply."""
    return f"APPROACH: {approach}\n\n```python\n{code}\n```\n"
