# Blender 3.4
# Course notes, week 6: rigging by script. Tentacle, bone layers, bone groups.
import bpy
from math import radians, sin

N = 6
SEG = 0.7

if bpy.context.object and bpy.context.object.mode != 'OBJECT':
    bpy.ops.object.mode_set(mode='OBJECT')
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

# mesh
bpy.ops.mesh.primitive_cone_add(vertices=16, radius1=0.5, radius2=0.08, depth=N * SEG,
                                location=(0, 0, N * SEG / 2))
tentacle = bpy.context.object
tentacle.name = "Tentacle"
bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
bpy.ops.object.mode_set(mode='EDIT')
bpy.ops.mesh.select_all(action='SELECT')
bpy.ops.mesh.subdivide(number_cuts=10)
bpy.ops.object.mode_set(mode='OBJECT')

# armature
bpy.ops.object.armature_add(enter_editmode=True, location=(0, 0, 0))
rig = bpy.context.object
rig.name = "Rig"
arm = rig.data
arm.display_type = 'BBONE'
ebones = arm.edit_bones
ebones.remove(ebones[0])
prev = None
for i in range(N):
    b = ebones.new("tent.%03d" % i)
    b.head = (0, 0, i * SEG)
    b.tail = (0, 0, (i + 1) * SEG)
    if prev:
        b.parent = prev
        b.use_connect = True
    prev = b
ctrl = ebones.new("CTRL")
ctrl.head = (0, 0, N * SEG)
ctrl.tail = (0, -0.6, N * SEG)
ctrl.use_deform = False

# deform bones on layer 2, controls stay on layer 1
for b in ebones:
    b.layers = [i == (0 if b.name == "CTRL" else 1) for i in range(32)]
arm.layers[0] = True
arm.layers[1] = True

bpy.ops.object.mode_set(mode='POSE')
grp_def = rig.pose.bone_groups.new(name="Deform")
grp_def.color_set = 'THEME04'
grp_ctrl = rig.pose.bone_groups.new(name="Control")
grp_ctrl.color_set = 'THEME01'
for pb in rig.pose.bones:
    pb.bone_group = grp_ctrl if pb.name == "CTRL" else grp_def

ik = rig.pose.bones["tent.%03d" % (N - 1)].constraints.new('IK')
ik.target = rig
ik.subtarget = "CTRL"
ik.chain_count = N
rig.pose.bones["CTRL"].location = (1.2, 0.8, 0.4)
arm.bones.active = arm.bones["CTRL"]
arm.bones["CTRL"].select = True
bpy.ops.object.mode_set(mode='OBJECT')

bpy.ops.object.select_all(action='DESELECT')
tentacle.select_set(True)
rig.select_set(True)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.parent_set(type='ARMATURE_AUTO')

bpy.ops.object.light_add(type='SUN', location=(4, -4, 8), rotation=(radians(40), radians(20), 0))
bpy.ops.object.camera_add(location=(0, -11, 3), rotation=(radians(85), 0, 0))
bpy.context.scene.camera = bpy.context.object
