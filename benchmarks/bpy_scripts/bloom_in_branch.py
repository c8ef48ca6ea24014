# change: eevee.use_bloom removed (4.2)
# holds: len(bpy.data.objects) == 4
import bpy

QUALITY = "high"
scene = bpy.context.scene

if QUALITY == "high":
    scene.eevee.use_bloom = True
else:
    scene.eevee.use_bloom = False
scene.render.resolution_percentage = 100

for i in range(4):
    bpy.ops.mesh.primitive_cylinder_add(radius=0.2, depth=3, location=(i - 1.5, 0, 1.5))
