# change: Principled Specular -> Specular IOR Level (4.0); also: Clearcoat, Clearcoat Roughness
# holds: [round(bpy.data.materials['CarPaint'].node_tree.nodes['Principled BSDF'].inputs[k].default_value, 2) for k in ('Specular IOR Level', 'Coat Weight', 'Coat Roughness')] == [0.7, 1.0, 0.05]
import bpy

mat = bpy.data.materials.new(name="CarPaint")
mat.use_nodes = True
principled = mat.node_tree.nodes["Principled BSDF"]
principled.inputs["Base Color"].default_value = (0.6, 0.02, 0.02, 1.0)
principled.inputs["Metallic"].default_value = 0.4
principled.inputs["Specular"].default_value = 0.7
principled.inputs["Roughness"].default_value = 0.25
principled.inputs["Clearcoat"].default_value = 1.0
principled.inputs["Clearcoat Roughness"].default_value = 0.05

bpy.ops.mesh.primitive_monkey_add(size=2)
bpy.context.object.data.materials.append(mat)
