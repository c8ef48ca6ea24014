# change: transform.rotate(axis=) -> orient_axis= (2.80)
# holds: abs(bpy.data.objects['Plank'].rotation_euler.z) > 0.78
# names: orient_axis
import math

import bpy

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.1))
bpy.context.object.name = "Plank"
bpy.ops.transform.resize(value=(2, 0.3, 0.1))
bpy.ops.transform.rotate(value=math.radians(45), axis=(0, 0, 1))
