# change: Scene.node_tree -> compositing_node_group (5.0); also: blur settings
# holds: len(bpy.context.scene.compositing_node_group.links) == 2 and tuple(bpy.context.scene.compositing_node_group.nodes['Blur'].inputs['Size'].default_value)[:2] == (4.0, 4.0)
import bpy

bpy.context.scene.use_nodes = True
nodes = bpy.context.scene.node_tree.nodes
links = bpy.context.scene.node_tree.links

for node in list(nodes):
    nodes.remove(node)

rl = nodes.new(type="CompositorNodeRLayers")
blur = nodes.new(type="CompositorNodeBlur")
blur.size_x = 4
blur.size_y = 4
out = nodes.new(type="CompositorNodeViewer")

links.new(rl.outputs[0], blur.inputs[0])
links.new(blur.outputs[0], out.inputs[0])

bpy.ops.mesh.primitive_cube_add()
