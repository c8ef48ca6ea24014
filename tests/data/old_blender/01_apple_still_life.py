# Blender 2.79
# Scene: A shiny red apple with a brown stem and a green leaf on a brown wooden table, lit by one warm point lamp from the upper left, in front of a light blue background that is visible behind the table.
# Old: material.diffuse_color with three numbers -> red apple / brown table / green leaf in the render, specular_hardness and diffuse_intensity -> glossy highlight on the apple (matte table), bpy.data.lamps.new -> a point light, lamp.energy 1.3 with lamp.distance 20 of Blender Internal -> apple brightly lit (not the near-black of 1.3 W), scene.objects.link -> lamp and camera are in the scene, world.horizon_color -> light blue background
import bpy
from math import radians

scene = bpy.context.scene

# get rid of the startup cube and friends
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)


def make_material(name, rgb, hardness):
    mat = bpy.data.materials.new(name)
    mat.diffuse_color = rgb
    mat.diffuse_intensity = 0.9
    mat.specular_intensity = 0.5
    mat.specular_hardness = hardness
    return mat


red = make_material('AppleSkin', (0.8, 0.03, 0.02), 180)
brown = make_material('Stem', (0.18, 0.09, 0.03), 20)
green = make_material('Leaf', (0.12, 0.5, 0.06), 60)
wood = make_material('Wood', (0.42, 0.23, 0.09), 15)

# the table top
bpy.ops.mesh.primitive_cube_add(location=(0, 0, -0.15))
table = bpy.context.object
table.name = 'Table'
table.scale = (4, 3, 0.15)
table.data.materials.append(wood)

# the apple is a sphere with a dent at the top and a narrow bottom
bpy.ops.mesh.primitive_uv_sphere_add(location=(0, 0, 0.92))
apple = bpy.context.object
apple.name = 'Apple'
for v in apple.data.vertices:
    r = (v.co.x ** 2 + v.co.y ** 2) ** 0.5
    if v.co.z > 0.5:
        v.co.z -= 0.45 * max(0.0, 0.75 - r)
    elif v.co.z < 0:
        squeeze = 1.0 + 0.22 * v.co.z
        v.co.x *= squeeze
        v.co.y *= squeeze
apple.data.materials.append(red)
bpy.ops.object.shade_smooth()

bpy.ops.mesh.primitive_cylinder_add(location=(0.03, 0, 1.8))
stem = bpy.context.object
stem.scale = (0.05, 0.05, 0.25)
stem.rotation_euler = (0, radians(12), 0)
stem.data.materials.append(brown)

bpy.ops.mesh.primitive_plane_add(location=(0.4, 0, 1.95))
leaf = bpy.context.object
leaf.scale = (0.35, 0.16, 1)
leaf.rotation_euler = (radians(25), radians(-20), 0)
leaf.data.materials.append(green)

# lamp
lamp = bpy.data.lamps.new('Key', 'POINT')
lamp.energy = 1.3
lamp.distance = 20
lamp.color = (1.0, 0.93, 0.8)
lamp_ob = bpy.data.objects.new('Key', lamp)
lamp_ob.location = (-3, -3.5, 5)
scene.objects.link(lamp_ob)

# camera
cam = bpy.data.cameras.new('Cam')
cam.lens = 40
cam_ob = bpy.data.objects.new('Cam', cam)
cam_ob.location = (0, -7, 2.8)
cam_ob.rotation_euler = (radians(75), 0, 0)
scene.objects.link(cam_ob)
scene.camera = cam_ob

scene.world.horizon_color = (0.5, 0.72, 0.92)
