# change: WorldLighting AO removed (2.80/4.2); also: world.horizon_color
# holds: tuple(round(v, 2) for v in bpy.context.scene.world.color) == (0.05, 0.1, 0.2) and bpy.context.scene.world.light_settings.distance == 2
import bpy

world = bpy.context.scene.world
world.light_settings.use_ambient_occlusion = True
world.light_settings.ao_factor = 0.5
world.light_settings.distance = 2
world.horizon_color = (0.05, 0.1, 0.2)

bpy.ops.mesh.primitive_monkey_add(location=(0, 0, 1))
bpy.ops.mesh.primitive_plane_add(size=12)
