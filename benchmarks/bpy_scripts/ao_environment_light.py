# change: WorldLighting AO removed (2.80/4.2); also: use_environment_light, zenith_color
# holds: len(bpy.data.objects) == 1
import bpy

scene = bpy.context.scene
if scene.world is None:
    scene.world = bpy.data.worlds.new("World")

light_settings = scene.world.light_settings
light_settings.use_ambient_occlusion = True
light_settings.ao_blend_type = 'MULTIPLY'
light_settings.use_environment_light = True
light_settings.environment_energy = 0.7
light_settings.samples = 10
scene.world.zenith_color = (0.1, 0.3, 0.8)

bpy.ops.mesh.primitive_uv_sphere_add()
