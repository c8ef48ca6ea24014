# Blender 4.5
# Scene: A spiral tower of 80 glossy red beads strung on a thin golden tube, three turns winding upward, on a turquoise floor with a light grey world, lit by a sun and a white area light.
# Old: resample_curve.mode = 'COUNT' property -> exactly 80 evenly spaced beads, transform.mode = 'COMPONENTS' property on the Transform Geometry node -> whole spiral is lifted by 0.4, render.engine 'BLENDER_EEVEE_NEXT' -> EEVEE
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE_NEXT'


def mat(name, color, metallic=0.0, roughness=0.3):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    b = m.node_tree.nodes["Principled BSDF"]
    b.inputs["Base Color"].default_value = color
    b.inputs["Metallic"].default_value = metallic
    b.inputs["Roughness"].default_value = roughness
    return m


red = mat("Bead", (0.75, 0.02, 0.03, 1), 0.0, 0.12)
gold = mat("Wire", (0.95, 0.7, 0.25, 1), 1.0, 0.2)
floor_mat = mat("Floor", (0.05, 0.5, 0.5, 1), 0.0, 0.7)

# --- node tree
group = bpy.data.node_groups.new("SpiralBeads", 'GeometryNodeTree')
group.interface.new_socket(name="Geometry", in_out='OUTPUT', socket_type='NodeSocketGeometry')
count_socket = group.interface.new_socket(name="Count", in_out='INPUT', socket_type='NodeSocketInt')
count_socket.default_value = 20
nodes, links = group.nodes, group.links
g_in, g_out = nodes.new('NodeGroupInput'), nodes.new('NodeGroupOutput')

spiral = nodes.new('GeometryNodeCurveSpiral')
for key, val in {"Resolution": 64, "Rotations": 3.0, "Start Radius": 2.0, "End Radius": 0.6, "Height": 4.0}.items():
    spiral.inputs[key].default_value = val

resample = nodes.new('GeometryNodeResampleCurve')
resample.mode = 'COUNT'
links.new(spiral.outputs["Curve"], resample.inputs["Curve"])
links.new(g_in.outputs["Count"], resample.inputs["Count"])

bead = nodes.new('GeometryNodeMeshIcoSphere')
bead.inputs["Radius"].default_value = 0.17
bead.inputs["Subdivisions"].default_value = 4
smooth = nodes.new('GeometryNodeSetShadeSmooth')
links.new(bead.outputs["Mesh"], smooth.inputs["Geometry"])
bead_mat = nodes.new('GeometryNodeSetMaterial')
bead_mat.inputs["Material"].default_value = red
links.new(smooth.outputs["Geometry"], bead_mat.inputs["Geometry"])

inst = nodes.new('GeometryNodeInstanceOnPoints')
links.new(resample.outputs["Curve"], inst.inputs["Points"])
links.new(bead_mat.outputs["Geometry"], inst.inputs["Instance"])

profile = nodes.new('GeometryNodeCurvePrimitiveCircle')
profile.inputs["Radius"].default_value = 0.05
tube = nodes.new('GeometryNodeCurveToMesh')
links.new(spiral.outputs["Curve"], tube.inputs["Curve"])
links.new(profile.outputs["Curve"], tube.inputs["Profile Curve"])
tube_mat = nodes.new('GeometryNodeSetMaterial')
tube_mat.inputs["Material"].default_value = gold
links.new(tube.outputs["Mesh"], tube_mat.inputs["Geometry"])

join = nodes.new('GeometryNodeJoinGeometry')
links.new(inst.outputs["Instances"], join.inputs["Geometry"])
links.new(tube_mat.outputs["Geometry"], join.inputs["Geometry"])
lift = nodes.new('GeometryNodeTransform')
lift.mode = 'COMPONENTS'
lift.inputs["Translation"].default_value = (0, 0, 0.4)
links.new(join.outputs["Geometry"], lift.inputs["Geometry"])
links.new(lift.outputs["Geometry"], g_out.inputs["Geometry"])

# --- object that carries it
holder = bpy.data.objects.new("Beads", bpy.data.meshes.new("Beads"))
scene.collection.objects.link(holder)
mod = holder.modifiers.new("SpiralBeads", 'NODES')
mod.node_group = group
mod[count_socket.identifier] = 80

bpy.ops.mesh.primitive_plane_add(size=40)
bpy.context.active_object.data.materials.append(floor_mat)
for kind, loc, rot, e in (('SUN', (0, 0, 8), (35, 20, 0), 2.0), ('AREA', (-4, -5, 6), (48, 0, -38), 400)):
    bpy.ops.object.light_add(type=kind, location=loc, rotation=[radians(a) for a in rot])
    bpy.context.active_object.data.energy = e
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.55, 0.55, 0.58, 1)
bpy.ops.object.camera_add(location=(0, -12, 4.2), rotation=(radians(80), 0, 0))
scene.camera = bpy.context.active_object
