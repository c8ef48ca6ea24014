# change: eevee.use_bloom removed (4.2)
# holds: bpy.context.scene.eevee.taa_render_samples == 64 and len(bpy.data.objects) == 1
import bpy


def configure_eevee(scene, bloom=True, samples=64):
    eevee = scene.eevee
    eevee.taa_render_samples = samples
    eevee.use_bloom = bloom
    if bloom:
        eevee.bloom_color = (1.0, 0.9, 0.8)


configure_eevee(bpy.context.scene)
bpy.ops.mesh.primitive_cube_add(size=1)
