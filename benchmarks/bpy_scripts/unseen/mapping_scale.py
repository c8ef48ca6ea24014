# change: Mapping.scale -> inputs['Scale'] (2.81), ShaderNodeVoronoiTexture is ShaderNodeTexVoronoi
# holds: round(bpy.data.materials['Tiles'].node_tree.nodes['Mapping'].inputs['Scale'].default_value[0], 2) == 4.0
# names: ShaderNodeTexVoronoi
import bpy

mat = bpy.data.materials.new("Tiles")
mat.use_nodes = True
nodes, links = mat.node_tree.nodes, mat.node_tree.links
coords = nodes.new("ShaderNodeTexCoord")
mapping = nodes.new("ShaderNodeMapping")
voronoi = nodes.new("ShaderNodeVoronoiTexture")
mapping.scale = (4, 4, 4)
links.new(coords.outputs["Object"], mapping.inputs["Vector"])
links.new(mapping.outputs["Vector"], voronoi.inputs["Vector"])
links.new(voronoi.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
bpy.ops.mesh.primitive_plane_add(size=4)
bpy.context.object.data.materials.append(mat)
