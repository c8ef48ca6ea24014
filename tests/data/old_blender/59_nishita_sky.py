# Blender 2.90
# Testing the new Nishita sky with some stonehenge blocks
# GPU people: tile 256, CPU people: tile 32
import bpy
from math import sin, cos, pi, radians

USE_GPU = False

scene = bpy.context.scene
render = scene.render
cycles = scene.cycles

# remove default stuff
for ob in scene.objects:
    ob.select_set(True)
bpy.ops.object.delete()

render.engine = 'CYCLES'
render.resolution_x = 1280
render.resolution_y = 720
render.tile_x = render.tile_y = 256 if USE_GPU else 32
cycles.device = 'GPU' if USE_GPU else 'CPU'
cycles.progressive = 'BRANCHED_PATH'
cycles.aa_samples = 48
cycles.diffuse_samples = 2
cycles.use_square_samples = False
cycles.caustics_reflective = False

# stones
for i in range(10):
    a = 2 * pi * i / 10
    bpy.ops.mesh.primitive_cube_add(size=1, location=(5 * cos(a), 5 * sin(a), 1.5), rotation=(0, 0, a))
    bpy.context.object.scale = (0.6, 1.2, 3)
    if i % 2 == 0:
        b = a + pi / 10
        bpy.ops.mesh.primitive_cube_add(size=1, location=(4.8 * cos(b), 4.8 * sin(b), 3.3), rotation=(0, 0, b))
        bpy.context.object.scale = (0.7, 4, 0.6)

bpy.ops.mesh.primitive_plane_add(size=200)

# a big card for fill light, camera should not see it
bpy.ops.mesh.primitive_plane_add(size=6, location=(0, -9, 5), rotation=(radians(60), 0, 0))
card = bpy.context.object
card.cycles_visibility.camera = False
card.cycles_visibility.shadow = False
mat = bpy.data.materials.new("Fill")
mat.use_nodes = True
mat.node_tree.nodes.clear()
em = mat.node_tree.nodes.new("ShaderNodeEmission")
mo = mat.node_tree.nodes.new("ShaderNodeOutputMaterial")
mat.node_tree.links.new(em.outputs[0], mo.inputs[0])
card.data.materials.append(mat)

# sky
world = scene.world or bpy.data.worlds.new("World")
scene.world = world
world.use_nodes = True
wn = world.node_tree
sky = wn.nodes.new("ShaderNodeTexSky")
sky.sky_type = 'NISHITA'
sky.sun_elevation = radians(8)
sky.sun_rotation = radians(-20)
sky.air_density = 1.2
sky.dust_density = 3.0
wn.links.new(sky.outputs["Color"], wn.nodes["Background"].inputs["Color"])
wn.nodes["Background"].inputs["Strength"].default_value = 0.2
bpy.ops.object.light_add(type='POINT', location=(0, 0, 1))
bpy.context.object.data.energy = 150
bpy.ops.object.camera_add(location=(0, -14, 2), rotation=(radians(87), 0, 0))
scene.camera = bpy.context.object
