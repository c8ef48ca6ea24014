# brief: a red apple
# finds: scene.empty
import bpy

mesh = bpy.data.meshes.new("Apple")
mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
apple = bpy.data.objects.new("Apple", mesh)  # and never linked
bpy.ops.object.light_add(type="SUN")
bpy.ops.object.camera_add(location=(0, -5, 1), rotation=(1.4, 0, 0))
bpy.context.scene.camera = bpy.context.object
