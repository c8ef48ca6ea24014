# change: Principled Emission -> Emission Color (4.0)
# holds: [round(v, 2) for v in bpy.data.materials['Bulb'].node_tree.nodes['Principled BSDF'].inputs['Emission Color'].default_value] == [1.0, 0.8, 0.5, 1.0]
# names: Emission Color
import bpy


def make_emissive(name, color, strength):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes.get("Principled BSDF")
    shader.inputs["Emission"].default_value = (*color, 1.0)
    shader.inputs["Emission Strength"].default_value = strength
    return material


bpy.ops.mesh.primitive_uv_sphere_add(radius=0.03, location=(0, 0, 1.2))
bulb = bpy.context.object
bulb.data.materials.append(make_emissive("Bulb", (1.0, 0.8, 0.5), 12))
