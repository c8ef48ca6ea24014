# change: Principled Transmission -> Transmission Weight, Clearcoat Roughness -> Coat Roughness (4.0)
# holds: [round(bpy.data.materials['Glass'].node_tree.nodes['Principled BSDF'].inputs[k].default_value, 2) for k in ('Transmission Weight', 'Coat Weight', 'Coat Roughness')] == [1.0, 0.5, 0.03]
# names: Transmission Weight
import bpy

bpy.ops.mesh.primitive_cylinder_add(radius=0.04, depth=0.12, location=(0, 0, 0.06))
glass = bpy.context.active_object
glass.name = "DrinkingGlass"

mat = bpy.data.materials.new(name="Glass")
mat.use_nodes = True
bsdf = mat.node_tree.nodes["Principled BSDF"]
bsdf.inputs["Base Color"].default_value = (0.9, 0.95, 1.0, 1.0)
bsdf.inputs["Roughness"].default_value = 0.0
bsdf.inputs["IOR"].default_value = 1.45
bsdf.inputs["Transmission"].default_value = 1.0
bsdf.inputs["Clearcoat"].default_value = 0.5
bsdf.inputs["Clearcoat Roughness"].default_value = 0.03
glass.data.materials.append(mat)
