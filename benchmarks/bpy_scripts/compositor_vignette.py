# change: Scene.node_tree -> compositing_node_group (5.0); also: CompositorNodeMixRGB, CompositorNodeComposite
# holds: len(bpy.context.scene.compositing_node_group.links) == 4
import bpy

scn = bpy.context.scene
scn.use_nodes = True
tree = scn.node_tree

render = tree.nodes.new("CompositorNodeRLayers")
mask = tree.nodes.new("CompositorNodeEllipseMask")
blur = tree.nodes.new("CompositorNodeBlur")
mix = tree.nodes.new("CompositorNodeMixRGB")
mix.blend_type = 'MULTIPLY'
output = tree.nodes.new("CompositorNodeComposite")

tree.links.new(mask.outputs["Mask"], blur.inputs["Image"])
tree.links.new(render.outputs["Image"], mix.inputs[1])
tree.links.new(blur.outputs["Image"], mix.inputs[2])
tree.links.new(mix.outputs["Image"], output.inputs["Image"])

bpy.ops.mesh.primitive_monkey_add()
