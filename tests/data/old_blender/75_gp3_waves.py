# Blender 4.3
# Grease Pencil v3: strokes.new() is gone, now it's drawing.add_strokes().
# While I was at it: annotations still live in bpy.data.grease_pencils (!), the new type is grease_pencils_v3
import bpy
import math

scene = bpy.context.scene
for o in scene.objects[:]:
    bpy.data.objects.remove(o)


def ink(name, rgba, fill=None):
    m = bpy.data.materials.new(name)
    bpy.data.materials.create_gpencil_data(m)
    m.grease_pencil.color = rgba
    if fill:
        m.grease_pencil.show_fill = True
        m.grease_pencil.fill_color = fill
    return m


gp = bpy.data.grease_pencils_v3.new("Waves")
gp.materials.append(ink("Blue", (0.02, 0.15, 0.5, 1)))
gp.materials.append(ink("SunInk", (0.8, 0.3, 0.0, 1), (1.0, 0.75, 0.1, 1)))
gp_ob = bpy.data.objects.new("Waves", gp)
scene.collection.objects.link(gp_ob)

# --- sun disc
sun_layer = gp.layers.new("Sun")
drawing = sun_layer.frames.new(1).drawing
drawing.add_strokes([32])
s = drawing.strokes[0]
s.cyclic = True
s.material_index = 1
for i, p in enumerate(s.points):
    a = i / 32 * math.tau
    p.position = (1.5 + math.cos(a), 0.2, 2 + math.sin(a))
    p.radius = 0.03

# --- rows of waves, redrawn every 6 frames
wave_layer = gp.layers.new("Water")
wave_layer.tint_color = (0.0, 0.6, 0.7)
wave_layer.tint_factor = 0.3
ROWS, PTS = 7, 60
for frame in range(1, 49, 6):
    d = wave_layer.frames.new(frame).drawing
    d.add_strokes([PTS] * ROWS)
    for r, stroke in enumerate(d.strokes):
        stroke.material_index = 0
        for i, p in enumerate(stroke.points):
            x = -5 + i * 10 / (PTS - 1)
            p.position = (x, -r * 0.1, -r * 0.45 + 0.25 * math.sin(x * 1.5 + r + frame * 0.2))
            p.radius = 0.02 + 0.03 * math.sin(math.pi * i / PTS)
            p.opacity = 1.0 - r * 0.08

mod = gp_ob.modifiers.new("Noise", 'GREASE_PENCIL_NOISE')
mod.factor = 0.15
gp_ob.modifiers.new("Smooth", 'GREASE_PENCIL_SMOOTH').factor = 0.5

# --- annotation for the animator
note = bpy.data.grease_pencils.new("Review")
lay = note.layers.new("TODO", set_active=True)
lay.color = (1, 0, 0)
lay.thickness = 4
lay.frames.new(1)
scene.grease_pencil = note

lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", 'SUN'))
lamp.rotation_euler = (0.9, 0, 0.4)
scene.collection.objects.link(lamp)
cam = bpy.data.objects.new("Cam", bpy.data.cameras.new("Cam"))
cam.location = (0, -13, 0)
cam.rotation_euler = (math.pi / 2, 0, 0)
scene.collection.objects.link(cam)
scene.camera = cam
scene.frame_end = 48
