# brief: a living room with a red sofa, a coffee table on a rug in front of the sofa, and a floor lamp to the right of the sofa
# finds: requirement.relation
# states: [{"kind": "relation", "quote": "to the right of the sofa", "parts": ["FloorLamp_Base"], "relation": "right_of", "of": ["Sofa_Base"]}]
import bpy
import math
from mathutils import Vector


def new_material(name, color, roughness=0.5, emission=None):
    mat = bpy.data.materials.new(name=name)
    mat.use_nodes = True
    nodes = mat.node_tree.nodes
    p = nodes.get("Principled BSDF")
    p.inputs["Base Color"].default_value = color
    p.inputs["Roughness"].default_value = roughness
    if emission:
        p.inputs["Emission Color"].default_value = color
        p.inputs["Emission Strength"].default_value = emission
    return mat


def add_box(name, center, dims, mat, bevel=0.0):
    x, y, z = (d / 2 for d in dims)
    verts = [(sx * x, sy * y, sz * z) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(verts, [], faces)
    mesh.update()
    obj = bpy.data.objects.new(name, mesh)
    obj.location = center
    bpy.context.scene.collection.objects.link(obj)
    mesh.materials.append(mat)
    if bevel:
        b = obj.modifiers.new("Bevel", "BEVEL")
        b.width = bevel
        b.segments = 3
    return obj


red = new_material("Red Fabric", (0.5, 0.03, 0.04, 1), 0.9)
walnut = new_material("Walnut", (0.17, 0.08, 0.04, 1))
cream = new_material("Cream", (0.8, 0.76, 0.66, 1), 0.95)
floor_m = new_material("Parquet", (0.42, 0.28, 0.16, 1), 0.4)
wall_m = new_material("Paint", (0.55, 0.62, 0.66, 1), 0.9)
brass = new_material("Brass", (0.6, 0.4, 0.1, 1), 0.25)
shade_m = new_material("Shade", (1, 0.85, 0.6, 1), 0.9, 2.0)

add_box("Floor", (0, 0, -0.05), (6, 5, 0.1), floor_m)
add_box("Wall_Back", (0, 2.55, 1.4), (6, 0.1, 2.8), wall_m)

sofa_parts = [
    add_box("Sofa_Base", (0, 1.6, 0.22), (2.0, 0.85, 0.32), red, 0.03),
    add_box("Sofa_Back", (0, 1.95, 0.6), (2.0, 0.2, 0.55), red, 0.05),
    add_box("Sofa_Arm_L", (-1.05, 1.6, 0.36), (0.18, 0.85, 0.6), red, 0.04),
    add_box("Sofa_Arm_R", (1.05, 1.6, 0.36), (0.18, 0.85, 0.6), red, 0.04),
    add_box("Sofa_Cushion_1", (-0.48, 1.53, 0.44), (0.94, 0.68, 0.14), red, 0.05),
    add_box("Sofa_Cushion_2", (0.48, 1.53, 0.44), (0.94, 0.68, 0.14), red, 0.05),
]
for i, (x, y) in enumerate([(-0.95, 1.25), (0.95, 1.25), (-0.95, 1.95), (0.95, 1.95)]):
    sofa_parts.append(add_box(f"Sofa_Foot_{i}", (x, y, 0.03), (0.06, 0.06, 0.06), walnut))

rug = add_box("Rug", (0, 0.35, 0.006), (2.4, 1.5, 0.012), cream)

RUG = 0.012
top = add_box("CoffeeTable", (0, 0.35, RUG + 0.38), (1.1, 0.6, 0.04), walnut, 0.01)
for i, (x, y) in enumerate([(-0.48, 0.12), (0.48, 0.12), (-0.48, 0.58), (0.48, 0.58)]):
    leg = add_box(f"CoffeeTable_Leg{i}", (x, y, RUG + 0.18), (0.05, 0.05, 0.36), walnut)
    bpy.context.view_layer.update()
    leg.parent = top
    leg.matrix_parent_inverse = top.matrix_world.inverted()


def cylinder(name, r, depth, loc, mat, r2=None):
    if r2 is None:
        bpy.ops.mesh.primitive_cylinder_add(radius=r, depth=depth, location=loc, vertices=32)
    else:
        bpy.ops.mesh.primitive_cone_add(radius1=r, radius2=r2, depth=depth, location=loc, vertices=32)
    o = bpy.context.object
    o.name = name
    o.data.materials.append(mat)
    return o


cylinder("FloorLamp_Base", 0.15, 0.03, (1.6, 1.7, 0.015), brass)
cylinder("FloorLamp_Pole", 0.015, 1.4, (1.6, 1.7, 0.73), brass)
cylinder("FloorLamp_Shade", 0.2, 0.28, (1.6, 1.7, 1.5), shade_m, 0.12)

sun = bpy.data.objects.new("Key", bpy.data.lights.new("Key", "AREA"))
sun.data.energy = 150
sun.data.size = 2
sun.location = (-1.5, -1.5, 2.8)
sun.rotation_euler = (Vector((0, 1, 0.5)) - sun.location).to_track_quat("-Z", "Y").to_euler()
bpy.context.scene.collection.objects.link(sun)
world = bpy.context.scene.world or bpy.data.worlds.new("World")
bpy.context.scene.world = world
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[1].default_value = 0.6

cam = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
cam.location = (0.4, -3.4, 1.9)
cam.rotation_euler = (Vector((0.1, 1.2, 0.5)) - cam.location).to_track_quat("-Z", "Y").to_euler()
cam.data.lens = 30
bpy.context.scene.collection.objects.link(cam)
bpy.context.scene.camera = cam

for name in ("FloorLamp_Base", "FloorLamp_Pole", "FloorLamp_Shade"):
    bpy.data.objects[name].location.x = -1.7
