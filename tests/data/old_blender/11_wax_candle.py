# Blender 2.81
# Scene: A cream colored wax candle with an orange-yellow flame on a small dark metal dish, in a dark blue room; the warm point light in the flame and the dark blue world color light the scene, the wax glows softly through.
# Old: Principled 'Subsurface' and 'Subsurface Color' -> translucent orange-cream wax, Principled 'Specular' 0.2 -> only faint gloss on wax, light.use_contact_shadow with contact_shadow_distance -> the dish throws a clean shadow, eevee.sss_samples with use_soft_shadows -> soft shadows and must not stop the script, world.color with world.use_nodes False -> dark blue background and ambient light
import bpy
from mathutils import Vector

# remove default objects
for o in bpy.data.objects:
    bpy.data.objects.remove(o)

sc = bpy.context.scene
col = bpy.data.collections.new('Candle')
sc.collection.children.link(col)

sc.render.engine = 'BLENDER_EEVEE'
sc.eevee.use_soft_shadows = True
sc.eevee.sss_samples = 16

# --- materials -------------------------------------------------
wax = bpy.data.materials.new('Wax')
wax.use_nodes = True
b = wax.node_tree.nodes['Principled BSDF']
b.inputs['Base Color'].default_value = (0.85, 0.75, 0.55, 1)
b.inputs['Subsurface'].default_value = 0.6
b.inputs['Subsurface Color'].default_value = (1.0, 0.5, 0.2, 1)
b.inputs['Subsurface Radius'].default_value = (0.5, 0.25, 0.1)
b.inputs['Specular'].default_value = 0.2
b.inputs['Roughness'].default_value = 0.45

flame = bpy.data.materials.new('Flame')
flame.use_nodes = True
nt = flame.node_tree
nt.nodes.clear()
out = nt.nodes.new('ShaderNodeOutputMaterial')
em = nt.nodes.new('ShaderNodeEmission')
em.inputs['Color'].default_value = (1.0, 0.5, 0.08, 1)
em.inputs['Strength'].default_value = 15
nt.links.new(em.outputs['Emission'], out.inputs['Surface'])

iron = bpy.data.materials.new('Iron')
iron.use_nodes = True
b = iron.node_tree.nodes['Principled BSDF']
b.inputs['Base Color'].default_value = (0.08, 0.08, 0.09, 1)
b.inputs['Metallic'].default_value = 1.0
b.inputs['Roughness'].default_value = 0.35


def take(ob, name, mat):
    """put the freshly added object in our collection"""
    for c in ob.users_collection:
        c.objects.unlink(ob)
    col.objects.link(ob)
    ob.name = name
    ob.data.materials.append(mat)
    return ob


bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=0.5, depth=2.4, location=(0, 0, 1.25))
candle = take(bpy.context.object, 'Candle', wax)
candle.modifiers.new('Round', 'BEVEL').width = 0.06

bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=1.3, depth=0.1, location=(0, 0, 0))
take(bpy.context.object, 'Dish', iron)
bpy.ops.mesh.primitive_plane_add(size=14, location=(0, 0, -0.05))
take(bpy.context.object, 'Desk', iron)

bpy.ops.mesh.primitive_uv_sphere_add(radius=0.13, location=(0, 0, 2.75))
fl = take(bpy.context.object, 'Flame', flame)
fl.scale = (1, 1, 2.2)
bpy.ops.object.shade_smooth()

ld = bpy.data.lights.new('FlameLight', 'POINT')
ld.energy = 90
ld.color = (1.0, 0.6, 0.25)
ld.shadow_soft_size = 0.1
ld.use_contact_shadow = True
ld.contact_shadow_distance = 0.5
lo = bpy.data.objects.new('FlameLight', ld)
lo.location = (0.3, -0.6, 3.0)
col.objects.link(lo)

sc.world.use_nodes = False
sc.world.color = (0.01, 0.02, 0.08)

cd = bpy.data.cameras.new('Camera')
cam = bpy.data.objects.new('Camera', cd)
cam.location = (3.2, -8.5, 3.2)
cam.rotation_euler = (Vector((0, 0, 1.4)) - cam.location).to_track_quat('-Z', 'Y').to_euler()
col.objects.link(cam)
sc.camera = cam
