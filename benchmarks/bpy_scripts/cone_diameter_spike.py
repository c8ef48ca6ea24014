# change: bmesh create_cone diameter1 -> radius1 (3.0)
# holds: round(max(v.co.x for v in bpy.data.meshes['Spike'].vertices), 3) == 0.5
import bmesh
import bpy

me = bpy.data.meshes.new("Spike")
bm = bmesh.new()
bmesh.ops.create_cone(bm, cap_ends=True, cap_tris=False, segments=12, diameter1=0.5, diameter2=0.0, depth=2.0)
bm.to_mesh(me)
bm.free()

ob = bpy.data.objects.new("Spike", me)
bpy.context.scene.collection.objects.link(ob)
