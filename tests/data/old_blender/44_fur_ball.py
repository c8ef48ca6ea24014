# Blender 2.78
# fur ball, cycles hair. run from the text editor (alt+p)

import bpy

scn = bpy.context.scene
scn.render.engine = 'CYCLES'
scn.cycles.samples = 64

for o in bpy.data.objects:
    o.select = True
bpy.ops.object.delete()

bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, size=1, location=(0, 0, 1.1))
ball = bpy.context.active_object
ball.name = 'FurBall'

# only the upper part is hairy
vg = ball.vertex_groups.new('density')
for v in ball.data.vertices:
    w = max(0.0, min(1.0, v.co.z + 0.6))
    vg.add([v.index], w, 'REPLACE')

# skin + hair material
skin = bpy.data.materials.new('Skin')
skin.use_nodes = True
skin.node_tree.nodes['Diffuse BSDF'].inputs[0].default_value = (0.25, 0.08, 0.04, 1)

hair = bpy.data.materials.new('Hair')
hair.use_nodes = True
nt = hair.node_tree
nt.nodes.remove(nt.nodes['Diffuse BSDF'])
bsdf = nt.nodes.new('ShaderNodeBsdfHair')
bsdf.component = 'Reflection'
bsdf.inputs['Color'].default_value = (0.6, 0.3, 0.1, 1)
nt.links.new(bsdf.outputs['BSDF'], nt.nodes['Material Output'].inputs['Surface'])

ball.data.materials.append(skin)
ball.data.materials.append(hair)

# particle system
ball.modifiers.new('Fur', type='PARTICLE_SYSTEM')
psys = ball.particle_systems[0]
psys.vertex_group_density = 'density'
s = psys.settings
s.type = 'HAIR'
s.count = 800
s.hair_length = 0.6
s.use_advanced_hair = True
s.normal_factor = 0.02
s.brownian_factor = 0.03
s.child_type = 'INTERPOLATED'
s.child_nbr = 10
s.rendered_child_count = 60
s.clump_factor = 0.4
s.roughness_2 = 0.02
s.draw_step = 4
s.render_step = 5
s.use_render_emitter = True
s.material = 2
s.cycles.root_width = 1.0
s.cycles.tip_width = 0.1
s.cycles.radius_scale = 0.01

scn.cycles_curves.primitive = 'CURVE_SEGMENTS'
scn.cycles_curves.shape = 'THICK'
bpy.ops.object.lamp_add(type='AREA', location=(3, -3, 5), rotation=(0.7, 0, 0.8))
bpy.context.object.data.size = 2
bpy.ops.object.camera_add(location=(0, -6, 2), rotation=(1.43, 0, 0))
scn.camera = bpy.context.object
