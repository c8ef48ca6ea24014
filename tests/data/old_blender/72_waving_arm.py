# Blender 4.1
# Q: "bone.layers gives AttributeError in 4.x" -> A: layers are gone, use bone collections. Complete example:
import bpy
from math import radians

for ob in bpy.data.objects:
    bpy.data.objects.remove(ob)

arm = bpy.data.armatures.new("WaveArm")
rig = bpy.data.objects.new("WaveRig", arm)
bpy.context.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
rig.select_set(True)

bpy.ops.object.mode_set(mode='EDIT')
parts = [("upper", 1.2), ("lower", 1.0), ("hand", 0.5)]
z, parent = 0.0, None
for name, length in parts:
    eb = arm.edit_bones.new(name)
    eb.head, eb.tail = (0, 0, z), (0, 0, z + length)
    eb.parent = parent
    eb.use_connect = parent is not None
    z += length
    parent = eb
bpy.ops.object.mode_set(mode='OBJECT')

# this replaces layers
deform = arm.collections.new("Deform")
tips = arm.collections.new("Tips")
for b in arm.bones:
    deform.assign(b)
tips.assign(arm.bones["hand"])
tips.is_visible = True

# this replaces bone groups
arm.bones["hand"].color.palette = 'THEME09'
rig.pose.bones["lower"].color.palette = 'THEME03'

# boxes parented to bones
for name, length in parts:
    bpy.ops.mesh.primitive_cube_add(size=1)
    box = bpy.context.object
    box.name = "geo_" + name
    box.scale = (0.15, 0.15, length * 0.45)
    box.parent = rig
    box.parent_type = 'BONE'
    box.parent_bone = name
    box.rotation_euler = (radians(90), 0, 0)
    box.location = (0, -length / 2, 0)

# animate the pose
for name, amp in (("upper", 15), ("lower", 35), ("hand", 25)):
    pb = rig.pose.bones[name]
    pb.rotation_mode = 'XYZ'
    for frame, sign in ((1, -1), (13, 1), (25, -1)):
        pb.rotation_euler.z = radians(amp * sign)
        pb.keyframe_insert("rotation_euler", index=2, frame=frame, group=name)

action = rig.animation_data.action
for fc in action.fcurves:
    cyc = fc.modifiers.new('CYCLES')
    cyc.mode_before = cyc.mode_after = 'REPEAT'
    for kp in fc.keyframe_points:
        kp.interpolation = 'SINE'
for g in action.groups:
    print(g.name, [c.data_path for c in g.channels])

# select only the hand
for b in arm.bones:
    b.select = b.select_head = b.select_tail = (b.name == "hand")
arm.bones.active = arm.bones["hand"]

bpy.ops.object.light_add(type='SUN', rotation=(0.8, 0.2, 0))
bpy.ops.object.camera_add(location=(0, -9, 1.4), rotation=(radians(90), 0, 0))
bpy.context.scene.camera = bpy.context.object
