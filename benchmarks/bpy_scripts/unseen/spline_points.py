# change: a poly spline's point needs four numbers
# holds: len(bpy.data.objects['Wire'].data.splines[0].points) == 3 and round(bpy.data.objects['Wire'].data.splines[0].points[2].co[0], 2) == 1.0
# names: 4
import bpy

points = [(0, 0, 0), (0.5, 0, 0.4), (1, 0, 0)]
data = bpy.data.curves.new("Wire", 'CURVE')
data.dimensions = '3D'
data.bevel_depth = 0.01
spline = data.splines.new('POLY')
spline.points.add(len(points) - 1)
for i, point in enumerate(points):
    spline.points[i].co = point
wire = bpy.data.objects.new("Wire", data)
bpy.context.collection.objects.link(wire)
