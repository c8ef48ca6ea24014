# Blender 2.80
# Scene: A pink glowing neon text OPEN inside a glowing cyan ring in front of a dark brick-red wall above a dark glossy floor that mirrors it, almost black world; only the neon and one dim blue area light shine.
# Old: eevee.use_bloom with bloom_intensity and bloom_threshold -> soft glow around the neon, eevee.use_ssr -> the floor mirrors the sign, Principled 'Emission' color without any strength (2.80 had none) -> the ring and text glow with strength 1, view_settings.look 'High Contrast' -> contrasty Filmic picture
import bpy
from math import radians

# clear scene
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=False)

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_bloom = True
scene.eevee.bloom_threshold = 0.6
scene.eevee.bloom_intensity = 0.15
scene.eevee.use_ssr = True
scene.view_settings.view_transform = 'Filmic'
scene.view_settings.look = 'High Contrast'


def principled(name, color, roughness=0.5, emission=None):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    bsdf.inputs['Base Color'].default_value = (*color, 1)
    bsdf.inputs['Roughness'].default_value = roughness
    if emission:
        bsdf.inputs['Emission'].default_value = (*emission, 1)
    return mat


pink = principled("NeonPink", (0, 0, 0), emission=(1.0, 0.05, 0.45))
cyan = principled("NeonCyan", (0, 0, 0), emission=(0.0, 0.8, 1.0))
brick = principled("Brick", (0.18, 0.05, 0.035), 0.9)
floor_mat = principled("WetFloor", (0.02, 0.02, 0.025), 0.08)

# wall and floor
bpy.ops.mesh.primitive_plane_add(size=20, location=(0, 1, 5), rotation=(radians(90), 0, 0))
bpy.context.object.data.materials.append(brick)
bpy.ops.mesh.primitive_plane_add(size=20, location=(0, -9, 0))
bpy.context.object.data.materials.append(floor_mat)

# the text as tubes
txt = bpy.data.curves.new("OPEN", 'FONT')
txt.body = "OPEN"
txt.align_x = 'CENTER'
txt.align_y = 'CENTER'
txt.size = 1.6
txt.fill_mode = 'NONE'
txt.bevel_depth = 0.05
txt.bevel_resolution = 4
txt.materials.append(pink)
txt_ob = bpy.data.objects.new("OPEN", txt)
txt_ob.location = (0, 0.8, 3)
txt_ob.rotation_euler = (radians(90), 0, 0)
scene.collection.objects.link(txt_ob)

# the ring around it
bpy.ops.mesh.primitive_torus_add(location=(0, 0.85, 3), rotation=(radians(90), 0, 0),
                                 major_radius=2.6, minor_radius=0.06, major_segments=96)
ring = bpy.context.object
ring.scale = (1.2, 0.75, 1)
ring.data.materials.append(cyan)

# little fill light
bpy.ops.object.light_add(type='AREA', location=(-5, -5, 7), rotation=(radians(40), 0, radians(-45)))
fill = bpy.context.object.data
fill.energy = 40
fill.size = 3
fill.color = (0.4, 0.5, 1.0)

scene.world.use_nodes = True
scene.world.node_tree.nodes['Background'].inputs[0].default_value = (0.003, 0.003, 0.006, 1)

bpy.ops.object.camera_add(location=(0, -12, 2.8), rotation=(radians(89), 0, 0))
scene.camera = bpy.context.object
