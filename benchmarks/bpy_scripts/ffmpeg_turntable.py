# change: file_format FFMPEG needs image_settings.media_type=VIDEO (5.0); also: Action.fcurves
# holds: bpy.context.scene.render.image_settings.file_format == 'FFMPEG' and bpy.context.scene.render.ffmpeg.codec == 'H264'
import bpy
from math import radians

scene = bpy.context.scene
scene.frame_start = 1
scene.frame_end = 48
scene.render.fps = 24
scene.render.image_settings.file_format = 'FFMPEG'
scene.render.ffmpeg.format = 'MPEG4'
scene.render.ffmpeg.codec = 'H264'
scene.render.filepath = "//turntable.mp4"

bpy.ops.mesh.primitive_monkey_add()
monkey = bpy.context.object
monkey.keyframe_insert('rotation_euler', frame=1)
monkey.rotation_euler[2] = radians(360)
monkey.keyframe_insert('rotation_euler', frame=49)
for fcu in monkey.animation_data.action.fcurves:
    fcu.extrapolation = 'LINEAR'
