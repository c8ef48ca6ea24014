# change: CombineRGB/SeparateRGB -> CombineColor/SeparateColor (removed 5.0)
# holds: {(k.from_socket.name, k.to_socket.name) for k in bpy.data.materials['Swapped'].node_tree.links} >= {('Red', 'Blue'), ('Green', 'Green'), ('Blue', 'Red')}
import bpy

mat = bpy.data.materials.new("Swapped")
mat.use_nodes = True
nt = mat.node_tree
nt.nodes.clear()

tex = nt.nodes.new('ShaderNodeTexVoronoi')
sep = nt.nodes.new('ShaderNodeSeparateRGB')
com = nt.nodes.new('ShaderNodeCombineRGB')
emit = nt.nodes.new('ShaderNodeEmission')
out = nt.nodes.new('ShaderNodeOutputMaterial')

# swap red and blue
nt.links.new(tex.outputs['Color'], sep.inputs['Image'])
nt.links.new(sep.outputs['R'], com.inputs['B'])
nt.links.new(sep.outputs['G'], com.inputs['G'])
nt.links.new(sep.outputs['B'], com.inputs['R'])
nt.links.new(com.outputs['Image'], emit.inputs['Color'])
nt.links.new(emit.outputs['Emission'], out.inputs['Surface'])

bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4)
bpy.context.object.active_material = mat
