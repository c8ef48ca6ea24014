# change: engine BLENDER_EEVEE_NEXT -> BLENDER_EEVEE (5.0), eevee.use_gtao and use_ssr removed (5.0)
# holds: bpy.context.scene.render.engine == 'BLENDER_EEVEE' and bpy.context.scene.render.resolution_x == 1280
# names: BLENDER_EEVEE
import bpy

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE_NEXT'
scene.eevee.taa_render_samples = 64
scene.eevee.use_gtao = True
scene.eevee.gtao_distance = 0.5
scene.eevee.use_ssr = True
scene.render.resolution_x = 1280
scene.render.resolution_y = 720
