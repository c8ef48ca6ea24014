# change: Action.fcurves -> layered actions/channelbags (5.0)
# holds: (bpy.context.scene.frame_set(30) or round(bpy.data.objects['Cube'].rotation_euler.z, 2)) == round(6.28319 * 29 / 59, 2)
import bpy
from math import radians

bpy.ops.mesh.primitive_cube_add(location=(0, 0, 1))
cube = bpy.context.object

# turn once in 60 frames, at an even speed
cube.rotation_euler = (0, 0, 0)
cube.keyframe_insert(data_path="rotation_euler", frame=1)
cube.rotation_euler = (0, 0, radians(360))
cube.keyframe_insert(data_path="rotation_euler", frame=60)

for fcurve in cube.animation_data.action.fcurves:
    for point in fcurve.keyframe_points:
        point.interpolation = 'LINEAR'

bpy.context.scene.frame_end = 60
