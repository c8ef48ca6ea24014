# change: mode_set needs an active object, and an empty scene has none
# holds: [o.name for o in bpy.data.objects] == ['Stool']
# names: active object
import bpy

bpy.ops.object.mode_set(mode='OBJECT')
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

bpy.ops.mesh.primitive_cylinder_add(radius=0.2, depth=0.45, location=(0, 0, 0.225))
bpy.context.object.name = "Stool"
