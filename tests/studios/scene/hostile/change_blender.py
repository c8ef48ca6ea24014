import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.context.object.name = "still here"
bpy.ops = bpy.data = bpy.app = bpy.path = bpy.utils = None
