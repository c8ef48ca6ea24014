# Blender 2.79
# Answer to "how do I instance a group from python without bpy.ops?"
import bpy
import random
from math import sin, cos, pi

scene = bpy.context.scene

for ob in scene.objects[:]:
    scene.objects.unlink(ob)

random.seed(3)


def cone_mesh(name, radius, height, segs=12):
    verts = [(radius * cos(2 * pi * i / segs), radius * sin(2 * pi * i / segs), 0.0) for i in range(segs)]
    verts.append((0.0, 0.0, height))
    faces = [(i, (i + 1) % segs, segs) for i in range(segs)]
    faces.append(tuple(reversed(range(segs))))
    me = bpy.data.meshes.new(name)
    me.from_pydata(verts, [], faces)
    me.update()
    return me

green = bpy.data.materials.new('Needles')
green.diffuse_color = (0.05, 0.3, 0.08)

# build one tree and put all the parts in a group
tree = bpy.data.groups.new('Tree')
for n, (r, h, z) in enumerate([(1.0, 1.4, 0.4), (0.8, 1.2, 1.1), (0.55, 1.0, 1.8)]):
    me = cone_mesh('tier%d' % n, r, h)
    me.materials.append(green)
    ob = bpy.data.objects.new('tier%d' % n, me)
    ob.location.z = z
    scene.objects.link(ob)
    tree.objects.link(ob)
tree.dupli_offset = (0, 0, 0.4)

# now the instances
for i in range(40):
    e = bpy.data.objects.new('tree_inst', None)
    e.empty_draw_type = 'ARROWS'
    e.empty_draw_size = 0.3
    e.dupli_type = 'GROUP'
    e.dupli_group = tree
    a = random.uniform(0, 2 * pi)
    d = random.uniform(2.5, 9)
    e.location = (d * cos(a), d * sin(a), 0.4)
    s = random.uniform(0.6, 1.3)
    e.scale = (s, s, s)
    scene.objects.link(e)

ground = bpy.data.meshes.new('Ground')
ground.from_pydata([(-12, -12, 0), (12, -12, 0), (12, 12, 0), (-12, 12, 0)], [], [(0, 1, 2, 3)])
scene.objects.link(bpy.data.objects.new('Ground', ground))

# sun + camera
sun = bpy.data.objects.new('Sun', bpy.data.lamps.new('Sun', 'SUN'))
sun.rotation_euler = (0.7, 0.2, 0.4)
scene.objects.link(sun)

cam = bpy.data.objects.new('Cam', bpy.data.cameras.new('Cam'))
cam.location = (0, -19, 9)
cam.rotation_euler = (1.15, 0, 0)
scene.objects.link(cam)
scene.camera = cam

scene.objects.active = cam
cam.select = True
scene.update()
