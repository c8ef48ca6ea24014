# change: GeometryNodeAttributeRandomize removed, use FunctionNodeRandomValue (3.0); modifier["Input_2"]
# holds: any(n.bl_idname == 'FunctionNodeRandomValue' for n in bpy.data.node_groups['Jitter'].nodes)
# names: FunctionNodeRandomValue
import bpy

group = bpy.data.node_groups.new("Jitter", 'GeometryNodeTree')
group.interface.new_socket(name="Geometry", in_out='INPUT', socket_type='NodeSocketGeometry')
group.interface.new_socket(name="Geometry", in_out='OUTPUT', socket_type='NodeSocketGeometry')
start = group.nodes.new('NodeGroupInput')
end = group.nodes.new('NodeGroupOutput')
offset = group.nodes.new('GeometryNodeSetPosition')
noise = group.nodes.new('GeometryNodeAttributeRandomize')
noise.data_type = 'FLOAT_VECTOR'
group.links.new(start.outputs['Geometry'], offset.inputs['Geometry'])
group.links.new(noise.outputs['Value'], offset.inputs['Offset'])
group.links.new(offset.outputs['Geometry'], end.inputs['Geometry'])
bpy.ops.mesh.primitive_grid_add(size=2)
bpy.context.object.modifiers.new("Jitter", 'NODES').node_group = group
