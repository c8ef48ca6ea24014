# change: scene.objects.link -> collection.objects.link (2.80); also: scene.update
# holds: len(bpy.context.scene.objects) == 26
import bpy
import random

random.seed(3)
bpy.ops.mesh.primitive_cube_add(location=(0, 0, 0))
master = bpy.context.object
master.scale = (0.4, 0.4, 0.4)

# copy the cube without operators: much faster
for x in range(5):
    for y in range(5):
        copy = master.copy()
        copy.location = (x * 1.2, y * 1.2, random.uniform(0, 0.5))
        bpy.context.scene.objects.link(copy)

bpy.context.scene.update()
