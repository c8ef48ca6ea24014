# Blender 2.82
# Scene: A Cornell box with a red left wall, a green right wall, white floor, ceiling and back, with a clear glass ball and a white tilted block inside; a white glowing ceiling panel (itself hidden from the camera) and a weak shadowless blue fill point light shine.
# Old: cycles.progressive 'BRANCHED_PATH' with aa_samples -> plain path tracing, object.cycles_visibility.camera = False -> the ceiling panel lights but is not seen, glass node distribution 'SHARP' -> perfectly clear glass ball, light.cycles.cast_shadow = False -> blue fill gives no shadow, render.tile_x/tile_y -> ignored
import bpy
from math import radians

bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

S = bpy.context.scene
S.render.engine = 'CYCLES'
S.cycles.progressive = 'BRANCHED_PATH'
S.cycles.aa_samples = 64
S.render.tile_x = 64
S.render.tile_y = 64


def shader(name, node_type, rgb, strength=None):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    t = m.node_tree
    t.nodes.remove(t.nodes['Principled BSDF'])
    n = t.nodes.new(node_type)
    n.inputs['Color'].default_value = rgb + (1,)
    if strength:
        n.inputs['Strength'].default_value = strength
    t.links.new(n.outputs[0], t.nodes['Material Output'].inputs['Surface'])
    return m, n


white, _ = shader('White', 'ShaderNodeBsdfDiffuse', (0.75, 0.75, 0.75))
red, _ = shader('Red', 'ShaderNodeBsdfDiffuse', (0.6, 0.03, 0.03))
green, _ = shader('Green', 'ShaderNodeBsdfDiffuse', (0.05, 0.45, 0.07))
glow, _ = shader('Glow', 'ShaderNodeEmission', (1.0, 0.95, 0.85), 12.0)
glass, gnode = shader('Glass', 'ShaderNodeBsdfGlass', (1.0, 1.0, 1.0))
gnode.distribution = 'SHARP'
gnode.inputs['IOR'].default_value = 1.5

# walls: (location, rotation in degrees, material)
walls = [
    ((0, 0, 0), (0, 0, 0), white),        # floor
    ((0, 0, 4), (180, 0, 0), white),      # ceiling
    ((0, 2, 2), (90, 0, 0), white),       # back
    ((-2, 0, 2), (0, 90, 0), red),        # left
    ((2, 0, 2), (0, -90, 0), green),      # right
]
for loc, rot, m in walls:
    bpy.ops.mesh.primitive_plane_add(size=4, location=loc, rotation=[radians(a) for a in rot])
    bpy.context.object.name = 'Wall_' + m.name
    bpy.context.object.data.materials.append(m)

# block
bpy.ops.mesh.primitive_cube_add(size=1, location=(-0.7, 0.7, 1.1), rotation=(0, 0, radians(20)))
bpy.context.object.scale = (1.1, 1.1, 2.2)
bpy.context.object.data.materials.append(white)

# ball
bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32, radius=0.75, location=(0.8, -0.5, 0.75))
bpy.ops.object.shade_smooth()
bpy.context.object.data.materials.append(glass)

# ceiling panel
bpy.ops.mesh.primitive_plane_add(size=1.4, location=(0, 0, 3.97), rotation=(radians(180), 0, 0))
panel = bpy.context.object
panel.name = 'Panel'
panel.data.materials.append(glow)
panel.cycles_visibility.camera = False

# fill
bpy.ops.object.light_add(type='POINT', location=(0, -4, 2))
fill = bpy.context.object.data
fill.energy = 15
fill.color = (0.5, 0.7, 1.0)
fill.cycles.cast_shadow = False

S.world.use_nodes = True
S.world.node_tree.nodes['Background'].inputs['Color'].default_value = (0, 0, 0, 1)

bpy.ops.object.camera_add(location=(0, -8.4, 2), rotation=(radians(90), 0, 0))
S.camera = bpy.context.object
S.camera.data.lens = 42
S.render.resolution_x = 800
S.render.resolution_y = 800
