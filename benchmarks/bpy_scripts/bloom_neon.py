# change: eevee.use_bloom removed (4.2); also: Principled Emission
# holds: tuple(round(v, 2) for v in bpy.data.materials['Neon'].node_tree.nodes['Principled BSDF'].inputs['Emission Color'].default_value) == (0.0, 0.8, 1.0, 1.0)
import bpy

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_bloom = True
scene.eevee.bloom_threshold = 0.8
scene.eevee.bloom_intensity = 0.05

mat = bpy.data.materials.new('Neon')
mat.use_nodes = True
bsdf = mat.node_tree.nodes['Principled BSDF']
bsdf.inputs['Emission'].default_value = (0.0, 0.8, 1.0, 1.0)
bsdf.inputs['Emission Strength'].default_value = 5

bpy.ops.mesh.primitive_torus_add(major_radius=1.5, minor_radius=0.05)
bpy.context.object.data.materials.append(mat)
