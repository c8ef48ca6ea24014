# Blender 2.80
# Eevee settings from python: bloom, SSR, refraction, reflection cubemap
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'

ee = scene.eevee
ee.taa_render_samples = 64
ee.use_gtao = True
ee.gtao_distance = 0.5
ee.use_bloom = True
ee.bloom_threshold = 0.9
ee.bloom_intensity = 0.08
ee.use_ssr = True
ee.use_ssr_refraction = True
ee.use_ssr_halfres = False
ee.use_soft_shadows = True
ee.shadow_cube_size = '1024'

# floor
bpy.ops.mesh.primitive_plane_add(size=14)
floor = bpy.context.object
mat = bpy.data.materials.new("Floor")
mat.use_nodes = True
mat.node_tree.nodes["Principled BSDF"].inputs['Roughness'].default_value = 0.15
floor.data.materials.append(mat)

# glass ball
bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, radius=1.2, location=(0, 0, 1.2))
bpy.ops.object.shade_smooth()
glass = bpy.data.materials.new("Glass")
glass.use_nodes = True
glass.use_screen_refraction = True
glass.refraction_depth = 0.3
glass.blend_method = 'HASHED'
glass.shadow_method = 'HASHED'
nodes = glass.node_tree.nodes
nodes.remove(nodes["Principled BSDF"])
bsdf = nodes.new('ShaderNodeBsdfGlass')
bsdf.inputs['Roughness'].default_value = 0.02
glass.node_tree.links.new(bsdf.outputs[0], nodes["Material Output"].inputs[0])
bpy.context.object.data.materials.append(glass)

# glowing rods behind
for i, col in enumerate([(1, 0.1, 0.2, 1), (0.1, 1, 0.4, 1), (0.2, 0.3, 1, 1)]):
    bpy.ops.mesh.primitive_cylinder_add(radius=0.12, depth=3, location=(i * 1.5 - 1.5, 2.5, 1.5))
    m = bpy.data.materials.new("Neon")
    m.use_nodes = True
    em = m.node_tree.nodes.new('ShaderNodeEmission')
    em.inputs[0].default_value = col
    em.inputs[1].default_value = 8
    m.node_tree.links.new(em.outputs[0], m.node_tree.nodes["Material Output"].inputs[0])
    bpy.context.object.data.materials.append(m)

bpy.ops.object.lightprobe_add(type='CUBEMAP', location=(0, 0, 1.5))
bpy.context.object.data.influence_distance = 6

bpy.ops.object.light_add(type='POINT', location=(3, -3, 4))
bpy.context.object.data.energy = 300
bpy.context.object.data.use_contact_shadow = True

bpy.ops.object.camera_add(location=(0, -8, 2.2), rotation=(radians(84), 0, 0))
scene.camera = bpy.context.object
