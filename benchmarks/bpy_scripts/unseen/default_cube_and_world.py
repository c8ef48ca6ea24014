# change: an empty scene has no 'Cube', 'Light' or 'World'
# holds: [o.name for o in bpy.data.objects] == ['Table']
# names: empty
import bpy

bpy.data.objects.remove(bpy.data.objects["Cube"], do_unlink=True)
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.4))
bpy.context.object.name = "Table"
bpy.context.object.dimensions = (1.4, 0.8, 0.8)
