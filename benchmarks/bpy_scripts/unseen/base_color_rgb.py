# change: Base Color needs four numbers
# holds: [round(v, 2) for v in bpy.data.materials['Red'].node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value] == [0.8, 0.1, 0.1, 1.0]
# names: 4
import bpy

red = bpy.data.materials.new("Red")
red.use_nodes = True
red.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.8, 0.1, 0.1)
bpy.ops.mesh.primitive_monkey_add(size=1)
bpy.context.object.data.materials.append(red)
