# change: Principled Specular -> Specular IOR Level (4.0)
# holds: any(k.to_socket.name == 'Specular IOR Level' for k in bpy.data.materials['Tiles'].node_tree.links)
import bpy

mat = bpy.data.materials.new("Tiles")
mat.use_nodes = True
nt = mat.node_tree
bsdf = nt.nodes['Principled BSDF']
checker = nt.nodes.new('ShaderNodeTexChecker')
checker.inputs['Scale'].default_value = 10
nt.links.new(checker.outputs['Color'], bsdf.inputs['Base Color'])
nt.links.new(checker.outputs['Fac'], bsdf.inputs['Specular'])

bpy.ops.mesh.primitive_plane_add(size=6)
bpy.context.active_object.data.materials.append(mat)
