# change: sky_type NISHITA -> SINGLE_SCATTERING or MULTIPLE_SCATTERING (5.0)
# holds: bpy.context.scene.world.node_tree.nodes['Sky Texture'].sky_type.endswith('_SCATTERING') and round(bpy.context.scene.world.node_tree.nodes['Sky Texture'].sun_elevation, 2) == 0.26
# names: SCATTERING
import math

import bpy

world = bpy.data.worlds.new("Sky")
bpy.context.scene.world = world
world.use_nodes = True
tree = world.node_tree
background = tree.nodes["Background"]
sky = tree.nodes.new("ShaderNodeTexSky")
sky.sky_type = 'NISHITA'
sky.sun_elevation = math.radians(15)
sky.sun_rotation = math.radians(120)
tree.links.new(sky.outputs["Color"], background.inputs["Color"])
