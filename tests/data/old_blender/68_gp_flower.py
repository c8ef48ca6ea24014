# Blender 3.3
# gist: draw a flower with grease pencil strokes
import bpy
import math


def gp_material(name, stroke, fill=None):
    mat = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if not mat.is_grease_pencil:
        bpy.data.materials.create_gpencil_data(mat)
    mat.grease_pencil.color = stroke
    mat.grease_pencil.show_fill = fill is not None
    if fill:
        mat.grease_pencil.fill_color = fill
    return mat


def get_gp(name="Flower"):
    if name not in bpy.context.scene.objects:
        bpy.ops.object.gpencil_add(location=(0, 0, 0), type='EMPTY')
        bpy.context.scene.objects[-1].name = name
    return bpy.context.scene.objects[name]


def draw_line(frame, pts, mat=0, width=40, cyclic=False):
    s = frame.strokes.new()
    s.display_mode = '3DSPACE'
    s.line_width = width
    s.material_index = mat
    s.use_cyclic = cyclic
    s.points.add(count=len(pts))
    for i, p in enumerate(pts):
        s.points[i].co = p
        s.points[i].pressure = 0.6 + 0.4 * math.sin(i * 0.3)
        s.points[i].strength = 1.0
    return s


bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

gp_obj = get_gp()
gpd = gp_obj.data
gpd.materials.clear()
gpd.materials.append(gp_material("Ink", (0.05, 0.02, 0.1, 1)))
gpd.materials.append(gp_material("Petal", (0.6, 0.05, 0.2, 1), (0.95, 0.45, 0.6, 1)))
for l in list(gpd.layers):
    gpd.layers.remove(l)
stem_frame = gpd.layers.new("Stem", set_active=True).frames.new(1)
petal_layer = gpd.layers.new("Petals", set_active=True)
petal_layer.line_change = 4
petal_frame = petal_layer.frames.new(1)

draw_line(stem_frame, [(0.25 * math.sin(t * 0.2), 0, -3 + t * 0.15) for t in range(21)], 0, 60)
for k in range(8):
    a0 = k * math.pi / 4
    petal = []
    for j in range(24):
        t = j / 24 * math.tau
        r, w = 0.9 + 0.7 * math.cos(t), 0.3 * math.sin(t)
        petal.append((r * math.cos(a0) - w * math.sin(a0), 0, r * math.sin(a0) + w * math.cos(a0)))
    draw_line(petal_frame, petal, 1, 30, True)

noise = gp_obj.grease_pencil_modifiers.new("Noise", 'GP_NOISE')
noise.factor = 0.25
thick = gp_obj.grease_pencil_modifiers.new("Thickness", 'GP_THICK')
thick.thickness_factor = 1.4
gp_obj.shader_effects.new("Glow", 'FX_GLOW').threshold = 0.3

bpy.ops.object.light_add(type='POINT', location=(2, -4, 3))
bpy.ops.object.camera_add(location=(0, -9, -0.5), rotation=(math.pi / 2, 0, 0))
bpy.context.scene.camera = bpy.context.object
bpy.context.scene.view_settings.view_transform = 'Standard'
