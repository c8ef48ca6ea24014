# Blender 3.6
# Tumbler on a coaster - operators only, paste in the Text Editor and press Alt+P
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

# coaster
bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=1.6, depth=0.15, location=(0, 0, 0.075))
bpy.context.object.name = "Coaster"
bpy.ops.object.modifier_add(type='BEVEL')
bpy.context.object.modifiers["Bevel"].width = 0.03
bpy.context.object.modifiers["Bevel"].segments = 3
bpy.context.object.modifiers["Bevel"].harden_normals = True
bpy.ops.object.shade_smooth(use_auto_smooth=True, auto_smooth_angle=radians(30))

# glass
bpy.ops.mesh.primitive_cylinder_add(vertices=48, radius=1.0, depth=2.4,
                                    end_fill_type='NOTHING', location=(0, 0, 1.36))
glass = bpy.context.object
glass.name = "Tumbler"
bpy.ops.object.mode_set(mode='EDIT')
bpy.ops.mesh.select_all(action='SELECT')
bpy.ops.mesh.normals_make_consistent(inside=False)
bpy.ops.object.mode_set(mode='OBJECT')
bpy.ops.object.modifier_add(type='SOLIDIFY')
bpy.context.object.modifiers["Solidify"].thickness = 0.12
bpy.ops.object.shade_smooth()
bpy.context.object.data.use_auto_smooth = True
bpy.context.object.data.auto_smooth_angle = 0.785398

mat = bpy.data.materials.new("Glass")
mat.use_nodes = True
bsdf = mat.node_tree.nodes["Principled BSDF"]
bsdf.inputs["Base Color"].default_value = (0.8, 0.95, 1.0, 1)
bsdf.inputs["Roughness"].default_value = 0.02
bsdf.inputs["Transmission"].default_value = 1.0
bsdf.inputs["Specular"].default_value = 0.5
bsdf.inputs["IOR"].default_value = 1.45
glass.data.materials.append(mat)

cork = bpy.data.materials.new("Cork")
cork.use_nodes = True
cork.node_tree.nodes["Principled BSDF"].inputs[0].default_value = (0.45, 0.25, 0.1, 1)
cork.node_tree.nodes["Principled BSDF"].inputs["Specular"].default_value = 0.1
cork.node_tree.nodes["Principled BSDF"].inputs["Sheen"].default_value = 0.4
bpy.data.objects["Coaster"].data.materials.append(cork)

bpy.ops.mesh.primitive_plane_add(size=20, location=(0, 0, 0))

bpy.ops.object.light_add(type='AREA', location=(3, -2, 5), rotation=(radians(35), radians(25), 0))
bpy.context.object.data.energy = 600
bpy.context.object.data.size = 2

bpy.ops.object.camera_add(location=(0, -8, 4), rotation=(radians(70), 0, 0))
bpy.context.scene.camera = bpy.context.object

bpy.context.scene.render.engine = 'CYCLES'
bpy.context.scene.cycles.samples = 128
