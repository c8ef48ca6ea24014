# Blender 2.74
# Scene: A bar chart of six colored bars (blue to red) standing on a light grey floor with the black year under and the value above each bar, on a white background, lit by a sun.
# Old: primitive_cube_add(radius=0.4) -> bars 0.8 wide that do not overlap, text.data.align 'CENTER' -> labels centered over the bars, material.use_shadeless -> labels are pure black text without shading, material.diffuse_color with three numbers -> bars from blue to red in the render, world.horizon_color -> white background, lamp_add with Blender Internal energy 1.0 -> a sun that lights the bars well
import bpy
import math

data = [('2009', 3.1), ('2010', 4.4), ('2011', 2.6), ('2012', 5.2), ('2013', 6.0), ('2014', 4.9)]
vmax = max(v for _, v in data)

# start clean
bpy.ops.object.select_all(action='SELECT')
bpy.ops.object.delete()

scn = bpy.context.scene
scn.world.horizon_color = (1, 1, 1)

ink = bpy.data.materials.new('ink')
ink.diffuse_color = (0, 0, 0)
ink.use_shadeless = True


def label(txt, loc, size, rot):
    bpy.ops.object.text_add(location=loc, rotation=rot)
    t = bpy.context.object
    t.data.body = txt
    t.data.size = size
    t.data.align = 'CENTER'
    t.data.extrude = 0.01
    t.data.materials.append(ink)
    return t


for i, (year, val) in enumerate(data):
    f = val / vmax
    bpy.ops.mesh.primitive_cube_add(radius=0.4, location=(i - 2.5, 0, val / 2))
    bar = bpy.context.object
    bar.name = 'bar_' + year
    bar.scale[2] = val / 0.8
    mat = bpy.data.materials.new('bar_' + year)
    # low = blue, high = red
    mat.diffuse_color = (f ** 2, 0.15, (1 - f) * 1.2 + 0.05)
    bar.data.materials.append(mat)

    label(year, (i - 2.5, -0.75, 0.02), 0.4, (0, 0, 0))
    label('%.1f' % val, (i - 2.5, -0.2, val + 0.15), 0.4, (math.radians(90), 0, 0))

# floor
bpy.ops.mesh.primitive_plane_add(location=(0, 0, 0))
floor = bpy.context.object
floor.scale = (5, 2.5, 1)
fm = bpy.data.materials.new('floor')
fm.diffuse_color = (0.7, 0.7, 0.7)
floor.data.materials.append(fm)

# title
label('Visitors (millions)', (0, 0.6, 6.85), 0.7, (math.radians(90), 0, 0))

bpy.ops.object.lamp_add(type='SUN', location=(3, -6, 10))
bpy.context.object.rotation_euler = (math.radians(40), math.radians(15), 0)
bpy.context.object.data.energy = 1.0

bpy.ops.object.camera_add(location=(0, -15, 5.5), rotation=(math.radians(83), 0, 0))
scn.camera = bpy.context.object
scn.camera.data.lens = 38
