# change: scene.cursor_location -> scene.cursor.location (2.80)
# holds: tuple(round(v, 2) for v in bpy.data.objects[0].location) == (-0.5, 0.0, 1.0)
import bpy

bpy.ops.mesh.primitive_cube_add(location=(0, 0, 1))
door = bpy.context.object
door.scale = (0.5, 0.05, 1.0)

# hinge on the left side
saved = bpy.context.scene.cursor_location.copy()
bpy.context.scene.cursor_location = (-0.5, 0.0, 1.0)
bpy.ops.object.origin_set(type='ORIGIN_CURSOR')
bpy.context.scene.cursor_location = saved

door.rotation_euler[2] = 0.6
