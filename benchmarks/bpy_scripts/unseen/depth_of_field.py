# change: Camera.dof_object -> dof.focus_object, dof_distance -> dof.focus_distance (2.80)
# holds: round(bpy.data.cameras['Cam'].dof.focus_distance, 2) == 3.5 and bpy.data.cameras['Cam'].dof.focus_object.name == 'Target'
# names: dof.focus_object
import bpy

bpy.ops.object.empty_add(type='PLAIN_AXES', location=(0, 0, 1))
target = bpy.context.object
target.name = "Target"
data = bpy.data.cameras.new("Cam")
camera = bpy.data.objects.new("Cam", data)
bpy.context.collection.objects.link(camera)
camera.location = (4, -4, 2)
data.lens = 50
data.dof_object = target
data.dof_distance = 3.5
bpy.context.scene.camera = camera
