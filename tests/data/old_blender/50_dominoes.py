# Blender 2.79
# dominoes!  mostly copied from the info window
import bpy
from math import sin, cos, pi

def wipe():
    bpy.ops.object.select_all(action='DESELECT')
    bpy.ops.object.select_by_type(type='MESH')
    bpy.ops.object.select_by_type(extend=True, type='LAMP')
    bpy.ops.object.select_by_type(extend=True, type='CAMERA')
    bpy.ops.object.delete(use_global=False)

def domino(loc, angle, mat):
    bpy.ops.mesh.primitive_cube_add(radius=0.5, view_align=False, enter_editmode=False, location=loc)
    bpy.ops.transform.resize(value=(0.2, 0.7, 1.4), constraint_axis=(False, False, False), constraint_orientation='GLOBAL', mirror=False, proportional='DISABLED', proportional_edit_falloff='SMOOTH', proportional_size=1)
    bpy.ops.transform.rotate(value=angle, axis=(0, 0, 1), constraint_axis=(False, False, True), constraint_orientation='GLOBAL')
    bpy.ops.object.transform_apply(scale=True)
    bpy.ops.rigidbody.object_add(type='ACTIVE')
    ob = bpy.context.object
    ob.rigid_body.mass = 0.5
    ob.rigid_body.friction = 0.4
    ob.rigid_body.collision_shape = 'BOX'
    ob.data.materials.append(mat)
    return ob

def color(name, rgb):
    m = bpy.data.materials.new(name)
    m.diffuse_color = rgb
    m.specular_intensity = 0.2
    return m

wipe()
scn = bpy.context.scene
if scn.rigidbody_world is None:
    bpy.ops.rigidbody.world_add()
rbw = scn.rigidbody_world
if rbw.group is None:
    rbw.group = bpy.data.groups.new('RigidBodyWorld')
rbw.steps_per_second = 180
rbw.solver_iterations = 20
rbw.point_cache.frame_end = 200
scn.frame_end = 200

# floor
bpy.ops.mesh.primitive_plane_add(radius=10, location=(0, 0, 0))
bpy.ops.rigidbody.object_add(type='PASSIVE')
bpy.context.object.data.materials.append(color('table', (0.35, 0.2, 0.1)))

mats = [color('white', (0.9, 0.9, 0.85)), color('black', (0.03, 0.03, 0.03))]
R = 3.5
n = 28
for i in range(n):
    a = i * 1.7 * pi / n
    domino((R * cos(a), R * sin(a), 0.71), a + pi / 2, mats[i % 2])

# the ball which starts everything
bpy.ops.mesh.primitive_uv_sphere_add(size=0.3, location=(R, -1.0, 1.6))
bpy.ops.object.shade_smooth()
bpy.ops.rigidbody.object_add(type='ACTIVE')
ball = bpy.context.object
ball.rigid_body.kinematic = True
ball.keyframe_insert('location', frame=1)
ball.location.y = 0.0
ball.keyframe_insert('location', frame=15)

bpy.ops.object.lamp_add(type='SUN', view_align=False, location=(0, 0, 8), rotation=(0.5, 0.3, 0))
bpy.ops.object.camera_add(view_align=False, location=(0, -12, 8), rotation=(0.99, 0, 0))
scn.camera = bpy.context.object
