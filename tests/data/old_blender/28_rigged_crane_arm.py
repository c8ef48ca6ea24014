# Blender 3.5
# Scene: An orange robot arm of three cylinder links with dark grey joint balls, rigged with an armature and bent by IK toward a floating glossy blue ball, on a round dark base plate and a light floor, lit by a sun and an area light.
# Old: bone.layers and armature.layers -> must not stop the script (bone collections today), pose.bone_groups.new with color_set and bone.bone_group -> must not stop the script (bone colors today), Principled 'Specular' -> gloss on paint and ball
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
LEN = 1.6


def paint(name, rgb, rough, spec):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    n = m.node_tree.nodes['Principled BSDF']
    for key, val in (('Base Color', rgb + (1.0,)), ('Roughness', rough), ('Specular', spec)):
        n.inputs[key].default_value = val
    return m

orange = paint('Orange', (0.9, 0.3, 0.02), 0.35, 0.6)
dark = paint('Dark', (0.05, 0.05, 0.06), 0.5, 0.4)
blue = paint('Blue', (0.02, 0.12, 0.8), 0.1, 0.9)
light_floor = paint('Floor', (0.7, 0.7, 0.72), 0.8, 0.2)

# ---- armature with a chain of 3 bones
arm = bpy.data.armatures.new('CraneRig')
rig = bpy.data.objects.new('CraneRig', arm)
rig.location = (0, 0, 0.3)
scene.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode='EDIT')
prev = None
for i in range(3):
    eb = arm.edit_bones.new('Link%d' % i)
    eb.head = (0.15 * (i % 2), 0, LEN * i)
    eb.tail = (0.15 * ((i + 1) % 2), 0, LEN * (i + 1))
    eb.parent = prev
    eb.use_connect = prev is not None
    prev = eb
bpy.ops.object.mode_set(mode='OBJECT')

# organise: deform bones on layer 2, show only the first two layers
for b in arm.bones:
    b.layers[1] = True
arm.layers = [i < 2 for i in range(32)]
grp = rig.pose.bone_groups.new(name='Crane')
grp.color_set = 'THEME03'
for pb in rig.pose.bones:
    pb.bone_group = grp

# ---- target ball and IK
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.35, location=(2.6, 0, 2.2))
target = bpy.context.object
bpy.ops.object.shade_smooth()
target.data.materials.append(blue)
ik = rig.pose.bones['Link2'].constraints.new('IK')
ik.target = target
ik.chain_count = 3

# ---- visible parts, parented to the bones
def attach(ob, bone, mat):
    ob.parent = rig
    ob.parent_type = 'BONE'
    ob.parent_bone = bone
    ob.data.materials.append(mat)
    bpy.ops.object.shade_smooth()


for i in range(3):
    bpy.ops.mesh.primitive_cylinder_add(vertices=32, radius=0.22 - 0.04 * i, depth=LEN)
    attach(bpy.context.object, 'Link%d' % i, orange)
    bpy.context.object.location = (0, -LEN / 2, 0)          # the bone parent space starts at the tail
    bpy.context.object.rotation_euler = (radians(90), 0, 0)
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3 - 0.04 * i)
    attach(bpy.context.object, 'Link%d' % i, dark)
    bpy.context.object.location = (0, -LEN, 0)

bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=1.1, depth=0.3, location=(0, 0, 0.15))
bpy.context.object.data.materials.append(dark)
bpy.ops.mesh.primitive_plane_add(size=30)
bpy.context.object.data.materials.append(light_floor)

bpy.ops.object.light_add(type='SUN', rotation=(radians(40), radians(20), 0))
bpy.context.object.data.energy = 2
bpy.ops.object.light_add(type='AREA', location=(-4, -4, 5), rotation=(radians(50), 0, radians(-45)))
bpy.context.object.data.energy = 300
bpy.ops.object.camera_add(location=(1, -12, 4), rotation=(radians(81), 0, 0))
scene.camera = bpy.context.object
