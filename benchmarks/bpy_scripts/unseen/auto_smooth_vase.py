# change: Mesh.use_auto_smooth removed (4.1)
# holds: len(bpy.data.objects) == 1 and all(p.use_smooth for p in bpy.data.objects['Vase'].data.polygons)
# names: use_auto_smooth
import math

import bpy

bpy.ops.mesh.primitive_cone_add(vertices=48, radius1=0.1, radius2=0.05, depth=0.3, location=(0, 0, 0.15))
vase = bpy.context.active_object
vase.name = "Vase"
bpy.ops.object.shade_smooth()
vase.data.use_auto_smooth = True
vase.data.auto_smooth_angle = math.radians(30)
