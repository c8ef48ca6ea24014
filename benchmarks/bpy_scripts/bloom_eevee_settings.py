# change: eevee.use_bloom removed (4.2); also: use_ssr, use_gtao, use_soft_shadows
# holds: bpy.context.scene.eevee.taa_render_samples == 32 and len(bpy.data.objects) == 1
import bpy

bpy.context.scene.render.engine = 'BLENDER_EEVEE'
eevee = bpy.context.scene.eevee
eevee.taa_render_samples = 32
eevee.use_bloom = True
eevee.bloom_radius = 6.5
eevee.use_ssr = True
eevee.use_ssr_refraction = True
eevee.use_gtao = True
eevee.gtao_distance = 0.2
eevee.use_soft_shadows = True
eevee.shadow_cube_size = '1024'

bpy.ops.mesh.primitive_uv_sphere_add()
bpy.ops.object.shade_smooth()
