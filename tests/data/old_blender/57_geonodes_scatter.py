# Blender 2.92
# Geometry Nodes via python (first version!): scatter mushrooms on a plane
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

# the thing to scatter
bpy.ops.mesh.primitive_cone_add(vertices=20, radius1=0.3, radius2=0.05, depth=0.25, location=(0, 0, 0.4))
cap = bpy.context.active_object
bpy.ops.mesh.primitive_cylinder_add(vertices=12, radius=0.08, depth=0.4, location=(0, 0, 0.15))
bpy.context.active_object.select_set(True)
cap.select_set(True)
bpy.context.view_layer.objects.active = cap
bpy.ops.object.join()
mushroom = bpy.context.active_object
mushroom.name = "Mushroom"
bpy.context.scene.cursor.location = (0, 0, 0)
bpy.ops.object.origin_set(type='ORIGIN_CURSOR')
mushroom.location.x = 50     # out of the way

bpy.ops.mesh.primitive_grid_add(x_subdivisions=20, y_subdivisions=20, size=8)
ground = bpy.context.active_object

# node tree
tree = bpy.data.node_groups.new("Scatter", 'GeometryNodeTree')
tree.inputs.new('NodeSocketGeometry', "Geometry")
tree.inputs.new('NodeSocketFloat', "Density")
tree.inputs[1].default_value = 4.0
tree.outputs.new('NodeSocketGeometry', "Geometry")

nodes, links = tree.nodes, tree.links
inp = nodes.new('NodeGroupInput')
inp.location = (-600, 0)
dist = nodes.new('GeometryNodePointDistribute')
dist.location = (-400, -100)
dist.distribute_method = 'POISSON'
dist.inputs['Distance Min'].default_value = 0.3
rand = nodes.new('GeometryNodeAttributeRandomize')
rand.location = (-200, -100)
rand.data_type = 'FLOAT'
rand.inputs['Attribute'].default_value = "scale"
rand.inputs[4].default_value = 0.5    # float min
rand.inputs[5].default_value = 1.4    # float max
inst = nodes.new('GeometryNodePointInstance')
inst.location = (0, -100)
inst.instance_type = 'OBJECT'
inst.inputs['Object'].default_value = mushroom
join = nodes.new('GeometryNodeJoinGeometry')
join.location = (200, 0)
out = nodes.new('NodeGroupOutput')
out.location = (400, 0)

links.new(inp.outputs[0], dist.inputs['Geometry'])
links.new(inp.outputs[1], dist.inputs['Density Max'])
links.new(dist.outputs[0], rand.inputs[0])
links.new(rand.outputs[0], inst.inputs[0])
links.new(inst.outputs[0], join.inputs[0])
links.new(inp.outputs[0], join.inputs[0])
links.new(join.outputs[0], out.inputs[0])

mod = ground.modifiers.new("GeometryNodes", 'NODES')
mod.node_group = tree

bpy.ops.object.light_add(type='SUN', rotation=(radians(45), 0, radians(30)))
bpy.context.active_object.data.energy = 3
bpy.ops.object.camera_add(location=(0, -9, 5), rotation=(radians(62), 0, 0))
bpy.context.scene.camera = bpy.context.active_object
