# change: view look names prefixed with AgX (4.0); also: BLENDER_EEVEE_NEXT
# holds: bpy.context.scene.view_settings.look == 'AgX - Medium High Contrast' and bpy.context.scene.render.engine == 'BLENDER_EEVEE'
import bpy


def setup_render(scene, width=1280, height=720):
    scene.render.resolution_x = width
    scene.render.resolution_y = height
    view = scene.view_settings
    view.look = "Medium High Contrast"
    view.gamma = 1.0
    scene.render.engine = "BLENDER_EEVEE_NEXT"


setup_render(bpy.context.scene)
bpy.ops.mesh.primitive_torus_add()
bpy.ops.object.shade_smooth()
