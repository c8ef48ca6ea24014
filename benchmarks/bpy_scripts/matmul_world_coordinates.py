# change: matrix * vector -> @ (2.80)
# holds: 1.5 < bpy.data.objects['Plane'].location.z < 2.0
import bpy

bpy.ops.mesh.primitive_cube_add(location=(1, 2, 3), rotation=(0.3, 0.2, 0.1))
obj = bpy.context.object

# global positions of all vertices
world = obj.matrix_world
points = [world * v.co for v in obj.data.vertices]
lowest = min(p.z for p in points)

bpy.ops.mesh.primitive_plane_add(size=8, location=(0, 0, lowest))
