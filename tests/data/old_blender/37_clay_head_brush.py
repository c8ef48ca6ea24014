# Blender 4.4
# Scene: A terracotta clay head (deformed sphere with nose, ears and two white eye balls) on a grey turntable, with a drawn blue circle arrow (grease pencil) around the turntable, dark grey world, lit by three point lights (white, warm, cool).
# Old: brush.sculpt_tool = 'CLAY_STRIPS' -> must not stop the script (a sculpt brush of that type), brush.curve_preset = 'SMOOTH' -> must not stop the script, bpy.data.grease_pencils_v3.new -> the blue circle arrow is drawn, render.engine 'BLENDER_EEVEE_NEXT' -> EEVEE
import bpy
import math
from mathutils import Vector, noise

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE_NEXT'

# ---------------------------------------------------------------------------
# a brush for the artist who goes on sculpting
# ---------------------------------------------------------------------------
brush = bpy.data.brushes.new("Soft Clay Strips", mode='SCULPT')
brush.sculpt_tool = 'CLAY_STRIPS'
brush.curve_preset = 'SMOOTH'
brush.strength = 0.4
brush.size = 60


def material(name, rgb, rough=0.7):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*rgb, 1.0)
    m.node_tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = rough
    return m


clay = material("Terracotta", (0.55, 0.2, 0.1), 0.75)
eye_white = material("Eye", (0.9, 0.9, 0.88), 0.2)
grey = material("Turntable", (0.3, 0.3, 0.32), 0.4)

# head
bpy.ops.mesh.primitive_uv_sphere_add(segments=96, ring_count=64, radius=1.0, location=(0, 0, 1.6))
head = bpy.context.active_object
head.name = "Head"
nose_dir = Vector((0, -1, 0.02)).normalized()
for v in head.data.vertices:
    n = v.co.normalized()
    bump = 0.35 * max(0.0, n.dot(nose_dir) - 0.93) / 0.07                # nose
    for side in (-1, 1):
        bump += 0.25 * max(0.0, n.dot(Vector((side, 0.1, 0.05)).normalized()) - 0.95) / 0.05   # ears
        bump -= 0.1 * max(0.0, n.dot(Vector((0.36 * side, -0.85, 0.28)).normalized()) - 0.97) / 0.03  # eye sockets
    bump += 0.03 * noise.noise(v.co * 3.0)
    v.co += n * bump
    v.co.z *= 1.2 if v.co.z > 0 else 1.3
    if v.co.z < 0:
        v.co.x *= 1.0 + 0.2 * v.co.z
bpy.ops.object.shade_smooth()
head.data.materials.append(clay)

for side in (-1, 1):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.14, location=(0.34 * side, -0.79, 1.92))
    bpy.context.active_object.data.materials.append(eye_white)
    bpy.ops.object.shade_smooth()

bpy.ops.mesh.primitive_cylinder_add(vertices=96, radius=1.5, depth=0.3, location=(0, 0, 0.15))
bpy.context.active_object.data.materials.append(grey)
bpy.ops.mesh.primitive_plane_add(size=30)
bpy.context.active_object.data.materials.append(grey)

# drawn arrow around the turntable
gp = bpy.data.grease_pencils_v3.new("Arrow")
ink = bpy.data.materials.new("BlueInk")
bpy.data.materials.create_gpencil_data(ink)
ink.grease_pencil.color = (0.05, 0.3, 1.0, 1.0)
gp.materials.append(ink)
drawing = gp.layers.new("Arrow").frames.new(1).drawing
arc = [(2.0 * math.cos(math.radians(a)), 2.0 * math.sin(math.radians(a)), 0.05) for a in range(200, 341, 4)]
tip = [(1.55, -0.95, 0.05), arc[-1], (2.05, -1.2, 0.05)]
drawing.add_strokes([len(arc), len(tip)])
for stroke, coords in zip(drawing.strokes, (arc, tip)):
    for point, co in zip(stroke.points, coords):
        point.position = co
        point.radius = 0.04
scene.collection.objects.link(bpy.data.objects.new("Arrow", gp))

for loc, power, color in (((-3, -4, 4), 400, (1, 1, 1)), ((4, -2, 2.5), 200, (1, 0.7, 0.4)), ((1, 4, 4), 300, (0.5, 0.7, 1))):
    bpy.ops.object.light_add(type='POINT', location=loc)
    bpy.context.active_object.data.energy = power
    bpy.context.active_object.data.color = color
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.03, 0.03, 0.035, 1)
bpy.ops.object.camera_add(location=(0, -8, 2.4), rotation=(math.radians(83), 0, 0))
scene.camera = bpy.context.active_object
