# change: bmesh create_cone diameter1 -> radius1 (3.0); also: create_uvsphere(diameter=)
# holds: round(max(v.co.x for v in bpy.data.meshes['Pawn'].vertices), 2) == 0.4
import bpy
import bmesh

bm = bmesh.new()
bmesh.ops.create_cone(bm, segments=24, diameter1=0.3, diameter2=0.3, depth=1.0, cap_ends=True)
bmesh.ops.create_uvsphere(bm, u_segments=16, v_segments=12, diameter=0.4)
for f in bm.faces:
    f.smooth = True

mesh = bpy.data.meshes.new("Pawn")
bm.to_mesh(mesh)
bm.free()
pawn = bpy.data.objects.new("Pawn", mesh)
bpy.context.scene.collection.objects.link(pawn)
bpy.context.view_layer.objects.active = pawn
