# Blender 4.1
# Scene: A bright green segmented snake of ten balls with red eyes, curled by its bones into an S shape on a yellow sand disc, in front of a pale orange background, lit by a sun.
# Old: material.use_nodes = False with diffuse_color of four numbers -> green snake and red eyes and yellow sand in the render, world.use_nodes = False with world.color -> pale orange background and ambient light, pose.bone_groups.new with pose_bone.bone_group -> must not stop the script (bone colors today), bone.select = True -> must not stop the script (pose bone selection today)
"""Generates a small rigged snake: one bone per segment, rotated to form an S."""
import bpy
import math

SEGMENTS = 10
STEP = 0.55


def reset():
    bpy.ops.object.select_all(action='SELECT')
    bpy.ops.object.delete()


def simple_material(name, rgba):
    mat = bpy.data.materials.new(name=name)
    mat.use_nodes = False
    mat.diffuse_color = rgba
    mat.roughness = 0.4
    return mat


def build_rig():
    arm = bpy.data.armatures.new("SnakeRig")
    rig = bpy.data.objects.new("SnakeRig", arm)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode='EDIT')
    parent = None
    for i in range(SEGMENTS):
        bone = arm.edit_bones.new(f"Seg{i:02d}")
        bone.head, bone.tail = (i * STEP, 0, 0), ((i + 1) * STEP, 0, 0)
        bone.parent = parent
        bone.use_connect = parent is not None
        parent = bone
    bpy.ops.object.mode_set(mode='POSE')
    # colour groups
    group = rig.pose.bone_groups.new(name="Body")
    group.color_set = 'THEME04'
    for i, pbone in enumerate(rig.pose.bones):
        pbone.bone_group = group
        pbone.rotation_mode = 'XYZ'
        pbone.rotation_euler = (0, 0, math.radians(26 if i < SEGMENTS / 2 else -30))
        pbone.bone.select = True
    bpy.ops.object.mode_set(mode='OBJECT')
    rig.location = (-1.8, -1.2, 0.35)
    return rig


def add_segment(rig, index, material):
    radius = 0.34 - 0.018 * index
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=radius)
    ob = bpy.context.active_object
    bpy.ops.object.shade_smooth()
    ob.data.materials.append(material)
    ob.parent = rig
    ob.parent_type = 'BONE'
    ob.parent_bone = f"Seg{index:02d}"
    ob.location = (0, -STEP / 2, 0)
    return ob


reset()
scene = bpy.context.scene
green = simple_material("SnakeGreen", (0.1, 0.65, 0.08, 1.0))
red = simple_material("EyeRed", (0.9, 0.02, 0.02, 1.0))
sand = simple_material("Sand", (0.85, 0.7, 0.25, 1.0))

rig = build_rig()
segments = [add_segment(rig, i, green) for i in range(SEGMENTS)]
for side in (-1, 1):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.07)
    eye = bpy.context.active_object
    eye.data.materials.append(red)
    eye.parent = segments[0]
    eye.location = (0.17 * side, -0.15, 0.24)

bpy.ops.mesh.primitive_cylinder_add(vertices=96, radius=4.5, depth=0.1, location=(0, 0, -0.05))
bpy.context.active_object.data.materials.append(sand)

bpy.ops.object.light_add(type='SUN', rotation=(math.radians(35), math.radians(20), 0))
bpy.context.active_object.data.energy = 3

scene.world.use_nodes = False
scene.world.color = (0.95, 0.7, 0.5)

bpy.ops.object.camera_add(location=(0, -11, 7), rotation=(math.radians(58), 0, 0))
scene.camera = bpy.context.active_object
