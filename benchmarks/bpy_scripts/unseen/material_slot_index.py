# change: materials[0] of a mesh without slots
# holds: bpy.data.objects['Ball'].data.materials[0].name == 'Rubber'
# names: append
import bpy

bpy.ops.mesh.primitive_uv_sphere_add(radius=0.11, location=(0, 0, 0.11))
ball = bpy.context.object
ball.name = "Ball"
rubber = bpy.data.materials.new("Rubber")
rubber.diffuse_color = (0.9, 0.3, 0.1, 1.0)
ball.data.materials[0] = rubber
