# Blender 2.76
# Scene: A glowing yellow sun in the middle, four planets (grey, orange, blue, red) on their orbits around it that are lit from the sun side by a point lamp in the sun's centre, animated with keyframes, seen from above at an angle.
# Old: material.emit -> the sun sphere glows yellow by itself, lamp.shadow_method 'NOSHADOW' -> the lamp inside the sun ball still reaches the planets, bpy.data.lamps.new -> a point light, lamp.energy 2.0 with distance 12 and falloff_type 'INVERSE_LINEAR' -> planets 4 to 12 units away are clearly lit, scene.objects.link -> lamp and empties and camera in the scene, material.diffuse_color with three numbers -> colored planets in the render
import bpy
from math import radians, pi

scn = bpy.context.scene
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scn.frame_start = 1
scn.frame_end = 240

PLANETS = [
    # name, orbit radius, size, color, turns
    ('Mercury', 3.0, 0.25, (0.5, 0.5, 0.5), 4),
    ('Venus', 4.6, 0.45, (0.9, 0.5, 0.15), 3),
    ('Earth', 6.6, 0.5, (0.08, 0.25, 0.85), 2),
    ('Mars', 8.8, 0.35, (0.75, 0.15, 0.05), 1),
]


def new_ball(name, loc, radius, rgb, emit=0.0):
    bpy.ops.mesh.primitive_uv_sphere_add(location=loc)
    ob = bpy.context.object
    ob.name = name
    ob.scale = (radius, radius, radius)
    bpy.ops.object.shade_smooth()
    mat = bpy.data.materials.new(name)
    mat.diffuse_color = rgb
    if emit:
        mat.emit = emit
    ob.data.materials.append(mat)
    return ob


# the sun: a self lit ball...
new_ball('Sun', (0, 0, 0), 1.5, (1.0, 0.8, 0.1), emit=2.0)

# ... and the lamp inside of it
la = bpy.data.lamps.new('SunLamp', 'POINT')
la.energy = 2.0
la.distance = 12.0
la.falloff_type = 'INVERSE_LINEAR'
la.shadow_method = 'NOSHADOW'
la.color = (1.0, 0.95, 0.8)
la_ob = bpy.data.objects.new('SunLamp', la)
scn.objects.link(la_ob)

for i, (name, dist, size, rgb, turns) in enumerate(PLANETS):
    pivot = bpy.data.objects.new(name + '_orbit', None)
    scn.objects.link(pivot)
    planet = new_ball(name, (dist, 0, 0), size, rgb)
    planet.parent = pivot
    start = radians(80 * i - 60)
    pivot.rotation_euler = (0, 0, start)
    pivot.keyframe_insert('rotation_euler', frame=1)
    pivot.rotation_euler = (0, 0, start + 2 * pi * turns)
    pivot.keyframe_insert('rotation_euler', frame=241)

    # orbit line
    bpy.ops.mesh.primitive_torus_add(major_radius=dist, minor_radius=0.02, major_segments=96)
    ring = bpy.context.object
    ring.name = name + '_ring'
    mat = bpy.data.materials.new(name + '_ring')
    mat.diffuse_color = (0.7, 0.7, 0.7)
    ring.data.materials.append(mat)

scn.frame_set(1)

cam = bpy.data.cameras.new('Camera')
cam.lens = 35
cam_ob = bpy.data.objects.new('Camera', cam)
cam_ob.location = (0, -19, 12)
cam_ob.rotation_euler = (radians(58), 0, 0)
scn.objects.link(cam_ob)
scn.camera = cam_ob
