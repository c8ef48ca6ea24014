# change: ShaderNodeTexMusgrave removed, use ShaderNodeTexNoise (4.1)
# holds: any(n.bl_idname == 'ShaderNodeTexNoise' for n in bpy.data.materials['Rock'].node_tree.nodes)
# names: ShaderNodeTexNoise
import bpy

mat = bpy.data.materials.new("Rock")
mat.use_nodes = True
nodes = mat.node_tree.nodes
links = mat.node_tree.links
bsdf = nodes["Principled BSDF"]

musgrave = nodes.new('ShaderNodeTexMusgrave')
musgrave.inputs['Scale'].default_value = 6.0
bump = nodes.new('ShaderNodeBump')
links.new(musgrave.outputs[0], bump.inputs['Height'])
links.new(bump.outputs['Normal'], bsdf.inputs['Normal'])

bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=0.5)
bpy.context.object.data.materials.append(mat)
