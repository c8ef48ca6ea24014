# change: view look names prefixed with AgX (4.0)
# holds: bpy.context.scene.view_settings.look == 'AgX - High Contrast'
import bpy

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.samples = 64
scene.view_settings.exposure = 0.3
scene.view_settings.look = 'High Contrast'

bpy.ops.mesh.primitive_cube_add()
bpy.ops.object.light_add(type='SUN', location=(0, 0, 10))
