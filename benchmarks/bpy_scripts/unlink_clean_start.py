# change: scene.objects.unlink -> collection/data.remove (2.80)
# holds: [o.name for o in bpy.context.scene.objects] == ['Suzanne']
import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.ops.mesh.primitive_uv_sphere_add(location=(3, 0, 0))

# Start from an empty scene
scene = bpy.context.scene
for ob in scene.objects:
    if ob.type == 'MESH':
        scene.objects.unlink(ob)

bpy.ops.mesh.primitive_monkey_add(location=(0, 0, 1))
monkey = bpy.context.object
monkey.name = "Suzanne"
