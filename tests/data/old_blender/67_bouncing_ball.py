# Blender 3.2
# Bouncing ball made of raw F-curves, rendered straight to mp4.
# (data API only, works from the command line: blender -b -P bounce.py)
import bpy

FPS = 24
LENGTH = 96

scene = bpy.data.scenes[0]
for ob in list(scene.objects):
    bpy.data.objects.remove(ob)

# ball (metaball so that we need no operator and no bmesh)
mb = bpy.data.metaballs.new("Ball")
mb.resolution = 0.1
mb.elements.new(type='BALL').radius = 1.4
ball = bpy.data.objects.new("Ball", mb)
scene.collection.objects.link(ball)

floor_me = bpy.data.meshes.new("Floor")
floor_me.from_pydata([(-8, -8, 0), (8, -8, 0), (8, 8, 0), (-8, 8, 0)], [], [(0, 1, 2, 3)])
floor_me.update()
scene.collection.objects.link(bpy.data.objects.new("Floor", floor_me))

# keys: (frame, height)
keys = []
h, f, step = 5.0, 1, 14
while f < LENGTH:
    keys.append((f, h + 0.8))
    keys.append((f + step, 0.8))
    f += step * 2
    h *= 0.6

act = bpy.data.actions.new("BallAction")
ball.animation_data_create()
ball.animation_data.action = act

fz = act.fcurves.new(data_path="location", index=2, action_group="Location")
fz.keyframe_points.add(len(keys))
for kp, (frame, z) in zip(fz.keyframe_points, keys):
    kp.co = (frame, z)
    kp.interpolation = 'BEZIER'
    if z <= 0.81:
        kp.handle_left_type = kp.handle_right_type = 'VECTOR'
    else:
        kp.handle_left_type = kp.handle_right_type = 'AUTO_CLAMPED'
fz.update()

fx = act.fcurves.new("location", index=0, action_group="Location")
fx.extrapolation = 'LINEAR'
fx.keyframe_points.insert(1, -4).interpolation = 'LINEAR'
fx.keyframe_points.insert(LENGTH, 4).interpolation = 'LINEAR'
act.groups["Location"].color_set = 'THEME03'

sun = bpy.data.lights.new("Sun", 'SUN')
sun.energy = 3
sun.use_contact_shadow = True
sun.contact_shadow_distance = 0.5
sun_ob = bpy.data.objects.new("Sun", sun)
sun_ob.rotation_euler = (0.6, 0.3, 0)
scene.collection.objects.link(sun_ob)

cam = bpy.data.objects.new("Cam", bpy.data.cameras.new("Cam"))
cam.location = (0, -16, 3)
cam.rotation_euler = (1.52, 0, 0)
scene.collection.objects.link(cam)
scene.camera = cam

r = scene.render
r.fps = FPS
scene.frame_start, scene.frame_end = 1, LENGTH
r.image_settings.file_format = 'FFMPEG'
r.ffmpeg.format = 'MPEG4'
r.ffmpeg.codec = 'H264'
r.ffmpeg.constant_rate_factor = 'HIGH'
r.filepath = "//bounce.mp4"
