# Blender 2.72
# Bouncing ball by writing the F-Curves directly; a dial driven by its height.
import bpy
from math import pi

scene = bpy.context.scene
scene.frame_start = 1
scene.frame_end = 96

for ob in list(scene.objects):
    scene.objects.unlink(ob)
    if ob.users == 0:
        bpy.data.objects.remove(ob)

bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, size=0.5, location=(-1.5, 0, 0.5))
ball = bpy.context.object
ball.name = "Ball"

bpy.ops.mesh.primitive_cylinder_add(vertices=3, radius=0.6, depth=0.15, location=(1.8, 0, 1.6), rotation=(pi / 2, 0, 0))
dial = bpy.context.object
dial.name = "Dial"

bpy.ops.mesh.primitive_plane_add(radius=5)

# ---- action with a bounce -------------------------------------------------
ball.animation_data_create()
act = bpy.data.actions.new("Bounce")
ball.animation_data.action = act

keys = [(1, 0.5), (12, 3.0), (24, 0.5)]
fcu = act.fcurves.new(data_path="location", index=2, action_group="Location")
fcu.keyframe_points.add(len(keys))
for kp, (frame, value) in zip(fcu.keyframe_points, keys):
    kp.co = (frame, value)
    kp.interpolation = 'BEZIER'
    if value < 1.0:
        kp.handle_left_type = 'VECTOR'
        kp.handle_right_type = 'VECTOR'
fcu.update()
fcu.modifiers.new('CYCLES')

# squash when it touches the floor
for axis, v in ((0, 1.25), (1, 1.25), (2, 0.7)):
    fc = act.fcurves.new(data_path="scale", index=axis, action_group="Squash")
    for frame, value in ((1, v), (4, 1.0), (21, 1.0), (24, v)):
        fc.keyframe_points.insert(frame, value)
    fc.modifiers.new(type='CYCLES')

# ---- driver ---------------------------------------------------------------
drv = dial.driver_add("rotation_euler", 1).driver
drv.type = 'SCRIPTED'
drv.show_debug_info = True
var = drv.variables.new()
var.name = "h"
var.type = 'TRANSFORMS'
var.targets[0].id = ball
var.targets[0].transform_type = 'LOC_Z'
var.targets[0].transform_space = 'WORLD_SPACE'
drv.expression = "h * 2.0"

# ---- hemi lamp & camera ---------------------------------------------------
lamp = bpy.data.lamps.new("Hemi", type='HEMI')
lamp_ob = bpy.data.objects.new("Hemi", lamp)
lamp_ob.location = (2, -4, 6)
scene.objects.link(lamp_ob)

bpy.ops.object.camera_add(location=(0, -10, 2.4), rotation=(pi / 2 - 0.08, 0, 0))
scene.camera = bpy.context.object

print("fcurves:", [(f.data_path, f.array_index) for f in ball.animation_data.action.fcurves])
