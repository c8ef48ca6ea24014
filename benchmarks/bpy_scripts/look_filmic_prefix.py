# change: view look names prefixed with AgX (4.0)
# holds: bpy.context.scene.view_settings.look == 'AgX - Very High Contrast'
import bpy

# colour management as in 2.8x
bpy.context.scene.display_settings.display_device = 'sRGB'
bpy.context.scene.view_settings.look = 'Filmic - Very High Contrast'
bpy.context.scene.view_settings.exposure = -0.2

bpy.ops.mesh.primitive_monkey_add(size=2, location=(0, 0, 1))
bpy.ops.mesh.primitive_plane_add(size=10)
