# Blender 3.3
"""Desert stones under a Nishita sky, with a glare + vignette comp tree."""
import bpy, random
from mathutils import Vector

scene = bpy.context.scene
bpy.ops.wm.read_homefile(use_empty=True)
scene = bpy.context.scene

# ---------- world
world = bpy.data.worlds.new("Desert")
scene.world = world
world.use_nodes = True
wn = world.node_tree.nodes
sky = wn.new("ShaderNodeTexSky")
sky.sky_type = 'NISHITA'
sky.sun_elevation = 0.12
sky.sun_rotation = 2.6
sky.dust_density = 4.0
sky.air_density = 1.2
world.node_tree.links.new(sky.outputs["Color"], wn["Background"].inputs["Color"])
wn["Background"].inputs["Strength"].default_value = 0.3

# ---------- ground and stones
bpy.ops.mesh.primitive_grid_add(x_subdivisions=60, y_subdivisions=60, size=60)
ground = bpy.context.object
for v in ground.data.vertices:
    v.co.z = random.uniform(-0.06, 0.06)
sand = bpy.data.materials.new("Sand")
sand.diffuse_color = (0.7, 0.5, 0.3, 1)
sand.use_nodes = True
sand.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.6, 0.38, 0.2, 1)
ground.data.materials.append(sand)

random.seed(4)
for i in range(15):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=random.uniform(0.2, 0.9),
                                          location=(random.uniform(-8, 8), random.uniform(-2, 14), 0.1))
    s = bpy.context.object
    s.scale.z = random.uniform(0.4, 1.8)
    s.data.materials.append(sand)

bpy.ops.object.light_add(type='SUN', location=(0, 0, 10), rotation=(1.3, 0, 2.6))
bpy.context.object.data.energy = 1.5
bpy.ops.object.camera_add(location=(0, -12, 1.7), rotation=(1.5, 0, 0))
scene.camera = bpy.context.object

# ---------- compositor
scene.use_nodes = True
tree = scene.node_tree
for n in tree.nodes:
    tree.nodes.remove(n)
rl = tree.nodes.new('CompositorNodeRLayers')
glare = tree.nodes.new('CompositorNodeGlare')
glare.glare_type = 'FOG_GLOW'
glare.quality = 'HIGH'
glare.threshold = 0.9
glare.size = 7
mask = tree.nodes.new('CompositorNodeEllipseMask')
mask.width, mask.height = 0.95, 0.85
blur = tree.nodes.new('CompositorNodeBlur')
blur.size_x = blur.size_y = 200
mix = tree.nodes.new('CompositorNodeMixRGB')
mix.blend_type = 'MULTIPLY'
mix.inputs[0].default_value = 0.6
comp = tree.nodes.new('CompositorNodeComposite')
tree.links.new(rl.outputs['Image'], glare.inputs['Image'])
tree.links.new(mask.outputs[0], blur.inputs[0])
tree.links.new(glare.outputs[0], mix.inputs[1])
tree.links.new(blur.outputs[0], mix.inputs[2])
tree.links.new(mix.outputs[0], comp.inputs['Image'])

scene.render.engine = 'CYCLES'
