# brief: a teapot in front of a vase of flowers on a table, with a cup to the left of the teapot
# finds: requirement.relation
# states: [{"kind": "relation", "quote": "a teapot in front of a vase", "parts": ["Teapot"], "relation": "in_front_of", "of": ["Vase"]}]
import bpy
import math
from mathutils import Vector

bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()


def make_mat(name, rgba, rough=0.4):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes["Principled BSDF"]
    b.inputs["Base Color"].default_value = rgba
    b.inputs["Roughness"].default_value = rough
    return m


def lathe(name, profile, mat, loc, steps=48):
    verts, faces = [], []
    for i in range(steps):
        a = 2 * math.pi * i / steps
        verts += [(r * math.cos(a), r * math.sin(a), z) for r, z in profile]
    n = len(profile)
    for i in range(steps):
        j = (i + 1) % steps
        faces += [(i * n + k, j * n + k, j * n + k + 1, i * n + k + 1) for k in range(n - 1)]
    me = bpy.data.meshes.new(name)
    me.from_pydata(verts, [], faces)
    me.validate()
    o = bpy.data.objects.new(name, me)
    o.location = loc
    bpy.context.collection.objects.link(o)
    me.materials.append(mat)
    for p in me.polygons:
        p.use_smooth = True
    return o


porcelain = make_mat("Porcelain", (0.85, 0.85, 0.8, 1), 0.15)
clay = make_mat("Clay", (0.45, 0.15, 0.08, 1))
glass = make_mat("BlueGlaze", (0.1, 0.25, 0.5, 1), 0.1)
green = make_mat("Green", (0.1, 0.35, 0.08, 1))
pink = make_mat("Pink", (0.85, 0.25, 0.45, 1))
oak = make_mat("Oak", (0.45, 0.28, 0.13, 1))

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, -0.02))
table = bpy.context.object
table.name = "Table"
table.scale = (1.4, 0.9, 0.04)
table.data.materials.append(oak)

vase = lathe("Vase", [(0.001, 0), (0.06, 0), (0.08, 0.08), (0.05, 0.2), (0.045, 0.24), (0.055, 0.26)], glass, (0.05, 0.2, 0))
for i in range(5):
    a = 2 * math.pi * i / 5
    dx, dy = 0.07 * math.cos(a), 0.07 * math.sin(a)
    curve = bpy.data.curves.new(f"Flower_{i}_Stem", "CURVE")
    curve.dimensions = "3D"
    curve.bevel_depth = 0.004
    sp = curve.splines.new("BEZIER")
    sp.bezier_points.add(1)
    for bp, co in zip(sp.bezier_points, [(0.05, 0.2, 0.05), (0.05 + dx, 0.2 + dy, 0.42 + 0.02 * i)]):
        bp.co = co
        bp.handle_left_type = bp.handle_right_type = "AUTO"
    stem = bpy.data.objects.new(f"Flower_{i}_Stem", curve)
    bpy.context.collection.objects.link(stem)
    curve.materials.append(green)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.035, location=(0.05 + dx, 0.2 + dy, 0.44 + 0.02 * i))
    head = bpy.context.object
    head.name = f"Flower_{i}_Head"
    head.scale.z = 0.6
    head.data.materials.append(pink)

pot = lathe("Teapot", [(0.001, 0), (0.06, 0), (0.1, 0.06), (0.085, 0.12), (0.04, 0.15), (0.001, 0.155)], clay, (0.02, -0.12, 0))
bpy.ops.mesh.primitive_torus_add(major_radius=0.05, minor_radius=0.009, location=(0.12, -0.12, 0.08), rotation=(math.radians(90), 0, 0))
h = bpy.context.object
h.name = "Teapot_Handle"
h.data.materials.append(clay)
bpy.ops.mesh.primitive_cone_add(radius1=0.022, radius2=0.01, depth=0.12, location=(-0.1, -0.12, 0.1), rotation=(0, math.radians(-50), 0))
s = bpy.context.object
s.name = "Teapot_Spout"
s.data.materials.append(clay)
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.014, location=(0.02, -0.12, 0.165))
k = bpy.context.object
k.name = "Teapot_Knob"
k.data.materials.append(clay)

cup = lathe("Cup", [(0.001, 0.0), (0.03, 0.0), (0.045, 0.07), (0.042, 0.07), (0.028, 0.006), (0.001, 0.006)], porcelain, (-0.35, -0.1, 0))
tea = lathe("Tea", [(0.001, 0.055), (0.039, 0.055)], clay, (-0.35, -0.1, 0))

area = bpy.data.objects.new("Softbox", bpy.data.lights.new("Softbox", "AREA"))
area.data.energy = 40
area.data.size = 1.0
area.location = (-1.2, -1.0, 1.6)
area.rotation_euler = (Vector((0, 0, 0.1)) - area.location).to_track_quat("-Z", "Y").to_euler()
bpy.context.collection.objects.link(area)
w = bpy.data.worlds.new("World")
bpy.context.scene.world = w
w.use_nodes = True
w.node_tree.nodes["Background"].inputs[0].default_value = (0.6, 0.65, 0.7, 1)
cam = bpy.data.objects.new("Cam", bpy.data.cameras.new("Cam"))
cam.location = (0.15, -1.5, 0.75)
cam.rotation_euler = (Vector((0, 0.05, 0.15)) - cam.location).to_track_quat("-Z", "Y").to_euler()
bpy.context.collection.objects.link(cam)
bpy.context.scene.camera = cam

for name in ("Teapot", "Teapot_Handle", "Teapot_Spout", "Teapot_Knob"):
    bpy.data.objects[name].location.y += 0.45
