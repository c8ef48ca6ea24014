# change: file_format FFMPEG needs image_settings.media_type=VIDEO (5.0)
# holds: bpy.context.scene.render.image_settings.file_format == 'FFMPEG' and bpy.context.scene.render.ffmpeg.codec == 'MPEG4'
import bpy


def output_video(scene, path):
    """Write a video where the build can do that."""
    settings = scene.render.image_settings
    settings.file_format = 'FFMPEG'
    scene.render.filepath = path
    scene.render.ffmpeg.codec = 'MPEG4'
    scene.render.ffmpeg.video_bitrate = 6000


output_video(bpy.context.scene, '//out.avi')
for k in range(3):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5, location=(k * 1.5, 0, 0.5))
