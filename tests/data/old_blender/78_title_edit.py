# Blender 4.3
# 3D shot in one scene, edit with titles in another (VSE from Python)
import bpy
from math import radians

END = 100

# ------------------------------------------------------------ shot
shot = bpy.context.scene
shot.name = "Shot"
shot.frame_end = END
for ob in list(shot.objects):
    bpy.data.objects.remove(ob)

for i in range(10):
    bpy.ops.mesh.primitive_cube_add(size=0.8, location=(i - 4.5, 0, 0.4))
    cube = bpy.context.object
    cube.keyframe_insert(data_path="location", frame=1)
    cube.location.z = 0.4 + i * 0.25
    cube.keyframe_insert(data_path="location", frame=40 + i * 5)

bpy.ops.mesh.primitive_plane_add(size=30)
bpy.ops.object.light_add(type='AREA', location=(0, -5, 7), rotation=(radians(35), 0, 0))
bpy.context.object.data.energy = 1000
bpy.context.object.data.shape = 'DISK'
bpy.context.object.data.size = 4
bpy.ops.object.camera_add(location=(0, -13, 4), rotation=(radians(78), 0, 0))
shot.camera = bpy.context.object

# ------------------------------------------------------------ edit
edit = bpy.data.scenes.new("Edit")
edit.frame_start, edit.frame_end = 1, END
edit.render.fps = 25
edit.render.resolution_x, edit.render.resolution_y = 1280, 720
se = edit.sequence_editor_create()

clip = se.sequences.new_scene(name="Shot", scene=shot, channel=1, frame_start=1)
clip.frame_final_end = END
clip.scene_input = 'CAMERA'

bg = se.sequences.new_effect(name="Bar", type='COLOR', channel=2, frame_start=1, frame_end=60)
bg.color = (0.02, 0.02, 0.02)
bg.blend_type = 'ALPHA_OVER'
bg.blend_alpha = 0.6
bg.transform.scale_y = 0.18
bg.transform.offset_y = -280

title = se.sequences.new_effect(name="Title", type='TEXT', channel=3, frame_start=1, frame_end=60)
title.text = "Stairs, take one"
title.font_size = 64
title.align_x = 'CENTER'
title.align_y = 'BOTTOM'
title.location = (0.5, 0.07)
title.use_shadow = True
title.blend_type = 'ALPHA_OVER'
title.blend_alpha = 0.0
title.keyframe_insert("blend_alpha", frame=1)
title.blend_alpha = 1.0
title.keyframe_insert("blend_alpha", frame=15)

for s in se.sequences_all:
    print(s.channel, s.name, s.type, s.frame_final_start, s.frame_final_end)

edit.render.use_sequencer = True
edit.render.filepath = "//title.mkv"
edit.render.image_settings.file_format = 'FFMPEG'
edit.render.ffmpeg.format = 'MKV'
edit.render.ffmpeg.codec = 'H264'
edit.render.ffmpeg.audio_codec = 'NONE'
if bpy.context.window:
    bpy.context.window.scene = shot
