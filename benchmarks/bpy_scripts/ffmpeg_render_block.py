# change: file_format FFMPEG needs image_settings.media_type=VIDEO (5.0)
# holds: bpy.context.scene.render.image_settings.file_format == 'FFMPEG' and bpy.context.scene.render.ffmpeg.format == 'MKV'
import bpy

bpy.ops.mesh.primitive_cube_add()

render = bpy.context.scene.render
render.resolution_x = 640
render.resolution_y = 360
render.image_settings.file_format = "FFMPEG"
render.image_settings.color_mode = "RGB"
render.ffmpeg.format = "MKV"
render.ffmpeg.constant_rate_factor = "HIGH"
