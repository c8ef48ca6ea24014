# Blender 2.79
# Scene: A white vase with blue marble veins on a round dark red cloth-colored plate, lit by a sun from the right front.
# Old: material.texture_slots with a MARBLE texture -> white vase with blue veins in the render, material.diffuse_color with three numbers -> white vase and dark red plate, ob.select = True -> vase is selected, scene.objects.active -> vase is the active object, modifier_apply(apply_as='DATA') on the modifier named "Subsurf" -> smooth subdivided vase, lamp_add with Blender Internal energy 1.2 -> a sun that lights the vase well
import bpy
from math import radians, sin, pi

scene = bpy.context.scene

for ob in list(scene.objects):
    bpy.data.objects.remove(ob, do_unlink=True)


def profile(t):
    """radius of the vase for t = 0 (foot) .. 1 (rim)"""
    return 0.45 + 0.55 * sin(t * pi * 0.95) ** 1.5 + 0.25 * max(0.0, t - 0.85) / 0.15


# start from a sphere and press it into the vase form
bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=20, location=(0, 0, 1.6))
vase = bpy.context.object
vase.name = 'Vase'
for v in vase.data.vertices:
    t = (v.co.z + 1.0) / 2.0
    r = (v.co.x ** 2 + v.co.y ** 2) ** 0.5
    if r > 0.05:
        k = profile(t) / r
        v.co.x *= k
        v.co.y *= k
    v.co.z *= 1.5

# plate below
bpy.ops.mesh.primitive_cylinder_add(vertices=64, location=(0, 0, 0))
plate = bpy.context.object
plate.scale = (2.6, 2.6, 0.08)
plate.name = 'Plate'

for ob in scene.objects:
    ob.select = False
vase.select = True
scene.objects.active = vase
bpy.ops.object.modifier_add(type='SUBSURF')
vase.modifiers['Subsurf'].levels = 2
bpy.ops.object.modifier_apply(apply_as='DATA', modifier='Subsurf')
bpy.ops.object.shade_smooth()

# marble
tex = bpy.data.textures.new('Veins', 'MARBLE')
tex.noise_scale = 0.4
tex.turbulence = 12.0

marble = bpy.data.materials.new('Marble')
marble.diffuse_color = (0.9, 0.9, 0.88)
slot = marble.texture_slots.add()
slot.texture = tex
slot.texture_coords = 'ORCO'
slot.use_map_color_diffuse = True
slot.color = (0.05, 0.12, 0.55)
slot.blend_type = 'MIX'
vase.data.materials.append(marble)

plate_mat = bpy.data.materials.new('DarkRed')
plate_mat.diffuse_color = (0.35, 0.03, 0.04)
plate.data.materials.append(plate_mat)

bpy.ops.object.lamp_add(type='SUN', location=(4, -4, 6))
sun = bpy.context.object
sun.rotation_euler = (radians(45), radians(10), radians(35))
sun.data.energy = 1.2

bpy.ops.object.camera_add(location=(0, -8, 3.5), rotation=(radians(77), 0, 0))
scene.camera = bpy.context.object
scene.camera.data.lens = 35
