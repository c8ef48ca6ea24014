# change: scene.cursor_location -> scene.cursor.location (2.80); also: primitive_uv_sphere_add(size=)
# holds: [round(o.location.x, 1) for o in sorted(bpy.data.objects, key=lambda o: o.name)] == [0.0, 1.5, 3.0, 4.5, 6.0] and round(bpy.data.objects[0].dimensions.x, 2) == 1.0
import bpy

scene = bpy.context.scene
for i in range(5):
    scene.cursor_location = (i * 1.5, 0.0, 0.5)
    bpy.ops.mesh.primitive_uv_sphere_add(size=0.5, location=scene.cursor_location)
    bpy.context.object.name = "Bead.%02d" % i
