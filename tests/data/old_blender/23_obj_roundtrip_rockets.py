# Blender 3.1
# Scene: Three rockets side by side (white lacquered body, red cone tip, red fins): the original in the middle, two re-imported copies left and right of it, on a dark blue floor with a dark blue world, lit by two area lights.
# Old: bpy.ops.export_scene.obj (with axis_forward, use_selection, use_materials) into the temp folder -> file is written with colors, bpy.ops.import_scene.obj -> two copies standing upright with the same white and red, bpy.ops.export_mesh.stl and import_mesh.stl -> a small solid nose cone lying in front, Principled 'Clearcoat' -> glossy white body
import bpy
import os
import tempfile
from math import radians, cos, sin, pi

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

TMP = tempfile.mkdtemp()
OBJ = os.path.join(TMP, "rocket.obj")
STL = os.path.join(TMP, "nose.stl")


def mat(name, rgb, coat=0.0):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes["Principled BSDF"]
    b.inputs["Base Color"].default_value = rgb + (1,)
    b.inputs["Roughness"].default_value = 0.4
    b.inputs["Clearcoat"].default_value = coat
    return m


white = mat("Body", (0.85, 0.85, 0.85), 1.0)
red = mat("Trim", (0.7, 0.02, 0.02))
navy = mat("Floor", (0.01, 0.02, 0.08))

# --- build one rocket
parts = []
bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=0.5, depth=2.4, location=(0, 0, 1.7))
body = bpy.context.object
body.data.materials.append(white)
parts.append(body)
bpy.ops.mesh.primitive_cone_add(vertices=48, radius1=0.5, radius2=0.0, depth=1.1, location=(0, 0, 3.45))
nose = bpy.context.object
nose.name = "Nose"
nose.data.materials.append(red)
parts.append(nose)
for i in range(3):
    a = i * 2 * pi / 3 - pi / 2
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0.75 * cos(a), 0.75 * sin(a), 0.6), rotation=(0, 0, a))
    fin = bpy.context.object
    fin.scale = (0.6, 0.08, 1.0)
    fin.data.materials.append(red)
    parts.append(fin)

# --- export the nose alone as STL, bring it back in front
bpy.ops.object.select_all(action='DESELECT')
nose.select_set(True)
bpy.ops.export_mesh.stl(filepath=STL, use_selection=True)
bpy.ops.import_mesh.stl(filepath=STL)
lying = bpy.context.selected_objects[0]
lying.rotation_euler = (radians(90), 0, radians(30))
lying.location = (0, -0.5, 0.3)
lying.scale = (0.6, 0.6, 0.6)
lying.data.materials.append(red)

# --- whole rocket through OBJ, twice
bpy.ops.object.select_all(action='DESELECT')
for p in parts:
    p.select_set(True)
bpy.ops.export_scene.obj(filepath=OBJ, use_selection=True, use_materials=True,
                         axis_forward='-Z', axis_up='Y')
for x in (-2.6, 2.6):
    bpy.ops.import_scene.obj(filepath=OBJ, axis_forward='-Z', axis_up='Y')
    for ob in bpy.context.selected_objects:
        ob.location.x += x

bpy.ops.mesh.primitive_plane_add(size=30, location=(0, 0, 0))
bpy.context.object.data.materials.append(navy)

for x, e in ((-5, 500), (5, 250)):
    bpy.ops.object.light_add(type='AREA', location=(x, -5, 6), rotation=(radians(50), 0, radians(45 if x > 0 else -45)))
    bpy.context.object.data.energy = e
    bpy.context.object.data.size = 3
w = bpy.context.scene.world
w.use_nodes = True
w.node_tree.nodes["Background"].inputs[0].default_value = (0.01, 0.02, 0.06, 1)
bpy.ops.object.camera_add(location=(0, -13, 3.2), rotation=(radians(83), 0, 0))
bpy.context.scene.camera = bpy.context.object
