# change: CombineRGB/SeparateRGB -> CombineColor/SeparateColor (removed 5.0)
# holds: any(k.from_socket.name == 'Red' and k.to_socket.name == 'Roughness' for k in bpy.data.materials['Worn'].node_tree.links)
import bpy


def channel_mask(material, channel):
    """Use one channel of a noise as roughness."""
    tree = material.node_tree
    noise = tree.nodes.new(type='ShaderNodeTexNoise')
    noise.inputs['Scale'].default_value = 8.0
    split = tree.nodes.new(type='ShaderNodeSeparateRGB')
    tree.links.new(noise.outputs['Color'], split.inputs['Image'])
    bsdf = tree.nodes.get('Principled BSDF')
    tree.links.new(split.outputs[channel], bsdf.inputs['Roughness'])


mat = bpy.data.materials.new(name='Worn')
mat.use_nodes = True
channel_mask(mat, 'R')

bpy.ops.mesh.primitive_cube_add()
bpy.context.object.data.materials.append(mat)
