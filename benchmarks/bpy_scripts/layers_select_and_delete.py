# change: layers operators removed (2.80)
# holds: sorted(o.name for o in bpy.data.objects) == ['Box', 'Plane']
import bpy

# delete everything on the visible layer
bpy.ops.object.select_by_layer()
bpy.ops.object.delete()

bpy.ops.mesh.primitive_cube_add(location=(0, 0, 1))
bpy.context.object.name = "Box"
bpy.ops.mesh.primitive_plane_add(location=(0, 0, 0))
bpy.context.object.scale = (5, 5, 1)
