# Blender 2.82
# swiss cheese: apply a bunch of booleans + join, using context overrides
# so we never need to touch the selection

import bpy
import random
from math import radians

random.seed(42)
context = bpy.context

def link(ob):
    context.scene.collection.objects.link(ob)
    return ob

for ob in list(context.scene.objects):
    bpy.data.objects.remove(ob, do_unlink=True)

# wedge
me = bpy.data.meshes.new("Cheese")
me.from_pydata([(0, 0, 0), (4, -1.2, 0), (4, 1.2, 0), (0, 0, 1.4), (4, -1.2, 1.4), (4, 1.2, 1.4)], [],
               [(0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)])
cheese = link(bpy.data.objects.new("Cheese", me))

# cutters
cutters = []
for i in range(9):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=12, radius=random.uniform(0.15, 0.4),
                                         location=(random.uniform(1, 4), random.uniform(-1, 1), random.uniform(0.2, 1.4)))
    cutters.append(context.object)

# join the cutters
c = context.copy()
c['object'] = c['active_object'] = cutters[0]
c['selected_objects'] = cutters
c['selected_editable_objects'] = cutters
bpy.ops.object.join(c)
cutter = cutters[0]

# cut and apply
mod = cheese.modifiers.new("Holes", 'BOOLEAN')
mod.operation = 'DIFFERENCE'
mod.object = cutter
mod.double_threshold = 0.0001

bev = cheese.modifiers.new("Round", 'BEVEL')
bev.width = 0.03
bev.segments = 2
bev.use_only_vertices = False
bev.limit_method = 'ANGLE'

override = context.copy()
override['object'] = override['active_object'] = cheese
for m in cheese.modifiers[:]:
    bpy.ops.object.modifier_apply(override, apply_as='DATA', modifier=m.name)

bpy.data.objects.remove(cutter, do_unlink=True)
mat = bpy.data.materials.new("CheeseMat")
mat.diffuse_color = (1.0, 0.7, 0.15, 1.0)
me.materials.append(mat)
# look through a 3D view if there is one
for area in context.screen.areas:
    if area.type == 'VIEW_3D':
        o = {'window': context.window, 'screen': context.screen, 'area': area, 'region': area.regions[-1], 'scene': context.scene}
        bpy.ops.view3d.view_all(o, center=True)
sun = link(bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", 'SUN')))
sun.rotation_euler = (radians(40), radians(10), 0)
cam = link(bpy.data.objects.new("Cam", bpy.data.cameras.new("Cam")))
cam.location, cam.rotation_euler = (2.3, -8, 4.5), (radians(63), 0, 0)
context.scene.camera = cam
