# change: node_group.inputs.new -> interface.new_socket (4.0)
# holds: [i.name for i in bpy.data.node_groups['Scatter'].interface.items_tree if i.in_out == 'INPUT'] == ['Geometry', 'Density']
# names: new_socket
import bpy

bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=4)
ground = bpy.context.active_object

group = bpy.data.node_groups.new("Scatter", 'GeometryNodeTree')
group.inputs.new('NodeSocketGeometry', "Geometry")
group.inputs.new('NodeSocketFloat', "Density")
group.outputs.new('NodeSocketGeometry', "Geometry")
node_in = group.nodes.new('NodeGroupInput')
node_out = group.nodes.new('NodeGroupOutput')
group.links.new(node_in.outputs["Geometry"], node_out.inputs["Geometry"])

modifier = ground.modifiers.new("Scatter", 'NODES')
modifier.node_group = group
