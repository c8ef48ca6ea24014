# Blender 3.6
# Sure! Here's a script that creates a furry monster using a hair particle system.

import bpy
import random

# Step 1: Clear existing objects
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

# Step 2: Create the body
bpy.ops.mesh.primitive_monkey_add(size=2, location=(0, 0, 1))
monster = bpy.context.active_object
monster.name = "Monster"
bpy.ops.object.modifier_add(type='SUBSURF')
bpy.ops.object.modifier_apply(modifier="Subdivision")
mesh = monster.data

# Step 3: Paint random vertex colors
if not mesh.vertex_colors:
    mesh.vertex_colors.new(name="Col")
color_layer = mesh.vertex_colors["Col"]
for poly in mesh.polygons:
    c = random.random()
    for idx in poly.loop_indices:
        color_layer.data[idx].color = (0.2 + 0.5 * c, 0.1, 0.6 * (1 - c), 1.0)

# Step 4: Face map for the upper part (handy for selecting later)
fmap = monster.face_maps.new(name="Scalp")
fmap.add([p.index for p in mesh.polygons if p.center.z > 0.3])

# Step 5: Vertex group for hair density
vg = monster.vertex_groups.new(name="HairDensity")
vg.add([v.index for v in mesh.vertices if v.co.y > -0.4], 1.0, 'REPLACE')

# Step 6: Material with Musgrave variation
mat = bpy.data.materials.new(name="Fur")
mat.use_nodes = True
nodes = mat.node_tree.nodes
links = mat.node_tree.links
bsdf = nodes["Principled BSDF"]
bsdf.inputs["Subsurface"].default_value = 0.15
musgrave = nodes.new(type="ShaderNodeTexMusgrave")
musgrave.musgrave_type = 'RIDGED_MULTIFRACTAL'
musgrave.inputs["Scale"].default_value = 6.0
vcol = nodes.new(type="ShaderNodeVertexColor")
vcol.layer_name = "Col"
links.new(vcol.outputs["Color"], bsdf.inputs["Base Color"])
links.new(musgrave.outputs["Fac"], bsdf.inputs["Roughness"])
mesh.materials.append(mat)

# Step 7: Hair particle system
bpy.ops.object.particle_system_add()
psys = monster.particle_systems[-1]
settings = psys.settings
settings.type = 'HAIR'
settings.count = 1500
settings.hair_length = 0.25
settings.hair_step = 4
settings.use_advanced_hair = True
settings.brownian_factor = 0.03
settings.child_type = 'INTERPOLATED'
settings.child_nbr = 5
settings.rendered_child_count = 30
settings.root_radius = 0.6
settings.tip_radius = 0.0
settings.clump_factor = 0.3
psys.vertex_group_density = "HairDensity"
bpy.context.scene.render.hair_type = 'STRIP'

# Step 8: Light and camera
bpy.ops.object.light_add(type='AREA', radius=3, location=(3, -4, 5), rotation=(0.75, 0.3, 0.3))
bpy.context.active_object.data.energy = 700
bpy.ops.object.camera_add(location=(0, -6, 1.5), rotation=(1.48, 0, 0))
bpy.context.scene.camera = bpy.context.active_object

print("Furry monster created successfully!")
