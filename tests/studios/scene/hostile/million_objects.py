import bpy

for i in range(1_000_000):
    bpy.ops.mesh.primitive_cube_add(location=(i % 1000, i // 1000, 0))
