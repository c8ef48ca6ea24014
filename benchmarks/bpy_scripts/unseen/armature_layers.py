# change: Armature.layers -> collections (4.0), edit_bones.new(head=)
# holds: len(bpy.data.armatures['Rig'].bones) == 2
# names: collections
import bpy

bpy.ops.object.armature_add(location=(0, 0, 0))
rig = bpy.context.object
rig.data.name = "Rig"
rig.data.layers[0] = True
bpy.ops.object.mode_set(mode='EDIT')
bone = rig.data.edit_bones.new("Arm")
bone.head = (0, 0, 1)
bone.tail = (0, 0, 2)
bone.parent = rig.data.edit_bones[0]
bpy.ops.object.mode_set(mode='OBJECT')
