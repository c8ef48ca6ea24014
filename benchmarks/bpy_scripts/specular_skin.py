# change: Principled Specular -> Specular IOR Level (4.0); also: Subsurface, Subsurface Color, Sheen
# holds: [round(bpy.data.materials['Skin'].node_tree.nodes['Principled BSDF'].inputs[k].default_value, 2) for k in ('Specular IOR Level', 'Subsurface Weight', 'Sheen Weight')] == [0.35, 0.1, 0.1]
import bpy

skin = bpy.data.materials.new('Skin')
skin.use_nodes = True
nodes = skin.node_tree.nodes
nodes.clear()
shader = nodes.new('ShaderNodeBsdfPrincipled')
output = nodes.new('ShaderNodeOutputMaterial')
skin.node_tree.links.new(shader.outputs['BSDF'], output.inputs['Surface'])

shader.inputs['Specular'].default_value = 0.35
shader.inputs['Subsurface'].default_value = 0.1
shader.inputs['Subsurface Color'].default_value = (0.8, 0.3, 0.2, 1)
shader.inputs['Sheen'].default_value = 0.1

bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24)
head = bpy.context.object
head.data.materials.append(skin)
