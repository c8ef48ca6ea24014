# change: ParticleSettings.use_render_emitter -> Object.show_instancer_for_render (2.80), hair 'draw_method'
# holds: bpy.data.objects['Lawn'].particle_systems[0].settings.type == 'HAIR' and not bpy.data.objects['Lawn'].show_instancer_for_render
# names: show_instancer_for_render
import bpy

bpy.ops.mesh.primitive_plane_add(size=4)
lawn = bpy.context.object
lawn.name = "Lawn"
bpy.ops.object.particle_system_add()
settings = lawn.particle_systems[0].settings
settings.type = 'HAIR'
settings.count = 500
settings.hair_length = 0.08
settings.use_render_emitter = False
