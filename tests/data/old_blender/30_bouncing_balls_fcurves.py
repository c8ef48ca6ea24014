# Blender 4.2
# Scene: Five balls in rainbow colors at different heights (animated bouncing, one phase after the other) above a white floor with a light blue world, lit by a sun with sharp shadows.
# Old: action.fcurves.new(data_path, index, action_group) -> balls are animated up and down, bpy.data.actions.new assigned to animation_data.action without a slot -> animation really plays, fcurve lookup action.fcurves.find -> repeats by CYCLES modifier, render.engine 'BLENDER_EEVEE_NEXT' -> EEVEE
import bpy
import colorsys
from math import radians

for obj in bpy.data.objects:
    bpy.data.objects.remove(obj, do_unlink=True)
for action in bpy.data.actions:
    bpy.data.actions.remove(action)

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE_NEXT'
scene.render.fps = 24
scene.frame_start = 1
scene.frame_end = 96

PERIOD = 24
COUNT = 5


def bounce_action(name, phase, top):
    """One action with two F-curves: height and squash."""
    action = bpy.data.actions.new(name)
    fc = action.fcurves.new(data_path='location', index=2, action_group='Bounce')
    fc.keyframe_points.add(3)
    for kp, (frame, value, ease) in zip(fc.keyframe_points, (
            (1 + phase, 0.4, 'QUAD'),
            (1 + phase + PERIOD / 2, top, 'QUAD'),
            (1 + phase + PERIOD, 0.4, 'QUAD'))):
        kp.co = (frame, value)
        kp.interpolation = ease
    fc.keyframe_points[0].easing = 'EASE_OUT'
    fc.keyframe_points[1].easing = 'EASE_IN'
    fc.update()

    squash = action.fcurves.new(data_path='scale', index=2, action_group='Bounce')
    squash.keyframe_points.insert(1 + phase, 0.7)
    squash.keyframe_points.insert(4 + phase, 1.0)
    squash.keyframe_points.insert(PERIOD - 2 + phase, 1.0)
    squash.keyframe_points.insert(1 + PERIOD + phase, 0.7)

    for path in ('location', 'scale'):
        curve = action.fcurves.find(path, index=2)
        curve.modifiers.new('CYCLES')
    return action


def ball(i):
    x = (i - (COUNT - 1) / 2) * 1.4
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=0.5, location=(x, 0, 0.4))
    ob = bpy.context.active_object
    ob.name = f"Ball_{i}"
    bpy.ops.object.shade_smooth()
    mat = bpy.data.materials.new(f"Ball_{i}")
    mat.use_nodes = True
    rgb = colorsys.hsv_to_rgb(i / COUNT, 0.9, 0.9)
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    bsdf.inputs["Base Color"].default_value = (*rgb, 1.0)
    bsdf.inputs["Roughness"].default_value = 0.25
    bsdf.inputs["Coat Weight"].default_value = 0.5
    ob.data.materials.append(mat)
    ob.animation_data_create()
    ob.animation_data.action = bounce_action(f"Bounce_{i}", i * 4, 3.5)
    return ob


for i in range(COUNT):
    ball(i)

bpy.ops.mesh.primitive_plane_add(size=40)
floor = bpy.context.active_object
fm = bpy.data.materials.new("Floor")
fm.use_nodes = True
fm.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.85, 0.85, 0.85, 1)
floor.data.materials.append(fm)

bpy.ops.object.light_add(type='SUN', rotation=(radians(25), radians(20), 0))
sun = bpy.context.active_object.data
sun.energy = 3.0
sun.angle = radians(0.5)

scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.5, 0.7, 0.95, 1)

bpy.ops.object.camera_add(location=(0, -11, 3.2), rotation=(radians(83), 0, 0))
scene.camera = bpy.context.active_object
scene.frame_set(9)
