# change: CombineRGB/SeparateRGB -> CombineColor/SeparateColor (removed 5.0)
# holds: len(bpy.data.materials['Gradient'].node_tree.links) == 5 and all(k.is_valid for k in bpy.data.materials['Gradient'].node_tree.links)
import bpy

bpy.ops.mesh.primitive_plane_add(size=4)
plane = bpy.context.object

mat = bpy.data.materials.new("Gradient")
mat.use_nodes = True
plane.data.materials.append(mat)
nodes = mat.node_tree.nodes
links = mat.node_tree.links
bsdf = nodes["Principled BSDF"]

coord = nodes.new("ShaderNodeTexCoord")
xyz = nodes.new("ShaderNodeSeparateXYZ")
rgb = nodes.new("ShaderNodeCombineRGB")
rgb.inputs[2].default_value = 0.2

links.new(coord.outputs["Generated"], xyz.inputs[0])
links.new(xyz.outputs["X"], rgb.inputs["R"])
links.new(xyz.outputs["Y"], rgb.inputs["G"])
links.new(rgb.outputs["Image"], bsdf.inputs["Base Color"])
