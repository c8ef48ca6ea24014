import ctypes

import bpy

bpy.ops.mesh.primitive_cube_add()
ctypes.string_at(0)
