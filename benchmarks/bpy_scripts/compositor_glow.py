# change: Scene.node_tree -> compositing_node_group (5.0); also: CompositorNodeComposite, glare settings
# holds: sorted(n.bl_idname for n in bpy.context.scene.compositing_node_group.nodes) == ['CompositorNodeGlare', 'CompositorNodeRLayers', 'NodeGroupOutput'] and len(bpy.context.scene.compositing_node_group.links) == 2
import bpy

scene = bpy.context.scene
bpy.ops.mesh.primitive_uv_sphere_add(location=(0, 0, 1))

# Compositing: a soft glow
scene.use_nodes = True
tree = scene.node_tree
tree.nodes.clear()

layers = tree.nodes.new('CompositorNodeRLayers')
layers.location = (0, 0)
glare = tree.nodes.new('CompositorNodeGlare')
glare.location = (300, 0)
glare.glare_type = 'FOG_GLOW'
glare.quality = 'HIGH'
glare.threshold = 0.8
comp = tree.nodes.new('CompositorNodeComposite')
comp.location = (600, 0)

tree.links.new(layers.outputs['Image'], glare.inputs['Image'])
tree.links.new(glare.outputs['Image'], comp.inputs['Image'])
