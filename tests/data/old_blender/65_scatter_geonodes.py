# Blender 3.5
# Answer to "How to create a geometry nodes scatter from Python?"
# You have to make the group sockets yourself with group.inputs.new / group.outputs.new
import bpy

D = bpy.data
for block in (D.objects, D.meshes, D.node_groups):
    for item in list(block):
        block.remove(item)


def make_group():
    ng = D.node_groups.new("Scatter", 'GeometryNodeTree')
    ng.inputs.new('NodeSocketGeometry', "Geometry")      # Input_0
    ng.outputs.new('NodeSocketGeometry', "Geometry")     # Output_1
    dens = ng.inputs.new('NodeSocketFloat', "Density")   # Input_2
    dens.default_value = 5.0
    dens.min_value = 0.0
    dens.max_value = 100.0
    ng.inputs.new('NodeSocketObject', "Instance")        # Input_3
    ng.inputs.new('NodeSocketInt', "Seed")               # Input_4

    n, l = ng.nodes, ng.links
    gin = n.new('NodeGroupInput')
    gout = n.new('NodeGroupOutput')
    dist = n.new('GeometryNodeDistributePointsOnFaces')
    inst = n.new('GeometryNodeInstanceOnPoints')
    info = n.new('GeometryNodeObjectInfo')
    rand = n.new('FunctionNodeRandomValue')
    align = n.new('FunctionNodeAlignEulerToVector')
    join = n.new('GeometryNodeJoinGeometry')
    rand.data_type = 'FLOAT_VECTOR'
    rand.inputs[0].default_value = (0.1, 0.1, 0.2)
    rand.inputs[1].default_value = (0.25, 0.25, 0.7)
    align.axis = 'Z'
    for i, node in enumerate((gin, dist, info, rand, align, inst, join, gout)):
        node.location = (i * 200, (i % 2) * -150)

    l.new(gin.outputs["Geometry"], dist.inputs["Mesh"])
    l.new(gin.outputs["Density"], dist.inputs["Density"])
    l.new(gin.outputs["Seed"], dist.inputs["Seed"])
    l.new(gin.outputs["Instance"], info.inputs[0])
    l.new(dist.outputs["Points"], inst.inputs["Points"])
    l.new(dist.outputs["Normal"], align.inputs["Vector"])
    l.new(align.outputs[0], inst.inputs["Rotation"])
    l.new(info.outputs["Geometry"], inst.inputs["Instance"])
    l.new(rand.outputs[0], inst.inputs["Scale"])
    l.new(gin.outputs["Geometry"], join.inputs[0])
    l.new(inst.outputs[0], join.inputs[0])
    l.new(join.outputs[0], gout.inputs[0])
    return ng


bpy.ops.mesh.primitive_cone_add(vertices=6, radius1=0.4, depth=1.5, location=(0, 0, -20))
spike = bpy.context.object

bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=2)
ball = bpy.context.object
bpy.ops.object.shade_smooth()

mod = ball.modifiers.new("GeometryNodes", 'NODES')
mod.node_group = make_group()
mod["Input_2"] = 12.0
mod["Input_3"] = spike
mod["Input_4"] = 7

bpy.ops.object.light_add(type='AREA', location=(4, -4, 6), rotation=(0.7, 0.4, 0))
bpy.context.object.data.energy = 900
bpy.ops.object.camera_add(location=(0, -9, 2), rotation=(1.36, 0, 0))
bpy.context.scene.camera = bpy.context.object
