# Blender 2.80
# Scene: A hilly alien ground in orange and violet patches with fine cell pattern, three smooth turquoise pillars standing on it, pink-grey world, lit by a low sun from the left.
# Old: mapping.scale and mapping.rotation as properties of ShaderNodeMapping -> pattern is four times finer and turned, ShaderNodeTexMusgrave -> fractal mix between orange and violet, ShaderNodeMixRGB -> same blend of the two colors (multiplied with the cells), voronoi.coloring 'CELLS' -> one random color per cell, render.tile_x/tile_y -> ignored in Cycles
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.samples = 64
scene.render.tile_x = 256
scene.render.tile_y = 256

# ---------- ground shader ----------
mat = bpy.data.materials.new('AlienGround')
mat.use_nodes = True
nodes = mat.node_tree.nodes
links = mat.node_tree.links
bsdf = nodes['Principled BSDF']
bsdf.inputs['Roughness'].default_value = 0.85

coord = nodes.new('ShaderNodeTexCoord')
mapping = nodes.new('ShaderNodeMapping')
mapping.scale = (4.0, 4.0, 4.0)
mapping.rotation = (0.0, 0.0, radians(30))
links.new(coord.outputs['Generated'], mapping.inputs['Vector'])

musgrave = nodes.new('ShaderNodeTexMusgrave')
musgrave.musgrave_type = 'FBM'
musgrave.inputs['Scale'].default_value = 1.5
musgrave.inputs['Detail'].default_value = 6.0
musgrave.inputs['Dimension'].default_value = 1.0
links.new(mapping.outputs['Vector'], musgrave.inputs['Vector'])

voronoi = nodes.new('ShaderNodeTexVoronoi')
voronoi.coloring = 'CELLS'
voronoi.inputs['Scale'].default_value = 12.0
links.new(mapping.outputs['Vector'], voronoi.inputs['Vector'])

ramp = nodes.new('ShaderNodeValToRGB')
ramp.color_ramp.elements[0].position = 0.35
ramp.color_ramp.elements[0].color = (0.85, 0.3, 0.04, 1)
ramp.color_ramp.elements[1].position = 0.65
ramp.color_ramp.elements[1].color = (0.22, 0.04, 0.4, 1)
links.new(musgrave.outputs[0], ramp.inputs['Fac'])

mix = nodes.new('ShaderNodeMixRGB')
mix.blend_type = 'MULTIPLY'
mix.inputs['Fac'].default_value = 0.4
links.new(ramp.outputs['Color'], mix.inputs['Color1'])
links.new(voronoi.outputs['Color'], mix.inputs['Color2'])
links.new(mix.outputs['Color'], bsdf.inputs['Base Color'])

# ---------- ground ----------
bpy.ops.mesh.primitive_grid_add(x_subdivisions=120, y_subdivisions=120, size=24)
ground = bpy.context.object
ground.data.materials.append(mat)
tex = bpy.data.textures.new('Hills', 'CLOUDS')
tex.noise_scale = 3.0
dis = ground.modifiers.new('Hills', 'DISPLACE')
dis.texture = tex
dis.strength = 2.5
dis.mid_level = 0.5
bpy.ops.object.shade_smooth()

# ---------- pillars ----------
pm = bpy.data.materials.new('Pillar')
pm.use_nodes = True
pm.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = (0.03, 0.6, 0.55, 1)
pm.node_tree.nodes['Principled BSDF'].inputs['Roughness'].default_value = 0.2
for i, (x, y, h) in enumerate([(-3, 1, 4.5), (0.5, 3, 6), (3.5, -0.5, 4)]):
    bpy.ops.mesh.primitive_cone_add(vertices=48, radius1=0.6, radius2=0.25, depth=h, location=(x, y, h / 2 - 1))
    bpy.context.object.name = 'Pillar%d' % i
    bpy.context.object.data.materials.append(pm)
    bpy.ops.object.shade_smooth()

bpy.ops.object.light_add(type='SUN', rotation=(radians(20), radians(-65), 0))
bpy.context.object.data.energy = 4
bpy.context.object.data.color = (1.0, 0.85, 0.7)

scene.world.use_nodes = True
scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.45, 0.32, 0.36, 1)

bpy.ops.object.camera_add(location=(0, -20, 6), rotation=(radians(78), 0, 0))
scene.camera = bpy.context.object
