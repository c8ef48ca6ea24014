# change: CompositorNodeComposite removed, Glare's settings are inputs (5.0)
# holds: any(n.bl_idname == 'CompositorNodeGlare' for n in bpy.context.scene.compositing_node_group.nodes)
# names: NodeGroupOutput
import bpy

scene = bpy.context.scene
tree = bpy.data.node_groups.new("Post", 'CompositorNodeTree')
scene.compositing_node_group = tree
layers = tree.nodes.new('CompositorNodeRLayers')
composite = tree.nodes.new('CompositorNodeComposite')
glare = tree.nodes.new('CompositorNodeGlare')
glare.glare_type = 'FOG_GLOW'
tree.links.new(layers.outputs['Image'], glare.inputs['Image'])
tree.links.new(glare.outputs['Image'], composite.inputs['Image'])
