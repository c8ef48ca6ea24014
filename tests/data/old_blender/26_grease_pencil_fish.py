# Blender 3.3
# Scene: A drawn orange fish with a dark outline and five light blue bubble circles (grease pencil) in front of a deep blue plane, with a yellow 3D sand strip at the bottom, lit by a sun.
# Old: bpy.data.grease_pencils.new + layers.new().frames.new().strokes.new with points.add and point.co/pressure -> fish and bubbles are drawn, stroke.line_width -> about 4 cm thick lines, stroke.display_mode and stroke.use_cyclic -> closed shapes, grease_pencil_modifiers.new('GP_NOISE') -> slightly shaky lines, layer.info -> layer names Fish and Bubbles
import bpy
from math import cos, sin, pi, radians

# delete everything
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete(use_global=True)


def gp_material(name, line, fill=None):
    mat = bpy.data.materials.new(name)
    bpy.data.materials.create_gpencil_data(mat)
    mat.grease_pencil.color = line
    mat.grease_pencil.show_stroke = True
    if fill:
        mat.grease_pencil.show_fill = True
        mat.grease_pencil.fill_color = fill
    return mat


gp = bpy.data.grease_pencils.new('Drawing')
gp.materials.append(gp_material('FishLine', (0.05, 0.02, 0.0, 1), (1.0, 0.4, 0.05, 1)))
gp.materials.append(gp_material('Bubble', (0.6, 0.85, 1.0, 1)))
gp.materials.append(gp_material('Eye', (0, 0, 0, 1), (0, 0, 0, 1)))
gp_ob = bpy.data.objects.new('Drawing', gp)
bpy.context.collection.objects.link(gp_ob)


def draw(frame, coords, mat_index, width):
    stroke = frame.strokes.new()
    stroke.display_mode = '3DSPACE'
    stroke.material_index = mat_index
    stroke.line_width = width
    stroke.use_cyclic = True
    stroke.points.add(count=len(coords))
    for p, (x, z) in zip(stroke.points, coords):
        p.co = (x, 0.0, z)
        p.pressure = 1.0
        p.strength = 1.0
    return stroke


def circle(cx, cz, rx, rz=None, n=32):
    rz = rz or rx
    return [(cx + rx * cos(2 * pi * i / n), cz + rz * sin(2 * pi * i / n)) for i in range(n)]


fish = gp.layers.new('GP_Layer', set_active=True)
fish.info = 'Fish'
f = fish.frames.new(1)
# tail first, then body on top of it
draw(f, [(1.3, 2.0), (2.4, 2.9), (2.1, 2.0), (2.4, 1.1)], 0, 40)
draw(f, circle(0, 2, 1.6, 0.9), 0, 40)
draw(f, [(-0.2, 2.85), (0.3, 3.5), (0.7, 2.75)], 0, 40)
draw(f, circle(-0.9, 2.25, 0.12), 2, 20)

bubbles = gp.layers.new('GP_Layer')
bubbles.info = 'Bubbles'
f = bubbles.frames.new(1)
for i in range(5):
    draw(f, circle(-2.1 - 0.15 * (i % 2), 2.2 + 0.5 * i, 0.1 + 0.04 * i, n=24), 1, 25)

noise = gp_ob.grease_pencil_modifiers.new('Shaky', 'GP_NOISE')
noise.factor = 0.2

# backdrop and sand
def plain(name, rgb):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    m.node_tree.nodes['Principled BSDF'].inputs['Base Color'].default_value = (*rgb, 1)
    return m


bpy.ops.mesh.primitive_plane_add(size=14, location=(0, 2, 2), rotation=(radians(90), 0, 0))
bpy.context.object.data.materials.append(plain('Water', (0.01, 0.08, 0.3)))
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 1, 0))
bpy.context.object.scale = (14, 2, 0.8)
bpy.context.object.data.materials.append(plain('Sand', (0.85, 0.65, 0.2)))

bpy.ops.object.light_add(type='SUN', rotation=(radians(45), 0, radians(20)))
bpy.context.object.data.energy = 3
bpy.ops.object.camera_add(location=(0, -12, 2.3), rotation=(radians(90), 0, 0))
bpy.context.scene.camera = bpy.context.object
