# change: operators of objects do not run in edit mode
# holds: len(bpy.data.objects) == 2 and bpy.data.lights[0].type == 'SUN'
# names: object mode
import bpy

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
bpy.ops.object.mode_set(mode='EDIT')
bpy.ops.mesh.subdivide(number_cuts=2)
bpy.ops.object.shade_smooth()
bpy.ops.object.light_add(type='SUN', location=(2, -2, 4))
