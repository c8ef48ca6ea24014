# change: layers operators removed (2.80); also: obj.select
# holds: len(bpy.data.objects) == 2 and round(bpy.data.objects['Cone'].rotation_euler.x, 2) == 0.4
import bpy

bpy.ops.mesh.primitive_cone_add(location=(0, 0, 1))
cone = bpy.context.object
bpy.ops.mesh.primitive_cylinder_add(location=(3, 0, 1))
cylinder = bpy.context.object

bpy.ops.object.select_by_layer()
for ob in (cone, cylinder):
    ob.select = True
bpy.ops.object.move_to_layer(layers=[i == 1 for i in range(20)])
cone.rotation_euler.x = 0.4
