# Blender 2.74
# title card: 3d text + a ribbon swept along a nurbs spiral
import bpy, math

scn = bpy.context.scene
scn.render.engine = 'CYCLES'
for o in bpy.data.objects:
    if o.name in scn.objects:
        scn.objects.unlink(o)

def add(name, data, loc=(0,0,0), rot=(0,0,0)):
    ob = bpy.data.objects.new(name, data)
    ob.location = loc
    ob.rotation_euler = rot
    scn.objects.link(ob)
    return ob

def glossy(name, color, rough):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    n = mat.node_tree.nodes
    n.clear()
    out = n.new('ShaderNodeOutputMaterial')
    g = n.new('ShaderNodeBsdfGlossy')
    g.distribution = 'SHARP' if rough == 0 else 'GGX'
    g.inputs['Color'].default_value = color
    g.inputs['Roughness'].default_value = rough
    mat.node_tree.links.new(g.outputs[0], out.inputs[0])
    return mat
# --- text
txt = bpy.data.curves.new('Title', 'FONT')
txt.body = 'Hello\nWorld'
txt.align = 'CENTER'
txt.size = 1.5
txt.space_line = 0.8
txt.extrude = 0.15
txt.bevel_depth = 0.02
txt.bevel_resolution = 2
txt.materials.append(glossy('Gold', (0.9, 0.6, 0.1, 1), 0.2))
title = add('Title', txt, (0, 0, 1.2), (math.pi/2, 0, 0))
# --- profile of the ribbon
prof = bpy.data.curves.new('Profile', 'CURVE')
sp = prof.splines.new('POLY')
sp.points.add(1)
sp.points[0].co = (0, -0.25, 0, 1)
sp.points[1].co = (0, 0.25, 0, 1)
profile = add('Profile', prof)
# --- spiral
cu = bpy.data.curves.new('Spiral', 'CURVE')
cu.dimensions = '3D'
cu.resolution_u = 6
cu.bevel_object = profile
cu.use_fill_deform = True
cu.use_uv_as_generated = True
sp = cu.splines.new('NURBS')
N = 48
sp.points.add(N - 1)
for i, p in enumerate(sp.points):
    a = i * 0.4
    p.co = (3.2*math.cos(a), 1.5 + 1.5*math.sin(a), i*0.07, 1)
sp.use_endpoint_u = True
sp.order_u = 4
cu.materials.append(glossy('Ribbon', (0.7, 0.05, 0.1, 1), 0))
add('Spiral', cu)
# --- light / camera with focus on the title
add('Lamp', bpy.data.lamps.new('Lamp', 'SUN'), (0, -5, 6), (0.8, 0.2, 0))
cam = bpy.data.cameras.new('Cam')
cam.dof_object = title
cam.cycles.aperture_type = 'RADIUS'
cam.cycles.aperture_size = 0.08
scn.camera = add('Cam', cam, (0, -11, 1.8), (math.radians(88), 0, 0))
scn.cycles.film_transparent = True
