# change: Material.shadow_method removed (4.2)
# holds: bpy.data.materials['Curtain'].blend_method == 'BLEND'
# names: shadow_method
import bpy

mat = bpy.data.materials.new("Curtain")
mat.use_nodes = True
mat.blend_method = 'BLEND'
mat.shadow_method = 'HASHED'
bsdf = mat.node_tree.nodes["Principled BSDF"]
bsdf.inputs["Alpha"].default_value = 0.4

bpy.ops.mesh.primitive_plane_add(size=2, location=(0, 0, 1), rotation=(1.5708, 0, 0))
bpy.context.object.data.materials.append(mat)
