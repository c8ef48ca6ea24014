# Blender 3.0
# Scene: A green rolling hill covered with hundreds of small yellow flowers on its flat parts (none on the steep sides), under a light blue sky, lit by a warm sun.
# Old: node_group.inputs.new / node_group.outputs.new for a geometry node group -> group has Geometry, Density and Size sockets, modifier["Input_2"] and ["Input_3"] -> density 12 and flower size 0.35 are set on the modifier, FunctionNodeCompareFloats -> only points where the normal points up, ng.inputs['Density'].default_value -> default 4
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)


def simple_mat(name, rgb, rough=0.8):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes["Principled BSDF"]
    b.inputs["Base Color"].default_value = (*rgb, 1)
    b.inputs["Roughness"].default_value = rough
    return m


# flower object
bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, radius=0.5, location=(0, 0, -30))
flower = bpy.context.object
flower.name = "Flower"
flower.data.materials.append(simple_mat("Yellow", (1.0, 0.75, 0.02)))

# hill
bpy.ops.mesh.primitive_grid_add(x_subdivisions=60, y_subdivisions=60, size=14)
hill = bpy.context.object
hill.name = "Hill"
hill.data.materials.append(simple_mat("Grass", (0.08, 0.32, 0.05)))
for v in hill.data.vertices:
    d2 = v.co.x ** 2 + v.co.y ** 2
    v.co.z = 3.5 / (1 + (d2 / 12.0) ** 2)
bpy.ops.object.shade_smooth()

# --- the node group
ng = bpy.data.node_groups.new("ScatterFlowers", "GeometryNodeTree")
ng.inputs.new("NodeSocketGeometry", "Geometry")
ng.outputs.new("NodeSocketGeometry", "Geometry")
ng.inputs.new("NodeSocketFloat", "Density")
ng.inputs.new("NodeSocketFloat", "Size")
ng.inputs["Density"].default_value = 4.0

n = ng.nodes
gin = n.new("NodeGroupInput")
gout = n.new("NodeGroupOutput")
normal = n.new("GeometryNodeInputNormal")
sep = n.new("ShaderNodeSeparateXYZ")
comp = n.new("FunctionNodeCompareFloats")
comp.operation = 'GREATER_THAN'
comp.inputs["B"].default_value = 0.8
dist = n.new("GeometryNodeDistributePointsOnFaces")
info = n.new("GeometryNodeObjectInfo")
info.inputs["Object"].default_value = flower
inst = n.new("GeometryNodeInstanceOnPoints")
join = n.new("GeometryNodeJoinGeometry")
for i, node in enumerate((gin, normal, sep, comp, dist, info, inst, join, gout)):
    node.location = (i * 180, 0)

link = ng.links.new
link(normal.outputs["Normal"], sep.inputs["Vector"])
link(sep.outputs["Z"], comp.inputs["A"])
link(comp.outputs["Result"], dist.inputs["Selection"])
link(gin.outputs["Geometry"], dist.inputs["Mesh"])
link(gin.outputs["Density"], dist.inputs["Density"])
link(dist.outputs["Points"], inst.inputs["Points"])
link(info.outputs["Geometry"], inst.inputs["Instance"])
link(gin.outputs["Size"], inst.inputs["Scale"])
link(gin.outputs["Geometry"], join.inputs["Geometry"])
link(inst.outputs["Instances"], join.inputs["Geometry"])
link(join.outputs["Geometry"], gout.inputs["Geometry"])

mod = hill.modifiers.new("Scatter", 'NODES')
mod.node_group = ng
mod["Input_2"] = 12.0
mod["Input_3"] = 0.35

bpy.ops.object.light_add(type='SUN', rotation=(radians(40), radians(20), 0))
bpy.context.object.data.energy = 3.5
bpy.context.object.data.color = (1.0, 0.93, 0.8)
scene = bpy.context.scene
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.4, 0.65, 0.95, 1)
bpy.ops.object.camera_add(location=(0, -15, 6.5), rotation=(radians(70), 0, 0))
scene.camera = bpy.context.object
