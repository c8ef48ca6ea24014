# Blender 2.81
# Scene: The gold 3D word ORBIT in the middle, a glowing green ball that runs round it on a circle path with a thin white visible track, dark violet world, a white key area light and a violet point light behind.
# Old: action.fcurves of the animated object -> keys become linear and repeat with a CYCLES modifier, Principled 'Emission' color without strength -> the ball glows green with strength 1, eevee.use_bloom with bloom_color -> soft glow around the ball, Principled 'Specular' -> gold keeps its highlights, constraint.use_offset of COPY_ROTATION -> the little ring on the ball turns added to its own rotation
import bpy
from math import radians
from mathutils import Vector

# ---- clean up
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

scene = bpy.context.scene
coll = bpy.context.scene.collection
scene.frame_end = 120
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_bloom = True
scene.eevee.bloom_color = (1.0, 1.0, 1.0)


def make_mat(name, base, metallic=0.0, rough=0.5, emission=None, specular=0.5):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    p = m.node_tree.nodes['Principled BSDF'].inputs
    for key, val in (('Base Color', base), ('Metallic', metallic), ('Roughness', rough), ('Specular', specular)):
        p[key].default_value = val
    if emission is not None:
        p['Emission'].default_value = emission
    return m


# ---- text
cu = bpy.data.curves.new('Logo', 'FONT')
cu.body = 'ORBIT'
cu.align_x = 'CENTER'
cu.size = 1.5
cu.extrude, cu.bevel_depth = 0.15, 0.02
cu.materials.append(make_mat('Gold', (0.9, 0.6, 0.12, 1), 1.0, 0.25))
logo = bpy.data.objects.new('Logo', cu)
logo.rotation_euler[0], logo.location[2] = radians(90), 0.5
coll.objects.link(logo)
# ---- track
bpy.ops.curve.primitive_bezier_circle_add(radius=3.2, location=(0, 0, 1), rotation=(radians(10), 0, 0))
track = bpy.context.object
track.data.bevel_depth = 0.015
track.data.path_duration = 120
track.data.materials.append(make_mat('Track', (0.9, 0.9, 0.9, 1)))
# ---- ball on the track
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3)
ball = bpy.context.object
bpy.ops.object.shade_smooth()
ball.data.materials.append(make_mat('Glow', (0, 0, 0, 1), emission=(0.1, 1.0, 0.2, 1)))
follow = ball.constraints.new('FOLLOW_PATH')
follow.target = track
follow.use_fixed_location = True
for frame, value in ((1, 0.0), (121, 1.0)):
    follow.offset_factor = value
    follow.keyframe_insert('offset_factor', frame=frame)
for fc in ball.animation_data.action.fcurves:
    for kp in fc.keyframe_points:
        kp.interpolation = 'LINEAR'
    fc.modifiers.new('CYCLES')

# ---- ring around the ball
bpy.ops.mesh.primitive_torus_add(major_radius=0.55, minor_radius=0.03)
ring = bpy.context.object
ring.parent = ball
ring.rotation_euler = (radians(30), 0, 0)
ring.data.materials.append(make_mat('Ring', (0.8, 0.8, 0.85, 1), 1.0, 0.2))
cr = ring.constraints.new('COPY_ROTATION')
cr.target = logo
cr.use_offset = True

# ---- lights, world, camera
for name, kind, loc, power, color in (
        ('Key', 'AREA', (-3, -5, 6), 500, (1, 1, 1)),
        ('Back', 'POINT', (3, 4, 3), 300, (0.6, 0.2, 1.0))):
    ld = bpy.data.lights.new(name, kind)
    ld.energy, ld.color = power, color
    lo = bpy.data.objects.new(name, ld)
    lo.location = loc
    lo.rotation_euler = (Vector((0, 0, 1)) - Vector(loc)).to_track_quat('-Z', 'Y').to_euler()
    coll.objects.link(lo)

scene.world.use_nodes = True
scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.02, 0.01, 0.05, 1)
cam = bpy.data.objects.new('Cam', bpy.data.cameras.new('Cam'))
cam.location, cam.rotation_euler = (0, -10, 3), (radians(78), 0, 0)
coll.objects.link(cam)
scene.camera = cam
scene.frame_set(20)
