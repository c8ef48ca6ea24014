# change: Action.fcurves -> layered actions/channelbags (5.0)
# holds: (bpy.context.scene.frame_set(150) or bpy.data.objects['Pivot'].rotation_euler.z) > 0.5
import bpy

scene = bpy.context.scene
empty = bpy.data.objects.new("Pivot", None)
scene.collection.objects.link(empty)

empty.rotation_mode = 'XYZ'
empty.keyframe_insert('rotation_euler', index=2, frame=1)
empty.rotation_euler.z = 6.28318
empty.keyframe_insert('rotation_euler', index=2, frame=100)

action = empty.animation_data.action
fcurve = action.fcurves.find('rotation_euler', index=2)
fcurve.modifiers.new(type='CYCLES')
fcurve.extrapolation = 'LINEAR'

bpy.ops.mesh.primitive_cube_add(location=(4, 0, 0))
cube = bpy.context.object
cube.parent = empty
