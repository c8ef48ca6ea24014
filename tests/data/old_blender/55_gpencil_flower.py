# Blender 2.83
# Drawing with the new Grease Pencil objects from Python
import bpy
import math


def get_grease_pencil(name='GPencil'):
    """Return the GP object with that name, create it if needed."""
    if name not in bpy.context.scene.objects:
        bpy.ops.object.gpencil_add(location=(0, 0, 0), type='EMPTY')
        bpy.context.scene.objects[-1].name = name
    return bpy.context.scene.objects[name]

def get_layer(gp, name):
    if name in gp.data.layers:
        return gp.data.layers[name]
    return gp.data.layers.new(name, set_active=True)

def gp_material(gp, name, stroke, fill=None):
    mat = bpy.data.materials.new(name)
    bpy.data.materials.create_gpencil_data(mat)
    mat.grease_pencil.color = stroke
    mat.grease_pencil.show_fill = fill is not None
    if fill:
        mat.grease_pencil.fill_color = fill
    gp.data.materials.append(mat)
    return len(gp.data.materials) - 1

def draw(frame, pts, mat_index, width=60):
    st = frame.strokes.new()
    st.display_mode = '3DSPACE'
    st.line_width = width
    st.material_index = mat_index
    st.points.add(count=len(pts))
    for p, co in zip(st.points, pts):
        p.co = co
        p.pressure = 1.0
        p.strength = 1.0
    return st

for ob in list(bpy.data.objects):
    bpy.data.objects.remove(ob)

gp = get_grease_pencil('Flower')
ink = gp_material(gp, 'Ink', (0.05, 0.2, 0.05, 1))
petal = gp_material(gp, 'Petal', (0.4, 0.0, 0.1, 1), (1.0, 0.3, 0.5, 1))

stem_layer = get_layer(gp, 'stem')
draw(stem_layer.frames.new(0), [(0.15 * math.sin(z * 2), 0, z * 3) for z in [i / 30 for i in range(31)]], ink, 90)

petal_layer = get_layer(gp, 'petals')
# a new frame every 10, one more petal each time
for k in range(1, 9):
    frame = petal_layer.frames.new(k * 10)
    for n in range(k):
        a0 = n * 2 * math.pi / 8
        pts = []
        for i in range(25):
            t = math.pi * i / 24
            r, a = 1.1 * math.sin(t), a0 + 0.35 * math.cos(t)
            pts.append((0.14 * math.sin(2) + r * math.cos(a), -0.01, 3 + r * math.sin(a)))
        draw(frame, pts, petal)

noise = gp.grease_pencil_modifiers.new('Wobble', 'GP_NOISE')
noise.factor = 0.2
gp.shader_effects.new('Shadow', 'FX_SHADOW')

bpy.ops.object.light_add(type='SUN', location=(0, -3, 5))
bpy.ops.object.camera_add(location=(0, -9, 2.2), rotation=(math.pi / 2, 0, 0))
bpy.context.scene.camera = bpy.context.object
