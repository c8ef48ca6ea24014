# change: Object.select -> select_set(), scene.objects.active -> view_layer.objects.active (2.80)
# holds: [o.name for o in bpy.context.selected_objects] == ['B'] and bpy.context.view_layer.objects.active.name == 'B'
# names: select_set
import bpy

for name, x in (("A", 0), ("B", 2)):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(x, 0, 0.5))
    bpy.context.object.name = name
for obj in bpy.context.scene.objects:
    obj.select = False
b = bpy.data.objects["B"]
b.select = True
bpy.context.scene.objects.active = b
