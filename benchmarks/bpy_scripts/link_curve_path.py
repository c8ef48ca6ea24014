# change: scene.objects.link -> collection.objects.link (2.80)
# holds: 'Spiral' in bpy.context.scene.objects and len(bpy.data.objects['Spiral'].data.splines[0].points) == 40
import bpy
from math import cos, pi, sin

coords = []
for i in range(40):
    a = i / 40 * 4 * pi
    coords.append((cos(a) * (1 + i * 0.05), sin(a) * (1 + i * 0.05), i * 0.05))

curve_data = bpy.data.curves.new('spiral', type='CURVE')
curve_data.dimensions = '3D'
curve_data.resolution_u = 2

polyline = curve_data.splines.new('NURBS')
polyline.points.add(len(coords) - 1)
for i, coord in enumerate(coords):
    x, y, z = coord
    polyline.points[i].co = (x, y, z, 1)

curve_ob = bpy.data.objects.new('Spiral', curve_data)
curve_data.bevel_depth = 0.05

scn = bpy.context.scene
scn.objects.link(curve_ob)
