# Blender 2.93
"""Little box robot: bone layers, coloured bone groups, a wave action pushed to the NLA."""
import bpy
from math import radians

BONES = {
    # name: (head, tail, parent, layer)
    "body":  ((0, 0, 0.6), (0, 0, 1.8), None, 0),
    "head":  ((0, 0, 1.9), (0, 0, 2.6), "body", 0),
    "arm.L": ((0.6, 0, 1.7), (1.5, 0, 1.7), "body", 1),
    "arm.R": ((-0.6, 0, 1.7), (-1.5, 0, 1.7), "body", 2),
}
THEMES = {0: ("Spine", 'THEME09'), 1: ("Left", 'THEME04'), 2: ("Right", 'THEME01')}

def only_layer(i):
    return [n == i for n in range(32)]

def build_rig():
    arm = bpy.data.armatures.new("Robot")
    arm.display_type = 'STICK'
    rig = bpy.data.objects.new("RobotRig", arm)
    rig.show_in_front = True
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode='EDIT')
    for name, (head, tail, parent, layer) in BONES.items():
        eb = arm.edit_bones.new(name)
        eb.head, eb.tail = head, tail
        if parent:
            eb.parent = arm.edit_bones[parent]
        eb.layers = only_layer(layer)
    bpy.ops.object.mode_set(mode='OBJECT')
    arm.layers = [n < 3 for n in range(32)]
    for layer, (gname, theme) in THEMES.items():
        grp = rig.pose.bone_groups.new(name=gname)
        grp.color_set = theme
        for pb in rig.pose.bones:
            if pb.bone.layers[layer]:
                pb.bone_group = grp
    return rig

def add_boxes(rig):
    for b in rig.data.bones:
        mid = (b.head_local + b.tail_local) / 2
        bpy.ops.mesh.primitive_cube_add(size=1, location=mid)
        box = bpy.context.object
        vec = b.tail_local - b.head_local
        box.scale = [max(abs(c), 0.35) for c in vec]
        mw = box.matrix_world.copy()
        box.parent, box.parent_type, box.parent_bone = rig, 'BONE', b.name
        bpy.context.view_layer.update()
        box.matrix_world = mw
for ob in bpy.data.objects:
    bpy.data.objects.remove(ob)
rig = build_rig()
add_boxes(rig)
pb = rig.pose.bones["arm.L"]
pb.rotation_mode = 'XYZ'
for f, deg in ((1, 0), (10, 60), (20, 20), (30, 60), (40, 0)):
    pb.rotation_euler.z = radians(deg)
    pb.keyframe_insert("rotation_euler", frame=f, group="arm.L")
action = rig.animation_data.action
for fc in action.fcurves:
    for k in fc.keyframe_points:
        k.interpolation = 'SINE'
track = rig.animation_data.nla_tracks.new()
track.strips.new("Wave", 10, action).repeat = 2
rig.animation_data.action = None
bpy.ops.object.light_add(type='SUN', rotation=(0.6, 0.2, 0))
bpy.ops.object.camera_add(location=(0, -9, 2), rotation=(radians(87), 0, 0))
bpy.context.scene.camera = bpy.context.object
