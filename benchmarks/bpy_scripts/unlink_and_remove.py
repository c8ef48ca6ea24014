# change: scene.objects.unlink -> collection/data.remove (2.80); also: obj.hide
# holds: [o.name for o in bpy.data.objects] == ['Ring'] and not bpy.data.objects['Ring'].hide_viewport
import bpy


def delete_object(name):
    if name in bpy.data.objects:
        obj = bpy.data.objects[name]
        bpy.context.scene.objects.unlink(obj)
        bpy.data.objects.remove(obj)


bpy.ops.mesh.primitive_torus_add(location=(0, 0, 0))
bpy.context.object.name = "Ring"
bpy.ops.mesh.primitive_cone_add(location=(0, 0, 2))
bpy.context.object.name = "Helper"

delete_object("Helper")

ring = bpy.data.objects["Ring"]
ring.hide = False
ring.scale = (2, 2, 2)
