# Blender 2.82
# Scene: A low poly island: a sand colored disc in a blue sea with twelve green cone trees on brown trunks and three grey rocks, under a light blue sky, lit by one sun.
# Old: material.diffuse_color with four numbers (new material without nodes) plus material.roughness -> sand/green/brown/grey/blue in the render, bmesh create_cone(diameter1=, diameter2=) and create_icosphere(diameter=) -> same numbers as radii, eevee.use_gtao with gtao_distance -> soft dark corners and must not stop the script, world.color with world.use_nodes False -> light blue sky
import bpy
import bmesh
import random
from math import radians, cos, sin, pi
from mathutils import Matrix

random.seed(7)
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_gtao = True
scene.eevee.gtao_distance = 1.0
scene.world.use_nodes = False
scene.world.color = (0.45, 0.7, 0.95)


def mat(name, r, g, b, rough=0.9):
    m = bpy.data.materials.new(name)
    m.diffuse_color = (r, g, b, 1.0)
    m.roughness = rough
    return m

SAND = mat('sand', 0.8, 0.65, 0.35)
SEA = mat('sea', 0.02, 0.2, 0.5, 0.2)
LEAF = mat('leaf', 0.06, 0.35, 0.08)
BARK = mat('bark', 0.2, 0.1, 0.04)
ROCK = mat('rock', 0.35, 0.35, 0.37)

islands = bpy.data.collections.new('Island')
scene.collection.children.link(islands)


def obj_from_bm(bm, name, material, loc=(0, 0, 0)):
    me = bpy.data.meshes.new(name)
    bm.to_mesh(me)
    bm.free()
    me.materials.append(material)
    ob = bpy.data.objects.new(name, me)
    ob.location = loc
    islands.objects.link(ob)
    return ob


def cone(name, material, d1, d2, depth, loc, segments=7):
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, cap_tris=False, segments=segments,
                          diameter1=d1, diameter2=d2, depth=depth,
                          matrix=Matrix.Translation((0, 0, depth / 2)))
    return obj_from_bm(bm, name, material, loc)


def tree(x, y):
    h = random.uniform(0.8, 1.4)
    trunk = cone('Trunk', BARK, 0.12, 0.09, 0.6, (x, y, 0.4), 6)
    for k in range(3):
        crown = cone('Crown', LEAF, 0.6 - 0.15 * k, 0.0, h * 0.7, (0, 0, 0.4 + 0.4 * k * h))
        crown.parent = trunk
        crown.rotation_euler = (0, 0, random.uniform(0, pi))


cone('Beach', SAND, 5.0, 4.2, 0.5, (0, 0, 0), 24)
cone('Sea', SEA, 40, 40, 0.2, (0, 0, -0.1), 32)

for i in range(12):
    a = i * 2 * pi / 12 + random.uniform(-0.2, 0.2)
    r = random.uniform(1.0, 3.2)
    tree(r * cos(a), r * sin(a))
for i in range(3):
    bm = bmesh.new()
    bmesh.ops.create_icosphere(bm, subdivisions=1, diameter=0.45 + 0.1 * i)
    for v in bm.verts:
        v.co *= random.uniform(0.75, 1.2)
    obj_from_bm(bm, 'Rock', ROCK, (-2.5 + 2.4 * i, -3.2 + 0.2 * i, 0.5))

sun = bpy.data.lights.new('Sun', 'SUN')
sun.energy = 3
sun_ob = bpy.data.objects.new('Sun', sun)
sun_ob.rotation_euler = (radians(40), radians(20), 0)
scene.collection.objects.link(sun_ob)

cam = bpy.data.objects.new('Cam', bpy.data.cameras.new('Cam'))
cam.location = (0, -13, 7)
cam.rotation_euler = (radians(63), 0, 0)
scene.collection.objects.link(cam)
scene.camera = cam
