# change: Action.fcurves -> layered actions/channelbags (5.0)
# holds: (bpy.context.scene.frame_set(20) or round(bpy.data.objects['Icosphere'].location.z, 3)) == 4.0
import bpy

bpy.ops.mesh.primitive_ico_sphere_add(location=(0, 0, 0))
obj = bpy.context.active_object

obj.animation_data_create()
obj.animation_data.action = bpy.data.actions.new(name="Bounce")

fcu_z = obj.animation_data.action.fcurves.new(data_path="location", index=2)
fcu_z.keyframe_points.add(3)
fcu_z.keyframe_points[0].co = 1.0, 0.0
fcu_z.keyframe_points[1].co = 20.0, 4.0
fcu_z.keyframe_points[2].co = 40.0, 0.0
fcu_z.update()
