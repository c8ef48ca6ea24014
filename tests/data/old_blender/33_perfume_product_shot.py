# Blender 4.0
# Scene: A rose tinted glass perfume bottle with a gold cap and the black word ROSE in front of it, on a glossy white round stand with pink backdrop, lit by key, fill and rim area lights (white, pink, blueish).
# Old: light.use_contact_shadow with contact_shadow_distance and contact_shadow_thickness -> bottle is grounded by a shadow and must not stop the script, eevee.use_ssr with use_ssr_refraction and use_ssr_halfres -> reflections on the stand and see-through bottle, eevee.use_gtao with gtao_factor -> must not stop the script, eevee.use_bloom with bloom_radius -> soft highlights
import bpy
import math
from mathutils import Vector

# -----------------------------------------------------------------------------
# Scene reset
# -----------------------------------------------------------------------------
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
ee = scene.eevee
ee.taa_render_samples = 64
ee.use_ssr = True
ee.use_ssr_refraction = True
ee.use_ssr_halfres = False
ee.use_gtao = True
ee.gtao_factor = 1.2
ee.use_bloom = True
ee.bloom_radius = 5.0


def principled(name, **kwargs):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    for key, value in kwargs.items():
        bsdf.inputs[key.replace("_", " ").title().replace("Ior", "IOR")].default_value = value
    return mat


rose = principled("RoseGlass", base_color=(1.0, 0.55, 0.62, 1), roughness=0.02, transmission_weight=0.95, ior=1.45)
gold = principled("Gold", base_color=(0.95, 0.7, 0.3, 1), metallic=1.0, roughness=0.18)
white = principled("White", base_color=(0.9, 0.9, 0.9, 1), roughness=0.1, coat_weight=1.0)
pink = principled("Backdrop", base_color=(0.9, 0.45, 0.55, 1), roughness=0.9)
black = principled("Print", base_color=(0.01, 0.01, 0.01, 1), roughness=0.6)

# stand
bpy.ops.mesh.primitive_cylinder_add(vertices=96, radius=2.2, depth=0.3, location=(0, 0, -0.15))
bpy.context.object.data.materials.append(white)

# bottle
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.95))
bottle = bpy.context.object
bottle.name = "Bottle"
bottle.scale = (1.3, 0.7, 1.9)
bottle.data.materials.append(rose)
bevel = bottle.modifiers.new("Bevel", 'BEVEL')
bevel.width, bevel.segments = 0.12, 6

for radius, depth, z in ((0.22, 0.25, 2.0), (0.34, 0.6, 2.4)):
    bpy.ops.mesh.primitive_cylinder_add(vertices=64, radius=radius, depth=depth, location=(0, 0, z))
    bpy.context.object.data.materials.append(gold)

# label
curve = bpy.data.curves.new("Label", 'FONT')
curve.body = "ROSE"
curve.align_x = 'CENTER'
curve.size = 0.42
curve.extrude = 0.005
curve.materials.append(black)
label = bpy.data.objects.new("Label", curve)
label.location = (0, -0.38, 0.8)
label.rotation_euler = (math.radians(90), 0, 0)
scene.collection.objects.link(label)

# backdrop
bpy.ops.mesh.primitive_plane_add(size=30, location=(0, 5, 0), rotation=(math.radians(90), 0, 0))
bpy.context.object.data.materials.append(pink)
bpy.ops.mesh.primitive_plane_add(size=30, location=(0, 0, -0.3))
bpy.context.object.data.materials.append(pink)

for name, loc, energy, color in (("Key", (-3, -4, 5), 400, (1, 1, 1)), ("Fill", (4, -3, 3), 150, (1.0, 0.75, 0.8)),
                                 ("Rim", (1.5, 3.5, 4), 300, (0.75, 0.85, 1.0))):
    data = bpy.data.lights.new(name, 'AREA')
    data.energy, data.color, data.size = energy, color, 2.0
    data.use_contact_shadow = True
    data.contact_shadow_distance = 0.3
    data.contact_shadow_thickness = 0.02
    ob = bpy.data.objects.new(name, data)
    ob.location = loc
    ob.rotation_euler = (Vector((0, 0, 1)) - Vector(loc)).to_track_quat('-Z', 'Y').to_euler()
    scene.collection.objects.link(ob)

bpy.ops.object.camera_add(location=(0, -9, 2.4), rotation=(math.radians(82), 0, 0))
scene.camera = bpy.context.object
