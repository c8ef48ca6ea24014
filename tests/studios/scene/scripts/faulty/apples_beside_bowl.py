# brief: three red apples in a wooden bowl on a table, with a blue mug to the left of the bowl
# finds: requirement.relation
# states: [{"kind": "relation", "quote": "in a wooden bowl", "parts": ["Apple_1", "Apple_2", "Apple_3"], "relation": "inside", "of": ["Bowl"]}]
import bpy
import math
from mathutils import Vector

for obj in list(bpy.data.objects):
    bpy.data.objects.remove(obj, do_unlink=True)


def material(name, rgb, roughness=0.5):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    bsdf.inputs["Base Color"].default_value = (*rgb, 1.0)
    bsdf.inputs["Roughness"].default_value = roughness
    return mat


wood = material("Wood", (0.35, 0.18, 0.08))
dark_wood = material("DarkWood", (0.2, 0.09, 0.04))
red = material("AppleRed", (0.6, 0.03, 0.03), 0.3)
blue = material("MugBlue", (0.05, 0.15, 0.55), 0.25)
green = material("Stem", (0.15, 0.1, 0.03))
grey = material("FloorGrey", (0.5, 0.48, 0.45), 0.9)

bpy.ops.mesh.primitive_plane_add(size=10)
floor = bpy.context.object
floor.name = "Floor"
floor.data.materials.append(grey)

# table
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.735))
top = bpy.context.object
top.name = "Table_Top"
top.scale = (1.6, 0.9, 0.03)
top.data.materials.append(wood)
for i, (sx, sy) in enumerate([(-1, -1), (1, -1), (-1, 1), (1, 1)]):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(sx * 0.72, sy * 0.37, 0.36))
    leg = bpy.context.object
    leg.name = f"Table_Leg_{i + 1}"
    leg.scale = (0.06, 0.06, 0.72)
    leg.data.materials.append(wood)

TOP = 0.75

# bowl: lower half of a sphere with thickness
bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=0.18, location=(0.1, 0, TOP + 0.18))
bowl = bpy.context.object
bowl.name = "Bowl"
import bmesh
bm = bmesh.new()
bm.from_mesh(bowl.data)
bmesh.ops.delete(bm, geom=[v for v in bm.verts if v.co.z > -0.06], context="VERTS")
bm.to_mesh(bowl.data)
bm.free()
solid = bowl.modifiers.new("Solidify", "SOLIDIFY")
solid.thickness = 0.012
solid.offset = -1
bowl.data.materials.append(dark_wood)
for p in bowl.data.polygons:
    p.use_smooth = True

# apples in the bowl
for i in range(3):
    a = i * 2 * math.pi / 3 + 0.4
    r = 0.04
    x, y = 0.1 + 0.052 * math.cos(a), 0.052 * math.sin(a)
    # resting on the inside of the sphere of radius 0.168
    dz = math.sqrt((0.168 - r) ** 2 - 0.052**2)
    z = TOP + 0.18 - dz
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=r, location=(x, y, z))
    apple = bpy.context.object
    apple.name = f"Apple_{i + 1}"
    apple.data.materials.append(red)
    bpy.ops.object.shade_smooth()
    bpy.ops.mesh.primitive_cylinder_add(radius=0.003, depth=0.02, location=(x, y, z + r + 0.005))
    stem = bpy.context.object
    stem.name = f"Apple_{i + 1}_Stem"
    stem.data.materials.append(green)
    stem.parent = apple
    stem.matrix_parent_inverse = apple.matrix_world.inverted()

# mug
bpy.ops.mesh.primitive_cylinder_add(radius=0.045, depth=0.1, location=(-0.35, -0.05, TOP + 0.05))
mug = bpy.context.object
mug.name = "Mug"
mug.data.materials.append(blue)
bpy.ops.mesh.primitive_torus_add(location=(-0.405, -0.05, TOP + 0.05), rotation=(math.radians(90), 0, 0), major_radius=0.028, minor_radius=0.007)
handle = bpy.context.object
handle.name = "Mug_Handle"
handle.data.materials.append(blue)

# light
bpy.ops.object.light_add(type="AREA", location=(1.5, -1.5, 2.8))
key = bpy.context.object
key.data.energy = 120
key.data.size = 1.5
key.rotation_euler = (math.radians(35), math.radians(25), 0)
bpy.ops.object.light_add(type="SUN", location=(0, 0, 5))
bpy.context.object.data.energy = 1.5
bpy.context.object.rotation_euler = (math.radians(40), 0, math.radians(30))
world = bpy.data.worlds.new("World")
bpy.context.scene.world = world
world.use_nodes = True
world.node_tree.nodes["Background"].inputs[0].default_value = (0.7, 0.75, 0.8, 1)
world.node_tree.nodes["Background"].inputs[1].default_value = 0.4

cam_data = bpy.data.cameras.new("Camera")
cam = bpy.data.objects.new("Camera", cam_data)
bpy.context.collection.objects.link(cam)
cam.location = (0.1, -2.0, 1.6)
direction = Vector((0, 0, 0.78)) - cam.location
cam.rotation_euler = direction.to_track_quat("-Z", "Y").to_euler()
bpy.context.scene.camera = cam

for i in range(3):
    bpy.data.objects[f"Apple_{i + 1}"].location = (0.45 + 0.1 * i, -0.2, 0.79)
