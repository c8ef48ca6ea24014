# Blender 2.77
# Week 6 - rigging a tentacle with bendy bones
# (select nothing special, just run it in an empty file)
import bpy
from math import radians, sin
from mathutils import Matrix, Vector

BONES = 5
LEN = 0.8

if bpy.context.object and bpy.context.object.mode != 'OBJECT':
    bpy.ops.object.mode_set(mode='OBJECT')
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

# the mesh: a long box with lots of cuts, thinner at the top
bpy.ops.mesh.primitive_cube_add(radius=1, location=(0, 0, BONES * LEN / 2))
skin = bpy.context.object
skin.name = "Tentacle"
skin.scale = (0.35, 0.35, BONES * LEN / 2)
bpy.ops.object.transform_apply(location=True, rotation=False, scale=True)
bpy.ops.object.mode_set(mode='EDIT')
bpy.ops.mesh.subdivide(number_cuts=15)
bpy.ops.object.mode_set(mode='OBJECT')
for v in skin.data.vertices:
    k = 1.0 - 0.8 * v.co.z / (BONES * LEN)
    v.co = Matrix.Scale(k, 4, (1, 0, 0)) * Matrix.Scale(k, 4, (0, 1, 0)) * v.co
skin.modifiers.new("Subsurf", 'SUBSURF')

# the armature
bpy.ops.object.armature_add(enter_editmode=True, location=(0, 0, 0))
rig = bpy.context.object
rig.show_x_ray = True
rig.data.draw_type = 'BBONE'

ebs = rig.data.edit_bones
ebs[0].name = "seg.0"
ebs[0].tail = (0, 0, LEN)
prev = ebs[0]
for i in range(1, BONES):
    b = ebs.new("seg.%d" % i)
    b.head = prev.tail
    b.tail = prev.tail + Vector((0, 0, LEN))
    b.parent = prev
    b.use_connect = True
    prev = b
for b in ebs:
    b.bbone_segments = 4
    b.bbone_in = 1.0
    b.bbone_out = 1.0
bpy.ops.object.mode_set(mode='OBJECT')

# parent with automatic weights, armature must be active
skin.select = True
rig.select = True
bpy.context.scene.objects.active = rig
bpy.ops.object.parent_set(type='ARMATURE_AUTO')

# pose it
for i, pb in enumerate(rig.pose.bones):
    pb.rotation_mode = 'XYZ'
    pb.rotation_euler.x = radians(25) * sin(i * 1.1 + 0.6)
    pb.keyframe_insert("rotation_euler", frame=1)

bpy.ops.object.lamp_add(type='POINT', location=(3, -4, 5))
bpy.context.object.data.energy = 2
bpy.ops.object.camera_add(location=(9, -3, 2.4), rotation=(radians(88), 0, radians(71)))
bpy.context.scene.camera = bpy.context.object
