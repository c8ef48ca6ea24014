# change: layers operators removed (2.80); also: obj.layers, scene.layers
# holds: len(bpy.context.scene.objects) == 2
import bpy

bpy.ops.mesh.primitive_cube_add(location=(0, 0, 1))
cube = bpy.context.object
bpy.ops.mesh.primitive_cube_add(location=(3, 0, 1))

# keep the helper on layer 2
bpy.ops.object.select_by_layer(match='EXACT', layers=2)
bpy.ops.object.select_all(action='DESELECT')

cube.layers[0] = True
for i in range(1, 20):
    cube.layers[i] = False
bpy.context.scene.layers = [True] + [False] * 19
