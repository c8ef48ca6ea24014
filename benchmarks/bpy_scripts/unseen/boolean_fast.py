# change: Boolean solver FAST -> FLOAT (5.0)
# holds: bpy.data.objects['Wall'].modifiers['Window'].solver == 'FLOAT'
# names: FLOAT
import bpy

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 1.25))
wall = bpy.context.active_object
wall.name = "Wall"
wall.scale = (4, 0.2, 2.5)

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 1.4))
cutter = bpy.context.active_object
cutter.scale = (1.2, 1, 1)
cutter.hide_render = True

boolean = wall.modifiers.new(name="Window", type='BOOLEAN')
boolean.operation = 'DIFFERENCE'
boolean.solver = 'FAST'
boolean.object = cutter
