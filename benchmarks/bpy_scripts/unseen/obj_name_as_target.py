# change: a constraint's target is an object, not a name; track_axis values
# holds: bpy.data.objects['Cam'].constraints[0].target.name == 'Sofa' and bpy.data.objects['Cam'].constraints[0].track_axis == 'TRACK_NEGATIVE_Z'
# names: bpy.data.objects
import bpy

bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
bpy.context.object.name = "Sofa"
bpy.ops.object.camera_add(location=(5, -5, 3))
cam = bpy.context.object
cam.name = "Cam"
track = cam.constraints.new(type='TRACK_TO')
track.target = "Sofa"
track.track_axis = 'NEGATIVE_Z'
track.up_axis = 'UP_Y'
