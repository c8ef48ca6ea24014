# change: Scene.node_tree -> compositing_node_group (5.0); also: use_pass_z, base_path of the output node
# holds: len(bpy.context.scene.compositing_node_group.links) == 2 and bpy.context.scene.view_layers[0].use_pass_z
import bpy


def set_up_depth(scene, folder):
    scene.view_layers[0].use_pass_z = True
    scene.use_nodes = True
    tree = scene.node_tree
    for n in tree.nodes:
        tree.nodes.remove(n)
    rl = tree.nodes.new('CompositorNodeRLayers')
    norm = tree.nodes.new('CompositorNodeNormalize')
    tree.links.new(rl.outputs['Depth'], norm.inputs[0])
    viewer = tree.nodes.new('CompositorNodeViewer')
    tree.links.new(norm.outputs[0], viewer.inputs[0])
    return tree


bpy.ops.mesh.primitive_cone_add(location=(0, 0, 1))
set_up_depth(bpy.context.scene, "//depth")
