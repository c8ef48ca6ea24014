# Blender 2.71
"""Misty hills with boulders. Blender Internal: sky blend, mist, AO."""
import bpy
import bmesh
import random
from mathutils import Vector, Matrix, noise

random.seed(11)
scene = bpy.context.scene
scene.render.engine = 'BLENDER_RENDER'
scene.render.use_antialiasing = True
scene.render.antialiasing_samples = '8'

while scene.objects:
    scene.objects.unlink(scene.objects[0])

def height(x, y):
    return 2.2 * noise.fractal(Vector((x, y, 0)) * 0.15, 1.0, 2.0, 5)

def to_object(bm, name, color):
    me = bpy.data.meshes.new(name)
    bm.to_mesh(me)
    bm.free()
    mat = bpy.data.materials.new(name)
    mat.diffuse_color = color
    mat.specular_intensity = 0.05
    me.materials.append(mat)
    ob = bpy.data.objects.new(name, me)
    scene.objects.link(ob)
    return ob

# terrain
bm = bmesh.new()
bmesh.ops.create_grid(bm, x_segments=90, y_segments=90, size=20)
for v in bm.verts:
    v.co.z = height(v.co.x, v.co.y)
for f in bm.faces:
    f.smooth = True
to_object(bm, 'Hills', (0.18, 0.26, 0.1))
# boulders, all in one mesh
bm = bmesh.new()
for i in range(35):
    x, y = random.uniform(-12, 12), random.uniform(-12, 12)
    mat = Matrix.Translation((x, y, height(x, y))) * Matrix.Rotation(random.random() * 6.28, 4, 'Z')
    mat = mat * Matrix.Scale(0.6, 4, (0, 0, 1))
    bmesh.ops.create_icosphere(bm, subdivisions=2, diameter=random.uniform(0.2, 0.7), matrix=mat)
to_object(bm, 'Boulders', (0.3, 0.29, 0.28))
# world
world = bpy.data.worlds.new('Foggy')
scene.world = world
world.use_sky_blend = True
world.use_sky_real = True
world.horizon_color = (0.75, 0.72, 0.7)
world.zenith_color = (0.2, 0.35, 0.6)
world.mist_settings.use_mist = True
world.mist_settings.start = 8
world.mist_settings.depth = 25
world.mist_settings.falloff = 'LINEAR'
world.light_settings.use_ambient_occlusion = True
world.light_settings.ao_blend_type = 'MULTIPLY'
world.light_settings.samples = 6
lamp = bpy.data.objects.new('Sun', bpy.data.lamps.new('Sun', 'SUN'))
lamp.data.shadow_method = 'RAY_SHADOW'
lamp.rotation_euler = (0.9, 0.1, 0.6)
scene.objects.link(lamp)
cam = bpy.data.objects.new('Camera', bpy.data.cameras.new('Camera'))
cam.location = (0, -18, height(0, -18) + 3)
cam.rotation_euler = (Vector((0, 0, 1)) - cam.location).to_track_quat('-Z', 'Y').to_euler()
scene.objects.link(cam)
scene.camera = cam
