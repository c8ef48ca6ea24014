# change: WorldLighting AO removed (2.80/4.2)
# holds: round(bpy.context.scene.world.node_tree.nodes['Background'].inputs['Strength'].default_value, 2) == 0.8
import bpy

bpy.ops.mesh.primitive_cube_add()
for world in bpy.data.worlds:
    world.light_settings.use_ambient_occlusion = False
    world.use_nodes = True
    background = world.node_tree.nodes.get('Background')
    if background:
        background.inputs['Strength'].default_value = 0.8
