# change: Vector(x, y, z) takes one sequence; Object.rotation as one number
# holds: [round(v, 2) for v in bpy.data.objects['Shelf'].location] == [0.0, 0.4, 1.5] and round(bpy.data.objects['Shelf'].rotation_euler[2], 2) == 0.79
# names: Vector((
import math

import bpy
from mathutils import Vector

bpy.ops.mesh.primitive_cube_add(size=1)
shelf = bpy.context.object
shelf.name = "Shelf"
shelf.scale = (0.8, 0.25, 0.03)
shelf.location = Vector(0, 0.4, 1.5)
shelf.rotation_euler = math.radians(45)
shelf.rotation_euler.z = math.radians(45)
